//! A search for scripts that are hard for a solver, by mutation and selection.
//!
//! ```text
//! start ──▶ generation 0 ──children──▶ judge ──▶ survivors ──▶ … ──▶ best script ──shrink──▶ smaller best script
//! ```
//!
//! A run starts from one script (`search`). Each generation breeds children of the survivors, measures the solver on them
//! (`judge`, `fitness`) and keeps the fittest. Every member is logged (`log`), so that a run that was stopped continues from
//! its `folder`. Children follow from the seed, the generation and their number alone: the same seed has the same lineage on any
//! number of threads.

mod best;
mod fitness;
mod folder;
mod judge;
mod log;
pub mod part;
mod plot;
mod report;
mod runs;
mod search;
mod show;
mod shrink;

pub use fitness::Fitness;
pub use folder::Folder;
pub use report::Outcome;

use crate::{Host, start_watchdog};
use anyhow::{Context as _, bail};
use campaign::outcome::Answer;
use campaign::profile::{self, Solver};
use serde::{Deserialize, Serialize};
use synth::evolve::Mutators;

/// The options of a search.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Options {
    /// The solver, as on the command line; the default one if there is none.
    pub solver: Option<String>,
    /// The measure of fitness.
    #[serde(with = "as_text")]
    pub fitness: Fitness,
    /// The solver that should be fast, for [`Fitness::Gap`].
    pub against: Option<String>,
    /// Solvers that also run the best script of each run.
    pub compare: Vec<String>,
    /// Generations of a run.
    pub generations: u32,
    /// Scripts in a generation, survivors included.
    pub population: usize,
    /// Scripts that survive a generation.
    pub survivors: usize,
    /// Time for a script, in seconds.
    pub time_limit: f64,
    /// Memory for a solver, in MiB; 0 for no limit.
    pub memory_limit: u64,
    /// Counts wall-clock time instead of CPU time.
    pub wall: bool,
    /// Measurements of a script; their median counts.
    pub repeat: u32,
    /// Minimum number of assertions of a script.
    pub min_asserts: Option<u16>,
    /// Maximum number of assertions of a script.
    pub max_asserts: u16,
    /// Only scripts with this answer.
    #[serde(with = "as_code")]
    pub answer: Option<Answer>,
    /// Mutators with weights.
    #[serde(with = "as_text")]
    pub mutators: Mutators,
    /// The seed of the first run; run R has the seed plus R.
    pub seed: u64,
    /// Searches, one after the other.
    pub runs: usize,
    /// The seed of the solver.
    pub solver_seed: u64,
    /// Runs of the solver at a time; the number of cores if there is none.
    pub jobs: Option<usize>,
    /// Smaller scripts to try for each best script.
    pub shrink: usize,
}

/// A value by its text form.
mod as_text {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};
    use std::fmt::Display;
    use std::str::FromStr;

    pub(super) fn serialize<T: Display, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub(super) fn deserialize<'de, T, D>(from: D) -> Result<T, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

/// An answer by its code.
mod as_code {
    use campaign::outcome::Answer;
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(value: &Option<Answer>, to: S) -> Result<S::Ok, S::Error> {
        value.map(Answer::code).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Answer>, D::Error> {
        let code = Option::<String>::deserialize(from)?;
        let answer = |code: String| Answer::from_code(&code).ok_or_else(|| D::Error::custom("not an answer"));
        code.map(answer).transpose()
    }
}

impl Options {
    /// Minimum number of assertions of a script, capped at the maximum.
    fn min_asserts(&self) -> usize {
        usize::from(self.min_asserts.unwrap_or(3).min(self.max_asserts))
    }

    /// Checks the options and finds their solvers.
    pub fn solvers(&self) -> anyhow::Result<Solvers> {
        if (self.fitness == Fitness::Gap) != self.against.is_some() {
            bail!("--fitness gap and --against SOLVER go together");
        }
        if self.min_asserts.is_some_and(|n| n > self.max_asserts) {
            bail!("--min-asserts is above --max-asserts");
        }
        let target = match &self.solver {
            Some(spec) => profile::resolve(spec)?,
            None => profile::default_solver()?,
        };
        let against = self.against.as_deref().map(profile::resolve).transpose()?;
        let compare = self.compare.iter().map(|s| profile::resolve(s)).collect::<Result<_, _>>()?;
        Ok(Solvers { target, against, compare })
    }
}

/// The solvers of a search.
pub struct Solvers {
    /// The solver that should be slow.
    pub target: Solver,
    /// The solver that should be fast.
    pub against: Option<Solver>,
    /// Those that run the best scripts.
    pub compare: Vec<Solver>,
}

/// Runs a search, or continues one.
pub fn run(folder: &Folder, host: &Host<'_>) -> anyhow::Result<Outcome> {
    run_with(folder, folder.options.solvers()?, host)
}

/// The same with these solvers, in place of those that the options name.
pub fn run_with(folder: &Folder, solvers: Solvers, host: &Host<'_>) -> anyhow::Result<Outcome> {
    let _watchdog = start_watchdog()?;
    let threads = folder.options.jobs.unwrap_or_else(campaign::provenance::cores);
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")?;
    pool.install(|| runs::all(folder, solvers, host))
}
