//! `stringent selftest`: the evaluator, and the built-in solver, compared with other solvers.

mod solver;

use crate::Outcome;
use crate::bar::{self, Bar};
use crate::render::{self, Format};
use lab::selftest::{Options, total};
use std::path::PathBuf;

/// Compare the evaluator with real solvers on random ground terms.
///
/// Each operator is applied to random arguments without variables, nested and full of corner cases. A solver agrees with our
/// value if it refutes every other one. An application is determined by the seed, the operator and its number.
///
/// `stringent selftest solver` tests the built-in solver instead.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, after_help = HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// A solver: NAME, NAME@VERSION, NAME=PROGRAM, a profile FILE.toml, or NAME='COMMAND…'; may be repeated
    /// [default: z3 and cvc5, as in STRINGENT_Z3 and STRINGENT_CVC5 or installed]
    #[arg(long, short, value_name = "SPEC")]
    solver: Vec<String>,
    /// Applications of each operator
    #[arg(long, default_value_t = 1000)]
    count: u64,
    /// The number of the first application
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Only this operator, or `literal` for the reading of string literals; may be repeated
    #[arg(long, value_name = "OP", allow_hyphen_values = true)]
    operator: Vec<String>,
    /// Random seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Maximum nesting depth of arguments
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=8))]
    depth: u8,
    /// Processes of each solver at a time (default: one per core)
    #[arg(long)]
    jobs: Option<usize>,
    /// Write each new disagreement to this directory, as a script
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

const HELP: &str = "\
Examples:
  stringent selftest --solver z3 --solver cvc5
  stringent selftest --solver mine='./mysolver --smt2' --count 100
  stringent selftest --operator str.indexof --count 100000 --cases disagreements/

Exit codes: 0 no new disagreement, 10 a new disagreement, 11 stopped, or a solver agreed on no term,
2 a solver cannot be used or bad usage.";

#[derive(clap::Subcommand)]
enum Verb {
    /// Solve random formulas with known answers with the built-in solver
    Solver(solver::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    if let Some(Verb::Solver(args)) = &args.verb {
        return solver::run(args);
    }
    let options = args.options();
    let bar = Bar::new(total(&options)?, "{bar:40} {pos}/{len} applications, {per_sec}, {eta} left");
    let comparison = bar::with_host(&bar, |host| lab::selftest::run(&options, host))?;
    if let Some(dir) = &args.cases {
        let written = comparison.write_cases(dir)?;
        render::notice(&format!("{written} disagreements written to {}", dir.display()));
    }
    render::print(args.format, &comparison)?;
    Ok(match comparison.has_findings() {
        true => Outcome::Found,
        false if comparison.is_undetermined() => Outcome::Undetermined,
        false => Outcome::Clean,
    })
}

impl Args {
    fn options(&self) -> Options {
        Options {
            solvers: self.solver.clone(),
            count: self.count,
            from: self.from,
            operators: self.operator.clone(),
            seed: self.seed,
            depth: self.depth,
            jobs: self.jobs,
        }
    }
}
