//! What `test` and `run` have in common: their arguments, and the settings that a store remembers of them.

use crate::render::Format;
use anyhow::{Context as _, bail};
use campaign::compose::Wants;
use campaign::drive;
use campaign::judge::Rules;
use campaign::process::Limits;
use campaign::profile::{self, MemoryLimit, Profile, Solver};
use campaign::store::{SolverRow, Store};
use semantics::Reading;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Which solvers, under which limits, and where the results go.
#[derive(clap::Args, Clone)]
pub(crate) struct CampaignArgs {
    /// A solver: NAME, NAME@VERSION, NAME=PROGRAM, a profile FILE.toml, or NAME='COMMAND…'; may be repeated
    /// [default: builtin]
    #[arg(long, short, value_name = "SPEC")]
    pub(crate) solver: Vec<String>,
    /// Time on the wall for each run, in seconds [default: 15]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<f64>,
    /// Processor time for each run, in seconds [default: none]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    cpu_limit: Option<f64>,
    /// Memory for each run, in MiB; 0 for no limit [default: 4096]
    #[arg(long, value_name = "MIB")]
    memory_limit: Option<u64>,
    /// Seeds to run each solver with, as in `0,1465` [default: 0]
    #[arg(long, value_name = "SEEDS", value_delimiter = ',')]
    solver_seeds: Vec<u64>,
    /// Runs at a time [default: the number of cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    jobs: Option<u16>,
    /// Where to keep the results [default: a new file in stringent-results/]
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Go on with the campaign in --store (or the newest one in stringent-results/) where it was stopped
    #[arg(long)]
    pub(crate) resume: bool,
    /// Put many instances to one process, where the solver's profile allows it; what is not as expected is asked
    /// again of a fresh one
    #[arg(long, overrides_with = "no_batch")]
    batch: bool,
    /// A fresh process for every run
    #[arg(long, overrides_with = "batch")]
    no_batch: bool,
    /// Leave out the names of assertions, and with them the question for the core: answers can depend on it
    #[arg(long)]
    unnamed: bool,
    /// Do not run again what is judged unsound
    #[arg(long)]
    no_confirm: bool,
    /// At most so many instances, spread evenly over all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) limit: Option<u64>,
    /// The HTML report [default: beside the store]
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// No HTML report
    #[arg(long, conflicts_with = "html")]
    pub(crate) no_html: bool,
    /// Form of the report on standard output
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// No progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if s > 0.0 && s <= 1e7 => Ok(s),
        _ => Err("a number of seconds above 0".into()),
    }
}

/// What must stay the same while a campaign is gone on with; kept in its store as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Fixed {
    pub(crate) time_limit: f64,
    pub(crate) cpu_limit: Option<f64>,
    pub(crate) memory_limit: u64,
    pub(crate) solver_seeds: Vec<u64>,
    pub(crate) unnamed: bool,
    pub(crate) semantics: String,
    /// What the instances are: a `synth` command, or paths.
    pub(crate) instances: String,
}

/// How to read the standard, on the way into and out of the store.
pub(crate) fn reading_name(reading: Reading) -> &'static str {
    match reading {
        Reading::Standard => "standard",
        Reading::Pre26 => "pre-2.6",
    }
}

impl CampaignArgs {
    /// The same with another limit on the time of a new campaign, unless one is given.
    pub(crate) fn limited(&self, seconds: f64) -> CampaignArgs {
        let mut args = self.clone();
        if !args.resume {
            args.time_limit.get_or_insert(seconds);
        }
        args
    }

    /// The settings of a new campaign.
    pub(crate) fn fixed(&self, reading: Reading, instances: String) -> Fixed {
        let mut solver_seeds = self.solver_seeds.clone();
        solver_seeds.sort_unstable();
        solver_seeds.dedup();
        Fixed {
            time_limit: self.time_limit.unwrap_or(15.0),
            cpu_limit: self.cpu_limit,
            memory_limit: self.memory_limit.unwrap_or(4096),
            solver_seeds: if solver_seeds.is_empty() { vec![0] } else { solver_seeds },
            unnamed: self.unnamed,
            semantics: reading_name(reading).into(),
            instances,
        }
    }

