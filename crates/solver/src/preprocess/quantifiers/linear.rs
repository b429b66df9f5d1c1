//! Real variables in linear comparisons, after Fourier (1826) and Motzkin (1936).
//!
//! `∃x. a < x ∧ x ≤ b` is `a < b`; a variable that has no bound on one side is dropped, and one that an equality determines is replaced by its value.
//! With `x ≠ c` there are two cases: all bounds leave an interval, in which some number differs from `c`, or `x` is a bound: `∃x. a ≤ x ∧ x ≤ b ∧ x ≠ c`
//! is `a < b ∨ (a ≤ b ∧ a ≠ c)`.

use super::formula::occurrences;
use crate::rewrite::reals::RealSum;
use rustc_hash::FxHashMap;
use smt::{Head, Op, Pool, Sort, Term};

/// Pairs of a lower and an upper bound, at most.
const MAX_PAIRS: usize = 64;

/// What a literal states about a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Above { strict: bool },
    Below { strict: bool },
    Equal,
    Different,
}

/// A list without one of the variables, or several of which one holds.
pub(super) fn eliminate(pool: &mut Pool, vars: &[Term], list: &[Term]) -> Option<Vec<Vec<Term>>> {
    let reals: Vec<Term> = vars.iter().copied().filter(|&v| pool.sort_of(v) == Sort::REAL).collect();
    reals.into_iter().find_map(|v| without(pool, v, list))
}

fn without(pool: &mut Pool, v: Term, list: &[Term]) -> Option<Vec<Vec<Term>>> {
    let (with, others): (Vec<Term>, Vec<Term>) = list.iter().partition(|&&l| occurrences(pool, v, l) > 0);
    let (mut low, mut high, mut points) = (Vec::new(), Vec::new(), false);
    for l in with {
        let (kind, value) = solved(pool, v, l)?;
        match kind {
            Kind::Above { strict } => low.push((value, strict)),
            Kind::Below { strict } => high.push((value, strict)),
            Kind::Equal => return Some(vec![instance(pool, v, value, list)]),
            Kind::Different => points = true,
        }
    }
    if low.is_empty() || high.is_empty() {
        return Some(vec![others]);
    }
    if low.len() * high.len() > MAX_PAIRS {
        return None;
    }
    let mut interval = others;
    for &(a, above) in &low {
        for &(b, below) in &high {
            let op = if above || below || points { Op::Lt } else { Op::Le };
            interval.push(pool.mk(Head::Op(op), Sort::BOOL, &[a, b]));
        }
    }
    let mut cases = vec![interval];
    if points {
        for (a, _) in low.into_iter().filter(|(_, strict)| !strict) {
            cases.push(instance(pool, v, a, list));
        }
    }
    Some(cases)
}

fn instance(pool: &mut Pool, v: Term, value: Term, list: &[Term]) -> Vec<Term> {
    let mut map = FxHashMap::from_iter([(v, value)]);
    list.iter().map(|&l| pool.replace(l, &mut map)).collect()
}

/// A literal as a statement about `v` and a term without it; none if it is not linear in it.
fn solved(pool: &mut Pool, v: Term, l: Term) -> Option<(Kind, Term)> {
    let (l, positive) = match (pool.head(l), pool.args(l)) {
        (Head::Op(Op::Not), &[inner]) => (inner, false),
        _ => (l, true),
    };
    let (Head::Op(op), &[a, b]) = (pool.head(l), pool.args(l)) else { return None };
    if pool.sort_of(a) != Sort::REAL || pool.sort_of(b) != Sort::REAL {
        return None;
    }
    // As a statement about the difference `a - b`.
    let kind = match (op, positive) {
        (Op::Eq, true) | (Op::Distinct, false) => Kind::Equal,
        (Op::Eq, false) | (Op::Distinct, true) => Kind::Different,
        (Op::Ge, true) | (Op::Lt, false) => Kind::Above { strict: false },
        (Op::Gt, true) | (Op::Le, false) => Kind::Above { strict: true },
        (Op::Le, true) | (Op::Gt, false) => Kind::Below { strict: false },
        (Op::Lt, true) | (Op::Ge, false) => Kind::Below { strict: true },
        _ => return None,
    };
    let right = RealSum::of(pool, b);
    let mut sum = RealSum::of(pool, a).minus(&right);
    let k = sum.terms.remove(&v)?;
    if sum.terms.keys().any(|&t| occurrences(pool, v, t) > 0) {
        return None;
    }
    let kind = match kind {
        Kind::Above { strict } if k.is_negative() => Kind::Below { strict },
        Kind::Below { strict } if k.is_negative() => Kind::Above { strict },
        other => other,
    };
    // k v + sum = 0 for v = -sum / k
    let value = RealSum::default().minus(&sum.divided(&k));
    Some((kind, value.to_term(pool)))
}
