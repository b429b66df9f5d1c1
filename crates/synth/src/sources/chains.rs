//! Chains: an operator inside an operator inside an operator, each as probable as any other, with leaves beside them.
//!
//! Random terms are bushy: most of their operators are near the leaves, and a given chain of three at given arguments is rare among them. Here a
//! term is a path of three or four operators, which is drawn first; the other arguments are constants and literals. Operators of strings are preferred to those that
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

/// Attempts to draw leaves that give a chain a value that says more than the empty word or a negative number, the results at the borders of many operators.
const ATTEMPTS: usize = 3;

/// An operator, the sorts of its arguments, and the place of the argument that goes on.
struct Link {
    op: Op,
    sorts: Vec<Sort>,
    place: usize,
}

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    let mut g = Grower::with_constants(dice, &material.shape);
    let most = material.shape.assertions.max(1);
    let count = (most / 2).max(1) + g.dice.index(most);
    let assertions: Vec<Term> = (0..count).filter_map(|_| assertion(&mut g)).collect();
    g.satisfiable(&assertions)
}

/// A true formula about a chain.
fn assertion(g: &mut Grower<'_>) -> Option<Term> {
    let sort = *g.dice.pick(&[Sort::STRING, Sort::STRING, Sort::INT, Sort::INT, Sort::BOOL]);
    let length = 3 + g.dice.index(2);
    let path = path(g, sort, length);
    let (mut t, mut value) = (built(g, &path, sort), None);
    for _ in 0..ATTEMPTS {
        value = g.value_of(t);
        let plain = match &value {
            Some(Value::Str(w)) => w.is_empty(),
            Some(Value::Int(n)) => n.is_negative(),
            Some(_) => false,
            None => true,
        };
        if !plain {
            break;
        }
        t = built(g, &path, sort);
        value = g.value_of(t);
    }
    if sort == Sort::BOOL {
        return g.made_true(t);
    }
    let value = value?;
    let other = if g.dice.one_in(3) { g.worth(&value, 1) } else { g.spell(&value) };
    let op = match sort {
        Sort::INT => *g.dice.pick(&[Op::Eq, Op::Eq, Op::Le, Op::Ge]),
        _ => *g.dice.pick(&[Op::Eq, Op::Eq, Op::Eq, Op::StrPrefixof, Op::StrLe]),
    };
    let t = g.op(op, &[t, other]);
    g.made_true(t)
}

/// Operators inside one another, the outermost first. A path ends at a language.
fn path(g: &mut Grower<'_>, mut sort: Sort, length: usize) -> Vec<Link> {
    let mut links = Vec::new();
    while links.len() < length && sort != Sort::REGLAN {
        let op = g.operator_by(sort, weight);
        let any = if op == Op::Ite { sort } else { *g.dice.pick(&[Sort::STRING, Sort::STRING, Sort::INT]) };
        let sorts: Vec<Sort> = op.row().params.iter().map(|&s| sort_of(s, any)).collect();
        // Products and divisions are by a number.
        let place = if is_by_number(op) { 0 } else { g.dice.index(sorts.len()) };
        sort = sorts[place];
        links.push(Link { op, sorts, place });
    }
    links
}

/// The term of a path, with new leaves.
fn built(g: &mut Grower<'_>, path: &[Link], sort: Sort) -> Term {
    let Some((link, rest)) = path.split_first() else {
        return if sort == Sort::REGLAN { g.any(sort, 2) } else { g.leaf(sort) };
    };
    let mut args = Vec::new();
    for (at, &sort) in link.sorts.iter().enumerate() {
        args.push(match at {
            at if at == link.place => built(g, rest, sort),
            _ if is_by_number(link.op) => {
                let by = *g.dice.pick(&[2, 3, -1, 10]);
                g.num(by)
            }
            _ => built(g, &[], sort),
        });
    }
    g.op(link.op, &args)
}

fn is_by_number(op: Op) -> bool {
    matches!(op, Op::Mul | Op::IntDiv | Op::Mod)
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
