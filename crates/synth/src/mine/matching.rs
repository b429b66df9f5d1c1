//! Which terms are instances of rules.
//!
//! A pattern is a term whose variables stand for any term of their sort, or those that their [`Guard`] admits. Arguments of commutative
//! operators match in both orders.

use super::conjecture::Law;
use super::grammar::commutative;
use super::guard::Guard;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Head, Pool, Term};

/// What the variables of a pattern stand for.
pub type Binding = FxHashMap<Term, Term>;

/// The kept rules, by the operator on their left.
#[derive(Clone, Debug, Default)]
pub struct Laws {
    all: Vec<Law>,
    by_head: FxHashMap<Head, Vec<usize>>,
    seen: FxHashSet<Term>,
}

impl Laws {
    /// All rules, in the order in which they were kept.
    pub fn all(&self) -> &[Law] {
        &self.all
    }

    /// Keeps a rule.
    pub fn keep(&mut self, pool: &Pool, law: Law) {
        self.by_head.entry(pool.head(law.left)).or_default().push(self.all.len());
        self.all.push(law);
    }

    /// Notes that a term has been enumerated.
    pub fn see(&mut self, t: Term) {
        self.seen.insert(t);
    }

    /// Whether a rule says that `t` equals a smaller term, or one that was enumerated before.
    pub fn imply(&self, pool: &mut Pool, t: Term) -> bool {
        let rules = self.by_head.get(&pool.head(t)).map_or(&[][..], Vec::as_slice);
        rules.iter().any(|&i| {
            let law = &self.all[i];
            let Some(binding) = unify(pool, &[(law.left, t)]) else { return false };
            law.shrinks(pool) || {
                let right = pool.replace(law.right, &mut binding.clone());
                right.0 < t.0 && self.seen.contains(&right)
            }
        })
    }
}

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
