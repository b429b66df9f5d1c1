//! Fewer constants of the script.
//!
//! `x` becomes `y` of the same sort wherever it occurs, or a constant such as `""`. The script becomes stronger: a model of the new one is one of
//! the old with the same value for `x`.

use super::Pass;
use super::constants::simple;
use super::edit::{Edit, New, largest};
use super::facts;
use crate::doc::{Doc, Effect};
use rustc_hash::FxHashMap;
use smt::{Sort, Term};

/// Constants of a sort for constants of the script.
pub(super) struct Values;

impl Pass for Values {
    fn name(&self) -> &'static str {
        "values"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let effect = facts::global(doc, Effect::Stronger);
        let of = |x: Term| simple(doc.pool.sort_of(x)).into_iter().map(move |new| (x, new));
        largest(occurring(doc).into_iter().flat_map(of).map(|(x, new)| Edit::everywhere(effect, 1, x, new)))
    }
}

/// One constant of the script for another.
pub(super) struct Merge;

/// Constants that one is merged with.
const PARTNERS: usize = 8;

impl Pass for Merge {
    fn name(&self) -> &'static str {
        "merge"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let effect = facts::global(doc, Effect::Stronger);
        let mut by_sort: FxHashMap<Sort, Vec<Term>> = FxHashMap::default();
        let mut pairs = Vec::new();
        for x in occurring(doc) {
            let others = by_sort.entry(doc.pool.sort_of(x)).or_default();
            pairs.extend(others.iter().take(PARTNERS).flat_map(|&y| [(x, y), (y, x)]));
            others.push(x);
        }
        largest(pairs.into_iter().map(|(x, y)| Edit::everywhere(effect, 1, x, New::Term(y))))
    }
}

/// The declared constants that occur, in order.
fn occurring(doc: &Doc) -> Vec<Term> {
    let terms = facts::constant_terms(doc);
    facts::constants(doc).iter().filter_map(|f| terms.get(f).copied()).collect()
}
