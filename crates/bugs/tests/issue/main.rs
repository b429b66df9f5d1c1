//! Issue texts, bundles and policies of findings made by hand.

mod fixture;
mod policies;
mod scripts;

use campaign::finding::{Argument, Cell, Known, Modes, Stability};
use campaign::outcome::{Answer, Kind};
use fixture::{bare, core, from_code, loop_bug, replace, tried, wrong_sat};
use std::path::Path;
use stringent_bugs::issue::ask::Asked;
use stringent_bugs::issue::{Context, Issue, Template, bundle, platform_of, regress};

/// Compares with a file beside the tests; `UPDATE_SNAPSHOTS=1` writes it.
fn snapshot(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/issue/snapshots").join(name);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, actual).expect("it writes");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let plain = actual.replace(env!("CARGO_PKG_VERSION"), "VERSION");
    assert_eq!(
        plain,
        expected.replace(env!("CARGO_PKG_VERSION"), "VERSION"),
        "{name} differs; UPDATE_SNAPSHOTS=1 writes it"
    );
}

fn context(template: Template) -> Context {
    Context { template, platform: Some("Linux x86_64".into()), asked: Asked::default() }
}

fn text(f: &campaign::finding::Finding, template: Template) -> String {
    Issue::of(f, &context(template)).markdown()
}

#[test]
fn wrong_unsat() {
    let f = from_code();
    snapshot("wrong-unsat-z3.md", &text(&f, Template::Z3));
    snapshot("wrong-unsat-plain.md", &text(&f, Template::Plain));
    let asked = Asked {
        script: Some("(assert (= \"\" \"\"))\n(check-sat)\n".into()),
        stdout: Some("unsat\n".into()),
        pinned: Some(Answer::Sat),
        ..Asked::default()
    };
    let asked = Context { asked, ..context(Template::Plain) };
    let text = Issue::of(&f, &asked).markdown();
    assert!(text.contains("With these assertions added, Z3 5.4.0 itself answers `sat`"), "{text}");
    assert!(
        text.contains("(assert (= x \"1a\"))\n") && text.contains("```smt2\n(assert (= \"\" \"\"))"),
        "{text}"
    );
}

#[test]
fn wrong_sat_texts() {
    let construction = Argument::Construction {
        origin: "the original was built to be so (an instance of the rule replace-empty, negated)".into(),
        agreed: vec!["z3 5.4.0".into()],
        bound: "all strings of at most 2 characters over {a, b} were tried".into(),
    };
    snapshot("wrong-sat-construction-cvc5.md", &text(&wrong_sat(construction), Template::Cvc5));
    let agreement = Argument::Agreement {
        solvers: vec!["stringent 0.2.0".into(), "z3 5.4.0".into()],
        bound: "all strings of at most 3 characters over {a, b} were tried".into(),
    };
    let f = wrong_sat(agreement);
    snapshot("wrong-sat-agreement-plain.md", &text(&f, Template::Plain));
    let stated = Argument::Construction {
        origin: "the user states that the original is so, which was not checked".into(),
        agreed: Vec::new(),
        bound: String::new(),
    };
    let text = text(&wrong_sat(stated), Template::Plain);
    assert!(text.contains("seems to be wrong") && text.contains("Probably `unsat`"), "{text}");
    assert!(!text.contains("unsatisfiable formula"), "{text}");
}

#[test]
fn models_and_cores() {
    snapshot("invalid-model-cvc5.md", &text(&replace(), Template::Cvc5));
    snapshot("unsound-core-z3.md", &text(&core(), Template::Z3));
}

