//! Conflict-driven clause learning with a theory hook. Knows literals only.

use std::fmt;

/// A propositional variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u32);

/// A variable or its negation: twice the variable, plus one if negated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(u32);

impl Var {
    /// The literal of this variable that is true when the variable has this value.
    pub fn lit(self, value: bool) -> Lit {
        Lit(2 * self.0 + u32::from(!value))
    }
}

impl Lit {
    /// Its variable.
    pub fn var(self) -> Var {
        Var(self.0 / 2)
    }

    /// True if this is the variable itself, false if its negation.
    pub fn is_positive(self) -> bool {
        self.0.is_multiple_of(2)
    }

    /// As a small number, for tables.
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
