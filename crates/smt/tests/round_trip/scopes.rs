//! Scopes, names and opaque terms.

use super::*;

#[test]
fn push_and_pop_scope_declarations() {
    let text = "(push 1)\n(declare-const x Int)\n(declare-sort U 0)\n(assert (= x 1))\n(pop 1)\n";
    assert_eq!(trip(text), text);
    assert_eq!(errors(&format!("{text}(assert (= x 1))")), 1);
    assert_eq!(errors(&format!("{text}(declare-const y U)")), 1);
    let outer = "(declare-const x String)(push 2)(declare-const x Int)(pop)(assert (= x 1))";
    assert_eq!(errors(outer), 1, "the second level had it");
    let outer = "(declare-const x String)(push)(declare-const x Int)(pop)(assert (= x \"\"))";
    assert_eq!(errors(outer), 0);
    assert_eq!(errors("(push 4294967295)(declare-const x Int)(pop 4294967295)(assert (= x x))"), 1);
    assert_eq!(errors("(push 2)(pop 3)"), 1);
    assert_eq!(errors("(push 2)(push 0)(pop 2)(pop 0)(pop)"), 1);
}

#[test]
fn global_declarations_outlive_pop() {
    let text = "(set-option :global-declarations true)\n(push 1)\n(declare-const x Int)\n(pop 1)\n(assert (= x 1))\n";
    assert_eq!(trip(text), text);
    assert_eq!(
        errors("(set-option :global-declarations false)(push 1)(declare-const x Int)(pop 1)(assert (= x 1))"),
        1
    );
}

#[test]
fn reset_forgets_everything() {
    assert_eq!(errors("(declare-const x Int)(reset)(assert (= x 1))"), 1);
    assert_eq!(errors("(declare-sort U 0)(reset)(declare-const x U)"), 1);
    assert_eq!(errors("(push 1)(reset)(pop 1)"), 1);
    assert_eq!(errors("(set-logic QF_LRA)(reset)(declare-const s String)(assert (= 1 (str.len s)))"), 0);
    assert_eq!(errors("(declare-const |let| Int)(reset)(assert (let ((x 1)) (= x 1)))"), 0);
}

#[test]
fn reset_assertions_forgets_levels() {
    assert_eq!(errors("(push 1)(declare-const x Int)(reset-assertions)(assert (= x 1))"), 1);
    assert_eq!(errors("(push 1)(reset-assertions)(pop 1)"), 1);
    let global = "(set-option :global-declarations true)(push 1)(declare-const x Int)(reset-assertions)";
    assert_eq!(errors(&format!("{global}(assert (= x 1))")), 0);
    assert_eq!(errors(&format!("{global}(pop 1)")), 1);
}

#[test]
fn inner_names_hide_outer_ones() {
    let declared = "(declare-const x String)";
    assert_eq!(errors(&format!("{declared}(assert (let ((x 1)) (= x 1)))")), 0);
    assert_eq!(errors(&format!("{declared}(assert (and (let ((x 1)) (= x 1)) (= x \"\")))")), 0);
    assert_eq!(errors(&format!("{declared}(assert (forall ((x Int)) (= x 1)))")), 0);
    assert_eq!(errors(&format!("{declared}(define-fun f ((x Int)) Int (+ x 1))(assert (= x \"\"))")), 0);
    assert_eq!(errors("(assert (let ((x 1) (y x)) (= y 1)))"), 1, "let is parallel");
    assert_eq!(errors("(assert (let ((x 1)) (let ((x (+ x 1)) (y x)) (= x y))))"), 0);
    assert_eq!(errors("(define-fun f ((x Int)) Int x)(assert (= x 1))"), 1);
    // A name of a term of another scope.
    assert_eq!(
        trip("(declare-const x Int)(assert (let ((y x)) (exists ((x Int)) (distinct x y))))"),
        "(declare-const x Int)\n(assert (exists ((x!1 Int)) (distinct x!1 x)))\n"
    );
    assert_eq!(
        trip(
            "(assert (forall ((x Int)) (let ((y (+ x 1))) (exists ((x Int)) (let ((z (+ x 1))) (= z y))))))"
        ),
        "(assert (forall ((x Int)) (exists ((x!1 Int)) (= (+ x!1 1) (+ x 1)))))\n"
    );
    assert_eq!(
        trip(
            "(assert (forall ((x Int) (x!1 Int)) (let ((y x)) (exists ((x Int)) (forall ((x!2 Int)) (= x x!2 y x!1))))))"
        ),
        "(assert (forall ((x Int) (x!1 Int)) (exists ((x!2 Int)) (forall ((x!2!1 Int)) (= x!2 x!2!1 x x!1)))))\n"
    );
}

