//! Terms without constants as their values.
//!
//! `(str.++ "a" "b")` becomes `"ab"`, `(str.len "abc")` becomes `3`. The evaluator is the one of the referee; a term whose value depends on the reading of the
//! standard, such as `(str.replace "a" "" "b")`, keeps the answer under one of them only, so that nothing is known of the effect.

use super::Pass;
use super::build::is_constant;
use super::edit::{Edit, New, largest};
use super::facts;
use crate::doc::{Doc, Effect};
use rustc_hash::FxHashSet;
use semantics::regex::RegexStore;
use semantics::{Config, Evaluator, Model, Reading, Value};
use smt::{Head, Pool, PostOrder, Sort, Term};

/// Evaluates.
pub(super) struct Evaluate;

/// Steps for one term.
const STEPS: u64 = 100_000;

/// The most terms that are evaluated.
const MOST: usize = 5_000;

impl Pass for Evaluate {
    fn name(&self) -> &'static str {
        "evaluate"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let (pool, ground) = (&doc.pool, ground(doc));
        let sizes = facts::tree_sizes(pool, doc.all_roots());
        let open =
            |t: &Term| ground.contains(t) && !is_constant(pool, *t) && pool.sort_of(*t) != Sort::REGLAN;
        let terms: Vec<Term> = pool.subterms(doc.all_roots()).filter(open).take(MOST).collect();
        let (now, before) = (values(pool, &terms, Reading::Standard), values(pool, &terms, Reading::Pre26));
        let edit = |((&t, value), old): ((&Term, Option<New>), Option<New>)| {
            let effect = if value == old { Effect::Equivalent } else { Effect::Any };
            Some(Edit::everywhere(effect, sizes[&t], t, value?))
        };
        largest(terms.iter().zip(now).zip(before).filter_map(edit))
    }
}

fn values(pool: &Pool, terms: &[Term], reading: Reading) -> Vec<Option<New>> {
    let model = Model::new();
    let config = Config { reading, steps: STEPS, regex_budget: STEPS, ..Config::default() };
    let mut e = Evaluator::with(pool, &model, config, RegexStore::new());
    terms.iter().map(|&t| e.eval(t).ok().and_then(literal)).collect()
}

/// The longest value that is written out.
const LONGEST: usize = 1 << 16;

fn literal(value: Value) -> Option<New> {
    match value {
        Value::Bool(b) => Some(New::constant(if b { smt::Op::True } else { smt::Op::False })),
        Value::Int(n) => Some(New::Int(n)),
        Value::Str(s) if s.len() <= LONGEST => Some(New::Str(s.to_vec())),
        Value::Str(_)
        | Value::Real(_)
        | Value::Re(_)
        | Value::Element(_)
        | Value::Data(_)
        | Value::Seq(_) => None,
    }
}

/// The subterms of a script without constants, functions, variables, and foreign parts.
pub(super) fn ground(doc: &Doc) -> FxHashSet<Term> {
    let pool = &doc.pool;
    let (mut seen, mut out) = (FxHashSet::default(), FxHashSet::default());
    let mut walk = PostOrder::new(doc.all_roots());
    while let Some(t) = walk.next(|t| (!seen.contains(&t)).then(|| pool.args(t).iter().copied())) {
        seen.insert(t);
        let own = matches!(
            pool.head(t),
            Head::Op(_) | Head::Indexed(..) | Head::Str(_) | Head::Int(_) | Head::Real(_)
        );
        if own && pool.args(t).iter().all(|a| out.contains(a)) {
            out.insert(t);
        }
    }
    out
}
