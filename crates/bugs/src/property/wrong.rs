//! A wrong answer, by the known answer of a check. In an incremental script any check counts, so that checks can be dropped.

use super::fails::Failure;
use super::run::{Run, Runner};
use crate::doc::Doc;
use crate::truth::{CheckLabel, Label};
use campaign::case::Case;
use campaign::finding::{Argument, Observed};
use campaign::outcome::Kind;

/// Evidence of the judge on an answer whose proof it was not given.
const STATED: [&str; 2] = [
    "it is satisfiable as stated by the file, without a proof",
    "it is unsatisfiable as stated by the file, without a proof",
];

/// A wrong `sat` or a wrong `unsat`.
pub(super) struct Wrong {
    /// [`Kind::WrongSat`] or [`Kind::WrongUnsat`].
    pub(super) kind: Kind,
}

impl Failure for Wrong {
    fn describe(&self) -> String {
        match self.kind {
            Kind::WrongSat => "answers sat to an unsatisfiable formula".into(),
            _ => "answers unsat to a satisfiable formula".into(),
        }
    }

    fn needs_truth(&self) -> bool {
        true
    }

    fn found(&self, runner: &Runner, run: &Run, doc: &Doc, label: &Label) -> Option<Observed> {
        let observed = run.find(|f| f.kind == self.kind)?;
        if run.case.checks() > 1 || self.kind == Kind::WrongSat {
            return Some(with_reason(observed, label));
        }
        // With the model, the judge tells the values and the other reading.
        let case = Case::from_text("", label.text(doc).as_bytes()).ok()?;
        runner.judge(case, run.ended.clone()).find(|f| f.kind == self.kind)
    }
}

/// The evidence with the reason why the answer is known.
fn with_reason(mut observed: Observed, label: &Label) -> Observed {
    let reason = reason(&label.check(observed.check - 1));
    for stated in STATED {
        observed.evidence = observed.evidence.replacen(stated, &reason, 1);
    }
    observed
}

fn reason(check: &CheckLabel) -> String {
    match &check.argument {
        Argument::Model { model, .. } => format!("this model satisfies every assertion\n{model}"),
        Argument::Construction { origin, .. } => format!("it is unsatisfiable by construction: {origin}"),
        Argument::Agreement { solvers, .. } if solvers.len() > 1 => {
            format!("{} prove it unsatisfiable", solvers.join(" and "))
        }
        Argument::Agreement { .. } => "it is unsatisfiable, if a second solver agrees".into(),
        Argument::NotNeeded => STATED[0].into(),
    }
}
