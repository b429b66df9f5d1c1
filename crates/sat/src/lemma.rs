//! Clauses that come in: from the caller at level 0, from the theory at any moment.

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

    /// Takes from `self.buffer` what is there twice or false outright; false if the clause is true outright.
    fn normalise(&mut self) -> bool {
        let mut lits = std::mem::take(&mut self.buffer);
        let original = self.proof.is_some().then(|| lits.clone());
        let outright = |l: &Lit| if self.lit_level(*l) == 0 { self.val(*l) } else { 0 };
        lits.sort_unstable();
        lits.dedup();
        let tautology = lits.windows(2).any(|w| w[0].var() == w[1].var());
        let satisfied = tautology || lits.iter().any(|l| outright(l) > 0);
        lits.retain(|l| outright(l) >= 0);
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

    /// Applies what the theory queued. False if there was nothing.
    pub(crate) fn apply_queue<T: Theory + ?Sized>(&mut self, theory: &mut T) -> bool {
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

    /// A literal the theory says is implied.
    fn theory_propagates<T: Theory + ?Sized>(&mut self, l: Lit, reason: u32, theory: &mut T) {
        match self.val(l) {
            0 => {
                self.stats.theory_propagations += 1;
                self.enqueue(l, Reason::Theory(reason));
                if self.levels.is_empty() && self.proof.is_some() {
                    self.ask(l, reason, theory);
                }
            }
            1 => {}
            _ => {
                self.ask(l, reason, theory);
                let proper = self.buffer.iter().all(|&q| self.val(q) < 0);
                assert!(proper, "the theory explains {l:?} by what does not imply it: {:?}", self.buffer);
                self.conflict.clone_from(&self.buffer);
                self.resolve_passing_conflict(theory);
            }
        }
    }

    /// Learns from the clause in `self.conflict`, which is not kept.
    fn resolve_passing_conflict<T: Theory + ?Sized>(&mut self, theory: &mut T) {
        self.resolve_conflict(theory);
        if let Some(proof) = &mut self.proof {
            proof(ProofStep::Delete(&self.conflict));
        }
    }

    /// A clause of the theory, whatever the values of its literals. A redundant one is not kept if it is false.
    fn add_lemma<T: Theory + ?Sized>(&mut self, clause: &[Lit], redundant: bool, theory: &mut T) {
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

    /// The order in which literals are to be watched: true ones, the lowest first; unassigned ones; false ones,
    /// the highest first.
    fn watch_rank(&self, l: Lit) -> (i8, u32) {
        match self.val(l) {
            0 => (1, 0),
            1 => (0, self.lit_level(l)),
            _ => (2, u32::MAX - self.lit_level(l)),
        }
    }

    /// Adds the clause in `self.buffer`, of two literals or more.
    fn add_long_lemma<T: Theory + ?Sized>(&mut self, redundant: bool, theory: &mut T) {
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
                self.resolve_passing_conflict(theory);
            } else {
                self.store(redundant);
                self.resolve_conflict(theory);
            }
        }
    }

    /// Keeps the clause in `self.buffer`, its first two literals watched.
    fn store(&mut self, redundant: bool) -> ClauseRef {
        let c = self.arena.alloc(&self.buffer, redundant, self.buffer.len() as u32);
        let list = if redundant { &mut self.learnts } else { &mut self.clauses };
        list.push(c);
        self.attach(c);
        c
    }
}
