//! Integers of which the greatest or the least in a range decides.
//!
//! `(str.substr t 0 i)` is continued as `i` grows, so a concatenation that ends with it contains what it contained before.
//! Hence `∃i. i < n ∧ (str.contains (str.++ a (str.substr t 0 i)) u)` is the body for `i = n - 1`, and with the negated
//! literal and a lower bound it is the body for the least `i`.
//!
//! For `n = |t|` and `u = t` the result states that the first `t` in `(str.++ a t)` does not start after `a`, and is written
//! by that position ([`before_first`]).

use super::formula::{join, not, occurrences};
use crate::poly::Poly;
use smt::{Head, Int, Op, Pool, Sort, Term};

/// How the truth of a literal depends on a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trend {
    /// Once true, it stays true for greater values.
    Rising,
    /// Once true, it stays true for smaller values.
    Falling,
}

/// A variable with the one value in its range that decides, and that value.
pub(super) fn extreme(pool: &mut Pool, vars: &[Term], list: &[Term]) -> Option<(Term, Term)> {
    let integers: Vec<Term> = vars.iter().copied().filter(|&v| pool.sort_of(v) == Sort::INT).collect();
    integers.into_iter().find_map(|v| deciding_value(pool, v, list).map(|value| (v, value)))
}

/// The value of `v` that satisfies all literals if any does: a bound.
fn deciding_value(pool: &mut Pool, v: Term, list: &[Term]) -> Option<Term> {
    let (mut least, mut greatest, mut trend) = (Vec::new(), Vec::new(), None);
    for &l in list.iter().filter(|&&l| occurrences(pool, v, l) > 0) {
        match bound(pool, v, l) {
            Some((true, value)) => least.push(value),
            Some((false, value)) => greatest.push(value),
            None => {
                let other = literal_trend(pool, v, l)?;
                if *trend.get_or_insert(other) != other {
                    return None;
                }
            }
        }
    }
    let only = match trend? {
        Trend::Rising => greatest,
        Trend::Falling => least,
    };
    if let [value] = &only[..] { Some(value.to_term(pool)) } else { None }
}

/// The bound that a comparison states for `v`, and whether it is the lower one.
pub(super) fn bound(pool: &Pool, v: Term, l: Term) -> Option<(bool, Poly)> {
    let (l, positive) = without_not(pool, l);
    let (Head::Op(op), &[a, b]) = (pool.head(l), pool.args(l)) else { return None };
    if pool.sort_of(a) != Sort::INT {
        return None;
    }
    let difference = Poly::of(pool, a).sub(&Poly::of(pool, b));
    // The comparison as `difference >= 0`.
    let difference = match (op, positive) {
        (Op::Ge, true) => difference,
        (Op::Gt, true) => difference.shift(-1),
        (Op::Le, true) => difference.scale(&Int::MINUS_ONE),
        (Op::Lt, true) => difference.scale(&Int::MINUS_ONE).shift(-1),
        (Op::Lt, false) => difference,
        (Op::Le, false) => difference.shift(-1),
        (Op::Gt, false) => difference.scale(&Int::MINUS_ONE),
        (Op::Ge, false) => difference.scale(&Int::MINUS_ONE).shift(-1),
        _ => return None,
    };
    let (_, k) = difference.terms.iter().find(|(t, _)| *t == v)?.clone();
    let rest = difference.sub(&Poly::monomial(v).scale(&k));
    if rest.terms.iter().any(|&(t, _)| occurrences(pool, v, t) > 0) {
        return None;
    }
    match k.to_i64() {
        Some(1) => Some((true, rest.scale(&Int::MINUS_ONE))),
        Some(-1) => Some((false, rest)),
        _ => None,
    }
}

/// How the truth of a literal depends on `v`, if it is about the prefix of that length.
fn literal_trend(pool: &Pool, v: Term, l: Term) -> Option<Trend> {
    let (l, positive) = without_not(pool, l);
    let (Head::Op(op), &[a, b]) = (pool.head(l), pool.args(l)) else { return None };
    let (whole, part) = match op {
        Op::StrContains => (a, b),
        Op::StrPrefixof => (b, a),
        _ => return None,
    };
    let fits = occurrences(pool, v, part) == 0 && ends_with_prefix(pool, v, whole);
    fits.then_some(if positive { Trend::Rising } else { Trend::Falling })
}

/// Whether a string is `(str.++ … (str.substr t k v))`, with `v` only there.
fn ends_with_prefix(pool: &Pool, v: Term, s: Term) -> bool {
    let mut last = s;
    while pool.head(last) == Head::Op(Op::StrConcat) {
        let Some(&t) = pool.args(last).last() else { return false };
        last = t;
    }
    pool.head(last) == Head::Op(Op::StrSubstr) && pool.args(last)[2] == v && occurrences(pool, v, s) == 1
}

fn without_not(pool: &Pool, l: Term) -> (Term, bool) {
    match (pool.head(l), pool.args(l)) {
        (Head::Op(Op::Not), &[inner]) => (inner, false),
        _ => (l, true),
    }
}

/// `(str.contains (str.++ a (str.substr t 0 (- |t| 1))) t)`, or its negation, by the first position of `t` in
/// `(str.++ a t)`: `(or (= t "") (distinct (str.indexof (str.++ a t) t 0) |a|))`. Other literals as they are.
pub(super) fn before_first(pool: &mut Pool, l: Term) -> Term {
    let (atom, positive) = without_not(pool, l);
    let Some((start, t)) = shortened(pool, atom) else { return l };
    let (empty, zero) = (pool.string(&[]), pool.int(0));
    let a = concat(pool, &start);
    let whole = concat(pool, &[&start[..], &[t]].concat());
    let first = pool.mk(Head::Op(Op::StrIndexof), Sort::INT, &[whole, t, zero]);
    let len = pool.mk(Head::Op(Op::StrLen), Sort::INT, &[a]);
    let here = pool.mk(Head::Op(Op::Eq), Sort::BOOL, &[first, len]);
    let nothing = pool.mk(Head::Op(Op::Eq), Sort::BOOL, &[t, empty]);
    let later = not(pool, here);
    let any = join(pool, Op::Or, &[nothing, later]);
    if positive { any } else { not(pool, any) }
}

/// For `(str.contains (str.++ a (str.substr t 0 (- |t| 1))) t)`: `a`, in parts, and `t`.
fn shortened(pool: &mut Pool, atom: Term) -> Option<(Vec<Term>, Term)> {
    let (Head::Op(Op::StrContains), &[s, t]) = (pool.head(atom), pool.args(atom)) else { return None };
    let mut parts = if pool.head(s) == Head::Op(Op::StrConcat) { pool.args(s).to_vec() } else { vec![s] };
    let last = parts.pop()?;
    let (Head::Op(Op::StrSubstr), &[u, from, count]) = (pool.head(last), pool.args(last)) else {
        return None;
    };
    let len = pool.mk(Head::Op(Op::StrLen), Sort::INT, &[t]);
    let wanted = Poly::of(pool, len).shift(-1);
    (u == t && Poly::of(pool, from) == Poly::default() && Poly::of(pool, count) == wanted)
        .then_some((parts, t))
}

fn concat(pool: &mut Pool, parts: &[Term]) -> Term {
    match parts {
        [] => pool.string(&[]),
        [only] => *only,
        _ => pool.mk(Head::Op(Op::StrConcat), Sort::STRING, parts),
    }
}
