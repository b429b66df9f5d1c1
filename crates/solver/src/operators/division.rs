//! `div` and `mod` by constants, and `abs`, by linear arithmetic.

use super::Site;
use crate::build;
use smt::{Int, Op, Pool, Term};

/// `0 <= a - k*q < |k|` for `q = (div a k)`, `k` a constant other than zero.
pub(super) fn div_axioms(b: &mut dyn Site, q: Term, args: &[Term]) -> Vec<Term> {
    let &[a, k] = args else { return Vec::new() };
    let Some(value) = divisor(b.pool(), k) else { return Vec::new() };
    let kq = b.mk(Op::Mul, &[k, q]);
    let rest = b.minus(a, kq);
    let (zero, most) = (b.int(0), b.pool().int(value.abs() - Int::ONE));
    vec![b.ge(rest, zero), b.ge(most, rest)]
}

/// `(mod a k) = a - k * (div a k)`, `k` a constant other than zero.
pub(super) fn mod_axioms(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[a, k] = args else { return Vec::new() };
    if divisor(b.pool(), k).is_none() {
        return Vec::new();
    }
    let q = b.mk(Op::IntDiv, &[a, k]);
    let kq = b.mk(Op::Mul, &[k, q]);
    let rest = b.minus(a, kq);
    vec![b.eq(t, rest)]
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

/// The value of a constant divisor other than zero.
fn divisor(pool: &Pool, k: Term) -> Option<Int> {
    build::int(pool, k).filter(|n| !n.is_zero()).cloned()
}
