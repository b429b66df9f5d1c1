//! Equalities of strings and of other sorts.

use super::boolean::ite_eq;
use super::{Cx, Rule};
use crate::build::{Terms, and, concat, empty, eq, is_empty, is_value, parts, two, word};
use crate::entail;
use smt::{Int, Op, Pool, Sort, Term};

pub(super) static RULES: &[Rule] = &[
    Rule::new("eq-same", &[Op::Eq], same),
    Rule::entailment("eq-ite", &[Op::Eq], ite_eq),
    Rule::new("str-eq-strip", &[Op::Eq], strip),
    Rule::new("str-eq-empty", &[Op::Eq], all_empty),
    Rule::new("str-eq-length", &[Op::Eq], length),
    Rule::new("eq-orient", &[Op::Eq], orient),
];

/// match: `(= t t)`, `(= c d)` of different constants
/// result: `true`, `false`
fn same(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (a, b) = two(cx.pool, t)?;
    if a == b {
        return Some(cx.pool.bool(true));
    }
    let differ = is_value(cx.pool, a) && is_value(cx.pool, b) && cx.pool.sort_of(a) == cx.pool.sort_of(b);
    differ.then(|| cx.pool.bool(false))
}

/// The two sides of an equality of strings.
pub(super) fn strings(pool: &Pool, t: Term) -> Option<(Term, Term)> {
    two(pool, t).filter(|&(a, b)| pool.sort_of(a) == Sort::STRING && pool.sort_of(b) == Sort::STRING)
}

/// Two lists of parts without their common ends.
pub(super) enum Stripped {
    /// Constants differ.
    Clash,
    /// The rest, in order, and whether something was stripped.
    Rest(Terms, Terms, bool),
}

/// Strips common parts and characters from both ends.
pub(super) fn strip_ends(pool: &mut Pool, a: Term, b: Term) -> Stripped {
    let (mut a, mut b) = (parts(pool, a), parts(pool, b));
    let mut changed = false;
    for back in [false, true] {
        if back {
            a.reverse();
            b.reverse();
        }
        // The lists are reversed for the second end, so that both are stripped from index `i` on.
        let mut i = 0;
        while i < a.len() && i < b.len() {
            if a[i] == b[i] {
                i += 1;
                continue;
            }
            let (Some(x), Some(y)) = (word(pool, a[i]), word(pool, b[i])) else { break };
            let k = x.len().min(y.len());
            let agree = if back {
                x.ends_with(&y[y.len() - k..]) && y.ends_with(&x[x.len() - k..])
            } else {
                x[..k] == y[..k]
            };
            if !agree {
                return Stripped::Clash;
            }
            let cut = |w: &[u32]| if back { w[..w.len() - k].to_vec() } else { w[k..].to_vec() };
            let (x, y) = (cut(x), cut(y));
            // One of the two constants is used up; the rest of the other stays.
            changed = true;
            if x.is_empty() {
                a.remove(i);
                b[i] = pool.string(&y);
            } else {
                b.remove(i);
                a[i] = pool.string(&x);
            }
        }
        changed |= i > 0;
        a.drain(..i);
        b.drain(..i);
        if back {
            a.reverse();
            b.reverse();
        }
    }
    Stripped::Rest(a, b, changed)
}

/// match: `(= (str.++ p s q) (str.++ p t q))`; constants at an end that differ
/// result: `(= s t)`; `false`
fn strip(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (a, b) = strings(cx.pool, t)?;
    match strip_ends(cx.pool, a, b) {
        Stripped::Clash => Some(cx.pool.bool(false)),
        Stripped::Rest(a, b, true) => {
            let (a, b) = (concat(cx.pool, &a), concat(cx.pool, &b));
            Some(eq(cx.pool, a, b))
        }
        Stripped::Rest(..) => None,
    }
}

/// match: `(= (str.++ a b …) "")`
/// result: `(and (= a "") …)`, `false` with a constant among them
fn all_empty(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (a, b) = strings(cx.pool, t)?;
    let s = if is_empty(cx.pool, a) {
        b
    } else if is_empty(cx.pool, b) {
        a
    } else {
        return None;
    };
    let list: Terms = parts(cx.pool, s);
    if list.len() < 2 {
        return None;
    }
    if list.iter().any(|&p| word(cx.pool, p).is_some()) {
        return Some(cx.pool.bool(false));
    }
    let nothing = empty(cx.pool);
    let all: Terms = list.iter().map(|&p| eq(cx.pool, p, nothing)).collect();
    Some(and(cx.pool, &all))
}

/// match: `(= s t)` with |s| > |t| or |s| < |t|, or |s| - |t| never 0 modulo the gcd of its coefficients
/// result: `false`
fn length(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (a, b) = strings(cx.pool, t)?;
    let p = entail::length(cx.pool, a).sub(&entail::length(cx.pool, b));
    let divided = !p.is_constant() && !p.constant.divisible_by(&p.content());
    let never =
        divided || entail::positive(cx.pool, &p) || entail::positive(cx.pool, &p.scale(&Int::MINUS_ONE));
    never.then(|| cx.pool.bool(false))
}

/// match: `(= a b)` of a sort other than `Int` and `Bool`
/// result: a constant on the right, otherwise the greater id
fn orient(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (a, b) = two(cx.pool, t)?;
    if matches!(cx.pool.sort_of(a), Sort::INT | Sort::BOOL) {
        return None;
    }
    let key = |u: Term| (is_value(cx.pool, u), u);
    (key(a) > key(b)).then(|| eq(cx.pool, b, a))
}
