//! The known answer of an instance after a transformation.
//!
//! If the transformation keeps all answers, which [`super::commute`] proves for most, so does the truth. A model is
//! mapped along with the formula, and judged by the referee in any case.

use super::Effect;
use semantics::model::Meaning;
use semantics::regex::RegexStore;
use semantics::{Config, Evaluator, Instance, Model, Satisfaction, Truth};
use smt::{Fun, Pool, Sort, Term};

/// Updates the truth of an instance after its script was changed, and the `:status` attributes of the script.
pub fn carry(instance: &mut Instance, effect: &Effect) {
    if effect.unchanged {
        return;
    }
    instance.truth = match std::mem::replace(&mut instance.truth, Truth::Unknown) {
        Truth::Sat(model) => {
            mapped(instance, *model, effect).map_or(Truth::Unknown, |m| Truth::Sat(Box::new(m)))
        }
        Truth::Unsat(core) if effect.keeps => Truth::Unsat(core),
        _ => Truth::Unknown,
    };
    let verdict = instance.judge();
    if verdict != Some(Satisfaction::Holds) && verdict.is_some() {
        instance.truth = Truth::Unknown;
    }
    if !effect.keeps || verdict == Some(Satisfaction::Fails) {
        instance.set_status(instance.truth.status());
    }
}

/// The model with its values mapped; none if one of them cannot be.
fn mapped(instance: &mut Instance, model: Model, effect: &Effect) -> Option<Model> {
    let Some(map) = &effect.values else { return Some(model) };
    let funs: Vec<Fun> = instance.declared().collect();
    let terms: Vec<Option<Term>> = funs
        .iter()
        .map(|&f| instance.pool.fun(f).params.is_empty().then(|| instance.pool.apply(f, &[])))
        .collect();
    let pool = &instance.pool;
    let mut e = Evaluator::with(pool, &model, Config::default(), RegexStore::new());
    let mut new = Model::new();
    for (&f, t) in funs.iter().zip(&terms) {
        match t {
            Some(t) => new.assign(f, map(&e.eval(*t).ok()?)?),
            None => keep_function(pool, &model, f, &mut new)?,
        }
    }
    Some(new)
}

/// A function whose values and arguments do not change.
fn keep_function(pool: &Pool, model: &Model, f: Fun, new: &mut Model) -> Option<()> {
    let data = pool.fun(f);
    let changes = |s: &Sort| matches!(*s, Sort::STRING | Sort::REGLAN | Sort::INT | Sort::REAL);
    if data.params.iter().chain([&data.ret]).any(changes) {
        return None;
    }
    match model.lookup(pool, f) {
        Some(Meaning::Definition(d)) => new.define(pool, &[d]).ok(),
        Some(_) => None,
        None => Some(()),
    }
}
