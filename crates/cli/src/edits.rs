//! `stringent edits`: formulas on the edit distance of words, as MADAMASTRA generates them.

mod attempt;
mod log;
mod search;
mod shape;

use crate::Outcome;
use crate::campaign_args::CampaignArgs;
use clap::Subcommand;

/// Test solvers on edit-distance formulas, or write such formulas.
///
/// A formula states that one word becomes another by a number of insertions, removals and replacements of a character. With
/// as many operations as the edit distance it is satisfiable, and the edits are its model; with fewer it is unsatisfiable. After MADAMASTRA (Strebel and Schmidiger); see docs/edits.md.
#[derive(clap::Args)]
#[command(subcommand_required = true, arg_required_else_help = true, after_help = HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

const HELP: &str = "\
Examples:
  stringent edits search --count 10000 --solver z3 --solver cvc5 --time-limit 2
  stringent edits try host wops --solver z3@4.8.15 --limit-time 600
  stringent edits log --from host --to wops --unknown 0.5 --mode sat

Exit codes: those of `stringent test` for search and try; 0 done, 2 bad usage for log.";

#[derive(Subcommand)]
enum Verb {
    /// Run solvers on the formulas of many pairs of words, and judge the answers
    Search(search::Args),
    /// Run solvers on formulas of two given words until one fails
    Try(attempt::Args),
    /// Write formulas without running solvers
    Log(log::Args),
}

impl Args {
    /// The arguments of the campaign, for a verb that can be resumed.
    pub(crate) fn campaign(&mut self) -> Option<&mut CampaignArgs> {
        match &mut self.verb {
            Verb::Search(args) => Some(&mut args.campaign),
            Verb::Try(_) | Verb::Log(_) => None,
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    match &args.verb {
        Verb::Search(args) => search::run(args),
        Verb::Try(args) => attempt::run(args),
        Verb::Log(args) => log::run(args),
    }
}
