//! Counters of a solver.

/// Counts over the life of a solver.
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
    /// Learnt clauses.
    pub learnt: u64,
    /// Literals in learnt clauses before minimisation.
    pub learnt_literals: u64,
    /// Literals removed from learnt clauses by minimisation.
    pub minimised_literals: u64,
    /// Deleted clauses.
    pub deleted: u64,
    /// Reductions of the set of learnt clauses.
    pub reductions: u64,
    /// Lemmas and conflicts of the theory.
    pub lemmas: u64,
    /// Literals propagated by the theory.
    pub theory_propagations: u64,
    /// Explanations requested from the theory.
    pub explanations: u64,
    /// Final checks.
    pub final_checks: u64,
}
