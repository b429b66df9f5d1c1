//! The public interface of the solver.

use crate::core::Core;
use crate::proof::Proof;
use crate::search::Answer;
use crate::stats::Stats;
use crate::theory::Theory;
use crate::{Lit, Var};

/// A CDCL(T) solver.
pub struct Solver {
    core: Core,
    failed: Vec<Lit>,
    /// The last model, by variable: 1 true, -1 false, 0 unassigned.
    model: Vec<i8>,
}

impl Solver {
    /// A solver without variables. A seed other than 0 randomises the initial activities.
    pub fn new(seed: u64) -> Self {
        Solver { core: Core::new(seed), failed: Vec::new(), model: Vec::new() }
    }

    /// A new variable. The theory is not notified of it before [`Solver::observe`].
    pub fn new_var(&mut self) -> Var {
        self.core.add_var(false)
    }

    /// Notifies the theory of this variable from now on. Variables created by
    /// [`Context::new_var`](crate::Context::new_var) are always observed.
    pub fn observe(&mut self, v: Var) {
        let core = &mut self.core;
        if std::mem::replace(&mut core.observed[v.0 as usize], true) {
            return;
        }
        let l = v.lit(core.val(v.lit(true)) > 0);
        if core.val(l) != 0 && (core.data(v).place as usize) < core.notified {
            core.to_notify.push(l);
        }
    }

    /// Adds a clause.
    pub fn add_clause(&mut self, clause: &[Lit]) {
        self.core.add_clause(clause);
    }

    /// Searches for a model in which the assumptions are true. Can be called again after adding clauses and with
    /// other assumptions, but with the same theory.
    pub fn solve(&mut self, theory: &mut impl Theory, assumptions: &[Lit]) -> Answer {
        let (answer, failed) = self.core.search(theory, assumptions);
        self.failed = failed;
        if answer == Answer::Sat {
            let values = &self.core.values;
            self.model.clear();
            self.model.extend(values.iter().step_by(2));
        }
        self.core.backjump(0, theory);
        answer
    }

    /// After [`Answer::Unsat`]: a set of assumptions that is inconsistent with the clauses; empty if the clauses are
    /// unsatisfiable.
    pub fn failed(&self) -> &[Lit] {
        &self.failed
    }

    /// The value in the last model, which may be partial.
    pub fn value(&self, l: Lit) -> Option<bool> {
        match *self.model.get(l.var().0 as usize)? {
            0 => None,
            x => Some((x > 0) == l.is_positive()),
        }
    }

    /// Sets the value of [`Solver::ticks`] at which searches stop with [`Answer::Unknown`].
    pub fn set_tick_limit(&mut self, limit: Option<u64>) {
        self.core.tick_limit = limit;
    }

    /// Work done so far, by the theory too, independent of the machine: about one tick per visited clause or learnt
    /// literal.
    pub fn ticks(&self) -> u64 {
        self.core.ticks
    }

    /// Counts so far.
    pub fn stats(&self) -> Stats {
        self.core.stats
    }

    /// Sets the conflicts before the first reduction of the learnt clauses (2000 by default); the interval grows.
    pub fn set_reduction_interval(&mut self, conflicts: u64) {
        self.core.reduction_interval = conflicts;
        self.core.next_reduction = self.core.stats.conflicts + conflicts;
    }

    /// Restarts every `conflicts` conflicts, instead of by the restart policy.
    pub fn set_restart_interval(&mut self, conflicts: Option<u64>) {
        self.core.restarts.every = conflicts;
    }

    /// Sends the steps of the proof to `proof`. To be called before the first clause is added.
    pub fn set_proof(&mut self, proof: Proof) {
        self.core.proof = Some(proof);
    }
}
