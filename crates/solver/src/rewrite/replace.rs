//! `str.replace` and `str.replace_all`.

use super::contains::trim_ends;
use super::indexof::shortest_with;
use super::{Cx, Rule};
use crate::build::{
    Terms, and, concat, contains, eq, int, is_empty, not, op, parts, substr, three, three_of, word,
};
use crate::entail;
use crate::entail::overlap::disjoint;
use crate::poly::Poly;
use smt::{Int, Op, Term};

pub(super) static RULES: &[Rule] = &[
    Rule::new("replace-empty", &[Op::StrReplace], of_empty),
    Rule::new("replace-same", &[Op::StrReplace, Op::StrReplaceAll], same),
    Rule::new("replace-none", &[Op::StrReplace, Op::StrReplaceAll], none),
    Rule::new("replace-first", &[Op::StrReplace], first),
    Rule::new("replace-ends", &[Op::StrReplace, Op::StrReplaceAll], ends),
    Rule::new("replace-prefix", &[Op::StrReplace], prefix),
    Rule::new("replace-whole", &[Op::StrReplace], whole),
    Rule::new("replace-again", &[Op::StrReplace], again),
    Rule::new("replace-as-eq", &[Op::StrReplace, Op::StrReplaceAll], as_eq),
    Rule::new("replace-all-split", &[Op::StrReplaceAll], all_split),
    Rule::new("replace-all-head", &[Op::StrReplaceAll], all_head),
];

/// match: `(str.replace s "" r)`; `(str.replace t t r)`
/// result: `(str.++ r s)`; `r`
fn of_empty(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u, r) = three(cx.pool, t);
    if is_empty(cx.pool, u) {
        return Some(op(cx.pool, Op::StrConcat, &[r, s]));
    }
    (s == u).then_some(r)
}

/// match: `(str.replace s t t)`, `(str.replace_all s t t)`, `(str.replace_all s "" r)`
/// result: `s`
fn same(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u, r) = three(cx.pool, t);
    let all = super::is(cx.pool, t, Op::StrReplaceAll);
    (u == r || all && is_empty(cx.pool, u)).then_some(s)
}

/// match: `(str.replace s t r)`, `(str.replace_all s t r)` with `t` never in `s`
/// result: `s`
fn none(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u, _) = three(cx.pool, t);
    (entail::contains(cx.pool, s, u) == Some(false)).then_some(s)
}

/// match: `(str.replace (str.++ p q) t r)` with `t` always in `p`
/// result: `(str.++ (str.replace p t r) q)`
fn first(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u, r) = three(cx.pool, t);
    let (p, rest) = shortest_with(cx, s, u)?;
    let mut out: Terms = [op(cx.pool, Op::StrReplace, &[p, u, r])].into_iter().collect();
    out.extend(rest);
    Some(concat(cx.pool, &out))
}

/// match: `(str.replace (str.++ a s b) t r)`, the same with `replace_all`, of constants `a`, `b`, with `t` starting or
/// ending with a constant
/// result: the same with the characters of `a` and `b` that `t` cannot overlap moved out
fn ends(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u, r) = three(cx.pool, t);
    let list: Terms = parts(cx.pool, s);
    let (mut out, middle, back) = trim_ends(cx.pool, &list, u)?;
    let (head, sort) = (cx.pool.head(t), cx.pool.sort_of(t));
    let s = concat(cx.pool, &middle);
    out.push(cx.pool.mk(head, sort, &[s, u, r]));
    out.extend(back);
    Some(concat(cx.pool, &out))
}

/// match: `(str.replace s t r)`, `(str.replace_all s t r)` with |t| >= |s|
/// result: `(ite (= s t) r s)`; for `replace_all` only if `t` is not empty
fn as_eq(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u, r) = three(cx.pool, t);
    let spare = entail::length(cx.pool, u).sub(&entail::length(cx.pool, s));
    if !entail::nonneg(cx.pool, &spare) {
        return None;
    }
    let mut same = eq(cx.pool, s, u);
    if super::is(cx.pool, t, Op::StrReplaceAll) {
        let nothing = cx.pool.string(&[]);
        let none = eq(cx.pool, u, nothing);
        let some = not(cx.pool, none);
        same = and(cx.pool, &[same, some]);
    }
    Some(op(cx.pool, Op::Ite, &[same, r, s]))
}

