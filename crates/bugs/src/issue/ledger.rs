//! The findings that were filed: a file with one JSON object per line, which a team may share.

use campaign::provenance;
use serde::{Deserialize, Serialize};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// A finding that was filed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// When it was filed, as RFC 3339 in UTC.
    pub time: String,
    /// The name of the policy of the tracker.
    pub policy: String,
    /// The id of the finding.
    pub id: String,
    /// The title of the issue.
    pub title: String,
    /// Its address or number.
    pub issue: String,
}

/// The findings that were filed, in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// All entries.
    pub entries: Vec<Entry>,
}

impl Ledger {
    /// Reads a file; one that does not exist is empty. The error names the line.
    pub fn read(path: &Path) -> io::Result<Ledger> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Ledger::default()),
            Err(e) => return Err(e),
        };
        let mut entries = Vec::new();
        for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
            let bad = |e| io::Error::new(io::ErrorKind::InvalidData, format!("line {}: {e}", i + 1));
            entries.push(serde_json::from_str(line).map_err(bad)?);
        }
        Ok(Ledger { entries })
    }

    /// The entries of a policy since this time, as seconds since 1970.
    pub fn since(&self, policy: &str, seconds: u64) -> usize {
        let from = provenance::timestamp(seconds);
        self.entries.iter().filter(|e| e.policy == policy && e.time >= from).count()
    }

    /// The entry of a finding.
    pub fn filed(&self, policy: &str, id: &str) -> Option<&Entry> {
        self.entries.iter().find(|e| e.policy == policy && e.id == id)
    }
}

/// Adds an entry to a file, whose folder is created.
pub fn append(path: &Path, entry: &Entry) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)?;
    }
    let line = serde_json::to_string(entry)? + "\n";
    let mut file = std::fs::OpenOptions::new().append(true).create(true).open(path)?;
    file.write_all(line.as_bytes())
}

/// The file of this user: `$XDG_DATA_HOME/stringent/filed.jsonl`, else `~/.local/share/stringent/filed.jsonl`.
pub fn default_file() -> Option<PathBuf> {
    let var = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let data = var("XDG_DATA_HOME").filter(|p| p.is_absolute());
    let data = data.or_else(|| var("HOME").map(|home| home.join(".local/share")));
    data.map(|d| d.join("stringent/filed.jsonl"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(time: &str, id: &str) -> Entry {
        let text = String::from;
        Entry {
            time: text(time),
            policy: text("z3"),
            id: text(id),
            title: text("a \"b\"\n"),
            issue: text("#1"),
        }
    }

    #[test]
    fn entries_are_appended_and_counted() {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join("new/filed.jsonl");
        assert_eq!(Ledger::read(&file).expect("there is none"), Ledger::default());
        let (old, new) = (entry("1970-01-01T00:00:59Z", "a"), entry("1970-01-01T00:02:00Z", "b"));
        append(&file, &old).expect("written");
        append(&file, &new).expect("written");
        let ledger = Ledger::read(&file).expect("read");
        assert_eq!(ledger.entries, [old, new.clone()]);
        assert_eq!((ledger.since("z3", 59), ledger.since("z3", 60), ledger.since("cvc5", 0)), (2, 1, 0));
        assert_eq!(ledger.filed("z3", "b"), Some(&new));
        assert_eq!(ledger.filed("cvc5", "b"), None);
    }

    #[test]
    fn a_damaged_line_is_named() {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join("filed.jsonl");
        std::fs::write(&file, "\n{\n").expect("written");
        let e = Ledger::read(&file).expect_err("damaged");
        assert!(e.to_string().starts_with("line 2: "), "{e}");
    }
}
