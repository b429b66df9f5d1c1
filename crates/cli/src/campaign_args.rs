//! The arguments shared by all verbs that run campaigns, and the settings built from them.

use crate::limits::{count, mebibytes, seconds};
use crate::project_args::ProjectArgs;
use crate::render::Format;
use anyhow::{anyhow, bail};
use campaign::process::Watchdog;
use campaign::profile::{self, Solver};
use campaign::project::Project;
use campaign::selection::Shard;
use campaign::settings::{Origin, Settings};
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

/// Solvers, limits, and the place of the results.
#[derive(clap::Args, Clone)]
pub(crate) struct CampaignArgs {
    /// A solver: NAME, NAME@VERSION, NAME=PROGRAM, a profile FILE.toml, or NAME='COMMAND…'; may be repeated
    /// [default: builtin]
    #[arg(long, short, value_name = "SPEC")]
    pub(crate) solver: Vec<String>,
    /// Wall-clock time of each run, in seconds [default: 15]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    time_limit: Option<f64>,
    /// CPU time of each run, in seconds [default: none]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    cpu_limit: Option<f64>,
    /// Memory of each run, in MiB; 0 for no limit [default: 4096]
    #[arg(long, value_name = "MIB", value_parser = mebibytes, allow_negative_numbers = true)]
    memory_limit: Option<u64>,
    /// Seeds to run each solver with, as in `0,1465` [default: 0]
    #[arg(long, value_name = "SEEDS", value_delimiter = ',')]
    solver_seeds: Vec<u64>,
    /// Runs at a time [default: the number of cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    jobs: Option<u16>,
    /// The store for the results [default: a new file in stringent-results/]
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Resume the campaign in --store (or the newest one in stringent-results/)
    #[arg(long)]
    pub(crate) resume: bool,
    /// Send many instances to one process, where the solver's profile allows it; unexpected answers are checked with a
    /// fresh one
    #[arg(long, overrides_with = "no_batch")]
    batch: bool,
    /// A fresh process for every run
    #[arg(long, overrides_with = "batch")]
    no_batch: bool,
    /// Omit the names of assertions, and so unsat cores; names can change the answers of a solver
    #[arg(long)]
    unnamed: bool,
    /// Do not repeat runs that are judged unsound
    #[arg(long)]
    no_confirm: bool,
    /// Do not ask the built-in solver about instances without a known answer
    #[arg(long)]
    no_second_opinion: bool,
    /// At most N instances, spread evenly over all
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(crate) limit: Option<u64>,
    /// Only part I of N of the instances, counted from 1; `stringent store merge` unites the stores
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,
    /// Group the failures by cause and reduce one of each, before the report; see `stringent triage`
    #[arg(long)]
    pub(crate) triage: bool,
    /// Run it on a cluster: `slurm`; see docs/cluster.md
    #[arg(long, value_name = "WHERE", value_enum)]
    pub(crate) on: Option<On>,
    /// With --on: the profile of the cluster [default: ~/.config/stringent/cluster.toml]
    #[arg(long, value_name = "FILE", requires = "on")]
    pub(crate) cluster: Option<PathBuf>,
    /// The HTML report [default: beside the store]
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// No HTML report
    #[arg(long, conflicts_with = "html")]
    pub(crate) no_html: bool,
    /// Format of the report on standard output
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// No progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) project: ProjectArgs,
    /// The verb and arguments that stand for those of the command line, if they are not the same.
    #[arg(skip)]
    pub(crate) origin: Option<Vec<String>>,
}

/// Where a campaign runs, other than here.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum On {
    /// As job arrays of Slurm
    Slurm,
}

impl CampaignArgs {
    /// The same with another default for the time limit of a new campaign.
    pub(crate) fn limited(&self, seconds: f64) -> CampaignArgs {
        let mut args = self.clone();
        if !args.resume {
            args.time_limit.get_or_insert(seconds);
        }
        args
    }

