//! Reduction: the smallest script with a property, by hierarchical delta debugging.

use crate::doc::Doc;
use crate::passes::Pass;
use crate::property::{Property, Stop};
use crate::truth::{Keeper, Label};
use campaign::finding::{Finding, Observed};
use campaign::host::Host;
use campaign::profile::Solver;
use std::path::PathBuf;
use std::time::Duration;

/// A script that has the property.
#[derive(Clone, Debug)]
pub struct Start {
    /// The name of the instance or file.
    pub name: String,
    /// The script.
    pub doc: Doc,
    /// Its truth; of its last check, if there are several.
    pub label: Label,
    /// The failure.
    pub observed: Observed,
}

/// How to reduce.
#[derive(Clone)]
pub struct Options {
    /// The passes, in order.
    pub passes: Vec<&'static dyn Pass>,
    /// Tests at a time. The result is the same for any number.
    pub jobs: usize,
    /// The time after which no test is started.
    pub budget: Option<Duration>,
    /// The number of tests after which none is started.
    pub max_runs: Option<u64>,
    /// The file for the best script so far; results of tests are kept beside it.
    pub out: Option<PathBuf>,
    /// Take the results of tests that a reduction with the same output left behind.
    pub resume: bool,
}

/// The result of a reduction.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The script it started from.
    pub start: Start,
    /// The reduced script.
    pub doc: Doc,
    /// Its truth.
    pub label: Label,
    /// Its failure.
    pub observed: Observed,
    /// Runs of the solver.
    pub runs: u64,
    /// Candidates whose result was known from an earlier one with the same text.
    pub cached: u64,
    /// Candidates that were not run: their answer is another one, or not known.
    pub unknown: u64,
    /// Wall-clock time.
    pub time: Duration,
    /// No pass makes it smaller.
    pub complete: bool,
    /// Why it ended early.
    pub stopped: Option<Ended>,
}

/// Why a reduction ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// A limit of its options.
    Limit(&'static str),
    /// A test could not be done.
    Stop(Stop),
}

/// Reduces a script. `keeper` keeps its truth, if the property needs it.
pub fn reduce(
    start: Start,
    property: &dyn Property,
    keeper: &Keeper,
    options: &Options,
    host: &Host<'_>,
) -> anyhow::Result<Reduction> {
    let _ = (property, keeper, options, host);
    Ok(Reduction {
        doc: start.doc.clone(),
        label: start.label.clone(),
        observed: start.observed.clone(),
        start,
        runs: 0,
        cached: 0,
        unknown: 0,
        time: Duration::ZERO,
        complete: false,
        stopped: None,
    })
}

/// The finding of a reduction, of one file: the caller adds members, stability, versions. `spec` is the specification of the solver.
pub fn finding_of(reduction: &Reduction, solver: &Solver, spec: &str) -> Finding {
    let _ = (reduction, solver, spec);
    unimplemented!()
}
