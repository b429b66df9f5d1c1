//! Helpers for formulas: negation, flattening, occurrences of variables.

use smt::{Head, Op, Pool, Sort, Term};

/// Conjuncts or disjuncts of a formula that is flattened, at most.
const MAX_PARTS: usize = 64;
/// Terms visited in search of a variable, and terms of a body, at most.
pub(super) const MAX_BODY: usize = 2_000;

/// `(not t)`, without double negation.
pub(in crate::preprocess) fn not(pool: &mut Pool, t: Term) -> Term {
    match pool.head(t) {
        Head::Op(Op::Not) => pool.args(t)[0],
        _ => pool.mk(Head::Op(Op::Not), Sort::BOOL, &[t]),
    }
}

/// The conjunction or disjunction of a list.
pub(super) fn join(pool: &mut Pool, op: Op, list: &[Term]) -> Term {
    match list {
        [] => pool.bool(op == Op::And),
        [only] => *only,
        _ => pool.mk(Head::Op(op), Sort::BOOL, list),
    }
}

/// The conjuncts or disjuncts of `t` (`wanted` is the operator), negations pushed inwards. None if they are more than
/// [`MAX_PARTS`].
pub(super) fn flatten(pool: &mut Pool, t: Term, wanted: Op) -> Option<Vec<Term>> {
    let (mut out, mut stack) = (Vec::new(), vec![(t, true)]);
    while let Some((t, positive)) = stack.pop() {
        let args = pool.args(t).to_vec();
        let here = if positive {
            wanted
        } else if wanted == Op::And {
            Op::Or
        } else {
            Op::And
        };
        match pool.head(t) {
            Head::Op(Op::Not) => stack.push((args[0], !positive)),
            Head::Op(op) if op == here => stack.extend(args.iter().rev().map(|&a| (a, positive))),
            Head::Op(Op::Implies) if args.len() == 2 && here == Op::Or => {
                stack.extend([(args[1], positive), (args[0], !positive)]);
            }
            Head::Op(Op::Eq) if args.len() == 2 && args.contains(&pool.bool(false)) => {
                let other = if args[0] == pool.bool(false) { args[1] } else { args[0] };
                stack.push((other, !positive));
            }
            _ if positive => out.push(t),
            _ => out.push(pool.mk(Head::Op(Op::Not), Sort::BOOL, &[t])),
        }
        if out.len() + stack.len() > MAX_PARTS {
            return None;
        }
    }
    Some(out)
}

/// The number of occurrences of a variable in a term as a tree: 0, 1, or 2 for more.
pub(super) fn occurrences(pool: &Pool, v: Term, t: Term) -> usize {
    let (mut count, mut steps, mut stack) = (0, 0, vec![t]);
    while let Some(t) = stack.pop() {
        count += usize::from(t == v);
        steps += 1;
        if count > 1 || steps > MAX_BODY {
            return 2;
        }
        if pool.has_var(t) {
            stack.extend_from_slice(pool.args(t));
        }
    }
    count
}
