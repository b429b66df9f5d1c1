//! The evaluator on scripts: three-valued truth, models, functions, quantifiers, levels.

use smt::answer::{Item, read};
use smt::{Dialect, Pool, Script};
use stringent_semantics::explain::explain;
use stringent_semantics::model::answers;
use stringent_semantics::referee::{Judgement, check, check_count};
use stringent_semantics::{Config, Evaluator, Model, Reading, Satisfaction, Value, Why};

fn script(text: &str) -> (Pool, Script) {
    let mut pool = Pool::new();
    let parsed = smt::parse(text.as_bytes(), None, &mut pool);
    assert!(parsed.is_ok(), "{text}: {:?}", parsed.diagnostics);
    (pool, parsed.script)
}

/// The assertions of the last check under a model as a solver prints it.
fn judge_with(text: &str, model: &str, config: Config) -> Vec<Satisfaction> {
    let (mut pool, script) = script(text);
    let mut m = Model::new();
    for item in read(model.as_bytes(), Dialect::Smt26, &mut pool) {
        assert!(m.add(&pool, &item), "{item:?}");
    }
    let mut e = Evaluator::with(&pool, &m, config, stringent_semantics::regex::RegexStore::new());
    let last = check(&script, check_count(&script) - 1).expect("there is a check");
    let j = Judgement::of(&last, &mut e);
    j.assertions.into_iter().chain(j.assumptions).collect()
}

fn judge(text: &str, model: &str) -> Vec<Satisfaction> {
    judge_with(text, model, Config::default())
}

/// The truth of a closed formula; `None` if undetermined.
fn closed(formula: &str) -> Option<bool> {
    match judge(&format!("(assert {formula})"), "")[0] {
        Satisfaction::Holds => Some(true),
        Satisfaction::Fails => Some(false),
        Satisfaction::Undetermined(_) => None,
    }
}

#[test]
fn connectives_are_kleenes() {
    // (div 1 0) is an integer that the standard does not determine.
    let u = "(= (div 1 0) 7)";
    let cases = [
        (format!("(and false {u})"), Some(false)),
        (format!("(and {u} false)"), Some(false)),
        (format!("(and true {u})"), None),
        (format!("(or {u} true)"), Some(true)),
        (format!("(or false {u})"), None),
        (format!("(=> {u} true)"), Some(true)),
        (format!("(=> false {u})"), Some(true)),
        (format!("(=> true {u} true)"), Some(true)),
        (format!("(=> true true {u})"), None),
        ("(=> true false)".into(), Some(false)),
        (format!("(not {u})"), None),
        (format!("(xor true {u})"), None),
        (format!("(ite {u} true true)"), Some(true)),
        (format!("(ite {u} true false)"), None),
        ("(= (div 1 0) (div 1 0))".into(), Some(true)),
        ("(= (mod 5 0) (mod 5 0))".into(), Some(true)),
        ("(= (div 1 0) (div 2 0))".into(), None),
        ("(distinct (div 1 0) 3 (div 1 0))".into(), Some(false)),
        ("(= 1 (div 1 0) 2)".into(), Some(false)),
        ("(distinct 1 (div 1 0) 1)".into(), Some(false)),
        ("(distinct 1 (div 1 0) 2)".into(), None),
        ("(= (/ 1.0 0.0) (/ 1.0 0.0))".into(), Some(true)),
    ];
    for (formula, want) in cases {
        assert_eq!(closed(&formula), want, "{formula}");
    }
}

#[test]
fn chains_and_arities() {
    for (formula, want) in [
        ("(< 1 2 3)", true),
        ("(< 1 3 2)", false),
        ("(= 1 1 2)", false),
        ("(distinct 1 2 1)", false),
        ("(str.< \"a\" \"aa\" \"b\")", true),
        ("(str.<= \"a\" \"a\" \"a\")", true),
        ("(= (- 10 3 2) 5)", true),
        ("(= (- 3) (- 0 3))", true),
        ("(= (div 17 3 2) 2)", true),
        ("(= (div (- 7) 2) (- 4))", true),
        ("(= (mod (- 7) (- 2)) 1)", true),
        ("((_ divisible 3) (- 9))", true),
        ("(= (/ 1 3) (/ 2.0 6.0))", true),
        ("(= (to_int (- 1.5)) (- 2))", true),
        ("(xor true true true)", true),
        ("(=> true false false)", true),
        ("(= (str.++ \"a\" \"b\" \"c\") \"abc\")", true),
        ("(str.in_re \"ab\" (re.diff re.all (str.to_re \"a\") (str.to_re \"b\")))", true),
        ("(= (re.* (re.* (str.to_re \"a\"))) (re.* (str.to_re \"a\")))", true),
        ("(= (re.comp re.none) re.all)", true),
        ("(distinct (re.+ (str.to_re \"a\")) (re.* (str.to_re \"a\")))", true),
        ("(str.in_re \"\" ((_ re.loop 3 2) re.all))", false),
        ("(str.in_re \"aa\" ((_ re.loop 1 99999999999999999999999) (str.to_re \"a\")))", true),
        (
            "(str.in_re \"\" ((_ re.loop 99999999999999999999999 99999999999999999999998) (re.opt re.none)))",
            false,
        ),
    ] {
        assert_eq!(closed(formula), Some(want), "{formula}");
    }
}

