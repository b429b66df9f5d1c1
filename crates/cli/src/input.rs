//! Reading input: files, directories, and `-` for stdin.

use anyhow::{Context as _, bail};
use campaign::clean::shell;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The first bytes of a store.
const STORE: &[u8] = b"SQLite format 3\0";

/// A text with the name to show for it.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// Reads `path`, or stdin for `-`.
pub(crate) fn read(path: &Path) -> anyhow::Result<Input> {
    let name = if path == Path::new("-") { "<stdin>".to_owned() } else { path.display().to_string() };
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        std::io::stdin().lock().read_to_end(&mut bytes).context("cannot read stdin")?;
    } else {
        bytes = std::fs::read(path).with_context(|| format!("cannot read `{name}`"))?;
    }
    if bytes.starts_with(STORE) {
        bail!(
            "`{name}` is a store, not a script: stringent report {0} shows it, stringent triage {0} examines its failures",
            shell(&name)
        );
    }
    if u32::try_from(bytes.len()).is_err() {
        bail!("`{name}` is {} bytes long; texts of 4 GiB and more are not supported", bytes.len());
    }
    Ok(Input { name, bytes })
}

/// A seed from the clock, short enough to type.
pub(crate) fn time_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    (now.as_nanos() % 1_000_000_007) as u64
}

/// The files that `paths` name: directories are walked for `*.smt2`, in order.
pub(crate) fn files(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut out = Vec::new();
    for path in paths {
        if path.is_dir() {
            walk(path, &mut out)?;
        } else {
            out.push(path.clone());
        }
    }
    Ok(out)
}

/// Links to directories are not followed: they may lead back to a parent.
fn walk(dir: &Path, out: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let mut entries: Vec<std::fs::DirEntry> = std::fs::read_dir(dir)
        .and_then(Iterator::collect)
        .with_context(|| format!("cannot list `{}`", dir.display()))?;
    entries.sort_by_key(std::fs::DirEntry::path);
    for entry in entries {
        let path = entry.path();
        if entry.file_type().is_ok_and(|t| t.is_dir()) {
            walk(&path, out)?;
        } else if path.extension().is_some_and(|e| e == "smt2" || e == "smt25" || e == "smt20" || e == "smt")
            && path.is_file()
        {
            out.push(path);
        }
    }
    Ok(())
}
