//! A crash with the same signal or exit code, and the same message and stack, if it has any.

use super::fails::Failure;
use super::run::{Run, Runner};
use crate::doc::Doc;
use crate::truth::Label;
use campaign::finding::Observed;
use campaign::outcome::Kind;

/// A crash.
pub(super) struct Crash {
    kind: Kind,
    ending: String,
    message: Option<String>,
}

impl Crash {
    /// The crash in the reaction to the original.
    pub(super) fn of(observed: &Observed) -> Crash {
        let Observed { kind, ending, message, .. } = observed.clone();
        Crash { kind, ending, message }
    }

    /// Without a message, a crash in the answer and one after it may have different causes.
    fn is_same(&self, other: &Observed) -> bool {
        self.ending == other.ending
            && self.message == other.message
            && (self.message.is_some() || self.kind == other.kind)
    }
}

/// The run crashed.
pub(super) fn is_crash(kind: Kind) -> bool {
    matches!(kind, Kind::Crash | Kind::CrashAfterAnswer)
}

impl Failure for Crash {
    fn describe(&self) -> String {
        let line = self.message.as_deref().and_then(|m| m.lines().next());
        let message = line.map_or_else(String::new, |line| format!(": {line}"));
        format!("crashes ({}){message}", self.ending)
    }

    fn needs_truth(&self) -> bool {
        false
    }

    fn found(&self, _: &Runner, run: &Run, _: &Doc, _: &Label) -> Option<Observed> {
        run.find(|f| is_crash(f.kind)).filter(|o| self.is_same(o))
    }
}