/// match: `(str.replace s (str.substr s 0 n) r)` with n >= 0
/// result: `(str.++ r (str.substr s n (- |s| n)))`
fn prefix(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u, r) = three(cx.pool, t);
    let (whole, from, n) = three_of(cx.pool, u, Op::StrSubstr)?;
    if whole != s || !int(cx.pool, from)?.is_zero() {
        return None;
    }
    let n = Poly::of(cx.pool, n);
    if !entail::nonneg(cx.pool, &n) {
        return None;
    }
    let rest = entail::length(cx.pool, s).sub(&n);
    let rest = substr(cx.pool, s, &n, &rest);
    Some(op(cx.pool, Op::StrConcat, &[r, rest]))
}

/// match: `(str.replace (str.replace s t s) s r)`
/// result: `(ite (str.contains s t) (str.replace s t r) r)`: no `s` starts before the first `t` of `s` does
fn whole(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (inner, s, r) = three(cx.pool, t);
    let (x, u, z) = three_of(cx.pool, inner, Op::StrReplace)?;
    if x != s || z != s {
        return None;
    }
    let (there, once) = (contains(cx.pool, s, u), op(cx.pool, Op::StrReplace, &[s, u, r]));
    Some(op(cx.pool, Op::Ite, &[there, once, r]))
}

/// match: `(str.replace (str.++ … x … x) c r)` of a single character `c`
/// result: `(str.++ (str.replace (str.++ … x …) c r) x)`
fn again(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u, r) = three(cx.pool, t);
    let list: Terms = parts(cx.pool, s);
    word(cx.pool, u).filter(|w| w.len() == 1)?;
    let (&last, before) = list.split_last()?;
    if !before.contains(&last) {
        return None;
    }
    let s = concat(cx.pool, before);
    let first = op(cx.pool, Op::StrReplace, &[s, u, r]);
    Some(op(cx.pool, Op::StrConcat, &[first, last]))
}

/// match: `(str.replace_all (str.++ a b …) w r)` with a single character `w`, or constants among the parts that it
/// cannot overlap
/// result: `(str.++ (str.replace_all a w r) (str.replace_all b w r) …)`
fn all_split(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u, r) = three(cx.pool, t);
    let list: Terms = parts(cx.pool, s);
    let w = word(cx.pool, u).filter(|w| !w.is_empty())?;
    let free: Vec<bool> =
        list.iter().map(|&a| w.len() == 1 || word(cx.pool, a).is_some_and(|c| disjoint(c, w))).collect();
    if list.len() < 2 || !free.contains(&true) {
        return None;
    }
    let (mut out, mut start) = (Terms::new(), 0);
    for i in 1..=list.len() {
        if i == list.len() || free[i] || free[i - 1] {
            let s = concat(cx.pool, &list[start..i]);
            out.push(op(cx.pool, Op::StrReplaceAll, &[s, u, r]));
            start = i;
        }
    }
    Some(concat(cx.pool, &out))
}

/// match: `(str.replace_all (str.++ c s) w r)` of constants with `w` in `c`
/// result: each `w` in `c` replaced by `r`; the characters after the last one stay with `s`
fn all_head(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u, r) = three(cx.pool, t);
    let list: Terms = parts(cx.pool, s);
    let w = word(cx.pool, u).filter(|w| !w.is_empty())?.to_vec();
    let c = word(cx.pool, *list.first()?)?.to_vec();
    let (mut out, mut done) = (Vec::new(), 0);
    let next =
        |from: usize| semantics::strings::indexof(&c, &w, &Int::from(from), semantics::Reading::Standard);
    while let Some(n) = next(done).to_usize() {
        if n > done {
            out.push(cx.pool.string(&c[done..n]));
        }
        out.push(r);
        done = n + w.len();
    }
    if done == 0 {
        return None;
    }
    let mut rest: Terms = (done < c.len()).then(|| cx.pool.string(&c[done..])).into_iter().collect();
    rest.extend_from_slice(&list[1..]);
    let rest = concat(cx.pool, &rest);
    out.push(op(cx.pool, Op::StrReplaceAll, &[rest, u, r]));
    Some(op(cx.pool, Op::StrConcat, &out))
}
