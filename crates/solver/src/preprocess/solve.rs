//! Constants that a top-level equality determines are replaced by their value.
//!
//! From `(= x (str.++ y "a"))` follows `x`, from `(= (+ i j) 3)` either `i = 3 - j` or `j = 3 - i`, from `(not p)` that
//! `p` is false. The constants chosen in one round do not occur in the values of the others, so that all are replaced at
//! once.

use super::{State, constant, eliminable, is_plain, terms};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Fun, Head, Int, Op, Pool, Sort, Term};

/// Subterms of a value that replaces a constant, at most.
const MAX_VALUE_SIZE: usize = 10_000;

/// Replaces the constants that the assertions determine, in one round.
pub(super) fn round(pool: &mut Pool, state: &mut State) {
    let uses = terms::Uses::new(pool, &state.assertions);
    let mut chosen: FxHashMap<Term, Term> = FxHashMap::default();
    let mut needed: FxHashSet<Term> = FxHashSet::default();
    let mut fuel = 200_000 + 10 * uses.len();
    let mut kept = Vec::new();
    for t in std::mem::take(&mut state.assertions) {
        let mut best: Option<(usize, Candidate, FxHashSet<Term>)> = None;
        for c in candidates(pool, t) {
            if chosen.contains_key(&c.constant) || needed.contains(&c.constant) || !is_plain(pool, c.value) {
                continue;
            }
            let Some(parts) = terms::parts(pool, c.value, MAX_VALUE_SIZE.min(fuel)) else { continue };
            fuel -= parts.len();
            // In a model a language is a term, which must be ground.
            if pool.sort_of(c.constant) == Sort::REGLAN
                && parts.iter().any(|&p| eliminable(pool, p).is_some())
            {
                continue;
            }
            if parts.iter().any(|p| *p == c.constant || chosen.contains_key(p)) {
                continue;
            }
            let cost = (uses.of(c.constant) as usize).saturating_sub(2) * (parts.len() - 1);
            if cost <= state.growth && best.as_ref().is_none_or(|b| cost < b.0) {
                best = Some((cost, c, parts));
            }
        }
        if let Some((cost, c, parts)) = best {
            state.growth -= cost;
            state.defs.push((c.fun, c.value));
            chosen.insert(c.constant, c.value);
            needed.extend(parts.into_iter().filter(|&p| eliminable(pool, p).is_some()));
        } else {
            kept.push(t);
        }
    }
    state.assertions = kept;
    if !chosen.is_empty() {
        state.replace(pool, chosen);
    }
}

/// A constant and its value.
struct Candidate {
    constant: Term,
    fun: Fun,
    value: Term,
}

/// The constants that the assertion `t` determines.
fn candidates(pool: &mut Pool, t: Term) -> Vec<Candidate> {
    let mut out = Vec::new();
    let mut add = |pool: &Pool, t, value| {
        if let Some(fun) = eliminable(pool, t) {
            out.push(Candidate { constant: t, fun, value });
        }
    };
    let (positive, atom) = match pool.head(t) {
        Head::Op(Op::Not) => (false, pool.args(t)[0]),
        _ => (true, t),
    };
    let value = pool.bool(positive);
    add(pool, atom, value);
    if let (Head::Op(Op::Eq), &[a, b]) = (pool.head(atom), pool.args(atom)) {
        if positive {
            add(pool, a, b);
            add(pool, b, a);
            if pool.sort_of(a) == Sort::INT {
                linear(pool, a, b).into_iter().for_each(|(x, value)| add(pool, x, value));
            }
        } else if pool.sort_of(a) == Sort::BOOL {
            for (x, y) in [(a, b), (b, a)] {
                if constant(pool, x).is_some() {
                    let value = pool.mk(Head::Op(Op::Not), Sort::BOOL, &[y]);
                    add(pool, x, value);
                }
            }
        }
    }
    out
}

/// Addends of an equality that is solved for a constant, at most.
const MAX_ADDENDS: usize = 64;

/// The constants that the equality of two integer terms determines, with their values.
fn linear(pool: &mut Pool, a: Term, b: Term) -> Vec<(Term, Term)> {
    let Some(sum) = addends(pool, a, b) else { return Vec::new() };
    let mut out = Vec::new();
    for (i, (coefficient, x)) in sum.iter().enumerate() {
        let unit = *coefficient == Int::ONE || *coefficient == Int::MINUS_ONE;
        let alone = sum.len() == 2 && sum.iter().all(|s| s.1 == a || s.1 == b);
        if !unit || alone || constant(pool, *x).is_none() {
            continue;
        }
        let rest: Vec<Term> = (0..sum.len())
            .filter(|&j| j != i)
            .map(|j| {
                let factor = -(&sum[j].0 * coefficient);
                times(pool, factor, sum[j].1)
            })
            .collect();
        let value = match rest[..] {
            [] => pool.int(0),
            [one] => one,
            _ => pool.mk(Head::Op(Op::Add), Sort::INT, &rest),
        };
        out.push((*x, value));
    }
    out
}

fn times(pool: &mut Pool, factor: Int, t: Term) -> Term {
    if let Head::Int(n) = pool.head(t) {
        let n = &factor * pool.int_value(n);
        return pool.int(n);
    }
    if factor == Int::ONE {
        return t;
    }
    let factor = pool.int(factor);
    pool.mk(Head::Op(Op::Mul), Sort::INT, &[factor, t])
}

/// `a - b` as a sum of distinct terms with coefficients. A constant is a multiple of the term `1`.
fn addends(pool: &mut Pool, a: Term, b: Term) -> Option<Vec<(Int, Term)>> {
    let one = pool.int(1);
    let mut sum: Vec<(Int, Term)> = Vec::new();
    let mut stack = vec![(Int::MINUS_ONE, b), (Int::ONE, a)];
    while let Some((c, t)) = stack.pop() {
        if stack.len() + sum.len() > MAX_ADDENDS {
            return None;
        }
        let args = pool.args(t);
        match (pool.head(t), args) {
            (Head::Op(Op::Add), _) => stack.extend(args.iter().map(|&a| (c.clone(), a))),
            (Head::Op(Op::Neg), &[a]) => stack.push((-c, a)),
            (Head::Op(Op::Sub), &[first, ref rest @ ..]) => {
                stack.extend(rest.iter().map(|&a| (-&c, a)));
                stack.push((c, first));
            }
            (Head::Op(Op::Mul), &[x, y]) => match (pool.head(x), pool.head(y)) {
                (Head::Int(n), _) => stack.push((&c * pool.int_value(n), y)),
                (_, Head::Int(n)) => stack.push((&c * pool.int_value(n), x)),
                _ => sum.push((c, t)),
            },
            (Head::Int(n), _) => sum.push((&c * pool.int_value(n), one)),
            _ => sum.push((c, t)),
        }
    }
    let mut merged: Vec<(Int, Term)> = Vec::new();
    for (c, t) in sum {
        match merged.iter_mut().find(|m| m.1 == t) {
            Some(m) => m.0 = &m.0 + &c,
            None => merged.push((c, t)),
        }
    }
    merged.retain(|m| !m.0.is_zero());
    Some(merged)
}
