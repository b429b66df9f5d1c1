//! Word equations by themselves: systems of equations between words of letters and variables.
//!
//! | question | file |
//! |---|---|
//! | simple consequences: ends, characters, prefixes of equal length | `simplify.rs` |
//! | all solutions of a quadratic system, as a graph | `graph.rs` |
//! | lengths of solutions as linear forms | `scheme.rs` |
//! | solutions in which all variables are powers of one letter | `unary.rs` |
//! | small systems of linear inequalities over natural numbers | `linear.rs` |
//!
//! [`System::analyse`] looks for a refutation, [`Analysis::lengths`] for lengths of a solution under linear
//! constraints. The first is exact; the second is a suggestion, which the caller must check.

mod graph;
mod linear;
mod scheme;
mod simplify;
#[cfg(test)]
mod tests;
mod unary;

use graph::Graph;
pub(crate) use linear::Row;
use rustc_hash::FxHashMap;
use scheme::Scheme;
use std::cell::Cell;
use std::rc::Rc;

/// A letter, or a variable by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Symbol {
    Letter(u32),
    Variable(u32),
}

/// A word of letters and variables.
pub(crate) type Side = Vec<Symbol>;

/// Two sides that are equal.
pub(crate) type Equation = (Side, Side);

/// Systems that were analysed.
pub(crate) type Analyses = FxHashMap<System, Rc<Analysis>>;

/// Equations over variables `0..variables`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct System {
    pub(crate) equations: Vec<Equation>,
    pub(crate) variables: u32,
}

/// What is known of a system.
#[derive(Debug)]
pub(crate) struct Analysis {
    system: System,
    /// It has no solution.
    pub(crate) unsolvable: bool,
    schemes: Vec<Scheme>,
    /// Lengths that were decided because of it.
    pub(crate) suggested: Cell<u32>,
}

impl System {
    /// Whether each variable occurs at most twice.
    fn is_quadratic(&self) -> bool {
        let mut counts = vec![0_u32; self.variables as usize];
        for s in self.equations.iter().flat_map(|(l, r)| l.iter().chain(r)) {
            if let Symbol::Variable(x) = s {
                counts[*x as usize] += 1;
            }
        }
        counts.iter().all(|&n| n <= 2)
    }

    /// Lengths of a solution in powers of one letter that satisfies the rows.
    pub(crate) fn unary(&self, rows: &[Row]) -> Option<Vec<u64>> {
        unary::lengths(self, rows)
    }

    /// Explores the solutions of the system.
    pub(crate) fn analyse(&self) -> Analysis {
        let graph = Graph::explore(self);
        let schemes = scheme::schemes(&graph, self.variables);
        Analysis { system: self.clone(), unsolvable: graph.is_unsolvable(), schemes, suggested: Cell::new(0) }
    }
}

impl Analysis {
    /// Lengths of a solution that satisfy the rows, if some are found.
    pub(crate) fn lengths(&self, rows: &[Row]) -> Option<Vec<u64>> {
        let by_scheme = self.schemes.iter().find_map(|s| s.lengths(rows));
        by_scheme.or_else(|| unary::lengths(&self.system, rows))
    }
}
