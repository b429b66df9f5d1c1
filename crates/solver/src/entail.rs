//! Cheap entailment tests: properties that hold for all values of the variables.
//!
//! Arithmetic entailment follows Reynolds, Nötzli, Barrett and Tinelli, "High-level abstractions for simplifying
//! extended string constraints in SMT" (CAV 2019): lengths and other string functions in a sum are replaced by
//! bounds until the sign of the sum is known. For example `|x y| - |x| >= 0`, and `|substr(x, n, 2)| <= 2`. All tests are
//! incomplete and have a budget.

pub(crate) mod bounds;
pub(crate) mod overlap;
#[cfg(test)]
mod tests;
pub(crate) mod words;

use crate::poly::Poly;
use smt::{Pool, Term};

/// Whether `p >= 0` is entailed.
pub(crate) fn nonneg(pool: &mut Pool, p: &Poly) -> bool {
    if let Some(n) = p.value() {
        return !n.is_negative();
    }
    bounds::Bounds::new(pool).nonneg(p, 0)
}

/// Whether `p > 0` is entailed.
pub(crate) fn positive(pool: &mut Pool, p: &Poly) -> bool {
    nonneg(pool, &p.clone().shift(-1))
}

/// The length of a string in normal form, as a sum.
pub(crate) fn length(pool: &mut Pool, s: Term) -> Poly {
    bounds::Bounds::new(pool).length(s, 0)
}

/// Whether `s` always (or never) contains `t`, for two strings in normal form.
pub(crate) fn contains(pool: &mut Pool, s: Term, t: Term) -> Option<bool> {
    if words::always_contains(pool, s, t) {
        return Some(true);
    }
    words::never_contains(pool, s, t).then_some(false)
}

/// Whether the string in normal form is never empty.
pub(crate) fn nonempty(pool: &mut Pool, s: Term) -> bool {
    let p = length(pool, s);
    positive(pool, &p)
}
