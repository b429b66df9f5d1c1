//! The search.

use crate::core::{Core, Effect, Reason};
use crate::theory::{Context, Decision, Final, Theory};
use crate::{Answer, Lit};

/// How many ticks pass between two questions to [`Theory::stop`].
const POLL: u64 = 1000;

/// How many words of explanations that are no longer needed may pile up between restarts.
const EXPLANATIONS: usize = 1 << 16;

impl Core {
    /// Searches from level 0; leaves the trail as it was found. The failed assumptions, if the answer is
    /// [`Answer::Unsat`].
    pub(crate) fn search<T: Theory + ?Sized>(
        &mut self,
        theory: &mut T,
        assumptions: &[Lit],
    ) -> (Answer, Vec<Lit>) {
        for l in std::mem::take(&mut self.to_tell) {
            theory.assign(l);
        }
        self.theory_due = true;
        loop {
            if !self.ok {
                return (Answer::Unsat, Vec::new());
            }
            if self.out_of_budget(theory) {
                return (Answer::Unknown, Vec::new());
            }
            if self.propagate(theory) || self.restart_if_due(theory, assumptions.len()) {
                continue;
            }
            self.simplify_if_due();
            self.reduce_if_due();
            if self.levels.len() < assumptions.len() {
                let p = assumptions[self.levels.len()];
                if self.val(p) < 0 {
                    return (Answer::Unsat, self.failed_assumptions(p, theory));
                }
                self.open_level(theory);
                if self.val(p) == 0 {
                    self.enqueue(p, Reason::None);
                }
            } else if let Some(answer) = self.decide(theory) {
                return (answer, Vec::new());
            }
        }
    }

    fn out_of_budget<T: Theory + ?Sized>(&mut self, theory: &mut T) -> bool {
        if self.tick_limit.is_some_and(|limit| self.ticks >= limit) {
            return true;
        }
        if self.ticks < self.next_poll {
            return false;
        }
        self.next_poll = self.ticks + POLL;
        theory.stop()
    }

    /// One round of propagation, of clauses and then of the theory; false if nothing is left to propagate.
    fn propagate<T: Theory + ?Sized>(&mut self, theory: &mut T) -> bool {
        if let Some(c) = self.propagate_clauses() {
            self.use_clause(c);
            self.conflict.clear();
            self.conflict.extend_from_slice(self.arena.lits(c));
            self.resolve_conflict(theory);
            return true;
        }
        while self.told < self.trail.len() {
            let l = self.trail[self.told];
            self.told += 1;
            if self.observed[l.var().0 as usize] {
                theory.assign(l);
                self.theory_due = true;
            }
        }
        if !std::mem::replace(&mut self.theory_due, false) {
            return false;
        }
        self.ticks += 1;
        theory.propagate(&mut Context::new(self));
        self.apply_queue(theory)
    }

    /// Goes back to the assumptions, if it is time.
    fn restart_if_due<T: Theory + ?Sized>(&mut self, theory: &mut T, assumptions: usize) -> bool {
        if self.levels.len() <= assumptions || !self.restarts.due() {
            return false;
        }
        self.restarts.restarted();
        self.stats.restarts += 1;
        self.backjump(assumptions as u32, theory);
        self.compact_if_wasting(EXPLANATIONS);
        true
    }

    /// Decides, or if nothing is left to decide, asks for the final check. An answer ends the search.
    fn decide<T: Theory + ?Sized>(&mut self, theory: &mut T) -> Option<Answer> {
        self.ticks += 1;
        let wish = theory.decide(&mut Context::new(self));
        if self.apply_queue(theory) {
            return None;
        }
        let choice = match wish {
            Decision::Lit(l) if self.val(l) == 0 => Some(l),
            Decision::Lit(_) | Decision::Any => self.choose(),
            Decision::Done => None,
        };
        let Some(l) = choice else { return self.final_check(theory) };
        self.stats.decisions += 1;
        self.open_level(theory);
        self.enqueue(l, Reason::None);
        None
    }

    /// The most active unassigned variable, in its phase.
    fn choose(&mut self) -> Option<Lit> {
        while let Some(v) = self.heap.pop() {
            if self.val(v.lit(true)) == 0 {
                return Some(v.lit(self.phase[v.0 as usize]));
            }
        }
        None
    }

    fn final_check<T: Theory + ?Sized>(&mut self, theory: &mut T) -> Option<Answer> {
        self.stats.final_checks += 1;
        self.ticks += 1;
        let outcome = theory.final_check(&mut Context::new(self));
        if outcome == Final::GiveUp {
            self.keep_lemmas(theory);
            return Some(if self.ok { Answer::Unknown } else { Answer::Unsat });
        }
        let queued = self.apply_queue(theory);
        self.theory_due = true;
        (outcome == Final::Consistent && !queued).then_some(Answer::Sat)
    }

    /// The theory gave up: of what it queued, lemmas are kept.
    fn keep_lemmas<T: Theory + ?Sized>(&mut self, theory: &mut T) {
        self.backjump(0, theory);
        self.queue.effects.retain(|effect| matches!(effect, Effect::Lemma(..)));
        self.apply_queue(theory);
    }
}
