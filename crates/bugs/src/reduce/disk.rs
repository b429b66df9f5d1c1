//! The best script so far, on disk.

use super::State;
use anyhow::Context as _;
use std::path::{Path, PathBuf};

/// The file for the best script.
pub(super) struct Output(pub(super) Option<PathBuf>);

impl Output {
    /// Replaces the file at once: a reader sees the old text or the new one.
    pub(super) fn write(&self, state: &State) -> anyhow::Result<()> {
        let Some(path) = &self.0 else { return Ok(()) };
        replace(path, &state.script()).with_context(|| format!("cannot write `{}`", path.display()))
    }

    /// The text in the file; that of the state, if there is no file.
    pub(super) fn read(&self, state: &State) -> anyhow::Result<Vec<u8>> {
        let Some(path) = &self.0 else { return Ok(state.script().into_bytes()) };
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