#[test]
fn bounded_quantifiers_are_decided() {
    let model = r#"((s "aab") (n 3))"#;
    let decl = "(declare-const s String)(declare-const n Int)";
    for (formula, want) in [
        (
            "(forall ((i Int)) (=> (and (<= 0 i) (< i n)) (str.in_re (str.at s i) (re.range \"a\" \"b\"))))",
            Some(true),
        ),
        ("(forall ((i Int)) (=> (<= 0 i 2) (= (str.at s i) \"a\")))", Some(false)),
        ("(forall ((i Int)) (or (< i 0) (>= i n) (distinct (str.at s i) \"c\")))", Some(true)),
        ("(exists ((i Int)) (and (<= 0 i) (< i n) (= (str.at s i) \"b\")))", Some(true)),
        ("(exists ((i Int)) (and (<= 0 i) (< i n) (= (str.at s i) \"c\")))", Some(false)),
        ("(forall ((x String) (y String)) (=> (= s (str.++ x y)) (<= (str.len x) 3)))", Some(true)),
        ("(forall ((x String) (y String)) (=> (= s (str.++ x \"a\" y)) (= y \"b\")))", Some(false)),
        ("(exists ((x String)) (and (= (str.++ x \"b\") s) (= x \"aa\")))", Some(true)),
        ("(exists ((x String)) (= s (str.++ x \"ab\" x)))", Some(false)),
        ("(exists ((x String)) (= (str.++ s \"b\" s) (str.++ x \"b\" x)))", Some(true)),
        ("(exists ((x String) (y String)) (and (= (str.++ s s) (str.++ x y x y)) (= y \"ab\")))", Some(true)),
        (
            "(exists ((x String) (y String)) (and (= (str.++ s s) (str.++ x y x y)) (= y \"ba\")))",
            Some(false),
        ),
        ("(forall ((x String)) (=> (str.prefixof x s) (str.contains s x)))", Some(true)),
        ("(forall ((b Bool)) (or b (not b)))", Some(true)),
        ("(forall ((i Int)) (=> (and (<= 5 i) (< i 5)) false))", Some(true)),
        // A variable that does not occur; the inner V is another one.
        ("(forall ((x String)) (= n 3))", Some(true)),
        ("(forall ((V String)) (exists ((A Bool)) (exists ((V Int)) (or (= n 3) A))))", Some(true)),
        // No bounds: only a counterexample or witness decides.
        ("(forall ((x String)) (= x \"\"))", Some(false)),
        ("(exists ((i Int)) (= (* i i) 9))", Some(true)),
        ("(forall ((x String)) (>= (str.len x) 0))", None),
        ("(exists ((i Int)) (< i i))", None),
        // Bounds that depend on another variable of the same quantifier do not count.
        ("(forall ((i Int) (j Int)) (=> (and (<= 0 i 2) (<= i j 2)) (<= i j)))", None),
        ("(forall ((i Int)) (=> (<= 0 i 2) (forall ((j Int)) (=> (<= i j 2) (<= i j)))))", Some(true)),
    ] {
        let got = match judge(&format!("{decl}(assert {formula})"), model)[0] {
            Satisfaction::Holds => Some(true),
            Satisfaction::Fails => Some(false),
            Satisfaction::Undetermined(why) => {
                assert!(matches!(why, Why::Quantifier(_)), "{formula}: {why:?}");
                None
            }
        };
        assert_eq!(got, want, "{formula}");
    }
}

