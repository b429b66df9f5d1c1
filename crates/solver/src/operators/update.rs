//! `t = (str.update s i u)`: `u` written over `s` from place `i` on, cut where `s` ends.

use super::Site;
use smt::Term;

/// `|t| = |s|`
pub(super) fn axioms(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[s, ..] = args else { return Vec::new() };
    let (lt, ls) = (b.len(t), b.len(s));
    vec![b.eq(lt, ls)]
}

/// If `0 <= i < |s|`: the beginning of `s`, then of `u`, then the rest of `s`. Otherwise `t = s`.
pub(super) fn expansion(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[s, i, u] = args else { return Vec::new() };
    let (zero, len, written) = (b.int(0), b.len(s), b.len(u));
    let (low, high) = (b.ge(i, zero), b.greater(len, i));
    let (room, end) = (b.minus(len, i), b.plus(i, written));
    let parts = [b.substr(s, zero, i), b.substr(u, zero, room), b.substr(s, end, len)];
    let joined = b.concat(&parts);
    let (inside, is, same) = (b.and(&[low, high]), b.eq(t, joined), b.eq(t, s));
    vec![b.implies(inside, is), b.or(&[inside, same])]
}
