//! `stringent bench`: speed relative to other programs.

use crate::Outcome;
use crate::bar::{self, Bar};
use crate::limits::seconds;
use crate::render::{self, Format};
use lab::bench::{
    campaign, cluster, evaluator, front_end, r#gen, latency, limits, sessions, solver, store, synth,
};
use std::path::PathBuf;

/// Measure speed against other programs.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  stringent bench front-end\n  \
    stringent bench front-end --peer 'cvc5=cvc5 --parse-only' --peer z3=z3 --megabytes 20\n  stringent bench evaluator\n  \
    stringent bench campaign\n  stringent bench synth\n  stringent bench gen\n  stringent bench solver --checks 100000\n  \
    stringent bench limits --time-limit 1\n  stringent bench sessions --sessions 200 --checks 500 --keep sessions\n  \
    stringent bench latency --checks 10000 --at-most 60\n  \
    stringent bench store --rows 10000000 --store large.store --store postgres://db.example/lab/large")]
pub(crate) struct Args {
    /// What to measure
    #[arg(value_enum)]
    what: What,
    /// Size of the generated script (front-end)
    #[arg(long, default_value_t = 20)]
    megabytes: usize,
    /// A peer as NAME=COMMAND, run on the script (default: $STRINGENT_CVC5 and $STRINGENT_Z3, where set; front-end: the
    /// first with --parse-only)
    #[arg(long)]
    peer: Vec<String>,
    /// Number of runs; the fastest counts
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Checks in one session (solver; default 100000; latency: 10000), or in the longest one (sessions; default 200)
    #[arg(long)]
    checks: Option<usize>,
    /// Number of sessions (sessions)
    #[arg(long, default_value_t = 20)]
    sessions: usize,
    /// Time limit of each script (limits) or check (latency, sessions), in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = seconds, allow_negative_numbers = true)]
    time_limit: f64,
    /// Time of one solver on one workload, in seconds (latency)
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    at_most: f64,
    /// Number of runs (cluster)
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    simulated: u64,
    /// One in N chunks is really written and merged (cluster)
    #[arg(long, value_name = "N", default_value_t = 200)]
    sample: u64,
    /// Runs in the store (store)
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    rows: u64,
    /// Writers at once (store)
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    writers: u16,
    /// A new store, a file or an address, which is kept; may be repeated (store)
    #[arg(long, value_name = "STORE")]
    store: Vec<PathBuf>,
    /// Seed of the generated script
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Keep the generated script (front-end) or scripts (sessions) here
    #[arg(long)]
    keep: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum What {
    /// Parsing and sort-checking a large script
    FrontEnd,
    /// Operator applications per second on short strings
    Evaluator,
    /// The overhead of the campaign runner over starting a solver, and its speed in batch mode
    Campaign,
    /// The driver of a cluster on a campaign of --simulated runs, with a simulated clock
    Cluster,
    /// Formulas with known answers per second
    Synth,
    /// Scripts of generators per second, in bulk and as a filter
    Gen,
    /// Stores with invented runs: rows per second, bytes per run
    Store,
    /// Push, assert, check, value, pop over one pipe, beside other solvers
    Latency,
    /// Sessions of a concolic executor: the path on the stack, the negation of each branch checked
    Sessions,
    /// The built-in solver's process on trivial formulas, and its memory over many checks
    Solver,
    /// The time that the built-in solver takes beyond its limit, on scripts that are hard to stop
    Limits,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let report = bar::with_host(&Bar::new(0, ""), |host| {
        Ok::<Box<dyn lab::Report>, anyhow::Error>(match args.what {
            What::FrontEnd => Box::new(front_end::run(&args.front_end(), host)?),
            What::Evaluator => Box::new(evaluator::run(args.seed, args.runs)),
            What::Campaign => Box::new(campaign::run(args.runs, host)?),
            What::Cluster => Box::new(cluster::run(args.simulated, args.sample, args.seed, host)?),
            What::Synth => Box::new(synth::run(args.runs)?),
            What::Gen => Box::new(r#gen::run(args.runs, host)?),
            What::Limits => Box::new(limits::run(args.time_limit, args.runs, host)?),
            What::Solver => {
                Box::new(solver::run(args.runs, &args.peer, args.checks.unwrap_or(100_000), host)?)
            }
            What::Store => Box::new(store::run((args.rows, args.writers.into()), &args.store, host)?),
            What::Latency => Box::new(latency::run(&args.latency(), host)?),
            What::Sessions => Box::new(sessions::run(&args.sessions(), host)?),
        })
    })?;
    render::print(args.format, &*report)?;
    Ok(Outcome::Clean)
}

impl Args {
    fn sessions(&self) -> sessions::Settings {
        sessions::Settings {
            sessions: self.sessions,
            checks: self.checks.unwrap_or(200),
            limit: self.time_limit,
            seed: self.seed,
            keep: self.keep.clone(),
            peers: self.peer.clone(),
        }
    }

    fn latency(&self) -> latency::Settings {
        latency::Settings {
            queries: self.checks.unwrap_or(10_000),
            limit: self.time_limit,
            at_most: self.at_most,
            peers: self.peer.clone(),
        }
    }

    fn front_end(&self) -> front_end::Options {
        front_end::Options {
            megabytes: self.megabytes,
            peers: self.peer.clone(),
            runs: self.runs,
            seed: self.seed,
            keep: self.keep.clone(),
        }
    }
}
