use super::*;
use smt::Dialect;

fn case(text: &str) -> Case {
    Case::from_text("t", text.as_bytes()).expect("a script")
}

#[test]
fn attributes_names_and_levels() {
    let c = case(
        "(set-info :smt-lib-version 2.6)(set-logic QF_SLIA)(set-info :category \"core\")\n\
         (set-info :stringent-name |a/b c|)(set-info :status unsat)(declare-const s String)\n\
         (assert (! (= s \"a\") :named n1))(check-sat)",
    );
    assert_eq!((c.checks(), c.status(0)), (1, Status::Unsat));
    assert!(c.is_plain() && c.has_names());
    assert_eq!(c.attribute(":category").as_deref(), Some("core"));
    assert_eq!(c.attribute(":stringent-name").as_deref(), Some("a/b c"));
    let c = case(
        "(set-info :status sat)(assert true)(check-sat)(push 1)(assert false)(set-info :status unsat)\n\
         (check-sat)(pop 1)(check-sat)(exit)(check-sat)",
    );
    assert_eq!((c.checks(), c.status(1)), (3, Status::Unsat));
    assert!(!c.is_plain());
    assert_eq!(c.check(1).assertions.len(), 2);
    assert_eq!(c.check(2).assertions.len(), 1);
}

#[test]
fn old_dialects_and_nasty_texts() {
    let old = case("(declare-const x String)(assert (str.in.re x (str.to.re \"\\x41\")))(check-sat)");
    assert_eq!(old.script.dialect, Dialect::Smt25);
    let bom = case("\u{feff}(set-info :status sat)\r\n(check-sat)\r\n");
    assert_eq!(bom.status(0), Status::Sat);
    let twice = case("(declare-const x Int)(declare-const x Int)(check-sat)");
    assert!(twice.doubt.is_some());
}

#[test]
fn errors_have_positions() {
    let e = Case::from_text("dir/f", b"(assert true)\n  (assert (= x 1))").expect_err("x is not declared");
    assert!(e.to_string().starts_with("dir/f:2:14: "), "{e}");
    assert!(Case::from_text("f", b"(assert (= 1 1)").is_err());
    assert!(Case::from_text("f", b"\xff\xfe garbage").is_err());
}
