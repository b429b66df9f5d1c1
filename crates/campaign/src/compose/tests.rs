use super::*;
use std::time::Duration;

fn profile(more: &str) -> Profile {
    let text = format!("name = 'p'\nabout = ''\nprogram = 'p'\n{more}");
    toml::from_str(&text).expect("a profile")
}

fn case(text: &str) -> Case {
    Case::from_text("t", text.as_bytes()).expect("a script")
}

fn sent(text: &str, profile: &Profile, wants: &Wants) -> String {
    String::from_utf8(compose(&case(text), profile, 7, wants).expect("expressible")).expect("text")
}

const SAT: &str =
    "(set-info :smt-lib-version 2.6)(set-logic QF_SLIA)(set-info :status sat)(set-option :foo 1)
    (declare-const s String)(declare-fun |a b| () Int)(declare-fun f (Int) Int)
    (assert (= (str.from_int |a b|) (str.++ s \"\\u{e9}\")))(check-sat)(get-model)(echo \"x\")(exit)";

const UNSAT: &str = "(set-logic QF_S)(set-info :status unsat)(declare-const s String)
    (assert (! (= s \"a\") :named n1))(assert (! (= s \"b\") :named n2))(check-sat)";

#[test]
fn a_current_solver_gets_a_model_request() {
    assert_eq!(
        sent(SAT, &profile(""), &Wants::default()),
        "(set-option :produce-models true)\n(set-logic QF_SLIA)\n(declare-const s String)\n\
         (declare-fun |a b| () Int)\n(declare-fun f (Int) Int)\n\
         (assert (= (str.from_int |a b|) (str.++ s \"\\u{e9}\")))\n(check-sat)\n(get-model)\n"
    );
}

#[test]
fn an_old_solver_gets_its_dialect_and_preludes() {
    let old = profile(
        "dialect = '2.5'\nlogic = 'omit'\nmodel = 'get-value'\nprelude = ['(set-option :seed {seed})']\n\
         model-prelude = ['(set-option :m {time-ms})', '(set-option :n {memory-mib})']",
    );
    let wants = Wants { time: Duration::from_millis(1500), memory_mib: 100, ..Wants::default() };
    assert_eq!(
        sent(SAT, &old, &wants),
        "(set-option :seed 7)\n(set-option :m 1500)\n(set-option :n 100)\n(declare-const s String)\n\
         (declare-fun |a b| () Int)\n(declare-fun f (Int) Int)\n\
         (assert (= (int.to.str |a b|) (str.++ s \"\\xe9\")))\n(check-sat)\n(get-value (s |a b|))\n"
    );
    assert_eq!(fill("{time-s}{x}", 0, &wants), "2{x}");
}

#[test]
fn the_core_comes_first_where_unsat_is_expected() {
    let p = profile("cores = true\nlogic = 'ALL'\ncore-prelude = ['(set-option :c true)']");
    assert_eq!(
        sent(UNSAT, &p, &Wants::default()),
        "(set-option :produce-models true)\n(set-option :c true)\n(set-logic ALL)\n(declare-const s String)\n\
         (assert (! (= s \"a\") :named n1))\n(assert (! (= s \"b\") :named n2))\n(check-sat)\n\
         (get-unsat-core)\n(get-model)\n"
    );
    let only = Wants { both: false, ..Wants::default() };
    assert!(sent(UNSAT, &p, &only).ends_with("(check-sat)\n(get-unsat-core)\n"));
    let open = UNSAT.replace("(set-info :status unsat)", "");
    assert!(sent(&open, &p, &only).ends_with("(check-sat)\n(get-model)\n(get-unsat-core)\n"));
}

#[test]
fn without_names_there_is_no_core() {
    let p = profile("cores = true");
    let unnamed = Wants { named: false, both: false, ..Wants::default() };
    assert_eq!(
        sent(UNSAT, &p, &unnamed),
        "(set-logic QF_S)\n(declare-const s String)\n(assert (= s \"a\"))\n(assert (= s \"b\"))\n(check-sat)\n"
    );
    let used = "(declare-const s String)(assert (! (= s \"a\") :named n1))(assert (not n1))(check-sat)";
    assert!(sent(used, &p, &unnamed).contains("(assert (! (= s \"a\") :named n1))\n(assert (not n1))"));
}

#[test]
fn incremental_scripts_keep_their_shape() {
    let text = "(declare-const x Int)(assert (> x 0))(check-sat)(push 1)(declare-const y Int)(assert (= y x))\n\
                (check-sat)(pop 1)(check-sat)(reset)(declare-const z Int)(check-sat)";
    let p = profile("model = 'get-value'\nprelude = ['(p)']\nincremental-prelude = ['(i)']");
    let got = sent(text, &p, &Wants::default());
    let values: Vec<&str> = got.lines().filter(|l| l.starts_with("(get-value")).collect();
    assert_eq!(values, ["(get-value (x))", "(get-value (x y))", "(get-value (x))", "(get-value (z))"]);
    assert!(
        got.contains("(reset)\n(p)\n(set-option :produce-models true)\n(i)\n(declare-const z Int)"),
        "{got}"
    );
}

#[test]
fn declarations_that_outlive_their_level_stay() {
    let text = "(set-option :global-declarations true)(push 1)(declare-const y Int)(pop 1)(assert (= y 1))(check-sat)";
    let got = sent(text, &profile("model = 'get-value'"), &Wants::default());
    assert!(
        got.starts_with("(set-option :produce-models true)\n(set-option :global-declarations true)\n"),
        "{got}"
    );
    assert!(got.ends_with("(get-value (y))\n"), "{got}");
}

#[test]
fn inexpressible_terms_are_reported() {
    let old = profile("dialect = '2.5'");
    let c = case("(declare-const s String)(assert (= s \"\\u{1F600}\"))(check-sat)");
    let e = compose(&c, &old, 0, &Wants::default()).expect_err("past Latin-1");
    assert!(e.to_string().contains("U+1F600"), "{e}");
}

#[test]
fn a_script_without_check_sat_gets_one() {
    let none = profile("model = 'none'");
    assert_eq!(sent("(assert true)", &none, &Wants::default()), "(assert true)\n(check-sat)\n");
}
