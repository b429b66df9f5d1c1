//! The results of tests by content, in memory and on disk.
//!
//! The file has one JSON object per line, each written at once, so that a process that is killed loses at most the tests that were under
//! way: the first line names the reduction, the others have the hash of a script and the result. A line that was cut is ignored.

use anyhow::{Context as _, bail};
use campaign::finding::Observed;
use campaign::folder::Lock;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// The hash of a script that was tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key([u8; 16]);

impl Key {
    /// The key of a text in several parts.
    pub(super) fn of(parts: &[&str]) -> Key {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
        let mut key = [0; 16];
        key.copy_from_slice(&hash.finalize()[..16]);
        Key(key)
    }

    fn text(self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn parse(text: &str) -> Option<Key> {
        let mut key = [0; 16];
        for (i, byte) in key.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(2 * i..2 * i + 2)?, 16).ok()?;
        }
        (text.len() == 32).then_some(Key(key))
    }
}

/// The first line: the reduction to which the results belong.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    #[serde(rename = "stringent-reduce")]
    format: u32,
    start: String,
    property: String,
}

/// Another line.
#[derive(Serialize, Deserialize)]
struct Line {
    key: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    holds: Option<Observed>,
}

/// The results of tests: the failure, or none if it is not there.
pub(super) struct Journal {
    known: FxHashMap<Key, Option<Observed>>,
    file: Option<(PathBuf, File, Lock)>,
}

impl Journal {
    /// Results in memory only.
    pub(super) fn in_memory() -> Journal {
        Journal { known: FxHashMap::default(), file: None }
    }

    /// The journal beside `out`, of the reduction of a script with this text and property; with the results that are in it, if
    /// `resume`.
    pub(super) fn open(out: &Path, start: &str, property: &str, resume: bool) -> anyhow::Result<Journal> {
        let path = beside(out);
        let shown = || format!("cannot write `{}`", path.display());
        let head = Head { format: 1, start: Key::of(&[start]).text(), property: property.to_owned() };
        let mut file = OpenOptions::new().create(true).append(true).open(&path).with_context(shown)?;
        let lock = Lock::acquire(&path)?;
        let before = read(&path)?;
        let (fits, known) = results(&before, &head);
        let name = path.display();
        if !before.is_empty() && !resume {
            bail!(
                "`{name}` is of a reduction that was stopped; continue it with --resume, choose another --out, or delete it"
            );
        }
        if !fits {
            bail!("`{name}` is of another reduction; choose another --out, or delete it");
        }
        if before.is_empty() {
            write(&mut file, &head).with_context(shown)?;
        } else if !before.ends_with(b"\n") {
            file.write_all(b"\n").with_context(shown)?;
        }
        Ok(Journal { known, file: Some((path, file, lock)) })
    }

    /// The result of a test that was done.
    pub(super) fn get(&self, key: Key) -> Option<&Option<Observed>> {
        self.known.get(&key)
    }

    /// Adds the result of a test.
    pub(super) fn put(&mut self, key: Key, holds: Option<Observed>) -> std::io::Result<()> {
        if let Some((_, file, _)) = &mut self.file {
            write(file, &Line { key: key.text(), holds: holds.clone() })?;
        }
        self.known.insert(key, holds);
        Ok(())
    }

    /// Removes the file: the reduction is complete.
    pub(super) fn remove(&mut self) -> std::io::Result<()> {
        self.file.take().map_or(Ok(()), |(path, ..)| std::fs::remove_file(path))
    }
}

/// The journal of an output.
pub(super) fn beside(out: &Path) -> PathBuf {
    let mut name = out.file_name().unwrap_or_default().to_os_string();
    name.push(".journal");
    out.with_file_name(name)
}

fn write(file: &mut File, line: &impl Serialize) -> std::io::Result<()> {
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    file.write_all(text.as_bytes())
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    match std::fs::read(path) {
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        read => read.with_context(|| format!("cannot read `{}`", path.display())),
    }
}

/// The results of a journal; false if it is that of another reduction.
fn results(text: &[u8], head: &Head) -> (bool, FxHashMap<Key, Option<Observed>>) {
    let mut lines = text.split(|&b| b == b'\n').filter(|l| !l.is_empty());
    let fits = lines
        .next()
        .is_none_or(|first| serde_json::from_slice::<Head>(first).is_ok_and(|found| found == *head));
    let parsed = lines.filter_map(|l| serde_json::from_slice::<Line>(l).ok());
    (fits, parsed.filter_map(|l| Some((Key::parse(&l.key)?, l.holds))).collect())
}

#[cfg(test)]
mod tests {
    use super::super::tests::observed;
    use super::*;

    #[test]
    fn results_survive() {
        let dir = tempfile::tempdir().expect("a folder");
        let out = dir.path().join("out.smt2");
        let (a, b) = (Key::of(&["a"]), Key::of(&["b"]));
        let mut journal = Journal::open(&out, "start", "p", false).expect("opened");
        journal.put(a, Some(observed())).expect("written");
        assert!(Journal::open(&out, "start", "p", true).is_err_and(|e| e.to_string().contains("in use")));
        drop(journal);
        // The process was killed while it wrote.
        let mut text = std::fs::read(beside(&out)).expect("a journal");
        text.extend_from_slice(b"{\"key\":\"12");
        std::fs::write(beside(&out), text).expect("written");
        let mut journal = Journal::open(&out, "start", "p", true).expect("opened");
        assert_eq!(journal.get(a), Some(&Some(observed())));
        journal.put(b, None).expect("written");
        drop(journal);
        let journal = Journal::open(&out, "start", "p", true).expect("opened");
        assert_eq!((journal.get(b), journal.known.len()), (Some(&None), 2));
        drop(journal);
        let other = Journal::open(&out, "start", "q", true).err().expect("another property");
        assert!(other.to_string().contains("another reduction"), "{other}");
        assert!(Journal::open(&out, "start", "p", false).is_err_and(|e| e.to_string().contains("--resume")));
        let mut journal = Journal::open(&out, "start", "p", true).expect("opened");
        journal.remove().expect("removed");
        assert!(!beside(&out).exists());
    }

    #[test]
    fn keys_depend_on_where_a_part_ends() {
        assert_ne!(Key::of(&["ab", "c"]), Key::of(&["a", "bc"]));
        let key = Key::of(&["x"]);
        assert_eq!(Key::parse(&key.text()), Some(key));
        assert_eq!(Key::parse("é0"), None);
    }
}
