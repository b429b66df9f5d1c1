//! Literals behind the other arguments of commutative operators.
//!
//! `(distinct "" y x)` becomes `(distinct y x "")`. That is no shorter, but it is how people write it, and a solver may take another path, on which an
//! assertion is not needed any more.

use super::Pass;
use super::edit::{Change, Edit, New, largest};
use super::order::{Order, Polarity};
use super::survey::Survey;
use crate::doc::{COMMUTATIVE, Doc};
use smt::{Head, Op, Pool, Term};

/// Moves literals.
pub(super) struct Last;

impl Pass for Last {
    fn name(&self) -> &'static str {
        "last"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let effect = Polarity::Mixed.effect(Order::Equal);
        largest(Survey::new(doc).trees().flat_map(|tree| {
            let sites = tree.sites().filter_map(|(at, o)| {
                Some(Edit { effect, gain: 1, change: Change::At(tree.site(at), ordered(&doc.pool, o.term)?) })
            });
            sites.collect::<Vec<_>>()
        }))
    }
}

/// The term with its literals last; none if they are.
fn ordered(pool: &Pool, t: Term) -> Option<New> {
    let Head::Op(op) = pool.head(t) else { return None };
    let args = pool.args(t);
    if !is_commutative(op) || args.is_sorted_by_key(|&a| is_literal(pool, a)) {
        return None;
    }
    let (last, first): (Vec<usize>, Vec<usize>) = (0..args.len()).partition(|&i| is_literal(pool, args[i]));
    Some(New::op(op, first.into_iter().chain(last).map(New::Arg).collect()))
}

fn is_commutative(op: Op) -> bool {
    COMMUTATIVE.contains(&op)
}

fn is_literal(pool: &Pool, t: Term) -> bool {
    matches!(pool.head(t), Head::Str(_) | Head::Int(_))
}
