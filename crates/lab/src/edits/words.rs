//! Lists of words.

use anyhow::{Context as _, anyhow, bail};
use std::path::Path;
use synth::edits::words::{List, word};

/// The words of a file, one per line; empty lines are skipped.
pub fn read_list(path: &Path) -> anyhow::Result<List> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let mut words = Vec::new();
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    for (n, line) in bytes.split(|b| *b == b'\n').enumerate() {
        let at = || format!("{}:{}", path.display(), n + 1);
        let line = str::from_utf8(line).map_err(|_| anyhow!("{}: not UTF-8", at()))?;
        let line = line.strip_suffix('\r').unwrap_or(line);
        if !line.is_empty() {
            words.push(word(line).map_err(|e| anyhow!("{}: {e}", at()))?);
        }
    }
    if words.is_empty() {
        bail!("{}: no words in it", path.display());
    }
    Ok(List::new(words))
}
