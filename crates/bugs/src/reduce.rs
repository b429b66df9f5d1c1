//! Reduction: the smallest script with a property, by hierarchical delta debugging.
//!
//! | module | job |
//! |---|---|
//! | `engine` | the order of trials: rounds, passes, subsets of edits |
//! | `subsets` | the subsets of a list of edits |
//! | `search` | the first success of a sequence, by several threads |
//! | `seeds` | the seeds with which a step has to fail |
//! | `trial` | one trial: edit, truth, test, second opinion |
//! | `journal` | results of tests by content, in memory and on disk |
//! | `disk` | the best script on disk |
//! | `verify` | the last script, read back and tested again |
//! | `finding` | the finding of a reduction |

mod disk;
mod engine;
mod finding;
mod journal;
mod search;
mod seeds;
mod subsets;
#[cfg(test)]
pub(crate) mod tests;
mod trial;
mod verify;

pub use crate::property::Start;
pub use finding::finding_of;
pub use seeds::Seeds;

use crate::deadline::until;
use crate::doc::Doc;
use crate::passes::Pass;
use crate::property::{Property, Stop};
use crate::truth::{Keeper, Label};
use campaign::finding::Observed;
use campaign::host::Host;
use disk::Output;
use engine::{Engine, Halt};
use journal::Journal;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use trial::Lab;

/// How to reduce.
#[derive(Clone)]
pub struct Options {
    /// The passes, in order.
    pub passes: Vec<&'static dyn Pass>,
    /// Tests at a time. The result is the same for any number.
    pub jobs: usize,
    /// The time at which it ends, but for a last run of the result.
    pub deadline: Option<Instant>,
    /// The work after which no test is started: CPU time of this program and of solvers, and idle time of solvers.
    pub work: Option<Duration>,
    /// The number of tests after which none is started.
    pub max_runs: Option<u64>,
    /// The file for the best script so far; results of tests are kept beside it.
    pub out: Option<PathBuf>,
    /// The number of seeds, if the solver takes one, with which results are tried ([`Seeds`]).
    pub seeds: u64,
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
    /// The text that the solver reads, if the property sends it another one.
    pub sent: Option<String>,
    /// The seed of the solver.
    pub seed: u64,
    /// Runs of the solver.
    pub runs: u64,
    /// Candidates whose result was known from an earlier one with the same text.
    pub cached: u64,
    /// Candidates that were not run: their answer is another one, or not known.
    pub unknown: u64,
    /// Wall-clock time.
    pub time: Duration,
    /// CPU time of this program and of solvers, and idle time of solvers.
    pub work: Duration,
    /// The seeds of the last steps.
    pub seeds: Seeds,
    /// No pass makes it smaller.
    pub complete: bool,
    /// The script was read back and failed again, in a fresh process.
    pub verified: bool,
    /// Why it ended early.
    pub stopped: Option<Ended>,
}

impl Reduction {
    /// Bytes of the formula before and after: without `set-info` and options.
    pub fn bytes(&self) -> (usize, usize) {
        (finding::bytes(&self.start.doc), finding::bytes(&self.doc))
    }
}

/// Why a reduction ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// A limit of its options.
    Limit(&'static str),
    /// A test could not be done.
    Stop(Stop),
    /// The failure of the last scripts could not be repeated, or their answer is in doubt after all: the result is an earlier one.
    Unrepeatable,
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Ended::Limit(limit) => write!(f, "{limit} is used up"),
            Ended::Stop(Stop::Cancelled) => f.write_str("stopped by the user"),
            Ended::Stop(Stop::Gone(why)) => f.write_str(why),
            Ended::Unrepeatable => f.write_str("the failure of smaller scripts could not be repeated"),
        }
    }
}

/// A script on the way, with the failure.
#[derive(Clone, Debug)]
struct State {
    doc: Doc,
    label: Label,
    observed: Observed,
}

impl State {
    /// The script with its certificate.
    fn script(&self) -> String {
        script(&self.doc, &self.label)
    }
}

/// A script with its certificate, if its answers are known.
fn script(doc: &Doc, label: &Label) -> String {
    if label.is_known() { label.text(doc) } else { doc.to_text() }
}

/// Reduces a script. `keeper` keeps its truth, if the property needs it. An error is one of files; the best script so far is on disk
/// then, too.
pub fn reduce(
    start: Start,
    property: &dyn Property,
    keeper: &Keeper,
    options: &Options,
    host: &Host<'_>,
) -> anyhow::Result<Reduction> {
    let journal = match &options.out {
        Some(out) => Journal::open(out, start.doc.text(), &property.describe(), options.resume)?,
        None => Journal::in_memory(),
    };
    until(options.deadline, host, |limited| {
        let lab = Lab::new(property, keeper, options, (host, limited.cancel), journal, &start);
        reduced(start.clone(), &lab)
    })?
}

/// The reduction of a script.
fn reduced(start: Start, lab: &Lab<'_>) -> anyhow::Result<Reduction> {
    let (property, options) = (lab.property, lab.options);
    let Start { doc, label, observed, .. } = start.clone();
    let state = State { doc, label, observed };
    let mut output = Output::new(options.out.as_deref(), options.resume);
    output.write(&state)?;
    let mut engine = Engine::new(lab, state, output);
    let stopped = match engine.run() {
        Ok(()) => None,
        Err(Halt::Ended(ended)) => Some(ended),
        Err(Halt::Failed(e)) => return Err(e),
    };
    if let Some(e) = lab.broken.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(anyhow::Error::from(e).context("cannot write the results of tests"));
    }
    let end = verify::verify(&mut engine, stopped)?;
    let (State { doc, label, observed }, seeds) = (engine.state.clone(), engine.seeds);
    drop(engine);
    let reduction = Reduction {
        start,
        sent: property.sent(&doc, &label, observed.seed),
        seed: observed.seed,
        doc,
        label,
        observed,
        runs: lab.runs.load(Ordering::Relaxed),
        cached: lab.cached.load(Ordering::Relaxed),
        unknown: lab.unknown.load(Ordering::Relaxed),
        time: lab.started.elapsed(),
        work: lab.work(),
        seeds,
        complete: end.stopped.is_none(),
        verified: end.verified,
        stopped: end.stopped,
    };
    if reduction.complete {
        lab.journal.lock().unwrap_or_else(PoisonError::into_inner).remove()?;
    }
    Ok(reduction)
}

/// The journal of a reduction to `out`: it is there while there is something to resume.
pub fn journal_of(out: &Path) -> PathBuf {
    journal::beside(out)
}
