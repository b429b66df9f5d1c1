//! Candidate models: built when no step derives anything, and judged by the evaluator on the original assertions.
//!
//! Every class has a string (`words.rs`); declared constants and skolems have the values of their classes,
//! uninterpreted functions are tables of the applications that are terms. Preprocessing extends the model to the
//! constants that it eliminated. If the evaluator does not accept the model, `repair.rs` determines the cause.
//!
//! Example: with `|x| = 2` and `(f 2) = 5` in arithmetic, the model is `x = "aa"`, and `f` maps everything to 5.

use super::bound::{self, LengthBound};
use super::distinct;
use super::probe;
use super::repair::repair;
use super::round::Round;
use super::words::{Row, Words, nodes, selectors};
use crate::build;
use crate::calculus::{Calculus, Step, Stop, stop_if};
use crate::preprocess::Preprocessed;
use semantics::{Evaluator, Model, Satisfaction};
use smt::term::Role;
use smt::{Fun, Head, Op, Pool, Term};
use std::collections::BTreeMap;

/// The longest string of a candidate model from which lengths are excluded before anything else is tried.
const MAX_EXCLUDED: usize = 24;

/// The problem that a model is judged on.
#[derive(Clone, Copy)]
pub(crate) struct Problem<'a> {
    /// The assertions as given.
    pub(crate) originals: &'a [Term],
    /// The assertions after preprocessing.
    pub(crate) prepared: &'a Preprocessed,
}

/// The result of a candidate model.
pub(crate) enum Candidate {
    /// A model of the original assertions.
    Accepted(Box<Model>),
    /// Not a model, and no inference follows, for this reason.
    Rejected(String),
}

/// Builds a model and evaluates the assertions. Stops if inferences follow from its failure.
pub(crate) fn candidate(
    c: &mut Calculus<'_>,
    problem: &Problem<'_>,
    bound: &mut LengthBound,
    round: &Round,
) -> Result<Candidate, Stop> {
    let Some(words) = Words::new(c, round) else {
        if bound::activate(c, bound) {
            return Err(Stop);
        }
        return Ok(Candidate::Rejected("a string of the model would be too long".to_owned()));
    };
    distinct::separate(c, &words)?;
    let (model, accepted) = judge(c, problem, &words);
    if let Some(model) = accepted {
        return Ok(Candidate::Accepted(model));
    }
    if let Some(computed) = words.computed(c, round)
        && let (_, Some(model)) = judge(c, problem, &computed)
    {
        return Ok(Candidate::Accepted(model));
    }
    if let Some(model) = probe::probe(c, round, &words, &mut |c, words| judge(c, problem, words).1) {
        return Ok(Candidate::Accepted(model));
    }
    // Lengths that grow without end are the sign of functions that need their definitions.
    if words.longest() <= MAX_EXCLUDED {
        exclude(c, round)?;
    }
    let reason = repair(c, &problem.prepared.assertions, round, &words, &model)?;
    exclude(c, round)?;
    Ok(Candidate::Rejected(reason))
}

/// Excludes strings that were chosen, and lengths of which none were found.
fn exclude(c: &mut Calculus<'_>, round: &Round) -> Step {
    for e in &round.excluded {
        stop_if(c.lemma(e.rule, &e.premises, &e.conclusion))?;
    }
    Ok(())
}

/// The model of strings that were guessed, if the assertions hold in it.
pub(crate) fn guessed(c: &mut Calculus<'_>, problem: &Problem<'_>, round: &Round) -> Option<Box<Model>> {
    let words = Words::new(c, round)?;
    if let (_, Some(model)) = judge(c, problem, &words) {
        return Some(model);
    }
    let computed = words.computed(c, round)?;
    judge(c, problem, &computed).1
}

/// The model of the strings, and with the constants that preprocessing eliminated if the assertions hold: of letters, if they hold for letters
/// as well.
fn judge(c: &mut Calculus<'_>, problem: &Problem<'_>, words: &Words) -> (Model, Option<Box<Model>>) {
    let (model, accepted) = judge_words(c, problem, words);
    if accepted.is_some()
        && let Some(printable) = words.printable(c)
        && let (model, Some(accepted)) = judge_words(c, problem, &printable)
    {
        return (model, Some(accepted));
    }
    (model, accepted)
}

fn judge_words(c: &mut Calculus<'_>, problem: &Problem<'_>, words: &Words) -> (Model, Option<Box<Model>>) {
    let mut model = assignment(c, words);
    add_functions(c, &mut model, words);
    let mut full = model.clone();
    let holds = problem.prepared.carry_back(c.terms.pool, &mut full).is_ok() && accepts(c, problem, &full);
    (model, holds.then(|| Box::new(full)))
}

