//! A failure of a solver as a property: one run, and the failure is in it or not.

use super::run::{Run, Runner};
use super::{Attempt, Property, Test};
use crate::doc::Doc;
use crate::truth::Label;
use campaign::finding::Observed;
use campaign::process::Cancel;

/// A failure that is recognised in a run.
pub(super) trait Failure: Send + Sync {
    /// In one line, after the name of the solver: `answers unsat to a satisfiable formula`.
    fn describe(&self) -> String;

    /// It depends on the truth of the script.
    fn needs_truth(&self) -> bool;

    /// It is about the time of the run.
    fn is_timed(&self) -> bool {
        false
    }

    /// The reaction of the solver, if the failure is in the run.
    fn found(&self, runner: &Runner, run: &Run, doc: &Doc, label: &Label) -> Option<Observed>;
}

/// A solver has a failure.
pub(super) struct Fails {
    pub(super) runner: Runner,
    pub(super) failure: Box<dyn Failure>,
}

impl Fails {
    /// The label that counts. If the truth does not matter, requests and verdicts do not depend on it either.
    fn label(&self, doc: &Doc, label: &Label) -> Label {
        if self.failure.needs_truth() { label.clone() } else { Label::not_needed(doc) }
    }
}

impl Property for Fails {
    fn describe(&self) -> String {
        format!("{} {}", self.runner.solver.name, self.failure.describe())
    }

    fn needs_truth(&self) -> bool {
        self.failure.needs_truth()
    }

    fn test(&self, doc: &Doc, label: &Label, attempt: Attempt, cancel: &Cancel) -> Test {
        let label = self.label(doc, label);
        let mut runner = self.runner.with_seed(attempt.seed);
        if let Some(time) = attempt.time
            && !self.failure.is_timed()
        {
            runner.limit = runner.limit.min(time);
        }
        match runner.run(doc, &label, cancel) {
            Ok(run) => run.test(self.failure.found(&runner, &run, doc, &label)),
            Err(stop) => Test::Stopped(stop),
        }
    }

    fn sent(&self, doc: &Doc, label: &Label, seed: u64) -> Option<String> {
        self.runner.with_seed(seed).sent(doc, &self.label(doc, label))
    }

    fn seed(&self) -> u64 {
        self.runner.seed
    }

    fn is_seeded(&self) -> bool {
        self.runner.is_seeded()
    }
}
