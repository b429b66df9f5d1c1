//! Slower than another solver by a factor. The other one is run first; it must answer, and its time bounds the run of the solver.
//!
//! Short times are noise: the other solver is taken to need at least [`FLOOR`], and the solver has to need several times what it needs for the
//! empty script.

use super::Start;
use super::found::{Detected, Passing, Setup, is_unsettled, rated, startup, stopped};
use super::run::{Run, Runner};
use super::slow::{is_slow, timed};
use super::{Attempt, Property, Stop, Test};
use crate::doc::Doc;
use crate::truth::Label;
use campaign::clean;
use campaign::finding::Stability;
use campaign::host::Host;
use campaign::outcome::{Answer, Ending};
use campaign::process::Cancel;
use campaign::profile;
use campaign::settings::Wants;
use std::time::Duration;

/// The least time that the other solver is taken to need.
const FLOOR: Duration = Duration::from_millis(20);

/// Slower than another solver.
struct Slower {
    solver: Runner,
    other: Runner,
    factor: f64,
    /// The least time of the solver that counts.
    least: Duration,
}

impl Slower {
    /// The run of the other solver, and of the solver for as long as it has to take.
    fn runs(&self, doc: &Doc, seed: u64, cancel: &Cancel) -> Result<(Run, Option<Run>), Stop> {
        let label = Label::not_needed(doc);
        let quick = self.other.run(doc, &label, cancel)?;
        let answered = |f: &campaign::judge::Judged| matches!(f.answer, Answer::Sat | Answer::Unsat);
        if !matches!(quick.ended.ending, Ending::Exited(_)) || !quick.findings.iter().all(answered) {
            return Ok((quick, None));
        }
        let limit = self.least_time(quick.ended.work());
        if limit > self.solver.limit {
            return Ok((quick, None));
        }
        let run = Runner { limit, ..self.solver.with_seed(seed) }.run(doc, &label, cancel)?;
        Ok((quick, Some(run)))
    }

    fn least_time(&self, other: Duration) -> Duration {
        other.max(FLOOR).mul_f64(self.factor).max(self.least)
    }
}

impl Property for Slower {
    fn describe(&self) -> String {
        let (solver, other) = (&self.solver.solver.name, &self.other.solver.name);
        format!("{solver} is slower than {other} by a factor of {}", self.factor)
    }

    fn needs_truth(&self) -> bool {
        false
    }

    fn test(&self, doc: &Doc, _: &Label, attempt: Attempt, cancel: &Cancel) -> Test {
        let (quick, run) = match self.runs(doc, attempt.seed, cancel) {
            Ok(runs) => runs,
            Err(stop) => return Test::Stopped(stop),
        };
        let Some(run) = run else { return quick.test(None) };
        let least = self.least_time(quick.ended.work());
        let found = is_slow(&run, least).then(|| {
            let mut observed = timed(&run);
            let (name, time) = (&self.other.solver.name, clean::time(quick.ended.work()));
            observed.evidence = format!("{}; {name} needs {time}", observed.evidence);
            observed
        });
        run.test(found)
    }

    fn sent(&self, doc: &Doc, _: &Label, seed: u64) -> Option<String> {
        self.solver.with_seed(seed).sent(doc, &Label::not_needed(doc))
    }

    fn seed(&self) -> u64 {
        self.solver.seed
    }

    fn is_seeded(&self) -> bool {
        self.solver.is_seeded()
    }
}

/// Measures a script.
pub(super) fn detect(
    name: &str,
    doc: Doc,
    setup: &Setup,
    other: &str,
    factor: f64,
    host: &Host<'_>,
) -> anyhow::Result<Detected> {
    anyhow::ensure!(factor.is_finite() && factor >= 1.0, "the factor {factor} is not a number of at least 1");
    let wants = Wants { model: false, core: false, named: false, both: false, ..Wants::default() };
    let limit = setup.time_limit.unwrap_or(setup.first_limit);
    let solver =
        Runner { solver: setup.solver.clone(), seed: setup.seed, wants, memory: setup.memory, limit };
    let other = Runner { solver: profile::resolve(other)?, ..solver.clone() };
    let least = startup(&solver, host)? * 4;
    let property = Box::new(Slower { solver, other, factor, least });
    let label = Label::not_needed(&doc);
    let mut rate = Stability { runs: 0, failed: 0 };
    let (mut held, mut not) = (None, None);
    while is_unsettled(rate, setup.repeat.max(1)) {
        rate.runs += 1;
        match property.test(&doc, &label, setup.seed.into(), host.cancel) {
            Test::Holds(observed) => {
                rate.failed += 1;
                held = Some(*observed);
            }
            Test::Fails(observed) => not = Some(*observed),
            Test::Stopped(stop) => return Err(stopped(stop)),
        }
    }
    let Some(observed) = held else {
        let observed = not.expect("it was run");
        let reason = format!("it is not so that {}", property.describe());
        return Ok(Detected::Passing(Passing { observed, reason, judged: true }));
    };
    let start = Start { name: name.into(), doc, label, observed };
    Ok(rated(start, property, rate, (setup.repeat, setup.threshold)))
}
