//! The rule format, its loader and its verifier.

use smt::Pool;
use stringent_semantics::rule::{Domain, Verification, load};
use stringent_semantics::{Config, Reading};

fn verify(text: &str, config: Config) -> Vec<(String, Verification)> {
    let mut pool = Pool::new();
    let rules = load(text.as_bytes(), &mut pool).expect("the file loads");
    let domain = Domain::small(&mut pool);
    rules.iter().map(|r| (r.name.clone(), r.verify(&mut pool, &domain, config))).collect()
}

#[test]
fn good_rules_hold_and_apply() {
    for (name, v) in verify(include_str!("rules/good.smt2"), Config::default()) {
        assert!(v.ok(), "{name}: {}", v.summary());
    }
}

#[test]
fn wrong_rules_are_refuted() {
    let found = verify(include_str!("rules/wrong.smt2"), Config::default());
    assert_eq!(found.len(), 7);
    for (name, v) in &found {
        assert!(!v.ok(), "{name} passed");
        match name.as_str() {
            "never-fires" => assert_eq!((v.fired, &v.counterexample), (0, &None)),
            "undecidable-here" => assert!(v.undecided > 0 && v.counterexample.is_none()),
            _ => assert!(v.counterexample.is_some(), "{name}: {}", v.summary()),
        }
    }
    let printed = &found.iter().find(|(n, _)| n == "from-int-inverts-to-int").expect("is there").1;
    assert_eq!(printed.counterexample.as_deref(), Some(r#"s = "007", left "7", right "007""#));
}

#[test]
fn the_reading_decides() {
    let rule = r#"(define-rule empty-pattern :vars ((s String) (t String))
        :lhs (str.replace s "" t) :rhs (str.++ t s))"#;
    assert!(verify(rule, Config::default())[0].1.ok());
    let old = Config { reading: Reading::Pre26, ..Config::default() };
    assert!(!verify(rule, old)[0].1.ok());
}

#[test]
fn a_rule_prints_as_a_script_that_must_be_unsat() {
    let mut pool = Pool::new();
    let rules = load(include_bytes!("rules/good.smt2"), &mut pool).expect("the file loads");
    let texts: Vec<String> = rules.iter().map(|r| r.refutation(&mut pool)).collect();
    assert!(
        texts[0].ends_with("(assert (distinct (str.at s i) (str.substr s i 1)))\n(check-sat)\n"),
        "{}",
        texts[0]
    );
    assert!(
        texts[2].contains("(assert (not (str.contains s t)))\n(assert (= s (str.++ pre t post)))"),
        "{}",
        texts[2]
    );
    for text in &texts {
        let parsed = smt::parse(text.as_bytes(), None, &mut pool);
        assert!(parsed.is_ok(), "{text} {:?}", parsed.diagnostics);
    }
}

#[test]
fn malformed_rules_are_rejected() {
    let bad = [
        ("(define-rule r :vars ((s String)) :lhs (str.len s) :rhs s)", "different sorts"),
        ("(define-rule r :kind equivalence :vars ((s String)) :lhs s :rhs s)", "must be Bool"),
        ("(define-rule r :lhs true)", "needs `:rhs`"),
        ("(define-rule r :lhs true :rhs true :colour red)", "unknown attribute `:colour`"),
        ("(define-rule r :kind maybe :lhs true :rhs true)", "unknown kind `maybe`"),
        ("(define-rule r :lhs true :lhs true :rhs true)", "once"),
        ("(define-rule r :lhs (str.foo) :rhs true)", "unknown symbol `str.foo`"),
        (
            "(define-rule r :kind equivalence :exists ((x Int)) :lhs true :rhs (= x 1))",
            "1 existentials but 0 witnesses",
        ),
        ("(define-rule r :lhs true :rhs true)(define-rule r :lhs true :rhs true)", "duplicate rule name"),
        (
            "(define-rule r :kind equivalence :vars ((x Int)) :exists ((x Int)) :lhs true :rhs (= x 1) :witness ((x 1)))",
            "both in",
        ),
    ];
    for (text, want) in bad {
        let errors = load(text.as_bytes(), &mut Pool::new()).expect_err(text);
        assert!(errors.iter().any(|d| d.message.contains(want)), "{text}: {errors:?}");
    }
}
