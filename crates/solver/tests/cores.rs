//! Unsat cores are unsatisfiable, and minimised ones are minimal as far as the solver can decide.

mod common;

use common::{Output, run, settings};
use stringent_solver::options::Strategy;

const TICKS: u64 = 50_000;

/// Each line: unsatisfiable assertions, most of which are not needed.
const PROBLEMS: &[&[&str]] = &[
    &["(= x \"a\")", "(= y \"b\")", "(= x y)", "(> i 3)"],
    &["(> i 3)", "(< i 9)", "(= i (* 2 j))", "(= i 5)", "(= z (str.++ x y))"],
    &["(= (str.len x) 3)", "(= x (str.++ y y))", "(not (= y \"\"))", "(= i (str.len y))"],
    &["(str.prefixof \"a\" x)", "(str.suffixof \"b\" x)", "(= (str.len x) 1)", "(str.contains x y)"],
    &["(str.contains x \"ab\")", "(not (str.contains x \"b\"))", "(= (str.len x) 4)"],
    &["(= (str.replace x \"a\" \"b\") y)", "(not (str.contains x \"a\"))", "(not (= x y))", "(= z y)"],
    &[
        "(= (str.++ x \"a\") (str.++ \"b\" y))",
        "(= (str.at x 0) \"c\")",
        "(>= (str.len y) 1)",
        "(> (str.len x) 0)",
    ],
    &["(or p q)", "(not p)", "(=> q (= x \"a\"))", "(not (= x \"a\"))", "(= y x)", "(or p (= y z))"],
    &["(= (str.to_int x) 42)", "(= (str.len x) 1)", "(> i (str.to_int x))"],
    &["(= x (str.++ \"a\" y))", "(= y (str.++ \"b\" z))", "(= z (str.++ \"c\" x))", "(= w x)"],
    &["(= (str.indexof x \"a\" 0) 2)", "(= (str.at x 1) \"a\")", "(= (str.len x) 9)"],
    &["(< i j)", "(< j k)", "(< k i)", "(= (str.len x) i)", "(> (str.len y) j)"],
    &["(str.< x \"b\")", "(str.prefixof \"c\" x)", "(str.< y x)"],
    &["(= (f x) 1)", "(= (f y) 2)", "(= x (str.++ z \"a\"))", "(= y (str.++ z \"a\"))", "(= (f z) 3)"],
];

const HEADER: &str = "(declare-const x String) (declare-const y String) (declare-const z String) (declare-const w String)
(declare-const i Int) (declare-const j Int) (declare-const k Int) (declare-const p Bool) (declare-const q Bool)
(declare-fun f (String) Int)";

fn check(assertions: &[&str], minimise: bool) -> Output {
    let mut settings = settings(Strategy::Auto, TICKS);
    settings.cores = true;
    settings.options.minimise_cores = minimise;
    let mut text = HEADER.to_owned();
    for (n, a) in assertions.iter().enumerate() {
        text += &format!("(assert (! {a} :named n{n}))");
    }
    run(&(text + "(check-sat)(get-unsat-core)"), settings)
}

/// The numbers in `(n0 n2)`.
fn names(core: &str) -> Vec<usize> {
    core.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect()
}

fn core<'a>(assertions: &[&'a str], minimise: bool) -> Vec<&'a str> {
    let output = check(assertions, minimise);
    assert_eq!(output.verdict(), "unsat", "{assertions:?}");
    let core = names(output.responses.last().expect("a core"));
    core.into_iter().map(|n| assertions[n]).collect()
}

fn verdict(assertions: &[&str]) -> String {
    let asserted: String = assertions.iter().map(|a| format!("(assert {a})")).collect();
    run(&format!("{HEADER}{asserted}(check-sat)"), settings(Strategy::Auto, TICKS)).verdict().to_owned()
}

#[test]
fn a_core_is_unsatisfiable() {
    for problem in PROBLEMS {
        for minimise in [false, true] {
            let core = core(problem, minimise);
            assert_eq!(verdict(&core), "unsat", "{core:?} of {problem:?}");
        }
    }
}

#[test]
fn a_minimised_core_is_minimal() {
    for problem in PROBLEMS {
        let core = core(problem, true);
        for k in 0..core.len() {
            let mut fewer = core.clone();
            fewer.remove(k);
            assert_ne!(check(&fewer, false).verdict(), "unsat", "{fewer:?} of {core:?}");
        }
    }
}

#[test]
fn a_core_does_not_depend_on_later_assertions() {
    for problem in PROBLEMS {
        let mut more = problem.to_vec();
        more.extend(["(= (str.len w) 7)", "(not (= w \"abc\"))"]);
        assert_eq!(core(problem, true), core(&more, true), "{problem:?}");
    }
}

#[test]
fn assumptions_that_fail_are_enough() {
    let mut settings = settings(Strategy::Auto, TICKS);
    settings.unsat_assumptions = true;
    let text = format!(
        "{HEADER}(declare-const a Bool)(declare-const b Bool)(declare-const c Bool)
        (assert (=> a (= x \"ab\")))(assert (=> b (= (str.len x) 3)))(assert (=> c (= y x)))
        (check-sat-assuming (c a b))(get-unsat-assumptions)(check-sat-assuming (c a))(check-sat-assuming (c b))"
    );
    let output = run(&text, settings);
    assert_eq!(output.verdicts, ["unsat", "sat", "sat"]);
    assert_eq!(output.responses[1], "(a b)");
}
