//! Terms replaced by other terms of the script.
//!
//! In `(= (str.replace x "a" "b") (str.++ y z))`, `(str.++ y z)` becomes `x`. Only smaller terms without variables are tried, a few for each place.

use super::Pass;
use super::edit::{Change, Edit, New, largest};
use super::facts;
use super::survey::{Occurrence, Survey};
use crate::doc::{Doc, Effect};
use rustc_hash::FxHashMap;
use smt::{Head, Sort, Term};

/// Other terms of the script.
pub(super) struct Others;

/// Terms tried for each place.
const EACH: usize = 6;

/// Small terms kept of each sort.
const KEPT: usize = 24;

impl Pass for Others {
    fn name(&self) -> &'static str {
        "others"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let (survey, small) = (Survey::new(doc), small(doc));
        largest(survey.trees().flat_map(|tree| {
            let of_site = |(at, o): (u32, Occurrence)| {
                let nodes = tree.nodes(at);
                let known = small.get(&doc.pool.sort_of(o.term)).map_or(&[][..], |list| list);
                let fits = known.iter().filter(|(t, size)| *size < nodes && *t != o.term).take(EACH);
                let edit = |&(t, size): &(Term, u32)| {
                    let change = Change::At(tree.site(at), New::Term(t));
                    Edit { effect: Effect::Any, gain: nodes - size, change }
                };
                fits.map(edit).collect::<Vec<_>>()
            };
            largest(tree.sites().flat_map(of_site))
        }))
    }
}

/// The smallest closed terms of each sort other than literals, constants first.
fn small(doc: &Doc) -> FxHashMap<Sort, Vec<(Term, u32)>> {
    let pool = &doc.pool;
    let sizes = facts::tree_sizes(pool, doc.all_roots());
    let literal =
        |t: Term| matches!(pool.head(t), Head::Str(_) | Head::Int(_) | Head::Real(_) | Head::Annot(_));
    let closed = |t: &Term| !pool.has_var(*t) && !pool.has_opaque(*t) && !literal(*t);
    let mut out: FxHashMap<Sort, Vec<(Term, u32)>> = FxHashMap::default();
    for t in pool.subterms(doc.all_roots()).filter(closed) {
        out.entry(pool.sort_of(t)).or_default().push((t, sizes[&t]));
    }
    for list in out.values_mut() {
        list.sort_by_key(|(_, size)| *size);
        list.truncate(KEPT);
    }
    out
}
