//! Which terms are instances of patterns.
//!
//! A pattern is a term whose variables stand for any term of their sort, or those that their [`Guard`] admits. Arguments of commutative
//! operators match in both orders.

use super::grammar::commutative;
use super::guard::Guard;
use rustc_hash::FxHashMap;
use smt::{Head, Pool, Term};

/// What the variables of a pattern stand for.
pub type Binding = FxHashMap<Term, Term>;

/// What the variables of the patterns stand for, such that each equals its term.
pub fn unify(pool: &Pool, pairs: &[(Term, Term)]) -> Option<Binding> {
    let mut states = vec![(pairs.to_vec(), Binding::default())];
    'states: while let Some((mut pairs, mut binding)) = states.pop() {
        while let Some((pattern, t)) = pairs.pop() {
            if let Head::Var(_) = pool.head(pattern) {
                let admitted = Guard::of(pool, pattern).is_none_or(|guard| guard.admits(pool, t));
                if !admitted
                    || pool.sort_of(pattern) != pool.sort_of(t)
                    || *binding.entry(pattern).or_insert(t) != t
                {
                    continue 'states;
                }
                continue;
            }
            let (left, right) = (pool.args(pattern), pool.args(t));
            if pool.head(pattern) != pool.head(t) || left.len() != right.len() {
                continue 'states;
            }
            if let (Head::Op(op), &[a, b], &[c, d]) = (pool.head(pattern), left, right)
                && commutative(op)
            {
                states.push(([&pairs[..], &[(a, d), (b, c)]].concat(), binding.clone()));
            }
            pairs.extend(left.iter().copied().zip(right.iter().copied()));
        }
        return Some(binding);
    }
    None
}

/// The nodes of a term, with repetition.
pub fn size(pool: &Pool, t: Term) -> usize {
    occurrences(pool, t).len()
}

/// The subterms of a term, with repetition. The ends of a range of constants do not count.
pub fn occurrences(pool: &Pool, t: Term) -> Vec<Term> {
    let mut found = vec![t];
    let mut next = 0;
    while let Some(&t) = found.get(next) {
        if pool.head(t) != Head::Op(smt::Op::ReRange) || pool.has_var(t) {
            found.extend(pool.args(t));
        }
        next += 1;
    }
    found
}
