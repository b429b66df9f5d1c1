//! Satisfiable formulas: evaluate, then replace constants by variables.

mod constant;
mod term;

pub use constant::{constant, operation};
pub use term::{TermOptions, terms};

use crate::text::Member;
use semantics::instance::Truth;
use semantics::regex::RegexStore;
use semantics::{Config, Evaluator, Model, Reading, Value};
use smt::{Pool, Term};

/// Formulas with the pool of their terms.
pub struct Batch {
    /// The terms.
    pub pool: Pool,
    /// The formulas.
    pub members: Vec<Member>,
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
    /// Removes every member whose model the referee does not accept, as the last line of defence: tests show that there
    /// is none.
    fn checked(mut self, reading: Reading) -> Batch {
        let none = Model::new();
        let config = Config { reading, ..Config::default() };
        let mut e = Evaluator::with(&self.pool, &none, config, RegexStore::new());
        let holds: Vec<bool> = self.members.iter().map(|m| holds(&mut e, m)).collect();
        let mut holds = holds.into_iter();
        self.members.retain(|_| holds.next() == Some(true));
        self
    }
}

/// All assertions hold under the model, if there is one.
fn holds<'p>(e: &mut Evaluator<'p>, member: &'p Member) -> bool {
    let Truth::Sat(model) = &member.truth else { return true };
    e.set_model(model);
    member.script.assertions().all(|t| e.truth(t) == semantics::Satisfaction::Holds)
}
