//! Without quantifiers.
//!
//! `(forall ((x Int) (y Int)) p)` becomes `(forall ((y Int)) p)` with 0 for `x`, which is weaker where it is asserted; `exists` becomes stronger. A variable that does not
//! occur is dropped. An `exists` that is asserted becomes its body, with new constants for the variables: the answer stays the same.

use super::Pass;
use super::constants::simple;
use super::edit::{Change, Edit, New, largest};
use super::order::{Order, Polarity};
use super::survey::{Occurrence, Survey, Tree};
use crate::doc::{Doc, Effect};
use smt::{Head, Pool, Term};

/// Drops quantifiers and bound variables.
pub(super) struct Quantifiers;

impl Pass for Quantifiers {
    fn name(&self) -> &'static str {
        "quantifiers"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let survey = Survey::new(doc);
        largest(survey.trees().flat_map(|tree| {
            let of_site = |(at, o): (u32, Occurrence)| match doc.pool.head(o.term) {
                Head::Forall | Head::Exists => of_quantifier(&doc.pool, &tree, at),
                _ => Vec::new(),
            };
            largest(tree.sites().flat_map(of_site))
        }))
    }
}

fn of_quantifier(pool: &Pool, tree: &Tree, at: u32) -> Vec<Edit> {
    let o = tree.all[at as usize];
    let vars = pool.bound_vars(o.term);
    let edit = |effect, values: Vec<Option<New>>| {
        let gain = values.iter().flatten().count() as u32;
        Edit { effect, gain, change: Change::At(tree.site(at), New::Instance(values)) }
    };
    let unused: Vec<bool> = vars.iter().map(|&v| !occurs(pool, o.term, v)).collect();
    let order = |of: &[bool]| if of.iter().all(|&b| b) { Order::Equal } else { order(pool, o.term) };
    let all = (0..3).filter_map(|n| {
        let values = vars.iter().map(|&v| Some(Some(simple(pool.sort_of(v)).get(n)?.clone())));
        Some(edit(o.polarity.effect(order(&unused)), values.collect::<Option<Vec<_>>>()?))
    });
    let mut out: Vec<Edit> = all.collect();
    if is_witnessed(pool, tree, at) {
        let fresh = vars.iter().map(|&v| Some(New::Fresh(pool.sort_of(v)))).collect();
        out.push(edit(Effect::Equivalent, fresh));
    }
    for (i, &v) in vars.iter().enumerate().filter(|_| vars.len() > 1) {
        let only = |new: New| (0..vars.len()).map(|k| (k == i).then(|| new.clone())).collect();
        let effect = o.polarity.effect(order(&unused[i..=i]));
        out.extend(simple(pool.sort_of(v)).into_iter().map(|new| edit(effect, only(new))));
    }
    out
}

/// An instance compared with the quantified formula.
fn order(pool: &Pool, t: Term) -> Order {
    match pool.head(t) {
        Head::Forall => Order::Above,
        Head::Exists => Order::Below,
        _ => Order::Unknown,
    }
}

/// The formula says that there are values, and they depend on nothing.
fn is_witnessed(pool: &Pool, tree: &Tree, at: u32) -> bool {
    let o = tree.all[at as usize];
    let claims = match pool.head(o.term) {
        Head::Exists => o.polarity == Polarity::Positive,
        Head::Forall => o.polarity == Polarity::Negative,
        _ => false,
    };
    claims && tree.is_outermost(at)
}

/// The variable occurs in the body.
fn occurs(pool: &Pool, t: Term, v: Term) -> bool {
    pool.args(t).last().is_some_and(|&body| pool.subterms([body]).any(|u| u == v))
}