/// Whether all original assertions hold.
pub(crate) fn accepts(c: &Calculus<'_>, problem: &Problem<'_>, model: &Model) -> bool {
    let mut e = Evaluator::new(c.terms.pool, model);
    problem.originals.iter().all(|&t| e.truth(t) == Satisfaction::Holds)
}

/// Values for all declared constants and skolems that are nodes.
fn assignment(c: &mut Calculus<'_>, words: &Words) -> Model {
    let mut model = Model::new();
    for n in nodes(c) {
        let t = c.term(n);
        let Head::Fun(f) = c.head(t) else { continue };
        if !c.terms.pool.args(t).is_empty() {
            continue;
        }
        if let Some(value) = words.value(c, n) {
            model.assign(f, value);
        }
    }
    model
}

/// Interpretations of uninterpreted functions, from the applications that are nodes.
fn add_functions(c: &mut Calculus<'_>, model: &mut Model, words: &Words) {
    let mut tables: BTreeMap<Fun, Vec<Row>> = BTreeMap::new();
    for n in nodes(c) {
        let t = c.term(n);
        let Head::Fun(f) = c.head(t) else { continue };
        let role = c.terms.pool.fun(f).role;
        if c.terms.pool.args(t).is_empty() || c.terms.pool.fun(f).def.is_some() {
            continue;
        }
        if matches!(role, Role::Constructor(_) | Role::Tester(_)) {
            continue;
        }
        let args = c.state.egraph.args(n).to_vec();
        let args: Option<Vec<Term>> = args.into_iter().map(|a| words.value_term(c, a)).collect();
        if let (Some(args), Some(value)) = (args, words.value_term(c, n)) {
            let rows = tables.entry(f).or_default();
            if !rows.iter().any(|(a, _)| *a == args) {
                rows.push((args, value));
            }
        }
    }
    for (f, row) in selectors(c.terms.pool) {
        tables.entry(f).or_insert_with(|| vec![row]);
    }
    let mut funs: Vec<Fun> = Vec::new();
    for (f, rows) in tables {
        let Some(d) = table_function(c, f, &rows) else { continue };
        match c.terms.pool.fun(f).role {
            // Those of two instances of a datatype have one name.
            Role::Selector(..) => model.define_as(f, d),
            _ => funs.push(d),
        }
    }
    funs.extend(
        [Op::IntDiv, Op::Mod, Op::RealDiv].into_iter().filter_map(|op| divisions_by_zero(c, words, op)),
    );
    let _ = model.define(c.terms.pool, &funs);
}

/// The function `div0`, `mod0` or `/0`: the quotients or remainders by zero, as the evaluator reads them.
fn divisions_by_zero(c: &mut Calculus<'_>, words: &Words, op: Op) -> Option<Fun> {
    let mut rows: Vec<Row> = Vec::new();
    for n in nodes(c) {
        let t = c.term(n);
        if c.head(t) != Head::Op(op) || !build::may_divide_by_zero(c.terms.pool, t) {
            continue;
        }
        let &[a, k] = c.state.egraph.args(n) else { continue };
        let [a, k, value] = [a, k, n].map(|n| words.value_term(c, n));
        let (Some(a), Some(k), Some(value)) = (a, k, value) else { continue };
        let zero = match c.head(k) {
            Head::Int(id) => c.terms.pool.int_value(id).is_zero(),
            Head::Real(id) => c.terms.pool.real_value(id).is_zero(),
            _ => false,
        };
        if zero {
            rows.push((vec![a], value));
        }
    }
    if rows.is_empty() {
        return None;
    }
    let f = c.terms.skolems.division_by_zero(c.terms.pool, op);
    define_table(c.terms.pool, f, &rows)
}

/// A function of the same name that is defined by a table.
fn table_function(c: &mut Calculus<'_>, f: Fun, rows: &[Row]) -> Option<Fun> {
    let pool = &mut *c.terms.pool;
    let data = pool.fun(f).clone();
    let g = pool.declare(data.name, data.params, data.ret);
    define_table(pool, g, rows)
}

/// Defines a function by a table; all other arguments have the value of the last row.
fn define_table(pool: &mut Pool, g: Fun, rows: &[Row]) -> Option<Fun> {
    let data = pool.fun(g).clone();
    let mut vars: Vec<Term> = Vec::new();
    for (i, &sort) in data.params.iter().enumerate() {
        let name = pool.names.intern(&format!("x!{i}"));
        vars.push(pool.var(name, sort));
    }
    let mut body = rows.last()?.1;
    for (args, value) in rows.iter().rev().skip(1) {
        let is = |(&v, &a)| build::eq(pool, v, a);
        let tests: Vec<Term> = vars.iter().zip(args).map(is).collect();
        let test = match tests[..] {
            [t] => t,
            _ => build::op(pool, Op::And, &tests),
        };
        body = build::op(pool, Op::Ite, &[test, *value, body]);
    }
    pool.define(g, vars.into(), body);
    Some(g)
}
