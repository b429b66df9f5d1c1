//! `(str.replace s u w)` and `(str.replace_all s u w)`.

use super::Site;
use super::contains::{around_first, is_first};
use smt::{Op, Term};

/// Bounds of the length of `t = (str.replace s u w)`: between `|s| - |u|` and `|s| + |w|`.
pub(super) fn axioms(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[s, u, w] = args else { return Vec::new() };
    let (len, of_s, of_u, of_w) = (b.len(t), b.len(s), b.len(u), b.len(w));
    let longest = b.plus(of_s, of_w);
    let remaining = b.minus(of_s, of_u);
    vec![b.ge(longest, len), b.ge(len, remaining)]
}

/// If `s` does not contain `u`: `t = s`. If `u` is empty: `t = w s`. Otherwise `s = pre u post` at the first occurrence
/// and `t = pre w post`.
pub(super) fn expansion(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[s, u, w] = args else { return Vec::new() };
    let there = b.contains(s, u);
    let same = b.eq(t, s);
    let empty = b.empty();
    let u_empty = b.eq(u, empty);
    let before = b.concat(&[w, s]);
    let front = b.eq(t, before);
    let (pre, post) = around_first(b, s, u);
    let replaced = first_replaced(b, [t, s, u, w], pre, post, post);
    let u_nonempty = b.not(u_empty);
    let real = b.and(&[there, u_nonempty]);
    vec![b.or(&[there, same]), b.implies(u_empty, front), b.implies(real, replaced)]
}

/// One step of `replace_all`: the first occurrence is replaced, and all occurrences in the rest after it.
pub(super) fn all_expansion(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[s, u, w] = args else { return Vec::new() };
    let there = b.contains(s, u);
    let same = b.eq(t, s);
    let empty = b.empty();
    let u_empty = b.eq(u, empty);
    let (pre, post) = around_first(b, s, u);
    let rest = b.mk(Op::StrReplaceAll, &[post, u, w]);
    let replaced = first_replaced(b, [t, s, u, w], pre, post, rest);
    let u_nonempty = b.not(u_empty);
    let real = b.and(&[there, u_nonempty]);
    vec![b.or(&[there, same]), b.implies(u_empty, same), b.implies(real, replaced)]
}

/// `s = pre u post` at the first occurrence, and `t = pre w rest`.
fn first_replaced(b: &mut dyn Site, [t, s, u, w]: [Term; 4], pre: Term, post: Term, rest: Term) -> Term {
    let (old, new) = (b.concat(&[pre, u, post]), b.concat(&[pre, w, rest]));
    let (was, is) = (b.eq(s, old), b.eq(t, new));
    let first = is_first(b, pre, u);
    b.and(&[was, is, first])
}
