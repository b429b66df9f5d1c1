//! `stringent store`: work on the stores of campaigns.

mod check;
mod copy;
mod list;
mod merge;
mod remove;

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
  stringent store list
  stringent store copy paper.store postgres://db.example/lab/paper
  stringent store check paper.store
  stringent store merge all.store shard-1.store shard-2.store shard-3.store
  stringent report all.store";

#[derive(Subcommand)]
enum Verb {
    /// Unite stores: the shards of a campaign, or different solvers on the same instances
    Merge(merge::Args),
    /// Copy a store: to another file, to a server, or from one
    Copy(copy::Args),
    /// List the stores of a folder or of a database, with their sizes
    List(list::Args),
    /// Read all of a store and report what is damaged, and its size
    Check(check::Args),
    /// Delete stores
    Remove(remove::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    match &args.verb {
        Verb::Merge(args) => merge::run(args),
        Verb::Copy(args) => copy::run(args),
        Verb::List(args) => list::run(args),
        Verb::Check(args) => check::run(args),
        Verb::Remove(args) => remove::run(args),
    }
}
