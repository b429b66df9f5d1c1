//! Without whole checks.
//!
//! `(check-sat) (get-model) … (check-sat)` becomes `… (check-sat)`: a check goes together with the requests about its result. The assertions in
//! force at the other checks stay the same.

use super::Pass;
use super::edit::{Edit, largest};
use crate::doc::{Doc, Effect};
use smt::Command;
use smt::script::Plain;

/// Drops checks.
pub(super) struct Checks;

impl Pass for Checks {
    fn name(&self) -> &'static str {
        "checks"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let commands: Vec<&Command> = doc.script.commands().collect();
        let drop = |i: usize| {
            let requests = commands[i + 1..].iter().take_while(|c| is_request(c)).count();
            Edit::drop(Effect::Equivalent, (i..=i + requests).collect())
        };
        largest((0..commands.len()).filter(|&i| is_check(commands[i])).map(drop))
    }
}

/// `check-sat`, with or without assumptions.
pub(super) fn is_check(c: &Command) -> bool {
    matches!(c, Command::CheckSat | Command::CheckSatAssuming(_))
}

/// A question about the last check.
pub(super) fn is_request(c: &Command) -> bool {
    match c {
        Command::GetValue(_) | Command::GetInfo(_) => true,
        Command::Plain(p) => !matches!(p, Plain::Exit | Plain::Reset | Plain::ResetAssertions),
        _ => false,
    }
}
