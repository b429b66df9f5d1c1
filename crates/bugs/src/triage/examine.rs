//! The examination of one failing run.
//!
//! It is run again. A crash or an error with a message that is known goes to the failure with that message. A wrong answer or model whose formula
//! has an operator that the solver evaluates wrongly on constants is explained by that ([`super::ground`]): the first of them is reduced to that evaluation. Everything else
//! is reduced.

use super::Options;
use super::book::Book;
use super::failures::{Failure, Subject};
use super::ground;
use super::guide::Guide;
use crate::doc::Doc;
use crate::fingerprint::{self, special_operators};
use crate::passes::PASSES;
use crate::property::{Detected, Failing, Keep, Setup, detect};
use crate::reduce::{self, Reduction, finding_of, reduce};
use campaign::finding::words::is_crash;
use campaign::finding::{Argument, Examination, Finding, Observed};
use campaign::host::Host;
use campaign::outcome::{Kind, Status};
use campaign::process::Cancel;
use semantics::certificate::has_one_check;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Runs of a failure that was flaky in the campaign.
const FLAKY_RUNS: u32 = 7;

/// The time for a failure that is run again, in time limits of the campaign: a failure near the limit, or a busy machine, needs more. At most a minute, unless the limit is longer.
const PATIENCE: u32 = 10;
const LONG: Duration = Duration::from_secs(60);

/// The time of a step beyond twice that of the failure, in time limits of the campaign; at most a second. Most steps at a limit do not fail: where
/// limits are short, as in a hunt, they would use up the budget.
const SLACK: u32 = 2;

/// Seeds of a step, if the failure depends on them.
const SEEDS: u64 = 5;

/// The wall-clock time of a reduction, in budgets of work.
const SLOW_MACHINE: u32 = 60;

/// Examines failures.
pub(super) struct Examiner<'a> {
    pub(super) options: &'a Options,
    pub(super) budget: Duration,
    pub(super) book: &'a Book,
    pub(super) cancel: &'a Cancel,
}

impl Examiner<'_> {
    /// Examines a failure, or reduces a finding of it further; none if it was stopped.
    pub(super) fn examine(
        &self,
        failure: &Failure,
        subject: &Subject,
        from: Option<&Finding>,
    ) -> anyhow::Result<Option<Examination>> {
        let result = match from {
            None => self.first(failure, subject),
            Some(finding) => self.further(failure, subject, finding),
        };
        if self.cancel.is_cancelled() { Ok(None) } else { result }
    }

    fn host(&self) -> Host<'_> {
        Host { progress: &(), cancel: self.cancel }
    }

    fn first(&self, failure: &Failure, subject: &Subject) -> anyhow::Result<Option<Examination>> {
        let Ok(doc) = Doc::from_text(&failure.source) else {
            return Ok(Some(refused("its script cannot be read")));
        };
        let mut setup = setup(subject, failure.kind, failure.member.seed);
        setup.repeat = if failure.flaky { FLAKY_RUNS } else { 1 };
        let failing = match self.detect(failure, doc, &setup, subject)? {
            Ok(failing) => failing,
            Err(why) => return Ok(Some(refused(&why))),
        };
        if let Some(alike) = self.same_message(failure, subject, &failing) {
            return Ok(Some(alike));
        }
        // Without a result of the experiment, the failure is reduced as it is.
        let wrong = ground::experiment(&failing, &setup, &subject.keeper, &self.host());
        if let Some(wrong) = wrong.unwrap_or_default() {
            return self.evaluated(failure, subject, failing.start.observed.kind, wrong).map(Some);
        }
        Ok(Some(reduced(self.reduced(failure, subject, failing)?, None)))
    }

    /// The failure of a script, or why there is none.
    fn detect(
        &self,
        failure: &Failure,
        doc: Doc,
        setup: &Setup,
        subject: &Subject,
    ) -> anyhow::Result<Result<Failing, String>> {
        let detected = detect(&failure.member.instance, doc, setup, &subject.keeper, &self.host())?;
        Ok(match detected {
            Detected::Failing(failing) => Ok(*failing),
            Detected::Passing(passing) => Err(passing.reason),
            Detected::Flaky { rate, .. } => {
                Err(format!("it is flaky: it failed in {} of {} runs", rate.failed, rate.runs))
            }
        })
    }

    /// A crash or an error with a message that is known.
    fn same_message(&self, failure: &Failure, subject: &Subject, failing: &Failing) -> Option<Examination> {
        let observed = &failing.start.observed;
        let message =
            observed.message.as_deref().filter(|_| is_crash(observed.kind) && is_telling(observed))?;
        let (profile, solver) = (&subject.solver.profile.name, &failure.member.solver);
        let other = self.book.with_message(profile, solver, observed.kind, message)?;
        let why = format!("same message as {}", other.instance);
        Some(Examination::Alike { instance: other.instance.clone(), seed: other.seed, why })
    }

    /// An operator is evaluated wrongly: explained by the finding about it; without one, that evaluation is reduced in place of the formula: it is a
    /// wrong `unsat`, whatever the formula is.
    fn evaluated(
        &self,
        failure: &Failure,
        subject: &Subject,
        kind: Kind,
        wrong: ground::Wrong,
    ) -> anyhow::Result<Examination> {
        let ground::Wrong { operator, experiment, failing } = wrong;
        if let Some(operator) = &operator
            && self.is_known(subject, operator)
        {
            return Ok(Examination::Explained { kind, operator: operator.clone(), experiment });
        }
        let mut finding = self.reduced(failure, subject, *failing)?;
        let operator = operator.unwrap_or_else(|| {
            special_operators(&finding.fingerprint.operators).into_iter().collect::<Vec<_>>().join(" ")
        });
        if self.is_known(subject, &operator) {
            return Ok(Examination::Explained { kind, operator, experiment });
        }
        finding.reduced.origin_bytes = failure.source.len();
        Ok(reduced(finding, (!operator.is_empty()).then_some(operator)))
    }

    fn is_known(&self, subject: &Subject, operator: &str) -> bool {
        self.book.has_evaluation(&subject.solver.name, operator)
    }

    /// Reduces a finding further.
    fn further(
        &self,
        failure: &Failure,
        subject: &Subject,
        before: &Finding,
    ) -> anyhow::Result<Option<Examination>> {
        let Ok(doc) = Doc::from_text(before.reduced.script.as_bytes()) else { return Ok(None) };
        let setup =
            Setup { expect: expected(before, &doc), ..setup(subject, before.kind, failure.member.seed) };
        let Ok(failing) = self.detect(failure, doc, &setup, subject)? else { return Ok(None) };
        let mut after = self.reduced(failure, subject, failing)?;
        after.reduced.origin_bytes = before.reduced.origin_bytes;
        after.reduced.runs += before.reduced.runs;
        after.reduced.seconds += before.reduced.seconds;
        Ok(Some(reduced(after, before.fingerprint.evaluation.clone())))
    }

    fn reduced(&self, failure: &Failure, subject: &Subject, failing: Failing) -> anyhow::Result<Finding> {
        let reduction = self.reduction(subject, failing)?;
        let mut finding = finding_of(&reduction, &subject.solver, &subject.spec);
        finding.fingerprint.core = fingerprint::core(&reduction.doc);
        if !is_telling(&finding.observed) {
            finding.fingerprint.message = None;
        }
        finding.reduced.origin.clone_from(&failure.member.instance);
        finding.members = vec![failure.member.clone()];
        finding.seen = Some(campaign::provenance::now());
        Ok(finding)
    }

    /// Reduces until nothing gets smaller, a limit is reached, or the shape is that of a known failure.
    fn reduction(&self, subject: &Subject, failing: Failing) -> anyhow::Result<Reduction> {
        let (kind, none) = (failing.start.observed.kind, BTreeSet::new());
        let shapes = self.book.shapes(&subject.solver.profile.name, kind).unwrap_or(&none);
        let keeper = &subject.keeper;
        let guide = Guide { property: &*failing.property, keeper, shapes, found: Mutex::new(None) };
        let options = reduce::Options {
            passes: PASSES.to_vec(),
            jobs: 1,
            deadline: Some(Instant::now() + self.budget * SLOW_MACHINE),
            work: Some(self.budget),
            max_runs: Some(self.options.max_runs),
            seeds: SEEDS,
            out: None,
            resume: false,
        };
        let mut reduction = reduce(failing.start, &guide, keeper, &options, &self.host())?;
        if let Some(arrived) = guide.into_found() {
            reduction.sent = failing.property.sent(&arrived.doc, &arrived.label, arrived.observed.seed);
            reduction.seed = arrived.observed.seed;
            reduction.doc = arrived.doc;
            reduction.label = arrived.label;
            reduction.observed = arrived.observed;
            reduction.complete = false;
        }
        Ok(reduction)
    }
}

