//! `str.substr`, `str.at`, prefixes and suffixes.

use super::{Cx, Rule};
use crate::build::{Terms, concat, empty, int, is, op, parts, substr, three, two, word};
use crate::entail;
use crate::poly::Poly;
use smt::{Head, Int, Op, Pool, Term};

pub(super) static RULES: &[Rule] = &[
    Rule::new("at", &[Op::StrAt], at),
    Rule::new("substr-empty", &[Op::StrSubstr], substr_empty),
    Rule::new("substr-whole", &[Op::StrSubstr], substr_whole),
    Rule::new("substr-skip", &[Op::StrSubstr], substr_skip),
    Rule::new("substr-drop", &[Op::StrSubstr], substr_drop),
    Rule::new("substr-pull-head", &[Op::StrSubstr], substr_pull_head),
    Rule::new("substr-pull-tail", &[Op::StrSubstr], substr_pull_tail),
    Rule::new("substr-nested", &[Op::StrSubstr], substr_nested),
    Rule::new("substr-to-end", &[Op::StrSubstr], substr_to_end),
    Rule::new("prefixof", &[Op::StrPrefixof], prefixof),
    Rule::new("suffixof-strip", &[Op::StrSuffixof], suffixof_strip),
    Rule::new("suffixof", &[Op::StrSuffixof], suffixof),
];

struct Cut {
    s: Term,
    from: Poly,
    count: Poly,
    len: Poly,
}

fn cut(pool: &mut Pool, t: Term) -> Cut {
    let (s, n, m) = three(pool, t);
    Cut { s, from: Poly::of(pool, n), count: Poly::of(pool, m), len: entail::length(pool, s) }
}

/// Parts of a concatenation that is cut part by part, at most.
const MAX_PARTS: usize = 300;

/// Checks that the argument is a concatenation of at most [`MAX_PARTS`] parts, or a constant if allowed.
fn composite(pool: &Pool, t: Term, or_constant: bool) -> Option<()> {
    let s = pool.args(t)[0];
    let fits = is(pool, s, Op::StrConcat) && pool.args(s).len() <= MAX_PARTS;
    (fits || or_constant && word(pool, s).is_some()).then_some(())
}

/// match: `(str.at s n)`
/// result: `(str.substr s n 1)`
fn at(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, n) = two(cx.pool, t)?;
    let one = cx.pool.int(1);
    Some(op(cx.pool, Op::StrSubstr, &[s, n, one]))
}

/// match: `(str.substr s n m)` with n < 0, m <= 0 or n >= |s|
/// result: `""`
fn substr_empty(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let c = cut(cx.pool, t);
    let nothing = entail::nonneg(cx.pool, &c.from.scale(&Int::MINUS_ONE).shift(-1))
        || entail::nonneg(cx.pool, &c.count.scale(&Int::MINUS_ONE))
        || entail::nonneg(cx.pool, &c.from.sub(&c.len));
    nothing.then(|| empty(cx.pool))
}

/// match: `(str.substr s 0 m)` with m >= |s|
/// result: `s`
fn substr_whole(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    if !int(cx.pool, cx.pool.args(t)[1]).is_some_and(Int::is_zero) {
        return None;
    }
    let c = cut(cx.pool, t);
    entail::nonneg(cx.pool, &c.count.sub(&c.len)).then_some(c.s)
}

/// match: `(str.substr (str.++ a r) n m)` with n >= |a|, or n constant and `a` a constant, which is then split
/// result: `(str.substr r (- n |a|) m)`
fn substr_skip(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    composite(cx.pool, t, true)?;
    let c = cut(cx.pool, t);
    let list: Terms = parts(cx.pool, c.s);
    let (mut from, mut skipped, mut rest) = (c.from, 0, None);
    while skipped < list.len() {
        let part = list[skipped];
        let size = entail::length(cx.pool, part);
        if entail::nonneg(cx.pool, &from.sub(&size)) {
            from = from.sub(&size);
            skipped += 1;
            continue;
        }
        let n = from.value().and_then(Int::to_usize).filter(|&n| n > 0);
        if let (Some(n), Some(w)) = (n, word(cx.pool, part)) {
            let w = w[n..].to_vec();
            rest = Some(cx.pool.string(&w));
            from = Poly::default();
            skipped += 1;
        }
        break;
    }
    if skipped == 0 {
        return None;
    }
    let mut left: Terms = rest.into_iter().collect();
    left.extend_from_slice(&list[skipped..]);
    let s = concat(cx.pool, &left);
    Some(substr(cx.pool, s, &from, &c.count))
}

