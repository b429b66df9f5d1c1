//! `stringent completions` and `stringent man`.

use crate::{Cli, Outcome};
use anyhow::Context as _;
use clap::CommandFactory as _;
use std::io::Write as _;
use std::path::PathBuf;

/// Print a completion script for a shell.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  stringent completions bash > ~/.local/share/bash-completion/completions/stringent"
)]
pub(crate) struct CompletionArgs {
    /// The shell
    shell: clap_complete::Shell,
}

/// Print the manual page, or write one page per verb.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stringent man | man -l -\n  stringent man --dir ~/.local/share/man/man1"
)]
pub(crate) struct ManArgs {
    /// Write stringent.1 and stringent-VERB.1 into this directory
    #[arg(long)]
    dir: Option<PathBuf>,
}

pub(crate) fn completions(args: &CompletionArgs) -> anyhow::Result<Outcome> {
    // The generator panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "stringent", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(Outcome::Clean)
}

pub(crate) fn man(args: &ManArgs) -> anyhow::Result<Outcome> {
    match &args.dir {
        None => clap_mangen::Man::new(Cli::command()).render(&mut std::io::stdout())?,
        Some(dir) => {
            std::fs::create_dir_all(dir).with_context(|| format!("cannot create `{}`", dir.display()))?;
            clap_mangen::generate_to(Cli::command(), dir)
                .with_context(|| format!("cannot write into `{}`", dir.display()))?;
        }
    }
    Ok(Outcome::Clean)
}
