//! Existential quantifiers that must hold: their variables become constants.
//!
//! The result implies the assertions, and has a model if they have one; so a model of the result is one of the
//! assertions. Only quantifiers below `and`, `or`, `not` and `=>`, each with one polarity.
//!
//! Example: `(and p (not (forall ((i Int)) (> i n))))` becomes `(and p (not (> k n)))` with a new constant `k`.

use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Head, Op, Pool, Sort, Term};

/// Rounds, for quantifiers in the scope of others, at most.
const MAX_ROUNDS: usize = 4;

/// The assertions with constants for variables; none if there is no such quantifier.
pub(crate) fn skolemise(pool: &mut Pool, assertions: &[Term]) -> Option<Vec<Term>> {
    let mut current = assertions.to_vec();
    let mut count = 0;
    for _ in 0..MAX_ROUNDS {
        let found = existential(pool, &current);
        if found.is_empty() {
            break;
        }
        let mut map: FxHashMap<Term, Term> = FxHashMap::default();
        for t in found {
            let instance = instance(pool, t, &mut count);
            map.insert(t, instance);
        }
        for t in &mut current {
            *t = pool.replace(*t, &mut map);
        }
    }
    (count > 0).then_some(current)
}

/// The quantifiers that state the existence of something wherever they occur.
fn existential(pool: &Pool, assertions: &[Term]) -> Vec<Term> {
    let mut stack: Vec<(Term, bool)> = assertions.iter().map(|&t| (t, true)).collect();
    let (mut seen, mut found) = (FxHashSet::default(), Vec::new());
    let mut excluded: FxHashSet<Term> = FxHashSet::default();
    while let Some((t, positive)) = stack.pop() {
        if !pool.has_binder(t) || !seen.insert((t, positive)) {
            continue;
        }
        let args = pool.args(t);
        match pool.head(t) {
            Head::Op(Op::And | Op::Or) | Head::Annot(_) => stack.extend(args.iter().map(|&a| (a, positive))),
            Head::Op(Op::Not) => stack.push((args[0], !positive)),
            Head::Op(Op::Implies) => {
                let (last, premises) = args.split_last().expect("an implication has a conclusion");
                stack.push((*last, positive));
                stack.extend(premises.iter().map(|&a| (a, !positive)));
            }
            head @ (Head::Exists | Head::Forall) if (head == Head::Exists) == positive => found.push(t),
            _ => excluded.extend(pool.subterms([t])),
        }
    }
    let plain = |&t: &Term| {
        let (&body, vars) = pool.args(t).split_last().expect("a quantifier has a body");
        let sort = |&v: &Term| matches!(pool.sort_of(v), Sort::BOOL | Sort::INT | Sort::STRING);
        // A variable that is bound again below must not be replaced there.
        let again = || pool.subterms([body]).any(|s| pool.bound_vars(s).iter().any(|b| vars.contains(b)));
        !excluded.contains(&t) && vars.iter().all(sort) && !(pool.has_binder(body) && again())
    };
    found.retain(plain);
    found
}

/// The body of a quantifier with new constants.
fn instance(pool: &mut Pool, t: Term, count: &mut usize) -> Term {
    let (body, vars) =
        pool.args(t).split_last().map(|(&b, v)| (b, v.to_vec())).expect("a quantifier has a body");
    let mut map: FxHashMap<Term, Term> = FxHashMap::default();
    for v in vars {
        let name = pool.names.intern(&format!("stringent!exists{count}"));
        *count += 1;
        let f = pool.declare(name, Box::new([]), pool.sort_of(v));
        let k = pool.apply(f, &[]);
        map.insert(v, k);
    }
    pool.replace(body, &mut map)
}
