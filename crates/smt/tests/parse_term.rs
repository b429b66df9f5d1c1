//! Single terms: what is not exactly one well-sorted term is an error with its place.

use stringent_smt::{Pool, parse_term, print::term_text};

fn message(text: &str) -> (u32, String) {
    let errors = parse_term(text.as_bytes(), &mut Pool::new()).expect_err(text);
    (errors[0].span.start, errors[0].message.clone())
}

#[test]
fn one_term_is_read() {
    let mut pool = Pool::new();
    for text in ["(str.++ \"a\" \"b\")", "true", "(- 3)", "(forall ((x Int)) (> x 0))", "((_ re.^ 2) re.all)"]
    {
        let t = parse_term(format!(" ; comment\n{text} ").as_bytes(), &mut pool).expect(text);
        assert_eq!(term_text(&pool, t), text);
    }
}

#[test]
fn anything_else_is_an_error() {
    assert_eq!(message(""), (0, "there is no term".into()));
    assert_eq!(message("true false"), (5, "text after the term".into()));
    assert_eq!(message("(and true x)"), (10, "unknown symbol `x`".into()));
    assert_eq!(message("(and true"), (0, "unclosed `(`".into()));
}
