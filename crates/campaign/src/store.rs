//! The store: one SQLite file is one campaign.
//!
//! Everything a report needs is in it: what was asked, of which solver, what it answered, and the evidence. Runs
//! are inserted by their key (instance, solver, seed) in short transactions with a write-ahead log, so that a
//! process killed at any moment loses nothing that was recorded, and a resumed campaign repeats nothing.

use crate::outcome::{Answer, CoreCheck, Kind, ModelCheck, Status, Verdict};
use rusqlite::{Connection, OpenFlags, OptionalExtension as _, Row, params};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What can go wrong with a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite's complaint.
    #[error("{path}: {source}")]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// The file is a store of another version.
    #[error("{path}: a store of format {found}; this stringent reads format {expected}")]
    Version {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// Ours.
        expected: i64,
    },
    /// There is a campaign in it already.
    #[error("{0}: there is a campaign in it already; use --resume to go on with it, or another --store")]
    Exists(PathBuf),
    /// There is no campaign in it.
    #[error("{0}: no campaign in it")]
    Missing(PathBuf),
    /// A value that no version of stringent writes.
    #[error("{path}: damaged: {what}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
}

/// The format of the file, in SQLite's `user_version`.
const FORMAT: i64 = 1;

const SCHEMA: &str = "
CREATE TABLE campaign (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    created TEXT NOT NULL, version TEXT NOT NULL, command TEXT NOT NULL, host TEXT NOT NULL,
    seed INTEGER NOT NULL, settings TEXT NOT NULL, planned INTEGER NOT NULL DEFAULT 0, finished TEXT
);
CREATE TABLE solver (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE, program TEXT NOT NULL, version TEXT NOT NULL, profile TEXT NOT NULL
);
CREATE TABLE instance (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE, category TEXT NOT NULL, operation TEXT NOT NULL,
    status TEXT NOT NULL, source BLOB NOT NULL
);
CREATE TABLE run (
    instance INTEGER NOT NULL REFERENCES instance, solver INTEGER NOT NULL REFERENCES solver,
    seed INTEGER NOT NULL,
    verdict TEXT NOT NULL, kind TEXT NOT NULL,
    answer TEXT NOT NULL, model TEXT NOT NULL, core TEXT NOT NULL, ending TEXT NOT NULL,
    wall_us INTEGER NOT NULL, cpu_us INTEGER NOT NULL, memory_kib INTEGER NOT NULL,
    batched INTEGER NOT NULL, flaky INTEGER NOT NULL,
    output BLOB NOT NULL, evidence TEXT NOT NULL, command TEXT NOT NULL,
    PRIMARY KEY (instance, solver, seed)
) WITHOUT ROWID;
";

/// What a campaign is: made once, never changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Campaign {
    /// When it was started, as RFC 3339 in UTC.
    pub created: String,
    /// The version of stringent.
    pub version: String,
    /// The command line.
    pub command: String,
    /// The machine: system, processor, cores.
    pub host: String,
    /// The seed that instances were made from.
    pub seed: u64,
    /// Limits and other settings, as a JSON object.
    pub settings: String,
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
    /// What it said of its version.
    pub version: String,
    /// Its profile, as TOML.
    pub profile: String,
}

/// An instance of the campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceRow {
    /// Its key; instances are numbered in their order.
    pub id: i64,
    /// Its name, a path without extension: `icse20/constant/at/0001`.
    pub name: String,
    /// The category: `operation`, `constant`, `term`, `equivalent`, `core`, `redundancy`, a folder.
    pub category: String,
    /// The operation it is about, or nothing.
    pub operation: String,
    /// What is known of it.
    pub status: Status,
    /// Its text, in SMT-LIB 2.6, with the certificate as `set-info`.
    pub source: Vec<u8>,
}

/// A run: one instance on one solver with one seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRow {
    /// The instance.
    pub instance: i64,
    /// The solver.
    pub solver: i64,
    /// The solver's seed.
    pub seed: u64,
    /// The verdict.
    pub verdict: Verdict,
    /// Its kind.
    pub kind: Kind,
    /// What the solver said.
    pub answer: Answer,
    /// What the referee found about its model.
    pub model: ModelCheck,
    /// What was found about its core.
    pub core: CoreCheck,
    /// How the process ended, as text.
    pub ending: String,
    /// Time on the wall.
    pub wall: Duration,
    /// Processor time; zero if it cannot be told (batch mode).
    pub cpu: Duration,
    /// Peak memory, in KiB; zero if it cannot be told.
    pub memory_kib: u64,
    /// The answer came from a process that had answered others before.
    pub batched: bool,
    /// It differed on a re-run or by seed.
    pub flaky: bool,
    /// What it printed, cut at a limit.
    pub output: Vec<u8>,
    /// Why the verdict is what it is: text for people, with the evaluation trace.
    pub evidence: String,
    /// The command that was run.
    pub command: String,
}

