//! The search: propagate, decide, and when nothing is left to decide, run the final check of the theory.

use crate::core::{Core, Effect, Reason};
use crate::theory::{Context, Decision, Final, Theory};
use crate::{Lit, Var};

/// Ticks between two calls of [`Theory::stop`].
const POLL_INTERVAL: u64 = 1000;

/// The words of unused explanations at which a restart compacts the arena.
const MAX_WASTED_WORDS: usize = 1 << 16;

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a model. It may be partial if the theory returned [`Decision::Done`].
    Sat,
    /// There is no model under the assumptions; [`Solver::failed`](crate::Solver::failed) returns those used.
    Unsat,
    /// The search stopped: the tick limit, [`Theory::stop`], or [`Final::GiveUp`].
    Unknown,
}

impl Core {
    /// Searches from level 0 and leaves the trail in its final state. Returns the answer, and the failed
    /// assumptions if it is [`Answer::Unsat`].
    pub(crate) fn search(&mut self, theory: &mut impl Theory, assumptions: &[Lit]) -> (Answer, Vec<Lit>) {
        for l in std::mem::take(&mut self.to_notify) {
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

    fn out_of_budget(&mut self, theory: &mut impl Theory) -> bool {
        if self.tick_limit.is_some_and(|limit| self.ticks >= limit) {
            return true;
        }
        if self.ticks < self.next_poll {
            return false;
        }
        self.next_poll = self.ticks + POLL_INTERVAL;
        theory.stop()
    }

    /// One round of propagation, by clauses and then by the theory. Returns whether there was a conflict or an effect.
    fn propagate(&mut self, theory: &mut impl Theory) -> bool {
        if let Some(c) = self.propagate_clauses() {
            self.use_clause(c);
            self.conflict.clear();
            self.conflict.extend_from_slice(self.arena.lits(c));
            self.resolve_conflict(theory);
            return true;
        }
        while self.notified < self.trail.len() {
            let l = self.trail[self.notified];
            self.notified += 1;
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

    /// Backtracks to the assumptions if a restart is due.
    fn restart_if_due(&mut self, theory: &mut impl Theory, assumptions: usize) -> bool {
        if self.levels.len() <= assumptions || !self.restarts.due() {
            return false;
        }
        self.restarts.restarted();
        self.stats.restarts += 1;
        self.backjump(assumptions as u32, theory);
        self.compact_if_wasting(MAX_WASTED_WORDS);
        true
    }

    /// Decides a literal, or runs the final check if none is left. An answer ends the search.
    fn decide(&mut self, theory: &mut impl Theory) -> Option<Answer> {
        self.ticks += 1;
        let requested = theory.decide(&mut Context::new(self));
        if self.apply_queue(theory) {
            return None;
        }
        let choice = match requested {
            Decision::Lit(l) if self.val(l) == 0 => Some(l),
            Decision::Lit(_) | Decision::Any => self.choose(),
            Decision::Unobserved => self.choose_unobserved(),
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
        if std::mem::take(&mut self.passed_over) {
            (0..self.vars.len() as u32).for_each(|v| self.heap.insert(Var(v)));
        }
        while let Some(v) = self.heap.pop() {
            if self.val(v.lit(true)) == 0 {
                return Some(v.lit(self.phase[v.0 as usize]));
            }
        }
        None
    }

    /// The same among the variables that the theory is not notified of.
    fn choose_unobserved(&mut self) -> Option<Lit> {
        while let Some(v) = self.heap.pop() {
            if self.val(v.lit(true)) != 0 {
                continue;
            }
            if !self.observed[v.0 as usize] {
                return Some(v.lit(self.phase[v.0 as usize]));
            }
            self.passed_over = true;
        }
        None
    }

    fn final_check(&mut self, theory: &mut impl Theory) -> Option<Answer> {
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

    /// Applies the queued lemmas, and no other effects, after the theory gave up.
    fn keep_lemmas(&mut self, theory: &mut impl Theory) {
        self.backjump(0, theory);
        self.queue.effects.retain(|effect| matches!(effect, Effect::Lemma(..)));
        self.apply_queue(theory);
    }
}
