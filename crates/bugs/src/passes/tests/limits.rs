//! Large, deep and shared terms: no overflow, and work that is bounded.

use super::*;

/// Every pass offers edits on the script, and some of them are made.
fn survives(text: &str) {
    let start = doc(text);
    for pass in PASSES {
        let edits = pass.edits(&start);
        assert!(edits.len() <= 20_000, "{}: {} edits", pass.name(), edits.len());
        let some = edits.iter().step_by(edits.len() / 2 + 1).map(std::slice::from_ref);
        for edits in some.chain([&edits[..]]) {
            if let Some(made) = apply(&start, edits) {
                assert!(made.doc.size() < start.size());
            }
        }
    }
}

fn nested(depth: usize, open: &str, inner: &str, close: &str) -> String {
    [&open.repeat(depth), inner, &close.repeat(depth)].concat()
}

#[test]
fn deep_terms() {
    let term = nested(3_000, "(str.++ x ", "y", ")");
    let formula = nested(3_000, "(not ", "p", ")");
    survives(&with(&format!("(assert (= {term} x y ))(assert {formula})(assert (or p q ))")));
    let quantified = nested(300, "(exists ((a Bool)) (or a ", "p", "))");
    survives(&with(&format!("(assert {quantified})(assert p )")));
}

#[test]
fn shared_terms() {
    let lets: String = (0..60).map(|i| format!("(let ((v{} (str.++ v{i} v{i}))) ", i + 1)).collect();
    survives(&with(&format!("(assert (let ((v0 x)) {lets} (= v60 y)){})", ")".repeat(60))));
    let definitions: String = (1..40)
        .map(|i| format!("(define-fun f{i} ((a Int)) Int (+ (f{} (+ a 1)) (f{} (* a 2))))", i - 1, i - 1))
        .collect();
    survives(&format!(
        "(declare-const x Int)(define-fun f0 ((a Int)) Int a){definitions}(assert (= (f39 x) 0))(check-sat)"
    ));
}

#[test]
fn many_assertions_and_arguments() {
    let conjuncts = "(= x \"abcdef\" y) ".repeat(1_000);
    let asserts = "(assert (or p (<= (str.len x) 12345678901234567890)))".repeat(300);
    survives(&with(&format!("(assert (and {conjuncts} q))(assert (= x y x)){asserts}")));
    let word = "\\u{1f600}b".repeat(5_000);
    survives(&with(&format!("(assert (= x \"{word}\" y))")));
}
