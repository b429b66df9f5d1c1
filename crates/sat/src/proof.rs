//! A record of the reasoning, clause by clause, for a checker.
//!
//! The form is DRAT's, restricted to reverse unit propagation: every [`ProofStep::Learnt`] clause follows by unit
//! propagation from the clauses recorded before it and not deleted. What the theory says is taken as an axiom.

use crate::Lit;

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofStep<'a> {
    /// A clause given by the caller.
    Input(&'a [Lit]),
    /// A clause given by the theory: a lemma, a conflict, or the explanation of a literal.
    Lemma(&'a [Lit]),
    /// A clause that follows by unit propagation. The empty one ends a refutation; under assumptions that fail,
    /// the clause of their negations is the last one.
    Learnt(&'a [Lit]),
    /// A clause that is not used any more.
    Delete(&'a [Lit]),
}

/// What takes the steps.
pub type Proof = Box<dyn FnMut(ProofStep<'_>)>;
