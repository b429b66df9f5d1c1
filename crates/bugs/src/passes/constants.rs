//! A term replaced by a constant of its sort.
//!
//! `(= (str.replace x y z) w)` becomes `(= "" w)`. `true` for a conjunct is weaker, `false` is stronger, and so are the largest and the
//! smallest language ([`order`](super::order)).

use super::Pass;
use super::build::is_constant;
use super::edit::{Change, Edit, New, largest};
use super::order::Order;
use super::survey::{Occurrence, Survey, Tree};
use crate::doc::Doc;
use smt::{Int, Op, Pool, Sort, Term};

/// Constants for terms.
pub(super) struct Constants;

impl Pass for Constants {
    fn name(&self) -> &'static str {
        "constants"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let survey = Survey::new(doc);
        largest(survey.trees().flat_map(|tree| {
            let open = |(_, o): &(u32, Occurrence)| {
                !is_constant(&doc.pool, o.term) && !doc.pool.args(o.term).is_empty()
            };
            largest(tree.sites().filter(open).flat_map(|(at, _)| replacements(&doc.pool, &tree, at)))
        }))
    }
}

fn replacements(pool: &Pool, tree: &Tree, at: u32) -> impl Iterator<Item = Edit> {
    let (o, site, nodes) = (tree.all[at as usize], tree.site(at), tree.nodes(at));
    constants(pool, o.term).into_iter().map(move |(new, order)| Edit {
        effect: o.polarity.effect(order),
        gain: nodes - 1,
        change: Change::At(site, new),
    })
}

/// The constants of the sort of a term, compared with it, the simplest first.
fn constants(pool: &Pool, t: Term) -> Vec<(New, Order)> {
    let order = |new: &New| match new {
        New::App(op, ..) => Order::of_constant(*op),
        New::Int(n) => Order::of_int(pool, t, n),
        _ => Order::Unknown,
    };
    let sort = pool.sort_of(t);
    let simple = if pool.element_of(sort).is_some() { vec![New::Empty] } else { simple(sort) };
    simple.into_iter().map(|new| (new.clone(), order(&new))).collect()
}

/// The constants of a sort.
pub(super) fn simple(sort: Sort) -> Vec<New> {
    match sort {
        Sort::BOOL => vec![New::constant(Op::True), New::constant(Op::False)],
        Sort::INT | Sort::REAL => [0, 1, -1].map(|n: i64| New::Int(Int::from(n))).to_vec(),
        Sort::STRING => vec![New::Str(vec![]), New::Str(vec![0x61])],
        Sort::REGLAN => {
            let constants = [Op::ReNone, Op::ReAll, Op::ReAllchar].map(New::constant);
            constants.into_iter().chain([New::word(vec![])]).collect()
        }
        _ => Vec::new(),
    }
}
