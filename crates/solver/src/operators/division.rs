//! `div` and `mod`, and `abs`, by arithmetic: linear if the divisor is a constant, otherwise with the product of divisor
//! and quotient (`strings/products.rs`). Nothing is known of a division by zero but that it is a function.

use super::Site;
use crate::build;
use smt::{Int, Op, Pool, Term};

/// `0 <= a - k*q < |k|` for `q = (div a k)`, unless `k` is zero.
pub(super) fn div_axioms(b: &mut dyn Site, q: Term, args: &[Term]) -> Vec<Term> {
    let &[a, k] = args else { return Vec::new() };
    let Some(constant) = divisor(b.pool(), k) else { return Vec::new() };
    let kq = b.mk(Op::Mul, &[k, q]);
    let rest = b.minus(a, kq);
    let (zero, one) = (b.int(0), b.int(1));
    let natural = b.ge(rest, zero);
    if let Some(value) = constant {
        let most = b.pool().int(value.abs() - Int::ONE);
        return vec![natural, b.ge(most, rest)];
    }
    let (is_zero, opposite) = (b.eq(k, zero), b.minus(zero, k));
    let (positive, negative) = (b.ge(k, one), b.ge(opposite, one));
    let (not_positive, not_negative) = (b.not(positive), b.not(negative));
    let (below, below_opposite) = (b.greater(k, rest), b.greater(opposite, rest));
    vec![b.or(&[is_zero, natural]), b.or(&[not_positive, below]), b.or(&[not_negative, below_opposite])]
}

/// `(mod a k) = a - k * (div a k)`, unless `k` is zero.
pub(super) fn mod_axioms(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[a, k] = args else { return Vec::new() };
    let Some(constant) = divisor(b.pool(), k) else { return Vec::new() };
    let q = b.mk(Op::IntDiv, &[a, k]);
    let kq = b.mk(Op::Mul, &[k, q]);
    let rest = b.minus(a, kq);
    let is = b.eq(t, rest);
    if constant.is_some() {
        return vec![is];
    }
    let zero = b.int(0);
    let is_zero = b.eq(k, zero);
    vec![b.or(&[is_zero, is])]
}

/// `a >= 0 => t = a`, `a < 0 => t = -a`
pub(super) fn abs_axioms(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[a] = args else { return Vec::new() };
    let zero = b.int(0);
    let nonneg = b.ge(a, zero);
    let negative = b.not(nonneg);
    let opposite = b.minus(zero, a);
    let (same, minus) = (b.eq(t, a), b.eq(t, opposite));
    vec![b.or(&[negative, same]), b.or(&[nonneg, minus])]
}

/// The value of a divisor if it is a constant; nothing at all if it is zero.
fn divisor(pool: &Pool, k: Term) -> Option<Option<Int>> {
    match build::int(pool, k) {
        Some(n) if n.is_zero() => None,
        other => Some(other.cloned()),
    }
}
