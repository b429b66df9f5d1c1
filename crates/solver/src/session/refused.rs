//! Commands that were refused with an error.
//!
//! The session continues after an error, as z3 does: the answer to the next check is about the commands that were
//! accepted, and a program at the other end of a pipe has seen the error. The answer to a *file* is read as one about the whole
//! file: there, `sat` would be wrong if a refused assertion contradicts the others. So while a refused command is in force,
//! `sat` becomes `unknown`; `unsat` stays if only assertions were refused, since more of them cannot make it wrong.
//! A refused command is in force until its level is popped, or until a reset; a refused `push` or `pop` until a reset. An
//! unsupported command that may change the problem, such as a misspelled `assert`, counts as refused.

use super::Session;
use crate::engine::{Answer, Outcome};
use smt::sexpr::Tree;

/// A command that was refused.
#[derive(Debug)]
pub(super) struct Refused {
    /// Whether it is an `assert`.
    assertion: bool,
    /// Whether it is a `push` or `pop`: levels are not those that the file means, until a reset.
    level: bool,
    message: String,
}

impl Session<'_> {
    /// Records a refused command. Queries, options and checks do not change the problem.
    pub(super) fn refuse(&mut self, src: &[u8], tree: &Tree, message: &str) {
        let head = super::head(src, tree);
        if !super::is_query(src, tree) && !head.starts_with(b"check-sat") {
            let (assertion, level) = (head == b"assert", matches!(head, b"push" | b"pop"));
            self.refused.push(Refused { assertion, level, message: message.to_owned() });
        }
    }

    /// Forgets the commands that were refused in a level that is closed; `before` were refused outside of it.
    pub(super) fn pop_refused(&mut self, before: usize) {
        let mut n = 0;
        self.refused.retain(|r| (n < before, n += 1).0 || r.level);
    }

    /// The outcome of a check on a file, given the commands that were refused.
    pub(super) fn doubt(&self, mut outcome: Outcome) -> Outcome {
        let doubts = |r: &&Refused| match outcome.answer {
            Answer::Sat(_) => true,
            Answer::Unsat(_) => !r.assertion,
            Answer::Unknown(_) => false,
        };
        if let Some(r) = self.refused.iter().find(doubts).filter(|_| self.settings.file) {
            let what = if r.assertion { "an assertion" } else { "a command" };
            outcome.answer = Answer::Unknown(format!("{what} was refused: {}", r.message));
        }
        outcome
    }
}
