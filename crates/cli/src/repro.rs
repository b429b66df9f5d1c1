//! `stringent repro`: run one failure of a campaign again.

use crate::Outcome;
use crate::stored::RunArgs;
use anyhow::{Context as _, bail};
use campaign::clean::{one_line, time};
use campaign::outcome::Ending;
use campaign::repro::{self, Again};
use std::io::Write as _;
use std::path::PathBuf;

/// Run a failure again: the same script, solver and limits.
///
/// The number is that of the report, in which each group of failures has one; its smallest formula is run. The script is
/// written beside the store.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    run: RunArgs,
    /// Write the script to this file [default: beside the store]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

const HELP: &str = "\
Examples:
  stringent repro 3
  stringent repro 3 --store paper.store --output bug.smt2
  stringent repro icse20/constant/str.at/0001 --solver z3-4.8.6

Exit codes: 10 reproduced, 0 not reproduced (another verdict), 2 usage or bad input (no such failure,
or the solver cannot be started).";

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let found = args.run.find()?;
    let run = &found.data.runs[found.run];
    let key = run.key();
    let default = || repro::script_file(found.store.path(), &args.run.which);
    let file = args.output.clone().unwrap_or_else(default);
    let cancel = campaign::process::Cancel::new().context("cannot start")?;
    crate::signals::stop_on_signals(&cancel)?;
    let again = repro::repro(&found.store, key, &file, &cancel)?;
    if again.ended.ending == Ending::Cancelled {
        bail!("stopped");
    }
    let mut out = anstream::stdout().lock();
    let name = one_line(&found.data.instances[run.instance].name);
    writeln!(out, "instance  {name}")?;
    writeln!(out, "solver    {}", one_line(&found.data.solvers[run.solver].name))?;
    writeln!(out, "script    {}", file.display())?;
    print(&mut out, &again)?;
    Ok(if again.reproduced { Outcome::Found } else { Outcome::Clean })
}

fn print(out: &mut impl std::io::Write, again: &Again) -> std::io::Result<()> {
    let (judged, before) = (&again.judged, &again.before);
    writeln!(out, "command   {}", one_line(&again.command))?;
    writeln!(out, "answer    {}, {}, {}", judged.answer, again.ended.ending, time(again.ended.wall))?;
    writeln!(out, "verdict   {} {}", judged.verdict(), judged.kind)?;
    for line in judged.evidence.lines() {
        writeln!(out, "  {}", one_line(line))?;
    }
    if again.reproduced {
        return writeln!(out, "\nreproduced: {} {}", before.verdict(), before.kind);
    }
    writeln!(
        out,
        "\nnot reproduced: it was {} {} (answer {}, {})",
        before.verdict(),
        before.kind,
        before.answer,
        one_line(&before.ending)
    )
}
