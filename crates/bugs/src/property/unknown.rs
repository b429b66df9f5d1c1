//! The answer `unknown` to any check.

use super::fails::Failure;
use super::run::{Run, Runner};
use crate::doc::Doc;
use crate::truth::Label;
use campaign::finding::Observed;
use campaign::outcome::Kind;

/// `unknown`
pub(super) struct Unknown;

impl Failure for Unknown {
    fn describe(&self) -> String {
        "answers unknown".into()
    }

    fn needs_truth(&self) -> bool {
        false
    }

    /// A solver that knows the limit answers `unknown` there.
    fn is_timed(&self) -> bool {
        true
    }

    fn found(&self, _: &Runner, run: &Run, _: &Doc, _: &Label) -> Option<Observed> {
        run.find(|f| f.kind == Kind::Unknown)
    }
}
