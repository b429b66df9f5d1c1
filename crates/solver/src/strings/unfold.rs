//! Recursive functions: a call whose value in the candidate model is wrong is unfolded once.
//!
//! Preprocessing inlines definitions that are not recursive. A call `f(a)` that is left is a term of which congruence
//! closure knows nothing but equal arguments; its definition at `a` is a valid formula. The cases of the body are
//! clauses of their own, so that calls in cases that do not apply are not relevant, and unfolding ends where the
//! arguments decide it.
//!
//! Example: with `f(n) = (ite (<= n 0) 0 (+ n (f (- n 1))))`, the call `(f k)` gives `k > 0 or f(k) = 0` and
//! `k <= 0 or f(k) = k + f(k - 1)`; only if `k > 0` is the call `f(k - 1)` looked at.

use crate::builder::Builder;
use crate::calculus::Calculus;
use crate::infer::Rule;
use crate::rewrite::Mode;
use rustc_hash::FxHashMap;
use smt::{Head, Op, Pool, Term};

/// Cases of one body, at most.
const MAX_CASES: usize = 32;

/// Whether a term is a call of a function with a definition.
pub(super) fn is_call(pool: &Pool, t: Term) -> bool {
    matches!(pool.head(t), Head::Fun(f) if pool.fun(f).def.is_some() && !pool.args(t).is_empty())
}

/// Sends the definition of a call. True if it is new.
pub(super) fn unfold(c: &mut Calculus<'_>, t: Term) -> bool {
    let Some(body) = body(c.terms.pool, t) else { return false };
    c.in_mode(Mode::WithoutEntailment, |c| {
        let mut sent = false;
        for (conditions, value) in cases(c.terms.pool, body) {
            let mut parts: Vec<Term> = Vec::new();
            for (condition, holds) in conditions {
                parts.push(if holds { c.not(condition) } else { condition });
            }
            parts.push(c.eq(t, value));
            let formula = c.or(&parts);
            sent |= c.valid(Rule::Definition, formula);
        }
        sent
    })
}

/// The body of the called function with the arguments of the call; none if it has quantifiers.
fn body(pool: &mut Pool, t: Term) -> Option<Term> {
    let Head::Fun(f) = pool.head(t) else { return None };
    let definition = pool.fun(f).def.as_ref()?;
    let (vars, body) = (definition.vars.to_vec(), definition.body);
    let args = pool.args(t).to_vec();
    if pool.has_binder(body) || vars.len() != args.len() {
        return None;
    }
    let mut map: FxHashMap<Term, Term> = vars.into_iter().zip(args).collect();
    Some(pool.replace(body, &mut map))
}

/// Conditions with their truth values.
type Conditions = Vec<(Term, bool)>;

/// The cases of a term by the conditions at its top.
fn cases(pool: &Pool, t: Term) -> Vec<(Conditions, Term)> {
    let mut out: Vec<(Conditions, Term)> = Vec::new();
    let mut stack = vec![(Vec::new(), t)];
    while let Some((conditions, t)) = stack.pop() {
        match (pool.head(t), pool.args(t)) {
            (Head::Op(Op::Ite), &[condition, x, y]) if out.len() + stack.len() < MAX_CASES => {
                for (holds, branch) in [(false, y), (true, x)] {
                    let mut more = conditions.clone();
                    more.push((condition, holds));
                    stack.push((more, branch));
                }
            }
            (Head::Annot(_), args) => stack.push((conditions, args[0])),
            _ => out.push((conditions, t)),
        }
    }
    out
}
