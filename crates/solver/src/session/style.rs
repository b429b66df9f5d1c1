//! The form of responses: ours, or that of a solver in whose place the session runs.
//!
//! Only texts differ: the position in errors, the first line of a model, name and version. Answers and values do not. In
//! the place of z3 the reader follows it as well ([`Elaborator::like_z3`](smt::elaborate::Elaborator::like_z3)).

use smt::diag::Position;
use smt::symbol::quote;
use smt::term::bits_of_text;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The solver whose form responses have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Our own: that of z3, with our name.
    #[default]
    Own,
    /// z3.
    Z3,
    /// cvc5.
    Cvc5,
    /// CVC4.
    Cvc4,
}

impl Style {
    /// The version of the solver whose form this is; clients compare it with the oldest one that they support.
    pub fn version(self) -> &'static str {
        match self {
            Style::Own => env!("CARGO_PKG_VERSION"),
            Style::Z3 => "5.4.0",
            Style::Cvc5 => "1.4.2",
            Style::Cvc4 => "1.8",
        }
    }

    /// The answer to `(get-info :name)`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Style::Own => "stringent",
            Style::Z3 => "Z3 (stringent)",
            Style::Cvc5 => "cvc5 (stringent)",
            Style::Cvc4 => "cvc4 (stringent)",
        }
    }

    /// The beginning of a model.
    pub(super) fn model_header(self) -> &'static str {
        match self {
            Style::Own | Style::Z3 | Style::Cvc5 => "(",
            Style::Cvc4 => "(model",
        }
    }

    /// What separates the values of `get-value`.
    pub(super) fn between_values(self) -> &'static str {
        if self.is_cvc() { " " } else { "\n " }
    }

    /// A list, of which cvc5 prints each item on a line of its own.
    pub(super) fn list(self, items: &[String], separator: &str) -> String {
        if self.is_cvc() {
            return format!("({})", items.iter().map(|item| format!("\n{item}")).collect::<String>() + "\n");
        }
        format!("({})", items.join(separator))
    }

    /// What is before a definition of a model, and between its sort and its value.
    pub(super) fn around_definition(self) -> (&'static str, &'static str) {
        match self {
            Style::Own => ("\n  ", " "),
            Style::Z3 => ("\n  ", "\n    "),
            Style::Cvc5 | Style::Cvc4 => ("\n", " "),
        }
    }

    pub(super) fn is_cvc(self) -> bool {
        matches!(self, Style::Cvc5 | Style::Cvc4)
    }

    /// A message about a command that was read; cvc5 prints the position of errors of its parser only.
    pub(super) fn refusal(self, place: Position, message: &str) -> String {
        if self.is_cvc() { message.to_owned() } else { self.located(place, message) }
    }

    /// A message with its position in the input.
    pub(super) fn located(self, place: Position, message: &str) -> String {
        let Position { line, column } = place;
        match self {
            Style::Own | Style::Z3 => format!("line {line} column {column}: {message}"),
            Style::Cvc5 | Style::Cvc4 => format!("Parse Error: <stdin>:{line}.{column}: {message}"),
        }
    }

    /// The text of a model, with elements of declared sorts as in this style. z3 declares them at the beginning, so that it can read the
    /// definitions.
    pub(super) fn model_elements(self, text: String) -> String {
        let mut seen = BTreeSet::new();
        let mut text = self.renamed(text, &mut seen);
        if self == Style::Z3 {
            let declared = |(sort, name): &(String, String)| format!("\n  (declare-fun {name} () {sort})");
            text.insert_str(self.model_header().len(), &seen.iter().map(declared).collect::<String>());
        }
        text
    }

    /// The text of values, with elements of declared sorts as in this style: `(as @U!7 U)` is `U!val!7` in z3 and `(as @U_7 U)` in cvc5, and
    /// their clients know no other form.
    pub(super) fn elements(self, text: String) -> String {
        self.renamed(text, &mut BTreeSet::new())
    }

    /// `seen` gets the elements of z3 with their sorts.
    fn renamed(self, text: String, seen: &mut BTreeSet<(String, String)>) -> String {
        let hexadecimal = self.is_cvc() && text.contains("#x");
        if self == Style::Own || !text.contains("(as ") && !hexadecimal {
            return text;
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some(c) = rest.chars().next() {
            if let Some(e) = element(rest) {
                if self == Style::Z3 {
                    // z3 names the elements of `(P Int)` like those of `P`.
                    let short = e.of.strip_prefix('(').and_then(|s| s.split(' ').next()).unwrap_or(e.of);
                    let name = quote(&format!("{short}!val!{}", e.number)).into_owned();
                    out.push_str(&name);
                    seen.insert((e.sort.to_owned(), name));
                } else {
                    let name = format!("@{}_{}", e.of, e.number);
                    let _ = write!(out, "(as {} {})", quote(&name), e.sort);
                }
                rest = e.after;
                continue;
            }
            if hexadecimal && out.ends_with([' ', '(', '\n']) && rest.starts_with("#x") {
                let length = rest.find([' ', ')', '\n']).unwrap_or(rest.len());
                out.push_str(&binary(&rest[..length]));
                rest = &rest[length..];
                continue;
            }
            // Strings and quoted symbols are copied whole.
            let length = match c {
                '"' | '|' => rest[1..].find(c).map_or(rest.len(), |end| end + 2),
                _ => c.len_utf8(),
            };
            out.push_str(&rest[..length]);
            rest = &rest[length..];
        }
        out
    }
}

