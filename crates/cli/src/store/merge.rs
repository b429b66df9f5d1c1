//! `stringent store merge`: several stores as one.

use crate::{Outcome, render};
use anyhow::bail;
use campaign::clean::counted;
use campaign::merge::{self, Merged};
use campaign::selection::missing_text;
use campaign::store::Store;
use std::path::PathBuf;

/// Unite stores in a new one: the shards of a campaign (`test --shard`), or campaigns of different solvers on the same
/// instances.
///
/// Instances with the same name must be the same formula, solvers with the same name the same version and profile, and a
/// run that is in several stores must have the same result; limits and semantics must agree. Stores with different
/// instances must be shards of one campaign: the same seed, limit and number of shards. The result is a store like any other.
/// Findings are made again by `stringent triage`, from the failures that were reduced in any of the stores.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// The new store
    out: PathBuf,
    /// The stores to unite
    #[arg(required = true, value_name = "IN")]
    stores: Vec<PathBuf>,
}

const HELP: &str = "\
Examples:
  stringent test --solver z3 --shard 1/2 --store a.store
  stringent test --solver z3 --shard 2/2 --store b.store
  stringent store merge all.store a.store b.store
  stringent report all.store

Exit codes: 0 done, 11 done, but a shard or runs are missing, 2 usage, or the stores contradict each other.";

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    if let Some(missing) = args.stores.iter().find(|path| !Store::exists(path)) {
        bail!("there is no store `{}`", missing.display());
    }
    let merged = merge::merge(&args.out, &args.stores)?;
    render::notice(&format!(
        "{}: {}, {}, {}",
        args.out.display(),
        counted(merged.solvers as u64, "solver"),
        counted(merged.instances as u64, "instance"),
        counted(merged.runs as u64, "run"),
    ));
    remarks(&merged).iter().for_each(|line| render::notice(line));
    Ok(if merged.is_complete() { Outcome::Clean } else { Outcome::Undetermined })
}

/// What is missing or repeated.
fn remarks(merged: &Merged) -> Vec<String> {
    let mut lines = Vec::new();
    if !merged.missing.is_empty() {
        lines.push(missing_text(&merged.missing));
    }
    lines.extend(merged.unfinished.iter().map(|path| format!("{}: not finished", path.display())));
    if merged.runs < merged.expected {
        lines.push(format!(
            "{} of {} are missing",
            merged.expected - merged.runs,
            counted(merged.expected as u64, "run")
        ));
    }
    if merged.repeated > 0 {
        lines.push(format!(
            "{} in several stores, with the same result",
            counted(merged.repeated as u64, "run")
        ));
    }
    if merged.examined > 0 {
        let runs = counted(merged.examined as u64, "reduced failure");
        lines.push(format!("{runs}, in no finding yet: `stringent triage` groups them"));
    }
    lines
}
