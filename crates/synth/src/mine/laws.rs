//! The rules kept so far: a term that is an instance of one is not evaluated.

use super::conjecture::Law;
use super::matching::unify;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Head, Pool, Term};

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
