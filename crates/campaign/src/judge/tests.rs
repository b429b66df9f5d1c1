use super::*;
use crate::settings::Wants;
use std::path::PathBuf;

mod ends;
mod models;
mod several;
mod unsat;

/// A solver with a profile of these lines.
fn solver(more: &str) -> Solver {
    let text = format!("name = 'p'\nabout = ''\nprogram = 'p'\ncores = true\n{more}");
    let profile = toml::from_str(&text).expect("a profile");
    Solver { name: "p".into(), profile, program: PathBuf::from("p"), version: String::new() }
}

fn case(text: &str) -> Case {
    Case::from_text("t", text.as_bytes()).expect("a script")
}

fn judged(text: &str, stdout: &str, ending: &Ending) -> Judged {
    judged_by(&solver(""), text, stdout, "", ending)
}

fn judged_by(solver: &Solver, text: &str, stdout: &str, stderr: &str, ending: &Ending) -> Judged {
    let raw = Raw { stdout: stdout.as_bytes(), stderr: stderr.as_bytes(), ending };
    judge(&case(text), solver, &raw, &Rules::default())
}

/// Judges the output of a process that ended normally.
fn printed(text: &str, stdout: &str) -> Judged {
    judged(text, stdout, &Ending::Exited(0))
}

#[track_caller]
fn expect(j: &Judged, verdict: Verdict, kind: Kind) {
    assert_eq!((j.verdict(), j.kind), (verdict, kind), "{j:?}");
}

const SAT: &str =
    "(set-info :smt-lib-version 2.6)(set-info :status sat)(set-info :stringent-model ((s \"a\") (i 0)))
    (declare-const s String)(declare-const i Int)(assert (= (str.at s i) \"a\"))(check-sat)";

const UNSAT: &str = "(set-info :status unsat)(set-info :stringent-core (n1 n2))
    (set-info :stringent-drop (n1 ((s \"b\"))))(set-info :stringent-drop (n2 ((s \"a\"))))
    (declare-const s String)(assert (! (= s \"a\") :named n1))(assert (! (= s \"b\") :named n2))
    (assert (! (= s s) :named n3))(check-sat)";

const OPEN: &str = "(declare-const s String)(assert (= (str.len s) 1))(check-sat)";
