//! Without arguments of an operator that takes any number of them.
//!
//! `(and p q r)` becomes `(and p r)`, and `(str.++ x "a")` becomes `x`. All arguments of an operator may go: then the neutral element is
//! left, `true` or `""`. Fewer conjuncts are weaker, fewer alternatives stronger; chains such as `(<= a b c)` are transitive, so that
//! those with fewer members are weaker.

use super::Pass;
use super::edit::{Change, Edit, largest};
use super::order::Order;
use super::survey::{Survey, Tree};
use crate::doc::Doc;
use smt::op::Shape;
use smt::{Head, Op, Pool, Rat, Sort, Term};

/// Drops arguments.
pub(super) struct Arity;

impl Pass for Arity {
    fn name(&self) -> &'static str {
        "arity"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let survey = Survey::new(doc);
        largest(survey.trees().flat_map(|tree| removals(&doc.pool, &tree)))
    }
}

fn removals(pool: &Pool, tree: &Tree) -> Vec<Edit> {
    let removal = |(at, _): (u32, _)| {
        let o = tree.all[at as usize];
        let parent = tree.all[o.parent as usize];
        let order = if at == 0 { None } else { order(pool, parent.term, o.argument as usize) };
        order.map(|order| Edit {
            effect: parent.polarity.effect(order),
            gain: tree.nodes(at),
            change: Change::Without(tree.site(at)),
        })
    };
    tree.sites().filter_map(removal).collect()
}

/// The term without an argument, compared with `t`; none if `t` needs all its arguments.
fn order(pool: &Pool, t: Term, argument: usize) -> Option<Order> {
    let Head::Op(op) = pool.head(t) else { return None };
    Some(match (op, op.row().shape) {
        (_, Shape::Fixed) => return None,
        (Op::And | Op::ReInter, _) | (_, Shape::Chainable | Shape::Pairwise) => Order::Above,
        (Op::Or | Op::ReUnion, _) => Order::Below,
        (Op::Implies, _) if argument + 1 < pool.args(t).len() => Order::Below,
        (_, Shape::LeftAssoc | Shape::RightAssoc) => Order::Unknown,
    })
}

/// `t` with only some of its arguments.
pub(super) fn with_fewer(pool: &mut Pool, t: Term, left: &[Term]) -> Option<Term> {
    let Head::Op(op) = pool.head(t) else { return None };
    let truth = matches!(op.row().shape, Shape::Chainable | Shape::Pairwise);
    match left {
        [] => neutral(pool, op, pool.sort_of(t)),
        [_] if truth => Some(pool.bool(true)),
        [one] => Some(*one),
        _ => Some(pool.mk(Head::Op(op), pool.sort_of(t), left)),
    }
}

/// The operator applied to nothing.
fn neutral(pool: &mut Pool, op: Op, sort: Sort) -> Option<Term> {
    let number = |pool: &mut Pool, n: i64| match sort {
        Sort::REAL => pool.real(Rat::from(smt::Int::from(n))),
        _ => pool.int(n),
    };
    Some(match op {
        Op::Or | Op::Xor => pool.bool(false),
        Op::ReUnion => return pool.op(Op::ReNone, &[]).ok(),
        Op::ReInter | Op::ReDiff => return pool.op(Op::ReAll, &[]).ok(),
        Op::ReConcat => {
            let empty = pool.string(&[]);
            return pool.op(Op::StrToRe, &[empty]).ok();
        }
        Op::StrConcat => pool.string(&[]),
        Op::SeqConcat => pool.empty_sequence(sort),
        Op::Add | Op::Sub => number(pool, 0),
        Op::Mul | Op::IntDiv | Op::RealDiv => number(pool, 1),
        _ => pool.bool(true),
    })
}
