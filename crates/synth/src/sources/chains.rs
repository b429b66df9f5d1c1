//! Chains: an operator inside an operator inside an operator, each as probable as any other, with leaves beside them.
//!
//! Random terms are bushy: most of their operators are near the leaves, and a given chain of three at given arguments is rare among them. Here a
//! term is a path of three or four operators; the other arguments are constants and literals. Operators of strings are preferred to those that
//! all theories share.

use super::grow::Grower;
use super::{Made, Material, Source};
use crate::dice::Dice;
use semantics::Value;
use smt::op::{Origin, S};
use smt::{Op, Sort, Term};

pub(super) static CHAINS: Source = Source {
    name: "chains",
    about: "operators inside operators inside operators, with constants and literals beside them",
    truth: "sat, by the model drawn first",
    needs_corpus: false,
    make,
};

/// Attempts to get a value that says more than the empty word or a negative number, which are the results at the border of many operators.
const ATTEMPTS: usize = 3;

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    let mut g = Grower::with_constants(dice, &material.shape);
    let count = 1 + g.dice.index(material.shape.assertions.clamp(1, 4));
    let assertions: Vec<Term> = (0..count).filter_map(|_| assertion(&mut g)).collect();
    g.satisfiable(&assertions)
}

/// A true formula about a chain.
fn assertion(g: &mut Grower<'_>) -> Option<Term> {
    let length = 2 + g.dice.index(2);
    if g.dice.one_in(3) {
        let t = chain(g, Sort::BOOL, length + 1);
        return g.made_true(t);
    }
    let sort = *g.dice.pick(&[Sort::STRING, Sort::INT]);
    let mut best = None;
    for _ in 0..ATTEMPTS {
        let t = chain(g, sort, length + 1);
        let Some(value) = g.value_of(t) else { continue };
        let plain = match &value {
            Value::Str(w) => w.is_empty(),
            Value::Int(n) => n.is_negative(),
            _ => true,
        };
        best = Some((t, value));
        if !plain {
            break;
        }
    }
    let (t, value) = best?;
    let other = if g.dice.one_in(3) { g.worth(&value, 1) } else { g.spell(&value) };
    let op = match sort {
        Sort::INT => *g.dice.pick(&[Op::Eq, Op::Eq, Op::Le, Op::Ge]),
        _ => *g.dice.pick(&[Op::Eq, Op::Eq, Op::Eq, Op::StrPrefixof, Op::StrLe]),
    };
    let t = g.op(op, &[t, other]);
    g.made_true(t)
}

/// A term with a path of this many operators.
fn chain(g: &mut Grower<'_>, sort: Sort, length: usize) -> Term {
    match (length, sort) {
        (0, _) => g.leaf(sort),
        (_, Sort::REGLAN) => g.any(sort, length.min(2)),
        _ => link(g, sort, length),
    }
}

fn link(g: &mut Grower<'_>, sort: Sort, length: usize) -> Term {
    let op = g.operator_by(sort, weight);
    let params = op.row().params;
    if matches!(op, Op::Mul | Op::IntDiv | Op::Mod) {
        let by = *g.dice.pick(&[2, 3, -1, 10]);
        let args = [chain(g, Sort::INT, length - 1), g.num(by)];
        return g.op(op, &args);
    }
    let any = if op == Op::Ite { sort } else { *g.dice.pick(&[Sort::STRING, Sort::STRING, Sort::INT]) };
    let sorts: Vec<Sort> = params.iter().map(|&s| sort_of(s, any)).collect();
    let place = g.dice.index(sorts.len().max(1));
    let args: Vec<Term> = (0..sorts.len())
        .map(|at| chain(g, sorts[at], if at == place { length - 1 } else { 0 }))
        .collect();
    g.op(op, &args)
}

fn sort_of(s: S, any: Sort) -> Sort {
    match s {
        S::Bool => Sort::BOOL,
        S::Int | S::Num | S::Real => Sort::INT,
        S::Str => Sort::STRING,
        S::Re => Sort::REGLAN,
        S::Any => any,
    }
}

/// Indexed operators and those without arguments are not links.
fn weight(op: Op) -> u32 {
    match op {
        Op::Divisible | Op::RePower | Op::ReLoop => 0,
        op if op.row().params.is_empty() => 0,
        op if op.row().origin == Origin::Strings => 4,
        _ => 1,
    }
}
