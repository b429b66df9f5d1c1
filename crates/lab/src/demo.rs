//! The first minute: two solvers on 200 small formulas with known answers, and one wrong answer that nobody can dispute.
//!
//! ```text
//! solvers ──▶ formulas ──▶ campaign ──▶ one wrong `unsat` ──▶ run again ──▶ report
//! ```
//!
//! The solvers are an old and a new z3, which are fetched (`pair`); where that fails, the built-in solver with and without
//! planted bugs (`planted`). The wrong answer that is shown (`wrong`) has a model which satisfies the formula under every
//! reading of the standard, the other solver finds a model as well, and both solvers answer the same again in a new process.

mod formulas;
mod pair;
pub mod planted;
mod report;
mod wrong;

pub use report::Demo;

use crate::{Host, Progress, instances, start_watchdog};
use anyhow::Context as _;
use campaign::drive::Observer;
use campaign::job::{Job, New};
use campaign::outcome::Kind;
use campaign::process::Watchdog;
use campaign::selection::Selection;
use campaign::settings::Settings;
use campaign::store::{self, RunRow, SolverRow};
use pair::Pair;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use wrong::Wrong;

/// Formulas of the demonstration.
pub const FORMULAS: u64 = 200;
/// The solver with wrong answers.
pub const OLD: &str = "z3@4.8.10";
/// The solver that should be right.
pub const NEW: &str = "z3@5.4.0";
/// Time of each run.
const LIMIT: Duration = Duration::from_secs(5);

/// The options of the demonstration.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The solver with wrong answers; [`OLD`] if none is named.
    pub old: Option<String>,
    /// The solver that should be right; [`NEW`] if none is named.
    pub new: Option<String>,
    /// Fetches nothing.
    pub offline: bool,
    /// The store; a new one in the default place if there is none.
    pub store: Option<PathBuf>,
}

/// The results of a solver.
struct Tally {
    name: String,
    kinds: Vec<Kind>,
}

/// Runs the demonstration.
pub fn run(options: &Options, host: &Host<'_>) -> anyhow::Result<Demo> {
    let pair = Pair::find(options, host)?;
    let started = Instant::now();
    let mut job = campaign(options, &pair, host)?;
    let mut observer = Watch { progress: host.progress, done: 0 };
    let summary = job.run(&mut observer, host.cancel)?;
    let solvers = job.store.solvers()?;
    let runs = job.store.runs(false)?;
    let (wrong, file) = if summary.cancelled { (None, None) } else { shown(&job, &pair, &runs, host)? };
    Ok(Demo {
        planted: pair.planted,
        reason: pair.reason,
        stopped: summary.cancelled,
        tallies: solvers.iter().map(|solver| tally(solver, &runs)).collect(),
        wrong,
        file,
        store: job.store.path().to_owned(),
        spent: started.elapsed(),
    })
}

/// The campaign, planned.
fn campaign(options: &Options, pair: &Pair, host: &Host<'_>) -> anyhow::Result<Job> {
    let suite = formulas::options();
    let selection = Selection { limit: Some(FORMULAS), ..Selection::default() };
    let mut settings =
        Settings { batch: true, instances: suite.maker.clone(), selection, ..Settings::default() };
    settings.limits.wall = LIMIT;
    settings.watchdog = Watchdog::own_command();
    let solvers = [pair.old.clone(), pair.new.clone()];
    let store = options.store.as_deref();
    let mut job = Job::create(&New { verb: "demo", store, seed: suite.seed, settings, solvers: &solvers })?;
    let mut source = instances::Synthesised::new(&suite)?;
    let rows = instances::rows(&mut source, selection, host.cancel)?.context("stopped")?;
    job.plan(&rows)?;
    Ok(job)
}

/// The wrong answer to show, and the file it is written to.
fn shown(
    job: &Job,
    pair: &Pair,
    runs: &[RunRow],
    host: &Host<'_>,
) -> anyhow::Result<(Option<Wrong>, Option<PathBuf>)> {
    let _watchdog = start_watchdog()?;
    let find = |old, new| wrong::find(&job.store, (old, new), runs, host);
    let wrong = match find(&pair.old, &pair.new)? {
        None => find(&pair.new, &pair.old)?,
        found => found,
    };
    let Some(wrong) = wrong else { return Ok((None, None)) };
    let file = store::beside(job.store.path()).with_extension("smt2");
    std::fs::write(&file, &wrong.script).with_context(|| format!("cannot write `{}`", file.display()))?;
    Ok((Some(wrong), Some(file)))
}

fn tally(solver: &SolverRow, runs: &[RunRow]) -> Tally {
    let kinds = runs.iter().filter(|run| run.solver == solver.id).map(|run| run.kind).collect();
    Tally { name: solver.name.clone(), kinds }
}

/// Shows the progress of the campaign.
struct Watch<'a> {
    progress: &'a dyn Progress,
    done: u64,
}

impl Observer for Watch<'_> {
    fn finished(&mut self, _: &RunRow) {
        self.done += 1;
        self.progress.update(self.done, &|| format!("{} of {} runs", self.done, 2 * FORMULAS));
    }
}
