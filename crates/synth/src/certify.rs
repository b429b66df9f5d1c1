//! Certificates of unsatisfiable formulas: the minimal core, proved by models.
//!
//! That the formula is unsatisfiable follows from its derivation. An assertion without which there is a model belongs to
//! every core. If all others are redundant, those assertions are the only minimal core. The models are found by a
//! search among small values and judged by the referee.

use crate::search::{Assignment, Found, Values, search};
use crate::substitute::{constant, substitute, substitute_without_patterns, symbol_of};
use crate::text::{Member, model, named, script};
use crate::unsat::Refutation;
use semantics::instance::Truth;
use smt::{Pool, Term};

/// The budget of each search.
const MAX_STEPS: u64 = 20_000;

/// A refutation with the models that show its core.
#[derive(Clone, Debug)]
pub struct Certified {
    /// The refutation.
    pub refutation: Refutation,
    /// The assertions without which there is a model, by index, each with the model.
    pub needed: Vec<(usize, Assignment)>,
    /// Undetermined assertions: no model of the others was found, but not all branches could be judged.
    pub unsettled: Vec<usize>,
}

/// Finds the assertions that are needed.
pub fn certify(pool: &Pool, refutation: Refutation) -> Certified {
    let vars = refutation.vars(pool);
    let mut assertions = refutation.assertions();
    // Where the body cannot be evaluated, one that implies it can.
    assertions[1] = refutation.plain;
    let values = Values::distinctive(pool, &assertions);
    let (mut needed, mut unsettled) = (Vec::new(), Vec::new());
    for i in 0..assertions.len() {
        let mut goals = assertions.clone();
        goals.remove(i);
        match search(pool, &vars, &goals, &values, MAX_STEPS) {
            Found::Model(model) => needed.push((i, model)),
            Found::None => {}
            Found::GaveUp => unsettled.push(i),
        }
    }
    Certified { refutation, needed, unsettled }
}

impl Certified {
    /// The members of the minimal core: those that models show to be needed, and those that are needed by
    /// construction and that the search left undetermined.
    fn core(&self) -> Vec<usize> {
        let clauses = &self.refutation.clauses;
        let meant = |i: &usize| *i < 2 || clauses[*i - 2].needed;
        let unsettled = self.unsettled.iter().copied().filter(meant);
        let mut core: Vec<usize> = self.needed.iter().map(|(i, _)| *i).chain(unsettled).collect();
        core.sort_unstable();
        core
    }

    /// The formula with or without patterns, its variables as constants.
    pub fn member(&self, pool: &mut Pool, patterns: bool) -> Member {
        let r = &self.refutation;
        let vars = r.vars(pool);
        let constants: Vec<Term> = vars.iter().map(|&v| as_constant(pool, v)).collect();
        let map = vars.iter().copied().zip(constants.iter().copied()).collect();
        let write = if patterns { substitute } else { substitute_without_patterns };
        let names =
            ["notA".to_owned(), "B".to_owned()].into_iter().chain((1..).map(|i: usize| format!("C{i}")));
        let mut assertions = Vec::new();
        for (name, t) in names.zip(r.assertions()) {
            let t = write(pool, t, &map);
            assertions.push(named(pool, t, &name));
        }
        let model = |a: &Assignment| model(pool, a.iter().map(|(v, value)| (map[v], value.clone())));
        Member {
            category: r.category(),
            operation: r.operation.clone(),
            rule: r.rule.clone(),
            recipe: r.recipe(),
            script: script(pool, &constants, &assertions),
            truth: Truth::Unsat(self.core()),
            drops: self.needed.iter().map(|(i, a)| (*i, model(a))).collect(),
        }
    }
}

/// A constant with the name and sort of a variable.
fn as_constant(pool: &mut Pool, v: Term) -> Term {
    let name = symbol_of(pool, v).expect("a variable");
    constant(pool, name, pool.sort_of(v))
}