#[test]
fn a_core_is_refuted_by_the_model_of_the_verdict() {
    let mut f = core();
    f.reduced.script =
        f.reduced.script.lines().filter(|l| !l.contains(":stringent")).map(|l| format!("{l}\n")).collect();
    let model = |value: &str| {
        format!(
            "core: (B)\nthis model satisfies every assertion of it\n((define-fun x () String \"{value}\"))"
        )
    };
    f.observed.evidence = model("bc");
    let right = text(&f, Template::Z3);
    assert!(
        right.contains("(B) is satisfiable: its assertions hold")
            && right.contains("(define-fun x () String \"bc\")\n"),
        "{right}"
    );
    let script = f.reduced.script.clone();
    f.reduced.script = script.replace("(check-sat)", "(assert (distinct x \"c\"))\n(check-sat)");
    let unnamed = text(&f, Template::Z3);
    assert!(unnamed.contains("its assertions, and those without a name, hold under this model"), "{unnamed}");
    f.reduced.script = script;
    f.observed.evidence = model("c");
    let wrong = text(&f, Template::Z3);
    assert!(!wrong.contains("its assertions hold") && wrong.contains("seems to be satisfiable"), "{wrong}");
    f.observed.core = Some(Vec::new());
    f.observed.evidence = "core: ()\nthis model satisfies every assertion of it\n()".into();
    let empty = text(&f, Template::Z3);
    assert!(empty.contains("The unsat core is empty"), "{empty}");
}

#[test]
fn errors() {
    let mut crash = bare("z3", Kind::Crash);
    crash.observed.answer = Answer::None;
    crash.observed.stdout = String::new();
    crash.observed.stderr =
        "ASSERTION VIOLATION\nFile: /home/someone/z3/src/ast/ast.cpp\nLine: 388\n```\n".into();
    crash.observed.ending = "signal 11".into();
    crash.observed.message = Some("ASSERTION VIOLATION".into());
    snapshot("crash-z3.md", &text(&crash, Template::Z3));
    let mut error = bare("cvc5", Kind::Message);
    error.observed.answer = Answer::None;
    error.observed.stdout = "(error \"Cannot eliminate str.rev\")\n".into();
    error.observed.message = Some("Cannot eliminate str.rev".into());
    snapshot("error-cvc5.md", &text(&error, Template::Cvc5));
    let mut rejected = bare("z3", Kind::Rejected);
    rejected.observed.stdout = "(error \"line 1 column 9: unknown constant str.rev\")\n".into();
    let text = text(&rejected, Template::Z3);
    assert!(
        text.contains("rejects a well-sorted script") && text.contains("well-sorted SMT-LIB 2.6"),
        "{text}"
    );
}

#[test]
fn slow_and_unknown() {
    snapshot("slow-z3.md", &text(&loop_bug(Kind::WallTime), Template::Z3));
    snapshot("slow-cvc5.md", &text(&loop_bug(Kind::WallTime), Template::Cvc5));
    snapshot("unknown-plain.md", &text(&loop_bug(Kind::Unknown), Template::Plain));
}

#[test]
fn nothing_optional_is_known() {
    for (name, template) in [("z3", Template::Z3), ("cvc5", Template::Cvc5), ("plain", Template::Plain)] {
        let f = bare("z3", Kind::WrongUnsat);
        let issue = Issue::of(&f, &Context { template, ..Context::default() }).markdown();
        snapshot(&format!("bare-{name}.md"), &issue);
        for word in
            ["seed", "newest", "push", "Platform", "satisfiable formula", "reduced", "majority", "None"]
        {
            assert!(!issue.contains(word), "{word}: {issue}");
        }
    }
}

#[test]
fn every_kind_has_a_text() {
    for &kind in Kind::ALL {
        for template in [Template::Z3, Template::Cvc5, Template::Plain] {
            let issue = Issue::of(&bare("other", kind), &context(template));
            assert!(issue.body.contains("(check-sat)") && issue.title.len() > 3, "{kind}: {issue:?}");
            assert!(!issue.body.contains("\n\n\n") && issue.body.ends_with('\n'), "{kind}: {}", issue.body);
        }
    }
}

