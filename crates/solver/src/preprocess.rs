//! To come.

use smt::{Fun, Pool, Term};

/// What is left to solve.
#[derive(Debug, Default)]
pub struct Preprocessed {
    /// The assertions.
    pub assertions: Vec<Term>,
    /// Eliminated constants; evaluate from last to first.
    pub defs: Vec<(Fun, Term)>,
    /// Why sat may not be found.
    pub incomplete: Option<String>,
}

/// Nothing yet.
pub fn run(pool: &mut Pool, assertions: &[Term], rewrite: &mut dyn FnMut(&mut Pool, Term) -> Term, _keep: bool) -> Preprocessed {
    Preprocessed { assertions: assertions.iter().map(|&t| rewrite(pool, t)).collect(), ..Default::default() }
}