/// match: `(str.substr (str.++ p r) n m)` with n + m <= |p|; a constant at the end of `p` is cut if n + m is constant
/// result: `(str.substr p n m)`
fn substr_drop(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    composite(cx.pool, t, true)?;
    let c = cut(cx.pool, t);
    let end = c.from.add(&c.count);
    let list: Terms = parts(cx.pool, c.s);
    let mut before = Poly::default();
    for (i, &part) in list.iter().enumerate() {
        // The number of characters of this part that are needed, at most.
        let need = end.sub(&before);
        if let (Some(n), Some(w)) = (need.value(), word(cx.pool, part)) {
            let n = if n.is_negative() { 0 } else { n.to_usize().unwrap_or(usize::MAX) };
            if n < w.len() {
                let w = w[..n].to_vec();
                let mut kept: Terms = list[..i].into();
                if n > 0 {
                    kept.push(cx.pool.string(&w));
                }
                let s = concat(cx.pool, &kept);
                return Some(substr(cx.pool, s, &c.from, &c.count));
            }
        }
        before = before.add(&entail::length(cx.pool, part));
        if i + 1 < list.len() && entail::nonneg(cx.pool, &before.sub(&end)) {
            let s = concat(cx.pool, &list[..=i]);
            return Some(substr(cx.pool, s, &c.from, &c.count));
        }
    }
    None
}

/// match: `(str.substr (str.++ a r) 0 m)` with m >= |a|
/// result: `(str.++ a (str.substr r 0 (- m |a|)))`
fn substr_pull_head(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    composite(cx.pool, t, false)?;
    let c = cut(cx.pool, t);
    if c.from != Poly::default() {
        return None;
    }
    let list: Terms = parts(cx.pool, c.s);
    let (mut count, mut pulled) = (c.count, 0);
    while pulled + 1 < list.len() {
        let left = count.sub(&entail::length(cx.pool, list[pulled]));
        if !entail::nonneg(cx.pool, &left) {
            break;
        }
        count = left;
        pulled += 1;
    }
    if pulled == 0 {
        return None;
    }
    let rest = concat(cx.pool, &list[pulled..]);
    let rest = substr(cx.pool, rest, &Poly::default(), &count);
    let mut out: Terms = list[..pulled].into();
    out.push(rest);
    Some(concat(cx.pool, &out))
}

/// match: `(str.substr (str.++ p a) n m)` with 0 <= n <= |p| and n + m >= |p a|
/// result: `(str.++ (str.substr p n (- |p| n)) a)`
fn substr_pull_tail(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    composite(cx.pool, t, false)?;
    let c = cut(cx.pool, t);
    let list: Terms = parts(cx.pool, c.s);
    if list.len() < 2
        || !entail::nonneg(cx.pool, &c.from)
        || !entail::nonneg(cx.pool, &c.from.add(&c.count).sub(&c.len))
    {
        return None;
    }
    let (mut kept, mut before) = (list.len(), c.len.clone());
    while kept > 1 {
        let left = before.sub(&entail::length(cx.pool, list[kept - 1]));
        if !entail::nonneg(cx.pool, &left.sub(&c.from)) {
            break;
        }
        before = left;
        kept -= 1;
    }
    if kept == list.len() {
        return None;
    }
    let front = concat(cx.pool, &list[..kept]);
    let mut out: Terms = [substr(cx.pool, front, &c.from, &before.sub(&c.from))].into_iter().collect();
    out.extend_from_slice(&list[kept..]);
    Some(concat(cx.pool, &out))
}

