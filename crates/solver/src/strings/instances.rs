//! Model-based instantiation of quantifiers.
//!
//! If a candidate model falsifies a universal formula that must hold, the referee knows the values of the variables by
//! which it does. The instance with these values follows from the formula and excludes the model.
//!
//! Example: `(forall ((i Int)) (=> (and (<= 0 i) (< i (str.len x))) (= (str.at x i) y)))` with `x = "ab"` and `y = "a"`
//! in the model is false for `i = 1`; the instance states `(=> (< 1 (str.len x)) (= (str.at x 1) y))`.

use crate::builder::Builder;
use crate::calculus::{Calculus, Step, stop_if};
use crate::egraph::Premise;
use crate::infer::Rule;
use rustc_hash::FxHashMap;
use sat::Lit;
use semantics::{Evaluator, Model, Value};
use smt::{Head, Term};

/// Sends the instances by which the model falsifies universal formulas.
pub(super) fn instantiate(c: &mut Calculus<'_>, model: &Model) -> Step {
    let mut sent = false;
    for (l, t) in universal(c) {
        let Some(values) = counterexample(c, t, model) else { continue };
        let mut map: FxHashMap<Term, Term> = FxHashMap::default();
        for (v, value) in values {
            let constant = match value {
                Value::Bool(b) => c.terms.pool.bool(b),
                Value::Int(n) => c.terms.pool.int(n),
                Value::Str(w) => c.terms.pool.string(&w),
                _ => continue,
            };
            map.insert(v, constant);
        }
        let (&body, vars) = c.terms.pool.args(t).split_last().expect("a quantifier has a body");
        if vars.iter().any(|v| !map.contains_key(v)) || c.terms.pool.has_binder(body) {
            continue;
        }
        let instance = c.terms.pool.replace(body, &mut map);
        let instance = if l.is_positive() { instance } else { c.not(instance) };
        sent |= c.lemma(Rule::Instance, &[Premise::Lit(l)], &[instance]);
    }
    stop_if(sent)
}

/// The quantifiers that hold as universal formulas: true `forall`, false `exists`.
fn universal(c: &Calculus<'_>) -> Vec<(Lit, Term)> {
    let atom = |&l: &Lit| Some((l, c.inferences.atom(l.var())?));
    let wanted = |&(l, t): &(Lit, Term)| match c.head(t) {
        Head::Forall => l.is_positive(),
        Head::Exists => !l.is_positive(),
        _ => false,
    };
    c.state.asserted.iter().filter_map(atom).filter(wanted).collect()
}

/// The values of the variables by which the model falsifies a universal formula.
fn counterexample(c: &Calculus<'_>, t: Term, model: &Model) -> Option<Vec<(Term, Value)>> {
    let mut e = Evaluator::new(c.terms.pool, model);
    let fails = Value::Bool(c.head(t) == Head::Exists);
    (e.eval(t).ok()? == fails).then(|| e.deciding_instance(t)).flatten()
}
