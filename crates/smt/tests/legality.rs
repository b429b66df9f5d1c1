//! Legal scripts are accepted, illegal ones are rejected, unusual answers are read.

use stringent_smt::answer::{Item, read};
use stringent_smt::print::{script_text, term_text};
use stringent_smt::{Command, Dialect, Pool, Severity};

fn parse(text: &str) -> (Pool, stringent_smt::Parsed) {
    let mut pool = Pool::new();
    let parsed = stringent_smt::parse(text.as_bytes(), None, &mut pool);
    (pool, parsed)
}

#[test]
fn legal_scripts_are_accepted() {
    for text in [
        // A name is in scope as soon as it is given.
        "(declare-const x Int)(assert (and (! (= x 0) :named A) A))(assert A)",
        "(set-option :global-declarations true)(push 1)(declare-sort U 0)(define-sort V () Int)(pop 1)(declare-const x U)(declare-const y V)",
        "(exit)(foo bar (assert",
        "(declare-const x Int)(reset-assertions)(declare-const x Int)(assert (= x 1))",
        "(assert (forall ((x Int) (x Int)) (= x x)))",
        "(assert (= (seq.unit (_ char #x41)) \"A\"))",
    ] {
        let (_, parsed) = parse(text);
        assert!(parsed.diagnostics.is_empty(), "{text}: {:?}", parsed.diagnostics);
    }
}

#[test]
fn illegal_scripts_are_rejected() {
    for (text, want) in [
        ("(assert (distinct @a @b))", "unknown symbol `@a`"),
        ("(declare-sort U 0)(assert (= (as @a U) (as @b U)))", "are reserved for solvers"),
        ("(declare-fun f (Int) Int)(assert (= \"\" ((as f String) 1)))", "does not return String"),
        ("(assert (= 1 ((as g Int) 1)))", "unknown symbol `g`"),
        ("(assert (forall () true))", "at least one variable"),
        ("(assert (let ((x 1) (x 2)) (= x 1)))", "duplicate name"),
        ("(define-fun f ((x Int) (x Int)) Int x)", "duplicate parameter"),
        ("(declare-const x Int)(assert (= x #b0))", "has sort"),
    ] {
        let (_, parsed) = parse(text);
        assert!(
            parsed.diagnostics.iter().any(|d| d.message.contains(want)),
            "{text}: {:?}",
            parsed.diagnostics
        );
        assert!(!parsed.is_ok(), "{text}");
    }
}

#[test]
fn names_of_open_terms_are_ignored_with_a_notice() {
    let (_, parsed) = parse("(assert (forall ((x Int)) (! (= x x) :named A)))(assert A)");
    let messages: Vec<_> = parsed.diagnostics.iter().map(|d| (d.severity, d.message.as_str())).collect();
    assert_eq!(
        messages,
        [
            (Severity::Notice, "ignored the name `A` of a term with free variables"),
            (Severity::Error, "unknown symbol `A`")
        ]
    );
    // A closed term with variables of its own is fine.
    assert!(parse("(assert (! (forall ((x Int)) (= x x)) :named A))(assert A)").1.is_ok());
    assert!(!parse("(define-fun f ((x Int)) Bool (! (= x x) :named A))(assert A)").1.is_ok());
}

#[test]
fn reserved_words_keep_their_bars() {
    let text =
        "(declare-fun |assert| () Int)\n(declare-fun |STRING| () Int)\n(assert (= |assert| |STRING|))\n";
    let (pool, parsed) = parse(text);
    assert_eq!(script_text(&pool, &parsed.script, Dialect::Smt26, None, None).as_deref(), Ok(text));
}

#[test]
fn text_after_exit_is_kept() {
    let (pool, parsed) = parse("(check-sat)\n(exit)\n(foo \"a\")\n");
    assert!(matches!(parsed.script.entries[2].command, Command::Other(_)));
    let text = script_text(&pool, &parsed.script, Dialect::Smt26, None, None);
    assert_eq!(text.as_deref(), Ok("(check-sat)\n(exit)\n(foo \"a\")\n"));
}

