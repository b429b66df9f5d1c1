//! Without assumptions.
//!
//! `(check-sat-assuming (p q))` becomes `(check-sat-assuming (p))`, which is weaker, or `(assert p) (assert q) (check-sat)`: the same, if no check
//! comes after it, and otherwise stronger for those.

use super::Pass;
use super::checks::is_check;
use super::edit::{Change, Edit, largest};
use crate::doc::{Doc, Effect};
use smt::Command;

/// Drops assumptions.
pub(super) struct Assuming;

impl Pass for Assuming {
    fn name(&self) -> &'static str {
        "assumptions"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let last = doc.script.entries.iter().rposition(|e| is_check(&e.command));
        largest(doc.script.commands().enumerate().flat_map(|(i, c)| match c {
            Command::CheckSatAssuming(ts) => {
                let drop = |k| Edit { effect: Effect::Weaker, gain: 1, change: Change::Assumption(i, k) };
                let mut out: Vec<Edit> = (0..ts.len()).map(drop).collect();
                let asserted = ts.iter().map(|&t| Command::Assert(t)).chain([Command::CheckSat]).collect();
                let effect = if last == Some(i) { Effect::Equivalent } else { Effect::Stronger };
                out.push(Edit { effect, gain: 1, change: Change::Commands(i, asserted) });
                out
            }
            _ => Vec::new(),
        }))
    }
}
