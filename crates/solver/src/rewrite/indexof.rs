//! `str.indexof`.

use super::contains::{affixes, trim_back, trim_front};
use super::{Cx, Rule};
use crate::build::{Terms, and, concat, eq, ge0, int, is_empty, op, parts, three, three_of, word};
use crate::entail;
use crate::entail::overlap::first_start;
use crate::entail::words;
use crate::poly::Poly;
use smt::{Int, Op, Term};

pub(super) static RULES: &[Rule] = &[
    Rule::new("indexof-none", &[Op::StrIndexof], none),
    Rule::new("indexof-start", &[Op::StrIndexof], start),
    Rule::new("indexof-first", &[Op::StrIndexof], first),
    Rule::new("indexof-tail", &[Op::StrIndexof], tail),
    Rule::new("indexof-empty", &[Op::StrIndexof], of_empty),
    Rule::new("indexof-again", &[Op::StrIndexof], again),
    Rule::new("indexof-advance", &[Op::StrIndexof], advance),
    Rule::new("indexof-as-eq", &[Op::StrIndexof], as_eq),
    Rule::new("indexof-head", &[Op::StrIndexof], head),
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

/// match: `(str.indexof s "" n)` with 0 <= n <= |s|; `(str.indexof (str.++ t r) t 0)`, `(str.indexof s (str.substr s 0
/// m) 0)`
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
    if let Some((whole, first, _)) = three_of(cx.pool, u, Op::StrSubstr)
        && whole == s
        && int(cx.pool, first).is_some_and(Int::is_zero)
    {
        return Some(n);
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

/// match: `(str.indexof (str.++ p r) t 0)` with `t` always in `p`
/// result: `(str.indexof p t 0)`
fn first(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u, n) = three(cx.pool, t);
    if Poly::of(cx.pool, n) != Poly::default() {
        return None;
    }
    let p = shortest_with(cx, s, u)?;
    Some(op(cx.pool, Op::StrIndexof, &[p.0, u, n]))
}

/// The shortest front of `s` that always contains `t`, and the rest.
pub(super) fn shortest_with(cx: &mut Cx<'_>, s: Term, t: Term) -> Option<(Term, Terms)> {
    let list: Terms = parts(cx.pool, s);
    let n = words::first_found(cx.pool, &list, t).filter(|&n| n < list.len())?;
    Some((concat(cx.pool, &list[..n]), list[n..].into()))
}

/// match: `(str.indexof (str.++ r c) t n)` of a constant `c`, with `t` ending with a constant
/// result: the same without the characters of `c` that `t` cannot overlap
fn tail(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u, n) = three(cx.pool, t);
    let (_, w) = affixes(cx.pool, u);
    let list: Terms = parts(cx.pool, s);
    let (rest, gone) = trim_back(cx.pool, &list, &w);
    if gone.is_empty() {
        return None;
    }
    let s = concat(cx.pool, &rest);
    Some(op(cx.pool, Op::StrIndexof, &[s, u, n]))
}

/// match: `(str.indexof (str.++ c r) t 0)` of a constant `c`, with `t` starting with a constant and always in it
/// result: `(+ k (str.indexof … t 0))` without the first `k` characters, which `t` cannot overlap
fn head(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u, n) = three(cx.pool, t);
    if Poly::of(cx.pool, n) != Poly::default() || entail::contains(cx.pool, s, u) != Some(true) {
        return None;
    }
    let (w, _) = affixes(cx.pool, u);
    let list: Terms = parts(cx.pool, s);
    let (gone, rest) = trim_front(cx.pool, &list, &w);
    let k = word(cx.pool, *gone.first()?)?.len();
    let s = concat(cx.pool, &rest);
    let later = op(cx.pool, Op::StrIndexof, &[s, u, n]);
    Some(Poly::monomial(later).shift(Int::from(k)).to_term(cx.pool))
}

/// match: `(str.indexof s t 0)` with |t| >= |s|
/// result: `(ite (= s t) 0 -1)`
fn as_eq(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u, n) = three(cx.pool, t);
    if Poly::of(cx.pool, n) != Poly::default() {
        return None;
    }
    let spare = entail::length(cx.pool, u).sub(&entail::length(cx.pool, s));
    if !entail::nonneg(cx.pool, &spare) {
        return None;
    }
    let (same, none) = (eq(cx.pool, s, u), cx.pool.int(-1));
    Some(op(cx.pool, Op::Ite, &[same, n, none]))
}

/// match: `(str.indexof (str.++ c r) t n)` of a constant `c` and a constant n > 0, with `t` starting with a constant
/// result: the first position from n on where `t` can start; that position if all of `t` is there
fn advance(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u, n) = three(cx.pool, t);
    let n = int(cx.pool, n)?.to_usize().filter(|&n| n > 0)?;
    let (w, _) = affixes(cx.pool, u);
    if w.is_empty() {
        return None;
    }
    let list: Terms = parts(cx.pool, s);
    let c = word(cx.pool, *list.first()?).filter(|c| n <= c.len())?;
    let there = n + first_start(&c[n..], &w);
    if word(cx.pool, u).is_some() && c[there..].starts_with(&w) {
        return Some(cx.pool.int(Int::from(there)));
    }
    let there = cx.pool.int(Int::from(there));
    Some(op(cx.pool, Op::StrIndexof, &[s, u, there]))
}

/// match: `(str.indexof s "" n)`
/// result: `(ite (and (>= n 0) (<= n |s|)) n -1)`
fn of_empty(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u, n) = three(cx.pool, t);
    if !is_empty(cx.pool, u) {
        return None;
    }
    let from = Poly::of(cx.pool, n);
    let rest = entail::length(cx.pool, s).sub(&from);
    let inside = [ge0(cx.pool, &from), ge0(cx.pool, &rest)];
    let (inside, none) = (and(cx.pool, &inside), cx.pool.int(-1));
    Some(op(cx.pool, Op::Ite, &[inside, n, none]))
}

/// match: `(str.indexof (str.++ … x … x) c 0)` of a single character `c`
/// result: `(str.indexof (str.++ … x …) c 0)`
fn again(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u, n) = three(cx.pool, t);
    let list: Terms = parts(cx.pool, s);
    word(cx.pool, u).filter(|w| w.len() == 1)?;
    let (last, before) = list.split_last()?;
    if !int(cx.pool, n)?.is_zero() || !before.contains(last) {
        return None;
    }
    let s = concat(cx.pool, before);
    Some(op(cx.pool, Op::StrIndexof, &[s, u, n]))
}