/// An open store.
pub struct Store {
    path: PathBuf,
    db: Connection,
}

impl Store {
    /// Makes a store for a new campaign; an error if the file holds one already.
    pub fn create(path: &Path, campaign: &Campaign) -> Result<Store, StoreError> {
        let store = Store::connect(path, OpenFlags::default())?;
        if store.format()? != 0 {
            return Err(StoreError::Exists(path.to_owned()));
        }
        let made = store.db.execute_batch(&format!("BEGIN IMMEDIATE; {SCHEMA}")).and_then(|()| {
            store.db.execute(
                "INSERT INTO campaign (one, created, version, command, host, seed, settings) \
                 VALUES (1, ?, ?, ?, ?, ?, ?)",
                params![
                    campaign.created,
                    campaign.version,
                    campaign.command,
                    campaign.host,
                    campaign.seed.cast_signed(),
                    campaign.settings
                ],
            )?;
            store.db.execute_batch(&format!("PRAGMA user_version = {FORMAT}; COMMIT"))
        });
        store.sql(made)?;
        Ok(store)
    }

    /// Opens the store of a campaign, to go on with it.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        Store::existing(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
    }

    /// Opens the store of a campaign, to report on it. It may be running.
    pub fn open_read_only(path: &Path) -> Result<Store, StoreError> {
        Store::existing(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
    }

    fn existing(path: &Path, flags: OpenFlags) -> Result<Store, StoreError> {
        let store = Store::connect(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        match store.format()? {
            FORMAT => Ok(store),
            0 => Err(StoreError::Missing(path.to_owned())),
            found => Err(StoreError::Version { path: path.to_owned(), found, expected: FORMAT }),
        }
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Store, StoreError> {
        let wrap = |source| StoreError::Sqlite { path: path.to_owned(), source };
        let db = Connection::open_with_flags(path, flags).map_err(wrap)?;
        db.busy_timeout(Duration::from_secs(10)).map_err(wrap)?;
        if !flags.contains(OpenFlags::SQLITE_OPEN_READ_ONLY) {
            db.pragma_update(None, "journal_mode", "WAL").map_err(wrap)?;
            db.pragma_update(None, "synchronous", "NORMAL").map_err(wrap)?;
        }
        Ok(Store { path: path.to_owned(), db })
    }

    fn format(&self) -> Result<i64, StoreError> {
        self.sql(self.db.query_row("PRAGMA user_version", [], |row| row.get(0)))
    }

    fn sql<T>(&self, result: rusqlite::Result<T>) -> Result<T, StoreError> {
        result.map_err(|source| StoreError::Sqlite { path: self.path.clone(), source })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the campaign is.
    pub fn campaign(&self) -> Result<Campaign, StoreError> {
        let sql = "SELECT created, version, command, host, seed, settings, finished FROM campaign";
        let read = |row: &Row<'_>| {
            Ok(Campaign {
                created: row.get(0)?,
                version: row.get(1)?,
                command: row.get(2)?,
                host: row.get(3)?,
                seed: row.get::<_, i64>(4)?.cast_unsigned(),
                settings: row.get(5)?,
                finished: row.get(6)?,
            })
        };
        self.sql(self.db.query_row(sql, [], read))
    }

    /// Adds a solver; its key is returned, the same one if a solver of this name is there already.
    pub fn add_solver(&self, solver: &SolverRow) -> Result<i64, StoreError> {
        let insert = "INSERT INTO solver (name, program, version, profile) VALUES (?, ?, ?, ?) \
                      ON CONFLICT (name) DO NOTHING";
        let row = params![solver.name, solver.program, solver.version, solver.profile];
        self.sql(self.db.execute(insert, row))?;
        let find = "SELECT id FROM solver WHERE name = ?";
        self.sql(self.db.query_row(find, [&solver.name], |row| row.get(0)))
    }

    /// The solvers, in the order they were given.
    pub fn solvers(&self) -> Result<Vec<SolverRow>, StoreError> {
        let read = |row: &Row<'_>| {
            Ok(SolverRow {
                id: row.get(0)?,
                name: row.get(1)?,
                program: row.get(2)?,
                version: row.get(3)?,
                profile: row.get(4)?,
            })
        };
        self.list("SELECT id, name, program, version, profile FROM solver ORDER BY id", read)
    }

    /// Adds instances, all or none; call it once or many times, then [`Store::set_planned`].
    pub fn add_instances(&mut self, list: &[InstanceRow]) -> Result<(), StoreError> {
        let insert = |db: &mut Connection| {
            let tx = db.transaction()?;
            {
                let mut statement = tx.prepare_cached(
                    "INSERT INTO instance (id, name, category, operation, status, source) \
                     VALUES (?, ?, ?, ?, ?, ?)",
                )?;
                for i in list {
                    let status = i.status.code();
                    statement.execute(params![i.id, i.name, i.category, i.operation, status, i.source])?;
                }
            }
            tx.commit()
        };
        let done = insert(&mut self.db);
        self.sql(done)
    }

    /// Records that all instances are there.
    pub fn set_planned(&self) -> Result<(), StoreError> {
        self.sql(self.db.execute("UPDATE campaign SET planned = 1", []).map(drop))
    }

    /// All instances are there; if not, a campaign killed while it was being planned starts over.
    pub fn is_planned(&self) -> Result<bool, StoreError> {
        self.sql(self.db.query_row("SELECT planned FROM campaign", [], |row| row.get(0)))
    }

    /// Forgets the instances of a plan that was not completed.
    pub fn clear_plan(&self) -> Result<(), StoreError> {
        self.sql(self.db.execute("DELETE FROM instance", []).map(drop))
    }

    /// Records when the campaign was finished.
    pub fn set_finished(&self, when: &str) -> Result<(), StoreError> {
        self.sql(self.db.execute("UPDATE campaign SET finished = ?", [when]).map(drop))
    }

    /// The number of instances.
    pub fn instance_count(&self) -> Result<u64, StoreError> {
        let count = self.db.query_row("SELECT count(*) FROM instance", [], |row| row.get::<_, i64>(0));
        self.sql(count).map(i64::cast_unsigned)
    }

    /// One instance.
    pub fn instance(&self, id: i64) -> Result<Option<InstanceRow>, StoreError> {
        let sql = "SELECT id, name, category, operation, status, source FROM instance WHERE id = ?";
        let query = self.db.prepare_cached(sql);
        let row = query.and_then(|mut q| q.query_row([id], |row| Ok(instance_of(row))).optional());
        let row = self.sql(row)?;
        row.map(|row| self.sound(row)).transpose()
    }

    /// The instance with this name.
    pub fn instance_named(&self, name: &str) -> Result<Option<InstanceRow>, StoreError> {
        let sql = "SELECT id, name, category, operation, status, source FROM instance WHERE name = ?";
        let row = self.sql(self.db.query_row(sql, [name], |row| Ok(instance_of(row))).optional())?;
        row.map(|row| self.sound(row)).transpose()
    }

    /// All instances, in order. With `sources` false their texts are left out.
    pub fn instances(&self, sources: bool) -> Result<Vec<InstanceRow>, StoreError> {
        let source = if sources { "source" } else { "x''" };
        let sql = format!("SELECT id, name, category, operation, status, {source} FROM instance ORDER BY id");
        let rows = self.list(&sql, |row| Ok(instance_of(row)))?;
        rows.into_iter().map(|row| self.sound(row)).collect()
    }

    /// Something for each instance, made from its text: sizes and marks, without holding all texts at once.
    pub fn instance_marks<T>(&self, mark: impl Fn(&[u8]) -> T) -> Result<Vec<(i64, T)>, StoreError> {
        self.list("SELECT id, source FROM instance ORDER BY id", |row| {
            let source = row.get_ref(1)?;
            Ok((row.get(0)?, mark(source.as_blob().unwrap_or_default())))
        })
    }

    /// Records runs, all or none; one that is recorded already is replaced by `replace` only.
    pub fn add_runs(&mut self, runs: &[RunRow], replace: bool) -> Result<(), StoreError> {
        let how = if replace { "REPLACE" } else { "IGNORE" };
        let sql = format!(
            "INSERT OR {how} INTO run (instance, solver, seed, verdict, kind, answer, model, core, ending, \
             wall_us, cpu_us, memory_kib, batched, flaky, output, evidence, command) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        );
        let insert = |db: &mut Connection| {
            let tx = db.transaction()?;
            {
                let mut statement = tx.prepare_cached(&sql)?;
                for r in runs {
                    statement.execute(params![
                        r.instance,
                        r.solver,
                        r.seed.cast_signed(),
                        r.verdict.code(),
                        r.kind.code(),
                        r.answer.code(),
                        r.model.code(),
                        r.core.code(),
                        r.ending,
                        micros(r.wall),
                        micros(r.cpu),
                        r.memory_kib.cast_signed(),
                        r.batched,
                        r.flaky,
                        r.output,
                        r.evidence,
                        r.command
                    ])?;
                }
            }
            tx.commit()
        };
        let done = insert(&mut self.db);
        self.sql(done)
    }

    /// The keys of all runs.
    pub fn run_keys(&self) -> Result<Vec<(i64, i64, u64)>, StoreError> {
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get::<_, i64>(2)?.cast_unsigned()));
        self.list("SELECT instance, solver, seed FROM run ORDER BY instance, solver, seed", read)
    }

    /// All runs by instance, solver and seed. With `texts` false, output, evidence and command are left out.
    pub fn runs(&self, texts: bool) -> Result<Vec<RunRow>, StoreError> {
        let texts = if texts { "output, evidence, command" } else { "x'', '', ''" };
        let sql = format!(
            "SELECT instance, solver, seed, verdict, kind, answer, model, core, ending, wall_us, cpu_us, \
             memory_kib, batched, flaky, {texts} FROM run ORDER BY instance, solver, seed"
        );
        let rows = self.list(&sql, |row| Ok(run_of(row)))?;
        rows.into_iter().map(|row| self.sound(row)).collect()
    }

    /// One run, texts included.
    pub fn run(&self, instance: i64, solver: i64, seed: u64) -> Result<Option<RunRow>, StoreError> {
        let sql = "SELECT instance, solver, seed, verdict, kind, answer, model, core, ending, wall_us, cpu_us, \
                   memory_kib, batched, flaky, output, evidence, command FROM run \
                   WHERE instance = ? AND solver = ? AND seed = ?";
        let key = params![instance, solver, seed.cast_signed()];
        let row = self.sql(self.db.query_row(sql, key, |row| Ok(run_of(row))).optional())?;
        row.map(|row| self.sound(row)).transpose()
    }

    fn list<T>(
        &self,
        sql: &str,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let rows = self.db.prepare(sql).and_then(|mut s| s.query_map([], read)?.collect());
        self.sql(rows)
    }

    fn sound<T>(&self, row: Result<T, RowError>) -> Result<T, StoreError> {
        row.map_err(|e| match e {
            RowError::Sqlite(source) => StoreError::Sqlite { path: self.path.clone(), source },
            RowError::Code(what) => StoreError::Damaged { path: self.path.clone(), what },
        })
    }
}