    /// Options that contradict the campaign that is to be gone on with are errors.
    pub(crate) fn check_resumed(&self, fixed: &Fixed) -> anyhow::Result<()> {
        let given = self.fixed(Reading::Standard, String::new());
        let seeds_differ = !self.solver_seeds.is_empty() && given.solver_seeds != fixed.solver_seeds;
        let differs = [
            ("--time-limit", self.time_limit.is_some_and(|s| (s - fixed.time_limit).abs() > 1e-9)),
            ("--cpu-limit", self.cpu_limit.is_some() && self.cpu_limit != fixed.cpu_limit),
            ("--memory-limit", self.memory_limit.is_some_and(|m| m != fixed.memory_limit)),
            ("--solver-seeds", seeds_differ),
            ("--unnamed", self.unnamed && !fixed.unnamed),
        ];
        match differs.iter().find(|(_, differs)| *differs) {
            Some((option, _)) => bail!("{option} is not what the campaign was started with; leave it out"),
            None => Ok(()),
        }
    }

    /// The solvers that are named, or the default one.
    pub(crate) fn solvers(&self) -> anyhow::Result<Vec<Solver>> {
        if self.solver.is_empty() {
            return Ok(vec![profile::default_solver()?]);
        }
        let mut solvers: Vec<Solver> = Vec::new();
        for spec in &self.solver {
            let solver = profile::resolve(spec)?;
            if solvers.iter().any(|s| s.name == solver.name) {
                bail!("`{}` is given twice", solver.name);
            }
            solvers.push(solver);
        }
        Ok(solvers)
    }

    /// How to run it. Batches are the rule for `test`, whose instances are many and small.
    pub(crate) fn settings(
        &self,
        fixed: &Fixed,
        batch: bool,
        made_for: Reading,
    ) -> anyhow::Result<drive::Settings> {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let time = Duration::try_from_secs_f64(fixed.time_limit).context("the time limit")?;
        let cpu = fixed
            .cpu_limit
            .map(Duration::try_from_secs_f64)
            .transpose()
            .context("the limit on processor time")?;
        let limits = Limits {
            wall: time,
            cpu,
            memory: (fixed.memory_limit > 0).then_some(fixed.memory_limit << 20),
            memory_how: MemoryLimit::default(),
            output: 16 << 20,
        };
        let reading =
            if fixed.semantics == reading_name(Reading::Pre26) { Reading::Pre26 } else { Reading::Standard };
        let wants = Wants { named: !fixed.unnamed, ..Wants::default() };
        Ok(drive::Settings {
            limits,
            rules: Rules { wants, reading, made_for },
            seeds: fixed.solver_seeds.clone(),
            jobs: self.jobs.map_or(cores, usize::from),
            batch: (batch || self.batch) && !self.no_batch,
            confirm: !self.no_confirm,
            keep: 64 << 10,
            watchdog: watchdog(),
        })
    }
}

/// The command of the helper that ends solvers if this process is killed: this program, with a hidden verb.
pub(crate) fn watchdog() -> Option<Vec<OsString>> {
    let program = std::env::current_exe().ok()?;
    Some(vec![program.into(), "watchdog".into()])
}

/// Puts solvers into a store.
pub(crate) fn add_solvers(store: &Store, solvers: &[Solver]) -> anyhow::Result<()> {
    for s in solvers {
        let profile = toml::to_string(&s.profile).with_context(|| format!("the profile of {}", s.name))?;
        let (name, version) = (s.name.clone(), s.version.clone());
        let program = s.program.display().to_string();
        store.add_solver(&SolverRow { id: 0, name, program, version, profile })?;
    }
    Ok(())
}

/// The solvers of a store, with their keys.
pub(crate) fn stored_solvers(store: &Store) -> anyhow::Result<Vec<(i64, Solver)>> {
    let solver = |row: SolverRow| {
        let profile: Profile =
            toml::from_str(&row.profile).with_context(|| format!("the stored profile of {}", row.name))?;
        let program = PathBuf::from(row.program);
        Ok((row.id, Solver { name: row.name, profile, program, version: row.version }))
    };
    store.solvers()?.into_iter().map(solver).collect()
}
