//! Satisfiable formulas: evaluate, then forget.

mod constant;
mod term;

pub use constant::{constant, operation};
pub use term::{TermOptions, terms};

use crate::text::{Assignment, Instance, Truth};
use semantics::regex::RegexStore;
use semantics::{Config, Evaluator, Model, Reading, Value};
use smt::{Pool, Term};

/// Instances with the pool of their terms.
pub struct Batch {
    /// The terms.
    pub pool: Pool,
    /// The instances.
    pub instances: Vec<Instance>,
}

/// The values of closed terms, by the referee.
pub(crate) fn values(pool: &Pool, terms: &[Term], reading: Reading) -> (Vec<Option<Value>>, RegexStore) {
    let model = Model::new();
    let config = Config { reading, ..Config::default() };
    let mut e = Evaluator::with(pool, &model, config, RegexStore::new());
    let values = terms.iter().map(|&t| e.eval(t).ok()).collect();
    (values, e.into_store())
}

impl Batch {
    /// Drops every instance whose model the referee does not accept; how many were dropped. That none ever is, is a
    /// test, so this is the last line of defence.
    pub fn check(&mut self, reading: Reading) -> usize {
        let model = Model::new();
        let config = Config { reading, ..Config::default() };
        let mut e = Evaluator::with(&self.pool, &model, config, RegexStore::new());
        let before = self.instances.len();
        self.instances.retain(|i| match &i.truth {
            Truth::Sat(m) => holds(&mut e, m, i.assertions.iter().map(|a| a.1)),
            Truth::Unsat { .. } => true,
        });
        before - self.instances.len()
    }
}

/// All of `terms` hold under an assignment.
pub(crate) fn holds(
    e: &mut Evaluator<'_>,
    model: &Assignment,
    mut terms: impl Iterator<Item = Term>,
) -> bool {
    e.unbind();
    for (v, value) in model {
        e.bind(*v, value.clone());
    }
    terms.all(|t| e.truth(t) == semantics::Satisfaction::Holds)
}
