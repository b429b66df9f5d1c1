//! Subterms of assertions, and the number of their uses.

use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Pool, Term, Walk};

/// The subterms of `t`, unless they are more than `limit`.
pub(super) fn parts(pool: &Pool, t: Term, limit: usize) -> Option<FxHashSet<Term>> {
    let mut walk = Walk::new([t]);
    while let Some(t) = walk.next() {
        if walk.seen().len() > limit {
            return None;
        }
        walk.enter(pool, t);
    }
    Some(walk.into_seen())
}

/// The number of uses of each subterm of some assertions: as an assertion, or as an argument.
pub(super) struct Uses {
    count: FxHashMap<Term, u32>,
}

impl Uses {
    pub(super) fn new(pool: &Pool, assertions: &[Term]) -> Self {
        let mut count: FxHashMap<Term, u32> = FxHashMap::default();
        // The counts are also the set of visited terms; a second set (`Pool::subterms`) made sessions of many checks 10 %
        // slower.
        let mut stack = assertions.to_vec();
        while let Some(t) = stack.pop() {
            let n = count.entry(t).or_insert(0);
            *n += 1;
            if *n == 1 {
                stack.extend(pool.args(t));
            }
        }
        Uses { count }
    }

    pub(super) fn of(&self, t: Term) -> u32 {
        self.count.get(&t).copied().unwrap_or(0)
    }

    pub(super) fn len(&self) -> usize {
        self.count.len()
    }

    /// The subterms, arguments before the terms that have them.
    pub(super) fn in_order(&self) -> Vec<Term> {
        let mut all: Vec<Term> = self.count.keys().copied().collect();
        all.sort_unstable();
        all
    }
}
