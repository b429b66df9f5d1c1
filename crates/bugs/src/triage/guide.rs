//! Reductions that stop at the shape of a failure that is known.
//!
//! The last rounds of a reduction, in which nothing gets smaller, are most of its cost. Once the script has the shape of another failure of the same
//! solver and kind that was reduced completely, the group is decided.

use crate::doc::Doc;
use crate::fingerprint;
use crate::property::{Attempt, Property, Stop, Test};
use crate::truth::{Keeper, Label};
use campaign::finding::Observed;
use campaign::process::Cancel;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// A property with shapes at which a reduction stops.
pub(super) struct Guide<'a> {
    pub(super) property: &'a dyn Property,
    pub(super) keeper: &'a Keeper,
    pub(super) shapes: &'a BTreeSet<String>,
    pub(super) found: Mutex<Option<Arrived>>,
}

/// A script with a known shape.
#[derive(Clone, Debug)]
pub(super) struct Arrived {
    pub(super) doc: Doc,
    pub(super) label: Label,
    pub(super) observed: Observed,
}

impl Guide<'_> {
    fn arrive(&self, doc: &Doc, label: &Label, observed: &Observed, cancel: &Cancel) -> bool {
        if !self.shapes.contains(&fingerprint::shape(doc)) {
            return false;
        }
        let sure = if self.property.needs_truth() {
            self.keeper.confirm(label.clone(), doc, cancel)
        } else {
            Some(label.clone())
        };
        let Some(label) = sure else { return false };
        let arrived = Arrived { doc: doc.clone(), label, observed: observed.clone() };
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) = Some(arrived);
        true
    }

    pub(super) fn into_found(self) -> Option<Arrived> {
        self.found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Property for Guide<'_> {
    fn describe(&self) -> String {
        self.property.describe()
    }

    fn needs_truth(&self) -> bool {
        self.property.needs_truth()
    }

    fn sent(&self, doc: &Doc, label: &Label, seed: u64) -> Option<String> {
        self.property.sent(doc, label, seed)
    }

    fn seed(&self) -> u64 {
        self.property.seed()
    }

    fn is_seeded(&self) -> bool {
        self.property.is_seeded()
    }

    fn test(&self, doc: &Doc, label: &Label, attempt: Attempt, cancel: &Cancel) -> Test {
        match self.property.test(doc, label, attempt, cancel) {
            Test::Holds(observed) if self.arrive(doc, label, &observed, cancel) => {
                Test::Stopped(Stop::Cancelled)
            }
            test => test,
        }
    }
}
