//! Minimal inputs of fixed bugs. One line each: the bug, the text, the result now.

use stringent_smt::answer::{Item, read};
use stringent_smt::print::script_text;
use stringent_smt::{Dialect, Pool};

/// The text in 2.6, or its first error. Checks that printing the result again does not change it.
fn now(text: &str, dialect: Dialect) -> String {
    let mut pool = Pool::new();
    let parsed = stringent_smt::parse(text.as_bytes(), Some(dialect), &mut pool);
    if let Some(d) = parsed.diagnostics.iter().find(|d| d.severity == stringent_smt::Severity::Error) {
        return format!("{}: {}", d.span.start, d.message);
    }
    let written =
        script_text(&pool, &parsed.script, Dialect::Smt26, None, None).expect("2.6 can express every term");
    let mut pool = Pool::new();
    let parsed = stringent_smt::parse(written.as_bytes(), Some(Dialect::Smt26), &mut pool);
    assert!(parsed.is_ok(), "{written}: {:?}", parsed.diagnostics);
    let again =
        script_text(&pool, &parsed.script, Dialect::Smt26, None, None).expect("2.6 can express every term");
    assert_eq!(again, written);
    written.trim_end().replace('\n', " ")
}

#[test]
fn scripts() {
    use Dialect::{Smt20, Smt25, Smt26};
    let cases = [
        // `let` was written outside the quantifier whose variable it needs.
        (
            Smt26,
            "(assert (forall ((x Int)) (let ((y (+ x 1))) (= y y))))",
            "(assert (forall ((x Int)) (let ((_let_1 (+ x 1))) (= _let_1 _let_1))))",
        ),
        // A name of `let` for `x + 1` was used where `x` is another `x`.
        (
            Smt26,
            "(assert (forall ((x Int)) (let ((y (+ x 1))) (and (= y y) (exists ((x Int)) (= (+ x 1) 2))))))",
            "(assert (forall ((x Int)) (let ((_let_1 (+ x 1))) (and (= _let_1 _let_1) (exists ((x Int)) (= (+ x 1) 2))))))",
        ),
        // Reading moved the outer `x` into the scope of the inner one.
        (
            Smt26,
            "(assert (forall ((x Int)) (let ((y x)) (exists ((x Int)) (distinct x y)))))",
            "(assert (forall ((x Int)) (exists ((x!1 Int)) (distinct x!1 x))))",
        ),
        // The same with a constant.
        (
            Smt26,
            "(declare-const x Int)(assert (let ((y x)) (exists ((x Int)) (distinct x y))))",
            "(declare-const x Int) (assert (exists ((x!1 Int)) (distinct x!1 x)))",
        ),
        // The function was forgotten together with its `let`.
        (
            Smt26,
            "(assert (let ((g (lambda ((x Int)) x))) (= (g 1) 2)))",
            "(assert (= (@ (lambda ((x Int)) x) 1) 2))",
        ),
        // So was the scrutinee of a `match`.
        (Smt26, "(assert (let ((x true)) (match x ((y y)))))", "(assert (let ((x true)) (match x ((y y)))))"),
        // Bars were dropped, or doubled.
        (
            Smt26,
            "(declare-datatypes ((T 0)) (((|(|))))(assert (= |(| |(|))",
            "(declare-datatypes ((T 0)) (((|(|)))) (assert (= |(| |(|))",
        ),
        (Smt26, "(declare-sort |(| 0)(declare-const x |(|)", "(declare-sort |(| 0) (declare-const x |(|)"),
        (
            Smt26,
            "(declare-const x (_ BitVec 8))(assert (= (|str.++| x x) x))",
            "(declare-const x (_ BitVec 8)) (assert (= (str.++ x x) x))",
        ),
        // After `|let|` was declared there was no `let` any more.
        (
            Smt26,
            "(declare-const |let| Int)(assert (let ((x 1)) (= x |let|)))",
            "(declare-const |let| Int) (assert (= 1 |let|))",
        ),
        // The script's own sort became RegLan.
        (
            Smt26,
            "(declare-sort Regex 0)(declare-const x Regex)",
            "(declare-sort Regex 0) (declare-const x Regex)",
        ),
        // A decimal became a division.
        (Smt26, "(assert (= 0.5 1.25))", "(assert (= 0.5 1.25))"),
        // Attributes changed their order.
        (Smt26, "(assert (! true :pattern (true) :named a))", "(assert (! true :pattern (true) :named a))"),
        // A name of the theory was given away, and `and` was no more.
        (Smt26, "(assert (! true :named and))", "23: `and` is a theory symbol and cannot be redefined"),
        // The missing operator went unnoticed.
        (Smt26, "(assert ((= 1 2) (= 3 4)))", "9: expected the name of a function, found a list"),
        // A sign went unnoticed.
        (Smt26, "(push +5)", "6: expected a number of levels"),
        // The output was not a number where numerals are reals.
        (
            Smt26,
            "(set-logic QF_LRA)(declare-const x String)(assert (= 0 (str.indexof x x)))",
            "56: `str.indexof` takes 3 argument(s), found 2",
        ),
        // A million levels and more were kept one by one.
        (
            Smt26,
            "(push 4000000000)(push 4000000000)(pop 4000000001)",
            "(push 4000000000) (push 4000000000) (pop 4000000001)",
        ),
        // The quotes in texts that are carried along were another dialect's.
        (
            Smt20,
            r#"(echo "a\"b")(set-option :x "a\"b")(set-info :x ("a\"b"))(foo "a\"b")(assert (! true :x "a\"b"))"#,
            r#"(echo "a""b") (set-option :x "a""b") (set-info :x ("a""b")) (foo "a""b") (assert (! true :x "a""b"))"#,
        ),
        // So were the escapes.
        (Smt25, r#"(foo "\n\x41")"#, r#"(foo "\u{a}A")"#),
        // Z3str2's order of arguments: the other one was blamed.
        (
            Smt20,
            "(assert (StartsWith 1 \"a\"))",
            "20: argument 2 of `str.prefixof` has sort Int, expected String",
        ),
    ];
    for (dialect, text, want) in cases {
        assert_eq!(now(text, dialect), want, "{text}");
    }
}

/// Texts in dialects that cannot express them.
#[test]
fn dialects() {
    let cannot = |text: &str, dialect: Dialect| {
        let mut pool = Pool::new();
        let parsed = stringent_smt::parse(text.as_bytes(), Some(dialect), &mut pool);
        assert!(parsed.is_ok(), "{:?}", parsed.diagnostics);
        script_text(&pool, &parsed.script, dialect, None, None).unwrap_err().what
    };
    // The length of a string became the datatype's `Length`. Found by fuzzing.
    assert_eq!(
        cannot("(declare-datatypes()(Length d))(assert(d(str.len \"\")))", Dialect::Smt20),
        "`Length` as a user's name"
    );
}

#[test]
fn answers() {
    let answer = |text: &str| read(text.as_bytes(), Dialect::Smt26, &mut Pool::new());
    // Parts of the model that are not definitions were dropped.
    assert_eq!(
        answer("(model (frobnicate x))"),
        [Item::Unreadable("expected a definition at `(frobnicate x)`".into())]
    );
}
