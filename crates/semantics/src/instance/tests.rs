use super::*;

fn read(text: &str) -> Instance {
    Instance::from_text(text.as_bytes(), None).expect("a script")
}

const SAT: &str = "(set-info :smt-lib-version 2.6)
(set-logic QF_S)
(set-info :source \"by hand\")
(set-info :status sat)
(set-info :stringent-model \"((x \"\"a\"\") (|n m| (- 1)))\")
(declare-const x String)
(declare-const |n m| Int)
(assert (= x \"a\"))
(assert (< |n m| 0))
(check-sat)
";

#[test]
fn truths_survive_writing_and_reading() {
    let i = read(SAT);
    assert!(matches!(i.truth, Truth::Sat(_)));
    let text = i.to_text("stringent: nop");
    assert_eq!(text.matches(":status").count(), 1);
    assert!(text.contains("(set-info :stringent-made \"stringent: nop\")"), "{text}");
    assert!(text.contains("(set-info :stringent-model \"((x \"\"a\"\") (|n m| (- 1)))\")"), "{text}");
    assert!(matches!(read(&text).truth, Truth::Sat(_)));
    for dialect in Dialect::ALL {
        let text = i.to_text_in(dialect, "\"quoted\" \\ text").expect("sayable");
        let again = Instance::from_text(text.as_bytes(), Some(dialect)).expect("a script");
        assert!(matches!(again.truth, Truth::Sat(_)), "{dialect}: {text}");
        assert_eq!(again.info(":stringent-made").as_deref(), Some("\"quoted\" \\ text"), "{dialect}: {text}");
    }
}

#[test]
fn a_model_that_fails_is_rejected() {
    assert!(matches!(read(&SAT.replace("(= x \"a\")", "(= x \"b\")")).truth, Truth::Unknown));
    assert!(matches!(read(&SAT.replace("(check-sat)", "(check-sat)(check-sat)")).truth, Truth::Unknown));
}

#[test]
fn cores_are_named() {
    let text = "(set-info :status unsat)(declare-const x String)(declare-const A1 Int)
        (assert (= x \"a\"))(assert (! (= A1 1) :named n))(assert (= x \"b\"))(check-sat)";
    let mut i = read(text);
    assert!(matches!(&i.truth, Truth::Unsat(core) if core.is_empty()));
    assert!(!i.to_text("").contains(":stringent-core"));
    i.truth = Truth::Unsat(vec![0, 2]);
    let text = i.to_text("");
    assert!(text.contains("(set-info :stringent-core \"(A1_ A3)\")"), "{text}");
    assert!(matches!(&read(&text).truth, Truth::Unsat(core) if *core == [0, 2]), "{text}");
}

#[test]
fn functions_in_models() {
    let text = "(set-info :status sat)
        (set-info :stringent-model \"((define-fun f ((x Int)) Int (+ x 1)) (define-fun c () Int 2))\")
        (declare-fun f (Int) Int)(declare-const c Int)(assert (= (f c) 3))(check-sat)";
    let i = read(text);
    assert!(matches!(i.truth, Truth::Sat(_)));
    assert!(matches!(read(&i.to_text("")).truth, Truth::Sat(_)), "{}", i.to_text(""));
}
