//! `stringent show`: explain one failure or one bug of a campaign.

use crate::Outcome;
use crate::render::Format;
use crate::stored::PlaceArgs;
use campaign::report::{find, json, show};
use std::io::Write as _;

/// Explain a failure: the formula, its known answer, the answer of the solver, and why it is wrong.
///
/// The number is that of the report, in which each group of failures has one; its smallest formula is shown. After `stringent triage`, --bug
/// shows a bug: the reduced formula, why the answer is wrong, the versions of the solver, and all failures with this cause.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// The number of a failure in the report, or the name of an instance
    #[arg(value_name = "NUMBER|NAME", required_unless_present = "bug")]
    which: Option<String>,
    /// The number of a bug in the report of a store that was triaged
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["which", "seed"])]
    bug: Option<u32>,
    #[command(flatten)]
    place: PlaceArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

const HELP: &str = "\
Examples:
  stringent show 3
  stringent show 3 --store paper.store
  stringent show icse20/constant/str.at/0001 --solver z3-4.8.6
  stringent show --bug 2 --store paper.store
  stringent show --bug 2 --format json

Exit codes: 0, or 2 usage or bad input (no such failure).";

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let text = match (args.bug, &args.which) {
        (Some(number), _) => bug(args, number)?,
        (None, which) => failure(args, which.as_deref().unwrap_or_default())?,
    };
    anstream::stdout().lock().write_all(text.as_bytes())?;
    Ok(Outcome::Clean)
}

fn bug(args: &Args, number: u32) -> anyhow::Result<String> {
    let opened = args.place.open()?;
    let found = find::finding(&opened.data, number)?;
    Ok(match args.format {
        Format::Text => show::finding::render(&opened.data, found, &opened.options),
        Format::Json => format!("{:#}\n", json::finding(found)),
    })
}

fn failure(args: &Args, which: &str) -> anyhow::Result<String> {
    let mut found = args.place.find(which)?;
    found.data.load_details(&found.store, &[found.run])?;
    Ok(match args.format {
        Format::Text => show::render(&found.data, &[found.run], &found.options),
        Format::Json => format!("{:#}\n", json::show(&found.data, &[found.run])),
    })
}
