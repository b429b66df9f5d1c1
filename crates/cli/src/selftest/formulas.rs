//! `stringent selftest solver`: random formulas of known truth for the built-in solver.
//!
//! The formulas come from `synth::random`; the solver runs in this process, under a limit of ticks, so that a run is the
//! same on every machine. A wrong answer is `unsat` where a model is known, a core that a known model satisfies, or `sat`
//! with a model that the referee refuses. Other solvers can be asked beside it; where they differ, the referee
//! looks at the models.

mod report;
mod trial;

use super::solver::{Solver, Spec};
use crate::Outcome;
use crate::campaign_args::seconds;
use crate::render::Format;
use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressStyle};
use report::Report;
use solver::options::Strategy;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use trial::Trial;

/// Formulas that a thread takes at a time.
const CHUNK: u64 = 64;
/// After so many findings there is enough to do.
const ENOUGH: usize = 50;
const STACK: usize = 128 << 20;

/// Put random formulas of known truth to the built-in solver.
///
/// Small formulas over all operators on strings, with integers and Boolean structure: some are satisfiable by
/// construction, some have so few candidates that all are tried. Everything follows from the seed and the number of a
/// formula. Findings are made small and shown as scripts.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  stringent selftest solver --count 1000000\n  \
    stringent selftest solver --from 4711 --count 1 --show\n  \
    stringent selftest solver --count 50000 --against z3=z3 --against cvc5=cvc5 --cases wrong/\n\n\
    Exit codes: 0 nothing wrong, 10 a wrong answer of the built-in solver, or it failed, 2 bad usage.")]
pub(crate) struct Args {
    /// How many formulas
    #[arg(long, short = 'n', default_value_t = 10_000)]
    count: u64,
    /// The number of the first formula
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// What the random choices start from
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Work for each formula
    #[arg(long, default_value_t = 200_000)]
    ticks: u64,
    /// Audit the inferences on so many of a hundred formulas
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=100))]
    audit: u8,
    /// Which techniques are used, see `stringent solve --help`
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = crate::solve::strategy, allow_hyphen_values = true)]
    strategy: Strategy,
    /// Another solver to ask, as NAME=COMMAND; may be repeated
    #[arg(long, value_name = "NAME=COMMAND")]
    against: Vec<String>,
    /// Time for each question to other solvers, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    time_limit: f64,
    /// Threads (default: one per processor)
    #[arg(long, short)]
    jobs: Option<usize>,
    /// Write each finding to this directory, as a script
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// Print each formula with its truth and the answer
    #[arg(long)]
    show: bool,
    /// Output form
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let others = args.against.iter().map(|text| other(text)).collect::<anyhow::Result<Vec<Spec>>>()?;
    if let Some(dir) = &args.cases {
        std::fs::create_dir_all(dir).with_context(|| format!("cannot make `{}`", dir.display()))?;
    }
    trial::quiet_panics();
    let start = Instant::now();
    let run = Run {
        args,
        others: &others,
        next: AtomicU64::new(0),
        enough: AtomicBool::new(false),
        report: Mutex::new(Report::new(others.iter().map(|s| s.name.clone()).collect())),
        progress: progress(args.count),
    };
    let report = run.all()?;
    if let Some(dir) = &args.cases {
        report.write(dir, args)?;
    }
    match args.format {
        Format::Text => report.text(args, start.elapsed())?,
        Format::Json => report.json(args, start.elapsed())?,
    }
    Ok(if report.has_faults() { Outcome::Found } else { Outcome::Clean })
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

fn progress(total: u64) -> ProgressBar {
    let template = "{bar:40} {pos}/{len} formulas, {per_sec}, {eta} left{msg}";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(total).with_style(style)
}

/// What the threads share.
struct Run<'a> {
    args: &'a Args,
    others: &'a [Spec],
    next: AtomicU64,
    enough: AtomicBool,
    report: Mutex<Report>,
    progress: ProgressBar,
}

impl Run<'_> {
    fn all(self) -> anyhow::Result<Report> {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let jobs = self.args.jobs.unwrap_or(processors).max(1);
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
        self.progress.finish_and_clear();
        let mut report = self.report.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        report.sort();
        Ok(report)
    }

    fn work(&self) {
        let mut others: Vec<Solver> = self.others.iter().map(Solver::new).collect();
        while !self.enough.load(Ordering::Relaxed) {
            let first = self.next.fetch_add(CHUNK, Ordering::Relaxed);
            if first >= self.args.count {
                return;
            }
            let last = (first + CHUNK).min(self.args.count);
            let mut report = Report::new(Vec::new());
            for n in first..last {
                let limit = Duration::from_secs_f64(self.args.time_limit);
                let trial = Trial::new(self.args, self.args.from + n);
                trial.run(&mut others, limit, &mut report);
            }
            let mut whole = self.report.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            whole.merge(report);
            if whole.findings.len() >= ENOUGH {
                self.enough.store(true, Ordering::Relaxed);
            }
            drop(whole);
            self.progress.inc(last - first);
        }
    }
}
