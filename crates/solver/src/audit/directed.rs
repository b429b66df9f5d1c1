//! Assignments that satisfy the premises of a claim where random ones would not.
//!
//! A conflict on `x ∈ L` and `y = f(x)` holds vacuously on nearly all random strings. Here `x` is drawn from L, and `y` is computed from `x`.

use super::config;
use crate::dice::Dice;
use rustc_hash::FxHashSet;
use semantics::regex::RegexStore;
use semantics::{Evaluator, Model, Str, Value};
use smt::{Fun, Head, Op, Pool, Term};

/// Equations are applied in this many rounds, so that a chain of definitions is computed.
const ROUNDS: usize = 4;
/// Strings that are drawn have at least one of the lengths below this.
const LENGTHS: usize = 6;
/// The work of drawing a string.
const BUDGET: u64 = 20_000;

/// Changes values of the inputs so that premises hold. A premise is a formula that the clause has negated.
pub(super) fn direct(
    pool: &Pool,
    dice: &mut Dice,
    inputs: &FxHashSet<Fun>,
    clause: &[(Term, bool)],
    model: &mut Model,
) {
    let premises: Vec<Term> = clause.iter().filter(|&&(_, want)| !want).map(|&(t, _)| t).collect();
    for &t in &premises {
        if let (Head::Op(Op::StrInRe), &[s, r]) = (pool.head(t), pool.args(t))
            && let Some(f) = input(pool, inputs, s)
            && let Some(word) = draw(pool, dice, model, r)
        {
            model.assign(f, Value::Str(Str::concat(&[&word])));
        }
    }
    for _ in 0..ROUNDS {
        for &t in &premises {
            if pool.head(t) == Head::Op(Op::Eq)
                && let &[a, b] = pool.args(t)
            {
                define(pool, inputs, model, a, b);
                define(pool, inputs, model, b, a);
            }
        }
    }
}

/// The input that a term is.
fn input(pool: &Pool, inputs: &FxHashSet<Fun>, t: Term) -> Option<Fun> {
    match pool.head(t) {
        Head::Fun(f) if pool.args(t).is_empty() && inputs.contains(&f) => Some(f),
        _ => None,
    }
}

/// Gives an input the value of a term that does not contain it.
fn define(pool: &Pool, inputs: &FxHashSet<Fun>, model: &mut Model, name: Term, body: Term) {
    let Some(f) = input(pool, inputs, name) else { return };
    if input(pool, inputs, body).is_some() || pool.subterms([body]).any(|t| t == name) {
        return;
    }
    let value = Evaluator::with(pool, model, config(), RegexStore::new()).eval(body);
    if let Ok(value @ (Value::Str(_) | Value::Int(_) | Value::Bool(_))) = value {
        model.assign(f, value);
    }
}

/// A string of an expression.
fn draw(pool: &Pool, dice: &mut Dice, model: &Model, r: Term) -> Option<Vec<u32>> {
    let mut e = Evaluator::with(pool, model, config(), RegexStore::new());
    let Ok(Value::Re(language)) = e.eval(r) else { return None };
    let mut store = e.into_store();
    let any = store.allchar();
    let (some, all) = (store.power(any, dice.below(LENGTHS) as u64), store.all());
    let longer = store.concat(&[some, all]);
    let both = store.inter(&[language, longer]);
    store.shortest_member(both, BUDGET).flatten()
}
