//! Conflict analysis: resolution to the first unique implication point, clause minimisation, and the assumptions that
//! a failure depends on.

use crate::arena::ClauseRef;
use crate::core::{Core, Reason};
use crate::proof::ProofStep;
use crate::theory::Theory;
use crate::{Lit, Var};

impl Core {
    /// Learns a clause from `self.conflict`, all of whose literals are false, backjumps and assigns its first literal.
    /// The conflict need not have a literal of the current level.
    pub(crate) fn resolve_conflict(&mut self, theory: &mut impl Theory) {
        debug_assert!(self.conflict.iter().all(|&l| self.val(l) < 0));
        self.stats.conflicts += 1;
        self.ticks += 1;
        let highest = self.conflict.iter().map(|&l| self.lit_level(l)).max().unwrap_or(0);
        if highest == 0 {
            self.refuted();
            return;
        }
        self.backjump(highest, theory);
        self.analyze(theory);
        self.learn(theory);
    }

    /// Records that the clauses are unsatisfiable.
    pub(crate) fn refuted(&mut self) {
        if self.ok {
            self.ok = false;
            self.log(ProofStep::Learnt(&[]));
        }
    }

    /// Writes the learnt clause to `self.learnt`, the asserting literal first.
    fn analyze(&mut self, theory: &mut impl Theory) {
        self.learnt.clear();
        let conflict = std::mem::take(&mut self.conflict);
        self.learnt.push(conflict[0]);
        let mut open = 0;
        for &l in &conflict {
            open += self.mark(l);
        }
        self.conflict = conflict;
        let mut place = self.trail.len();
        loop {
            place -= 1;
            let p = self.trail[place];
            if !self.seen[p.var().0 as usize] {
                continue;
            }
            open -= 1;
            if open == 0 {
                self.learnt[0] = !p;
                break;
            }
            let c = self.explanation(p.var(), theory).expect("a decision is the first literal of its level");
            self.use_clause(c);
            self.seen[p.var().0 as usize] = false;
            for k in 0..self.arena.len(c) {
                let l = self.arena.lit(c, k);
                if l != p {
                    open += self.mark(l);
                }
            }
        }
        self.minimise();
        for v in self.to_clear.drain(..) {
            self.seen[v.0 as usize] = false;
        }
    }

    /// Marks a false literal as part of the conflict. Returns the number of new literals of the current level.
    fn mark(&mut self, l: Lit) -> usize {
        let v = l.var();
        let level = self.data(v).level;
        if self.seen[v.0 as usize] || level == 0 {
            return 0;
        }
        self.seen[v.0 as usize] = true;
        self.to_clear.push(v);
        self.heap.bump(v);
        self.ticks += 1;
        if level == self.current_level() {
            return 1;
        }
        self.learnt.push(l);
        0
    }

    /// The clause that implied an assigned variable, requested from the theory if necessary; none for a decision.
    pub(crate) fn explanation(&mut self, v: Var, theory: &mut impl Theory) -> Option<ClauseRef> {
        match self.data(v).reason {
            Reason::None => None,
            Reason::Clause(c) | Reason::Explained(c) => Some(c),
            Reason::Theory(reason) => {
                let l = v.lit(self.val(v.lit(true)) > 0);
                self.request_explanation(l, reason, theory);
                let before = |q: Lit| self.val(q) < 0 && self.data(q.var()).place < self.data(v).place;
                let proper = self.buffer.iter().all(|&q| q == l || before(q));
                assert!(
                    proper,
                    "the theory explains {l:?} by a clause that did not imply it: {:?}",
                    self.buffer
                );
                let c = self.arena.alloc(&self.buffer, false, 0);
                self.vars[v.0 as usize].reason = Reason::Explained(c);
                Some(c)
            }
        }
    }

    /// Requests an explanation from the theory into `self.buffer`.
    pub(crate) fn request_explanation(&mut self, l: Lit, reason: u32, theory: &mut impl Theory) {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        theory.explain(l, reason, &mut buffer);
        assert!(buffer.contains(&l), "the theory explains {l:?} by a clause without it: {buffer:?}");
        self.stats.explanations += 1;
        self.ticks += buffer.len() as u64;
        self.log(ProofStep::Lemma(&buffer));
        self.buffer = buffer;
    }

    /// Updates the LBD of a clause in a conflict and keeps it longer.
    pub(crate) fn use_clause(&mut self, c: ClauseRef) {
        if !self.arena.is_redundant(c) {
            return;
        }
        let old = self.arena.lbd(c);
        if old > 2 {
            let lbd = self.count_levels(|core, k| (k < core.arena.len(c)).then(|| core.arena.lit(c, k)));
            if lbd < old {
                self.arena.set_lbd(c, lbd);
            }
        }
        self.arena.set_used(c, tier(self.arena.lbd(c)));
    }

