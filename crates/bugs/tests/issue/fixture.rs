//! Findings made by hand.

use campaign::finding::{
    Argument, Cell, Finding, Fingerprint, Observed, Reduced, Stability, Subject, Tried, Versions,
};
use campaign::outcome::{Answer, Kind};

/// A finding of which only the necessary is known.
pub(crate) fn bare(profile: &str, kind: Kind) -> Finding {
    let script = "(assert (= (str.replace_all \"aa\" \"a\" \"b\") \"bb\"))\n(check-sat)\n".to_owned();
    Finding {
        number: 0,
        id: "00c0ffee".into(),
        solver: Subject { name: profile.into(), profile: profile.into(), ..Subject::default() },
        kind,
        reduced: Reduced {
            sent: script.clone(),
            script,
            bytes: 57,
            assertions: 1,
            operators: vec!["=".into(), "str.replace_all".into()],
            origin: "a".into(),
            origin_bytes: 57,
            runs: 0,
            seconds: 0.0,
            complete: false,
            argument: Argument::NotNeeded,
        },
        observed: Observed {
            kind,
            check: 1,
            answer: Answer::Unsat,
            stdout: "unsat\n".into(),
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

/// A finding of a solver of a known version, reduced.
pub(crate) fn of(profile: &str, version: &str, command: &str, kind: Kind, script: &str) -> Finding {
    let mut f = bare(profile, kind);
    f.solver = Subject {
        spec: format!("{profile}@{version}"),
        name: format!("{profile}-{version}"),
        profile: profile.into(),
        version: version.into(),
        command: command.into(),
    };
    f.reduced.script = script.into();
    f.reduced.sent =
        script.lines().filter(|l| !l.starts_with("(set-info")).map(|l| format!("{l}\n")).collect();
    f.reduced.bytes = f.reduced.sent.len();
    f.reduced.assertions = script.matches("(assert").count();
    f.reduced.origin_bytes = 4321;
    f.reduced.runs = 210;
    f.reduced.complete = true;
    f
}

/// Versions that were run; the last one is the newest.
pub(crate) fn tried(list: &[(&str, Cell, &str)]) -> Versions {
    let one = |&(version, cell, detail): &(&str, Cell, &str)| Tried {
        version: version.into(),
        cell,
        detail: detail.into(),
    };
    let last = list.last().expect("a version");
    Versions {
        tried: list.iter().map(one).collect(),
        available: 60,
        newest: Some(last.0.into()),
        newest_fails: last.1 == Cell::Fails,
        ..Versions::default()
    }
}

/// A wrong `unsat` of z3 5.4.0.
pub(crate) fn from_code() -> Finding {
    let script = "\
(set-info :smt-lib-version 2.6)
(set-info :status sat)
(set-info :stringent-model \"((x \"\"1a\"\") (y \"\"b\"\") (i 1))\")
(declare-const x String)
(declare-const y String)
(declare-const i Int)
(assert (or (= x \"\") (= x \"1a\")))
(assert (str.prefixof y \"b\"))
(assert (= (ite (distinct \"\" y x) x (str.from_code i)) x))
(assert (<= 1 i 3))
(check-sat)
";
    let mut f = of("z3", "5.4.0", "z3 -in", Kind::WrongUnsat, script);
    f.reduced.operators =
        ["<=", "=", "distinct", "ite", "or", "str.from_code", "str.prefixof"].map(Into::into).into();
    f.reduced.argument = Argument::Model {
        model: "((define-fun x () String \"1a\") (define-fun y () String \"b\") (define-fun i () Int 1))"
            .into(),
        source: "the construction".into(),
    };
    f.stability = Some(Stability { runs: 10, failed: 10 });
    f.options = Some(Vec::new());
    f.versions = Some(Versions {
        first_bad: Some("4.13.0".into()),
        last_good: Some("4.12.6".into()),
        ..tried(&[
            ("4.8.5", Cell::CannotRead, ""),
            ("4.8.10", Cell::Right, "sat"),
            ("4.12.6", Cell::Right, "sat"),
            ("4.13.0", Cell::Fails, "unsat"),
            ("5.4.0", Cell::Fails, "unsat"),
        ])
    });
    f
}

/// A wrong `sat` of cvc5 with a model that does not satisfy the formula.
pub(crate) fn wrong_sat(argument: Argument) -> Finding {
    let script = "\
(set-info :smt-lib-version 2.6)
(set-logic QF_SLIA)
(declare-const x String)
(assert (not (= (str.replace x \"\" x) (str.++ x x))))
(check-sat)
(get-value (x))
";
    let mut f = of("cvc5", "1.4.2", "cvc5 --lang=smt2.6 --strings-exp", Kind::WrongSat, script);
    f.reduced.operators = ["=", "not", "str.++", "str.replace"].map(Into::into).into();
    f.reduced.argument = argument;
    f.observed.answer = Answer::Sat;
    f.observed.stdout = "sat\n((x \"a\"))\n".into();
    f.observed.evidence = "assertion 1 is false:\n  (not (= (str.replace x \"\" x) (str.++ x x))) = false\n\
        \x20   (str.replace x \"\" x) = \"aa\"\nmodel: x = \"a\"\n"
        .into();
    f
}

/// An invalid model of cvc5.
pub(crate) fn replace() -> Finding {
    let script = "\
(set-info :smt-lib-version 2.6)
(set-logic QF_SLIA)
(declare-const x String)
(assert (= (str.replace x \"a\" \"\") \"b\"))
(check-sat)
(get-value (x))
";
    let mut f = of("cvc5", "1.4.2", "cvc5 --lang=smt2.6 --strings-exp", Kind::InvalidModel, script);
    f.reduced.operators = ["=", "str.replace"].map(Into::into).into();
    f.reduced.argument = Argument::Model {
        model: "((define-fun x () String \"ab\"))".into(),
        source: "the built-in solver".into(),
    };
    f.observed.answer = Answer::Sat;
    f.observed.stdout = "sat\n((x \"aab\"))\n".into();
    f.observed.evidence = "assertion 1 is false:\n  (= (str.replace x \"a\" \"\") \"b\") = false\n\
        \x20   (str.replace x \"a\" \"\") = \"ab\"\nmodel: x = \"aab\"\n"
        .into();
    f
}

/// An unsound core of z3.
pub(crate) fn core() -> Finding {
    let script = "\
(set-info :smt-lib-version 2.6)
(set-info :status unsat)
(set-info :stringent-core \"(A B)\")
(set-info :stringent-drop \"(A ((x \"\"b\"\")))\")
(set-info :stringent-drop \"(B ((x \"\"\"\")))\")
(set-option :produce-unsat-cores true)
(declare-const x String)
(assert (! (= (str.len x) 0) :named A))
(assert (! (str.prefixof \"b\" x) :named B))
(check-sat)
(get-unsat-core)
";
    let mut f = of("z3", "5.4.0", "z3 -in", Kind::UnsoundCore, script);
    f.reduced.operators = ["=", "str.len", "str.prefixof"].map(Into::into).into();
    f.reduced.argument =
        Argument::Construction { origin: "it is".into(), agreed: Vec::new(), bound: String::new() };
    f.observed.stdout = "unsat\n(B)\n".into();
    f.observed.core = Some(vec!["B".into()]);
    f.observed.evidence = "core: (B)\nthis model satisfies every assertion of it\nmodel: x = \"b\"\n".into();
    f.versions = Some(tried(&[("5.3.0", Cell::Fails, ""), ("5.4.0", Cell::Fails, "")]));
    f
}

/// A formula that is hard for z3.
pub(crate) fn loop_bug(kind: Kind) -> Finding {
    let script = "\
(declare-const x String)
(declare-const y String)
(assert (= (str.++ x \"ab\" y) (str.++ y \"ba\" x)))
(check-sat)
";
    let mut f = of("z3", "5.4.0", "z3 -in", kind, script);
    f.reduced.operators = ["=", "str.++"].map(Into::into).into();
    f.observed.seconds = 20.02;
    (f.observed.answer, f.observed.stdout) = match kind {
        Kind::Unknown => (Answer::Unknown, "unknown\n".into()),
        _ => (Answer::None, String::new()),
    };
    f.observed.ending = "wall limit".into();
    f
}
