//! Theories beside strings and integers: reals, datatypes, uninterpreted sorts.
//!
//! | theory | file |
//! |---|---|
//! | linear reals, with integers | `reals.rs` over [`crate::lra`] |
//! | products and quotients of reals | `strings/reals.rs`, by cases and bounds |
//! | datatypes | `data.rs` |
//! | bit-vectors | `preprocess/bits.rs`, as circuits; `bits.rs` for equalities that the search makes |
//! | uninterpreted sorts | congruence only |
//!
//! Each works on the terms of its sorts in the shared e-graph: it takes literals and merges of classes, and derives facts. Values
//! for their classes are in `strings/words/values.rs`. The theories share nothing but classes and literals. Where classes of different
//! values are needed and the values happen to be equal, `strings/combine.rs` decides the equality; this is the only place of
//! combination, strings and integers included. A problem that has none of these sorts does not reach this module.

mod bits;
mod data;
pub(crate) mod reals;

use crate::calculus::{Calculus, Step, Stop};
use smt::Term;

/// The final check of datatypes. True if facts were derived.
pub(crate) fn check_data(c: &mut Calculus<'_>, terms: &[Term]) -> Result<bool, Stop> {
    Ok(c.terms.pool.has_datatypes() && data::check(c, terms)?)
}

/// The final check of bit-vectors.
pub(crate) fn check_bits(c: &mut Calculus<'_>) -> Step {
    if c.inferences.has_vectors() { bits::check(c) } else { Ok(()) }
}
