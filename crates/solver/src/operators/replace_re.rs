//! `t = (str.replace_re s r u)`: the first and there shortest match of `r` in `s`, replaced by `u`; and `str.replace_re_all`, which replaces all
//! that are not empty.
//!
//! The match is at `(str.indexof_re s r 0)`, and its length is what `s` loses if it is replaced by nothing. It is in `r`,
//! and no shorter beginning of it is.

use super::Site;
use smt::{Op, Term};

/// Without a match, `t = s`. Otherwise `s = pre m post` with `m` in `r`, but not in `r` followed by anything, and
/// `t = pre u post`.
pub(super) fn expansion(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[s, r, u] = args else { return Vec::new() };
    first_replaced(b, [t, s, r, u], |_, post| post)
}

/// One step of `replace_re_all`: the first match that is not empty is replaced, and all in the rest after it.
pub(super) fn all_expansion(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[s, r, u] = args else { return Vec::new() };
    let (any, all) = (b.mk(Op::ReAllchar, &[]), b.mk(Op::ReAll, &[]));
    let something = b.mk(Op::ReConcat, &[any, all]);
    let nonempty = b.mk(Op::ReInter, &[r, something]);
    first_replaced(b, [t, s, nonempty, u], |b, post| b.mk(Op::StrReplaceReAll, &[post, r, u]))
}

/// `t = pre u rest(post)` where `s = pre m post` at the first match.
fn first_replaced(
    b: &mut dyn Site,
    [t, s, r, u]: [Term; 4],
    rest: impl FnOnce(&mut dyn Site, Term) -> Term,
) -> Vec<Term> {
    let (zero, empty, len) = (b.int(0), b.empty(), b.len(s));
    let at = b.mk(Op::StrIndexofRe, &[s, r, zero]);
    let removed = b.mk(Op::StrReplaceRe, &[s, r, empty]);
    let kept = b.len(removed);
    let count = b.minus(len, kept);
    let end = b.plus(at, count);
    let pieces = [b.substr(s, zero, at), b.substr(s, at, count), b.substr(s, end, len)];
    let [pre, matched, post] = pieces.map(|piece| b.skolem(piece));
    let rest = rest(b, post);
    let (old, new) = (b.concat(&[pre, matched, post]), b.concat(&[pre, u, rest]));
    let (any, all) = (b.mk(Op::ReAllchar, &[]), b.mk(Op::ReAll, &[]));
    let longer = b.mk(Op::ReConcat, &[r, any, all]);
    let (found, start) = (b.ge(at, zero), b.len(pre));
    let facts = [b.eq(s, old), b.eq(t, new), b.eq(start, at), b.mk(Op::StrInRe, &[matched, r]), {
        let not_shortest = b.mk(Op::StrInRe, &[matched, longer]);
        b.not(not_shortest)
    }];
    let (replaced, same) = (b.and(&facts), b.eq(t, s));
    vec![b.implies(found, replaced), b.or(&[found, same])]
}
