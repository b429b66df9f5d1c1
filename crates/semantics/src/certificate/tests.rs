use super::*;

fn read(text: &str) -> (Pool, Certificate) {
    let mut pool = Pool::new();
    let script = smt::parse(text.as_bytes(), None, &mut pool).script;
    let certificate = Certificate::of(&pool, &script);
    (pool, certificate)
}

#[test]
fn cores_and_drop_models() {
    let (mut pool, c) = read(
        "(set-info :status unsat)(set-info :stringent-core (n1 |n 2|))\n\
         (set-info :stringent-drop (n1 ((s \"\\u{41}\") (k (- 3)))))\n\
         (set-info :stringent-drop \"(|n 2| ((s \"\"\"\"\"\"\"\") (k 0)))\")\n\
         (declare-const s String)(declare-const k Int)\n\
         (assert (! (= s \"a\") :named n1))(assert (! (= s \"b\") :named |n 2|))(check-sat)",
    );
    assert_eq!(c.status(), Status::Unsat);
    assert!(c.is_proved());
    assert_eq!(c.core(), Some(vec!["n1".into(), "n 2".into()]));
    assert!(c.model(&mut pool).is_none() && c.drop_model("n3", &mut pool).is_none());
    let model = c.drop_model("n 2", &mut pool).expect("a model");
    let Some(crate::model::Meaning::Term(t)) = model.by_name("s", 0) else { panic!("{model:?}") };
    assert_eq!(smt::print::term_text(&pool, t), "\"\"\"\"");
}

#[test]
fn models() {
    let (mut pool, c) = read("(set-info :status sat)(set-info :stringent-model ())(assert true)(check-sat)");
    assert!(c.model(&mut pool).is_some_and(|m| m.is_empty()));
    let (mut pool, broken) = read("(set-info :stringent-model (x y))(assert true)(check-sat)");
    assert!(broken.model(&mut pool).is_none());
}

#[test]
fn each_check_has_the_status_before_it() {
    let (_, c) = read(
        "(set-info :status sat)(assert true)(check-sat)(push 1)(assert false)(set-info :status unsat)\n\
         (check-sat)(pop 1)(check-sat)(exit)(check-sat)",
    );
    let statuses: Vec<_> = c.queries.iter().map(|q| q.status).collect();
    assert_eq!(statuses, [Status::Sat, Status::Unsat, Status::Unknown]);
    assert_eq!(c.status(), Status::Unknown);
}

#[test]
fn a_script_without_check_is_checked_at_its_end() {
    let (_, c) = read("(set-info :status unsat)(assert false)");
    assert_eq!(c.queries, [Query { command: None, status: Status::Unsat }]);
    assert_eq!(read("").1, Certificate::unknown(None));
    assert_eq!(read("(set-info :status unknown)(check-sat)").1, Certificate::unknown(Some(1)));
    assert_eq!(read("(set-info :status maybe)(check-sat)").1.status(), Status::Unknown);
}

#[test]
fn unsupported_commands() {
    let (_, c) = read("(set-info :status sat)(declare-const x Int)(rule (= x 1))(check-sat)");
    assert_eq!(c.status(), Status::Unknown);
    assert_eq!(c.unsupported, ["rule"]);
    let (_, inert) = read("(set-info :status sat)(declare-const x Int)(minimize x)(check-sat)");
    assert_eq!(inert.status(), Status::Sat);
}
