//! Variables with one value, or finitely many.
//!
//! In `s = u a u`, where `a` and `s` have no quantified variables, the length of `u` is half of what `a` leaves of `s`, so
//! `u` is a substring of `s` ([`part_of`]); the equality stays, with that substring for `u`. An integer between two
//! constants has finitely many values ([`few_integers`]).

use super::formula::occurrences;
use smt::{Head, Int, Op, Pool, Sort, Term};

/// Values of an integer variable that are enumerated, at most.
const MAX_VALUES: i64 = 16;
/// Parts of a concatenation with a repeated variable, at most: a term that shares parts may have very many.
const MAX_PIECES: usize = 1000;

/// A variable that an equality with a concatenation determines, and its value.
pub(super) fn part_of(pool: &mut Pool, vars: &[Term], list: &[Term]) -> Option<(Term, Term)> {
    for &l in list {
        let (Head::Op(Op::Eq), &[a, b]) = (pool.head(l), pool.args(l)) else { continue };
        for (whole, joined) in [(a, b), (b, a)] {
            if is_free(pool, vars, whole) && pool.head(joined) == Head::Op(Op::StrConcat) {
                let Some(pieces) = pieces(pool, joined) else { continue };
                if let Some(found) = repeated(pool, vars, whole, &pieces) {
                    return Some(found);
                }
            }
        }
    }
    None
}

fn is_free(pool: &Pool, vars: &[Term], t: Term) -> bool {
    vars.iter().all(|&v| occurrences(pool, v, t) == 0)
}

/// The parts of nested concatenations, in order; none if they are too many.
fn pieces(pool: &Pool, t: Term) -> Option<Vec<Term>> {
    let (mut out, mut stack) = (Vec::new(), vec![t]);
    while let Some(t) = stack.pop() {
        if out.len() + stack.len() > MAX_PIECES {
            return None;
        }
        match pool.head(t) {
            Head::Op(Op::StrConcat) => stack.extend(pool.args(t).iter().rev()),
            _ => out.push(t),
        }
    }
    Some(out)
}

/// If one variable is repeated between terms without variables: its value as a part of the whole.
fn repeated(pool: &mut Pool, vars: &[Term], whole: Term, pieces: &[Term]) -> Option<(Term, Term)> {
    let &u = pieces.iter().find(|p| vars.contains(p))?;
    let given: Vec<Term> = pieces.iter().copied().filter(|&p| p != u).collect();
    if !given.iter().all(|&p| is_free(pool, vars, p)) {
        return None;
    }
    let first = pieces.iter().position(|&p| p == u)?;
    let times = i64::try_from(pieces.len() - given.len()).ok()?;
    let start = total_length(pool, &pieces[..first]);
    let (all, other) = (total_length(pool, &[whole]), total_length(pool, &given));
    let left = pool.mk(Head::Op(Op::Sub), Sort::INT, &[all, other]);
    let times = pool.int(times);
    let count = pool.mk(Head::Op(Op::IntDiv), Sort::INT, &[left, times]);
    Some((u, pool.mk(Head::Op(Op::StrSubstr), Sort::STRING, &[whole, start, count])))
}

/// The length of a concatenation.
fn total_length(pool: &mut Pool, parts: &[Term]) -> Term {
    let zero = pool.int(0);
    let mut sum = vec![zero];
    for &p in parts {
        sum.push(pool.mk(Head::Op(Op::StrLen), Sort::INT, &[p]));
    }
    match sum[..] {
        [only] => only,
        _ => pool.mk(Head::Op(Op::Add), Sort::INT, &sum),
    }
}

/// An integer variable between constants, and its possible values.
pub(super) fn few_integers(pool: &mut Pool, vars: &[Term], list: &[Term]) -> Option<(Term, Vec<Term>)> {
    for &v in vars.iter().filter(|&&v| pool.sort_of(v) == Sort::INT) {
        let (mut low, mut high) = (None, None);
        for &l in list {
            let Some((least, n)) = bound(pool, v, l) else { continue };
            if least {
                low = low.max(Some(n));
            } else {
                high = Some(high.map_or(n.clone(), |h: Int| h.min(n)));
            }
        }
        let (Some(low), Some(high)) = (low, high) else { continue };
        let width = (&high - &low).to_i64().filter(|&w| w < MAX_VALUES);
        if let Some(width) = width {
            let values = (0..=width).map(|k| pool.int(&low + &Int::from(k))).collect();
            return Some((v, values));
        }
    }
    None
}

/// The constant bound that a literal gives to a variable, and whether it is the lower one.
fn bound(pool: &Pool, v: Term, l: Term) -> Option<(bool, Int)> {
    let (l, positive) = match (pool.head(l), pool.args(l)) {
        (Head::Op(Op::Not), &[inner]) => (inner, false),
        _ => (l, true),
    };
    let (Head::Op(op @ (Op::Le | Op::Lt | Op::Ge | Op::Gt)), &[a, b]) = (pool.head(l), pool.args(l)) else {
        return None;
    };
    let (n, first) = if a == v {
        (crate::poly::int_constant(pool, b)?, true)
    } else {
        (crate::poly::int_constant(pool, a)?, false)
    };
    if a != v && b != v {
        return None;
    }
    let mut lower = matches!(op, Op::Ge | Op::Gt) == first;
    let mut strict = matches!(op, Op::Lt | Op::Gt);
    if !positive {
        (lower, strict) = (!lower, !strict);
    }
    Some((
        lower,
        match (strict, lower) {
            (false, _) => n,
            (true, true) => &n + &Int::ONE,
            (true, false) => &n - &Int::ONE,
        },
    ))
}
