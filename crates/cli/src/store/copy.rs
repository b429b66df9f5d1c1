//! `stringent store copy`: a store in another place.

use crate::bar::Bar;
use crate::{Outcome, render, stored};
use campaign::clean::{count, counted};
use campaign::host::Progress as _;
use std::path::PathBuf;

/// Copy a store: to another file, to a server, or from one.
///
/// The copy has everything: instances, solvers, runs, findings. A store of an older format becomes one of the current format. A copy that is
/// stopped is not opened by other verbs.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// The store to copy
    from: PathBuf,
    /// The new store
    to: PathBuf,
    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

const HELP: &str = "\
Examples:
  stringent store copy paper.store postgres://db.example/lab/paper
  stringent store copy postgres://db.example/lab/paper paper.store

Exit codes: 0 done, 2 usage, or a store cannot be read or written, 4 the disk is full.";

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let from = stored::open(&args.from)?;
    let all = from.run_count()?;
    let bar = Bar::new(all, "{bar:30} {msg}").lines(args.quiet);
    let copied = from.copy_to(&args.to, &mut |runs| {
        bar.update(runs, &|| format!("{} of {} runs", count(runs), count(all)));
    });
    bar.finish();
    let copied = copied?;
    render::notice(&format!(
        "{}: {}, {}",
        args.to.display(),
        counted(copied.instances, "instance"),
        counted(copied.runs, "run")
    ));
    Ok(Outcome::Clean)
}
