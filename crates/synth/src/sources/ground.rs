//! Terms without constants, compared with their values: every answer is a matter of evaluation.
//!
//! One instance states one to three equations, disequations or Boolean terms. All are true, or the first is false: then the instance is
//! unsatisfiable, since a closed term has one value. The hunt also asks z3 to `simplify` these terms.

use super::grow::Grower;
use super::{Made, Material, Source};
use crate::dice::Dice;
use semantics::Satisfaction;
use semantics::instance::Truth;
use smt::{Op, Sort, Term};

pub(super) static GROUND: Source = Source {
    name: "ground",
    about: "terms without constants, compared with their values",
    truth: "sat or unsat, by evaluation",
    needs_corpus: false,
    make,
};

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    let mut g = Grower::new(dice, &material.shape);
    let (count, refuted) = (1 + g.dice.index(3), g.dice.one_in(2));
    let mut assertions = Vec::new();
    for _ in 0..count {
        let t = statement(&mut g, material.shape.depth);
        assertions.extend(t.and_then(|t| g.made_true(t)));
    }
    if !refuted {
        return g.satisfiable(&assertions);
    }
    let first = assertions.first_mut()?;
    *first = g.not(*first);
    let holds = g.truth(*first);
    (holds == Satisfaction::Fails).then(|| Made::new(g.pool, &assertions, Truth::Unsat(vec![0])))
}

/// A statement about a closed term.
fn statement(g: &mut Grower<'_>, most: usize) -> Option<Term> {
    let depth = 1 + g.dice.index(most.max(1));
    let sort = *g.dice.pick(&[Sort::STRING, Sort::STRING, Sort::INT, Sort::INT, Sort::BOOL]);
    let t = g.any(sort, depth);
    let value = g.value_of(t)?;
    if sort == Sort::BOOL {
        return Some(t);
    }
    let other = match g.dice.index(6) {
        0 => g.value(sort),
        _ => value,
    };
    let side = g.dice.index(3);
    let other = if side == 0 { g.worth(&other, depth / 2) } else { g.spell(&other) };
    let op = match g.dice.index(8) {
        0 => Op::Distinct,
        1 if sort == Sort::INT => Op::Le,
        1 => Op::StrLe,
        _ => Op::Eq,
    };
    Some(g.op(op, &[t, other]))
}
