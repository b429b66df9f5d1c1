use super::*;

fn case(text: &str) -> Case {
    Case::from_text("t", text.as_bytes()).expect("a script")
}

#[test]
fn a_certificate_is_read() {
    let c = case(
        "(set-info :smt-lib-version 2.6)(set-logic QF_SLIA)(set-info :category \"core\")\n\
         (set-info :stringent-name |a/b c|)(set-info :status unsat)\n\
         (set-info :stringent-core (n1 |n 2|))\n\
         (set-info :stringent-drop (n1 ((s \"\\u{41}\") (k (- 3)))))\n\
         (set-info :stringent-drop (|n 2| ((s \"\"\"\") (k 0))))\n\
         (declare-const s String)(declare-const k Int)\n\
         (assert (! (= s \"a\") :named n1))(assert (! (= s \"b\") :named |n 2|))(check-sat)",
    );
    assert_eq!(c.status(), Status::Unsat);
    assert!(c.is_certified() && c.is_plain() && c.has_names());
    assert_eq!(c.known_core(), Some(vec!["n1".into(), "n 2".into()]));
    assert_eq!(attribute(&c, ":category").as_deref(), Some("core"));
    assert_eq!(attribute(&c, ":stringent-name").as_deref(), Some("a/b c"));
    let mut pool = c.pool.clone();
    let model = c.drop_model("n 2", &mut pool).expect("a model");
    let s = pool.apply(c.declared().next().expect("s"), &[]);
    let mut e = semantics::Evaluator::new(&pool, &model);
    let value = e.eval(s).expect("a value");
    assert_eq!(value.to_smtlib(e.store()), "\"\"\"\"");
    assert!(c.drop_model("n3", &mut c.pool.clone()).is_none());
    assert!(c.known_model(&mut c.pool.clone()).is_none());
}

#[test]
fn a_model_is_read_and_may_be_empty() {
    let c = case("(set-info :status sat)(set-info :stringent-model ())(assert true)(check-sat)");
    assert!(c.known_model(&mut c.pool.clone()).is_some_and(|m| m.is_empty()));
    let broken = case("(set-info :stringent-model (x y))(assert true)(check-sat)");
    assert!(broken.known_model(&mut broken.pool.clone()).is_none());
}

#[test]
fn every_check_has_the_status_before_it() {
    let c = case(
        "(set-info :status sat)(assert true)(check-sat)(push 1)(assert false)(set-info :status unsat)\n\
         (check-sat)(pop 1)(check-sat)(exit)(check-sat)",
    );
    let statuses: Vec<_> = c.questions.iter().map(|q| q.status).collect();
    assert_eq!(statuses, [Status::Sat, Status::Unsat, Status::Unknown]);
    assert_eq!(c.status(), Status::Unknown);
    assert!(!c.is_plain());
    assert_eq!(c.check(1).assertions.len(), 2);
    assert_eq!(c.check(2).assertions.len(), 1);
}

#[test]
fn a_script_that_does_not_ask_is_asked_at_its_end() {
    let c = case("(set-info :status unsat)(assert false)");
    assert_eq!(c.questions, [Question { command: None, status: Status::Unsat }]);
    assert_eq!(case("").questions, [Question { command: None, status: Status::Unknown }]);
    assert_eq!(case("(set-info :status unknown)(check-sat)").status(), Status::Unknown);
}

#[test]
fn old_dialects_and_nasty_texts() {
    let old = case("(declare-const x String)(assert (str.in.re x (str.to.re \"\\x41\")))(check-sat)");
    assert_eq!(old.script.dialect, Dialect::Smt25);
    let bom = case("\u{feff}(set-info :status sat)\r\n(check-sat)\r\n");
    assert_eq!(bom.status(), Status::Sat);
    let twice = case("(declare-const x Int)(declare-const x Int)(check-sat)");
    assert!(twice.doubt.is_some());
}

#[test]
fn errors_say_where() {
    let e = Case::from_text("dir/f", b"(assert true)\n  (assert (= x 1))").expect_err("x is not declared");
    assert!(e.to_string().starts_with("dir/f:2:14: "), "{e}");
    assert!(Case::from_text("f", b"(assert (= 1 1)").is_err());
    assert!(Case::from_text("f", b"\xff\xfe garbage").is_err());
}

#[test]
fn what_is_not_sent_and_may_matter_opens_the_status() {
    let c = case("(set-info :status sat)(declare-const x Int)(rule (= x 1))(check-sat)");
    assert_eq!(c.status(), Status::Unknown);
    assert_eq!(c.left_out, ["rule"]);
    let harmless = case("(set-info :status sat)(declare-const x Int)(minimize x)(check-sat)");
    assert_eq!(harmless.status(), Status::Sat);
}
