//! Without annotations.
//!
//! `(assert (! p :named a))` becomes `(assert p)`, and patterns of quantifiers disappear. Names that are used stay. The models stay the same.

use super::Pass;
use super::edit::{Change, Edit, New, largest};
use super::survey::Survey;
use crate::doc::{Doc, Effect};
use smt::Head;

/// Drops annotations.
pub(super) struct Annotations;

impl Pass for Annotations {
    fn name(&self) -> &'static str {
        "annotations"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let survey = Survey::new(doc);
        largest(survey.trees().flat_map(|tree| {
            let free = tree.sites().filter(|(_, o)| {
                matches!(doc.pool.head(o.term), Head::Annot(_)) && !survey.uses_name_of(o.term)
            });
            let drop = |(at, _)| Edit {
                effect: Effect::Equivalent,
                gain: 1,
                change: Change::At(tree.site(at), New::Arg(0)),
            };
            free.map(drop).collect::<Vec<_>>()
        }))
    }
}
