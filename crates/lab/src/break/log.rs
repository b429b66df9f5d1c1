//! The log of a run: one JSON object per line, written after each generation, read to resume.

use super::fitness::Found;
use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

/// A line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(super) enum Line {
    /// The first one.
    Run { version: String, command: String, seed: u64, solver: String },
    /// A script.
    Member(Member),
    /// A generation is finished, and these survive, the fittest first.
    Generation { number: u32, survivors: Vec<u64>, skipped: u64 },
    /// The run is finished.
    End { best: u64, shrunk: Option<Member> },
}

/// A script of the population.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Member {
    pub(super) id: u64,
    pub(super) generation: u32,
    pub(super) parents: Vec<u64>,
    pub(super) mutation: String,
    pub(super) size: usize,
    pub(super) found: Found,
    /// The script in SMT-LIB 2.6, with its known answer.
    pub(super) text: String,
}

/// A log that is being written.
pub(super) struct Log(BufWriter<File>);

impl Log {
    pub(super) fn append(path: &Path) -> anyhow::Result<Log> {
        let file = File::options().create(true).append(true).open(path);
        Ok(Log(BufWriter::new(file.with_context(|| format!("cannot write `{}`", path.display()))?)))
    }

    pub(super) fn line(&mut self, line: &Line) -> anyhow::Result<()> {
        serde_json::to_writer(&mut self.0, line)?;
        Ok(self.0.write_all(b"\n")?)
    }

    pub(super) fn flush(&mut self) -> anyhow::Result<()> {
        Ok(self.0.flush()?)
    }
}

/// The lines of a log up to the last finished generation; the rest is removed from the file, so that the log can be continued.
/// Empty if there is no log.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<Line>> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(e).with_context(|| path.display().to_string()),
    };
    let (mut lines, mut kept, mut good, mut at) = (Vec::new(), 0, 0, 0);
    for text in bytes.split_inclusive(|&b| b == b'\n') {
        // A crash leaves at most one incomplete line, the last.
        let Ok(line) = serde_json::from_slice::<Line>(text) else { break };
        if !text.ends_with(b"\n") {
            break;
        }
        at += text.len();
        let closes = !matches!(line, Line::Member(_));
        lines.push(line);
        if closes {
            (kept, good) = (lines.len(), at);
        }
    }
    lines.truncate(kept);
    if good < bytes.len() {
        let file = File::options().write(true).open(path).with_context(|| path.display().to_string())?;
        file.set_len(good as u64)?;
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truncated_line_is_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("run.jsonl");
        assert_eq!(read(&path).unwrap(), []);
        let first = Line::Run { version: "0".into(), command: "c".into(), seed: 1, solver: "s".into() };
        let second = Line::Generation { number: 0, survivors: vec![0], skipped: 0 };
        let mut log = Log::append(&path).unwrap();
        log.line(&first).unwrap();
        log.line(&second).unwrap();
        log.flush().unwrap();
        let whole = std::fs::read(&path).unwrap();
        for cut in [
            &b"{\"kind\":\"gene"[..],
            b"\xff\n{}",
            b"{\"kind\":\"generation\",\"number\":1,\"survivors\":[],\"skipped\":0}",
        ] {
            std::fs::write(&path, [&whole, cut].concat()).unwrap();
            assert_eq!(read(&path).unwrap(), [first.clone(), second.clone()]);
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
    }
}