/// match: `(str.substr (str.substr s n m) i k)` with n, i >= 0 and k at most, or at least, the rest
/// result: `(str.substr s (+ n i) …)` with the smaller one of k and m - i
fn substr_nested(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (inner, i, k) = three(cx.pool, t);
    if !is(cx.pool, inner, Op::StrSubstr) {
        return None;
    }
    let (s, n, m) = three(cx.pool, inner);
    let [i, k, n, m] = [i, k, n, m].map(|p| Poly::of(cx.pool, p));
    if !entail::nonneg(cx.pool, &n) || !entail::nonneg(cx.pool, &i) {
        return None;
    }
    // The requested and the available length after i are compared by the length of the inner string as well.
    let left = m.sub(&i);
    let real = entail::length(cx.pool, inner).sub(&i);
    let no_less = |pool: &mut Pool, a: &Poly, b: &Poly| entail::nonneg(pool, &a.sub(b));
    let count = if no_less(cx.pool, &left, &k) || no_less(cx.pool, &real, &k) {
        k
    } else if no_less(cx.pool, &k, &left) || no_less(cx.pool, &k, &real) {
        left
    } else {
        return None;
    };
    Some(substr(cx.pool, s, &n.add(&i), &count))
}

/// match: `(str.substr s n m)` with n + m >= |s|
/// result: `(str.substr s n (- |s| n))`
fn substr_to_end(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let c = cut(cx.pool, t);
    let rest = c.len.sub(&c.from);
    if rest == c.count || !entail::nonneg(cx.pool, &c.count.sub(&rest)) {
        return None;
    }
    Some(substr(cx.pool, c.s, &c.from, &rest))
}

/// match: `(str.prefixof s t)`
/// result: `true` if `s` is empty or `t`, `(or (= s "") (= s t))` if `t` is a constant of at most one character,
/// `(= s (str.substr t 0 |s|))`
fn prefixof(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u) = two(cx.pool, t)?;
    let size = entail::length(cx.pool, s);
    let start = substr(cx.pool, u, &Poly::default(), &size);
    Some(affix(cx.pool, s, u, start))
}

/// match: `(str.suffixof (str.++ s r) (str.++ t r))`; constants at the end that differ
/// result: `(str.suffixof s t)`; `false`
fn suffixof_strip(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u) = two(cx.pool, t)?;
    let (mut a, mut b) = (parts(cx.pool, s), parts(cx.pool, u));
    let mut changed = false;
    while let (Some(&x), Some(&y)) = (a.last(), b.last()) {
        if x != y {
            let (Some(v), Some(w)) = (word(cx.pool, x), word(cx.pool, y)) else { break };
            let k = v.len().min(w.len());
            if v[v.len() - k..] != w[w.len() - k..] {
                return Some(cx.pool.bool(false));
            }
            let (v, w) = (v[..v.len() - k].to_vec(), w[..w.len() - k].to_vec());
            let left = [(&mut a, v), (&mut b, w)].into_iter().find(|(_, left)| !left.is_empty());
            if let Some((list, left)) = left {
                // The rest of the longer constant stays; both are popped below.
                list.insert(list.len() - 1, cx.pool.string(&left));
            }
        }
        a.pop();
        b.pop();
        changed = true;
    }
    if !changed {
        return None;
    }
    let (s, u) = (concat(cx.pool, &a), concat(cx.pool, &b));
    Some(op(cx.pool, Op::StrSuffixof, &[s, u]))
}

/// match: `(str.suffixof s t)`
/// result: `true` if `s` is empty or `t`, `(or (= s "") (= s t))` if `t` is a constant of at most one character,
/// `(= s (str.substr t (- |t| |s|) |s|))`
fn suffixof(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u) = two(cx.pool, t)?;
    let size = entail::length(cx.pool, s);
    let from = entail::length(cx.pool, u).sub(&size);
    let end = substr(cx.pool, u, &from, &size);
    Some(affix(cx.pool, s, u, end))
}

fn affix(pool: &mut Pool, s: Term, whole: Term, cut: Term) -> Term {
    if s == whole || matches!(pool.head(s), Head::Str(id) if pool.word(id).is_empty()) {
        return pool.bool(true);
    }
    if word(pool, whole).is_some_and(|w| w.len() <= 1) {
        let nothing = empty(pool);
        let cases = [crate::build::eq(pool, s, nothing), crate::build::eq(pool, s, whole)];
        return crate::build::or(pool, &cases);
    }
    crate::build::eq(pool, s, cut)
}
