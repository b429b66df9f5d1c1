//! A SAT solver with conflict-driven clause learning and a theory interface.
//!
//! The search is that of MiniSat (Eén and Sörensson, SAT 2003), with clause deletion by the number of
//! decision levels of a clause (Audemard and Simon, IJCAI 2009), restarts by moving averages of that number
//! (Biere and Fröhlich, POS 2015), and the hook of DPLL(T) (Nieuwenhuis, Oliveras and Tinelli, JACM 2006): a
//! [`Theory`] is notified of assignments and adds lemmas, conflicts and propagations through a [`Context`];
//! propagated literals are explained on demand.
//!
//! The search is a function of the clauses, the theory and the seed: no clock, no threads, no hash maps.
//!
//! ```
//! use stringent_sat::{Answer, NoTheory, Solver};
//! let mut solver = Solver::new(0);
//! let (a, b) = (solver.new_var(), solver.new_var());
//! solver.add_clause(&[a.lit(true), b.lit(true)]);
//! solver.add_clause(&[a.lit(false), b.lit(true)]);
//! assert_eq!(solver.solve(&mut NoTheory, &[]), Answer::Sat);
//! assert_eq!(solver.value(b.lit(true)), Some(true));
//! assert_eq!(solver.solve(&mut NoTheory, &[b.lit(false)]), Answer::Unsat);
//! assert_eq!(solver.failed(), [b.lit(false)]);
//! ```

mod analyze;
mod arena;
mod core;
mod heap;
mod lemma;
mod proof;
mod reduce;
mod restart;
mod search;
mod solver;
mod stats;
mod theory;

pub use proof::{Proof, ProofStep};
pub use search::Answer;
pub use solver::Solver;
pub use stats::Stats;
pub use theory::{Context, Decision, Final, NoTheory, Theory};

use std::fmt;

/// A propositional variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u32);

/// A variable or its negation: twice the variable, plus one if negated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(u32);

impl Var {
    /// The literal that is true when the variable has this value.
    pub fn lit(self, value: bool) -> Lit {
        Lit(2 * self.0 + u32::from(!value))
    }
}

impl Lit {
    /// The variable of the literal.
    pub fn var(self) -> Var {
        Var(self.0 / 2)
    }

    /// Whether this is the variable itself, not its negation.
    pub fn is_positive(self) -> bool {
        self.0.is_multiple_of(2)
    }

    /// An index for tables by literal.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_positive() { "" } else { "-" }, self.var().0 + 1)
    }
}
