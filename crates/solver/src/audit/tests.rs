//! The audit finds false formulas and accepts valid ones.

use super::*;

/// A script with one assertion, and an audit of it.
fn audited(formula: &str, skolem: Option<&str>) -> Audit {
    let mut pool = Pool::new();
    let declared =
        "(declare-const x String)(declare-const y String)(declare-const i Int)(declare-const k String)";
    let more = skolem.map_or_else(String::new, |w| format!("(assert (= k {w}))"));
    let text = format!("{declared}(assert {formula}){more}");
    let parsed = smt::parse(text.as_bytes(), None, &mut pool);
    assert!(parsed.is_ok(), "{text}");
    let terms: Vec<Term> = parsed.script.assertions().collect();
    let mut audit = Audit::new(&pool, &terms[..1], &[], 0);
    let skolems: Vec<(Fun, Term)> = terms[1..]
        .iter()
        .map(|&t| {
            let Head::Fun(f) = pool.head(pool.args(t)[0]) else { panic!("k is a constant") };
            (f, pool.args(t)[1])
        })
        .collect();
    audit.clause(&pool, &skolems, Rule::ExtExpand, &[(terms[0], true)]);
    assert_eq!(audit.claims, 1);
    audit
}

#[test]
fn valid_formulas_pass() {
    for formula in [
        "(>= (str.len x) 0)",
        "(or (not (= x y)) (= (str.len x) (str.len y)))",
        "(= (str.replace x \"\" y) (str.++ y x))",
        "(or (str.contains x y) (= (str.replace x y \"q\") x))",
        "(= (str.substr x i 0) \"\")",
    ] {
        assert_eq!(audited(formula, None).failure, None, "{formula}");
    }
}

#[test]
fn invalid_formulas_are_found() {
    for formula in [
        "(= (str.len x) 1)",
        "(= (str.replace x \"\" y) x)",
        "(= (str.indexof x \"\" i) i)",
        "(or (not (str.contains x y)) (str.prefixof y x))",
        // False only for a constant of the formula.
        "(not (= x \"unlikely\"))",
        // substr as printed in the paper: the rest has length |x| - 1.
        "(or (< i 0) (>= i (str.len x)) (= (str.len (str.substr x (+ i 1) (str.len x))) (- (str.len x) 1)))",
    ] {
        let failure = audited(formula, None).failure.unwrap_or_else(|| panic!("{formula} passes"));
        assert!(failure.starts_with("ext-expand: ") && failure.contains(" is false for "), "{failure}");
    }
}

#[test]
fn a_skolem_has_the_value_of_its_witness() {
    let formula = "(= x (str.++ (str.at x 0) k))";
    assert_eq!(audited(formula, Some("(str.substr x 1 (str.len x))")).failure, None);
    assert!(audited(formula, Some("(str.substr x 2 (str.len x))")).failure.is_some());
}

#[test]
fn the_first_failure_stays() {
    let mut pool = Pool::new();
    let no = pool.bool(false);
    let mut audit = Audit::new(&pool, &[], &[], 0);
    audit.clause(&pool, &[], Rule::Cycle, &[(no, true)]);
    audit.clause(&pool, &[], Rule::ExtEq, &[(no, true)]);
    assert!(audit.failure.is_some_and(|f| f.starts_with("cycle")));
    assert_eq!(audit.claims, 1);
}