/// How the solver is run on a failure of this kind.
pub(super) fn setup(subject: &Subject, kind: Kind, seed: u64) -> Setup {
    let keep = keep(kind);
    let slow = matches!(keep, Some(Keep::Slow(_)));
    Setup {
        seed,
        time_limit: slow.then_some(subject.limit),
        first_limit: (subject.limit * PATIENCE).min(LONG).max(subject.limit),
        slack: (subject.limit * SLACK).min(Duration::from_secs(1)),
        memory: subject.memory,
        keep,
        repeat: 1,
        ..Setup::new(subject.solver.clone())
    }
}

/// The failure to keep for a kind.
fn keep(kind: Kind) -> Option<Keep> {
    Some(match kind {
        Kind::WrongSat | Kind::WrongUnsat => Keep::Wrong,
        Kind::InvalidModel => Keep::Model,
        Kind::UnsoundCore | Kind::ForeignCore => Keep::Core,
        Kind::Crash | Kind::CrashAfterAnswer => Keep::Crash,
        Kind::WallTime | Kind::CpuTime | Kind::OwnLimit => Keep::Slow(None),
        Kind::Unknown => Keep::Unknown,
        Kind::OutOfMemory | Kind::Rejected | Kind::Message | Kind::Garbage | Kind::Silent | Kind::Flood => {
            Keep::Error
        }
        _ => return None,
    })
}

/// Its message tells crashes apart. One without a text of the solver is the signal only.
fn is_telling(observed: &Observed) -> bool {
    !matches!(observed.kind, Kind::Crash | Kind::CrashAfterAnswer) || !observed.stderr.trim().is_empty()
}

/// The answer that a finding is known to have; none for a session, whose script has those of its checks.
pub(super) fn expected(finding: &Finding, doc: &Doc) -> Option<Status> {
    if !has_one_check(&doc.script) {
        return None;
    }
    match &finding.reduced.argument {
        Argument::Model { .. } => Some(Status::Sat),
        Argument::Construction { .. } | Argument::Agreement { .. } => Some(Status::Unsat),
        Argument::NotNeeded => None,
    }
}

/// A failure that was reduced, with the operator that is evaluated wrongly.
fn reduced(mut finding: Finding, evaluation: Option<String>) -> Examination {
    finding.fingerprint.evaluation = evaluation;
    finding.id = fingerprint::id(&finding.fingerprint);
    Examination::Reduced(Box::new(finding))
}

fn refused(why: &str) -> Examination {
    Examination::Refused { why: why.to_owned() }
}
