//! `stringent cluster`: checks a cluster, and does by hand what `--on slurm` does: plan, merge.

use crate::progress::Progress;
use crate::{Outcome, campaign_args, render, signals};
use ::cluster::check::{self, Line, Options};
use ::cluster::config::Config;
use ::cluster::merge::Tally;
use ::cluster::{hand, plan};
use anyhow::{Context as _, bail};
use campaign::clean::{counted, shell};
use campaign::job::Job;
use campaign::process::Cancel;
use campaign::profile;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

/// Check a cluster before a campaign runs on it; plan and merge by hand for other schedulers.
#[derive(clap::Args)]
#[command(subcommand_required = true, arg_required_else_help = true, after_help = HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

const HELP: &str = "\
Examples:
  stringent cluster check --solver z3@4.8.6 --solver cvc5
  stringent test --on slurm --solver z3 --solver cvc5
  stringent cluster plan --store a.store --shared /shared --chunk 500
  stringent cluster merge --store a.store

The profile of the cluster is ~/.config/stringent/cluster.toml; see docs/cluster.md.";

#[derive(clap::Subcommand)]
enum Verb {
    /// Find what is wrong before anything is submitted: commands, controller, partition, folder, nodes, solvers
    Check(CheckArgs),
    /// Freeze the open runs of a campaign for the workers of any scheduler
    Plan(PlanArgs),
    /// Merge the shards that workers have written
    Merge(MergeArgs),
    /// Answers `check` on a node
    #[command(hide = true)]
    Answer(AnswerArgs),
}

#[derive(clap::Args)]
#[command(
    after_help = "Exit codes: 0 all is well, 10 something is wrong, 2 bad usage, or the profile cannot be read."
)]
struct CheckArgs {
    /// The profile of the cluster [default: ~/.config/stringent/cluster.toml]
    #[arg(long, value_name = "FILE")]
    cluster: Option<PathBuf>,
    /// A solver that the nodes must have; may be repeated
    #[arg(long, short, value_name = "SPEC")]
    solver: Vec<String>,
    /// The number of nodes that get a small job; 0 for none
    #[arg(long, value_name = "N", default_value_t = 3)]
    nodes: usize,
    /// How long to wait for their answers, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    wait: u64,
}

#[derive(clap::Args)]
struct PlanArgs {
    /// The store of the campaign
    #[arg(long, value_name = "FILE")]
    store: PathBuf,
    /// The folder that all machines see; plans go to its folder `plans`
    #[arg(long, value_name = "DIR")]
    shared: PathBuf,
    /// Runs in a chunk
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    chunk: u64,
}

#[derive(clap::Args)]
struct MergeArgs {
    /// The store of the campaign
    #[arg(long, value_name = "FILE")]
    store: PathBuf,
    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

#[derive(clap::Args)]
struct AnswerArgs {
    folder: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    match &args.verb {
        Verb::Check(args) => check(args),
        Verb::Plan(args) => freeze(args),
        Verb::Merge(args) => merge(args),
        Verb::Answer(args) => check::answer(&args.folder).map(|_| Outcome::Clean).map_err(Into::into),
    }
}

fn check(args: &CheckArgs) -> anyhow::Result<Outcome> {
    let config = Config::read(args.cluster.as_deref())?;
    let solvers = campaign_args::distinct(&args.solver)?;
    let solvers: Vec<plan::Planned> = solvers.iter().map(plan::planned).collect();
    let cancel = Cancel::new().context("cannot start")?;
    signals::stop_on_signals(&cancel)?;
    let options = Options { solvers: &solvers, nodes: args.nodes, wait: Duration::from_secs(args.wait) };
    let mut out = anstream::stdout().lock();
    let mut written = Ok(());
    let good = check::check(&config, &options, &cancel, &mut |Line { what, result }| {
        let (mark, text) = match result {
            Ok(text) => ("ok   ", text),
            Err(text) => ("WRONG", text),
        };
        written = writeln!(out, "{mark}  {what}: {text}");
    });
    written?;
    Ok(if good { Outcome::Clean } else { Outcome::Found })
}

fn freeze(args: &PlanArgs) -> anyhow::Result<Outcome> {
    let mut job = Job::resume(Some(&args.store), &[])?;
    if !job.store.is_planned()? {
        bail!("{}: its instances are not stored yet; resume it first", args.store.display());
    }
    if job.needs_second_opinion()? {
        job.set_second_opinion(&profile::resolve("builtin")?)?;
    }
    let shared = std::path::absolute(&args.shared)?;
    let frozen = hand::plan(&job, args.chunk, &shared)?;
    let folder = shell(&frozen.plan.folder.display().to_string());
    let last = frozen.plan.chunks() - 1;
    let mut out = anstream::stdout().lock();
    writeln!(out, "plan {folder}: {} in chunks 0 to {last}", counted(frozen.plan.header.runs, "run"))?;
    writeln!(out, "for each chunk N:  stringent worker --plan {folder} --index N --out {folder}/shards")?;
    writeln!(
        out,
        "then:              stringent cluster merge --store {}",
        shell(&args.store.display().to_string())
    )?;
    Ok(Outcome::Clean)
}

fn merge(args: &MergeArgs) -> anyhow::Result<Outcome> {
    let mut job = Job::resume(Some(&args.store), &[])?;
    let cancel = Cancel::new().context("cannot start")?;
    signals::stop_on_signals(&cancel)?;
    let solvers = job.store.solvers()?;
    let mut progress = Progress::new(solvers.into_iter().map(|s| (s.id, s.name)).collect(), args.quiet);
    let merged = hand::merge(&mut job, &mut progress, &mut |text| render::notice(text), &cancel);
    progress.finish();
    let (Tally { shards, runs, twins, refused, .. }, missing) = merged?;
    let mut out = anstream::stdout().lock();
    writeln!(
        out,
        "{} merged: {}, {twins} of them twice; {refused} refused",
        counted(shards, "shard"),
        counted(runs, "run")
    )?;
    if missing.is_empty() {
        job.run(&mut (), &cancel)?;
        writeln!(out, "complete: stringent report {}", shell(&args.store.display().to_string()))?;
        return Ok(Outcome::Clean);
    }
    let some: Vec<String> = missing.iter().take(10).map(u64::to_string).collect();
    let more = if missing.len() > some.len() { ", …" } else { "" };
    writeln!(out, "{} not complete: {}{more}", counted(missing.len() as u64, "chunk"), some.join(", "))?;
    Ok(Outcome::Undetermined)
}
