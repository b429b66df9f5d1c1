//! `stringent demo`: one wrong answer of a real solver, found and confirmed within a minute.

use crate::Outcome;
use crate::bar::{self, Bar};
use crate::render::{self, Format};
use lab::demo::{FORMULAS, Options};
use std::path::PathBuf;

/// Find a wrong answer of an old z3, and confirm it, within a minute.
///
/// Fetches an old and a new z3 from the Python package index (no root; Python 3 with pip), runs both on 200 formulas with known
/// answers, and shows one wrong answer with its proof. Offline, or where z3 cannot be fetched, the built-in solver takes
/// their place, with and without planted bugs; not that of solvers named by --old or --new.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Fetch nothing: the named solvers, or the built-in one, with and without planted bugs
    #[arg(long)]
    offline: bool,
    #[arg(help = "The solver with wrong answers [default: z3@4.8.10]", long, value_name = "SPEC")]
    old: Option<String>,
    #[arg(help = "The solver that should be right [default: z3@5.4.0]", long, value_name = "SPEC")]
    new: Option<String>,
    /// The store for the results [default: a new file in stringent-results/]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

const HELP: &str = "\
Examples:
  stringent demo
  stringent demo --offline
  stringent demo --old z3@4.8.10 --new cvc5

Exit codes: 0 a wrong answer is shown, 11 none was found, or stopped, 2 usage or bad input, 4 output cannot be written.";

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let options = Options {
        old: args.old.clone(),
        new: args.new.clone(),
        offline: args.offline,
        store: args.store.clone(),
    };
    let bar = Bar::new(2 * FORMULAS, "{bar:30} {msg}").lines(args.quiet);
    let demo = bar::with_host(&bar, |host| lab::demo::run(&options, host))?;
    render::print(args.format, &demo)?;
    Ok(if demo.is_shown() { Outcome::Clean } else { Outcome::Undetermined })
}

/// The solver with planted bugs.
pub(crate) fn serve() -> anyhow::Result<Outcome> {
    lab::demo::planted::serve()?;
    Ok(Outcome::Clean)
}
