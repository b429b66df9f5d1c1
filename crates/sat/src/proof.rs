//! Proofs as sequences of clauses, for a checker.
//!
//! The format is DRUP: every [`ProofStep::Learnt`] clause follows by reverse unit propagation from the clauses
//! recorded before it and not deleted. Clauses of the theory are axioms.

use crate::Lit;

/// A step of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofStep<'a> {
    /// A clause added by the caller.
    Input(&'a [Lit]),
    /// A clause of the theory: a lemma, a conflict, or the explanation of a literal.
    Lemma(&'a [Lit]),
    /// A clause that follows by unit propagation. The last one is empty, or if assumptions failed, the clause of their
    /// negations.
    Learnt(&'a [Lit]),
    /// A clause that is no longer used.
    Delete(&'a [Lit]),
}

/// A consumer of steps.
pub type Proof = Box<dyn FnMut(ProofStep<'_>)>;