#[test]
fn definitions_and_recursion() {
    let text = r#"
        (define-fun twice ((x String)) String (str.++ x x))
        (define-fun-rec rep ((x String) (n Int)) String (ite (<= n 0) "" (str.++ x (rep x (- n 1)))))
        (define-funs-rec ((even ((n Int)) Bool) (odd ((n Int)) Bool))
          ((or (= n 0) (odd (- n 1))) (and (distinct n 0) (even (- n 1)))))
        (define-fun-rec forever ((n Int)) Int (forever (+ n 1)))
        (assert (= (twice (twice "ab")) "abababab"))
        (assert (= (str.len (rep "ab" 2000)) 4000))
        (assert (even 10000))
        (assert (= (forever 0) 0))
        (assert (and (= 1 2) (= (forever 0) 0)))"#;
    let config = Config { steps: 2_000_000, ..Config::default() };
    let got = judge_with(text, "", config);
    assert_eq!(&got[..3], [Satisfaction::Holds; 3]);
    assert!(matches!(got[3], Satisfaction::Undetermined(Why::Budget(_))));
    assert_eq!(got[4], Satisfaction::Fails);
}

#[test]
fn models_of_functions_and_elements() {
    let text = r#"
        (declare-sort U 0)
        (declare-fun f (Int String) Int)
        (declare-const u U) (declare-const v U) (declare-const w U) (declare-fun g (U) U)
        (assert (= (f 1 "") 2))
        (assert (= (f 5 "x") 6))
        (assert (distinct u v))
        (assert (= (g u) v))
        (assert (= u w))"#;
    let model = r#"(
        (declare-fun U!val!0 () U) (declare-fun U!val!1 () U)
        (forall ((x U)) (or (= x U!val!0) (= x U!val!1)))
        (define-fun f ((x!0 Int) (x!1 String)) Int (ite (and (= x!0 1) (= x!1 "")) 2 (k!0 x!0)))
        (define-fun k!0 ((x!0 Int)) Int (+ x!0 1))
        (define-fun u () U U!val!0) (define-fun v () U U!val!1)
        (define-fun g ((x!0 U)) U (ite (= x!0 U!val!0) U!val!1 U!val!0)))"#;
    let got = judge(text, model);
    assert_eq!(&got[..4], [Satisfaction::Holds; 4]);
    // w is not in the model: completed with an element that is.
    assert_eq!(got[4], Satisfaction::Holds);
    let cvc5 = "((define-fun u () U (as @U_0 U)) (define-fun v () U (as @U_1 U)) (define-fun g (($x U)) U (as @U_1 U)))";
    assert_eq!(&judge(text, cvc5)[2..4], [Satisfaction::Holds; 2]);
}

#[test]
fn division_by_zero_is_defined_by_the_model() {
    let text =
        "(declare-const x Int)(assert (= (div x 0) 3))(assert (= (mod 7 0) 7))(assert (= (/ 1.0 0.0) 2.0))";
    assert!(judge(text, "").iter().all(|t| matches!(t, Satisfaction::Undetermined(Why::DivisionByZero(_)))));
    let model = "((define-fun x () Int 5) (define-fun div0 ((n Int)) Int 3) (define-fun mod0 ((n Int)) Int n)\
                  (define-fun /0 ((q Real)) Real 2.0))";
    assert_eq!(judge(text, model), [Satisfaction::Holds; 3]);
}

#[test]
fn models_are_completed_and_mismatches_are_not_guessed() {
    let text = "(declare-const x String)(declare-const n Int)(assert (= x \"\"))(assert (= n 0))";
    assert_eq!(judge(text, ""), [Satisfaction::Holds; 2]);
    let got = judge(text, "((define-fun x () Int 3))");
    assert!(matches!(got[0], Satisfaction::Undetermined(Why::ModelShape(_))), "{got:?}");
    let arity = judge("(declare-fun f (Int) Int)(assert (= (f 1) 1))", "((define-fun f () Int 1))");
    assert!(matches!(arity[0], Satisfaction::Undetermined(Why::ModelShape(_))), "{arity:?}");
    let opaque = judge(
        "(declare-const b (Array Int Int))(assert (= (store b 1 2) b))(assert (or true (= (select b 1) 2)))",
        "",
    );
    assert!(matches!(opaque[0], Satisfaction::Undetermined(Why::Opaque(_))));
    assert_eq!(opaque[1], Satisfaction::Holds);
}

#[test]
fn names_definitions_and_assumptions() {
    let text = "(declare-const x Int)(assert (! (> x 1) :named big))(assert (=> big (< x 5)))(check-sat-assuming (big (not big)))";
    assert_eq!(
        judge(text, "((x 3))"),
        [Satisfaction::Holds, Satisfaction::Holds, Satisfaction::Holds, Satisfaction::Fails]
    );
}

