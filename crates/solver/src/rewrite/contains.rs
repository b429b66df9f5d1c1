//! Containment.

use super::{Cx, Rule};
use crate::build::{Terms, concat, contains, eq, is, or, parts, three, two, word};
use crate::entail;
use crate::entail::overlap::{disjoint, first_start, last_end};
use smt::{Int, Op, Pool, Term};

pub(super) static RULES: &[Rule] = &[
    Rule::new("contains-known", &[Op::StrContains], known),
    Rule::new("contains-equal", &[Op::StrContains], equal),
    Rule::new("contains-tiny", &[Op::StrContains], tiny),
    Rule::new("contains-char", &[Op::StrContains], single),
    Rule::new("contains-ends", &[Op::StrContains], ends),
    Rule::new("contains-split", &[Op::StrContains], split),
    Rule::new("contains-replaced", &[Op::StrContains], replaced),
];

/// match: `(str.contains s t)` that is entailed, or whose negation is
/// result: `true`, `false`
fn known(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u) = two(cx.pool, t)?;
    let b = entail::contains(cx.pool, s, u)?;
    Some(cx.pool.bool(b))
}

/// match: `(str.contains s t)` with |t| >= |s|
/// result: `(= s t)`
fn equal(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u) = two(cx.pool, t)?;
    let spare = entail::length(cx.pool, u).sub(&entail::length(cx.pool, s));
    entail::nonneg(cx.pool, &spare).then(|| eq(cx.pool, s, u))
}

/// match: `(str.contains (str.++ a b …) c)` of a single character `c`
/// result: `(or (str.contains a c) …)`
fn single(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, c) = two(cx.pool, t)?;
    if word(cx.pool, c)?.len() != 1 || !is(cx.pool, s, Op::StrConcat) {
        return None;
    }
    let list: Terms = parts(cx.pool, s);
    let any: Terms = list.iter().map(|&a| contains(cx.pool, a, c)).collect();
    Some(or(cx.pool, &any))
}

/// The constant that an occurrence of `t` starts with, and the one that it ends with.
pub(super) fn affixes(pool: &Pool, t: Term) -> (Vec<u32>, Vec<u32>) {
    let list = parts(pool, t);
    let constant = |a: Option<&Term>| a.and_then(|&a| word(pool, a)).unwrap_or(&[]).to_vec();
    (constant(list.first()), constant(list.last()))
}

/// Splits a string into the front, middle and back such that no occurrence of `t` overlaps the front or the back. None
/// if both are empty.
pub(super) fn trim_ends(pool: &mut Pool, list: &[Term], t: Term) -> Option<(Terms, Terms, Terms)> {
    let (start, end) = affixes(pool, t);
    let (front, middle) = trim_front(pool, list, &start);
    let (middle, back) = trim_back(pool, &middle, &end);
    (!front.is_empty() || !back.is_empty()).then_some((front, middle, back))
}

/// Splits off the front before the first position at which a string that starts with `w` can start.
pub(super) fn trim_front(pool: &mut Pool, list: &[Term], w: &[u32]) -> (Terms, Terms) {
    let first = list.first().and_then(|&a| word(pool, a)).map(<[u32]>::to_vec);
    let gone = first.as_ref().map_or(0, |first| if w.is_empty() { 0 } else { first_start(first, w) });
    let Some(first) = first.filter(|_| gone > 0) else {
        return (Terms::new(), list.into());
    };
    let (gone, kept) = first.split_at(gone);
    let front = pool.string(gone);
    let mut rest: Terms = (!kept.is_empty()).then(|| pool.string(kept)).into_iter().collect();
    rest.extend_from_slice(&list[1..]);
    ([front].into_iter().collect(), rest)
}

/// Splits off the back after the last position at which a string that ends with `w` can end.
pub(super) fn trim_back(pool: &mut Pool, list: &[Term], w: &[u32]) -> (Terms, Terms) {
    let last = list.last().and_then(|&a| word(pool, a)).map(<[u32]>::to_vec);
    let keep = |last: &Vec<u32>| if w.is_empty() { last.len() } else { last_end(last, w) };
    let Some((last, keep)) =
        last.map(|last| (keep(&last), last)).map(|(k, l)| (l, k)).filter(|(l, k)| *k < l.len())
    else {
        return (list.into(), Terms::new());
    };
    let (kept, gone) = last.split_at(keep);
    let back = pool.string(gone);
    let mut rest: Terms = list[..list.len() - 1].into();
    rest.extend((!kept.is_empty()).then(|| pool.string(kept)));
    (rest, [back].into_iter().collect())
}

/// match: `(str.contains (str.++ a r b) t)` of constants `a`, `b`, with `t` starting or ending with a constant
/// result: the same without the characters of `a` and `b` that `t` cannot overlap
fn ends(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u) = two(cx.pool, t)?;
    let list: Terms = parts(cx.pool, s);
    let (_, middle, _) = trim_ends(cx.pool, &list, u)?;
    let s = concat(cx.pool, &middle);
    Some(contains(cx.pool, s, u))
}

/// match: `(str.contains s t)` with |s| <= 1
/// result: `(or (= t "") (= t s))`
fn tiny(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u) = two(cx.pool, t)?;
    let size = entail::length(cx.pool, s);
    if !entail::nonneg(cx.pool, &size.scale(&Int::MINUS_ONE).shift(1)) {
        return None;
    }
    let nothing = cx.pool.string(&[]);
    let any = [eq(cx.pool, u, nothing), eq(cx.pool, u, s)];
    Some(or(cx.pool, &any))
}

/// match: `(str.contains (str.++ a c b …) w)` of constants `c`, … and `w` that cannot overlap
/// result: `(or (str.contains a w) (str.contains b w) …)`
fn split(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u) = two(cx.pool, t)?;
    let w = word(cx.pool, u)?.to_vec();
    let list: Terms = parts(cx.pool, s);
    let between = |a: &Term| word(cx.pool, *a).is_some_and(|c| disjoint(c, &w));
    let groups: Vec<&[Term]> = list.split(between).collect();
    if groups.len() < 2 {
        return None;
    }
    let mut any = Terms::new();
    for group in groups.into_iter().filter(|g| !g.is_empty()) {
        let s = concat(cx.pool, group);
        any.push(contains(cx.pool, s, u));
    }
    Some(or(cx.pool, &any))
}

/// match: `(str.contains (str.replace x y z) z)`; `(str.contains (str.replace x y z) y)` with `z` the same as `x` or
/// containing `y`; `(str.contains (str.replace x y z) c)` of a character `c` that the constants `y` and `z` do
/// not have
/// result: `(or (str.contains x y) (str.contains x z))`; `(str.contains x y)`; `(str.contains x c)`
fn replaced(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u) = two(cx.pool, t)?;
    if !is(cx.pool, s, Op::StrReplace) {
        return None;
    }
    let (x, y, z) = three(cx.pool, s);
    if z == u {
        let any = [contains(cx.pool, x, y), contains(cx.pool, x, z)];
        return Some(or(cx.pool, &any));
    }
    if y == u && (z == x || entail::contains(cx.pool, z, y) == Some(true)) {
        return Some(contains(cx.pool, x, y));
    }
    let (c, y, z) = (word(cx.pool, u)?, word(cx.pool, y)?, word(cx.pool, z)?);
    let untouched = matches!(c, [c] if !y.contains(c) && !z.contains(c));
    untouched.then(|| contains(cx.pool, x, u))
}