    /// The number of decision levels among assigned literals.
    fn count_levels(&mut self, lit: impl Fn(&Core, usize) -> Option<Lit>) -> u32 {
        self.stamp += 1;
        let (mut count, mut k) = (0, 0);
        while let Some(l) = lit(self, k) {
            let level = self.lit_level(l) as usize;
            if self.stamps[level] != self.stamp {
                self.stamps[level] = self.stamp;
                count += 1;
            }
            k += 1;
        }
        count
    }

    /// Removes the literals of `self.learnt` that the others imply.
    fn minimise(&mut self) {
        let mut learnt = std::mem::take(&mut self.learnt);
        self.stats.learnt_literals += learnt.len() as u64;
        let before = learnt.len();
        let levels = learnt[1..].iter().fold(0, |set, l| set | level_bit(self.lit_level(*l)));
        let mut kept = 1;
        for k in 1..learnt.len() {
            if !self.implied(learnt[k].var(), levels) {
                learnt[kept] = learnt[k];
                kept += 1;
            }
        }
        learnt.truncate(kept);
        self.stats.minimised_literals += (before - kept) as u64;
        self.learnt = learnt;
    }

    /// The clause that implied a variable, unless that is an explanation not yet requested.
    fn known_reason(&self, v: Var) -> Option<ClauseRef> {
        match self.data(v).reason {
            Reason::Clause(c) | Reason::Explained(c) => Some(c),
            Reason::None | Reason::Theory(_) => None,
        }
    }

    /// Whether the value of a variable follows from literals marked as seen. `levels` is a superset of the levels of the
    /// clause: a variable of another level cannot follow.
    fn implied(&mut self, v: Var, levels: u64) -> bool {
        if self.known_reason(v).is_none() {
            return false;
        }
        let top = self.to_clear.len();
        self.stack.clear();
        self.stack.push(v);
        while let Some(v) = self.stack.pop() {
            let Some(c) = self.known_reason(v) else { continue };
            self.ticks += 1;
            for k in 0..self.arena.len(c) {
                let u = self.arena.lit(c, k).var();
                let level = self.data(u).level;
                if u == v || level == 0 || self.seen[u.0 as usize] {
                    continue;
                }
                if self.known_reason(u).is_none() || level_bit(level) & levels == 0 {
                    for u in self.to_clear.drain(top..) {
                        self.seen[u.0 as usize] = false;
                    }
                    return false;
                }
                self.seen[u.0 as usize] = true;
                self.to_clear.push(u);
                self.stack.push(u);
            }
        }
        true
    }

    /// Backjumps to the level at which the learnt clause is unit, stores it and assigns its first literal.
    fn learn(&mut self, theory: &mut impl Theory) {
        let learnt = std::mem::take(&mut self.learnt);
        let lbd = self.count_levels(|_, k| learnt.get(k).copied());
        self.learnt = learnt;
        self.stats.learnt += 1;
        self.heap.decay();
        self.restarts.conflict(lbd);
        if let Some(proof) = &mut self.proof {
            proof(ProofStep::Learnt(&self.learnt));
        }
        if self.learnt.len() == 1 {
            self.backjump(0, theory);
            self.enqueue(self.learnt[0], Reason::None);
            return;
        }
        let second = (1..self.learnt.len()).max_by_key(|&k| self.lit_level(self.learnt[k])).unwrap_or(1);
        self.learnt.swap(1, second);
        self.backjump(self.lit_level(self.learnt[1]), theory);
        let c = self.arena.alloc(&self.learnt, true, lbd);
        self.arena.set_used(c, tier(lbd));
        self.learnts.push(c);
        self.attach(c);
        self.enqueue(self.learnt[0], Reason::Clause(c));
    }

    /// The assumptions that imply that `p` is false, and `p`. All decisions on the trail are assumptions.
    pub(crate) fn failed_assumptions(&mut self, p: Lit, theory: &mut impl Theory) -> Vec<Lit> {
        let mut failed = vec![p];
        if self.lit_level(p) > 0 {
            self.seen[p.var().0 as usize] = true;
            for place in (self.levels[0]..self.trail.len()).rev() {
                let q = self.trail[place];
                if !std::mem::replace(&mut self.seen[q.var().0 as usize], false) {
                    continue;
                }
                let Some(c) = self.explanation(q.var(), theory) else {
                    failed.push(q);
                    continue;
                };
                for k in 0..self.arena.len(c) {
                    let l = self.arena.lit(c, k);
                    if l != q && self.lit_level(l) > 0 {
                        self.seen[l.var().0 as usize] = true;
                    }
                }
            }
        }
        if self.proof.is_some() {
            let clause: Vec<Lit> = failed.iter().map(|&l| !l).collect();
            self.log(ProofStep::Learnt(&clause));
        }
        failed
    }
}

/// The number of reductions that a clause of this LBD survives without being used.
fn tier(lbd: u32) -> u32 {
    if lbd <= 6 { 2 } else { 1 }
}

fn level_bit(level: u32) -> u64 {
    1 << (level & 63)
}
