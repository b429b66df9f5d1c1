//! A term replaced by a constant of its sort.
//!
//! `(= (str.replace x y z) w)` becomes `(= "" w)`. `true` for a conjunct is weaker, `false` is stronger, and so are the largest and the
//! smallest language ([`order`](super::order)).

use super::Pass;
use super::build::is_constant;
use super::edit::{Change, Edit, New, largest};
use super::order::Order;
use super::survey::{Survey, Tree};
use crate::doc::Doc;
use smt::{Int, Op, Pool, Sort, Term};

/// Constants for terms.
pub(super) struct Constants;

impl Pass for Constants {
    fn name(&self) -> &'static str {
        "constants"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let mut out = Vec::new();
        for tree in Survey::new(doc).trees() {
            for (at, o) in tree.sites() {
                if !is_constant(&doc.pool, o.term) && !doc.pool.args(o.term).is_empty() {
                    out.extend(replacements(&doc.pool, &tree, at));
                }
            }
        }
        largest(out)
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
pub(super) fn constants(pool: &Pool, t: Term) -> Vec<(New, Order)> {
    let of = |op: Op| (New::constant(op), Order::of_constant(op));
    let int = |n: i64| (New::Int(Int::from(n)), Order::of_int(pool, t, &Int::from(n)));
    match pool.sort_of(t) {
        Sort::BOOL => vec![of(Op::True), of(Op::False)],
        Sort::INT | Sort::REAL => vec![int(0), int(1), int(-1)],
        Sort::STRING => vec![(New::Str(vec![]), Order::Unknown), (New::Str(vec![0x61]), Order::Unknown)],
        Sort::REGLAN => {
            let empty = (New::word(vec![]), Order::Unknown);
            vec![of(Op::ReNone), of(Op::ReAll), of(Op::ReAllchar), empty]
        }
        _ => Vec::new(),
    }
}
