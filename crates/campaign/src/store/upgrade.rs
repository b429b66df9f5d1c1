//! Stores of format 2: read as they are, and upgraded when they are opened for writing.
//!
//! Format 2 exists in SQLite only. A reader gets temporary views with the columns of format 3, in which texts stand in the rows. The upgrade
//! is one transaction that copies runs and instances into new tables; a process killed meanwhile leaves the store as it was.

use super::db::{Database, DbError, Dialect, Row, atomically, first};
use super::error::FORMAT;
use super::read::{INSTANCE, RUN};
use super::rows::FromRow as _;
use super::schema::{LATER, RUNS, later, tables};
use super::texts::Texts;
use super::write::{insert_instances, insert_runs};
use super::{InstanceRow, RunRow, Store, StoreError};
use std::fs::{File, TryLockError};

/// Rows that are copied together.
const CHUNK: usize = 1000;

/// Stores written before there was `not-asked` have `not-sent` for every instance that was not sent, and `unsupported` for `unknown` too.
const KIND: &str = "CASE \
    WHEN kind = 'not-sent' AND evidence NOT LIKE 'not sent: it cannot be read%' THEN 'not-asked' \
    WHEN kind = 'unsupported' AND answer = 'unknown' THEN 'unknown' \
    ELSE kind END";

impl Store {
    /// Makes a store of format 2 readable as one of format 3, without writing to it.
    pub(super) fn view_as_current(&self) -> Result<(), StoreError> {
        let views = format!(
            "PRAGMA temp_store = MEMORY;
             CREATE TEMP TABLE content (id INTEGER PRIMARY KEY, hash BLOB, size INTEGER, data BLOB);
             CREATE TEMP VIEW instance AS SELECT id, NULL AS size, NULL AS mark, NULL AS scale_value, source, \
                 name, category, operation, status, NULL AS scale FROM main.instance;
             CREATE TEMP VIEW run AS SELECT instance, solver, seed, wall_us, cpu_us, memory_kib, \
                 NULLIF(output, x'') AS output, NULLIF(evidence, '') AS evidence, NULLIF(command, '') AS command, \
                 batched, flaky, {KIND} AS kind, answer, model, core, ending FROM main.run;"
        );
        self.sql(self.db.batch(&views))?;
        for (name, columns) in LATER {
            if !self.sql(has_table(&*self.db, name))? {
                let table = format!("CREATE TEMP TABLE {name} {columns}");
                self.sql(self.db.batch(&tables(&table, Dialect::Sqlite)))?;
            }
        }
        Ok(())
    }

    /// Upgrades a store of format 2.
    pub(super) fn upgrade(&self) -> Result<(), StoreError> {
        let file = File::open(&self.path).map_err(|e| self.damaged(e.to_string()))?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(StoreError::InUse(self.path.clone()));
        }
        self.sql(self.db.batch("PRAGMA foreign_keys = OFF"))?;
        let done = atomically(&*self.db, copy);
        let upgraded = self.sql(done.and(self.db.batch("PRAGMA foreign_keys = ON")));
        // Closing alone would not unlock it while a process that another thread is starting has a copy of the descriptor.
        let _ = file.unlock();
        upgraded
    }
}

fn has_table(db: &dyn Database, name: &str) -> Result<bool, DbError> {
    let sql = "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = ?";
    Ok(first(db, sql, &[name.into()], |row| row.get::<i64>(0))?.unwrap_or(0) > 0)
}

/// Copies all rows into tables of format 3, and puts those in the place of the old ones.
fn copy(db: &dyn Database) -> Result<(), DbError> {
    if db.format()? == FORMAT {
        return Ok(());
    }
    let new = RUNS.replace("TABLE instance", "TABLE new_instance").replace("TABLE run", "TABLE new_run");
    db.batch(&tables(&format!("{new} {}", later()), Dialect::Sqlite))?;
    let mut texts = Texts::default();
    let sql = format!("SELECT {INSTANCE}, source, NULL FROM instance i ORDER BY id");
    in_chunks(db, &sql, InstanceRow::from_row, |rows| {
        insert_instances(db, &mut texts, "new_instance", rows).map(|added| texts.remember(added))
    })?;
    let columns = RUN.replace("r.kind", KIND);
    let sql = format!(
        "SELECT {columns}, output, NULL, evidence, NULL, command, NULL FROM run r ORDER BY instance, solver, seed"
    );
    in_chunks(db, &sql, RunRow::from_row, |rows| {
        insert_runs(db, &mut texts, "new_run", rows, "").map(|(added, _)| texts.remember(added))
    })?;
    db.batch(
        "DROP TABLE run; DROP TABLE instance; \
         ALTER TABLE new_instance RENAME TO instance; ALTER TABLE new_run RENAME TO run",
    )?;
    db.set_format(FORMAT)
}

/// Reads rows and writes them, some at a time. In SQLite a query may be read while rows are written to other tables.
fn in_chunks<T>(
    db: &dyn Database,
    sql: &str,
    read: impl Fn(&Row<'_>) -> Result<T, DbError>,
    mut write: impl FnMut(&[T]) -> Result<(), DbError>,
) -> Result<(), DbError> {
    let mut rows = Vec::new();
    db.query(sql, &[], &mut |row| {
        rows.push(read(row)?);
        if rows.len() < CHUNK {
            return Ok(());
        }
        write(&std::mem::take(&mut rows))
    })?;
    write(&rows)
}
