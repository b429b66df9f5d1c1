//! A store that was triaged, with hand-made findings: complete ones, bare ones, and content that could break reports.

use crate::fixture::{Fixture, NASTY};
use stringent_campaign::finding::{
    Argument, Cell, Examination, Finding, Fingerprint, Known, Member, Modes, Observed, Reduced, Stability,
    Subject, Tried, Versions,
};
use stringent_campaign::outcome::{Answer, Kind, Status};

/// A script whose assertion holds under `s = "aa"`.
const SCRIPT: &str = "(set-logic QF_S)\n(declare-const s String)\n(assert (= (str.replace_all s \"a\" \"b\") \"bb\"))\n(check-sat)\n";

/// A finding of solver `a` with nothing checked beyond its reduction.
pub(crate) fn bare(number: u32, kind: Kind) -> Finding {
    let answer = match kind {
        Kind::WrongUnsat | Kind::UnsoundCore | Kind::ForeignCore => Answer::Unsat,
        Kind::WrongSat | Kind::InvalidModel => Answer::Sat,
        _ => Answer::None,
    };
    Finding {
        number,
        id: format!("{number:08x}"),
        solver: Subject {
            spec: "z3@4.8.0".into(),
            name: "a".into(),
            profile: "z3".into(),
            version: "Z3 version 4.8.0 - 64 bit".into(),
            command: "z3 -in".into(),
        },
        kind,
        reduced: reduced(),
        observed: Observed {
            kind,
            check: 1,
            answer,
            stdout: format!("{answer}\n"),
            stderr: String::new(),
            ending: "exit 0".into(),
            evidence: String::new(),
            core: None,
            message: None,
            seconds: 0.01,
            seed: 0,
        },
        fingerprint: Fingerprint::default(),
        members: Vec::new(),
        stability: None,
        modes: None,
        versions: None,
        options: None,
        known: Vec::new(),
        related: Vec::new(),
        seen: None,
    }
}

fn reduced() -> Reduced {
    Reduced {
        script: SCRIPT.into(),
        sent: SCRIPT.into(),
        bytes: 86,
        assertions: 1,
        operators: vec!["=".into(), "str.replace_all".into()],
        origin: "t/0001".into(),
        origin_bytes: 913,
        runs: 120,
        seconds: 3.25,
        complete: true,
        argument: Argument::NotNeeded,
    }
}

/// A wrong `unsat` with everything checked.
pub(crate) fn whole(number: u32) -> Finding {
    let model = "(define-fun s () String \"aa\")".into();
    let argument = Argument::Model { model, source: "the construction".into() };
    let mut f = bare(number, Kind::WrongUnsat);
    f.reduced.argument = argument;
    f.reduced.sent = format!("(set-option :random-seed 3)\n{SCRIPT}(get-model)\n");
    f.stability = Some(Stability { runs: 10, failed: 9 });
    f.modes = Some(Modes { fresh: true, incremental: false });
    f.options = Some(vec!["smt.string_solver=z3str3".into()]);
    let issue = "Z3Prover/z3#1234".into();
    let title = "replace_all is wrong on overlaps".into();
    f.known = vec![Known { issue, title, reason: "same operators, version in range".into() }];
    f.seen = Some("2026-01-03T00:00:00Z".into());
    f.versions = Some(versions(7));
    f
}

/// Versions of which the fifth fails first, and the last is right.
pub(crate) fn versions(n: usize) -> Versions {
    let cells = [Cell::CannotRead, Cell::Unknown, Cell::Slow, Cell::Right];
    let cell = |i: usize| match i {
        i if i < 4 => cells[i],
        i if i + 1 == n => Cell::Right,
        i if i + 2 == n && n > 8 => Cell::Other,
        i if i + 3 == n && n > 8 => Cell::Missing,
        _ => Cell::Fails,
    };
    let tried = |i: usize| Tried { version: format!("4.8.{i}"), cell: cell(i), detail: format!("d{i}") };
    Versions {
        tried: (0..n).map(tried).collect(),
        available: n + 3,
        first_bad: Some("4.8.4".into()),
        last_good: Some("4.8.3".into()),
        fixed_in: Some(format!("4.8.{}", n - 1)),
        newest: Some(format!("4.8.{}", n - 1)),
        newest_fails: false,
    }
}

