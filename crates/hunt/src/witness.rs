//! Witnesses: models that refute an `unsat` or an unsat core.
//!
//! A witness is from the built-in solver, in this process; if that knows nothing, from another solver of the hunt, or from the same one with other
//! options or another seed, which then contradicts itself. The referee accepts it on the original assertions; then it is part of the
//! instance, as a certificate, and the ordinary judge gives the verdict.

use crate::ask::Asker;
use crate::variant::Variant;
use bugs::truth::builtin::{self, Found};
use campaign::case::Case;
use campaign::judge::responses;
use campaign::process::Cancel;
use semantics::instance::{Instance, Truth};
use semantics::{Evaluator, Model, Satisfaction};
use smt::{Pool, Term};

/// Units of work of the built-in solver for one witness.
const TICKS: u64 = 100_000;

/// Other solvers that are asked for a witness.
const OTHERS: usize = 3;

/// A model of the only check of a case, found by the built-in solver.
pub(crate) fn of_case(case: &Case) -> Witness<Box<Instance>> {
    let terms: Vec<Term> = case.check(0).assertions.iter().map(|&(_, t)| t).collect();
    let mut pool = case.pool.clone();
    match of_terms(&mut pool, &terms) {
        Witness::Model(model) => {
            certified(case, pool, *model).map_or(Witness::None, |i| Witness::Model(Box::new(i)))
        }
        Witness::Refuted => Witness::Refuted,
        Witness::None => Witness::None,
    }
}

/// Models of cases, by their place, from other solvers of the hunt; the last one is the solver itself with another seed. None if it was
/// cancelled.
pub(crate) fn from_others(
    cases: &[Case],
    variants: &[Variant],
    own: &Variant,
    asker: &Asker<'_>,
    cancel: &Cancel,
) -> Option<Vec<(usize, Instance)>> {
    let mut left: Vec<usize> = (0..cases.len()).collect();
    let mut found = Vec::new();
    let reseeded = own.reseeded();
    let others = others(variants, own).into_iter().take(OTHERS).chain(&reseeded);
    for other in others {
        let asked: Vec<Case> = left.iter().map(|&i| cases[i].clone()).collect();
        let complete = asker.beside(other).ask(&asked, cancel, |at, reply, _| {
            let case = &asked[at];
            let mut pool = case.pool.clone();
            let read = responses(case, &other.solver.profile, &reply.output, &mut pool).ok();
            let model = read.and_then(|all| all.into_iter().next()?.model.ok()?);
            found.extend(model.and_then(|m| certified(case, pool, m)).map(|instance| (left[at], instance)));
        });
        if !complete {
            return None;
        }
        left.retain(|i| !found.iter().any(|(at, _)| at == i));
        if left.is_empty() {
            break;
        }
    }
    Some(found)
}

/// The other solvers of a hunt: other programs first, then the same program with other options.
fn others<'v>(variants: &'v [Variant], own: &Variant) -> Vec<&'v Variant> {
    let mut list: Vec<&Variant> = variants.iter().filter(|v| v.solver.name != own.solver.name).collect();
    list.sort_by_key(|v| v.solver.program == own.solver.program);
    list
}

/// The case with a model as its certificate; none if the referee does not accept it.
pub(crate) fn certified(case: &Case, pool: Pool, model: Model) -> Option<Instance> {
    let mut instance = Instance { pool, script: case.script.clone(), truth: Truth::Sat(Box::new(model)) };
    instance.confirm();
    matches!(instance.truth, Truth::Sat(_)).then_some(instance)
}

/// The result of a search for a witness.
pub(crate) enum Witness<M = Box<Model>> {
    /// A model that the referee accepts.
    Model(M),
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

/// The assertions of check `n` with these names, and those without a name.
pub(crate) fn core_terms(case: &Case, n: usize, core: &[String]) -> Option<Vec<Term>> {
    let all = case.check(n);
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

#[cfg(test)]
mod tests;
