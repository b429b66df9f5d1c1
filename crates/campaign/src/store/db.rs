//! The database below a store: statements, rows as typed values, transactions, and rows in bulk.
//!
//! All SQL of the store is written once, in the subset that SQLite and PostgreSQL share: `INSERT … ON CONFLICT`, placeholders `?`, no
//! functions that only one has. Column types differ; `schema.rs` writes them by [`Dialect`].

use rusqlite::types::ValueRef;
use std::fmt;
use std::path::PathBuf;

/// A value of a column or a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value<'a> {
    Null,
    Int(i64),
    Real(f64),
    Text(&'a str),
    Bytes(&'a [u8]),
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// 16 bits, for flags and short codes.
    Small,
    /// 64 bits.
    Int,
    Text,
    Bytes,
}

/// The kind of database, for the few places where the SQL differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

/// Errors of a database.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    /// SQLite reports an error.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// PostgreSQL reports an error.
    #[error("PostgreSQL: {}", super::failure::message(_0))]
    Postgres(#[from] postgres::Error),
    /// The server cannot be reached, or its settings cannot be used.
    #[error("PostgreSQL: {0}")]
    Server(String),
    /// A file that cannot be read in this folder.
    #[error(
        "the log of a process that writes it, or was killed, is beside it (`{}`), and the folder cannot be written: \
         copy all files of the store to a folder that can, or open it once where it was written", _0.display()
    )]
    Log(PathBuf),
    /// The file is not the one that was opened any more.
    #[error("the file was {0} while it was open")]
    Changed(&'static str),
    /// A value of another type than the one that is written.
    #[error("damaged: {0}")]
    Value(String),
}

impl DbError {
    /// The connection is lost; the same work may succeed on a new one.
    pub(crate) fn is_lost(&self) -> bool {
        matches!(self, DbError::Postgres(e) if super::failure::is_lost(e))
    }
}

/// A row of a result.
pub(crate) enum Row<'a> {
    Sqlite(&'a rusqlite::Row<'a>),
    Postgres(&'a postgres::Row),
}

impl Row<'_> {
    /// The value of a column.
    pub(crate) fn value(&self, column: usize) -> Result<Value<'_>, DbError> {
        match self {
            Row::Sqlite(row) => value_of(row, column),
            Row::Postgres(row) => Ok(row.try_get(column)?),
        }
    }

    /// The value of a column, converted.
    pub(crate) fn get<T: Column>(&self, column: usize) -> Result<T, DbError> {
        let value = self.value(column)?;
        T::of(value).ok_or_else(|| DbError::Value(format!("column {column} is {value}")))
    }
}

/// The value of a column of SQLite.
fn value_of<'r>(row: &'r rusqlite::Row<'_>, column: usize) -> Result<Value<'r>, DbError> {
    Ok(match row.get_ref(column)? {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(n) => Value::Int(n),
        ValueRef::Real(x) => Value::Real(x),
        ValueRef::Text(t) => {
            Value::Text(std::str::from_utf8(t).map_err(|e| DbError::Value(format!("column {column}: {e}")))?)
        }
        ValueRef::Blob(b) => Value::Bytes(b),
    })
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("nothing"),
            Value::Int(n) => write!(f, "{n}"),
            Value::Real(x) => write!(f, "{x}"),
            Value::Text(t) => write!(f, "`{t}`"),
            Value::Bytes(b) => write!(f, "{} bytes", b.len()),
        }
    }
}

/// A type that columns are read as.
pub(crate) trait Column: Sized {
    /// The value, if it is of this type.
    fn of(value: Value<'_>) -> Option<Self>;
}

impl Column for i64 {
    fn of(value: Value<'_>) -> Option<i64> {
        if let Value::Int(n) = value { Some(n) } else { None }
    }
}

/// Seeds, stored as signed numbers.
impl Column for u64 {
    fn of(value: Value<'_>) -> Option<u64> {
        i64::of(value).map(i64::cast_unsigned)
    }
}

impl Column for u32 {
    fn of(value: Value<'_>) -> Option<u32> {
        i64::of(value).and_then(|n| u32::try_from(n).ok())
    }
}

impl Column for bool {
    fn of(value: Value<'_>) -> Option<bool> {
        i64::of(value).map(|n| n != 0)
    }
}

impl Column for f64 {
    fn of(value: Value<'_>) -> Option<f64> {
        match value {
            Value::Real(x) => Some(x),
            Value::Int(n) => Some(n as f64),
            _ => None,
        }
    }
}

impl Column for String {
    fn of(value: Value<'_>) -> Option<String> {
        if let Value::Text(t) = value { Some(t.to_owned()) } else { None }
    }
}

impl Column for Vec<u8> {
    fn of(value: Value<'_>) -> Option<Vec<u8>> {
        if let Value::Bytes(b) = value { Some(b.to_owned()) } else { None }
    }
}

impl<T: Column> Column for Option<T> {
    fn of(value: Value<'_>) -> Option<Option<T>> {
        if value == Value::Null { Some(None) } else { T::of(value).map(Some) }
    }
}

impl From<i64> for Value<'_> {
    fn from(n: i64) -> Self {
        Value::Int(n)
    }
}

