//! The outputs of real solvers, judged.

use std::time::Duration;
use stringent_campaign::case::Case;
use stringent_campaign::compose::{compose, fill};
use stringent_campaign::judge::{Judged, Raw, judge};
use stringent_campaign::outcome::{CoreCheck, Kind, ModelCheck, Verdict};
use stringent_campaign::process::{self, Cancel, Invocation, Limits};
use stringent_campaign::profile::{MemoryLimit, Solver, resolve};
use stringent_campaign::settings::{Rules, Wants};

/// The solvers, from the environment. Without them there is nothing to test, and a test that tests nothing must
/// not pass.
fn solvers() -> [Solver; 2] {
    [("z3", "STRINGENT_Z3"), ("cvc5", "STRINGENT_CVC5")].map(|(name, variable)| {
        let path = std::env::var(variable).unwrap_or_else(|_| {
            panic!(
                "{variable} is not set: run the tests with tools/test, which fetches the solvers and sets it"
            )
        });
        resolve(&format!("{name}={path}")).expect("a solver")
    })
}

fn asked(solver: &Solver, text: &str, wants: &Wants) -> Judged {
    let case = Case::from_text("t", text.as_bytes()).expect("a script");
    let stdin = compose(&case, &solver.profile, 0, wants).expect("sayable");
    let args = solver.profile.args.iter().map(|a| fill(a, 0, wants).into_owned()).collect();
    let limits = Limits {
        wall: Duration::from_secs(60),
        cpu: None,
        idle: None,
        memory: None,
        memory_how: MemoryLimit::default(),
        output: 1 << 20,
    };
    let what = Invocation { program: solver.program.clone(), args, stdin };
    let ended = process::run(&what, &limits, &Cancel::new().expect("an event"));
    let raw = Raw { stdout: &ended.stdout, stderr: &ended.stderr, ending: &ended.ending };
    judge(&case, solver, &raw, &Rules { wants: *wants, ..Rules::default() })
}

#[track_caller]
fn all_say(text: &str, verdict: Verdict, kind: Kind) -> Vec<Judged> {
    let judged: Vec<Judged> = solvers().iter().map(|s| asked(s, text, &Wants::default())).collect();
    for j in &judged {
        assert_eq!((j.verdict(), j.kind), (verdict, kind), "{j:?}");
    }
    judged
}

#[test]
fn models() {
    let text = "(set-logic QF_SLIA)(set-info :status sat)(declare-const s String)(declare-fun |a b| () Int)
        (assert (= (str.at s |a b|) \"\\u{1F600}\"))(assert (str.contains s \"\\u{5c}\"\"\"))(check-sat)";
    for j in all_say(text, Verdict::Ok, Kind::ValidModel) {
        assert_eq!(j.model, ModelCheck::Holds);
    }
}

const UNSAT: &str = "(set-logic QF_S)(set-info :status unsat)(set-info :stringent-core (n1 |n 2|))
    (declare-const s String)(assert (! (= s \"a\") :named n1))(assert (! (= s \"b\") :named |n 2|))
    (assert (! (= s s) :named n3))(check-sat)";

#[test]
fn cores() {
    for j in all_say(UNSAT, Verdict::Ok, Kind::MinimalCore) {
        assert_eq!(j.core, CoreCheck::Minimal);
    }
    let unnamed = Wants { named: false, ..Wants::default() };
    for s in solvers() {
        assert_eq!(asked(&s, UNSAT, &unnamed).kind, Kind::CorrectUnsat);
    }
}

#[test]
fn a_wrong_status_is_detected() {
    let lie = UNSAT.replace("= s \"b\"", "= s \"a\"");
    for j in all_say(&lie, Verdict::Ok, Kind::ValidModel) {
        assert!(j.evidence.contains("is wrong"), "{j:?}");
    }
    all_say("(set-info :status sat)(assert false)(check-sat)", Verdict::WrongUnsat, Kind::WrongUnsat);
}

#[test]
fn nothing_known() {
    all_say("(declare-const s String)(assert (= (str.len s) 2))(check-sat)", Verdict::Ok, Kind::ValidModel);
    all_say(
        "(declare-const s String)(assert (distinct s s))(check-sat)",
        Verdict::Undetermined,
        Kind::Unlabelled,
    );
}

#[test]
fn several_checks() {
    let text = "(set-logic QF_SLIA)(declare-const x Int)(set-info :status sat)(assert (> x 0))(check-sat)(push 1)
        (declare-const y Int)(assert (< x y 0))(set-info :status unsat)(check-sat)(pop 1)(set-info :status sat)
        (check-sat)";
    all_say(text, Verdict::Ok, Kind::ValidModel);
    all_say(&text.replace(":status unsat", ":status sat"), Verdict::WrongUnsat, Kind::WrongUnsat);
}

#[test]
fn unknown_operators_are_rejected() {
    let [z3, cvc5] = solvers();
    for (mut solver, term) in [(z3, "(= (str.rev s) s)"), (cvc5, "(= (seq.last_indexof s s) 0)")] {
        let text = format!("(set-info :status sat)(declare-const s String)(assert {term})(check-sat)");
        let j = asked(&solver, &text, &Wants::default());
        assert_eq!((j.verdict(), j.kind), (Verdict::NotApplicable, Kind::Unsupported), "{j:?}");
        solver.profile.unsupported.clear();
        let j = asked(&solver, &text, &Wants::default());
        assert_eq!((j.verdict(), j.kind), (Verdict::Error, Kind::Rejected), "{j:?}");
    }
}