#[test]
fn levels_and_checks() {
    let (_, script) = script(
        "(declare-const x Int)(assert (= x 0))(check-sat)(push 2)(assert (= x 1))(check-sat)(pop 1)(check-sat)(pop)\
         (check-sat)(reset-assertions)(declare-const x Int)(assert (= x 4))(check-sat)(reset)(check-sat)",
    );
    let counts: Vec<usize> =
        (0..check_count(&script)).filter_map(|n| check(&script, n)).map(|c| c.assertions.len()).collect();
    assert_eq!(counts, [1, 2, 1, 1, 1, 0]);
    assert!(check(&script, 6).is_none());
}

#[test]
fn a_million_levels_take_constant_space() {
    let (_, script) =
        script("(assert true)(push 2000000000)(assert false)(pop 1999999999)(check-sat)(pop 1)(check-sat)");
    assert_eq!(check(&script, 0).expect("a check").assertions.len(), 1);
    assert_eq!(check(&script, 1).expect("a check").assertions.len(), 1);
}

#[test]
fn answers_are_split() {
    let text = "sat\n((define-fun x () Int 1))\n(((str.len s) 3))\n((A true))\nunsat\n()\n(error \"no\")\nunknown\n((x 2))\n((y 3))\n";
    let mut pool = Pool::new();
    let items = read(text.as_bytes(), Dialect::Smt26, &mut pool);
    let all = answers(&pool, &items, &|name| ["x", "y", "z"].contains(&name));
    assert_eq!(all.len(), 3);
    let known = |i: usize, name: &str| all[i].model.as_ref().is_some_and(|m| m.by_name(name, 0).is_some());
    assert!(known(0, "x") && !known(0, "A") && !all[0].model.as_ref().is_some_and(Model::is_partial));
    assert!(all[1].model.is_none(), "an empty core is no model");
    assert!(known(2, "x") && known(2, "y") && all[2].model.as_ref().is_some_and(Model::is_partial));
    let twice = read(b"((define-fun x () Int 1) (define-fun x () Int 2))", Dialect::Smt26, &mut pool);
    assert!(answers(&pool, &twice, &|_| true)[0].trouble.is_some());
}

#[test]
fn values_that_were_not_requested_are_undetermined() {
    let text = "(declare-const x Int)(declare-const y Int)(declare-const q Real)(assert (= x 1))(assert (= y 2))(assert (= q 1.0))";
    let (mut pool, script) = script(text);
    let items = read(b"((x 1) (q 1))", Dialect::Smt26, &mut pool);
    let all = answers(&pool, &items, &|_| true);
    let model = all[0].model.clone().expect("values");
    let mut e = Evaluator::new(&pool, &model);
    let truths: Vec<Satisfaction> = script.assertions().map(|t| e.truth(t)).collect();
    assert_eq!((truths[0], truths[2]), (Satisfaction::Holds, Satisfaction::Holds));
    assert!(matches!(truths[1], Satisfaction::Undetermined(Why::Unmentioned(_))));
}

#[test]
fn names_of_the_script_are_not_the_solvers() {
    let text =
        "(declare-fun div0 (Int) Int)(declare-const x Int)(assert (= (div x 0) 3))(assert (= (div0 x) 7))";
    let got = judge(text, "((define-fun div0 ((a Int)) Int 7) (define-fun x () Int 0))");
    assert!(matches!(got[0], Satisfaction::Undetermined(Why::DivisionByZero(_))), "{got:?}");
    assert_eq!(got[1], Satisfaction::Holds);
    // Both, as z3 prints them.
    let got = judge(text, "((define-fun div0 ((a Int) (b Int)) Int 3) (define-fun div0 ((a Int)) Int 7))");
    assert_eq!(got, [Satisfaction::Holds; 2]);
    // A string constant with the name of an element.
    assert_eq!(judge("(declare-const x!val!1 String)(assert (= x!val!1 \"\"))", ""), [Satisfaction::Holds]);
}

