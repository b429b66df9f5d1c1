//! Positions.

use super::build::{Terms, concat, is_empty, op, parts, three, word};
use super::contains::trim_back;
use super::{Cx, Rule};
use crate::entail;
use crate::poly::Poly;
use smt::{Int, Op, Term};

pub(super) static RULES: &[Rule] = &[
    Rule { name: "indexof-none", ops: &[Op::StrIndexof], apply: none },
    Rule { name: "indexof-start", ops: &[Op::StrIndexof], apply: start },
    Rule { name: "indexof-first", ops: &[Op::StrIndexof], apply: first },
    Rule { name: "indexof-tail", ops: &[Op::StrIndexof], apply: tail },
    Rule { name: "indexof-head", ops: &[Op::StrIndexof], apply: head },
];

/// match: `(str.indexof s t n)` with n < 0, |t| + n > |s|, or `t` never in `s`
/// result: `-1`
fn none(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u, n) = three(cx.pool, t);
    let n = Poly::of(cx.pool, n);
    let past = n.add(&entail::length(cx.pool, u)).sub(&entail::length(cx.pool, s));
    let nowhere = entail::positive(cx.pool, &past)
        || entail::positive(cx.pool, &n.scale(&Int::MINUS_ONE))
        || entail::contains(cx.pool, s, u) == Some(false);
    nowhere.then(|| cx.pool.int(-1))
}

/// match: `(str.indexof s "" n)` with 0 <= n <= |s|; `(str.indexof (str.++ t r) t 0)`
/// result: `n`; `0`
fn start(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u, n) = three(cx.pool, t);
    let from = Poly::of(cx.pool, n);
    if is_empty(cx.pool, u) {
        let rest = entail::length(cx.pool, s).sub(&from);
        let inside = entail::nonneg(cx.pool, &from) && entail::nonneg(cx.pool, &rest);
        return inside.then_some(n);
    }
    if from != Poly::default() {
        return None;
    }
    let (hay, needle) = (parts(cx.pool, s), parts(cx.pool, u));
    let (last, before) = needle.split_last()?;
    if hay.len() < needle.len() || hay[..before.len()] != *before {
        return None;
    }
    let there = hay[before.len()];
    let prefix = there == *last
        || matches!((word(cx.pool, there), word(cx.pool, *last)), (Some(a), Some(b)) if a.starts_with(b));
    prefix.then_some(n)
}

/// match: `(str.indexof (str.++ p r) t 0)` with `t` surely in `p`
/// result: `(str.indexof p t 0)`
fn first(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u, n) = three(cx.pool, t);
    if Poly::of(cx.pool, n) != Poly::default() {
        return None;
    }
    let p = shortest_with(cx, s, u)?;
    Some(op(cx.pool, Op::StrIndexof, &[p.0, u, n]))
}

/// The fewest parts at the front of `s` that surely contain `t`, and the others.
pub(super) fn shortest_with(cx: &mut Cx<'_>, s: Term, t: Term) -> Option<(Term, Terms)> {
    let list: Terms = parts(cx.pool, s);
    for i in 1..list.len() {
        let p = concat(cx.pool, &list[..i]);
        if entail::contains(cx.pool, p, t) == Some(true) {
            return Some((p, list[i..].into()));
        }
    }
    None
}

/// match: `(str.indexof (str.++ r c) w n)` of constants, `w` not empty and not in `c`
/// result: with only as much of `c` as `w` can overlap
fn tail(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u, n) = three(cx.pool, t);
    let w = word(cx.pool, u).filter(|w| !w.is_empty())?.to_vec();
    let list: Terms = parts(cx.pool, s);
    let (rest, gone) = trim_back(cx.pool, &list, &w);
    if gone.is_empty() {
        return None;
    }
    let s = concat(cx.pool, &rest);
    Some(op(cx.pool, Op::StrIndexof, &[s, u, n]))
}

/// match: `(str.indexof (str.++ c r) w 0)` of constants, with an occurrence of `w` that is sure but not in `c`
/// result: `(+ k (str.indexof … w 0))` without the first `k` characters, which `w` cannot overlap
fn head(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u, n) = three(cx.pool, t);
    if Poly::of(cx.pool, n) != Poly::default() || entail::contains(cx.pool, s, u) != Some(true) {
        return None;
    }
    let w = word(cx.pool, u).filter(|w| !w.is_empty())?.to_vec();
    let list: Terms = parts(cx.pool, s);
    let (gone, rest) = super::contains::trim_front(cx.pool, &list, &w);
    let k = word(cx.pool, *gone.first()?)?.len();
    let s = concat(cx.pool, &rest);
    let later = op(cx.pool, Op::StrIndexof, &[s, u, n]);
    Some(Poly::monomial(later).shift(Int::from(k)).to_term(cx.pool))
}
