//! A model is drawn first, then formulas that are true under it.
//!
//! Half of the assertions equate terms that were built to have one value, the others are random terms, negated where they are false. Some
//! constants occur only through such equations, so that their values must be inferred.

use super::grow::Grower;
use super::{Made, Material, Source};
use crate::dice::Dice;
use semantics::Value;
use smt::{Op, Sort, Term};

pub(super) static MODEL_FIRST: Source = Source {
    name: "model-first",
    about: "formulas true under a model that was drawn first, with every operator and connective",
    truth: "sat, by that model",
    needs_corpus: false,
    make,
};

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    let mut g = Grower::with_constants(dice, &material.shape);
    let count = 1 + g.dice.index(material.shape.assertions.max(1));
    let mut assertions = Vec::new();
    for _ in 0..count {
        assertions.extend(assertion(&mut g, material.shape.depth));
    }
    g.satisfiable(&assertions)
}

/// A true formula.
pub(super) fn assertion(g: &mut Grower<'_>, most: usize) -> Option<Term> {
    let depth = 1 + g.dice.index(most.max(1));
    match g.dice.index(6) {
        0 | 1 => g.fact(depth),
        2 => {
            // Of one side and its value.
            let sort = *g.dice.pick(&[Sort::STRING, Sort::INT]);
            let t = g.any(sort, depth);
            let value = g.value_of(t)?;
            let other = g.worth(&value, depth / 2);
            equation(g, t, other)
        }
        3 => {
            let value = g.value(Sort::STRING);
            let args = [g.worth(&value, depth), g.worth(&value, depth)];
            equation(g, args[0], args[1])
        }
        4 if !g.constants.is_empty() => {
            let at = g.dice.index(g.constants.len());
            let (t, value) = g.constants[at].clone();
            let other = g.worth(&value, depth);
            equation(g, t, other)
        }
        _ => {
            let value = Value::Int(g.int());
            let args = [g.worth(&value, depth), g.worth(&value, depth)];
            let op = *g.dice.pick(&[Op::Eq, Op::Le, Op::Ge, Op::Lt]);
            let t = g.op(op, &args);
            g.made_true(t)
        }
    }
}

fn equation(g: &mut Grower<'_>, a: Term, b: Term) -> Option<Term> {
    let t = g.op(Op::Eq, &[a, b]);
    g.made_true(t)
}
