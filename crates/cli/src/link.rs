//! `stringent link`: links under the names of other solvers.

use crate::personality::Personality;
use crate::{Outcome, render};
use anyhow::{Context as _, bail};
use std::path::{Path, PathBuf};

/// Make links named z3, cvc5 and cvc4 to this program.
///
/// Called by one of these names, it takes the flags of that solver and answers in its form. Put the folder first in PATH,
/// or give the link to the program that asks for the path of its solver.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// The folder for the links; it is created if it does not exist
    dir: PathBuf,
    /// Only this solver: z3, cvc5 or cvc4 (repeatable)
    #[arg(long, value_name = "SOLVER", value_parser = ["z3", "cvc5", "cvc4"])]
    only: Vec<String>,
}

const HELP: &str = "\
Examples:
  stringent link ~/stringent-bin
  PATH=~/stringent-bin:$PATH python my_program_that_calls_z3.py
  stringent link --only cvc5 bin

An existing link to this program is kept; any other file of that name is left as it is, and an error.

Exit codes: 0 the links are there, 2 a file is in the way or the folder cannot be written.";

#[allow(clippy::print_stdout, reason = "the result of the verb")]
pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let own = std::env::current_exe().context("cannot find this program")?;
    std::fs::create_dir_all(&args.dir).with_context(|| format!("cannot create `{}`", args.dir.display()))?;
    for personality in Personality::ALL {
        if !args.only.is_empty() && !args.only.iter().any(|name| name == personality.name()) {
            continue;
        }
        let link = args.dir.join(personality.name());
        make(&own, &link)?;
        println!("{}", link.display());
    }
    render::notice("to use them: put this folder first in PATH");
    Ok(Outcome::Clean)
}

fn make(own: &Path, link: &Path) -> anyhow::Result<()> {
    let found = std::fs::canonicalize(link);
    if found.is_ok_and(|target| std::fs::canonicalize(own).is_ok_and(|own| own == target)) {
        return Ok(());
    }
    if link.symlink_metadata().is_ok() {
        bail!("`{}` exists and is not a link to this program; remove it first", link.display());
    }
    std::os::unix::fs::symlink(own, link).with_context(|| format!("cannot write `{}`", link.display()))
}
