//! Edits that make a script smaller, by kind.

use crate::doc::{Doc, Effect};

/// A kind of edit.
pub trait Pass: Sync {
    /// Its name, for progress and `--passes`.
    fn name(&self) -> &'static str;

    /// The edits that it offers on a script, the largest first.
    fn edits(&self, doc: &Doc) -> Vec<Edit>;
}

/// A local change of one script; it means nothing for another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Its effect on the answers.
    pub effect: Effect,
}

/// The script after some edits that one pass offered on it, with their common effect. None if they do not fit together or give no
/// well-sorted script that is simpler.
pub fn apply(_doc: &Doc, _edits: &[Edit]) -> Option<(Doc, Effect)> {
    None
}

/// All passes, in the order in which they pay.
pub const PASSES: &[&dyn Pass] = &[];
