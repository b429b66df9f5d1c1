//! Bounds in place of excluded values.
//!
//! `(assert (>= n 0)) (assert (not (= n 0))) (assert (distinct n 1))` becomes `(assert (>= n 2))`. All of them are in force at every check, so that the models stay the same.

use super::Pass;
use super::edit::{Change, Edit, New, largest};
use super::{facts, solve};
use crate::doc::{Doc, Effect};
use rustc_hash::FxHashMap;
use smt::{Command, Head, Int, Op, Pool, Sort, Term};

/// Moves bounds past excluded values.
pub(super) struct Bounds;

impl Pass for Bounds {
    fn name(&self) -> &'static str {
        "bounds"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let effect = facts::global(doc, Effect::Equivalent);
        let asserted: Vec<(usize, Term)> = doc
            .script
            .commands()
            .take(solve::always(doc))
            .enumerate()
            .filter_map(
                |(i, c)| if let Command::Assert(t) = c { Some((i, doc.pool.strip(*t))) } else { None },
            )
            .collect();
        let mut excluded: FxHashMap<(Term, Int), (usize, Term)> = FxHashMap::default();
        for &(i, t) in &asserted {
            if let Some(key) = exclusion(&doc.pool, t) {
                excluded.entry(key).or_insert((i, t));
            }
        }
        largest(asserted.iter().filter_map(|&(_, t)| {
            let Bound { term, upper, mut value } = bound(&doc.pool, t)?;
            let mut passed = Vec::new();
            while let Some(&found) = excluded.get(&(term, value.clone())) {
                passed.push(found);
                value = next(value, upper);
            }
            let op = if upper { Op::Le } else { Op::Ge };
            let moved = New::op(op, vec![New::Term(term), New::Int(value)]);
            let gone = passed.iter().map(|&(_, t)| (t, New::constant(Op::True)));
            let pairs = std::iter::once((t, moved)).chain(gone).collect();
            let &(first, _) = passed.first()?;
            Some(Edit { effect, gain: passed.len() as u32, change: Change::Everywhere(pairs, Some(first)) })
        }))
    }
}

/// The value after `n`, above or below it.
fn next(n: Int, below: bool) -> Int {
    if below { n - Int::from(1u64) } else { n + Int::from(1u64) }
}

/// An integer term is at least, or at most, a value.
struct Bound {
    term: Term,
    upper: bool,
    value: Int,
}

/// The bound that a formula states.
fn bound(pool: &Pool, t: Term) -> Option<Bound> {
    let (t, negated) = positive(pool, t);
    let &[a, b] = pool.args(t) else { return None };
    let Head::Op(op) = pool.head(t) else { return None };
    // Whether the first argument is the smaller one, and whether they may be equal.
    let (smaller, equal) = match op {
        Op::Le => (true, true),
        Op::Lt => (true, false),
        Op::Ge => (false, true),
        Op::Gt => (false, false),
        _ => return None,
    };
    let (smaller, equal) = (smaller != negated, equal != negated);
    let (term, value, upper) = match (number(pool, a), number(pool, b)) {
        (None, Some(value)) => (a, value, smaller),
        (Some(value), None) => (b, value, !smaller),
        _ => return None,
    };
    let value = if equal { value } else { next(value, upper) };
    (pool.sort_of(term) == Sort::INT).then_some(Bound { term, upper, value })
}

/// The integer term and its value that a formula excludes.
fn exclusion(pool: &Pool, t: Term) -> Option<(Term, Int)> {
    let (t, negated) = positive(pool, t);
    let wanted = if negated { Op::Eq } else { Op::Distinct };
    let &[a, b] = pool.args(t) else { return None };
    if pool.head(t) != Head::Op(wanted) || pool.sort_of(a) != Sort::INT || pool.sort_of(b) != Sort::INT {
        return None;
    }
    match (number(pool, a), number(pool, b)) {
        (None, Some(value)) => Some((a, value)),
        (Some(value), None) => Some((b, value)),
        _ => None,
    }
}

/// The formula without negations, and whether there was an odd number of them.
fn positive(pool: &Pool, mut t: Term) -> (Term, bool) {
    let mut negated = false;
    while pool.head(t) == Head::Op(Op::Not) {
        t = pool.args(t)[0];
        negated = !negated;
    }
    (t, negated)
}

/// The value of a numeral, perhaps negated.
fn number(pool: &Pool, t: Term) -> Option<Int> {
    match pool.head(t) {
        Head::Int(id) => Some(pool.int_value(id).clone()),
        Head::Op(Op::Neg) => match pool.head(pool.args(t)[0]) {
            Head::Int(id) => Some(-pool.int_value(id).clone()),
            _ => None,
        },
        _ => None,
    }
}
