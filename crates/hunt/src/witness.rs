//! Witnesses: models that refute an `unsat` or an unsat core.
//!
//! A witness is from the built-in solver, in this process, or from another solver. The referee accepts it on the original assertions; then it is
//! part of the instance, as a certificate, and the ordinary judge gives the verdict.

use bugs::truth::builtin::{self, Found};
use campaign::case::Case;
use semantics::instance::{Instance, Truth};
use semantics::{Evaluator, Model, Satisfaction};
use smt::{Pool, Term};

/// Units of work of the built-in solver for one witness.
const TICKS: u64 = 100_000;

/// A model of the only check of a case, found by the built-in solver.
pub(crate) fn of_case(case: &Case) -> Option<Instance> {
    let terms: Vec<Term> = case.check(0).assertions.iter().map(|&(_, t)| t).collect();
    let mut pool = case.pool.clone();
    let Witness::Model(model) = of_terms(&mut pool, &terms) else { return None };
    certified(case, pool, *model)
}

/// The case with a model as its certificate; none if the referee does not accept it.
pub(crate) fn certified(case: &Case, pool: Pool, model: Model) -> Option<Instance> {
    let mut instance = Instance { pool, script: case.script.clone(), truth: Truth::Sat(Box::new(model)) };
    instance.confirm();
    matches!(instance.truth, Truth::Sat(_)).then_some(instance)
}

/// The result of a search for a witness.
pub(crate) enum Witness {
    /// A model that the referee accepts.
    Model(Box<Model>),
    /// There is no model, says the built-in solver.
    Refuted,
    /// Nothing is known.
    None,
}

/// A model of some terms.
pub(crate) fn of_terms(pool: &mut Pool, terms: &[Term]) -> Witness {
    let bare: Vec<Term> = terms.iter().map(|&t| pool.strip(t)).collect();
    match builtin::solve(pool, &bare, TICKS) {
        Found::Model(model) => {
            let mut e = Evaluator::new(pool, &model);
            let holds = bare.iter().all(|&t| e.truth(t) == Satisfaction::Holds);
            if holds { Witness::Model(model) } else { Witness::None }
        }
        Found::Unsat => Witness::Refuted,
        Found::Nothing => Witness::None,
    }
}

/// The assertions with these names, and those without a name.
pub(crate) fn core_terms(case: &Case, core: &[String]) -> Option<Vec<Term>> {
    let all = case.check(0);
    let mut missed = false;
    let kept = all.assertions.iter().map(|&(_, t)| t).filter(|&t| match case.pool.given_name(t) {
        Some(name) => {
            let is = core.iter().any(|c| c == case.pool.names.name(name));
            missed |= !is;
            is
        }
        None => true,
    });
    let kept: Vec<Term> = kept.collect();
    (missed && all.assumptions.is_empty()).then_some(kept)
}
