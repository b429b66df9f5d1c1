//! The arguments for the project file and known failures.

use anyhow::Context as _;
use campaign::project::Project;
use campaign::report::Data;
use campaign::report::baseline::{Baseline, baseline_text};
use std::path::{Path, PathBuf};

/// The project file, and known failures.
#[derive(clap::Args, Clone)]
pub(crate) struct ProjectArgs {
    /// Known failures: those listed in this file do not fail the run, and are counted as known
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write the failures to this file, for --baseline
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
    /// The project file [default: stringent.toml in this folder or a parent]
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    config: Option<PathBuf>,
    /// No project file
    #[arg(long)]
    no_config: bool,
}

impl ProjectArgs {
    /// The project: the file that is named, or the nearest one.
    pub(crate) fn project(&self) -> anyhow::Result<Option<Project>> {
        if self.no_config {
            return Ok(None);
        }
        Ok(match &self.config {
            Some(path) => Some(Project::read(path)?),
            None => Project::find(&std::env::current_dir().context("cannot find the current folder")?)?,
        })
    }

    /// Uses the known failures of a project unless others are named; returns whether it did.
    pub(crate) fn complete(&mut self, project: &Project) -> bool {
        let used = self.baseline.is_none() && project.baseline().is_some();
        self.baseline = self.baseline.take().or_else(|| project.baseline());
        used
    }

    /// The known failures. There are none yet if their file is the one to write, and not there.
    pub(crate) fn baseline(&self) -> anyhow::Result<Option<Baseline>> {
        if let (Some(read), Some(write)) = (&self.baseline, &self.write_baseline)
            && !read.exists()
            && is_same_file(read, write)
        {
            return Ok(None);
        }
        Ok(self.baseline.as_deref().map(Baseline::read).transpose()?)
    }

    /// Writes the failures of a campaign, if requested.
    pub(crate) fn write(&self, data: &Data, before: Option<&Baseline>) -> anyhow::Result<()> {
        let Some(path) = &self.write_baseline else { return Ok(()) };
        std::fs::write(path, baseline_text(data, before))
            .with_context(|| format!("cannot write `{}`", path.display()))?;
        crate::render::notice(&format!("known failures: {}", path.display()));
        Ok(())
    }
}

/// The paths of files, which need not be there, name the same one.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        let path = std::path::absolute(path).ok()?;
        Some((path.parent()?.canonicalize().ok()?, path.file_name()?.to_owned()))
    };
    place(one).is_some() && place(one) == place(other)
}
