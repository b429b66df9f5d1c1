//! The tables of a store, and the check of their format.

use super::error::{FORMAT, StoreError};
use super::write::insert_solver;
use super::{Campaign, NewSolver, Store};
use rusqlite::{OptionalExtension as _, params};

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
    seed INTEGER NOT NULL, kind TEXT NOT NULL,
    answer TEXT NOT NULL, model TEXT NOT NULL, core TEXT NOT NULL, ending TEXT NOT NULL,
    wall_us INTEGER NOT NULL, cpu_us INTEGER NOT NULL, memory_kib INTEGER NOT NULL,
    batched INTEGER NOT NULL, flaky INTEGER NOT NULL,
    output BLOB NOT NULL, evidence TEXT NOT NULL, command TEXT NOT NULL,
    PRIMARY KEY (instance, solver, seed)
) WITHOUT ROWID;
";

/// Tables that stores of this format may lack: older versions did not write them. They are added when a store is opened for writing.
const LATER: &str = "
CREATE TABLE IF NOT EXISTS unreadable (
    id INTEGER PRIMARY KEY,
    file TEXT NOT NULL, line INTEGER NOT NULL, col INTEGER NOT NULL, message TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS program (solver INTEGER PRIMARY KEY REFERENCES solver, fingerprint TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS finding (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, data TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS finding_run (
    instance INTEGER NOT NULL REFERENCES instance, solver INTEGER NOT NULL REFERENCES solver, seed INTEGER NOT NULL,
    finding INTEGER REFERENCES finding, examination TEXT NOT NULL,
    PRIMARY KEY (instance, solver, seed)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS elsewhere (
    failure TEXT NOT NULL, solver TEXT NOT NULL, fails INTEGER NOT NULL, PRIMARY KEY (failure, solver)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS hunt (one INTEGER PRIMARY KEY CHECK (one = 1), state TEXT NOT NULL);
";

impl Store {
    /// Creates the tables and records the campaign and its solvers, in one transaction; an error if there is a campaign already.
    pub(super) fn begin(&self, campaign: &Campaign, solvers: &[NewSolver]) -> Result<(), StoreError> {
        if self.format()? != 0 {
            return Err(StoreError::Exists(self.path.clone()));
        }
        let settings = serde_json::to_string(&campaign.settings).map_err(|e| self.damaged(e.to_string()))?;
        let Campaign { created, version, command, host, seed, .. } = campaign;
        let row = params![created, version, command, host, seed.cast_signed(), settings];
        let insert = "INSERT INTO campaign (one, created, version, command, host, seed, settings) \
                      VALUES (1, ?, ?, ?, ?, ?, ?)";
        self.atomically(|db| {
            db.execute_batch(&format!("{SCHEMA} {LATER}"))?;
            db.execute(insert, row)?;
            solvers.iter().try_for_each(|solver| insert_solver(db, solver))?;
            db.execute_batch(&format!("PRAGMA user_version = {FORMAT}"))
        })
    }

    /// Adds the tables that an older version did not write.
    pub(super) fn add_later_tables(&self) -> Result<(), StoreError> {
        self.sql(self.db.execute_batch(LATER))
    }

    /// The store has this table.
    pub(super) fn has_table(&self, name: &str) -> Result<bool, StoreError> {
        let sql = "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = ?";
        self.sql(self.db.query_row(sql, [name], |row| row.get::<_, i64>(0))).map(|n| n > 0)
    }

    /// The format of the file; 0 for an empty one.
    pub(super) fn format(&self) -> Result<i64, StoreError> {
        self.sql(self.db.query_row("PRAGMA user_version", [], |row| row.get(0)))
    }

    /// An error unless the file has a campaign of this format.
    pub(super) fn check_format(&self) -> Result<(), StoreError> {
        match self.format()? {
            FORMAT => Ok(()),
            0 => Err(StoreError::Missing(self.path.clone())),
            found => {
                let version = self.db.query_row("SELECT version FROM campaign", [], |row| row.get(0));
                let version =
                    version.optional().ok().flatten().unwrap_or_else(|| "of another version".into());
                Err(StoreError::Version { path: self.path.clone(), version, found })
            }
        }
    }

    pub(super) fn damaged(&self, what: String) -> StoreError {
        StoreError::Damaged { path: self.path.clone(), what }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::UnreadableRow;

    #[test]
    fn a_store_of_another_version_is_refused_by_name() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("old.store");
        let old = Campaign { version: "0.1.0".into(), ..Campaign::default() };
        let store = Store::create(&path, &old).expect("created");
        store.db.pragma_update(None, "user_version", 1).expect("written");
        drop(store);
        let refused = Store::open_read_only(&path).err().expect("refused").to_string();
        assert!(refused.contains("written by stringent 0.1.0 (store format 1)"), "{refused}");
    }

    #[test]
    fn a_store_without_the_later_tables_is_read_and_written() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("older.store");
        let store = Store::create(&path, &Campaign::default()).expect("created");
        store
            .db
            .execute_batch(
                "DROP TABLE unreadable; DROP TABLE program; DROP TABLE finding_run; DROP TABLE finding",
            )
            .expect("dropped");
        drop(store);
        let reader = Store::open_read_only(&path).expect("it opens");
        assert_eq!(reader.unreadable().expect("readable"), []);
        assert_eq!(reader.fingerprint(1).expect("readable"), None);
        assert_eq!(reader.findings().expect("readable"), []);
        assert_eq!(reader.examinations().expect("readable"), []);
        let bad = UnreadableRow { file: "a.smt2".into(), line: 1, column: 2, message: "no".into() };
        let mut writer = Store::open(&path).expect("it opens");
        writer.set_unreadable(std::slice::from_ref(&bad)).expect("written");
        assert_eq!(reader.unreadable().expect("readable"), [bad]);
    }
}
