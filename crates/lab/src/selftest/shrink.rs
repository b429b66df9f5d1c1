//! Reduces a term on which a solver disagrees.

use super::ask::Session;
use super::case::{self, Case, constant, parts, rebuild};
use semantics::{Model, Value};
use smt::{Head, Int, Op, Pool, Sort, Term};

/// Queries for one case.
const BUDGET: usize = 400;

/// A case with a part of the term, or with parts replaced by simpler ones, on which the solver still disagrees; the case itself if
/// there is none.
pub(super) fn shrink(session: &mut Session<'_>, case: &Case, seed: u64, depth: usize) -> Case {
    let mut best = case.clone();
    let Some((mut pool, mut t)) = case.term(seed, depth) else {
        return best;
    };
    let mut budget = BUDGET;
    'again: loop {
        for candidate in candidates(&mut pool, t) {
            let Some(smaller) = case.with(&pool, candidate) else {
                continue;
            };
            // Only shorter texts are simpler, so this terminates.
            if smaller.text.len() >= best.text.len() || !session.support.supports(smaller.uses) {
                continue;
            }
            if budget == 0 {
                return best;
            }
            budget -= 1;
            if session.disagrees(&smaller) {
                (best, t) = (smaller, candidate);
                continue 'again;
            }
        }
        return best;
    }
}

/// Simpler terms of any sort but `RegLan`, the simplest first.
fn candidates(pool: &mut Pool, t: Term) -> Vec<Term> {
    let all = parts(pool, t);
    let mut out: Vec<Term> = all
        .iter()
        .copied()
        .filter(|&part| part != t && pool.sort_of(part) != Sort::REGLAN && !pool.args(part).is_empty())
        .collect();
    // Large parts first: replacing them saves most.
    for &part in all.iter().rev() {
        for simpler in simpler(pool, part) {
            out.push(rebuild(pool, t, |_, other| (other == part).then_some(simpler)));
        }
    }
    out
}

/// Simpler terms in place of `t`.
fn simpler(pool: &mut Pool, t: Term) -> Vec<Term> {
    match pool.head(t) {
        Head::Str(id) => {
            let word = pool.word(id).to_vec();
            (0..word.len())
                .map(|i| {
                    let shorter: Vec<u32> = word[..i].iter().chain(&word[i + 1..]).copied().collect();
                    pool.string(&shorter)
                })
                .collect()
        }
        Head::Int(id) => {
            let half = pool.int_value(id).div_euclid_smt(&Int::from(10));
            [Some(Int::ZERO), half].into_iter().flatten().map(|n| pool.int(n)).collect()
        }
        _ if pool.sort_of(t) == Sort::REGLAN => {
            let args = pool.args(t).to_vec();
            let none = pool.op(Op::ReNone, &[]);
            none.into_iter().chain(args.into_iter().filter(|&a| pool.sort_of(a) == Sort::REGLAN)).collect()
        }
        _ => value(pool, t).and_then(|v| constant(pool, &v)).into_iter().collect(),
    }
}

fn value(pool: &Pool, t: Term) -> Option<Value> {
    let model = Model::new();
    case::evaluator(pool, &model).eval(t).ok()
}
