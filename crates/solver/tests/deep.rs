//! Large input: nesting of 100,000 levels and literals of a million characters, on the small stack of a test thread.

mod common;

use common::{Output, run_into, settings};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
use stringent_solver::options::Strategy;

const LEVELS: usize = 100_000;

const HEADER: &str =
    "(declare-const x String)(declare-const y String)(declare-const i Int)(declare-const p Bool)";

/// `before` 100,000 times, `middle`, and `after` 100,000 times.
fn nested(before: &str, middle: &str, after: &str) -> String {
    nested_to(LEVELS, before, middle, after)
}

fn nested_to(levels: usize, before: &str, middle: &str, after: &str) -> String {
    format!("{}{middle}{}", before.repeat(levels), after.repeat(levels))
}

/// The verdict under a limit of time and ticks; none if the solver exceeds the time limit.
fn verdict(text: String) -> Option<String> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        let mut output =
            Output { deadline: Some(Instant::now() + Duration::from_secs(5)), ..Output::default() };
        run_into(&text, settings(Strategy::Auto, 20_000), &mut output);
        let _ = send.send(output.verdict().to_owned());
    });
    receive.recv_timeout(Duration::from_secs(240)).ok()
}

fn never_the_opposite(formula: &str, right: &str) {
    let answer = verdict(format!("{HEADER}(assert {formula})(check-sat)"));
    let shown: String = formula.chars().take(60).collect();
    let answer = answer.unwrap_or_else(|| panic!("no end, or a failure, on {shown}…"));
    assert!(answer == right || answer == "unknown", "{answer} on {shown}…");
}

#[test]
fn deep_booleans() {
    never_the_opposite(&nested("(not ", "p", ")"), "sat");
    never_the_opposite(&nested("(and p (or p ", "p", "))"), "sat");
    never_the_opposite(&nested("(= p ", "p", ")"), "sat");
    never_the_opposite(&nested("(ite p p ", "p", ")"), "sat");
}

#[test]
fn deep_concatenations() {
    never_the_opposite(&format!("(= y {})", nested("(str.++ \"a\" ", "x", ")")), "sat");
    never_the_opposite(&format!("(= \"ba\" {})", nested("(str.++ x ", "\"a\"", ")")), "unsat");
}

#[test]
fn deep_replacements() {
    never_the_opposite(&format!("(= y {})", nested("(str.replace ", "x", " \"a\" y)")), "sat");
    never_the_opposite(&format!("(= \"\" {})", nested("(str.substr ", "x", " 0 5)")), "sat");
    never_the_opposite(&format!("(= y {})", nested("(ite p x ", "y", ")")), "sat");
}

#[test]
fn deep_integers() {
    never_the_opposite(&format!("(= i {})", nested("(+ 1 ", "i", ")")), "unsat");
    never_the_opposite(&format!("(> i {})", nested("(- ", "i", ")")), "unsat");
    never_the_opposite(&format!("(= i {})", nested("(abs (- ", "i", " 1))")), "sat");
    // Each level has lemmas, between which the time is not polled.
    let numerals = nested_to(10_000, "(str.len (str.from_int ", "i", "))");
    never_the_opposite(&format!("(= i {numerals})"), "sat");
}

#[test]
fn long_literals() {
    let long = "ab".repeat(500_000);
    never_the_opposite(&format!("(= x \"{long}\")"), "sat");
    never_the_opposite(&format!("(= (str.++ x y) \"{long}\")"), "sat");
    never_the_opposite(&format!("(= (str.++ x \"c\" y) \"{long}\")"), "unsat");
    never_the_opposite(&format!("(str.contains \"{long}\" (str.++ x \"bb\"))"), "unsat");
    never_the_opposite(&format!("(= (str.replace \"{long}\" x y) \"b\")"), "sat");
    never_the_opposite(&format!("(= (str.indexof \"{long}\" x 999) 1000)"), "sat");
    never_the_opposite(&format!("(= i (str.to_int \"{}\"))", "7".repeat(100_000)), "sat");
}

#[test]
fn many_assertions_and_constants() {
    let mut text = String::from("(declare-const x0 String)");
    for n in 1..5_000 {
        text += &format!("(declare-const x{n} String)(assert (= x{n} (str.++ x{} \"a\")))", n - 1);
    }
    let answer = verdict(text + "(assert (= (str.len x4999) 4998))(check-sat)").expect("an end");
    assert!(answer == "unsat" || answer == "unknown", "{answer}");
}
