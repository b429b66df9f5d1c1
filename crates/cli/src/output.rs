//! Writing scripts: to files, to standard output, or one JSON object per line.

use anyhow::Context as _;
use std::io::Write as _;
use std::path::Path;
use synth::text::Text;

/// The form of several scripts on standard output.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum Stream {
    /// Scripts, one after the other, each beginning with a comment that names it
    Smt2,
    /// One JSON object per line: name, category, operation, status, source
    Json,
}

/// Writes `text` to the file `name` below `dir`, whose folders are created.
pub(crate) fn write_below(dir: &Path, name: &str, text: &str) -> anyhow::Result<()> {
    let path = dir.join(name);
    let folder = path.parent().unwrap_or(dir);
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    std::fs::write(&path, text).with_context(|| path.display().to_string())
}

/// Writes a generated script below `dir`.
pub(crate) fn write_file(dir: &Path, text: &Text) -> anyhow::Result<()> {
    write_below(dir, &format!("{}.smt2", text.name), &text.source)
}

/// Writes `text` to a file, or to standard output.
pub(crate) fn write_or_print(path: Option<&Path>, text: &str) -> anyhow::Result<()> {
    match path {
        Some(path) => {
            std::fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))
        }
        None => Ok(std::io::stdout().lock().write_all(text.as_bytes())?),
    }
}

/// A generated script as a JSON object.
pub(crate) fn json(text: &Text) -> serde_json::Value {
    serde_json::json!({
        "name": text.name,
        "category": text.category,
        "operation": text.operation,
        "status": text.status.code(),
        "source": text.source,
    })
}

/// A sink for generated scripts that keeps the first error and then stops.
#[derive(Default)]
pub(crate) struct Sink(Option<anyhow::Error>);

impl Sink {
    /// Notes the result of writing one script; false to stop.
    pub(crate) fn put(&mut self, result: anyhow::Result<()>) -> bool {
        result.map_err(|e| self.0 = Some(e)).is_ok()
    }

    /// The first error.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}
