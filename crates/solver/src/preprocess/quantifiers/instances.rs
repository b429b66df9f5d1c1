//! Instances of universal quantifiers that are not eliminated.
//!
//! `(and (∀x. φ) φ[t] …)` is equivalent to `∀x. φ` for any terms `t`. The instances help to refute; a model is checked
//! against the quantifier in any case. For `∀i. 0 <= i < n → s[i] = t` the instances are those of `0`, `n - 1` and
//! small numbers.

use super::formula::{MAX_BODY, join};
use crate::preprocess::terms;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Head, Int, Op, Pool, Sort, Term};

/// Instances of a quantifier, at most.
const MAX_INSTANCES: usize = 24;
/// Values of a variable in instances, at most.
const MAX_VALUES: usize = 8;

/// The conjunction of a universal formula and some of its instances.
pub(super) fn with_instances(pool: &mut Pool, given: Term, vars: &[Term], body: Term) -> Term {
    let choices: Vec<Vec<Term>> = vars.iter().map(|&v| candidates(pool, v, body)).collect();
    let mut list = vec![given];
    for n in 0..MAX_INSTANCES {
        let mut rest = n;
        let mut map: FxHashMap<Term, Term> = FxHashMap::default();
        for (&v, c) in vars.iter().zip(&choices) {
            if c.is_empty() {
                return given;
            }
            map.insert(v, c[rest % c.len()]);
            rest /= c.len();
        }
        if rest > 0 {
            break;
        }
        list.push(pool.replace(body, &mut map));
    }
    join(pool, Op::And, &list)
}

/// Values for a variable: the ends of the ranges in its guards, and the constants of the body.
fn candidates(pool: &mut Pool, v: Term, body: Term) -> Vec<Term> {
    let parts = terms::parts(pool, body, MAX_BODY).unwrap_or_default();
    let mut parts: Vec<Term> = parts.into_iter().collect();
    parts.sort_unstable();
    let all = match pool.sort_of(v) {
        Sort::INT => integers(pool, v, &parts),
        Sort::STRING => strings(pool, &parts),
        Sort::BOOL => [false, true].map(|b| pool.bool(b)).to_vec(),
        _ => Vec::new(),
    };
    let mut seen = FxHashSet::default();
    all.into_iter().filter(|&t| seen.insert(t)).take(MAX_VALUES).collect()
}

fn integers(pool: &mut Pool, v: Term, parts: &[Term]) -> Vec<Term> {
    let mut out: Vec<Term> = parts.iter().filter_map(|&t| end_of_range(pool, v, t)).collect();
    out.extend([0, 1, -1].map(|n| pool.int(Int::from(n))));
    out
}

/// The least or greatest value of `v` that the comparison `t` allows.
fn end_of_range(pool: &mut Pool, v: Term, t: Term) -> Option<Term> {
    let Head::Op(op @ (Op::Le | Op::Lt | Op::Ge | Op::Gt)) = pool.head(t) else { return None };
    let &[a, b] = pool.args(t) else { return None };
    let (other, above) =
        if a == v { (b, matches!(op, Op::Ge | Op::Gt)) } else { (a, matches!(op, Op::Le | Op::Lt)) };
    if (a != v && b != v) || pool.has_var(other) {
        return None;
    }
    if matches!(op, Op::Le | Op::Ge) {
        return Some(other);
    }
    let step = pool.int(Int::from(if above { 1 } else { -1 }));
    Some(pool.mk(Head::Op(Op::Add), Sort::INT, &[other, step]))
}

fn strings(pool: &mut Pool, parts: &[Term]) -> Vec<Term> {
    let mut out = vec![pool.string(&[])];
    for &t in parts {
        if let Head::Str(id) = pool.head(t) {
            let word = pool.word(id).to_vec();
            out.extend([t, pool.string(&[&word[..], &word[..]].concat())]);
        }
    }
    out.extend(parts.iter().filter(|&&t| pool.sort_of(t) == Sort::STRING && !pool.has_var(t)));
    out
}
