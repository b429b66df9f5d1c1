//! The flags of the generator `edits` as flags of `stringent edits`, and its words from a file.

use crate::r#gen::argument;
use anyhow::anyhow;
use campaign::clean::shell;
use clap::{ArgMatches, Command, FromArgMatches};
use lab::edits::read_list;
use std::path::PathBuf;
use synth::generators::bulk::Frame;
use synth::generators::{self, Edits, Flag, Generator as _, Parameters as _};

/// The generator with its flags from the command line, or the error in them. Without those about words if `FIXED`.
#[derive(Clone)]
pub(super) struct Flags<const FIXED: bool>(Result<Edits, String>);

/// The flags about words.
const WORDS: [&str; 8] =
    ["length", "distance", "alphabet", "alphabet-size", "characters", "words", "from", "to"];

impl<const FIXED: bool> Flags<FIXED> {
    fn flags() -> impl Iterator<Item = Flag> {
        Edits::default().flags().into_iter().filter(|f| !FIXED || !WORDS.contains(&f.name))
    }

    /// The generator, unchecked.
    pub(super) fn generator(&self) -> anyhow::Result<Edits> {
        self.0.clone().map_err(|e| anyhow!(e))
    }

    fn set(matches: &ArgMatches) -> Result<Edits, String> {
        let mut edits = Edits::default();
        for flag in Self::flags() {
            if flag.switch {
                if matches.get_flag(flag.name) {
                    edits.set(flag.name, "true")?;
                }
            } else if let Some(value) = matches.get_one::<String>(flag.name) {
                edits.set(flag.name, value).map_err(|e| format!("--{}: {e}", flag.name))?;
            }
        }
        Ok(edits)
    }
}

impl<const FIXED: bool> clap::Args for Flags<FIXED> {
    fn augment_args(cmd: Command) -> Command {
        Self::flags().fold(cmd.next_help_heading("Formulas"), |c, flag| c.arg(argument(flag)))
    }

    fn augment_args_for_update(cmd: Command) -> Command {
        Self::augment_args(cmd)
    }
}

impl<const FIXED: bool> FromArgMatches for Flags<FIXED> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Flags(Self::set(matches)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Which formulas.
#[derive(clap::Args, Clone)]
pub(super) struct Shape {
    #[command(flatten)]
    flags: Flags<false>,
    /// Draw words from the lines of a file
    #[arg(long, value_name = "FILE", conflicts_with = "words")]
    word_list: Option<PathBuf>,
}

impl Shape {
    /// The generator, checked, and the origin that its texts state.
    pub(super) fn generator(&self) -> anyhow::Result<(Edits, Frame)> {
        let mut edits = self.flags.generator()?;
        let mut frame = Frame::default();
        if let Some(path) = &self.word_list {
            let command = generators::command(&edits);
            let flags = command.strip_prefix("edits").unwrap_or("");
            frame.command =
                Some(format!("edits log --word-list {}{flags}", shell(&path.display().to_string())));
            edits.words = read_list(path)?;
        }
        edits.check().map_err(|e| anyhow!(e))?;
        Ok((edits, frame))
    }
}