#[test]
fn reserved_words_are_names_between_bars() {
    let text = "(declare-const |let| Int)\n(declare-fun |forall| (Int) Bool)\n(assert (forall ((|exists| Int)) (|forall| |exists|)))\n(assert (= |let| 1))\n";
    assert_eq!(trip(text), text);
    assert_eq!(errors(&format!("{text}(assert (let ((x 1)) (= x |let|)))")), 0);
    assert_eq!(errors("(assert (= |let| 1))"), 1);
    assert_eq!(errors("(assert (= let 1))"), 1);
}

#[test]
fn mutual_recursion() {
    let text = "(define-funs-rec ((even ((n Int)) Bool)(odd ((n Int)) Bool)) ((or (= n 0) (odd (- n 1))) (and (distinct n 0) (even (- n 1)))))\n";
    assert_eq!(trip(text), text);
    let text = "(define-fun-rec f ((n Int)) Int (ite (= n 0) 0 (f (- n 1))))\n";
    assert_eq!(trip(text), text);
    assert_eq!(errors("(define-fun f ((n Int)) Int (f n))"), 1, "not recursive");
}

#[test]
fn defined_sorts() {
    let text = "(define-sort Pair (A B) (Array A B))(define-sort Text () String)(declare-const x (Pair Int Text))(declare-const y Text)(assert (= y \"\"))";
    assert_eq!(
        trip(text),
        "(define-sort Pair (A B) (Array A B))\n(define-sort Text () String)\n(declare-const x (Array Int String))\n(declare-const y String)\n(assert (= y \"\"))\n"
    );
    assert_eq!(errors("(define-sort P (A) A)(declare-const x P)"), 1);
    assert_eq!(errors("(define-sort P (A) A)(declare-const x A)"), 1);
    assert_eq!(errors("(declare-sort Int 0)"), 1);
    assert_eq!(errors("(define-sort P (Int) Int)"), 1);
    let own = "(declare-sort Regex 0)\n(declare-const x Regex)\n(declare-const y (Array Regex Int))\n";
    assert_eq!(trip(own), own);
    let odd = "(declare-sort |(| 1)\n(declare-const x (|(| Int))\n";
    assert_eq!(trip(odd), odd);
}

#[test]
fn minus_is_two_operators() {
    let mut pool = Pool::new();
    let script = parse("(assert (= (- 1) (- 1 2) (- 1 2 3) (- 1.5)))", Dialect::Smt26, &mut pool);
    let t = script.assertions().next().unwrap();
    let head = |t: Term| match pool.head(t) {
        Head::Op(Op::ToReal) => pool.head(pool.args(t)[0]),
        head => head,
    };
    let heads: Vec<Head> = pool.args(t).iter().map(|&a| head(a)).collect();
    assert_eq!(heads, [Op::Neg, Op::Sub, Op::Sub, Op::Neg].map(Head::Op));
    assert_eq!(errors("(assert (= (-) 1))"), 1);
    assert_eq!(errors("(declare-fun - (Int) Int)"), 1);
}

#[test]
fn operators_of_any_number_of_arguments() {
    let text = "(declare-const a Int)\n(assert (= a a a a))\n(assert (distinct a 1 2 3))\n(assert (< 1 a 2 3))\n(assert (=> true false true))\n(assert (and true))\n(assert (str.< \"a\" \"b\" \"c\"))\n";
    assert_eq!(trip(text), text);
    assert_eq!(errors("(assert (= 1))"), 1);
    assert_eq!(errors("(assert (distinct 1))"), 1);
    assert_eq!(errors("(assert (and))"), 1);
}

#[test]
fn assumptions_and_values() {
    let text = "(declare-const p Bool)\n(check-sat-assuming (p (not p)))\n(check-sat-assuming ())\n(get-value (p (not p) 1 \"a\"))\n";
    assert_eq!(trip(text), text);
    assert_eq!(errors("(check-sat-assuming (1))"), 1);
}

