//! Texts with two readings.
//!
//! A false alarm is worse than a missed error. Solvers differ in how they escape strings, and in the meaning of a second
//! declaration of a name. Where another reading is possible, a model that fails in one reading is undetermined.

use smt::{Code, Diagnostic, Dialect};

/// The other dialect whose escapes `answer`, read in `dialect`, may use; none if both read it alike.
pub fn other_escapes(answer: &[u8], dialect: Dialect) -> Option<Dialect> {
    let old = |w: &[u8]| w[0] == b'\\' && w[1] != b'u';
    let new = |w: &[u8]| w[0] == b'\\' && (w[1] == b'u' || w[1] == b'\\');
    match dialect {
        Dialect::Smt26 => answer.windows(2).any(old).then_some(Dialect::Smt25),
        _ => answer.windows(2).any(new).then_some(Dialect::Smt26),
    }
}

/// The reason why a script with a second declaration of a name is ambiguous; none if it has none.
pub fn redeclaration(diagnostics: &[Diagnostic]) -> Option<String> {
    let again = diagnostics.iter().find(|d| d.code == Code::Redeclared)?;
    Some(format!("{}, and solvers differ in the meaning of that", again.message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_that_can_be_read_in_two_ways() {
        assert_eq!(other_escapes(b"((x \"\\x41\"))", Dialect::Smt26), Some(Dialect::Smt25));
        assert_eq!(other_escapes(b"((x \"\\u{41}\"))", Dialect::Smt26), None);
        assert_eq!(other_escapes(b"((x \"\\\\u{41}\"))", Dialect::Smt25), Some(Dialect::Smt26));
        assert_eq!(other_escapes(b"((x \"\\x41\"))", Dialect::Smt25), None);
        assert_eq!(other_escapes(b"((x \"a\"))", Dialect::Smt25), None);
    }

    #[test]
    fn second_declarations() {
        let found = |text: &[u8]| redeclaration(&smt::parse(text, None, &mut smt::Pool::new()).diagnostics);
        assert_eq!(found(b"(declare-const x Int)(declare-const y Int)"), None);
        let again = found(b"(declare-const x Int)(declare-const x Int)").expect("found");
        assert!(again.starts_with("`x` is already declared"), "{again}");
    }
}
