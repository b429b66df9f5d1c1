//! `t = (str.substr s i m)`: the part of `s` of length `m` that starts at `i`, cut off at the end of `s`.

use super::Site;
use smt::{Head, Term};

/// Bounds of the length: at most `|s|`; at most `m`; `m` if it fits; at most what follows a constant `i`.
pub(super) fn axioms(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[s, i, m] = args else { return Vec::new() };
    let (len, full) = (b.len(t), b.len(s));
    let zero = b.int(0);
    let end = b.plus(i, m);
    let mut out = vec![b.ge(full, len)];
    // m >= 0 => |t| <= m
    let (nonneg, short) = (b.ge(m, zero), b.ge(m, len));
    let negative = b.not(nonneg);
    out.push(b.or(&[negative, short]));
    // 0 <= i, 0 <= m, i + m <= |s| => |t| = m
    let (from, fits) = (b.ge(i, zero), b.ge(full, end));
    let exact = b.eq(len, m);
    let conditions = b.and(&[nonneg, from, fits]);
    out.push(b.implies(conditions, exact));
    // |t| = 0, or i + |t| <= |s|
    if matches!(b.pool().head(i), Head::Int(_)) {
        let (none, after) = (b.ge(zero, len), b.plus(i, len));
        let inside = b.ge(full, after);
        out.push(b.or(&[none, inside]));
    }
    out
}

/// If `0 <= i < |s|` and `0 < m`: `s = pre t post`, `|pre| = i`, and `|t| = m` or `post = ""`. Otherwise `t = ""`.
pub(super) fn expansion(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[s, i, m] = args else { return Vec::new() };
    let (zero, one) = (b.int(0), b.int(1));
    let len = b.len(s);
    let inside = {
        let (x, y, z) = (b.ge(i, zero), b.greater(len, i), b.ge(m, one));
        b.and(&[x, y, z])
    };
    let end = b.plus(i, m);
    let pre = b.substr(s, zero, i);
    let pre = b.skolem(pre);
    let left = b.minus(len, end);
    let post = b.substr(s, end, left);
    let post = b.skolem(post);
    let joined = b.concat(&[pre, t, post]);
    let mut parts = vec![b.eq(s, joined)];
    let pre_len = b.len(pre);
    parts.push(b.eq(pre_len, i));
    let (t_len, fits, empty) = (b.len(t), b.ge(len, end), b.empty());
    let (exact, no_rest) = (b.eq(t_len, m), b.eq(post, empty));
    parts.push(b.implies(fits, exact));
    parts.push(b.or(&[fits, no_rest]));
    let then = b.and(&parts);
    let otherwise = b.eq(t, empty);
    vec![b.implies(inside, then), b.or(&[inside, otherwise])]
}