enum RowError {
    Sqlite(rusqlite::Error),
    Code(String),
}

impl From<rusqlite::Error> for RowError {
    fn from(e: rusqlite::Error) -> Self {
        RowError::Sqlite(e)
    }
}

fn code<T>(row: &Row<'_>, column: usize, read: impl Fn(&str) -> Option<T>) -> Result<T, RowError> {
    let text: String = row.get(column)?;
    read(&text).ok_or_else(|| RowError::Code(format!("`{text}`")))
}

fn instance_of(row: &Row<'_>) -> Result<InstanceRow, RowError> {
    Ok(InstanceRow {
        id: row.get(0)?,
        name: row.get(1)?,
        category: row.get(2)?,
        operation: row.get(3)?,
        status: code(row, 4, Status::from_code)?,
        source: row.get(5)?,
    })
}

fn run_of(row: &Row<'_>) -> Result<RunRow, RowError> {
    Ok(RunRow {
        instance: row.get(0)?,
        solver: row.get(1)?,
        seed: row.get::<_, i64>(2)?.cast_unsigned(),
        verdict: code(row, 3, Verdict::from_code)?,
        kind: code(row, 4, Kind::from_code)?,
        answer: code(row, 5, Answer::from_code)?,
        model: code(row, 6, ModelCheck::from_code)?,
        core: code(row, 7, CoreCheck::from_code)?,
        ending: row.get(8)?,
        wall: Duration::from_micros(row.get::<_, i64>(9)?.cast_unsigned()),
        cpu: Duration::from_micros(row.get::<_, i64>(10)?.cast_unsigned()),
        memory_kib: row.get::<_, i64>(11)?.cast_unsigned(),
        batched: row.get(12)?,
        flaky: row.get(13)?,
        output: row.get(14)?,
        evidence: row.get(15)?,
        command: row.get(16)?,
    })
}

fn micros(d: Duration) -> i64 {
    i64::try_from(d.as_micros()).unwrap_or(i64::MAX)
}
