//! Adding clauses: from the caller at level 0, from the theory at any level.

use crate::Lit;
use crate::arena::ClauseRef;
use crate::core::{Core, Effect, Reason};
use crate::proof::ProofStep;
use crate::theory::Theory;

impl Core {
    /// Adds a clause at level 0.
    pub(crate) fn add_clause(&mut self, clause: &[Lit]) {
        debug_assert!(self.levels.is_empty());
        self.log(ProofStep::Input(clause));
        self.set_buffer(clause);
        if !self.ok || !self.normalise() {
            return;
        }
        match *self.buffer {
            [] => self.refuted(),
            [l] => self.enqueue(l, Reason::None),
            _ => {
                let c = self.arena.alloc(&self.buffer, false, 0);
                self.clauses.push(c);
                self.attach(c);
            }
        }
    }

    fn set_buffer(&mut self, clause: &[Lit]) {
        self.buffer.clear();
        self.buffer.extend_from_slice(clause);
    }

    /// Removes duplicates and literals false at level 0 from `self.buffer`. Returns false if the clause is a tautology
    /// or true at level 0.
    fn normalise(&mut self) -> bool {
        let mut lits = std::mem::take(&mut self.buffer);
        let original = self.proof.is_some().then(|| lits.clone());
        let fixed = |l: &Lit| if self.lit_level(*l) == 0 { self.val(*l) } else { 0 };
        lits.sort_unstable();
        lits.dedup();
        let tautology = lits.windows(2).any(|w| w[0].var() == w[1].var());
        let satisfied = tautology || lits.iter().any(|l| fixed(l) > 0);
        lits.retain(|l| fixed(l) >= 0);
        if let Some(original) = original {
            if satisfied {
                self.log(ProofStep::Delete(&original));
            } else if original.len() != lits.len() {
                self.log(ProofStep::Learnt(&lits));
                self.log(ProofStep::Delete(&original));
            }
        }
        self.buffer = lits;
        !satisfied
    }

    /// Applies the effects that the theory queued. Returns whether there were any.
    pub(crate) fn apply_queue(&mut self, theory: &mut impl Theory) -> bool {
        if self.queue.effects.is_empty() {
            return false;
        }
        let backjumps = self.backjumps;
        let mut queue = std::mem::take(&mut self.queue);
        for &effect in &queue.effects {
            if !self.ok {
                break;
            }
            match effect {
                Effect::Lemma(from, to) => self.add_lemma(&queue.lits[from..to], false, theory),
                Effect::Conflict(from, to) => self.add_lemma(&queue.lits[from..to], true, theory),
                Effect::Propagate(l, reason) if self.backjumps == backjumps => {
                    self.theory_propagates(l, reason, theory);
                }
                Effect::Propagate(..) => {}
            }
        }
        queue.effects.clear();
        queue.lits.clear();
        self.queue = queue;
        true
    }

    /// Assigns a literal that the theory propagated.
    fn theory_propagates(&mut self, l: Lit, reason: u32, theory: &mut impl Theory) {
        match self.val(l) {
            0 => {
                self.stats.theory_propagations += 1;
                self.enqueue(l, Reason::Theory(reason));
                if self.levels.is_empty() && self.proof.is_some() {
                    self.request_explanation(l, reason, theory);
                }
            }
            1 => {}
            _ => {
                self.request_explanation(l, reason, theory);
                let proper = self.buffer.iter().all(|&q| self.val(q) < 0);
                assert!(
                    proper,
                    "the theory explains {l:?} by a clause that does not imply it: {:?}",
                    self.buffer
                );
                self.conflict.clone_from(&self.buffer);
                self.resolve_temporary_conflict(theory);
            }
        }
    }

    /// Learns from the clause in `self.conflict`, which is not kept.
    fn resolve_temporary_conflict(&mut self, theory: &mut impl Theory) {
        self.resolve_conflict(theory);
        if let Some(proof) = &mut self.proof {
            proof(ProofStep::Delete(&self.conflict));
        }
    }

    /// Adds a clause of the theory; its literals may have any values. A redundant clause that is false is not kept.
    fn add_lemma(&mut self, clause: &[Lit], redundant: bool, theory: &mut impl Theory) {
        self.stats.lemmas += 1;
        self.ticks += clause.len() as u64;
        self.log(ProofStep::Lemma(clause));
        self.set_buffer(clause);
        if !self.normalise() {
            return;
        }
        match *self.buffer {
            [] => self.refuted(),
            [l] => {
                self.backjump(0, theory);
                self.enqueue(l, Reason::None);
            }
            _ => self.add_long_lemma(redundant, theory),
        }
    }

    /// The order in which literals are watched: true ones, lowest level first; unassigned ones; false ones, highest
    /// level first.
    fn watch_rank(&self, l: Lit) -> (i8, u32) {
        match self.val(l) {
            0 => (1, 0),
            1 => (0, self.lit_level(l)),
            _ => (2, u32::MAX - self.lit_level(l)),
        }
    }

    /// Adds the clause in `self.buffer`, of two literals or more.
    fn add_long_lemma(&mut self, redundant: bool, theory: &mut impl Theory) {
        let mut lits = std::mem::take(&mut self.buffer);
        for k in 0..2 {
            let best = (k..lits.len()).min_by_key(|&i| self.watch_rank(lits[i])).unwrap_or(k);
            lits.swap(k, best);
        }
        self.buffer = lits;
        let (a, b) = (self.buffer[0], self.buffer[1]);
        if self.val(b) >= 0 {
            self.store(redundant);
            return;
        }
        let (level_a, level_b) = (self.lit_level(a), self.lit_level(b));
        if self.val(a) > 0 {
            let c = self.store(redundant);
            if level_a > level_b {
                self.late.push(c);
            }
        } else if self.val(a) == 0 || level_a > level_b {
            self.backjump(level_b, theory);
            let c = self.store(redundant);
            self.enqueue(a, Reason::Clause(c));
        } else {
            self.conflict.clone_from(&self.buffer);
            if redundant {
                self.resolve_temporary_conflict(theory);
            } else {
                self.store(redundant);
                self.resolve_conflict(theory);
            }
        }
    }

    /// Stores the clause in `self.buffer` and watches its first two literals.
    fn store(&mut self, redundant: bool) -> ClauseRef {
        let c = self.arena.alloc(&self.buffer, redundant, self.buffer.len() as u32);
        let list = if redundant { &mut self.learnts } else { &mut self.clauses };
        list.push(c);
        self.attach(c);
        c
    }
}
