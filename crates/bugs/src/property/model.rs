//! A model that falsifies an assertion. The referee judges it, so the answer of the script need not be known.

use super::fails::Failure;
use super::run::{Run, Runner};
use crate::doc::Doc;
use crate::truth::Label;
use campaign::finding::Observed;
use campaign::judge::{Judged, Scope};
use campaign::outcome::Kind;

/// A model that the referee rejects.
pub(super) struct InvalidModel {
    /// Whether the model of the original is invalid under the other reading of the standard too; none if readings do not differ.
    pub(super) scope: Option<Scope>,
}

impl InvalidModel {
    fn is_same(&self, found: &Judged) -> bool {
        found.kind == Kind::InvalidModel && rank(Scope::of(&found.evidence)) <= rank(self.scope)
    }
}

impl Failure for InvalidModel {
    fn describe(&self) -> String {
        "prints a model that falsifies the formula".into()
    }

    fn needs_truth(&self) -> bool {
        false
    }

    fn found(&self, _: &Runner, run: &Run, _: &Doc, _: &Label) -> Option<Observed> {
        run.find(|f| self.is_same(f))
    }
}

/// How much depends on the reading: a failure never gets more doubtful while a script shrinks.
pub(super) fn rank(scope: Option<Scope>) -> u8 {
    match scope {
        None | Some(Scope::Both) => 0,
        Some(Scope::Open) => 1,
        Some(Scope::One) => 2,
    }
}
