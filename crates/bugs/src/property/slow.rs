//! A run longer than a time, by its CPU time and idle time. The run is stopped there.

use super::fails::Failure;
use super::run::{Run, Runner};
use crate::doc::Doc;
use crate::truth::Label;
use campaign::clean;
use campaign::finding::Observed;
use campaign::outcome::{Ending, Kind, Verdict};
use std::time::Duration;

/// A run of at least this time.
pub(super) struct Slow(pub(super) Duration);

impl Failure for Slow {
    fn describe(&self) -> String {
        format!("needs more than {}", clean::time(self.0))
    }

    fn needs_truth(&self) -> bool {
        false
    }

    fn is_timed(&self) -> bool {
        true
    }

    fn found(&self, _: &Runner, run: &Run, _: &Doc, _: &Label) -> Option<Observed> {
        is_slow(run, self.0).then(|| timed(run))
    }
}

/// The run took this time, or gave up at a limit of its own.
pub(super) fn is_slow(run: &Run, least: Duration) -> bool {
    run.ended.work() >= least
        || matches!(run.ended.ending, Ending::WallLimit | Ending::CpuLimit)
        || run.findings.iter().any(|f| f.kind == Kind::OwnLimit)
}

/// The reaction, with the time limit as its verdict.
pub(super) fn timed(run: &Run) -> Observed {
    let timeout = run.find(|f| f.kind.verdict() == Verdict::Timeout);
    timeout.unwrap_or_else(|| {
        let evidence = format!("it took {}", clean::time(run.ended.work()));
        Observed { kind: Kind::WallTime, evidence, ..run.observed(run.summary()) }
    })
}
