//! The rows of a store.

use super::db::{DbError, Row, Value};
use super::{StoreError, texts};
use crate::outcome::{Answer, CoreCheck, Kind, ModelCheck, Severity, Status, Verdict};
use crate::profile::{Profile, Solver};
use crate::settings::Settings;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A campaign: created once, never changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Campaign {
    /// When it was started, as RFC 3339 in UTC.
    pub created: String,
    /// The version of stringent.
    pub version: String,
    /// The command line.
    pub command: String,
    /// The machine: operating system, CPU, cores.
    pub host: String,
    /// The seed of the instances.
    pub seed: u64,
    /// Its settings.
    pub settings: Settings,
    /// When it was finished; none if it was not.
    pub finished: Option<String>,
}

/// A solver of the campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverRow {
    /// Its key.
    pub id: i64,
    /// Its name in tables: `z3-4.8.6-seq`.
    pub name: String,
    /// The program that was run.
    pub program: String,
    /// The version that it reported.
    pub version: String,
    /// Its profile, as TOML.
    pub profile: String,
}

/// The name of the solver that gives second opinions. It is stored like a solver of the campaign, none of which can have this name.
pub const SECOND_OPINION: &str = "the built-in solver";

impl SolverRow {
    /// The row of a solver, without a key.
    pub fn new(solver: &Solver) -> SolverRow {
        SolverRow {
            id: 0,
            name: solver.name.clone(),
            program: solver.program.display().to_string(),
            version: solver.version.clone(),
            profile: toml::to_string(&solver.profile).expect("a profile is a TOML table"),
        }
    }

    /// Its profile; none if this version of stringent cannot read it.
    pub fn profile(&self) -> Option<Profile> {
        toml::from_str(&self.profile).ok()
    }

    /// The solver, ready to run. `store` is for the error.
    pub fn solver(&self, store: &Path) -> Result<Solver, StoreError> {
        let profile = toml::from_str(&self.profile).map_err(|e| StoreError::Damaged {
            path: store.to_owned(),
            what: format!("the profile of {}: {e}", self.name),
        })?;
        let (name, version) = (self.name.clone(), self.version.clone());
        Ok(Solver { name, profile, program: PathBuf::from(&self.program), version })
    }
}

/// A solver that joins a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSolver {
    /// Its row, without a key.
    pub row: SolverRow,
    /// The digest of its program.
    pub fingerprint: Option<String>,
}

/// An instance of the campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceRow {
    /// Its key; instances are numbered in their order.
    pub id: i64,
    /// Its name, a path without extension: `icse20/constant/at/0001`.
    pub name: String,
    /// The category: `operation`, `constant`, `term`, `equivalent`, `core`, `redundancy`, or the name of a folder.
    pub category: String,
    /// The operation it tests, or nothing.
    pub operation: String,
    /// Its known answer.
    pub status: Status,
    /// Its text, in SMT-LIB 2.6, with the certificate as `set-info`.
    pub source: Vec<u8>,
}

/// A file that was to be an instance and could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableRow {
    /// The file, as the user named it.
    pub file: String,
    /// The line of the error; 0 if it has none.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// The error.
    pub message: String,
}

impl fmt::Display for UnreadableRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.message),
            line => write!(f, "{}:{line}:{}: {}", self.file, self.column, self.message),
        }
    }
}

/// The line between standard output and standard error in [`RunRow::output`].
const STDERR_MARK: &[u8] = b"\n; standard error:\n";

/// A run: one instance on one solver with one seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRow {
    /// The instance.
    pub instance: i64,
    /// The solver.
    pub solver: i64,
    /// The solver's seed.
    pub seed: u64,
    /// The verdict, in its finest form.
    pub kind: Kind,
    /// The solver's answer.
    pub answer: Answer,
    /// The referee's finding on its model.
    pub model: ModelCheck,
    /// The finding on its core.
    pub core: CoreCheck,
    /// How the process ended, as text.
    pub ending: String,
    /// Wall-clock time.
    pub wall: Duration,
    /// CPU time; zero if it is not known (batch mode).
    pub cpu: Duration,
    /// Peak memory, in KiB; zero if it is not known.
    pub memory_kib: u64,
    /// The answer came from a process that had answered others before.
    pub batched: bool,
    /// The answer differed on a re-run or by seed.
    pub flaky: bool,
    /// The output, cut at a limit.
    pub output: Vec<u8>,
    /// The reasons for the verdict: text for people, with the evaluation trace.
    pub evidence: String,
    /// The command that was run.
    pub command: String,
}

