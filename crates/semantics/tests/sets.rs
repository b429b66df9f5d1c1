//! Finite sets: every operator on all subsets of three numbers, and models of cvc5.

use std::collections::BTreeSet;
use stringent_semantics::smt::{self, Pool};
use stringent_semantics::{Conclusion, Evaluator, Model, Options, Satisfaction, judge};

fn literal(set: &BTreeSet<i64>) -> String {
    if set.is_empty() {
        return "(as set.empty (Set Int))".into();
    }
    let elements: Vec<String> = set.iter().rev().map(i64::to_string).collect();
    format!("(set.insert {} (as set.empty (Set Int)))", elements.join(" "))
}

fn truths(formulas: &[String]) -> Vec<Satisfaction> {
    let mut pool = Pool::new();
    let script: String = formulas.iter().map(|f| format!("(assert {f})")).collect();
    let parsed = smt::parse(script.as_bytes(), None, &mut pool);
    assert!(parsed.is_ok(), "{:?}", parsed.diagnostics);
    let model = Model::new();
    let mut e = Evaluator::new(&pool, &model);
    parsed.script.assertions().map(|t| e.truth(t)).collect()
}

#[test]
fn operators_on_all_small_sets() {
    let all: Vec<BTreeSet<i64>> =
        (0..8u32).map(|bits| (0..3).filter(|i| bits >> i & 1 == 1).collect()).collect();
    let (mut formulas, mut wanted) = (Vec::new(), Vec::new());
    for a in &all {
        for b in &all {
            let (s, t) = (literal(a), literal(b));
            for (op, value) in [("set.union", a | b), ("set.inter", a & b), ("set.minus", a - b)] {
                for c in &all {
                    formulas.push(format!("(= ({op} {s} {t}) {})", literal(c)));
                    wanted.push(value == *c);
                }
            }
            formulas.push(format!("(set.subset {s} {t})"));
            wanted.push(a.is_subset(b));
            formulas.push(format!("(distinct {s} {t})"));
            wanted.push(a != b);
        }
        for e in 0..3 {
            formulas.push(format!("(set.member {e} {})", literal(a)));
            wanted.push(a.contains(&e));
            formulas
                .push(format!("(= (set.union (set.singleton {e}) {0}) (set.insert {e} {0}))", literal(a)));
            wanted.push(true);
        }
    }
    for ((formula, value), want) in formulas.iter().zip(truths(&formulas)).zip(wanted) {
        assert_eq!(value, if want { Satisfaction::Holds } else { Satisfaction::Fails }, "{formula}");
    }
}

#[test]
fn models_of_cvc5() {
    let script = "(set-logic ALL)(declare-datatype E ((E (id String))))(declare-fun f (E) (Set E))(declare-const a E)(declare-const s (Set Int))
        (assert (set.member a (f (E \"x\"))))(assert (not (set.member a (f a))))(assert (= (set.union s (set.singleton 3)) (set.insert 4 3 (as set.empty (Set Int)))))(check-sat)";
    let function = "(define-fun f ((_arg_1 E)) (Set E) (ite (= _arg_1 (E \"x\")) (set.singleton (E \"y\")) (as set.empty (Set E))))";
    for (value, wanted) in [
        ("(set.singleton 4)", true),
        ("(set.union (set.singleton 4) (set.singleton 3))", true),
        ("(as set.empty (Set Int))", false),
    ] {
        let model = format!(
            "sat\n(\n{function}\n(define-fun a () E (E \"y\"))\n(define-fun s () (Set Int) {value})\n)"
        );
        let report = judge(script, &model, Options::default()).expect("a model");
        let wanted = if wanted { Conclusion::Holds } else { Conclusion::Fails };
        assert_eq!(report.conclusion(), wanted, "{value}: {report}");
    }
}