/// A store with these findings, each with so many runs; then one run that was refused and one that was not examined.
pub(crate) fn triaged(findings: Vec<Finding>, runs: usize) -> Fixture {
    let mut f = Fixture::new("t.store", &["a", "b"]);
    let mut list = Vec::new();
    for mut finding in findings {
        let mut keys = Vec::new();
        for n in 0..runs {
            let name = format!("t/{}/{n:04}", finding.number);
            let i = f.instance(&name, "term", "str.at", Status::Sat);
            f.run(i, 1, finding.kind, 5);
            let same = Examination::Same { instance: name.clone(), seed: 0 };
            f.store.set_examination((i, 1, 0), &same).expect("written");
            keys.push((i, 1, 0));
            let reason = "same shape".into();
            finding.members.push(Member { instance: name, solver: "a".into(), seed: 0, reason });
        }
        list.push((finding, keys));
    }
    let i = f.instance("t/refused", "term", "str.at", Status::Sat);
    f.run(i, 1, Kind::Crash, 5);
    let why = "it did not fail again".into();
    f.store.set_examination((i, 1, 0), &Examination::Refused { why }).expect("written");
    let i = f.instance("t/left", "term", "str.at", Status::Sat);
    f.run(i, 1, Kind::Crash, 5);
    f.store.set_findings(&list).expect("written");
    f.store.set_finished("2026-01-02T03:14:05Z").expect("it writes");
    f
}

/// A whole finding and bare ones of several kinds.
pub(crate) fn several() -> Vec<Finding> {
    let mut sat = bare(2, Kind::WrongSat);
    let origin = "the two sides differ in length".into();
    let agreed = vec!["cvc5 1.4.2".into()];
    sat.reduced.argument =
        Argument::Construction { origin, agreed, bound: "strings of at most 3 characters".into() };
    sat.versions = Some(Versions { newest_fails: true, fixed_in: None, ..versions(5) });
    let mut model = bare(3, Kind::InvalidModel);
    model.observed.evidence = "assertion 1 is false:\n  (= s \"a\")  →  false\nmodel: s = \"b\"".into();
    let mut crash = bare(4, Kind::Crash);
    crash.observed.message = Some("ASSERTION VIOLATION\nFile: seq_rewriter.cpp".into());
    crash.observed.stderr = "ASSERTION VIOLATION".into();
    crash.observed.stdout = String::new();
    crash.reduced.complete = false;
    vec![crash, bare(5, Kind::WallTime), model, whole(1), sat]
}

/// A finding in which every text is hostile.
pub(crate) fn nasty(number: u32, kind: Kind) -> Finding {
    let t = || NASTY.to_owned();
    let mut f = whole(number);
    f.kind = kind;
    f.id = format!("{NASTY}{number}");
    f.solver = Subject { spec: t(), name: t(), profile: t(), version: t(), command: t() };
    f.reduced = Reduced { script: t(), sent: format!("{NASTY} sent"), origin: t(), ..f.reduced };
    f.reduced.operators = vec![t(), format!("str.{NASTY}")];
    f.reduced.argument = match number % 3 {
        0 => Argument::Model { model: t(), source: t() },
        1 => Argument::Construction { origin: t(), agreed: vec![t()], bound: t() },
        _ => Argument::Agreement { solvers: vec![t(), t()], bound: t() },
    };
    f.observed = Observed { stdout: t(), stderr: t(), ending: t(), evidence: t(), ..f.observed };
    f.observed.core = Some(vec![t()]);
    f.observed.message = Some(t());
    f.options = Some(vec![t()]);
    f.known = vec![Known { issue: t(), title: t(), reason: t() }];
    f.seen = Some(t());
    let tried = vec![Tried { version: t(), cell: Cell::Other, detail: t() }];
    let some = Some(t());
    let (first_bad, last_good, fixed_in, newest) = (some.clone(), some.clone(), some.clone(), some);
    f.versions =
        Some(Versions { tried, available: 1, first_bad, last_good, fixed_in, newest, newest_fails: false });
    f.members = vec![Member { instance: t(), solver: t(), seed: 1, reason: t() }];
    f
}