    /// The settings of a new campaign: `defaults`, overridden by the arguments.
    pub(crate) fn settings(&self, defaults: Settings) -> Settings {
        let mut settings = defaults;
        if let Some(seconds) = self.time_limit {
            settings.limits.wall = Duration::from_secs_f64(seconds);
        }
        if let Some(seconds) = self.cpu_limit {
            settings.limits.cpu = Some(Duration::from_secs_f64(seconds));
        }
        if let Some(mib) = self.memory_limit {
            settings.limits.memory = (mib > 0).then_some(mib << 20);
        }
        if !self.solver_seeds.is_empty() {
            settings.seeds.clone_from(&self.solver_seeds);
            settings.seeds = settings.sorted_seeds();
        }
        settings.rules.wants.named &= !self.unnamed;
        settings.selection.limit = self.limit.or(settings.selection.limit);
        settings.selection.shard = self.shard.or(settings.selection.shard);
        self.apply(&mut settings);
        settings
    }

    /// Applies the arguments that may differ when a campaign is resumed.
    pub(crate) fn apply(&self, settings: &mut Settings) {
        settings.jobs = self.jobs.map_or(settings.jobs, usize::from);
        settings.batch = (settings.batch || self.batch) && !self.no_batch;
        settings.confirm &= !self.no_confirm;
        settings.second_opinion &= !self.no_second_opinion;
        settings.watchdog = Watchdog::own_command();
    }

    /// Rejects arguments that contradict the settings of the campaign that is resumed.
    pub(crate) fn check_resumed(&self, stored: &Settings) -> anyhow::Result<()> {
        let given = self.settings(stored.clone());
        let differs = [
            ("--time-limit", given.limits.wall != stored.limits.wall),
            ("--cpu-limit", given.limits.cpu != stored.limits.cpu),
            ("--memory-limit", given.limits.memory != stored.limits.memory),
            ("--solver-seeds", given.seeds != stored.seeds),
            ("--limit", given.selection.limit != stored.selection.limit),
            ("--shard", given.selection.shard != stored.selection.shard),
            ("--unnamed", given.rules.wants.named != stored.rules.wants.named),
        ];
        match differs.iter().find(|(_, differs)| *differs) {
            Some((option, _)) => bail!("{option} differs from the campaign that is resumed; leave it out"),
            None => Ok(()),
        }
    }

    /// Adds the solvers and limits of the project file, as far as no others are given.
    pub(crate) fn complete(&mut self, project: &Project, suite: Option<&str>) -> anyhow::Result<()> {
        self.solver = match (&self.solver[..], suite) {
            ([], Some(suite)) => project.solvers_of(suite).map_err(|e| anyhow!(e))?,
            ([], None) => project.solvers(),
            (given, _) => given.iter().map(|s| project.solver(s).unwrap_or_else(|| s.clone())).collect(),
        };
        let limits = project.limits();
        self.time_limit = self.time_limit.or(limits.time());
        self.cpu_limit = self.cpu_limit.or(limits.cpu());
        self.memory_limit = self.memory_limit.or(limits.memory);
        self.jobs = self.jobs.or(limits.jobs.map(NonZero::get));
        Ok(())
    }

    /// How this campaign is started.
    pub(crate) fn origin(&self) -> Origin {
        let given = || std::env::args_os().skip(1).map(|w| w.to_string_lossy().into_owned()).collect();
        let directory = std::env::current_dir().unwrap_or_default();
        Origin {
            arguments: self.origin.clone().unwrap_or_else(given),
            directory: directory.display().to_string(),
        }
    }

    /// The named solvers.
    pub(crate) fn named_solvers(&self) -> anyhow::Result<Vec<Solver>> {
        distinct(&self.solver)
    }

    /// The named solvers, or the default one.
    pub(crate) fn solvers(&self) -> anyhow::Result<Vec<Solver>> {
        if self.solver.is_empty() { Ok(vec![profile::default_solver()?]) } else { self.named_solvers() }
    }
}

/// The solvers of these specifications, all different.
pub(crate) fn distinct(specs: &[String]) -> anyhow::Result<Vec<Solver>> {
    let mut solvers: Vec<Solver> = Vec::new();
    for spec in specs {
        let solver = profile::resolve(spec)?;
        if solvers.iter().any(|s| s.name == solver.name) {
            bail!("`{}` is given twice", solver.name);
        }
        solvers.push(solver);
    }
    Ok(solvers)
}
