use super::*;
use semantics::instance::Instance;

fn read(text: &str) -> Instance {
    Instance::from_text(text.as_bytes(), None).unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

fn merged(texts: &[&str], mode: Mode) -> (String, Truth) {
    let instances: Vec<Instance> = texts.iter().map(|t| read(t)).collect();
    let merged = merge(&instances, mode).unwrap();
    let text = merged.to_text("test");
    let again = read(&text);
    assert_eq!(again.truth.status(), merged.truth.status(), "{text}");
    (text, merged.truth)
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().filter(|l| !l.starts_with("(set-")).collect()
}

const A: &str = "(set-logic QF_S)(declare-const x String)(declare-const n Int)(assert (= x \"a\"))(assert (= n 1))(check-sat)";
const B: &str = "(set-logic QF_SLIA)(declare-const x String)(declare-const y String)(assert (= x \"a\"))(assert (= y \"b\"))(check-sat)";

#[test]
fn concatenation_shares_names_and_removes_duplicates() {
    let (text, _) = merged(&[A, B], Mode::Concat);
    assert_eq!(
        lines(&text),
        [
            "(declare-const x String)",
            "(declare-const n Int)",
            "(assert (= x \"a\"))",
            "(assert (= n 1))",
            "(declare-const y String)",
            "(assert (= y \"b\"))",
            "(check-sat)"
        ]
    );
    assert!(text.contains("(set-logic QF_SLIA)"));
}

#[test]
fn disjoint_names() {
    let (text, _) = merged(&[A, B], Mode::Disjoint);
    assert_eq!(
        lines(&text),
        [
            "(declare-const x String)",
            "(declare-const n Int)",
            "(assert (= x \"a\"))",
            "(assert (= n 1))",
            "(declare-const x_2 String)",
            "(declare-const y String)",
            "(assert (= x_2 \"a\"))",
            "(assert (= y \"b\"))",
            "(check-sat)"
        ]
    );
}

#[test]
fn intersecting_names() {
    let c = "(declare-const p String)(declare-const q String)(declare-const m Int)(assert (= (str.len p) m))(assert (= q \"b\"))";
    let (text, _) = merged(&[A, c], Mode::Intersecting);
    assert_eq!(
        lines(&text)[4..],
        ["(declare-const q String)", "(assert (= (str.len x) n))", "(assert (= q \"b\"))", "(check-sat)"]
    );
    // A name that a binder would catch is not shared.
    let c = "(declare-const p String)(assert (exists ((x String)) (= (str.++ x \"a\") p)))";
    let (text, _) = merged(&[A, c], Mode::Intersecting);
    assert!(text.contains("(declare-const p String)"), "{text}");
}

const SAT: &str = "(set-info :status sat)(set-info :stringent-model \"((x \"\"a\"\") (n 1))\")(declare-const x String)(declare-const n Int)(assert (= x \"a\"))(assert (> n 0))(check-sat)";
const SAT2: &str = "(set-info :status sat)(set-info :stringent-model \"((x \"\"b\"\") (n 5))\")(declare-const x String)(declare-const n Int)(assert (= (str.len x) 1))(assert (> n 4))(check-sat)";
const UNSAT: &str = "(set-info :status unsat)(set-info :stringent-core \"(B)\")(declare-const x String)(assert (! (= x \"a\") :named A))(assert (! (= x (str.++ x \"a\")) :named B))(check-sat)";

#[test]
fn truths_are_combined_where_that_is_sound() {
    for mode in [Mode::Concat, Mode::Disjoint, Mode::Intersecting] {
        for (texts, at) in [(&[SAT, UNSAT][..], 3), (&[UNSAT, SAT], 1), (&[A, UNSAT, B], 3)] {
            let (text, truth) = merged(texts, mode);
            let Truth::Unsat(core) = truth else { panic!("{text}") };
            // In a concatenation `(= x "a")` is there already, but not by that name.
            assert_eq!(core, [at], "{mode:?}: {text}");
        }
        assert!(matches!(merged(&[SAT, SAT], mode).1, Truth::Sat(_)));
        assert!(matches!(merged(&[SAT, A], mode).1, Truth::Unknown));
    }
    assert!(matches!(merged(&[SAT, SAT2, SAT], Mode::Disjoint).1, Truth::Sat(_)));
    // n is 1 by the first model.
    assert!(matches!(merged(&[SAT, SAT2], Mode::Concat).1, Truth::Unknown));
    assert!(matches!(merged(&[SAT2, SAT], Mode::Concat).1, Truth::Unknown));
}

#[test]
fn definitions_names_levels_and_sorts() {
    let a = "(declare-sort U 0)(declare-const u U)(define-fun f ((s String)) String (str.++ s \"a\"))(declare-const x String)(assert (! (= x (f x)) :named N))(assert (not N))(check-sat)";
    let b = "(declare-sort U 0)(declare-const u U)(define-fun f ((s String)) String (str.++ s \"b\"))(declare-const x String)(push 1)(declare-const y String)(assert (= y \"gone\"))(pop 1)(assert (! (= x (f x)) :named N))(assert (not N))(check-sat)(assert false)(check-sat)";
    let (text, _) = merged(&[a, b], Mode::Concat);
    assert_eq!(
        lines(&text),
        [
            "(declare-sort U 0)",
            "(declare-const u U)",
            "(define-fun f ((s String)) String (str.++ s \"a\"))",
            "(declare-const x String)",
            "(assert (! (= x (f x)) :named N))",
            "(assert (not N))",
            "(define-fun f_2 ((s String)) String (str.++ s \"b\"))",
            "(assert (! (= x (f_2 x)) :named N_2))",
            "(assert (not N_2))",
            "(check-sat)"
        ]
    );
    let (text, _) = merged(&[a, a], Mode::Concat);
    assert_eq!(text.matches("define-fun").count(), 1, "{text}");
    let (text, _) = merged(&[a, b, a], Mode::Disjoint);
    assert!(text.contains("(assert (! (= x_3 (f_3 x_3)) :named N_3))"), "{text}");
    let other = "(declare-sort U 1)";
    let clash = merge(&[read(a), read(other)], Mode::Disjoint);
    assert!(matches!(clash, Err(MergeError::Sort { instance: 2, .. })));
    assert!(matches!(merge(&[], Mode::Concat), Err(MergeError::Nothing)));
}

#[test]
fn recursive_definitions_stay_recursive() {
    let a = "(define-fun-rec g ((n Int)) Int (ite (< n 1) 0 (g (- n 1))))(define-funs-rec ((e ((n Int)) Bool) (o ((n Int)) Bool)) ((o n) (e n)))(assert (= (g 1) 0))(check-sat)";
    let (text, _) = merged(&[a, a], Mode::Disjoint);
    assert!(text.contains("(define-fun-rec g_2 ((n Int)) Int (ite (< n 1) 0 (g_2 (- n 1))))"), "{text}");
    assert!(
        text.contains("(define-funs-rec ((e_2 ((n Int)) Bool)(o_2 ((n Int)) Bool)) ((o_2 n) (e_2 n)))"),
        "{text}"
    );
}

#[test]
fn many_assertions() {
    let mut text = String::from("(declare-const x String)\n");
    for i in 0..20_000 {
        text.push_str(&format!("(declare-const v{i} Int)(assert (< (str.len x) v{i}))\n"));
    }
    for (mode, asserts) in [(Mode::Concat, 20_000), (Mode::Disjoint, 40_000), (Mode::Intersecting, 40_000)] {
        let merged = merge(&[read(&text), read(&text)], mode).unwrap();
        assert_eq!(merged.script.assertions().count(), asserts);
    }
}
