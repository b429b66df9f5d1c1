//! Constants that an assertion determines: replaced by what they equal, everywhere.
//!
//! In one round the constants chosen are such that none occurs in what another is replaced by, so that they can all be
//! replaced at once.

use super::{State, constant, eliminable, is_plain, terms};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Fun, Head, Int, Op, Pool, Sort, Term};

/// Nothing larger than this replaces a constant.
const SIZE: usize = 10_000;

/// Replaces what this round's assertions determine.
pub(super) fn round(pool: &mut Pool, state: &mut State) {
    let uses = terms::Uses::new(pool, &state.assertions);
    let mut chosen: FxHashMap<Term, Term> = FxHashMap::default();
    let mut needed: FxHashSet<Term> = FxHashSet::default();
    let mut fuel = 200_000 + 10 * uses.len();
    let mut kept = Vec::new();
    for t in std::mem::take(&mut state.assertions) {
        let mut best: Option<(usize, Candidate, FxHashSet<Term>)> = None;
        for c in candidates(pool, t) {
            if chosen.contains_key(&c.what) || needed.contains(&c.what) || !is_plain(pool, c.by) {
                continue;
            }
            let Some(parts) = terms::parts(pool, c.by, SIZE.min(fuel)) else { continue };
            fuel -= parts.len();
            // A language is carried back as a term, which must have a meaning by itself.
            if pool.sort_of(c.what) == Sort::REGLAN && parts.iter().any(|&p| eliminable(pool, p).is_some()) {
                continue;
            }
            if parts.iter().any(|p| *p == c.what || chosen.contains_key(p)) {
                continue;
            }
            let cost = (uses.of(c.what) as usize).saturating_sub(2) * (parts.len() - 1);
            if cost <= state.growth && best.as_ref().is_none_or(|b| cost < b.0) {
                best = Some((cost, c, parts));
            }
        }
        if let Some((cost, c, parts)) = best {
            state.growth -= cost;
            state.defs.push((c.fun, c.by));
            chosen.insert(c.what, c.by);
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

/// A constant and what it equals.
struct Candidate {
    what: Term,
    fun: Fun,
    by: Term,
}

/// What the assertion `t` says about constants.
fn candidates(pool: &mut Pool, t: Term) -> Vec<Candidate> {
    let mut out = Vec::new();
    let mut add = |pool: &Pool, what, by| {
        if let Some(fun) = eliminable(pool, what) {
            out.push(Candidate { what, fun, by });
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
                linear(pool, a, b).into_iter().for_each(|(what, by)| add(pool, what, by));
            }
        } else if pool.sort_of(a) == Sort::BOOL {
            for (x, y) in [(a, b), (b, a)] {
                if constant(pool, x).is_some() {
                    let by = pool.mk(Head::Op(Op::Not), Sort::BOOL, &[y]);
                    add(pool, x, by);
                }
            }
        }
    }
    out
}

/// A sum with more addends than this is not solved.
const ADDENDS: usize = 64;

/// The constants that the equality of two integer terms determines, and by what.
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
        let by = match rest[..] {
            [] => pool.int(0),
            [one] => one,
            _ => pool.mk(Head::Op(Op::Add), Sort::INT, &rest),
        };
        out.push((*x, by));
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

/// `a - b` as a sum of different terms with coefficients. A number is the term `1` with a coefficient.
fn addends(pool: &mut Pool, a: Term, b: Term) -> Option<Vec<(Int, Term)>> {
    let one = pool.int(1);
    let mut sum: Vec<(Int, Term)> = Vec::new();
    let mut stack = vec![(Int::MINUS_ONE, b), (Int::ONE, a)];
    while let Some((c, t)) = stack.pop() {
        if stack.len() + sum.len() > ADDENDS {
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
