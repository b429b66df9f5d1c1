//! SQLite: one file is one campaign.
//!
//! Runs are written in short transactions with a write-ahead log, so that readers never wait. Even to read such a file SQLite creates others
//! beside it; in a folder that cannot be written it is read as a file that does not change, if no log is there.

use super::db::{Database, DbError, Dialect, Insert, Row, Value};
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, params_from_iter};
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How long to wait for others that write; on a busy machine one of eight writers has waited for more than ten seconds.
const BUSY_TIMEOUT: Duration = Duration::from_secs(60);
/// Statements that are kept prepared.
const PREPARED: usize = 64;

/// An open file.
pub(super) struct Sqlite {
    path: PathBuf,
    db: Connection,
    /// The file that was opened: another one may get its name.
    file: Option<(u64, u64)>,
    /// Of a file that is read as one that does not change: when it was changed last.
    unchanged: Option<SystemTime>,
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
        let (mut db, mut unchanged) = (Connection::open_with_flags(path, flags)?, None);
        db.busy_timeout(BUSY_TIMEOUT)?;
        if mode != Mode::Read {
            db.pragma_update(None, "journal_mode", "WAL")?;
            db.pragma_update(None, "synchronous", "NORMAL")?;
        } else if cannot_open(&db) {
            let log = with_suffix(path, "-wal");
            if std::fs::metadata(&log).is_ok_and(|m| m.len() > 0) {
                return Err(DbError::Log(log));
            }
            unchanged = Some(changed(path)?);
            db = Connection::open_with_flags(immutable(path)?, flags | OpenFlags::SQLITE_OPEN_URI)?;
        }
        db.busy_timeout(BUSY_TIMEOUT)?;
        db.set_prepared_statement_cache_capacity(PREPARED);
        Ok(Sqlite { path: path.to_owned(), db, file: identity(path), unchanged })
    }
}

/// Whether SQLite cannot create the files that it needs beside this one.
fn cannot_open(db: &Connection) -> bool {
    let read = db.query_row("SELECT COUNT(*) FROM sqlite_master", [], |row| row.get::<_, i64>(0));
    read.is_err_and(|e| matches!(e.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly)))
}

/// The address of a file that does not change.
fn immutable(path: &Path) -> Result<OsString, DbError> {
    let path = std::path::absolute(path).map_err(|e| DbError::Value(e.to_string()))?;
    let mut address = b"file://".to_vec();
    for &b in path.as_os_str().as_bytes() {
        match b {
            b'%' | b'?' | b'#' => address.extend(format!("%{b:02X}").bytes()),
            _ => address.push(b),
        }
    }
    address.extend(b"?immutable=1");
    Ok(OsString::from_vec(address))
}

/// The number of a file, and that of its device.
fn identity(path: &Path) -> Option<(u64, u64)> {
    std::fs::metadata(path).ok().map(|m| (m.dev(), m.ino()))
}

/// When a file was changed last.
fn changed(path: &Path) -> Result<SystemTime, DbError> {
    std::fs::metadata(path).and_then(|m| m.modified()).map_err(|e| DbError::Value(e.to_string()))
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

    fn insert(&self, insert: &Insert<'_>, rows: &[Vec<Value<'_>>]) -> Result<u64, DbError> {
        let names: Vec<&str> = insert.columns.iter().map(|(name, _)| *name).collect();
        let marks = vec!["?"; names.len()].join(", ");
        let Insert { table, conflict, .. } = insert;
        let sql = format!("INSERT INTO {table} ({}) VALUES ({marks}) {conflict}", names.join(", "));
        let mut statement = self.db.prepare_cached(&sql)?;
        let mut added = 0;
        for row in rows {
            added += statement.execute(params_from_iter(row))? as u64;
        }
        Ok(added)
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
        if self.unchanged.is_some_and(|then| changed(&self.path).ok() != Some(then)) {
            return Err(DbError::Changed("changed"));
        }
        if self.file.is_some() && self.file != identity(&self.path) {
            return Err(DbError::Changed(if self.path.exists() {
                "replaced by another one"
            } else {
                "removed"
            }));
        }
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
