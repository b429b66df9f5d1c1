//! Recursive functions: calls are unfolded as far as their arguments decide it.

mod common;

use common::{run, settings};
use stringent_solver::options::Strategy;

const FUNCTIONS: &str = "
(define-fun-rec reversed ((s String)) String
  (ite (= s \"\") \"\" (str.++ (reversed (str.substr s 1 (- (str.len s) 1))) (str.at s 0))))
(define-fun-rec sum ((n Int)) Int (ite (<= n 0) 0 (+ n (sum (- n 1)))))
(define-funs-rec ((even ((n Int)) Bool) (odd ((n Int)) Bool))
  ((ite (= n 0) true (odd (- n 1))) (ite (= n 0) false (even (- n 1)))))
(define-fun-rec forever ((n Int)) Int (+ 1 (forever n)))
(declare-const x String) (declare-const n Int)
";

/// The answer, with the audit on.
fn answer(assertions: &str) -> String {
    let mut settings = settings(Strategy::Auto, 20_000);
    settings.options.audit = true;
    let output = run(&format!("{FUNCTIONS}{assertions}(check-sat)"), settings);
    assert_eq!(output.audit_failure(), None, "{assertions}");
    output.verdict().to_owned()
}

#[test]
fn calls_that_arguments_decide() {
    assert_eq!(answer("(assert (= (reversed \"abc\") x))"), "sat");
    assert_eq!(answer("(assert (= (reversed \"abc\") \"abc\"))"), "unsat");
    assert_eq!(answer("(assert (= (sum 4) n))"), "sat");
    assert_eq!(answer("(assert (= (sum 4) 11))"), "unsat");
    assert_eq!(answer("(assert (even 6)) (assert (odd 5))"), "sat");
    assert_eq!(answer("(assert (even 7))"), "unsat");
}

#[test]
fn calls_that_bounds_decide() {
    assert_eq!(answer("(assert (= (sum n) 10)) (assert (< 0 n 8))"), "sat");
    assert_eq!(answer("(assert (= (sum n) 11)) (assert (< 0 n 8))"), "unsat");
    assert_eq!(answer("(assert (= (reversed x) \"abc\")) (assert (= (str.len x) 3))"), "sat");
    assert_eq!(
        answer("(assert (= (reversed x) \"abc\")) (assert (= (str.len x) 3)) (assert (not (= x \"cba\")))"),
        "unsat"
    );
}

/// No function satisfies this definition, which is an axiom by the standard: unsatisfiable, or no answer.
#[test]
fn a_call_that_does_not_end() {
    let script = format!("{FUNCTIONS}(assert (= (forever n) 3))(check-sat)");
    let output = run(&script, settings(Strategy::Auto, 20_000));
    assert_ne!(output.verdict(), "sat");
}