#[test]
fn names_given_to_terms_are_constants_later() {
    let text = "(declare-const x Int)\n(assert (! (> x 0) :named |a b|))\n(assert (=> |a b| (= x 1)))\n(check-sat-assuming (|a b|))\n(get-value (|a b|))\n";
    assert_eq!(trip(text), text);
    assert_eq!(errors("(push 1)(assert (! true :named a))(pop 1)(assert a)"), 1);
    assert_eq!(errors("(assert (! true :named and))(assert (and true true))"), 1);
}

#[test]
fn names_given_to_terms_are_given_before_they_are_used() {
    let text =
        "(declare-fun k (Bool) Bool)\n(assert (and (! true :named a) (let ((u (k a))) (and (not u) u))))\n";
    assert_eq!(
        trip(text),
        "(declare-fun k (Bool) Bool)\n(assert (and (! true :named a) (and (not (k a)) (k a))))\n"
    );
    let below = "(assert (and (! true :named a) (let ((u (forall ((x Bool)) (= x a)))) (and u u))))";
    assert_eq!(
        trip(below),
        "(assert (and (! true :named a) (and (forall ((x Bool)) (= x a)) (forall ((x Bool)) (= x a)))))\n"
    );
    // A term with both the name and its use may move.
    let text = "(assert (let ((y (and (! true :named a) a))) (and y y)))\n";
    assert_eq!(trip(text), text.replace(" y", " _let_1").replace("(y", "(_let_1"));
}

#[test]
fn datatypes_are_kept() {
    let text = "(declare-datatypes ((Tree 1)(Nat 0)) ((par (X) ((leaf) (node (left (Tree X)) (val X)))) ((zero) (succ (pred Nat)))))\n(declare-datatype Color ((red) (green)))\n(declare-const t (Tree Int))\n(declare-const c Color)\n(assert (= t (node leaf 1)))\n(assert ((_ is node) t))\n(assert (is-node t))\n(assert (= (val t) 1 (match t ((leaf 0) ((node l v) v)))))\n(assert (= c red))\n";
    assert_eq!(trip(text), text);
    let odd = "(declare-datatypes ((T 0)) (((|(|) (|#b| (|;| Int)))))\n(assert (= |(| (|#b| 1)))\n(assert (= 1 (|;| |(|)))\n";
    assert_eq!(trip(odd), odd);
    // `let` around a `match`, whose text is kept.
    assert_eq!(
        trip(
            "(declare-datatype T ((c)))(declare-const t T)(assert (let ((u t) (v true)) (match u ((c v)))))"
        ),
        "(declare-datatype T ((c)))\n(declare-const t T)\n(assert (let ((v true)) (let ((u t)) (match u ((c v))))))\n"
    );
}