#[test]
fn elements_by_any_spelling_and_in_their_universe() {
    let text = "(declare-sort U 0)(declare-const a U)(declare-const b U)(assert (= a b))";
    assert_eq!(
        judge(text, "((define-fun a () U (as @U_0 U))(define-fun b () U (as @U_0  U)))"),
        [Satisfaction::Holds]
    );
    assert_eq!(
        judge(text, "((define-fun a () U (as @U_0 U))(define-fun b () U @U_0))"),
        [Satisfaction::Holds]
    );
    let one = "((declare-fun U!val!0 () U) (forall ((x U)) (= x U!val!0)) (define-fun a () U U!val!0))";
    assert_eq!(judge(text, one), [Satisfaction::Holds]);
}

#[test]
fn planning_does_not_blow_up() {
    let lets = |first: &str, step: &str, last: &str| {
        let mut out = format!("(let ((a {first})) ");
        for _ in 0..60 {
            out += &format!("(let ((a {step})) ");
        }
        format!("{out}{last}{}", ")".repeat(61))
    };
    let config = Config { steps: 1_000_000, ..Config::default() };
    for formula in [
        format!("(exists ((x Int)) {})", lets("(> x 0)", "(and a a)", "a")),
        format!("(forall ((x Int)) (=> (<= 0 x 3) {}))", lets("x", "(+ a a)", "(exists ((y Int)) (= y a))")),
        "(forall ((x Int)) (=> (<= 0 x 99999) (exists ((y Int)) (and (<= 0 y 199990) (= y (+ x 1))))))"
            .into(),
    ] {
        judge_with(&format!("(assert {formula})"), "", config);
    }
    let long = format!("(define-fun s () String \"{}\")", "a".repeat(50_000));
    for formula in [
        "(forall ((x String) (y String)) (=> (= s (str.++ x y)) (<= (str.len x) 50000)))",
        "(forall ((x String)) (=> (str.prefixof x s) (str.contains s x)))",
    ] {
        judge_with(&format!("{long}(assert {formula})"), "", config);
    }
    // Definitions whose bounds are definitions with quantifiers, nested.
    let mut text = String::from("(define-fun c0 () Int 1)");
    for i in 1..30_000 {
        text +=
            &format!("(define-fun c{i} () Int (ite (forall ((x Int)) (=> (<= 0 x c{}) true)) 1 0))", i - 1);
    }
    judge_with(&format!("{text}(assert (= c29999 1))"), "", config);
    let many: Vec<String> = (0..100_000).map(|i| i.to_string()).collect();
    assert_eq!(judge(&format!("(assert (distinct {}))", many.join(" ")), ""), [Satisfaction::Holds]);
}

#[test]
fn the_pre_26_reading() {
    let text = r#"(assert (= (str.indexof "ab" "" 1) 1))(assert (= (str.replace "ab" "" "c") "cab"))
                  (assert (= (str.replace "ab" "a" "c") "cb"))"#;
    assert_eq!(judge(text, ""), [Satisfaction::Holds; 3]);
    let old = Config { reading: Reading::Pre26, ..Config::default() };
    assert_eq!(judge_with(text, "", old), [Satisfaction::Fails, Satisfaction::Fails, Satisfaction::Holds]);
}

