//! The interface between the solver and a theory.

use crate::{Lit, Var};

/// The next decision that a theory requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// This literal; if it is assigned, as [`Decision::Any`].
    Lit(Lit),
    /// A decision by the solver's own heuristic.
    Any,
    /// The same, among the variables that the theory is not notified of; if they are all assigned, none.
    Unobserved,
    /// None: the final check runs on the partial assignment.
    Done,
}

/// The outcome of a final check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Final {
    /// The assignment has a model in the theory. The search continues nevertheless if effects were queued.
    Consistent,
    /// The search continues: there are lemmas, a conflict, propagations or new variables.
    Continue,
    /// The theory cannot decide.
    GiveUp,
}

/// A theory.
///
/// The theory is notified of a literal once for as long as it stays assigned, also across searches, so the same
/// theory must be passed to each search. Effects of a callback are applied right after it returns, in the order in
/// which they were queued; if one of them causes a backjump, later propagations of that callback are dropped. A
/// propagated literal is undone with its level, and the theory must be able to propagate it again.
pub trait Theory {
    /// A decision level is opened.
    fn new_level(&mut self);

    /// Backtracks to this level: assignments at higher levels are undone.
    fn backtrack(&mut self, level: usize);

    /// The literal became true. Called in the order of assignment, for observed variables only.
    fn assign(&mut self, l: Lit);

    /// Called when unit propagation is complete, if since the last call the theory was notified of literals, the
    /// solver backtracked, or a search began.
    fn propagate(&mut self, ctx: &mut Context<'_>);

    /// Appends the clause that implied a literal this theory propagated for this reason: the literal first, then
    /// the negations of its premises, all of which were assigned before it. Called at any time while the literal is
    /// assigned, or at once if the literal was false when it was propagated. Not called for a literal assigned at
    /// level 0 unless a proof is recorded, and then at once.
    ///
    /// # Panics
    /// The solver panics if the clause is not as described.
    fn explain(&mut self, l: Lit, reason: u32, out: &mut Vec<Lit>);

    /// The next decision. Called only when all assumptions are assigned.
    fn decide(&mut self, ctx: &mut Context<'_>) -> Decision {
        let _ = ctx;
        Decision::Any
    }

    /// Checks the assignment when all variables are assigned, or after [`Decision::Done`].
    fn final_check(&mut self, ctx: &mut Context<'_>) -> Final;

    /// Polled regularly; true ends the search.
    fn stop(&mut self) -> bool {
        false
    }
}

/// The implementation of [`Context`] by the solver.
pub(crate) trait Host {
    /// See [`Context::new_var`].
    fn new_var(&mut self) -> Var;
    /// See [`Context::value`].
    fn value(&self, l: Lit) -> Option<bool>;
    /// See [`Context::level`].
    fn level(&self) -> usize;
    /// See [`Context::level_of`].
    fn level_of(&self, l: Lit) -> usize;
    /// See [`Context::lemma`].
    fn lemma(&mut self, clause: &[Lit]);
    /// See [`Context::conflict`].
    fn conflict(&mut self, clause: &[Lit]);
    /// See [`Context::propagate`].
    fn propagate(&mut self, l: Lit, reason: u32);
    /// See [`Context::set_phase`].
    fn set_phase(&mut self, v: Var, phase: bool);
    /// See [`Context::phase`].
    fn phase(&self, v: Var) -> Lit;
    /// See [`Context::activity`].
    fn activity(&self, v: Var) -> f64;
    /// See [`Context::tick`].
    fn tick(&mut self, n: u64);
}

/// The solver as a theory sees it in a callback. Effects are queued and applied right after the callback returns.
pub struct Context<'a> {
    host: &'a mut dyn Host,
}

impl<'a> Context<'a> {
    pub(crate) fn new(host: &'a mut dyn Host) -> Self {
        Context { host }
    }

    /// The same view for a shorter time.
    pub fn reborrow(&mut self) -> Context<'_> {
        Context { host: self.host }
    }

    /// A new observed variable.
    pub fn new_var(&mut self) -> Var {
        self.host.new_var()
    }

    /// The current value of a literal.
    pub fn value(&self, l: Lit) -> Option<bool> {
        self.host.value(l)
    }

    /// The current decision level.
    pub fn level(&self) -> usize {
        self.host.level()
    }

    /// The level at which a literal was assigned; unspecified if it is unassigned.
    pub fn level_of(&self, l: Lit) -> usize {
        self.host.level_of(l)
    }

    /// Adds a clause that is valid in the theory; its literals may have any values. It is never deleted.
    pub fn lemma(&mut self, clause: &[Lit]) {
        self.host.lemma(clause);
    }

    /// Reports a clause that is valid in the theory and all of whose literals are false. It is used to learn a
    /// clause, and not kept itself.
    pub fn conflict(&mut self, clause: &[Lit]) {
        self.host.conflict(clause);
    }

    /// Propagates a literal that the assignment implies; [`Theory::explain`] is called with this reason on demand.
    pub fn propagate(&mut self, l: Lit, reason: u32) {
        self.host.propagate(l, reason);
    }

    /// Sets the phase: the value to decide first for this variable.
    pub fn set_phase(&mut self, v: Var, phase: bool) {
        self.host.set_phase(v, phase);
    }

    /// The literal of the variable that would be decided.
    pub fn phase(&self, v: Var) -> Lit {
        self.host.phase(v)
    }

    /// The VSIDS activity of a variable. Comparable within one callback only.
    pub fn activity(&self, v: Var) -> f64 {
        self.host.activity(v)
    }

    /// Adds work of the theory to the ticks.
    pub fn tick(&mut self, n: u64) {
        self.host.tick(n);
    }
}

/// No theory: propositional satisfiability.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTheory;

impl Theory for NoTheory {
    fn new_level(&mut self) {}
    fn backtrack(&mut self, _level: usize) {}
    fn assign(&mut self, _l: Lit) {}
    fn propagate(&mut self, _ctx: &mut Context<'_>) {}
    fn explain(&mut self, l: Lit, _reason: u32, _out: &mut Vec<Lit>) {
        unreachable!("{l:?} was never propagated");
    }
    fn final_check(&mut self, _ctx: &mut Context<'_>) -> Final {
        Final::Consistent
    }
}
