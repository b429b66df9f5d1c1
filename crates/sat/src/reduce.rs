//! Housekeeping: forgetting learnt clauses, dropping what is true outright, compacting the arena.

use crate::arena::ClauseRef;
use crate::core::{Core, Reason, Watch};
use crate::proof::ProofStep;

/// Learnt clauses of at most this many levels are kept for good.
const KEEP: u32 = 2;

impl Core {
    /// Forgets half of the learnt clauses that were of no use lately, if it is time.
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
            } else if self.arena.lbd(c) > KEEP && self.arena.len(c) > 2 && !self.is_reason(c) {
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

    /// True if the clause implied one of its watched literals.
    fn is_reason(&self, c: ClauseRef) -> bool {
        self.arena.lits(c)[..2]
            .iter()
            .any(|&l| self.val(l) > 0 && self.data(l.var()).reason == Reason::Clause(c))
    }

    /// Tells the proof what holds outright, before clauses it follows from are deleted.
    pub(crate) fn prove_units(&mut self) {
        let end = self.levels.first().copied().unwrap_or(self.trail.len());
        while self.proved < end {
            let l = self.trail[self.proved];
            self.proved += 1;
            self.log(ProofStep::Learnt(&[l]));
        }
    }

    /// At level 0, with nothing left to propagate: drops clauses that are true and literals that are false.
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

    /// Takes deleted clauses off all lists, notes clauses that became binary, compacts if there is much waste.
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
        self.compact_if_wasting(64);
    }

    /// Compacts the arena if more than so many words are waste. Deleted clauses must be off all lists.
    pub(crate) fn compact_if_wasting(&mut self, words: usize) {
        if !self.arena.wastes(words) {
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
