//! Unsatisfiable formulas: a contradiction from a verified rule, buried in a context that is true under some model or redundant.
//!
//! A rule `lhs = rhs` gives the core `not (lhs = rhs)`, under its condition; an equivalence, `lhs` and `not rhs` or the other way round; an implication,
//! `rhs` and `not lhs`. Its variables become constants or random terms, the two sides are taken apart by definitions (`z = t`), and assertions
//! of the context are put around and beneath it.

use super::grow::Grower;
use super::{Made, Material, Source, model_first};
use crate::dice::Dice;
use rustc_hash::FxHashMap;
use semantics::Value;
use semantics::instance::Truth;
use semantics::rule::{Rule, RuleKind};
use smt::{Head, Op, Pool, Sort, Term};

pub(super) static REFUTE: Source = Source {
    name: "refute",
    about: "a contradiction from a verified rule, within true and redundant assertions",
    truth: "unsat, since the rule holds for all values",
    needs_corpus: false,
    make,
};

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    let library = &material.rules;
    if library.rules.is_empty() {
        return None;
    }
    let mut g = Grower::with_constants(dice, &material.shape);
    let rule = g.dice.pick(&library.rules);
    let mut core = contradiction(&mut g, &library.pool, rule)?;
    if g.dice.one_in(3) {
        core = apart(&mut g, core);
    }
    let size = core.len();
    let (assertions, places) = bury(&mut g, core, material.shape.assertions);
    debug_assert_eq!(places.len(), size, "the core is kept");
    Some(Made::new(g.pool, &assertions, Truth::Unsat(places)).with_recipe(rule.name.clone()))
}

/// Assertions that contradict each other.
fn contradiction(g: &mut Grower<'_>, from: &Pool, rule: &Rule) -> Option<Vec<Term>> {
    let mut map = FxHashMap::default();
    for &v in rule.vars.iter().chain(&rule.exists) {
        let sort = from.sort_of(v);
        if !matches!(sort, Sort::STRING | Sort::INT | Sort::BOOL) {
            return None;
        }
        let open = rule.exists.contains(&v) || g.dice.one_in(3);
        let depth = usize::from(g.dice.one_in(2));
        let t = if open { fresh(g, sort) } else { g.any(sort, depth) };
        map.insert(v, t);
    }
    let lhs = import(g, from, rule.lhs, &map)?;
    let rhs = import(g, from, rule.rhs, &map)?;
    let mut core = match rule.when {
        Some(when) => vec![import(g, from, when, &map)?],
        None => Vec::new(),
    };
    match rule.kind {
        RuleKind::Equality => {
            let differ = *g.dice.pick(&[Op::Distinct, Op::Eq]);
            let t = g.op(differ, &[lhs, rhs]);
            core.push(if differ == Op::Eq { g.op(Op::Not, &[t]) } else { t });
        }
        // With existentials, only the direction from right to left is free of quantifiers.
        RuleKind::Equivalence if rule.exists.is_empty() && g.dice.one_in(2) => {
            core.extend([lhs, g.op(Op::Not, &[rhs])]);
        }
        RuleKind::Equivalence | RuleKind::Implication => {
            core.extend([rhs, g.op(Op::Not, &[lhs])]);
        }
    }
    Some(core)
}

fn fresh(g: &mut Grower<'_>, sort: Sort) -> Term {
    let value = g.value(sort);
    g.constant(value)
}

/// A term of another pool, with variables replaced.
pub(super) fn import(g: &mut Grower<'_>, from: &Pool, t: Term, map: &FxHashMap<Term, Term>) -> Option<Term> {
    let mut done = map.clone();
    let mut order = smt::PostOrder::new([t]);
    while let Some(t) = order.next(|t| (!done.contains_key(&t)).then(|| from.args(t).to_vec().into_iter())) {
        if done.contains_key(&t) {
            continue;
        }
        let args: Vec<Term> = from.args(t).iter().map(|a| done.get(a).copied()).collect::<Option<_>>()?;
        let new = match from.head(t) {
            Head::Str(id) => g.pool.string(from.word(id)),
            Head::Int(id) => g.spell(&Value::Int(from.int_value(id).clone())),
            Head::Op(op) => g.pool.op(op, &args).ok()?,
            Head::Indexed(op, id) => g.pool.indexed(op, from.index_values(id), &args).ok()?,
            _ => return None,
        };
        done.insert(t, new);
    }
    done.get(&t).copied()
}

/// Names a subterm of the core by a new constant.
fn apart(g: &mut Grower<'_>, core: Vec<Term>) -> Vec<Term> {
    let is_part = |t: &Term| {
        let sort = g.pool.sort_of(*t);
        !g.pool.args(*t).is_empty()
            && matches!(sort, Sort::STRING | Sort::INT | Sort::BOOL)
            && !core.contains(t)
    };
    let parts: Vec<Term> = g.pool.subterms(core.iter().copied()).filter(is_part).collect();
    if parts.is_empty() {
        return core;
    }
    let part = *g.dice.pick(&parts);
    let name = fresh(g, g.pool.sort_of(part));
    let mut map = FxHashMap::default();
    map.insert(part, name);
    let mut apart: Vec<Term> =
        core.iter().map(|&t| crate::substitute::substitute(&mut g.pool, t, &map)).collect();
    apart.push(g.op(Op::Eq, &[name, part]));
    apart
}

/// Puts a context around the core, and parts of it under connectives; returns the places of the core.
fn bury(g: &mut Grower<'_>, core: Vec<Term>, most: usize) -> (Vec<Term>, Vec<usize>) {
    let core: Vec<Term> =
        core.into_iter().map(|t| if g.dice.one_in(4) { beneath(g, t) } else { t }).collect();
    let context = g.dice.index(most.max(1));
    let mut all: Vec<(Term, bool)> = core.into_iter().map(|t| (t, true)).collect();
    for _ in 0..context {
        let extra = model_first::assertion(g, 2);
        all.extend(extra.map(|t| (t, false)));
    }
    g.dice.shuffle(&mut all);
    let places = (0..all.len()).filter(|&i| all[i].1).collect();
    (all.into_iter().map(|(t, _)| t).collect(), places)
}

/// The same formula in another form.
fn beneath(g: &mut Grower<'_>, t: Term) -> Term {
    let depth = 1;
    match g.dice.index(4) {
        0 => {
            let other = g.any(Sort::BOOL, depth);
            g.op(Op::And, &[t, other])
        }
        1 => {
            let no = g.pool.bool(false);
            g.op(Op::Or, &[no, t])
        }
        2 => {
            let test = g.any(Sort::BOOL, depth);
            g.op(Op::Ite, &[test, t, t])
        }
        _ => {
            let test = g.any(Sort::BOOL, depth);
            let not = g.op(Op::Not, &[test]);
            let args = [g.op(Op::Or, &[test, t]), g.op(Op::Or, &[not, t])];
            g.op(Op::And, &args)
        }
    }
}
