//! The best script so far, on disk.

use super::State;
use crate::doc::{Doc, Size};
use anyhow::Context as _;
use std::path::{Path, PathBuf};

/// The file for the best script.
pub(super) struct Output {
    path: Option<PathBuf>,
    /// The size of the script that is there already, until a smaller one or the same is found: a reduction that is resumed
    /// comes to it again.
    there: Option<Size>,
}

impl Output {
    /// The file `path`; with a script in it, if `resume`.
    pub(super) fn new(path: Option<&Path>, resume: bool) -> Output {
        let before = path.filter(|_| resume).and_then(|p| std::fs::read(p).ok());
        let there = before.and_then(|text| Doc::from_text(&text).ok()).map(|doc| doc.size());
        Output { path: path.map(Path::to_owned), there }
    }

    /// The file has a better script than those that were found again.
    pub(super) fn is_ahead(&self) -> bool {
        self.there.is_some()
    }

    /// Keeps this script, which is in the file, until one of its size is found.
    pub(super) fn hold(&mut self, state: &State) {
        self.there = Some(state.doc.size());
    }

    /// Replaces the file at once, if the script is no larger: a reader sees the old text or the new one.
    pub(super) fn write(&mut self, state: &State) -> anyhow::Result<()> {
        if self.there.is_some_and(|there| state.doc.size() > there) {
            return Ok(());
        }
        self.replace(state)
    }

    /// Replaces the file, whatever is in it.
    pub(super) fn replace(&mut self, state: &State) -> anyhow::Result<()> {
        self.there = None;
        let Some(path) = &self.path else { return Ok(()) };
        replace(path, &state.script()).with_context(|| format!("cannot write `{}`", path.display()))
    }

    /// The text in the file; that of the state, if there is no file.
    pub(super) fn read(&self, state: &State) -> anyhow::Result<Vec<u8>> {
        let Some(path) = &self.path else { return Ok(state.script().into_bytes()) };
        std::fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))
    }
}

/// A process that is killed leaves either text, and at most a file that the next one overwrites.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".tmp");
    let draft = path.with_file_name(name);
    std::fs::write(&draft, text)?;
    std::fs::rename(&draft, path)
}
