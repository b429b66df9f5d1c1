//! `stringent show`: explain one failure of a campaign.

use crate::Outcome;
use crate::stored::RunArgs;
use campaign::report::show;
use std::io::Write as _;

/// Explain a failure: the formula, its known answer, the answer of the solver, and why it is wrong.
///
/// The number is that of the report, in which each group of failures has one; its smallest formula is shown.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    run: RunArgs,
}

const HELP: &str = "\
Examples:
  stringent show 3
  stringent show 3 --store paper.store
  stringent show icse20/constant/str.at/0001 --solver z3-4.8.6

Exit codes: 0, or 2 usage or bad input (no such failure).";

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut found = args.run.find()?;
    found.data.load_details(&found.store, &[found.run])?;
    write!(anstream::stdout().lock(), "{}", show::render(&found.data, &[found.run], &found.options))?;
    Ok(Outcome::Clean)
}
