//! The known answer of a script while it shrinks, and the argument for it.

use crate::doc::{Doc, Effect};
use campaign::finding::Argument;
use campaign::process::Cancel;
use semantics::Truth;

/// The truth of a script, with its argument.
#[derive(Clone, Debug)]
pub struct Label {
    /// The truth.
    pub truth: Truth,
    /// Why it holds.
    pub argument: Argument,
}

/// Keeps the truth of scripts.
pub struct Keeper {}

impl Keeper {
    /// The label of a smaller script, whose parent has `parent`; none if the answer changed or is not known any more. In process and
    /// quick.
    pub fn label(&self, _parent: &Label, _doc: &Doc, _effect: Effect) -> Option<Label> {
        None
    }

    /// Makes sure of a label that needs a second solver. None if it does not agree.
    pub fn confirm(&self, label: Label, _doc: &Doc, _cancel: &Cancel) -> Option<Label> {
        Some(label)
    }
}
