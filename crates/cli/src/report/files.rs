//! The options `--html FILE`, `--csv FILE`, …: one for each report format.

use crate::render;
use anyhow::Context as _;
use campaign::report::compare::Comparison;
use campaign::report::{self, Data, FORMATS, Format, Options};
use campaign::store::Store;
use clap::{Arg, ArgGroup, ArgMatches, Command, FromArgMatches, value_parser};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The group of the options.
pub(super) const GROUP: &str = "files";

/// The files to write.
#[derive(Clone, Default)]
pub(super) struct Files(Vec<(&'static dyn Format, PathBuf)>);

impl Files {
    /// No file is written.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A file lists every run.
    pub(super) fn lists_runs(&self) -> bool {
        self.0.iter().any(|(format, _)| format.lists_runs())
    }

    /// Writes the files.
    pub(super) fn write(
        &self,
        store: &Store,
        data: &mut Data,
        comparison: Option<&Comparison>,
        options: &Options,
    ) -> anyhow::Result<()> {
        // Files have no escape codes.
        let options = Options { styled: false, ..options.clone() };
        for (format, path) in &self.0 {
            let mut bytes = Vec::new();
            report::write(*format, store, data, comparison, &options, &mut bytes)?;
            write_file(path, &bytes)?;
        }
        Ok(())
    }
}

fn write_file(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if path == Path::new("-") {
        return Ok(std::io::stdout().lock().write_all(bytes)?);
    }
    std::fs::write(path, bytes).with_context(|| format!("cannot write `{}`", path.display()))?;
    render::notice(&format!("wrote {}", path.display()));
    Ok(())
}

fn option(format: &&'static dyn Format) -> Arg {
    let parser = value_parser!(PathBuf);
    Arg::new(format.name()).long(format.name()).value_name("FILE").help(format.about()).value_parser(parser)
}

impl clap::Args for Files {
    fn augment_args(cmd: Command) -> Command {
        let names = FORMATS.iter().map(|f| f.name());
        cmd.args(FORMATS.iter().map(option)).group(ArgGroup::new(GROUP).args(names).multiple(true))
    }

    fn augment_args_for_update(cmd: Command) -> Command {
        Self::augment_args(cmd)
    }
}

impl FromArgMatches for Files {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let file = |f: &&'static dyn Format| Some((*f, matches.get_one::<PathBuf>(f.name())?.clone()));
        Ok(Files(FORMATS.iter().filter_map(file).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
