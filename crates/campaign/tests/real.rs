//! The outputs of real solvers, judged.

use semantics::{Evaluator, Model};
use smt::op::{S, SEQUENCES};
use smt::{Op, Pool};
use std::time::Duration;
use stringent_campaign::case::Case;
use stringent_campaign::compose::{compose, fill};
use stringent_campaign::judge::{Judged, Raw, judge};
use stringent_campaign::outcome::{Answer, CoreCheck, Kind, ModelCheck, Verdict};
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

/// All sequences over 0 and 1 of up to this length, as terms.
fn sequences(longest: usize) -> Vec<String> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..longest {
        last = last.iter().flat_map(|w| [0, 1].map(|n| [&w[..], &[n]].concat())).collect();
        all.extend(last.clone());
    }
    let text = |w: &Vec<i32>| match &w[..] {
        [] => "(as seq.empty (Seq Int))".to_owned(),
        [one] => format!("(seq.unit {one})"),
        _ => format!("(seq.++{})", w.iter().map(|n| format!(" (seq.unit {n})")).collect::<String>()),
    };
    all.iter().map(text).collect()
}

/// Every operator of sequences on small arguments.
fn sequence_terms() -> Vec<String> {
    let (words, short) = (sequences(3), sequences(2));
    let ints: Vec<String> = ["(- 1)", "0", "1", "2", "3", "4"].map(str::to_owned).to_vec();
    let mut all = Vec::new();
    for row in SEQUENCES.iter().filter(|row| !matches!(row.op, Op::SeqEmpty | Op::SeqUnit)) {
        let mut terms = vec![format!("({}", row.name)];
        for (i, param) in row.params.iter().enumerate() {
            let values = match param {
                S::Int => &ints,
                _ if i == 2 => &short,
                _ => &words,
            };
            terms = terms.iter().flat_map(|t| values.iter().map(move |v| format!("{t} {v}"))).collect();
        }
        all.extend(terms.into_iter().map(|t| t + ")"));
    }
    all
}

/// Where the evaluator has a value, no solver finds another one.
#[test]
fn sequences_are_evaluated_as_by_the_solvers() {
    let terms = sequence_terms();
    let mut pool = Pool::new();
    let script: String = terms.iter().map(|t| format!("(assert (= {t} {t}))")).collect();
    let parsed = smt::parse(script.as_bytes(), None, &mut pool);
    let model = Model::new();
    let mut e = Evaluator::new(&pool, &model);
    let equation = |(t, term): (smt::Term, &String)| {
        let value = e.eval(pool.args(t)[0]).ok()?.to_smtlib(e.store());
        Some(format!("(= {term} {value})"))
    };
    let equations: Vec<String> = parsed.script.assertions().zip(&terms).filter_map(equation).collect();
    assert!(equations.len() > 6_000 && equations.len() < terms.len(), "{}", equations.len());
    // z3 does not evaluate this one.
    let known = |e: &&String| !e.starts_with("(= (seq.replace_all (as seq.empty (Seq Int)) ");
    let equations: Vec<&str> = equations.iter().filter(known).map(String::as_str).collect();
    for part in equations.chunks(1_000) {
        let text = format!("(assert (not (and {})))(check-sat)", part.join("\n"));
        for solver in solvers() {
            let j = asked(&solver, &text, &Wants::default());
            assert_eq!(j.answer, Answer::Unsat, "{}: {j:?}", solver.name);
        }
    }
}
