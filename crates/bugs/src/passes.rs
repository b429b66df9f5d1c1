//! Edits that make a script smaller, by kind.
//!
//! A [`Pass`] offers [edits](Edit) on a script, each with its [effect](Effect) on the answers, and [`apply()`] does any of them
//! together: delta debugging tries subsets. Every result is standard SMT-LIB, well sorted, without unused declarations, and
//! smaller by [`Size`](crate::doc::Size), so that reduction ends.

mod apply;
mod assertions;
mod build;
mod constants;
mod edit;
mod names;
mod order;
mod rename;
mod subterms;
mod survey;
mod tidy;

pub use apply::{Candidate, apply};
pub use edit::Edit;

use crate::doc::Doc;
#[cfg(doc)]
use crate::doc::Effect;

/// A kind of edit.
pub trait Pass: Sync {
    /// Its name, for progress and `--passes`.
    fn name(&self) -> &'static str;

    /// The edits that it offers on a script, the largest first.
    fn edits(&self, doc: &Doc) -> Vec<Edit>;
}

/// All passes, in the order in which they pay.
pub const PASSES: &[&dyn Pass] = &[
    &assertions::Assertions,
    &subterms::Arguments,
    &constants::Constants,
    &subterms::Descendants,
    &rename::Rename,
];

#[cfg(test)]
mod tests;