impl From<u64> for Value<'_> {
    fn from(n: u64) -> Self {
        Value::Int(n.cast_signed())
    }
}

impl From<u32> for Value<'_> {
    fn from(n: u32) -> Self {
        Value::Int(n.into())
    }
}

impl From<bool> for Value<'_> {
    fn from(yes: bool) -> Self {
        Value::Int(yes.into())
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Value::Text(text)
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(text: &'a String) -> Self {
        Value::Text(text)
    }
}

impl<'a> From<&'a [u8]> for Value<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Value::Bytes(bytes)
    }
}

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Value<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}

/// Rows to insert.
pub(crate) struct Insert<'a> {
    pub(crate) table: &'a str,
    pub(crate) columns: &'a [(&'a str, Type)],
    /// The clause for rows that are there already: `ON CONFLICT DO NOTHING`, or nothing.
    pub(crate) conflict: &'a str,
}

/// A database.
pub(crate) trait Database: Send {
    /// Its kind.
    fn dialect(&self) -> Dialect;

    /// Executes statements without parameters.
    fn batch(&self, sql: &str) -> Result<(), DbError>;

    /// Executes a statement; the number of rows that it changed.
    fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<u64, DbError>;

    /// Calls `each` on the rows of a query, in constant memory. `each` must not use the database.
    fn query(
        &self,
        sql: &str,
        values: &[Value<'_>],
        each: &mut dyn FnMut(&Row<'_>) -> Result<(), DbError>,
    ) -> Result<(), DbError>;

    /// Inserts rows, each with a value for every column; how many of them were not there already.
    fn insert(&self, insert: &Insert<'_>, rows: &[Vec<Value<'_>>]) -> Result<u64, DbError>;

    /// Begins a transaction that writes.
    fn begin(&self) -> Result<(), DbError>;

    /// Connects again after the connection was lost.
    fn reconnect(&self) -> Result<(), DbError>;

    /// Prepares an empty place for a new store, in the transaction that creates it.
    fn create(&self) -> Result<(), DbError>;

    /// The format of the store; 0 if it is empty.
    fn format(&self) -> Result<i64, DbError>;

    /// Records the format.
    fn set_format(&self, format: i64) -> Result<(), DbError>;

    /// The size on disk, in bytes.
    fn size(&self) -> Result<u64, DbError>;

    /// A number that changes when another connection writes; none if there is no such number.
    fn version(&self) -> Result<Option<i64>, DbError>;

    /// What the database finds wrong with its files; nothing if it finds nothing.
    fn integrity(&self) -> Result<Vec<String>, DbError>;
}

/// One transaction.
pub(crate) fn atomically<T>(
    db: &dyn Database,
    work: impl FnOnce(&dyn Database) -> Result<T, DbError>,
) -> Result<T, DbError> {
    db.begin()?;
    let done = work(db).and_then(|value| db.batch("COMMIT").map(|()| value));
    if done.is_err() {
        // The error of the work is the one to report.
        let _ = db.batch("ROLLBACK");
    }
    done
}

/// The rows of a query, read by `read`.
pub(crate) fn list<T>(
    db: &dyn Database,
    sql: &str,
    values: &[Value<'_>],
    mut read: impl FnMut(&Row<'_>) -> Result<T, DbError>,
) -> Result<Vec<T>, DbError> {
    let mut all = Vec::new();
    db.query(sql, values, &mut |row| {
        all.push(read(row)?);
        Ok(())
    })?;
    Ok(all)
}

/// The first row of a query.
pub(crate) fn first<T>(
    db: &dyn Database,
    sql: &str,
    values: &[Value<'_>],
    read: impl FnMut(&Row<'_>) -> Result<T, DbError>,
) -> Result<Option<T>, DbError> {
    Ok(list(db, sql, values, read)?.into_iter().next())
}
