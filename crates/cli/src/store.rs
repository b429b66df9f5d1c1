//! `stringent store`: work on the stores of campaigns.

mod merge;

use crate::Outcome;
use clap::Subcommand;

/// Work on the stores of campaigns.
#[derive(clap::Args)]
#[command(subcommand_required = true, arg_required_else_help = true, after_help = HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

const HELP: &str = "\
Examples:
  stringent store merge all.store shard-1.store shard-2.store shard-3.store
  stringent report all.store";

#[derive(Subcommand)]
enum Verb {
    /// Unite stores: the shards of a campaign, or different solvers on the same instances
    Merge(merge::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    match &args.verb {
        Verb::Merge(args) => merge::run(args),
    }
}
