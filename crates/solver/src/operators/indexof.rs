//! `t = (str.indexof s u i)`: the first place from `i` on where `u` occurs in `s`, or -1.

use super::contains::{around_first, is_first};
use super::{Site, bounds_as_formulas};
use smt::{Op, Term};

/// `t >= -1`; if `t` is not -1, `t + |u| <= |s|` and `t >= i`.
pub(super) fn axioms(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[s, u, i] = args else { return Vec::new() };
    let minus_one = b.int(-1);
    let (full, needle) = (b.len(s), b.len(u));
    let found_fits = {
        let end = b.plus(t, needle);
        let fits = b.ge(full, end);
        let none = b.eq(t, minus_one);
        b.or(&[none, fits])
    };
    let after = {
        let later = b.ge(t, i);
        let none = b.eq(t, minus_one);
        b.or(&[none, later])
    };
    let mut out = bounds_as_formulas(b, Op::StrIndexof, t);
    out.extend([found_fits, after]);
    out
}

/// Let `r` be the rest of `s` from `i` on. If `0 <= i <= |s|` and `r` contains `u`: `r = pre u post` at the first
/// occurrence and `t = i + |pre|`, or `t = i` if `u` is empty. Otherwise `t = -1`.
pub(super) fn expansion(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[s, u, i] = args else { return Vec::new() };
    let (zero, minus_one) = (b.int(0), b.int(-1));
    let len = b.len(s);
    let left = b.minus(len, i);
    let rest = b.substr(s, i, left);
    let inside = {
        let (x, y) = (b.ge(i, zero), b.ge(len, i));
        b.and(&[x, y])
    };
    let there = b.contains(rest, u);
    let found = b.and(&[inside, there]);
    let empty = b.empty();
    let u_empty = b.eq(u, empty);
    let u_nonempty = b.not(u_empty);
    let none = b.eq(t, minus_one);
    let at_once = b.eq(t, i);
    let (pre, post) = around_first(b, rest, u);
    let joined = b.concat(&[pre, u, post]);
    let is = b.eq(rest, joined);
    let first = is_first(b, pre, u);
    let pre_len = b.len(pre);
    let place = b.plus(i, pre_len);
    let here = b.eq(t, place);
    let then = b.and(&[is, first, here]);
    let (trivial, real) = (b.and(&[inside, u_empty]), b.and(&[found, u_nonempty]));
    vec![b.or(&[found, none]), b.implies(trivial, at_once), b.implies(real, then)]
}
