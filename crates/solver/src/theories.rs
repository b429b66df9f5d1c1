//! Theories beside strings and integers: reals, datatypes, uninterpreted sorts.
//!
//! | theory | file |
//! |---|---|
//! | linear reals, with integers | `reals.rs` over `simplex.rs` |
//! | datatypes | `data.rs` |
//! | uninterpreted sorts | congruence only; their elements are in `values.rs` |
//!
//! Each works on the terms of its sorts in the shared e-graph: it takes literals and merges of classes, derives facts, and
//! gives classes a value. The theories share nothing but classes and literals. Where classes of different values are needed
//! and the values happen to be equal, `combine.rs` decides the equality; this is the only place of combination, strings and
//! integers included. A problem that has none of these sorts does not reach this module.

pub(crate) mod combine;
pub(crate) mod data;
pub(crate) mod reals;
mod simplex;
pub(crate) mod values;

use crate::calculus::{Calculus, Stop, stop_if};
use smt::Term;

/// The final check of all theories of this module. True if facts were derived.
pub(crate) fn check(c: &mut Calculus<'_>, terms: &[Term]) -> Result<bool, Stop> {
    if c.terms.pool.has_datatypes() && data::check(c, terms)? {
        return Ok(true);
    }
    if c.terms.pool.has_datatypes() {
        stop_if(combine::decide_formulas(c, terms))?;
    }
    reals::check(c, terms)?;
    Ok(false)
}
