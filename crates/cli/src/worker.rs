//! `stringent worker`: one task of a campaign on a cluster.

use crate::{Outcome, r#break, hunt, render, signals};
use ::cluster::drive::read_list;
use ::cluster::parts::{self, Parts, Search};
use ::cluster::worker::{Flush, Order, Task, Worked, cpus, work};
use anyhow::{Context as _, bail};
use campaign::clean::counted;
use campaign::process::Cancel;
use std::path::PathBuf;
use std::time::Duration;

/// Do the runs of one chunk of a plan, and write the results as shards.
///
/// This is what `--on slurm` has every task do; any scheduler that numbers its tasks can do the same. The worker runs what no
/// shard of the chunk in --out has yet, so that a task may be started again, and two copies of one do no harm. It refuses a plan that was
/// changed, and a solver that is not the build of the plan. On SIGTERM it writes what is finished and ends.
///
/// If the folder describes the parts of a hunt or of `break`, the worker does part N, and writes copies of its state instead of shards.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// The folder of the plan
    #[arg(long, value_name = "DIR")]
    plan: PathBuf,
    /// The number of the chunk, from 0
    #[arg(long, value_name = "N")]
    index: u64,
    /// The folder for the shards
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The chunk is on line N of this file, counted from 0
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    /// The digest that the plan must have
    #[arg(long, value_name = "SHA256")]
    digest: Option<String>,
    /// Runs at a time [default: the CPUs of the allocation]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    jobs: Option<u16>,
    /// Write a shard after this number of runs
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u32).range(1..))]
    flush_runs: u32,
    /// Write a shard after this number of seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    flush_seconds: u32,
}

const HELP: &str = "\
Examples:
  stringent cluster plan --store a.store --shared /shared --chunk 500
  stringent worker --plan /shared/plans/0123456789abcdef --index 7 --out /shared/plans/0123456789abcdef/shards
  stringent cluster merge --store a.store

Exit codes: 0 all runs of the chunk are in shards, 11 stopped before that, 2 bad input, a plan that was changed or another
build of a solver, 4 shards cannot be written.";

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let cancel = Cancel::new().context("cannot start")?;
    signals::stop_on_signals(&cancel)?;
    let jobs = args.jobs.map_or_else(cpus, usize::from);
    if Parts::is_at(&args.plan) {
        return part(args, jobs, &cancel);
    }
    let flush =
        Flush { runs: args.flush_runs as usize, every: Duration::from_secs(args.flush_seconds.into()) };
    let order = Order {
        plan: &args.plan,
        digest: args.digest.as_deref(),
        chunk: chunk(args)?,
        out: &args.out,
        jobs,
        flush,
        task: Task::from_env(),
    };
    let Worked { jobs, before, done, shards, stopped } = work(&order, &cancel)?;
    render::notice(&format!(
        "chunk {}: {}, {before} of them before, {done} now, in {}",
        order.chunk,
        counted(jobs, "run"),
        counted(shards.into(), "shard")
    ));
    Ok(if stopped { Outcome::Undetermined } else { Outcome::Clean })
}

/// One part of a hunt or of `break`.
fn part(args: &Args, jobs: usize, cancel: &Cancel) -> anyhow::Result<Outcome> {
    let parts = Parts::open(&args.plan, args.digest.as_deref())?;
    let (part, every) = (chunk(args)?, Duration::try_from_secs_f64(parts.header.every)?);
    let search: Box<dyn Search<anyhow::Error>> = match &*parts.header.verb {
        "hunt" => Box::new(hunt::Part::new(&parts, part, jobs)?),
        "break" => Box::new(r#break::Part::new(&parts, part, jobs)?),
        verb => bail!("{}: there are no parts of `{verb}`", args.plan.display()),
    };
    let order = parts::Order { part, out: &args.out, every, task: Task::from_env() };
    let parts::Worked { from, to, done, behind } = parts::work(&parts, &order, &*search, cancel)?;
    let end = match (done, behind) {
        (true, _) => "it is done",
        (false, true) => "another task is ahead",
        (false, false) => "it was stopped",
    };
    render::notice(&format!("part {part}: from copy {from} to copy {to}, {end}"));
    Ok(if done { Outcome::Clean } else { Outcome::Undetermined })
}

fn chunk(args: &Args) -> anyhow::Result<u64> {
    let Some(list) = &args.list else { return Ok(args.index) };
    let chunks = read_list(list)?;
    match usize::try_from(args.index).ok().and_then(|n| chunks.get(n)) {
        Some(chunk) => Ok(*chunk),
        None => bail!("{}: there is no line {}, counted from 0", list.display(), args.index),
    }
}
