//! Certificates of unsatisfiable formulas: which assertions the minimal core has, shown by models.
//!
//! That the whole is unsatisfiable follows from its derivation. An assertion without which there is a model belongs to
//! every core. If all others are redundant, those assertions are the only minimal core. The models are found by a
//! search among small values and judged by the referee.

use crate::search::{Found, Values, search};
use crate::substitute::without_patterns;
use crate::text::{Assignment, Instance, Truth};
use crate::unsat::Refutation;
use smt::{Pool, Term};

/// Steps of each search.
const STEPS: u64 = 20_000;

/// A refutation with the models that show its core.
#[derive(Clone, Debug)]
pub struct Certified {
    /// The refutation.
    pub refutation: Refutation,
    /// The assertions without which there is a model, by index, each with the model.
    pub needed: Vec<(usize, Assignment)>,
    /// Assertions of which it is not known: no model of the others was found, but not all branches could be judged.
    pub unsettled: Vec<usize>,
}

/// Finds out which assertions are needed.
pub fn certify(pool: &Pool, refutation: Refutation) -> Certified {
    let vars = refutation.vars(pool);
    let mut assertions = refutation.assertions();
    // Where the body cannot be evaluated, one that implies it can.
    assertions[1] = refutation.plain;
    let values = Values::telling(pool, &assertions);
    let (mut needed, mut unsettled) = (Vec::new(), Vec::new());
    for i in 0..assertions.len() {
        let mut goals = assertions.clone();
        goals.remove(i);
        match search(pool, &vars, &goals, &values, STEPS) {
            Found::Model(model) => needed.push((i, model)),
            Found::None => {}
            Found::GaveUp => unsettled.push(i),
        }
    }
    Certified { refutation, needed, unsettled }
}

impl Certified {
    /// The members of the minimal core: those that were shown to be needed, and those that are by construction and of
    /// which the search could not tell.
    fn core(&self) -> Vec<usize> {
        let clauses = &self.refutation.clauses;
        let meant = |i: &usize| *i < 2 || clauses[*i - 2].needed;
        let unsettled = self.unsettled.iter().copied().filter(meant);
        let mut core: Vec<usize> = self.needed.iter().map(|(i, _)| *i).chain(unsettled).collect();
        core.sort_unstable();
        core
    }

    /// The instance, with or without patterns.
    pub fn instance(&self, pool: &mut Pool, patterns: bool) -> Instance {
        let r = &self.refutation;
        let names = (0..).map(|i: usize| match i {
            0 => "notA".to_owned(),
            1 => "B".to_owned(),
            i => format!("C{}", i - 1),
        });
        let vars = r.vars(pool);
        let mut dressed = |t: Term| if patterns { t } else { without_patterns(pool, t) };
        let assertions = names.zip(r.assertions()).map(|(name, t)| (Some(name), dressed(t))).collect();
        Instance {
            category: r.category(),
            operation: r.operation.clone(),
            rule: r.rule.clone(),
            recipe: r.recipe(),
            vars,
            assertions,
            truth: Truth::Unsat { core: self.core(), drops: self.needed.clone() },
        }
    }
}
