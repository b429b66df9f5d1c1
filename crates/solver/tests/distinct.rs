//! `distinct` of many terms, which is one atom for the solver.

mod common;

use common::{run, settings};
use std::fmt::Write as _;
use stringent_solver::options::Strategy;

const TICKS: u64 = 2_000_000;

/// The declarations and constraints of `count` constants, then `after`.
fn over(count: usize, sort: &str, each: &str, after: &str) -> String {
    let mut text = String::new();
    for i in 0..count {
        let _ = write!(text, "(declare-const x{i} {sort}){}", each.replace('#', &format!("x{i}")));
    }
    text + &after.replace("DISTINCT", &distinct(count))
}

fn distinct(count: usize) -> String {
    let names: Vec<String> = (0..count).map(|i| format!("x{i}")).collect();
    format!("(distinct {})", names.join(" "))
}

/// `(distinct vars "c0" … "c1699")`
fn with_constants(vars: &str) -> String {
    let constants: Vec<String> = (0..1_700).map(|i| format!("\"c{i}\"")).collect();
    format!("(distinct {vars} {})", constants.join(" "))
}

fn verdicts(text: &str, strategy: Strategy, audit: bool) -> Vec<String> {
    let mut settings = settings(strategy, TICKS);
    settings.options.audit = audit;
    let output = run(text, settings);
    assert_eq!(output.audit_failure(), None, "{strategy:?}");
    output.verdicts
}

const PREFIX: &str = "(assert (str.prefixof \"k\" #))(assert (<= (str.len #) 5))";
const BOUNDED: &str = "(assert (and (<= 0 #) (<= # 1000)))";

#[test]
fn constants_are_compared_at_once() {
    let all: Vec<String> = (0..20_000).map(|i| format!("\"s{i}\"")).collect();
    let text = format!("(assert (distinct {}))(check-sat)", all.join(" "));
    assert_eq!(verdicts(&text, Strategy::Auto, false), ["sat"]);
    let text = format!("(assert (distinct {} \"s7\"))(check-sat)", all.join(" "));
    assert_eq!(verdicts(&text, Strategy::Auto, false), ["unsat"]);
}

#[test]
fn constants_that_occur_nowhere_else() {
    for sort in ["String", "Int"] {
        for (formula, answer) in
            [("DISTINCT", "sat"), ("(not DISTINCT)", "sat"), ("(and DISTINCT (= x1 x2))", "unsat")]
        {
            let text = over(1_000, sort, "", &format!("(assert {formula})(check-sat)"));
            assert_eq!(verdicts(&text, Strategy::Auto, false), [answer], "{sort} {formula}");
        }
    }
}

#[test]
fn constrained_strings() {
    let cases = [
        ("(assert DISTINCT)", "sat"),
        ("(assert DISTINCT)(assert (= (str.++ x3 \"a\") (str.++ x7 \"a\")))", "unsat"),
        ("(assert (not DISTINCT))", "sat"),
        (
            "(declare-const p Bool)(assert (or p DISTINCT))(assert (=> p (= x1 x2)))(assert (not (= x1 x2)))",
            "sat",
        ),
    ];
    for (after, answer) in cases {
        let text = over(105, "String", PREFIX, &format!("{after}(check-sat)"));
        for strategy in [Strategy::Auto, Strategy::Base] {
            assert_eq!(verdicts(&text, strategy, false), [answer], "{strategy:?} {after}");
        }
    }
}

#[test]
fn constrained_integers() {
    for (after, answer) in
        [("", "sat"), ("(assert (= x5 x9))", "unsat"), ("(assert (= (+ x5 x6) (* 2 x6)))", "unsat")]
    {
        let text = over(110, "Int", BOUNDED, &format!("(assert DISTINCT){after}(check-sat)"));
        assert_eq!(verdicts(&text, Strategy::Auto, false), [answer], "{after}");
    }
}

/// Few variables, each with a known set of values: the answers are counted by hand.
#[test]
fn variables_among_many_constants() {
    let one_of = |x: &str, values: &[&str]| {
        let cases: Vec<String> = values.iter().map(|v| format!("(= {x} \"{v}\")")).collect();
        format!("(assert (or {}))", cases.join(" "))
    };
    let declared = "(declare-const x String)(declare-const y String)(declare-const z String)";
    let vars = |values: &[&str]| ["x", "y", "z"].map(|v| one_of(v, values)).concat();
    let all = with_constants("x y z");
    let cases = [
        (vars(&["d0", "d1", "d2"]), all.clone(), "sat"),
        (vars(&["d0", "d1", "c5"]), all.clone(), "unsat"),
        (vars(&["c1", "c2", "c5"]), all.clone(), "unsat"),
        (vars(&["c1", "d2", "c5"]), format!("(not {all})"), "sat"),
        (vars(&["d0"]), format!("(not {all})"), "sat"),
        (
            format!("{}{}{}", one_of("x", &["d0"]), one_of("y", &["d1"]), one_of("z", &["d2", "d3"])),
            format!("(not {all})"),
            "unsat",
        ),
    ];
    for (domain, formula, answer) in cases {
        let text = format!("{declared}{domain}(assert {formula})(check-sat)");
        for strategy in [Strategy::Auto, Strategy::Fs] {
            assert_eq!(verdicts(&text, strategy, true), [answer], "{strategy:?} {domain}");
        }
    }
}

#[test]
fn cores_name_it() {
    let after =
        "(assert (! DISTINCT :named d))(assert (! (= x3 x7) :named e))(assert (! (= x8 \"kk\") :named f))
        (check-sat)(get-unsat-core)";
    let mut settings = settings(Strategy::Auto, TICKS);
    settings.cores = true;
    let output = run(&over(110, "String", PREFIX, after), settings);
    assert_eq!(output.responses, ["unsat", "(d e)"]);
}

#[test]
fn levels_end_it() {
    let after =
        "(push)(assert DISTINCT)(push)(assert (= x1 x2))(check-sat)(pop)(pop)(assert (= x1 x2))(check-sat)";
    assert_eq!(verdicts(&over(110, "String", PREFIX, after), Strategy::Auto, false), ["unsat", "sat"]);
}

/// As an argument of a function, a `distinct` has the truth value that it has as an atom.
#[test]
fn in_an_argument() {
    let text = "(declare-fun gb (Bool) String)(assert (or DISTINCT (= x0 \"\")))(assert (not (= x0 \"\")))
        (assert (= (gb DISTINCT) \"a\"))(assert (= (gb true) \"b\"))(check-sat)";
    let text = over(120, "String", PREFIX, text);
    assert_eq!(verdicts(&text, Strategy::default(), false), ["unsat"]);
}
