//! `t = (str.indexof_re s r i)`: the first place from `i` on where a match of `r` starts.
//!
//! "No match starts before `t`" is a condition on every place; where matches lie completely before `t` it is a
//! membership, elsewhere it is instantiated at the place where a candidate model is wrong ([`at_most`]).

use super::Site;
use smt::{Op, Term};

/// - `t = -1`, or `0 <= i <= t <= |s|`, a match starts at `t`, and none lies between `i` and `t`;
/// - if `0 <= i <= |s|` and `t = -1`: no match from `i` on.
pub(super) fn expansion(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[s, r, i] = args else { return Vec::new() };
    let (zero, len) = (b.int(0), b.len(s));
    let (found, inside) = (b.ge(t, zero), in_range(b, s, i));
    let (after, before_end) = (b.ge(t, i), b.ge(len, t));
    let starts = starts_at(b, s, r, t);
    let place = b.and(&[inside, after, before_end, starts]);
    let gap = b.minus(t, i);
    let (skipped, rest) = (b.substr(s, i, gap), b.substr(s, i, len));
    let all = b.mk(Op::ReAll, &[]);
    let anywhere = b.mk(Op::ReConcat, &[all, r, all]);
    let in_skipped = b.mk(Op::StrInRe, &[skipped, anywhere]);
    let in_rest = b.mk(Op::StrInRe, &[rest, anywhere]);
    let (at_start, none_skipped) = (b.ge(i, t), b.not(in_skipped));
    let (outside, none_left) = (b.not(inside), b.not(in_rest));
    let (missing, absent) = (b.int(-1), b.or(&[found, outside, none_left]));
    let is_missing = b.eq(t, missing);
    let not_found = b.not(found);
    let first = b.or(&[not_found, at_start, none_skipped]);
    vec![b.or(&[is_missing, found]), b.implies(found, place), first, absent]
}

/// A match that starts at place `k`, from `i` on, is not before the first one.
pub(crate) fn at_most(b: &mut dyn Site, t: Term, args: &[Term], k: usize) -> Term {
    let &[s, r, i] = args else { return b.pool().bool(true) };
    let (zero, len) = (b.int(0), b.len(s));
    let place = b.int(i64::try_from(k).expect("a place in a string"));
    let (from, up_to, range) = (b.ge(place, i), b.ge(len, place), in_range(b, s, i));
    let starts = starts_at(b, s, r, place);
    let there = b.and(&[range, from, up_to, starts]);
    let (found, early) = (b.ge(t, zero), b.ge(place, t));
    let first = b.and(&[found, early]);
    b.implies(there, first)
}

/// `0 <= i <= |s|`
fn in_range(b: &mut dyn Site, s: Term, i: Term) -> Term {
    let (zero, len) = (b.int(0), b.len(s));
    let (low, high) = (b.ge(i, zero), b.ge(len, i));
    b.and(&[low, high])
}

/// A match of `r` starts at place `k` of `s`.
fn starts_at(b: &mut dyn Site, s: Term, r: Term, k: Term) -> Term {
    let len = b.len(s);
    let rest = b.substr(s, k, len);
    let all = b.mk(Op::ReAll, &[]);
    let language = b.mk(Op::ReConcat, &[r, all]);
    b.mk(Op::StrInRe, &[rest, language])
}