#[test]
fn explanations_follow_the_deciding_subterm() {
    let (mut pool, script) = script(
        r#"(declare-const x String)(declare-const y String)
           (assert (and (= x "a") (or (str.prefixof y x) (ite (= x "b") true (= (str.len y) 0)))))"#,
    );
    let items = read(br#"((x "a") (y "b"))"#, Dialect::Smt26, &mut pool);
    let mut model = Model::new();
    assert!(matches!(&items[0], Item::Values(_)) && model.add(&pool, &items[0]));
    let t = script.assertions().next().expect("asserted");
    let mut e = Evaluator::new(&pool, &model);
    let lines: Vec<String> = explain(&mut e, t, 20)
        .iter()
        .map(|s| format!("{}{} = {:?}", " ".repeat(s.depth), smt::print::term_text(&pool, s.term), s.value))
        .collect();
    let want = [
        r#"and (= x "a") (or (str.prefixof y x) (ite (= x "b") true (= (str.len y) 0))))"#,
        "(or (str.prefixof y x)",
        "(str.prefixof y x) = Ok(Bool(false))",
        r#"y = Ok(Str("b"))"#,
        r#"x = Ok(Str("a"))"#,
        r#"(ite (= x "b") true (= (str.len y) 0)) = Ok(Bool(false))"#,
        r#"(= x "b") = Ok(Bool(false))"#,
        "(= (str.len y) 0) = Ok(Bool(false))",
        "(str.len y) = Ok(Int(1))",
    ];
    assert_eq!(lines.len(), want.len(), "{lines:#?}");
    for (line, want) in lines.iter().zip(want) {
        assert!(line.contains(want), "{line} should have {want}");
    }
}

#[test]
fn values_that_would_not_fit_in_memory_are_undetermined() {
    // Doubling sixty times; squaring forty times; each match replaced by something long.
    let twice = "(define-fun d ((x String)) String (str.++ x x))(define-fun q ((n Int)) Int (* n n))";
    let nest = |f: &str, n: usize, x: &str| format!("{}{x}{}", format!("({f} ").repeat(n), ")".repeat(n));
    for (formula, open) in [
        (format!("(= (str.len {}) 0)", nest("d", 60, "\"a\"")), true),
        (format!("(= (str.len {}) 1024)", nest("d", 10, "\"a\"")), false),
        (format!("(= {} 0)", nest("q", 40, "3")), true),
        (format!("(= (str.len (str.replace_all {0} \"a\" {0})) 0)", nest("d", 20, "\"a\"")), true),
        (format!("(= (str.len (str.replace_re_all {0} re.allchar {0})) 0)", nest("d", 20, "\"a\"")), true),
    ] {
        let got = judge(&format!("{twice}(assert {formula})"), "")[0];
        assert_eq!(matches!(got, Satisfaction::Undetermined(Why::Budget(_))), open, "{formula}: {got:?}");
    }
}

#[test]
fn deep_and_shared_concatenations() {
    // A chain of 200,000 levels builds one string, not 200,000.
    let n = 200_000;
    let chain = format!("{}\"\"{}", "(str.++ \"ab\" ".repeat(n), ")".repeat(n));
    assert_eq!(judge(&format!("(assert (= (str.len {chain}) {}))", 2 * n), "")[0], Satisfaction::Holds);
    // Sharing that doubles at each of 100 levels, of nothing.
    let mut text = String::from("(declare-const x String)(assert (let ((a0 (str.++ x x))) ");
    for i in 1..100 {
        text += &format!("(let ((a{i} (str.++ a{} a{}))) ", i - 1, i - 1);
    }
    text += &format!("(= (str.len a99) 0){}))", ")".repeat(99));
    assert_eq!(judge(&text, "")[0], Satisfaction::Holds);
}

#[test]
fn a_false_quantifier_is_explained_by_its_counterexample() {
    let (mut pool, script) = script(
        r#"(declare-const x String)
           (assert (forall ((i Int)) (=> (<= 0 i 2) (exists ((j Int)) (and (<= i j 2) (= (str.at x j) "a"))))))"#,
    );
    let items = read(br#"((x "aab"))"#, Dialect::Smt26, &mut pool);
    let mut model = Model::new();
    model.add(&pool, &items[0]);
    let t = script.assertions().next().expect("asserted");
    let mut e = Evaluator::new(&pool, &model);
    let steps = explain(&mut e, t, 20);
    let shown = |i: usize| (smt::print::term_text(&pool, steps[i].term), steps[i].value.clone());
    assert_eq!(shown(1), ("i".into(), Ok(Value::Int(smt::Int::from(2)))));
    assert!(shown(2).0.starts_with("(=> (<= 0 i 2)"), "{:?}", shown(2));
    assert_eq!(e.truth(t), Satisfaction::Fails);
}

#[test]
fn functions_given_as_lambdas() {
    let text = "(declare-fun f (Int String) Int)(assert (= (f 2 \"ab\") 4))(assert (= (f 1 \"\") 1))";
    let lambda = "(lambda ((n Int) (s String)) (+ n (str.len s)))";
    assert_eq!(judge(text, &format!("((f {lambda}))")), [Satisfaction::Holds; 2]);
    assert_eq!(
        judge(text, &format!("((define-fun f () (-> Int String Int) {lambda}))")),
        [Satisfaction::Holds; 2]
    );
}

#[test]
fn a_second_model_starts_from_scratch() {
    let (pool, script) = script("(declare-const x Int)(assert (> x 0))");
    let smt::Command::DeclareConst(x) = script.entries[0].command else { panic!("a declaration") };
    let t = script.assertions().next().expect("asserted");
    let (mut one, mut two) = (Model::new(), Model::new());
    one.assign(x, Value::Int(smt::Int::from(1)));
    two.assign(x, Value::Int(smt::Int::from(-1)));
    let mut e = Evaluator::new(&pool, &one);
    assert_eq!(e.truth(t), Satisfaction::Holds);
    e.set_model(&two);
    assert_eq!(e.truth(t), Satisfaction::Fails);
}
