//! The failure of a script: found by running the solver, or named by the user; measured if it is flaky.

use super::{Keep, Property};
use crate::doc::Doc;
use crate::reduce::Start;
use crate::truth::Keeper;
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
    /// Wall-clock time of a run; by default a multiple of the time of the failure.
    pub time_limit: Option<Duration>,
    /// Wall-clock time of the first run, where the limit is not given.
    pub first_limit: Duration,
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
}

/// Runs the solver on a script and judges it.
pub fn detect(
    name: &str,
    doc: Doc,
    setup: &Setup,
    keeper: &Keeper,
    host: &Host<'_>,
) -> anyhow::Result<Detected> {
    let _ = (name, doc, setup, keeper, host);
    anyhow::bail!("not built")
}
