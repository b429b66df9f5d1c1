//! A term replaced by one of its arguments, or by a term deeper inside, of the same sort.
//!
//! `(= (str.++ x y) z)` becomes `(= x z)`. The effect follows from the operators on the way down: a conjunct for a conjunction is weaker,
//! one alternative of a regular expression under `not` is weaker as well ([`order`](super::order)).

use super::Pass;
use super::edit::{Change, Edit, New, largest};
use super::survey::{Occurrence, Survey, Tree};
use crate::doc::Doc;
use rustc_hash::FxHashSet;
use smt::Pool;

/// Arguments.
pub(super) struct Arguments;

impl Pass for Arguments {
    fn name(&self) -> &'static str {
        "arguments"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        replacements(doc, |tree, at| tree.arguments(at).collect())
    }
}

/// Terms deeper inside.
pub(super) struct Descendants;

/// Terms looked at below an occurrence.
const NEAR: usize = 64;

impl Pass for Descendants {
    fn name(&self) -> &'static str {
        "descendants"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        replacements(doc, |tree, at| {
            let below = at + 1..tree.all[at as usize].end;
            below.take(NEAR).filter(|&n| tree.all[n as usize].parent != at).collect()
        })
    }
}

/// The replacements of occurrences by those that `below` lists.
fn replacements(doc: &Doc, below: impl Fn(&Tree, u32) -> Vec<u32>) -> Vec<Edit> {
    let survey = Survey::new(doc);
    let of_tree = |tree: Tree| {
        let of_site = |(at, o): (u32, Occurrence)| {
            let mut seen = FxHashSet::from_iter([o.term]);
            let mut all = below(&tree, at);
            all.retain(|&n| seen.insert(tree.all[n as usize].term));
            all.into_iter().filter_map(|n| replacement(&doc.pool, &tree, at, n)).collect::<Vec<_>>()
        };
        largest(tree.sites().flat_map(of_site))
    };
    largest(survey.trees().flat_map(of_tree))
}

fn replacement(pool: &Pool, tree: &Tree, at: u32, below: u32) -> Option<Edit> {
    let (old, new) = (&tree.all[at as usize], &tree.all[below as usize]);
    let fits =
        pool.sort_of(old.term) == pool.sort_of(new.term) && !new.binding && tree.is_in_scope(pool, at, below);
    fits.then(|| Edit {
        effect: old.polarity.effect(tree.order(pool, at, below)),
        gain: tree.nodes(at) - tree.nodes(below),
        change: Change::At(tree.site(at), New::Below(below)),
    })
}
