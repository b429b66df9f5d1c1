//! The runs of a search on several machines: each is a search of one run, whose log becomes that of the run.
//!
//! A run depends on its seed and its start alone, but for the times of scripts that an earlier run has measured as well, which are not measured again on one
//! machine.

use super::folder::script;
use super::{Folder, Options};
use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// What another machine needs to know of a search, besides its solvers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Task {
    options: Options,
    /// The script that runs start from, if one was given.
    start: Option<String>,
}

impl Task {
    /// That of a search.
    pub fn of(folder: &Folder) -> Task {
        Task { options: folder.options.clone(), start: folder.start.as_ref().map(|s| s.to_text("")) }
    }

    /// Run `run` as a search of its own in `dir`, from its beginning or where it was stopped.
    pub fn open(&self, run: u64, jobs: usize, dir: &Path) -> anyhow::Result<Folder> {
        if log(dir, 0).is_file() {
            let mut folder = Folder::resume(dir)?;
            folder.options.jobs = Some(jobs);
            return Ok(folder);
        }
        let seed = self.options.seed.wrapping_add(run);
        let options =
            Options { seed, runs: 1, jobs: Some(jobs), compare: Vec::new(), ..self.options.clone() };
        let start = self.start.as_ref().map(|text| script(text.as_bytes())).transpose()?;
        Folder::new(options, start, Some(dir))
    }
}

/// The log of a run.
fn log(dir: &Path, run: u64) -> PathBuf {
    dir.join(format!("run-{:02}.jsonl", run + 1))
}

/// Files by name.
pub type Files = Vec<(String, Vec<u8>)>;

/// The files of a part that another task can go on from, and the scripts that were judged; none if there is nothing yet. The last line of
/// the log may be incomplete.
pub fn files(dir: &Path) -> anyhow::Result<Option<(Files, u64)>> {
    let mut files = Vec::new();
    for path in [dir.join("break.json"), dir.join("start.smt2"), log(dir, 0)] {
        if let Ok(bytes) = fs::read(&path) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            files.push((name, bytes));
        }
    }
    let text = files.last().filter(|_| log(dir, 0).is_file()).map(|(_, bytes)| bytes);
    let scripts =
        text.map(|bytes| bytes.split(|&b| b == b'\n').filter(|l| l.starts_with(MEMBER)).count() as u64);
    Ok(scripts.filter(|n| *n > 0).map(|n| (files, n)))
}

/// How a line with a script begins.
const MEMBER: &[u8] = b"{\"kind\":\"member\"";

/// Takes the run that a part has done into the folder of the search.
pub fn adopt(folder: &Folder, run: u64, part: &Path) -> anyhow::Result<()> {
    let to = log(folder.dir(), run);
    fs::copy(log(part, 0), &to).with_context(|| to.display().to_string())?;
    Ok(())
}
