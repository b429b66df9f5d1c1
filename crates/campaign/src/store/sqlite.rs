//! SQLite: one file is one campaign.
//!
//! Runs are written in short transactions with a write-ahead log, so that readers never wait.

use super::db::{Database, DbError, Dialect, Insert, Row, Value};
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OpenFlags, params_from_iter};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long to wait for another process that writes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// Statements that are kept prepared.
const PREPARED: usize = 64;

/// An open file.
pub(super) struct Sqlite {
    path: PathBuf,
    db: Connection,
}

/// How a file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Create,
    Write,
    Read,
}

impl Sqlite {
    pub(super) fn open(path: &Path, mode: Mode) -> Result<Sqlite, DbError> {
        let flags = match mode {
            Mode::Create => OpenFlags::default(),
            Mode::Write => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
            Mode::Read => OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        };
        let db = Connection::open_with_flags(path, flags)?;
        db.busy_timeout(BUSY_TIMEOUT)?;
        db.set_prepared_statement_cache_capacity(PREPARED);
        if mode != Mode::Read {
            db.pragma_update(None, "journal_mode", "WAL")?;
            db.pragma_update(None, "synchronous", "NORMAL")?;
        }
        Ok(Sqlite { path: path.to_owned(), db })
    }
}

impl Database for Sqlite {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn batch(&self, sql: &str) -> Result<(), DbError> {
        Ok(self.db.execute_batch(sql)?)
    }

    fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<u64, DbError> {
        Ok(self.db.prepare_cached(sql)?.execute(params_from_iter(values))? as u64)
    }

    fn query(
        &self,
        sql: &str,
        values: &[Value<'_>],
        each: &mut dyn FnMut(&Row<'_>) -> Result<(), DbError>,
    ) -> Result<(), DbError> {
        let mut statement = self.db.prepare_cached(sql)?;
        let mut rows = statement.query(params_from_iter(values))?;
        while let Some(row) = rows.next()? {
            each(&Row::Sqlite(row))?;
        }
        Ok(())
    }

    fn insert(&self, insert: &Insert<'_>, rows: &[Vec<Value<'_>>]) -> Result<(), DbError> {
        let names: Vec<&str> = insert.columns.iter().map(|(name, _)| *name).collect();
        let marks = vec!["?"; names.len()].join(", ");
        let Insert { table, conflict, .. } = insert;
        let sql = format!("INSERT INTO {table} ({}) VALUES ({marks}) {conflict}", names.join(", "));
        let mut statement = self.db.prepare_cached(&sql)?;
        for row in rows {
            statement.execute(params_from_iter(row))?;
        }
        Ok(())
    }

    fn begin(&self) -> Result<(), DbError> {
        self.batch("BEGIN IMMEDIATE")
    }

    fn reconnect(&self) -> Result<(), DbError> {
        Ok(())
    }

    fn create(&self) -> Result<(), DbError> {
        Ok(())
    }

    fn format(&self) -> Result<i64, DbError> {
        Ok(self.db.query_row("PRAGMA user_version", [], |row| row.get(0))?)
    }

    fn set_format(&self, format: i64) -> Result<(), DbError> {
        self.batch(&format!("PRAGMA user_version = {format}"))
    }

    fn size(&self) -> Result<u64, DbError> {
        let bytes = |suffix: &str| std::fs::metadata(with_suffix(&self.path, suffix)).map_or(0, |m| m.len());
        Ok(bytes("") + bytes("-wal"))
    }

    fn version(&self) -> Result<Option<i64>, DbError> {
        Ok(Some(self.db.query_row("PRAGMA data_version", [], |row| row.get(0))?))
    }

    fn integrity(&self) -> Result<Vec<String>, DbError> {
        let mut found = super::db::list(self, "PRAGMA integrity_check(20)", &[], |row| row.get::<String>(0))?;
        found.retain(|line| line != "ok");
        let sql = "SELECT \"table\", COUNT(*) FROM pragma_foreign_key_check GROUP BY \"table\" ORDER BY 1";
        found.extend(super::db::list(self, sql, &[], |row| {
            let (table, rows) = (row.get::<String>(0)?, row.get::<i64>(1)?);
            Ok(format!("{rows} rows of {table} refer to rows that are missing"))
        })?);
        Ok(found)
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match *self {
            Value::Null => ValueRef::Null,
            Value::Int(n) => ValueRef::Integer(n),
            Value::Real(x) => ValueRef::Real(x),
            Value::Text(t) => ValueRef::Text(t.as_bytes()),
            Value::Bytes(b) => ValueRef::Blob(b),
        }))
    }
}

/// Removes the files of a store that is not open. One that is left behind is harmless.
pub(super) fn remove(path: &Path) {
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(with_suffix(path, suffix));
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
