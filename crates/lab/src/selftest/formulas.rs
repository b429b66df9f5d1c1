//! Random formulas of known truth for the built-in solver.
//!
//! The formulas come from `synth::random`; the solver runs in this process under a limit of ticks, so that a run is the same on
//! every machine. A wrong answer is `unsat` where a model is known, a core that a known model satisfies, or `sat` with a model that
//! the referee rejects. Other solvers can be asked beside it; where they differ, the referee judges the models.

mod report;
mod trial;

pub use report::Report;

use super::solver::{Solver, Spec};
use crate::{Host, Progress};
use anyhow::Context as _;
use solver::options::Strategy;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use trial::Trial;

/// Formulas that a thread takes at a time.
const CHUNK: u64 = 64;
/// The run ends after this many findings.
const MAX_FINDINGS: usize = 50;
const STACK: usize = 128 << 20;

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
    /// Shows each formula with its truth and the answer.
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
    let others = options.against.iter().map(|text| other(text)).collect::<anyhow::Result<Vec<Spec>>>()?;
    trial::quiet_panics();
    let start = Instant::now();
    let names = others.iter().map(|s| s.name.clone()).collect();
    let run = Run {
        options,
        others: &others,
        next: AtomicU64::new(0),
        done: AtomicU64::new(0),
        enough: AtomicBool::new(false),
        report: Mutex::new(Report::new(options, names)),
        progress: host.progress,
    };
    let mut report = run.all()?;
    report.elapsed = start.elapsed();
    Ok(report)
}

/// A solver to ask: what z3 and cvc5 need to read from a pipe need not be said.
fn other(text: &str) -> anyhow::Result<Spec> {
    let mut spec = Spec::parse(text)?;
    let more: &[&str] = match spec.name.as_str() {
        "z3" => &["-in"],
        "cvc5" => &["--incremental", "--strings-exp", "--quiet", "-"],
        _ => &[],
    };
    if spec.command.len() == 1 {
        spec.command.extend(more.iter().map(|&m| m.to_owned()));
    }
    let mut solver = Solver::new(&spec);
    solver.identify()?;
    Ok(solver.spec().clone())
}

/// What the threads share.
struct Run<'a> {
    options: &'a Options,
    others: &'a [Spec],
    next: AtomicU64,
    enough: AtomicBool,
    report: Mutex<Report>,
    /// Formulas that are done.
    done: AtomicU64,
    progress: &'a dyn Progress,
}

impl Run<'_> {
    fn all(self) -> anyhow::Result<Report> {
        let jobs = self.options.jobs.unwrap_or_else(campaign::provenance::cores).max(1);
        std::thread::scope(|scope| {
            let mut workers = Vec::new();
            for _ in 0..jobs {
                let thread = std::thread::Builder::new().stack_size(STACK);
                workers.push(thread.spawn_scoped(scope, || self.work()).context("cannot start a thread")?);
            }
            for worker in workers {
                if let Err(panic) = worker.join() {
                    std::panic::resume_unwind(panic);
                }
            }
            anyhow::Ok(())
        })?;
        let mut report = self.report.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        report.sort();
        Ok(report)
    }

    fn work(&self) {
        let mut others: Vec<Solver> = self.others.iter().map(Solver::new).collect();
        while !self.enough.load(Ordering::Relaxed) {
            let first = self.next.fetch_add(CHUNK, Ordering::Relaxed);
            if first >= self.options.count {
                return;
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
            let done = self.done.fetch_add(last - first, Ordering::Relaxed) + last - first;
            self.progress.update(done, &String::new);
        }
    }
}
