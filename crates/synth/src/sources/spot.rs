//! Instances of one kind of formula, over constants whose values were drawn first.
//!
//! A source of a weak spot supplies the constants and a function that draws formulas, true or false. Five of eight instances assert them as true: negated
//! where they are false, some with formulas that leave one value or few to a constant. Two of eight assert one of them as false, with formulas that determine the value of each of its constants: then no
//! other model is possible, and this one is none, so the instance is unsatisfiable. One of eight asserts them as they come, satisfiable if
//! the model happens to hold and unlabelled otherwise.

use super::grow::Grower;
use super::{Made, model_first};
use semantics::Satisfaction;
use semantics::instance::Truth;
use smt::{Head, Term};

/// Draws a formula.
pub(super) type Formula = fn(&mut Grower<'_>) -> Option<Term>;

/// An instance with formulas of one kind.
pub(super) fn instance(g: Grower<'_>, formula: Formula) -> Option<Made> {
    match g.dice.index(8) {
        0 | 1 => contradicted(g, formula),
        2 => as_they_come(g, formula),
        _ => satisfied(g, formula),
    }
}

/// How many formulas of the kind.
fn count(g: &mut Grower<'_>) -> usize {
    1 + g.dice.index(g.shape.assertions.max(1)).min(3)
}

fn satisfied(mut g: Grower<'_>, formula: Formula) -> Option<Made> {
    let mut assertions = Vec::new();
    for _ in 0..count(&mut g) {
        let t = formula(&mut g);
        assertions.extend(t.and_then(|t| g.made_true(t)));
    }
    if assertions.is_empty() {
        return None;
    }
    if g.dice.one_in(4) {
        assertions.extend(model_first::assertion(&mut g, 2));
    }
    let (pinned, confined) = (g.dice.one_in(4), g.dice.one_in(3));
    for (x, value) in g.constants.clone() {
        match g.dice.index(4) {
            0 if pinned => assertions.push(g.pin(x, &value)),
            1..=3 if confined => assertions.extend(g.confine(x, &value)),
            _ => {}
        }
    }
    if confined {
        // The cases are split first, or last.
        g.dice.shuffle(&mut assertions);
    }
    g.satisfiable(&assertions)
}

fn as_they_come(mut g: Grower<'_>, formula: Formula) -> Option<Made> {
    let assertions: Vec<Term> = (0..=count(&mut g)).filter_map(|_| formula(&mut g)).collect();
    if assertions.is_empty() {
        return None;
    }
    Some(labelled(g, &assertions))
}

/// Satisfiable if the model holds, otherwise unlabelled.
pub(super) fn labelled(g: Grower<'_>, assertions: &[Term]) -> Made {
    let holds = g.hold(assertions);
    let truth = if holds { Truth::Sat(Box::new(g.model)) } else { Truth::Unknown };
    Made::new(g.pool, assertions, truth)
}

/// One formula false, and all its constants determined.
fn contradicted(mut g: Grower<'_>, formula: Formula) -> Option<Made> {
    let t = formula(&mut g)?;
    let mut all: Vec<(Term, bool)> = refuted(&mut g, t)?.into_iter().map(|t| (t, true)).collect();
    for _ in 0..count(&mut g) - 1 {
        let t = formula(&mut g);
        all.extend(t.and_then(|t| g.made_true(t)).map(|t| (t, false)));
    }
    g.dice.shuffle(&mut all);
    let core = (0..all.len()).filter(|&i| all[i].1).collect();
    let assertions: Vec<Term> = all.into_iter().map(|(t, _)| t).collect();
    Some(Made::new(g.pool, &assertions, Truth::Unsat(core)).with_recipe("no other values"))
}

/// `t` or its negation, whichever is false, with formulas that leave no other values to its constants.
pub(super) fn refuted(g: &mut Grower<'_>, t: Term) -> Option<Vec<Term>> {
    let t = match g.truth(t) {
        Satisfaction::Holds => g.not(t),
        Satisfaction::Fails => t,
        Satisfaction::Undetermined(_) => return None,
    };
    let heads: Vec<Term> = g.pool.subterms([t]).filter(|&t| matches!(g.pool.head(t), Head::Fun(_))).collect();
    let mut core = vec![t];
    for x in heads {
        // A function has no value that could be determined.
        let value = g.value_at(x)?.clone();
        core.push(g.pin(x, &value));
    }
    Some(core)
}
