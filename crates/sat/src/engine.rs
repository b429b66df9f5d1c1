//! The face of a propositional engine, so that another one can take the place of [`Solver`](crate::Solver).

use crate::{Lit, Theory, Var};

/// What came of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a model; it may be partial if the theory said that nothing more needs deciding.
    Sat,
    /// There is none under the assumptions; [`Engine::failed`] tells which ones were used.
    Unsat,
    /// The search was given up: the limit, [`Theory::stop`], or [`Final::GiveUp`](crate::Final::GiveUp).
    Unknown,
}

/// Counts over the life of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Decisions, without assumptions.
    pub decisions: u64,
    /// Conflicts, of clauses and of the theory.
    pub conflicts: u64,
    /// Literals propagated by clauses.
    pub propagations: u64,
    /// Restarts.
    pub restarts: u64,
    /// Clauses learnt.
    pub learnt: u64,
    /// Literals in learnt clauses before minimisation.
    pub learnt_literals: u64,
    /// Literals removed from learnt clauses by minimisation.
    pub minimised_literals: u64,
    /// Clauses deleted.
    pub deleted: u64,
    /// Times the learnt clauses were gone through and thinned out.
    pub reductions: u64,
    /// Lemmas and conflicts of the theory.
    pub lemmas: u64,
    /// Literals propagated by the theory.
    pub theory_propagations: u64,
    /// Explanations asked of the theory.
    pub explanations: u64,
    /// Final checks.
    pub final_checks: u64,
}

/// A propositional engine that works with a [`Theory`]. To the theory it shows itself as a
/// [`Host`](crate::Host).
pub trait Engine {
    /// A new variable, unobserved.
    fn new_var(&mut self) -> Var;
    /// From now on the theory hears of this variable.
    fn observe(&mut self, v: Var);
    /// Adds a clause for good. Not to be called within a search.
    fn add_clause(&mut self, clause: &[Lit]);
    /// Searches for a model in which the assumptions are true.
    fn solve(&mut self, theory: &mut dyn Theory, assumptions: &[Lit]) -> Answer;
    /// After [`Answer::Unsat`]: assumptions that cannot be true together.
    fn failed(&self) -> &[Lit];
    /// The value in the last model.
    fn value(&self, l: Lit) -> Option<bool>;
    /// The value of [`Engine::ticks`] at which to give up.
    fn set_tick_limit(&mut self, limit: Option<u64>);
    /// Work done so far, in steps that do not depend on the machine.
    fn ticks(&self) -> u64;
    /// Counts so far.
    fn stats(&self) -> Stats;
}
