//! `stringent selftest solver`: random formulas with known answers for the built-in solver.

use crate::Outcome;
use crate::bar::{self, Bar};
use crate::limits::seconds;
use crate::render::{self, Format};
use lab::selftest::formulas::{self, Options};
use solver::options::Strategy;
use std::path::PathBuf;

/// Solve random formulas with known answers with the built-in solver.
///
/// Small formulas over all operators on strings, with integers and Boolean structure: some are satisfiable by construction, some
/// have so few candidates that all are tried. A formula is determined by the seed and its number. Findings are reduced
/// and shown as scripts.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(super) struct Args {
    /// Formulas
    #[arg(long, short = 'n', default_value_t = 10_000)]
    count: u64,
    /// The number of the first formula
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Random seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Work for each formula, in ticks
    #[arg(long, default_value_t = 200_000)]
    ticks: u64,
    /// Audit the inferences on this percentage of formulas
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=100))]
    audit: u8,
    /// Techniques, see `stringent solve --help`
    #[arg(long, value_name = "NAME", default_value = "auto", allow_hyphen_values = true)]
    strategy: Strategy,
    /// Another solver to compare with: NAME, NAME@VERSION, NAME=PROGRAM, a profile FILE.toml, or NAME='COMMAND…'; may be
    /// repeated
    #[arg(long, value_name = "SPEC")]
    against: Vec<String>,
    /// Time of other solvers for each formula, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds, allow_negative_numbers = true)]
    time_limit: f64,
    /// Threads (default: one per core)
    #[arg(long, short)]
    jobs: Option<usize>,
    /// Write each finding to this directory, as a script
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// Print each formula with the known and the given answer
    #[arg(long)]
    show: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

const HELP: &str = "\
Examples:
  stringent selftest solver --count 1000000
  stringent selftest solver --from 4711 --count 1 --show
  stringent selftest solver --count 50000 --against z3 --against cvc5@1.4.2 --cases wrong/

Exit codes: 0 nothing wrong, 10 the built-in solver is wrong or failed, 2 bad usage.";

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let bar = Bar::new(args.count, "{bar:40} {pos}/{len} formulas, {per_sec}, {eta} left");
    let report = bar::with_host(&bar, |host| formulas::run(&args.options(), host))?;
    if let Some(dir) = &args.cases {
        report.write_cases(dir)?;
    }
    render::print(args.format, &report)?;
    Ok(if report.has_faults() { Outcome::Found } else { Outcome::Clean })
}

impl Args {
    fn options(&self) -> Options {
        Options {
            count: self.count,
            from: self.from,
            seed: self.seed,
            ticks: self.ticks,
            audit: self.audit,
            strategy: self.strategy,
            against: self.against.clone(),
            time_limit: self.time_limit,
            jobs: self.jobs,
            show: self.show,
        }
    }
}
