//! Cheap entailment: what holds for all values of the variables.
//!
//! Arithmetic entailment follows Reynolds, Nötzli, Barrett and Tinelli, "High-level abstractions for simplifying
//! extended string constraints in SMT" (CAV 2019): lengths and other string functions in a sum are replaced by
//! bounds until what is left has a known sign. All of it is incomplete and budgeted: "no" means "not seen".

pub(crate) mod bounds;
pub(crate) mod overlap;
#[cfg(test)]
mod tests;
pub(crate) mod words;

use crate::poly::Poly;
use smt::{Pool, Term};

/// `p >= 0` for all values.
pub(crate) fn nonneg(pool: &mut Pool, p: &Poly) -> bool {
    if let Some(n) = p.value() {
        return !n.is_negative();
    }
    bounds::Bounds::new(pool).nonneg(p, 0)
}

/// `p > 0` for all values.
pub(crate) fn positive(pool: &mut Pool, p: &Poly) -> bool {
    nonneg(pool, &p.clone().shift(-1))
}

/// The length of a string in normal form, as a sum.
pub(crate) fn length(pool: &mut Pool, s: Term) -> Poly {
    bounds::Bounds::new(pool).length(s, 0)
}

/// Whether `s` contains `t`, for all values, of two strings in normal form.
pub(crate) fn contains(pool: &mut Pool, s: Term, t: Term) -> Option<bool> {
    if words::surely_contains(pool, s, t) {
        return Some(true);
    }
    words::surely_lacks(pool, s, t).then_some(false)
}

/// The string in normal form is not empty, whatever the values.
pub(crate) fn nonempty(pool: &mut Pool, s: Term) -> bool {
    let p = length(pool, s);
    positive(pool, &p)
}
