//! Datatypes, reals and uninterpreted sorts: laws on all small values, and models of other solvers.

use stringent_semantics::smt::{self, Pool};
use stringent_semantics::{Conclusion, Evaluator, Model, Options, Value, judge};

const LISTS: &str = "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))";
const OPTION: &str = "(declare-datatype Option (par (X) ((none) (some (value X)))))";

/// The values of the terms in `(assert …)` commands.
fn values(script: &str) -> Vec<String> {
    let mut pool = Pool::new();
    pool.read_datatypes();
    let parsed = smt::parse(script.as_bytes(), None, &mut pool);
    assert!(parsed.is_ok(), "{script}: {:?}", parsed.diagnostics);
    let model = Model::new();
    let mut e = Evaluator::new(&pool, &model);
    parsed
        .script
        .assertions()
        .map(|t| match e.eval(t) {
            Ok(value) => value.to_smtlib(e.store()),
            Err(why) => format!("? {}", why.reason()),
        })
        .collect()
}

fn all_true(script: &str) {
    for (i, v) in values(script).iter().enumerate() {
        assert_eq!(v, "true", "assertion {} of {script}", i + 1);
    }
}

/// All lists of up to three of two numbers.
fn lists() -> Vec<(Vec<i64>, String)> {
    let mut out = vec![(Vec::new(), "nil".to_owned())];
    let mut last = out.clone();
    for _ in 0..3 {
        let mut next = Vec::new();
        for (items, text) in &last {
            for n in 0..2 {
                let mut more = vec![n];
                more.extend(items);
                next.push((more, format!("(cons {n} {text})")));
            }
        }
        out.extend(next.clone());
        last = next;
    }
    out
}

#[test]
fn lists_are_equal_where_their_items_are() {
    let mut script = LISTS.to_owned();
    for (a, s) in lists() {
        for (b, t) in lists() {
            script += &format!("(assert (= (= {s} {t}) {}))", a == b);
        }
        script += &format!("(assert (= ((_ is nil) {s}) {}))", a.is_empty());
        script += &format!("(assert (= ((_ is cons) {s}) (not (is-nil {s}))))");
        if let [head, tail @ ..] = &a[..] {
            let tail = tail.iter().rev().fold("nil".to_owned(), |t, n| format!("(cons {n} {t})"));
            script += &format!("(assert (and (= (hd {s}) {head}) (= (tl {s}) {tail})))");
        }
        let cases = format!("(match {s} ((nil (- 1)) ((cons x xs) (match xs ((nil x) (ys (+ 10 x)))))))");
        let value = match a[..] {
            [] => -1,
            [x] => x,
            [x, ..] => 10 + x,
        };
        script += &format!("(assert (= {cases} (- {value} 0)))").replace("(- -1 0)", "(- 1)");
    }
    all_true(&script);
}

#[test]
fn parameters_are_inferred_or_stated() {
    all_true(&format!(
        "{OPTION}(assert (= (value (some \"a\")) \"a\"))(assert (distinct (some 1) (as none (Option Int))))\
         (assert (= (some (some true)) ((as some (Option (Option Bool))) (some true))))\
         (assert ((_ is none) (as none (Option Real))))"
    ));
}

#[test]
fn the_value_of_a_selector_of_another_constructor_is_open() {
    let got = values(&format!("{LISTS}(assert (= (hd nil) 1))(assert (= (hd nil) (hd nil)))"));
    assert!(got[0].starts_with("? the standard leaves selectors"), "{got:?}");
    assert_eq!(got[1], "true");
}

#[test]
fn mistakes_in_declarations_and_cases_are_reported() {
    for script in [
        "(declare-datatypes ((S 0)) (((more (rest S)))))".to_owned(),
        format!("{OPTION}(assert (= none (some 1)))"),
        format!("{LISTS}(assert (match nil ((nil true))))"),
        format!("{LISTS}(assert (= (hd 3) 1))"),
        format!("{LISTS}(assert (match nil (((cons x) true) (y false))))"),
    ] {
        let mut pool = Pool::new();
        pool.read_datatypes();
        assert!(!smt::parse(script.as_bytes(), None, &mut pool).is_ok(), "{script}");
    }
}

#[test]
fn long_lists_have_no_value() {
    let list = (0..3_000).fold("nil".to_owned(), |t, _| format!("(cons 1 {t})"));
    assert!(values(&format!("{LISTS}(assert ((_ is cons) {list}))"))[0].starts_with("? it exceeds"));
}

#[test]
fn models_of_other_solvers_are_read() {
    let script = format!(
        "{LISTS}{OPTION}(declare-sort U 0)(declare-const x L)(declare-const o (Option Int))(declare-const r Real)\
         (declare-const u U)(declare-const v U)\
         (assert (= (tl x) nil))(assert ((_ is none) o))(assert (> r 1.5))(assert (distinct u v))(check-sat)"
    );
    for model in [
        "((define-fun x () L (cons 7 nil)) (define-fun o () (Option Int) (as none (Option Int)))\
          (define-fun r () Real (/ 31.0 20.0)) (define-fun u () U U!val!0) (define-fun v () U U!val!1))",
        "((define-fun x () L (cons 0 nil)) (define-fun o () (Option Int) (as none (Option Int)))\
          (define-fun r () Real (/ 31 20)) (define-fun u () U (as @U_0 U)) (define-fun v () U (as @U_1 U)))",
    ] {
        let report = judge(&script, format!("sat\n{model}"), Options::default()).expect("a model");
        assert_eq!(report.conclusion(), Conclusion::Holds, "{report}");
    }
    let wrong = "sat\n((define-fun x () L (cons 1 (cons 2 nil))))";
    assert_eq!(judge(&script, wrong, Options::default()).expect("a model").conclusion(), Conclusion::Fails);
}

#[test]
fn values_print_as_terms() {
    let got = values(&format!("{OPTION}{LISTS}(assert (= (some (cons (- 1) nil)) (some nil)))"));
    assert_eq!(got, ["false"]);
    let mut pool = Pool::new();
    pool.read_datatypes();
    let parsed = smt::parse(format!("{OPTION}(declare-const o (Option Int))").as_bytes(), None, &mut pool);
    assert!(parsed.is_ok());
    let sort = pool.fun(parsed.script.declared().next().expect("declared")).ret;
    let store = stringent_semantics::regex::RegexStore::new();
    let value = stringent_semantics::value::default_value(&pool, sort, &store).expect("a value");
    assert_eq!(value.to_smtlib(&store), "(as none (Option Int))");
    assert!(matches!(value, Value::Data(_)));
}

#[test]
fn sorts_may_have_names_of_other_theories() {
    let script = "(declare-datatypes ((Pair 0)) (((pair (fst Int)))))(declare-sort Set 0)(declare-const p Pair)(declare-const s Set)\
                  (declare-const t Set)(assert (= (fst p) 1))(assert (distinct s t))(check-sat)";
    let model = "sat\n((define-fun p () Pair (pair 1)) (define-fun s () Set Set!val!0) (define-fun t () Set Set!val!1))";
    let report = judge(script, model, Options::default()).expect("a model");
    assert_eq!(report.conclusion(), Conclusion::Holds, "{report}");
}
