//! Shared terms with `let`, or without.
//!
//! `(assert (let ((a x)) (= a a)))` becomes `(assert (= x x))`, if that is shorter. The term is the same.

use super::Pass;
use super::edit::{Change, Edit, largest};
use crate::doc::{Doc, Effect, defined};
use smt::Command;

/// Switches `let` on or off.
pub(super) struct Lets;

impl Pass for Lets {
    fn name(&self) -> &'static str {
        "let"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let terms = |c: &Command| matches!(c, Command::Assert(_)) || !defined(c).is_empty();
        let entries = doc.script.entries.iter().enumerate().filter(|(_, e)| terms(&e.command));
        let switch = |(i, e): (usize, &smt::script::Entry)| Edit {
            effect: Effect::Equivalent,
            gain: u32::from(e.lets),
            change: Change::Lets(i, !e.lets),
        };
        largest(entries.map(switch))
    }
}
