//! Subterms of assertions, and the number of their uses.

use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Pool, Term};

/// The subterms of `t`, unless they are more than `limit`.
pub(super) fn parts(pool: &Pool, t: Term, limit: usize) -> Option<FxHashSet<Term>> {
    let parts: FxHashSet<Term> = pool.subterms([t]).take(limit.saturating_add(1)).collect();
    (parts.len() <= limit).then_some(parts)
}

/// The number of uses of each subterm of some assertions: as an assertion, or as an argument.
pub(super) struct Uses {
    count: FxHashMap<Term, u32>,
}

impl Uses {
    pub(super) fn new(pool: &Pool, assertions: &[Term]) -> Self {
        let mut count: FxHashMap<Term, u32> = FxHashMap::default();
        let arguments = pool.subterms(assertions.iter().copied()).flat_map(|t| pool.args(t));
        for &t in arguments.chain(assertions) {
            *count.entry(t).or_insert(0) += 1;
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
