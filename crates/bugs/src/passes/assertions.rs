//! Without an assertion.
//!
//! `(assert p) (assert q)` becomes `(assert q)`. Every model stays one.

use super::Pass;
use super::edit::{Change, Edit, largest};
use crate::doc::{Doc, Effect};
use smt::Command;

/// Drops assertions.
pub(super) struct Assertions;

impl Pass for Assertions {
    fn name(&self) -> &'static str {
        "assertions"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let asserts = doc.script.commands().enumerate().filter(|(_, c)| matches!(c, Command::Assert(_)));
        let drop = |(i, _)| Edit { effect: Effect::Weaker, gain: 1, change: Change::Drop(vec![i]) };
        largest(asserts.map(drop).collect())
    }
}
