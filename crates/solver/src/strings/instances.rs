//! Model-based instantiation of quantifiers.
//!
//! If a candidate model falsifies a universal formula that must hold, the referee knows the values of the variables by
//! which it does. The instance with these values follows from the formula and excludes the model.
//!
//! Example: `(forall ((i Int)) (=> (and (<= 0 i) (< i (str.len x))) (= (str.at x i) y)))` with `x = "ab"` and `y = "a"`
//! in the model is false for `i = 1`; the instance states `(=> (< 1 (str.len x)) (= (str.at x 1) y))`.

use crate::build::is_value;
use crate::builder::Builder;
use crate::calculus::{Calculus, Step, stop_if};
use crate::egraph::Premise;
use crate::infer::Rule;
use rustc_hash::FxHashMap;
use sat::Lit;
use semantics::{Evaluator, Model, Value};
use smt::{Head, Int, Sort, Term};

/// Ground terms of a body that are compared with the values of a counterexample, at most.
const MAX_GROUND: usize = 20;

/// Sends the instances by which the model falsifies universal formulas.
pub(super) fn instantiate(c: &mut Calculus<'_>, model: &Model) -> Step {
    let mut sent = false;
    for (l, t) in universal(c) {
        let Some(values) = counterexample(c, t, model) else { continue };
        let (&body, vars) = c.terms.pool.args(t).split_last().expect("a quantifier has a body");
        let vars = vars.to_vec();
        if c.terms.pool.has_binder(body) {
            continue;
        }
        let constants = constants(c, &values);
        if vars.iter().any(|v| !constants.contains_key(v)) {
            continue;
        }
        let general = generalised(c, body, &values, &constants, model);
        let next = general.as_ref().and_then(|map| after(c, map));
        for mut map in general.into_iter().chain(next).chain([constants]) {
            let instance = c.terms.pool.replace(body, &mut map);
            let instance = if l.is_positive() { instance } else { c.not(instance) };
            sent |= c.lemma(Rule::Instance, &[Premise::Lit(l)], &[instance]);
        }
    }
    stop_if(sent)
}

/// The values of variables as terms.
fn constants(c: &mut Calculus<'_>, values: &[(Term, Value)]) -> FxHashMap<Term, Term> {
    let mut map: FxHashMap<Term, Term> = FxHashMap::default();
    for (v, value) in values {
        let constant = match value {
            Value::Bool(b) => c.terms.pool.bool(*b),
            Value::Int(n) => c.terms.pool.int(n.clone()),
            Value::Str(w) => c.terms.pool.string(w),
            _ => continue,
        };
        map.insert(*v, constant);
    }
    map
}

/// The constants with ground terms of the body in the place of those that have, up to one, their values; none if there are no such terms.
/// From `b = 3` in `(forall ((b Int)) (> (str.len x) b))` and `|x| = 3` follows the instance of `(str.len x)`, which excludes all models.
fn generalised(
    c: &mut Calculus<'_>,
    body: Term,
    values: &[(Term, Value)],
    constants: &FxHashMap<Term, Term>,
    model: &Model,
) -> Option<FxHashMap<Term, Term>> {
    let ground = ground_values(c, body, model);
    let mut map = constants.clone();
    let mut found = false;
    for (v, value) in values {
        for (t, other) in &ground {
            let term = match (value, other) {
                (Value::Int(n), Value::Int(m)) => {
                    let by = [0, 1, -1].into_iter().find(|&by| *n == m + &Int::from(by));
                    by.map(|by| c.int(by)).map(|by| c.plus(*t, by))
                }
                (Value::Str(w), Value::Str(u)) => (w == u).then_some(*t),
                _ => None,
            };
            if let Some(term) = term {
                map.insert(*v, term);
                found = true;
                break;
            }
        }
    }
    found.then_some(map)
}

/// The instance after that of the term, if there is one variable and it is an integer: divisibility may need two.
fn after(c: &mut Calculus<'_>, map: &FxHashMap<Term, Term>) -> Option<FxHashMap<Term, Term>> {
    let (&v, &t) = map.iter().next().filter(|_| map.len() == 1)?;
    if c.sort(v) != Sort::INT {
        return None;
    }
    let one = c.int(1);
    Some(FxHashMap::from_iter([(v, c.plus(t, one))]))
}

/// Terms of a body without variables that are no constants, with their values.
fn ground_values(c: &Calculus<'_>, body: Term, model: &Model) -> Vec<(Term, Value)> {
    let pool = &*c.terms.pool;
    let wanted = |&t: &Term| {
        matches!(pool.sort_of(t), Sort::INT | Sort::STRING) && !pool.has_var(t) && !is_value(pool, t)
    };
    let mut e = Evaluator::new(pool, model);
    let terms = pool.subterms([body]).filter(wanted).take(MAX_GROUND);
    terms.filter_map(|t| Some((t, e.eval(t).ok()?))).collect()
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
