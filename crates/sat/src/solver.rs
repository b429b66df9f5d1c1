//! The solver as its users see it.

use crate::core::Core;
use crate::proof::Proof;
use crate::{Answer, Engine, Lit, Stats, Theory, Var};

/// A solver: conflict-driven clause learning over a theory.
pub struct Solver {
    core: Core,
    failed: Vec<Lit>,
    /// By variable, in the last model: 1 true, -1 false, 0 unassigned.
    model: Vec<i8>,
}

impl Solver {
    /// A solver without variables. The seed shuffles the first decisions; 0 leaves them in order.
    pub fn new(seed: u64) -> Self {
        Solver { core: Core::new(seed), failed: Vec::new(), model: Vec::new() }
    }

    /// A new variable, of which the theory does not hear until [`Solver::observe`].
    pub fn new_var(&mut self) -> Var {
        self.core.add_var(false)
    }

    /// The number of variables.
    pub fn vars(&self) -> usize {
        self.core.vars.len()
    }

    /// From now on the theory hears of this variable. Those made by [`Context::new_var`](crate::Context::new_var)
    /// are observed already.
    pub fn observe(&mut self, v: Var) {
        let core = &mut self.core;
        if std::mem::replace(&mut core.observed[v.0 as usize], true) {
            return;
        }
        let l = v.lit(core.val(v.lit(true)) > 0);
        if core.val(l) != 0 && (core.data(v).place as usize) < core.told {
            core.to_tell.push(l);
        }
    }

    /// Adds a clause for good.
    pub fn add_clause(&mut self, clause: &[Lit]) {
        self.core.add_clause(clause);
    }

    /// The value to try first when this variable is next decided.
    pub fn set_phase(&mut self, v: Var, phase: bool) {
        self.core.phase[v.0 as usize] = phase;
    }

    /// Searches for a model in which the assumptions are true. May be called again, with more clauses and other
    /// assumptions, but with the same theory.
    pub fn solve<T: Theory + ?Sized>(&mut self, theory: &mut T, assumptions: &[Lit]) -> Answer {
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

    /// After [`Answer::Unsat`]: assumptions that cannot be true together; none if the clauses are unsatisfiable
    /// without any.
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

    /// The value that was found to hold outright, if one was.
    pub fn fixed(&self, l: Lit) -> Option<bool> {
        match self.core.val(l) {
            0 => None,
            x => Some(x > 0),
        }
    }

    /// The value of [`Solver::ticks`] at which to give up, counted from the solver's making.
    pub fn set_tick_limit(&mut self, limit: Option<u64>) {
        self.core.tick_limit = limit;
    }

    /// Work done so far, the theory's included: about one per clause visited or literal learnt.
    pub fn ticks(&self) -> u64 {
        self.core.ticks
    }

    /// Counts so far.
    pub fn stats(&self) -> Stats {
        self.core.stats
    }

    /// After how many conflicts learnt clauses are first thinned out; later more slowly. 2000 unless told.
    pub fn set_reduction_interval(&mut self, conflicts: u64) {
        self.core.reduction_interval = conflicts;
        self.core.next_reduction = self.core.stats.conflicts + conflicts;
    }

    /// Restarts after this many conflicts each time; by the solver's own policy if not told.
    pub fn set_restart_interval(&mut self, conflicts: Option<u64>) {
        self.core.restarts.every = conflicts;
    }

    /// Records the reasoning from now on; to be set before the first clause.
    pub fn set_proof(&mut self, proof: Proof) {
        self.core.proof = Some(proof);
    }
}

impl Engine for Solver {
    fn new_var(&mut self) -> Var {
        Solver::new_var(self)
    }

    fn observe(&mut self, v: Var) {
        Solver::observe(self, v);
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        Solver::add_clause(self, clause);
    }

    fn solve(&mut self, theory: &mut dyn Theory, assumptions: &[Lit]) -> Answer {
        Solver::solve(self, theory, assumptions)
    }

    fn failed(&self) -> &[Lit] {
        Solver::failed(self)
    }

    fn value(&self, l: Lit) -> Option<bool> {
        Solver::value(self, l)
    }

    fn set_tick_limit(&mut self, limit: Option<u64>) {
        Solver::set_tick_limit(self, limit);
    }

    fn ticks(&self) -> u64 {
        Solver::ticks(self)
    }

    fn stats(&self) -> Stats {
        Solver::stats(self)
    }
}