#[test]
fn other_theories_are_kept() {
    let text = "(set-logic ALL)
(declare-const b (_ BitVec 8))
(declare-const a (Array Int (Array Int Bool)))
(declare-const s (Seq (_ BitVec 8)))
(declare-const f (_ FloatingPoint 8 24))
(declare-fun g (Int) Int)
(assert (= (bvadd b #x0F) ((_ extract 7 0) (concat #b1 b))))
(assert (= (select (store a 1 (select a 2)) 1) ((as const (Array Int Bool)) true)))
(assert (= (seq.++ s (seq.unit b)) (as seq.empty (Seq (_ BitVec 8)))))
(assert (= (str.++ s s) s))
(assert (fp.leq (fp.add RNE f f) (_ +oo 8 24)))
(assert (= (_ bv5 8) b))
(assert ((_ map g) a))
(assert (= (_ as-array g) g))
";
    assert_eq!(trip(text), text);
    let mut pool = Pool::new();
    let script = parse(text, Dialect::Smt26, &mut pool);
    assert!(script.assertions().all(|t| pool.has_opaque(t)));
}

#[test]
fn functions_that_let_names_are_applied() {
    assert_eq!(
        trip("(assert (let ((g (lambda ((x Int)) x))) (= (g 1) 2)))"),
        "(assert (= (@ (lambda ((x Int)) x) 1) 2))\n"
    );
    let text = "(assert (forall ((g (-> Int Int))) (= (g 1) 2)))\n";
    assert_eq!(trip(text), text);
}

#[test]
fn unknown_commands_are_kept() {
    let text =
        "(frobnicate |a b| \"c\"\"d\" (e ; comment\n :f 1.50 #xAF))\n(minimize (str.len x))\n(check-sat)\n";
    assert_eq!(trip(text), text);
    let parsed = stringent_smt::parse(text.as_bytes(), None, &mut Pool::new());
    assert_eq!(parsed.diagnostics.len(), 2);
}

#[test]
fn opaque_texts_keep_their_meaning_in_other_dialects() {
    let to = |text: &str, from: Dialect, to: Dialect| {
        let mut pool = Pool::new();
        let script = parse(text, from, &mut pool);
        script_text(&pool, &script, to, None, None).map_err(|e| e.to_string())
    };
    let old = "(set-info :notes \"a\\\"b\")\n(frobnicate \"\\n\\\"\" x)\n";
    let new = "(set-info :notes \"a\"\"b\")\n(frobnicate \"\\u{a}\"\"\" x)\n";
    assert_eq!(to(old, Dialect::Smt20, Dialect::Smt26).unwrap(), new);
    assert_eq!(to(new, Dialect::Smt26, Dialect::Smt20).unwrap(), old.replace("\\n", "\\x0a"));
    assert_eq!(to(old, Dialect::Smt20, Dialect::Smt20).unwrap(), old.replace("\\n", "\\x0a"));
    assert_eq!(
        to("(frobnicate \"\\u{100}\")", Dialect::Smt26, Dialect::Smt25),
        Err("dialect 2.5 cannot express the character U+0100".into())
    );
    assert_eq!(
        to("(assert (= 1 ((as select Int) (match \"\\x41\" ((x 1))))))", Dialect::Smt25, Dialect::Smt26)
            .unwrap(),
        "(assert (= 1 ((as select Int) (match \"A\" ((x 1))))))\n"
    );
}

#[test]
fn comments_between_commands_are_kept() {
    let text = "; one\n(check-sat) ; two\n;three\n\n(exit)\n; four";
    let mut pool = Pool::new();
    let parsed = stringent_smt::parse(text.as_bytes(), None, &mut pool);
    assert_eq!(
        script_text(&pool, &parsed.script, Dialect::Smt26, Some(text.as_bytes()), Some(parsed.trailing))
            .unwrap(),
        "; one\n(check-sat)\n; two\n;three\n(exit)\n; four\n"
    );
}

#[test]
fn decimals_stay_decimals() {
    let text = "(assert (< 0.1 0.25 123.456 1.0 0.00000000000000000001))\n";
    assert_eq!(trip(text), text);
    assert_eq!(trip("(assert (= 00.500 0.5))"), "(assert (= 0.5 0.5))\n");
}

#[test]
fn operators_of_another_dialect_are_not_names_in_it() {
    let cannot = |text: &str, dialect: Dialect| {
        let mut pool = Pool::new();
        let script = parse(text, Dialect::Smt26, &mut pool);
        script_text(&pool, &script, dialect, None, None).map_err(|e| e.what)
    };
    let own = |name: &str| Err(format!("`{name}` as a user's name"));
    let text = "(declare-fun Concat (Int) Int)(assert (= (Concat 1) 1))";
    assert_eq!(cannot(text, Dialect::Smt20), own("Concat"));
    assert!(cannot(text, Dialect::Smt25).is_ok());
    assert_eq!(cannot("(assert (forall ((Length Int)) (= Length 1)))", Dialect::Smt20), own("Length"));
    assert_eq!(cannot("(declare-fun str.in.re () Int)", Dialect::Norn), own("str.in.re"));
    assert_eq!(cannot("(declare-sort Regex 0)", Dialect::Smt20), own("Regex"));
    let constructor = "(declare-datatype T ((Concat (a Int))))(assert (= (Concat 1) (Concat 2)))";
    assert_eq!(cannot(constructor, Dialect::Smt20), own("Concat"));
    // Even if it is not used: the operator would become the function.
    let selector = "(declare-datatype T ((c (Length Int))))(assert (= (str.len \"\") 0))";
    assert_eq!(cannot(selector, Dialect::Smt20), own("Length"));
}