impl RunRow {
    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        self.kind.verdict()
    }

    /// The output to keep of a process: standard output, then standard error, `keep` bytes in all.
    pub(crate) fn output_of(mut stdout: Vec<u8>, stderr: &[u8], keep: usize) -> Vec<u8> {
        stdout.truncate(keep);
        if !stderr.is_empty() {
            let room = keep.saturating_sub(stdout.len());
            stdout.extend_from_slice(STDERR_MARK);
            stdout.extend_from_slice(&stderr[..stderr.len().min(room)]);
        }
        stdout
    }

    /// The part of the output that came on standard output.
    pub(crate) fn stdout(&self) -> &[u8] {
        let mark = memchr::memmem::rfind(&self.output, STDERR_MARK);
        &self.output[..mark.unwrap_or(self.output.len())]
    }

    /// Its key: instance, solver, seed.
    pub fn key(&self) -> (i64, i64, u64) {
        (self.instance, self.solver, self.seed)
    }

    /// How bad the verdict is.
    pub fn severity(&self) -> Severity {
        self.kind.severity()
    }

    /// Adds a line to the evidence.
    pub(crate) fn note(&mut self, line: &str) {
        if !self.evidence.is_empty() && !self.evidence.ends_with('\n') {
            self.evidence.push('\n');
        }
        self.evidence.push_str(line);
    }
}

/// A row type with the columns it is read from, in the order of `from_row`.
pub(super) trait FromRow: Sized {
    /// Reads a row.
    fn from_row(row: &Row<'_>) -> Result<Self, DbError>;
}

impl FromRow for Campaign {
    fn from_row(row: &Row<'_>) -> Result<Campaign, DbError> {
        let settings: String = row.get(5)?;
        Ok(Campaign {
            created: row.get(0)?,
            version: row.get(1)?,
            command: row.get(2)?,
            host: row.get(3)?,
            seed: row.get(4)?,
            settings: serde_json::from_str(&settings).map_err(|e| DbError::Value(e.to_string()))?,
            finished: row.get(6)?,
        })
    }
}

impl FromRow for SolverRow {
    fn from_row(row: &Row<'_>) -> Result<SolverRow, DbError> {
        Ok(SolverRow {
            id: row.get(0)?,
            name: row.get(1)?,
            program: row.get(2)?,
            version: row.get(3)?,
            profile: row.get(4)?,
        })
    }
}

impl FromRow for InstanceRow {
    fn from_row(row: &Row<'_>) -> Result<InstanceRow, DbError> {
        Ok(InstanceRow {
            id: row.get(0)?,
            name: row.get(1)?,
            category: row.get(2)?,
            operation: row.get(3)?,
            status: code(row, 4, Status::from_code)?,
            source: texts::read(row, 5)?,
        })
    }
}

impl FromRow for UnreadableRow {
    fn from_row(row: &Row<'_>) -> Result<UnreadableRow, DbError> {
        Ok(UnreadableRow { file: row.get(0)?, line: row.get(1)?, column: row.get(2)?, message: row.get(3)? })
    }
}

impl FromRow for RunRow {
    fn from_row(row: &Row<'_>) -> Result<RunRow, DbError> {
        Ok(RunRow {
            instance: row.get(0)?,
            solver: row.get(1)?,
            seed: row.get(2)?,
            kind: code(row, 3, Kind::from_code)?,
            answer: code(row, 4, Answer::from_code)?,
            model: code(row, 5, ModelCheck::from_code)?,
            core: code(row, 6, CoreCheck::from_code)?,
            ending: row.get(7)?,
            wall: Duration::from_micros(row.get(8)?),
            cpu: Duration::from_micros(row.get(9)?),
            memory_kib: row.get(10)?,
            batched: row.get(11)?,
            flaky: row.get(12)?,
            output: texts::read(row, 13)?,
            evidence: lossy(texts::read(row, 15)?),
            command: lossy(texts::read(row, 17)?),
        })
    }
}

fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

/// A column with one of a few words.
pub(super) fn code<T>(row: &Row<'_>, column: usize, read: impl Fn(&str) -> Option<T>) -> Result<T, DbError> {
    let value = row.value(column)?;
    let known = if let Value::Text(text) = value { read(text) } else { None };
    known.ok_or_else(|| DbError::Value(value.to_string()))
}
