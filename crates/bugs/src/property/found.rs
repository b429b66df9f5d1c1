//! How a solver is run to find a failure, and the results.

use super::majority::Majority;
use super::run::Runner;
use super::{Keep, Property, Start, Stop};
use crate::doc::Doc;
use crate::truth::Label;
use campaign::finding::{Observed, Stability};
use campaign::host::Host;
use campaign::profile::Solver;
use semantics::Status;
use std::time::Duration;

/// The solver and how it is run.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The solver.
    pub solver: Solver,
    /// Its seed.
    pub seed: u64,
    /// Time of a run: CPU time or idle time; by default a multiple of the time of the failure.
    pub time_limit: Option<Duration>,
    /// Time of the first run, where the limit is not given.
    pub first_limit: Duration,
    /// The time of a test beyond twice that of the original.
    pub slack: Duration,
    /// Memory of a run, in bytes.
    pub memory: Option<u64>,
    /// The failure to keep; the worst one that is found, if none is given.
    pub keep: Option<Keep>,
    /// The answer, as the user claims.
    pub expect: Option<Status>,
    /// Runs of the original.
    pub repeat: u32,
    /// The smallest share of failing runs that is reduced.
    pub threshold: f64,
}

impl Setup {
    /// A solver with the defaults.
    pub fn new(solver: Solver) -> Setup {
        Setup {
            solver,
            seed: 0,
            time_limit: None,
            first_limit: Duration::from_secs(15),
            slack: Duration::from_secs(1),
            memory: Some(4096 << 20),
            keep: None,
            expect: None,
            repeat: 3,
            threshold: 0.5,
        }
    }
}

/// What a script does.
pub enum Detected {
    /// It has a failure.
    Failing(Box<Failing>),
    /// It has none, or not the one to keep.
    Passing(Passing),
    /// It fails too rarely.
    Flaky {
        /// The failure.
        property: String,
        /// How often.
        rate: Stability,
    },
}

/// A failure to keep.
pub struct Failing {
    /// The script with the failure.
    pub start: Start,
    /// The failure.
    pub property: Box<dyn Property>,
    /// How often it fails with the same seed.
    pub rate: Stability,
}

/// A run that is no failure.
#[derive(Clone, Debug)]
pub struct Passing {
    /// The run.
    pub observed: Observed,
    /// Why it is no failure, for people.
    pub reason: String,
    /// It is known to be none; otherwise the answer cannot be judged.
    pub judged: bool,
}

/// The original has to be run again: `repeat` times, and as often once more if it fails in somewhat less than half of them, which may be bad luck.
pub(super) fn is_unsettled(rate: Stability, repeat: u32) -> bool {
    let is_close = rate.failed * 3 >= rate.runs && rate.failed * 2 < rate.runs;
    rate.runs < repeat || (is_close && rate.runs < 2 * repeat)
}

/// A failure by how often it is there.
pub(super) fn rated(
    start: Start,
    property: Box<dyn Property>,
    rate: Stability,
    (repeat, threshold): (u32, f64),
) -> Detected {
    if f64::from(rate.failed) < threshold * f64::from(rate.runs) {
        return Detected::Flaky { property: property.describe(), rate };
    }
    let property = if rate.failed < rate.runs {
        Box::new(Majority { of: property, tests: repeat | 1 })
    } else {
        property
    };
    Detected::Failing(Box::new(Failing { start, property, rate }))
}

/// The time that a solver needs for the empty script.
pub(super) fn startup(runner: &Runner, host: &Host<'_>) -> anyhow::Result<Duration> {
    let empty = Doc::from_text(b"(check-sat)").expect("it is a script");
    let run = runner.run(&empty, &Label::not_needed(&empty), host.cancel).map_err(stopped)?;
    Ok(run.ended.work())
}

/// The error of a test without a result.
pub(super) fn stopped(stop: Stop) -> anyhow::Error {
    match stop {
        Stop::Cancelled => anyhow::anyhow!("stopped"),
        Stop::Gone(why) => anyhow::anyhow!(why),
    }
}
