//! Files to mutate and recombine. Files that cannot be read, or are too large, are left out and counted.

use semantics::instance::Instance;
use std::path::{Path, PathBuf};

/// The largest file that is used, in bytes.
const MAX_BYTES: u64 = 16 << 10;

/// A corpus.
#[derive(Debug, Default)]
pub struct Corpus {
    /// The files that were read.
    pub instances: Vec<Instance>,
    /// Files that are too large.
    pub large: usize,
    /// Files that are not scripts.
    pub unreadable: usize,
}

impl Corpus {
    /// Reads files, and folders with all their `.smt2` files, in the order of their names.
    pub fn read(paths: &[PathBuf]) -> anyhow::Result<Corpus> {
        let mut corpus = Corpus::default();
        for path in paths {
            for file in files(path)? {
                corpus.add(&file)?;
            }
        }
        Ok(corpus)
    }

    fn add(&mut self, file: &Path) -> anyhow::Result<()> {
        let context = |e: std::io::Error| anyhow::anyhow!("cannot read `{}`: {e}", file.display());
        if std::fs::metadata(file).map_err(context)?.len() > MAX_BYTES {
            self.large += 1;
            return Ok(());
        }
        let text = std::fs::read(file).map_err(context)?;
        match Instance::from_text(&text, None) {
            Ok(instance) => self.instances.push(instance),
            Err(_) => self.unreadable += 1,
        }
        Ok(())
    }
}

fn files(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let context = |e: std::io::Error| anyhow::anyhow!("cannot read `{}`: {e}", path.display());
    if !std::fs::metadata(path).map_err(context)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let (mut found, mut open) = (Vec::new(), vec![path.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).map_err(context)? {
            let (path, kind) = entry.and_then(|e| Ok((e.path(), e.file_type()?))).map_err(context)?;
            if kind.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "smt2") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