#[test]
fn what_was_found_in_addition_is_told() {
    let mut f = from_code();
    f.stability = Some(Stability { runs: 10, failed: 7 });
    f.modes = Some(Modes { fresh: false, incremental: true });
    f.options = Some(vec!["smt.string_solver=z3str3".into()]);
    f.versions = Some(tried(&[
        ("1", Cell::Right, "sat: it is right\n"),
        ("2", Cell::Right, "sat"),
        ("3", Cell::CannotRead, "none: no"),
        ("4", Cell::Unknown, "unknown"),
    ]));
    f.observed.check = 2;
    f.known = vec![Known { issue: "Z3Prover/z3#1".into(), title: "*old*".into(), reason: String::new() }];
    let text = text(&f, Template::Plain);
    for part in [
        "with 7 of 10 random seeds",
        "only within `push` and `pop`",
        "needs the option `smt.string_solver=z3str3`",
        "It may be the same as Z3Prover/z3&#35;1 (\\*old\\*).",
        "to the second `check-sat`",
        "| 1 to 2 (2 run) | right: sat |\n| 3 | cannot read the script |\n| 4 | unknown |",
        // The script has one check: its model is not evaluated for another one.
        "seems to be wrong",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn text_of_solvers_stays_text() {
    let mut f = from_code();
    f.solver.name = "<b>@me</b>".into();
    f.solver.profile = String::new();
    f.solver.version = "5.4.0".into();
    f.solver.command = "/home/me/bin/z3 -in".into();
    f.observed.stdout = "unsat\n````\n# heading\u{1b}[31m\u{202e}\n<img src=x>\n/tmp/abc/x.smt2:1\n".into();
    f.versions = Some(tried(&[("1|2", Cell::Fails, "a|b\n`c`")]));
    let issue = Issue::of(&f, &context(Template::Plain));
    snapshot("weird-plain.md", &issue.markdown());
    assert!(
        issue.body.contains("`````\n")
            && !issue.body.contains("/home/me")
            && !issue.body.contains("/tmp/abc")
    );
    assert!(!issue.markdown().contains(['\u{1b}', '\u{202e}']));
}

#[test]
fn long_texts_are_clipped() {
    let mut f = from_code();
    f.observed.stdout = format!("unsat\n{}", "x".repeat(1_000_000));
    f.reduced.sent = format!("(assert (= \"{}\" \"\"))\n", "a".repeat(20_000));
    f.solver.command = format!("z3 {}", "y".repeat(5000));
    let text = text(&f, Template::Z3);
    assert!(text.len() < 12_000 && text.contains("more bytes]"), "{}", text.len());
    assert!(text.contains("The script is attached (19.5 KiB)."), "{text}");
}

#[test]
fn names_are_quoted_and_values_escaped() {
    let mut f = from_code();
    let name = "|a b; é|";
    f.reduced.script =
        format!("(declare-const {name} String)\n(assert (= {name} \"\\u{{e9}}\"\"\"))\n(check-sat)\n");
    f.reduced.sent.clone_from(&f.reduced.script);
    f.reduced.argument = Argument::Model {
        model: format!("((define-fun {name} () String \"\\u{{e9}}\"\"\"))"),
        source: "the construction".into(),
    };
    let text = text(&f, Template::Plain);
    assert!(text.contains("(define-fun |a b; é| () String \"\\u{e9}\"\"\")"), "{text}");
}

#[test]
fn bundles_are_deterministic_and_complete() {
    let f = from_code();
    let context = context(Template::Z3);
    let files = bundle::files(&f, &context);
    assert_eq!(files, bundle::files(&f, &context));
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["bug.smt2", "sent.smt2", "bug.json", "issue.md", "reproduce.sh"]);
    assert_eq!(serde_json::from_str::<campaign::finding::Finding>(&files[2].1).expect("a finding"), f);
    snapshot("reproduce.sh", &files[4].1);
}

#[test]
fn regressions_have_the_form_of_the_others() {
    let text = regress::entry(&from_code());
    assert!(text.starts_with("; z3 5.4.0: unsat. Reduced automatically.\n(set-info "), "{text}");
    assert!(text.contains(":stringent-model") && text.ends_with("(check-sat)\n"), "{text}");
    let text = regress::entry(&core());
    assert!(text.starts_with("; z3 5.4.0: the unsat core (B), which is satisfiable."), "{text}");
    assert!(regress::entry(&replace()).starts_with("; cvc5 1.4.2: invalid model."));
}

#[test]
fn platforms() {
    assert_eq!(platform_of("linux x86_64, Some CPU @ 3 GHz, 2 cores"), "Linux x86_64");
    assert_eq!(platform_of("macos aarch64"), "macOS aarch64");
    assert_eq!(platform_of(""), "");
}
