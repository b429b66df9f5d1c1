//! Before it is said that a model fails: does that hang on how the texts were read?
//!
//! A referee that cries wolf is worse than none. Solvers differ in how they escape strings, and on what a second
//! declaration of a name means; where another reading is possible, the verdict is *cannot tell*.

use smt::{Code, Diagnostic, Dialect};

/// The other way in which strings of `answer`, read in `dialect`, may have been escaped; none if it has no escape
/// that the two read differently.
pub fn other_escapes(answer: &[u8], dialect: Dialect) -> Option<Dialect> {
    let old = |w: &[u8]| w[0] == b'\\' && w[1] != b'u';
    let new = |w: &[u8]| w[0] == b'\\' && (w[1] == b'u' || w[1] == b'\\');
    match dialect {
        Dialect::Smt26 => answer.windows(2).any(old).then_some(Dialect::Smt25),
        _ => answer.windows(2).any(new).then_some(Dialect::Smt26),
    }
}

/// A script that declares a name again means different things to different solvers: says so if it does.
pub fn redeclaration(diagnostics: &[Diagnostic]) -> Option<String> {
    let again = diagnostics.iter().find(|d| d.code == Code::Redeclared)?;
    Some(format!("{}, and solvers differ on what that means", again.message))
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
        let told = |text: &[u8]| redeclaration(&smt::parse(text, None, &mut smt::Pool::new()).diagnostics);
        assert_eq!(told(b"(declare-const x Int)(declare-const y Int)"), None);
        let again = told(b"(declare-const x Int)(declare-const x Int)").expect("told");
        assert!(again.starts_with("`x` is already declared"), "{again}");
    }
}
