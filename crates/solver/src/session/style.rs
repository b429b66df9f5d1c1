//! The form of responses: ours, or that of a solver in whose place the session runs.
//!
//! Only texts differ: the position in errors, the first line of a model, name and version. Answers and values do not. In
//! the place of z3 the reader follows it as well ([`Elaborator::like_z3`](smt::elaborate::Elaborator::like_z3)).

use smt::diag::Position;

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

    /// A message with its position in the input.
    pub(super) fn located(self, place: Position, message: &str) -> String {
        let Position { line, column } = place;
        match self {
            Style::Own | Style::Z3 => format!("line {line} column {column}: {message}"),
            Style::Cvc5 | Style::Cvc4 => format!("Parse Error: <stdin>:{line}.{column}: {message}"),
        }
    }
}
