//! Quantifier elimination and instantiation.
//!
//! `∀x. φ` is `¬∃x. ¬φ`, and `∃` is eliminated by equivalences where possible (`exists`, with `concat` and `characters`).
//! A universal quantifier that remains gets some instances (`instances`). For example
//! `∀a b c. s = a b c → b ≠ t` becomes `(not (str.contains s t))`.

mod characters;
mod concat;
mod exists;
mod extremes;
mod formula;
mod instances;
mod linear;
#[cfg(test)]
mod tests;
mod values;

use super::{Rewrite, terms};
use exists::exists;
use formula::MAX_BODY;
pub(super) use formula::not;
use instances::with_instances;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Head, Pool, PostOrder, Sort, Term};

/// The depth to which disjunctions are followed.
const MAX_CASE_DEPTH: usize = 4;

/// Eliminates or instantiates the quantifiers of the assertions, innermost first.
pub(super) fn eliminate(pool: &mut Pool, assertions: &mut [Term], rewrite: Rewrite<'_>) {
    if !assertions.iter().any(|&t| pool.has_binder(t)) {
        return;
    }
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    for root in assertions {
        let mut walk = PostOrder::new([*root]);
        while let Some(t) = walk.next(|t| (!done.contains_key(&t)).then(|| below(pool, t))) {
            let new = match pool.head(t) {
                _ if !pool.has_binder(t) => t,
                head @ (Head::Forall | Head::Exists) => {
                    let (vars, body) = chain(pool, t);
                    quantifier(pool, head, &vars, done[&body], rewrite)
                }
                _ => {
                    let args: Vec<Term> = pool.args(t).iter().map(|a| done[a]).collect();
                    pool.with_children(t, &args)
                }
            };
            done.insert(t, new);
        }
        *root = done[root];
    }
}

/// The terms to visit before `t`.
fn below(pool: &Pool, t: Term) -> Vec<Term> {
    match pool.head(t) {
        _ if !pool.has_binder(t) => Vec::new(),
        Head::Forall | Head::Exists => vec![chain(pool, t).1],
        _ => pool.args(t).iter().rev().copied().collect(),
    }
}

/// The variables and the body of a quantifier, merged with the same quantifiers directly below it.
fn chain(pool: &Pool, t: Term) -> (Vec<Term>, Term) {
    let (mut vars, mut body) = (Vec::new(), t);
    while pool.head(body) == pool.head(t) {
        let (inner, bound) = pool.args(body).split_last().expect("a quantifier has a body");
        if bound.iter().any(|v| vars.contains(v)) {
            break;
        }
        vars.extend_from_slice(bound);
        body = *inner;
    }
    (vars, body)
}

/// Eliminates or instantiates a quantifier with these variables and this body, which is done.
fn quantifier(pool: &mut Pool, head: Head, vars: &[Term], body: Term, rewrite: Rewrite<'_>) -> Term {
    let vars: Vec<Term> = vars.iter().copied().filter(|&v| occurs_free(pool, v, body)).collect();
    if vars.is_empty() {
        return body;
    }
    let vars = &vars[..];
    let all = head == Head::Forall;
    let given = pool.mk(head, Sort::BOOL, &[vars, &[body]].concat());
    if pool.has_binder(body) || terms::parts(pool, body, MAX_BODY).is_none() {
        return given;
    }
    let inside = if all { not(pool, body) } else { body };
    let found = exists(pool, vars, inside, MAX_CASE_DEPTH, rewrite);
    match (pool.head(found) == Head::Exists, all) {
        (true, true) => with_instances(pool, given, vars, body),
        (true, false) => given,
        (false, true) => not(pool, found),
        (false, false) => found,
    }
}

/// Whether a variable occurs where no quantifier inside binds it again.
fn occurs_free(pool: &Pool, v: Term, t: Term) -> bool {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut stack = vec![t];
    while let Some(t) = stack.pop() {
        if t == v {
            return true;
        }
        if pool.has_var(t) && seen.insert(t) && !pool.bound_vars(t).contains(&v) {
            stack.extend_from_slice(pool.args(t));
        }
    }
    false
}