#[test]
fn values_that_solvers_print() {
    for (text, want) in [
        ("((x (seq.unit (_ Char 65))))", "\"A\""),
        ("((x (seq.++ (seq.unit (_ char #x41)) (seq.unit (_ char #x42)))))", "(str.++ \"A\" \"B\")"),
        ("((x (as seq.empty (Seq Char))))", "\"\""),
        ("((x (_ real_algebraic_number 2 3)))", "(_ real_algebraic_number 2 3)"),
    ] {
        let mut pool = Pool::new();
        let items = read(text.as_bytes(), Dialect::Smt26, &mut pool);
        let [Item::Values(values)] = &items[..] else { panic!("{text}: {items:?}") };
        assert_eq!(term_text(&pool, values[0].1), want, "{text}");
    }
    let mut pool = Pool::new();
    let bare = read(b"(define-fun x () Int 1)\n(define-fun y () Int 2)", Dialect::Smt26, &mut pool);
    assert!(matches!(&bare[..], [Item::Model(_), Item::Model(_)]), "{bare:?}");
}

#[test]
fn a_version_of_26_outweighs_old_names() {
    let (_, parsed) =
        parse("(set-info :smt-lib-version 2.6)(declare-const x String)(assert (= x (int.to.str 5)))");
    assert_eq!(parsed.script.dialect, Dialect::Smt26);
}

/// Sequences of elements whose values are known are typed; others are opaque, as terms of foreign theories.
#[test]
fn sequences_are_read() {
    let declared = "(define-sort Pairs (X) (Seq X))(declare-const x (Seq Int))(declare-const y (Pairs Bool))\
        (declare-const z (Seq (Pairs String)))(declare-const s String)(declare-const b (Seq (_ BitVec 8)))";
    for (body, opaque) in [
        (
            "(= (seq.++ x (seq.unit (seq.nth x 0)) (as seq.empty (Seq Int))) (seq.extract x 0 (seq.len x)))",
            false,
        ),
        ("(and (seq.nth y 1) (seq.contains y (seq.unit true)))", false),
        ("(= (seq.nth z 0) (seq.unit \"a\"))", false),
        ("(= (seq.indexof x x) 0)", false),
        ("(= (seq.len s) (seq.indexof (seq.++ s (seq.unit (_ char #x41))) \"A\" 0))", false),
        ("(= (seq.unit #x01) b)", true),
        ("(= (seq.len b) 1)", true),
        ("(= (str.len x) 1)", true),
    ] {
        let text = format!("{declared}(assert {body})");
        let (pool, parsed) = parse(&text);
        assert!(parsed.diagnostics.is_empty(), "{text}: {:?}", parsed.diagnostics);
        let t = parsed.script.assertions().next().expect("one");
        assert_eq!(pool.has_opaque(t), opaque, "{body}");
        let again = format!("{declared}(assert {})", term_text(&pool, t));
        let (pool, parsed) = parse(&again);
        let t = parsed.script.assertions().next().expect("one");
        assert_eq!(again, format!("{declared}(assert {})", term_text(&pool, t)));
    }
    for (body, want) in [
        ("(= (seq.nth x \"a\") 1)", "argument 2 of `seq.nth` has sort String, expected Int"),
        ("(= (seq.++ x y) x)", "argument 2 of `seq.++` has sort (Seq Bool), expected (Seq Int)"),
        ("(= x (seq.unit true))", "has sort (Seq Bool)"),
        ("(seq.nth x 0)", "Int"),
    ] {
        let (_, parsed) = parse(&format!("{declared}(assert {body})"));
        assert!(
            parsed.diagnostics.iter().any(|d| d.message.contains(want)),
            "{body}: {:?}",
            parsed.diagnostics
        );
        assert!(!parsed.is_ok(), "{body}");
    }
}
