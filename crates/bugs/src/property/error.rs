//! An error in place of an answer, with the same message.

use super::crash::is_crash;
use super::fails::Failure;
use super::run::{Run, Runner};
use crate::doc::Doc;
use crate::truth::Label;
use campaign::finding::Observed;
use campaign::outcome::{Kind, Severity};

/// An error that is no crash.
pub(super) struct ErrorMessage {
    kind: Kind,
    message: Option<String>,
}

impl ErrorMessage {
    /// The error in the reaction to the original.
    pub(super) fn of(observed: &Observed) -> ErrorMessage {
        ErrorMessage { kind: observed.kind, message: observed.message.clone() }
    }
}

/// The run ended with an error that is no crash.
pub(super) fn is_error(kind: Kind) -> bool {
    kind.severity() == Severity::Error && !is_crash(kind) && kind != Kind::NotStarted
}

impl Failure for ErrorMessage {
    fn describe(&self) -> String {
        let line = self.message.as_deref().and_then(|m| m.lines().next());
        format!("reports an error: {}", line.unwrap_or(self.kind.code()))
    }

    fn needs_truth(&self) -> bool {
        false
    }

    fn found(&self, _: &Runner, run: &Run, _: &Doc, _: &Label) -> Option<Observed> {
        run.find(|f| f.kind == self.kind).filter(|o| o.message == self.message)
    }
}