/// A literal of a bit-vector as cvc5 prints it.
fn binary(literal: &str) -> String {
    let bits = bits_of_text(literal).unwrap_or_default();
    format!("#b{}", bits.iter().rev().map(|&b| if b { '1' } else { '0' }).collect::<String>())
}

/// An element `(as @U!7 U)` at the beginning of a text.
struct Element<'t> {
    /// The sort in its name.
    of: &'t str,
    number: &'t str,
    sort: &'t str,
    /// What follows it.
    after: &'t str,
}

fn element(text: &str) -> Option<Element<'_>> {
    let inner = text.strip_prefix("(as ")?;
    let (name, rest) = match inner.strip_prefix('|') {
        Some(quoted) => quoted.split_once("| ")?,
        None => inner.split_once(' ')?,
    };
    let name = name.strip_prefix('@')?;
    let (of, number) = match name.strip_prefix("default ") {
        Some(of) => (of, "0"),
        None => name.rsplit_once('!')?,
    };
    let mut depth = 1;
    let end = rest.char_indices().find(|(_, c)| {
        depth += i32::from(*c == '(') - i32::from(*c == ')');
        depth == 0
    })?;
    Some(Element { of, number, sort: &rest[..end.0], after: &rest[end.0 + 1..] })
}

#[cfg(test)]
mod tests {
    use super::Style;

    #[test]
    fn elements_have_the_names_of_z3() {
        for (text, want) in [
            ("((a (as @U!7 U))\n (b 1))", "((a U!val!7)\n (b 1))"),
            ("((q (as |@default Q| Q)))", "((q Q!val!0))"),
            ("(f (as |@(P Int)!2| (P Int)) x)", "(f P!val!2 x)"),
            ("(\"(as @U!7 U)\" |(as @U!7 U)| (as nil L))", "(\"(as @U!7 U)\" |(as @U!7 U)| (as nil L))"),
        ] {
            assert_eq!(Style::Z3.elements(text.to_owned()), want);
            assert_eq!(Style::Own.elements(text.to_owned()), text);
        }
    }

    #[test]
    fn elements_have_the_names_of_cvc5() {
        for (text, want) in [
            ("((a (as @U!7 U)) (b 1))", "((a (as @U_7 U)) (b 1))"),
            ("((q (as |@default Q| Q)))", "((q (as @Q_0 Q)))"),
            (
                "(f (as |@(P Int)!2| (P Int)) \"(as @U!7 U)\")",
                "(f (as |@(P Int)_2| (P Int)) \"(as @U!7 U)\")",
            ),
        ] {
            assert_eq!(Style::Cvc5.elements(text.to_owned()), want);
        }
    }

    #[test]
    fn z3_declares_the_elements_of_a_model() {
        let text = "(\n  (define-fun p () (P Int)\n    (as |@(P Int)!2| (P Int)))\n)";
        let want = "(\n  (declare-fun P!val!2 () (P Int))\n  (define-fun p () (P Int)\n    P!val!2)\n)";
        assert_eq!(Style::Z3.model_elements(text.to_owned()), want);
    }
}
