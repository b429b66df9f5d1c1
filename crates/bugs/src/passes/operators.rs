//! Simpler operators on the same arguments.
//!
//! `(str.replace_all x y z)` becomes `(str.replace x y z)`, `(str.prefixof x y)` becomes `(= x y)`, `(str.substr x i j)` becomes `(str.at x i)`.

use super::Pass;
use super::edit::{Change, Edit, New, largest};
use super::order::Order;
use super::survey::{Occurrence, Survey};
use crate::doc::Doc;
use smt::{Head, Op, Pool, Term};

/// Exchanges operators.
pub(super) struct Operators;

/// An operator, a simpler one for it, and the order between them on the same arguments.
const TABLE: &[(Op, Op, Order)] = &[
    (Op::StrReplaceAll, Op::StrReplace, Order::Unknown),
    (Op::StrReplaceReAll, Op::StrReplaceRe, Order::Unknown),
    (Op::StrPrefixof, Op::Eq, Order::Below),
    (Op::StrSuffixof, Op::Eq, Order::Below),
    (Op::StrContains, Op::Eq, Order::Below),
    (Op::StrContains, Op::StrPrefixof, Order::Unknown),
    (Op::StrLe, Op::StrLt, Order::Below),
    (Op::StrLe, Op::Eq, Order::Below),
    (Op::StrLt, Op::Eq, Order::Unknown),
    (Op::Le, Op::Lt, Order::Below),
    (Op::Le, Op::Eq, Order::Below),
    (Op::Lt, Op::Eq, Order::Unknown),
    (Op::Ge, Op::Gt, Order::Below),
    (Op::Ge, Op::Eq, Order::Below),
    (Op::Gt, Op::Eq, Order::Unknown),
    (Op::Distinct, Op::Eq, Order::Unknown),
    (Op::Xor, Op::Eq, Order::Unknown),
    (Op::Xor, Op::Or, Order::Unknown),
    (Op::Implies, Op::Eq, Order::Unknown),
    (Op::StrFromCode, Op::StrFromInt, Order::Unknown),
    (Op::StrToCode, Op::StrToInt, Order::Unknown),
    (Op::StrToCode, Op::StrLen, Order::Unknown),
    (Op::StrToInt, Op::StrLen, Order::Unknown),
    (Op::StrLastIndexof, Op::StrIndexof, Order::Unknown),
    (Op::StrToLower, Op::StrRev, Order::Unknown),
    (Op::StrToUpper, Op::StrRev, Order::Unknown),
    (Op::StrSubstr, Op::StrAt, Order::Unknown),
    (Op::Abs, Op::Neg, Order::Unknown),
    (Op::Mod, Op::Add, Order::Unknown),
    (Op::IntDiv, Op::Add, Order::Unknown),
    (Op::ReUnion, Op::ReConcat, Order::Unknown),
    (Op::ReInter, Op::ReConcat, Order::Unknown),
    (Op::ReDiff, Op::ReConcat, Order::Unknown),
];

impl Pass for Operators {
    fn name(&self) -> &'static str {
        "operators"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let survey = Survey::new(doc);
        largest(survey.trees().flat_map(|tree| {
            let of_site = |(at, o): (u32, Occurrence)| {
                let edit = |(new, order): (New, Order)| {
                    let change = Change::At(tree.site(at), new);
                    Edit { effect: o.polarity.effect(order), gain: 1, change }
                };
                simpler(&doc.pool, o.term).into_iter().map(edit).collect::<Vec<_>>()
            };
            largest(tree.sites().flat_map(of_site))
        }))
    }
}

/// The term with simpler operators.
fn simpler(pool: &Pool, t: Term) -> Vec<(New, Order)> {
    let Head::Op(op) = pool.head(t) else { return Vec::new() };
    let args = pool.args(t).len();
    // Those of sequences are simpler in the same way.
    let (own, sequence) = (op.on_strings().filter(|_| op.is_sequence()).unwrap_or(op), op.is_sequence());
    let rows = TABLE.iter().filter(|row| row.0 == own);
    rows.map(|&(_, to, order)| {
        let to = to.on_sequences().filter(|_| sequence).unwrap_or(to);
        let taken = args.min(to.arity().1);
        (New::op(to, (0..taken).map(New::Arg).collect()), order)
    })
    .collect()
}
