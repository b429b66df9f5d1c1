//! Random formulas with known answers for the built-in solver.
//!
//! The formulas come from `synth::random`; the solver runs in this process under a limit of ticks, so that a run is the same on
//! every machine. A wrong answer is `unsat` where a model is known, a core that a known model satisfies, or `sat` with a model that
//! the referee rejects. Other solvers can be run for comparison; where they differ, the referee judges the models.

mod report;
mod trial;

pub use report::Report;

use super::query::Querier;
use crate::workers::{self, Done};
use crate::{Host, Progress, start_watchdog};
use campaign::process::Cancel;
use campaign::profile::{self, Solver};
use solver::options::Strategy;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use trial::Trial;

/// Formulas that a thread takes at a time.
const CHUNK: u64 = 64;
/// The run ends after this many findings.
const MAX_FINDINGS: usize = 50;

/// Which formulas, and how they are solved.
#[derive(Clone, Debug)]
pub struct Options {
    /// Formulas.
    pub count: u64,
    /// The number of the first formula.
    pub from: u64,
    /// The seed of random choices.
    pub seed: u64,
    /// Ticks for each formula.
    pub ticks: u64,
    /// The percentage of formulas whose inferences are audited.
    pub audit: u8,
    /// The techniques in use.
    pub strategy: Strategy,
    /// Other solvers.
    pub against: Vec<String>,
    /// Wall-clock time of other solvers for each formula, in seconds.
    pub time_limit: f64,
    /// Threads; one per core if there is none.
    pub jobs: Option<usize>,
    /// Shows each formula with the known and the given answer.
    pub show: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            count: 10_000,
            from: 0,
            seed: 0,
            ticks: 200_000,
            audit: 0,
            strategy: Strategy::default(),
            against: Vec::new(),
            time_limit: 2.0,
            jobs: None,
            show: false,
        }
    }
}

/// Solves formulas and judges the answers.
pub fn run(options: &Options, host: &Host<'_>) -> anyhow::Result<Report> {
    let _watchdog = start_watchdog()?;
    let others = options.against.iter().map(|s| profile::resolve(s)).collect::<Result<Vec<Solver>, _>>()?;
    trial::quiet_panics();
    let start = Instant::now();
    let names = others.iter().map(|s| s.name.clone()).collect();
    let run = Run {
        options,
        others: &others,
        next: AtomicU64::new(0),
        done: Done::new(host.progress),
        enough: AtomicBool::new(false),
        report: Mutex::new(Report::new(options, names)),
        progress: host.progress,
        cancel: host.cancel,
    };
    let mut report = run.all()?;
    report.elapsed = start.elapsed();
    Ok(report)
}

/// What the threads share.
struct Run<'a> {
    options: &'a Options,
    others: &'a [Solver],
    next: AtomicU64,
    enough: AtomicBool,
    report: Mutex<Report>,
    /// Formulas that are done.
    done: Done<'a>,
    progress: &'a dyn Progress,
    cancel: &'a Cancel,
}

impl Run<'_> {
    fn all(self) -> anyhow::Result<Report> {
        workers::run(self.options.jobs, || self.work())?;
        let mut report = self.report.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        report.sort();
        Ok(report)
    }

    fn work(&self) -> anyhow::Result<()> {
        let others = self.others.iter().map(|s| Querier::new(s, self.cancel));
        let mut others = others.collect::<anyhow::Result<Vec<_>>>()?;
        while !self.enough.load(Ordering::Relaxed) && !self.cancel.is_cancelled() {
            let first = self.next.fetch_add(CHUNK, Ordering::Relaxed);
            if first >= self.options.count {
                break;
            }
            let last = (first + CHUNK).min(self.options.count);
            let mut report = Report::new(self.options, Vec::new());
            for n in first..last {
                let limit = Duration::from_secs_f64(self.options.time_limit);
                let trial = Trial::new(self.options, self.options.from + n);
                trial.run(&mut others, limit, self.progress, &mut report);
            }
            let mut whole = self.report.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            whole.merge(report);
            if whole.findings.len() >= MAX_FINDINGS {
                self.enough.store(true, Ordering::Relaxed);
            }
            drop(whole);
            self.done.add(last - first);
        }
        Ok(())
    }
}
