//! `t = (str.contains s u)`, and occurrences, by which `indexof`, `replace` and `replace_all` are defined.
//!
//! The first occurrence of `u` in `s` cuts `s` into `pre u post`. The pieces are skolems with one witness each, so that
//! all operators share them. That there is no earlier occurrence is again a `contains`: for `u = "ab"` and
//! `s = "cabab"` it is `(not (str.contains (str.++ "c" "a") "ab"))`, where `"a"` is `u` without its last character.

use super::Site;
use smt::{Op, Term};

/// `t => s = pre u post`. The negation has no finite expansion; see [`absent_at`].
pub(super) fn expansion(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[s, u] = args else { return Vec::new() };
    let (pre, post) = around_first(b, s, u);
    let joined = b.concat(&[pre, u, post]);
    let is = b.eq(s, joined);
    vec![b.implies(t, is)]
}

/// B-Inst: `t`, or `u` does not occur in `s` at place `k`.
pub(crate) fn absent_at(b: &mut dyn Site, t: Term, s: Term, u: Term, k: usize) -> Term {
    let place = b.int(i64::try_from(k).expect("a place in a string"));
    let (len, needle) = (b.len(s), b.len(u));
    let end = b.plus(place, needle);
    let fits = b.ge(len, end);
    let piece = b.substr(s, place, needle);
    let here = b.eq(piece, u);
    let both = b.and(&[fits, here]);
    let not = b.not(both);
    b.or(&[t, not])
}

/// The skolems before and after the first occurrence of `u` in `s`.
pub(super) fn around_first(b: &mut dyn Site, s: Term, u: Term) -> (Term, Term) {
    let zero = b.int(0);
    let at = b.mk(Op::StrIndexof, &[s, u, zero]);
    let pre = b.substr(s, zero, at);
    let (len, used) = (b.len(s), b.len(u));
    let end = b.plus(at, used);
    let post = b.substr(s, end, len);
    (b.skolem(pre), b.skolem(post))
}

/// No occurrence before the one after `pre`: `u` is not in `pre u` without the last character of `u`.
pub(super) fn is_first(b: &mut dyn Site, pre: Term, u: Term) -> Term {
    let (zero, one) = (b.int(0), b.int(1));
    let len = b.len(u);
    let shorter = b.minus(len, one);
    let start = b.substr(u, zero, shorter);
    let before = b.concat(&[pre, start]);
    let there = b.contains(before, u);
    b.not(there)
}
