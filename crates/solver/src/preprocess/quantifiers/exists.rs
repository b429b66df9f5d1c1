//! Elimination of existential quantifiers by equivalences.
//!
//! In `∃x⃗. l₁ ∧ … ∧ lₙ`,
//! - a variable that an equality determines is replaced by its value: `∃x. x = n + 1 ∧ x > 3` is `n + 1 > 3`;
//! - a variable that does not occur is dropped;
//! - a variable repeated in a concatenation is a part of it, and an integer between constants one of few (`values`);
//! - a real variable in linear comparisons leaves comparisons of its bounds (`linear`);
//! - an equality with a concatenation of other variables is a prefix, a suffix or a containment (`concat`);
//! - of the prefixes of a string, the longest or the shortest decides (`extremes`);
//! - literals without variables move out of the scope;
//! - a bounded index of a string is a membership (`characters`);
//! - if none of this applies, the quantifier is distributed over the cases of one disjunction.

use super::characters::outside_characters;
use super::concat::match_concat;
use super::extremes::{before_first, extreme};
use super::formula::{flatten, join, not, occurrences};
use super::linear;
use super::values::{few_integers, part_of};
use crate::preprocess::Rewrite;
use rustc_hash::FxHashMap;
use smt::{Head, Op, Pool, Sort, Term};

/// Cases of a disjunction over which a quantifier is distributed, at most.
const MAX_CASES: usize = 8;

/// A formula equivalent to `∃vars. t`, with a quantifier only where it is needed. Disjunctions are followed to this
/// depth.
pub(super) fn exists(pool: &mut Pool, vars: &[Term], t: Term, depth: usize, rewrite: Rewrite<'_>) -> Term {
    let Some(mut list) = flatten(pool, t, Op::And) else { return quantified(pool, vars, &[t]) };
    loop {
        let left: Vec<Term> =
            vars.iter().copied().filter(|&v| list.iter().any(|&l| occurrences(pool, v, l) > 0)).collect();
        if left.is_empty() {
            return join(pool, Op::And, &list);
        }
        if let Some((at, v, value)) = determined(pool, &left, &list) {
            list.remove(at);
            let mut map = FxHashMap::from_iter([(v, value)]);
            list = list.iter().map(|&l| pool.replace(l, &mut map)).collect();
            list = list.iter().map(|&l| if pool.has_var(l) { rewrite(pool, l) } else { l }).collect();
            let again = join(pool, Op::And, &list);
            let Some(flat) = flatten(pool, again, Op::And) else { return quantified(pool, &left, &list) };
            list = flat;
            continue;
        }
        if let Some((at, plain)) = match_concat(pool, &left, &list) {
            list[at] = plain;
            let truth = pool.bool(true);
            list.retain(|&l| l != truth);
            continue;
        }
        if let Some((v, value)) = part_of(pool, &left, &list) {
            let mut map = FxHashMap::from_iter([(v, value)]);
            list = list.iter().map(|&l| pool.replace(l, &mut map)).collect();
            continue;
        }
        if let Some(mut cases) = linear::eliminate(pool, &left, &list) {
            if cases.len() == 1 {
                list = cases.remove(0);
                continue;
            }
            if depth == 0 {
                return quantified(pool, &left, &list);
            }
            let mut out = Vec::new();
            for case in cases {
                let all = join(pool, Op::And, &case);
                out.push(exists(pool, &left, all, depth - 1, rewrite));
            }
            return join(pool, Op::Or, &out);
        }
        if let Some((v, value)) = extreme(pool, &left, &list) {
            let mut map = FxHashMap::from_iter([(v, value)]);
            list = list.iter().map(|&l| pool.replace(l, &mut map)).collect();
            list = list.iter().map(|&l| before_first(pool, l)).collect();
            continue;
        }
        let (inside, mut outside): (Vec<Term>, Vec<Term>) =
            list.into_iter().partition(|&l| left.iter().any(|&v| occurrences(pool, v, l) > 0));
        let rest = match outside_characters(pool, &left, &inside) {
            Some(plain) => plain,
            None => by_cases(pool, &left, inside, depth, rewrite),
        };
        outside.push(rest);
        return join(pool, Op::And, &outside);
    }
}

fn quantified(pool: &mut Pool, vars: &[Term], list: &[Term]) -> Term {
    let body = join(pool, Op::And, list);
    pool.mk(Head::Exists, Sort::BOOL, &[vars, &[body]].concat())
}

/// `∃vars. ⋀list`, distributed over the cases of one disjunction if there is one.
fn by_cases(pool: &mut Pool, vars: &[Term], list: Vec<Term>, depth: usize, rewrite: Rewrite<'_>) -> Term {
    if depth > 0
        && let Some((v, values)) = few_integers(pool, vars, &list)
    {
        let all = join(pool, Op::And, &list);
        let mut out = Vec::new();
        for value in values {
            let one = pool.replace(all, &mut FxHashMap::from_iter([(v, value)]));
            let one = rewrite(pool, one);
            out.push(exists(pool, vars, one, depth - 1, rewrite));
        }
        return join(pool, Op::Or, &out);
    }
    let found = (0..list.len()).filter(|_| depth > 0).find_map(|at| {
        let cases = disjuncts(pool, list[at]);
        ((2..=MAX_CASES).contains(&cases.len())).then_some((at, cases))
    });
    let Some((at, cases)) = found else { return quantified(pool, vars, &list) };
    let mut out = Vec::new();
    for case in cases {
        let mut one = list.clone();
        one[at] = case;
        let all = join(pool, Op::And, &one);
        out.push(exists(pool, vars, all, depth - 1, rewrite));
    }
    join(pool, Op::Or, &out)
}

/// The disjuncts of a literal; a negated Boolean equality has two.
fn disjuncts(pool: &mut Pool, l: Term) -> Vec<Term> {
    if let (Head::Op(Op::Not), &[inner]) = (pool.head(l), pool.args(l))
        && let (Head::Op(Op::Eq), &[a, b]) = (pool.head(inner), pool.args(inner))
        && pool.sort_of(a) == Sort::BOOL
    {
        let (no_a, no_b) = (not(pool, a), not(pool, b));
        return vec![join(pool, Op::And, &[a, no_b]), join(pool, Op::And, &[no_a, b])];
    }
    flatten(pool, l, Op::Or).unwrap_or_default()
}

/// An equality that determines a variable: its index, the variable, and its value.
fn determined(pool: &Pool, vars: &[Term], list: &[Term]) -> Option<(usize, Term, Term)> {
    list.iter().enumerate().find_map(|(at, &l)| {
        let (Head::Op(Op::Eq), &[a, b]) = (pool.head(l), pool.args(l)) else { return None };
        let fits = |v: Term, value: Term| vars.contains(&v) && occurrences(pool, v, value) == 0;
        if fits(a, b) { Some((at, a, b)) } else { fits(b, a).then_some((at, b, a)) }
    })
}
