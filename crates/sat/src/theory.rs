//! What a theory is to the engine, and what the engine is to a theory.

use crate::{Lit, Var};

/// What a theory wants decided next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// This literal; if it is assigned, as [`Decision::Any`].
    Lit(Lit),
    /// Whatever the engine likes.
    Any,
    /// Nothing needs deciding: go to the final check with the assignment as it is.
    Done,
}

/// The outcome of a final check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Final {
    /// The assignment has a model in the theory. If anything was queued all the same, the search goes on.
    Consistent,
    /// Something was queued, or made: lemmas, a conflict, propagations, new variables.
    Continue,
    /// The theory does not know.
    GiveUp,
}

/// A theory: hears of the assignment and answers.
///
/// A literal is told once over the life of the engine as long as it stays assigned, also across searches, so the
/// same theory must be passed to each search. Effects of a callback are applied right after it returns, in the
/// order in which they were queued; if one makes the engine go back, later propagations of that callback are
/// dropped. A propagated literal is undone with its level like any other, and the theory should be ready to
/// propagate it again.
pub trait Theory {
    /// A decision level is opened.
    fn new_level(&mut self);

    /// Back to this level: all that was told at higher levels is undone.
    fn backtrack(&mut self, level: usize);

    /// The literal became true. Told in the order of assignment, and only of observed variables.
    fn assign(&mut self, l: Lit);

    /// Called when the clauses imply nothing more, if since the last call literals were told, the engine went
    /// back, or a search began.
    fn propagate(&mut self, ctx: &mut Context<'_>);

    /// Appends the clause that implied a literal this theory propagated for this reason: the literal first, then
    /// the negations of what implied it, all of which were assigned before it. Asked at any time while the
    /// literal is assigned; or at once, if the literal was false when it was propagated. Never asked of a literal
    /// assigned at level 0, unless a proof is recorded, and then at once.
    ///
    /// # Panics
    /// The engine panics if the clause is not as described.
    fn explain(&mut self, l: Lit, reason: u32, out: &mut Vec<Lit>);

    /// What to decide next. Not asked before the assumptions are in place.
    fn decide(&mut self, ctx: &mut Context<'_>) -> Decision {
        let _ = ctx;
        Decision::Any
    }

    /// Everything is assigned, or nothing needs deciding.
    fn final_check(&mut self, ctx: &mut Context<'_>) -> Final;

    /// Asked now and then; true ends the search.
    fn stop(&mut self) -> bool {
        false
    }
}

/// The engine as a theory sees it within a callback. Effects are queued.
pub trait Host {
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

/// What a theory may do in a callback. Effects are queued and applied right after the callback returns.
pub struct Context<'a> {
    host: &'a mut dyn Host,
}

impl<'a> Context<'a> {
    /// The view of an engine, to be handed to a theory.
    pub fn new(host: &'a mut dyn Host) -> Self {
        Context { host }
    }

    /// The same view for a shorter time.
    pub fn reborrow(&mut self) -> Context<'_> {
        Context { host: self.host }
    }

    /// A new variable, observed, for good.
    pub fn new_var(&mut self) -> Var {
        self.host.new_var()
    }

    /// The value of a literal now.
    pub fn value(&self, l: Lit) -> Option<bool> {
        self.host.value(l)
    }

    /// The decision level now.
    pub fn level(&self) -> usize {
        self.host.level()
    }

    /// The level at which a literal was assigned. Meaningless if it is not.
    pub fn level_of(&self, l: Lit) -> usize {
        self.host.level_of(l)
    }

    /// A clause that is valid in the theory, to be kept for good, whatever the values of its literals.
    pub fn lemma(&mut self, clause: &[Lit]) {
        self.host.lemma(clause);
    }

    /// A clause that is valid in the theory and all of whose literals are false now; learnt from, perhaps not
    /// kept.
    pub fn conflict(&mut self, clause: &[Lit]) {
        self.host.conflict(clause);
    }

    /// The literal is implied by what is assigned; [`Theory::explain`] will be asked with this reason if need be.
    pub fn propagate(&mut self, l: Lit, reason: u32) {
        self.host.propagate(l, reason);
    }

    /// The value to try first when this variable is next decided.
    pub fn set_phase(&mut self, v: Var, phase: bool) {
        self.host.set_phase(v, phase);
    }

    /// The literal of the variable that would be tried first.
    pub fn phase(&self, v: Var) -> Lit {
        self.host.phase(v)
    }

    /// How much the variable took part in conflicts lately. To be compared within one callback only.
    pub fn activity(&self, v: Var) -> f64 {
        self.host.activity(v)
    }

    /// Counts work of the theory.
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
