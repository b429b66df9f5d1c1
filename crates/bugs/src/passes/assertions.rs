//! Without an assertion.
//!
//! `(assert p) (assert q)` becomes `(assert q)`. Every model stays one.

use super::Pass;
use super::edit::{Edit, largest};
use crate::doc::{Doc, Effect};
use smt::Command;

/// The terms of an assertion that are counted.
const COUNTED: usize = 1 << 14;

/// Drops assertions.
pub(super) struct Assertions;

impl Pass for Assertions {
    fn name(&self) -> &'static str {
        "assertions"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let drop = |(i, c): (usize, &Command)| match c {
            Command::Assert(t) => {
                let gain = doc.pool.subterms([*t]).take(COUNTED).count() as u32;
                Some(Edit { gain, ..Edit::drop(Effect::Weaker, vec![i]) })
            }
            _ => None,
        };
        largest(doc.script.commands().enumerate().filter_map(drop))
    }
}
