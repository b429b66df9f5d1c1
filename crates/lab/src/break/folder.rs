//! The folder of a search: its options, its start, the logs of its runs and the best scripts.

use super::Options;
use anyhow::{Context as _, anyhow};
use campaign::folder::{Record, RunFolder};
use semantics::Instance;
use std::path::Path;

/// The verb, in the name of the folder and of its record.
const VERB: &str = "break";
/// The script that runs start from, if one was given.
const START: &str = "start.smt2";

/// A search in a folder, locked by this process.
pub struct Folder {
    folder: RunFolder,
    /// The options that the search was started with.
    pub options: Options,
    /// The command that started it.
    pub(super) command: String,
    /// The script that runs start from.
    pub(super) start: Option<Instance>,
}

impl Folder {
    /// A new search in `dir`, or in a new folder in the default place.
    pub fn create(options: Options, start: Option<Instance>, dir: Option<&Path>) -> anyhow::Result<Folder> {
        options.solvers()?;
        Folder::new(options, start, dir)
    }

    /// A new search whose solvers are not looked for.
    pub(super) fn new(
        options: Options,
        start: Option<Instance>,
        dir: Option<&Path>,
    ) -> anyhow::Result<Folder> {
        let folder = RunFolder::create(dir, VERB)?;
        if let Some(start) = &start {
            write(&folder.path().join(START), &start.to_text(""))?;
        }
        let record = Record::of_this_process(options);
        folder.write_record(&record)?;
        Ok(Folder { folder, options: record.options, command: record.command, start })
    }

    /// The search in `dir`, which was stopped.
    pub fn resume(dir: &Path) -> anyhow::Result<Folder> {
        let (folder, record) = RunFolder::resume(dir, VERB)?;
        let start = dir.join(START);
        let start = start.exists().then(|| read(&start)).transpose()?;
        Ok(Folder { folder, options: record.options, command: record.command, start })
    }

    /// Its path.
    pub fn dir(&self) -> &Path {
        self.folder.path()
    }
}

fn read(path: &Path) -> anyhow::Result<Instance> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    script(&bytes).with_context(|| path.display().to_string())
}

pub(super) fn script(bytes: &[u8]) -> anyhow::Result<Instance> {
    Instance::from_text(bytes, None).map_err(|_| anyhow!("not a script"))
}

pub(super) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))
}
