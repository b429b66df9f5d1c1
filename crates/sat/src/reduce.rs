//! Deleting learnt clauses, simplification at level 0, and compaction of the arena.

use crate::arena::ClauseRef;
use crate::core::{Core, Reason, Watch};
use crate::proof::ProofStep;

/// Learnt clauses of at most this LBD are never deleted.
const MAX_KEPT_LBD: u32 = 2;

/// Unused words at which the arena is compacted.
const MIN_WASTED_WORDS: usize = 64;

impl Core {
    /// Deletes half of the learnt clauses that were not used recently, if a reduction is due.
    pub(crate) fn reduce_if_due(&mut self) {
        if self.stats.conflicts < self.next_reduction {
            return;
        }
        self.stats.reductions += 1;
        let growth = self.reduction_interval / 8 * self.stats.reductions;
        self.next_reduction = self.stats.conflicts + self.reduction_interval + growth;
        self.prove_units();
        let learnts = std::mem::take(&mut self.learnts);
        let mut candidates = Vec::new();
        for &c in &learnts {
            let used = self.arena.used(c);
            if used > 0 {
                self.arena.set_used(c, used - 1);
            } else if self.arena.lbd(c) > MAX_KEPT_LBD && self.arena.len(c) > 2 && !self.is_reason(c) {
                candidates.push(c);
            }
        }
        candidates.sort_unstable_by_key(|&c| std::cmp::Reverse((self.arena.lbd(c), self.arena.len(c), c)));
        candidates.truncate(candidates.len().div_ceil(2));
        for &c in &candidates {
            self.delete(c);
        }
        self.stats.deleted += candidates.len() as u64;
        self.learnts = learnts;
        self.purge();
    }

    /// Whether the clause is the reason of one of its watched literals.
    fn is_reason(&self, c: ClauseRef) -> bool {
        self.arena.lits(c)[..2]
            .iter()
            .any(|&l| self.val(l) > 0 && self.data(l.var()).reason == Reason::Clause(c))
    }

    /// Logs the literals of level 0 to the proof, before the clauses that imply them are deleted.
    pub(crate) fn prove_units(&mut self) {
        let end = self.levels.first().copied().unwrap_or(self.trail.len());
        while self.proved < end {
            let l = self.trail[self.proved];
            self.proved += 1;
            self.log(ProofStep::Learnt(&[l]));
        }
    }

    /// At level 0, after propagation: deletes satisfied clauses and false literals.
    pub(crate) fn simplify_if_due(&mut self) {
        if !self.levels.is_empty() || self.simplified == self.trail.len() {
            return;
        }
        self.simplified = self.trail.len();
        self.prove_units();
        for k in 0..self.clauses.len() + self.learnts.len() {
            let c = *self.clauses.get(k).unwrap_or_else(|| &self.learnts[k - self.clauses.len()]);
            self.ticks += 1;
            self.simplify(c);
        }
        self.purge();
    }

    fn simplify(&mut self, c: ClauseRef) {
        if self.arena.lits(c).iter().any(|&l| self.val(l) > 0) {
            self.stats.deleted += 1;
            self.delete(c);
            return;
        }
        if self.arena.lits(c).iter().all(|&l| self.val(l) == 0) {
            return;
        }
        let old = self.proof.is_some().then(|| self.arena.lits(c).to_vec());
        let (values, lits) = (&self.values, self.arena.lits_mut(c));
        debug_assert!(lits[..2].iter().all(|l| values[l.index()] == 0));
        let mut kept = 0;
        for k in 0..lits.len() {
            if values[lits[k].index()] == 0 {
                lits.swap(kept, k);
                kept += 1;
            }
        }
        self.arena.shrink(c, kept);
        if let (Some(old), Some(proof)) = (old, &mut self.proof) {
            proof(ProofStep::Learnt(self.arena.lits(c)));
            proof(ProofStep::Delete(&old));
        }
    }

    /// Removes deleted clauses from all lists, updates the watches of clauses that became binary, and compacts the arena.
    fn purge(&mut self) {
        let arena = &self.arena;
        for list in [&mut self.clauses, &mut self.learnts, &mut self.late] {
            list.retain(|&c| !arena.is_deleted(c));
        }
        for (index, list) in self.watches.iter_mut().enumerate() {
            self.ticks += list.len() as u64 / 8;
            list.retain_mut(|w| {
                let c = w.clause();
                if !w.is_binary() && !arena.is_deleted(c) && arena.len(c) == 2 {
                    let other = usize::from(arena.lit(c, 0).index() == index);
                    *w = Watch::new(c, true, arena.lit(c, other));
                }
                !arena.is_deleted(c)
            });
        }
        self.compact_if_wasting(MIN_WASTED_WORDS);
    }

    /// Compacts the arena if more than `words` words are unused. No list may have a deleted clause.
    pub(crate) fn compact_if_wasting(&mut self, words: usize) {
        if !self.arena.is_wasting(words) {
            return;
        }
        let mut new = self.arena.successor();
        let mut old = std::mem::take(&mut self.arena);
        for list in [&mut self.clauses, &mut self.learnts, &mut self.late] {
            for c in list.iter_mut() {
                *c = old.relocate(*c, &mut new);
            }
        }
        for list in &mut self.watches {
            for w in list.iter_mut() {
                *w = Watch::new(old.relocate(w.clause(), &mut new), w.is_binary(), w.blocker);
            }
        }
        for l in &self.trail {
            let reason = &mut self.vars[l.var().0 as usize].reason;
            if let Reason::Clause(c) | Reason::Explained(c) = reason {
                *c = old.relocate(*c, &mut new);
            }
        }
        self.arena = new;
    }
}
