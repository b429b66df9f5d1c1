//! `t = (str.replace_re s r u)`: the first and there shortest match of `r` in `s`, replaced by `u`.
//!
//! The match is at `(str.indexof_re s r 0)`, and its length is what `s` loses if it is replaced by nothing. It is in `r`,
//! and no shorter beginning of it is.

use super::Site;
use smt::{Op, Term};

/// Without a match, `t = s`. Otherwise `s = pre m post` with `m` in `r`, but not in `r` followed by anything, and
/// `t = pre u post`.
pub(super) fn expansion(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[s, r, u] = args else { return Vec::new() };
    let (zero, empty, len) = (b.int(0), b.empty(), b.len(s));
    let at = b.mk(Op::StrIndexofRe, &[s, r, zero]);
    let removed = b.mk(Op::StrReplaceRe, &[s, r, empty]);
    let kept = b.len(removed);
    let count = b.minus(len, kept);
    let end = b.plus(at, count);
    let pieces = [b.substr(s, zero, at), b.substr(s, at, count), b.substr(s, end, len)];
    let [pre, matched, post] = pieces.map(|piece| b.skolem(piece));
    let (old, new) = (b.concat(&[pre, matched, post]), b.concat(&[pre, u, post]));
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
