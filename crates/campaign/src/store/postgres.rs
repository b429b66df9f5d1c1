//! PostgreSQL: one schema of a database is one campaign.
//!
//! Statements are prepared once per connection; rows in bulk go as arrays (`unnest`), one round trip for any number of them.

use super::db::{Database, DbError, Dialect, Insert, Row, Type as ColumnType, Value};
use super::location::Server;
use postgres::fallible_iterator::FallibleIterator as _;
use postgres::types::private::BytesMut;
use postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use postgres::{Client, Statement};
use std::cell::RefCell;
use std::collections::HashMap;
use std::error::Error;
use std::sync::Mutex;

/// Statements that are kept prepared; all are dropped when there are more.
const PREPARED: usize = 256;

/// A connection.
pub(super) struct Postgres {
    server: Server,
    schema: String,
    read_only: bool,
    open: RefCell<Open>,
}

struct Open {
    client: Client,
    prepared: HashMap<String, Statement>,
}

impl Open {
    fn statement(&mut self, sql: &str) -> Result<Statement, DbError> {
        if let Some(known) = self.prepared.get(sql) {
            return Ok(known.clone());
        }
        let statement = self.client.prepare(&numbered(sql))?;
        if self.prepared.len() >= PREPARED {
            self.prepared.clear();
        }
        self.prepared.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

impl Postgres {
    pub(super) fn connect(server: Server, schema: String, read_only: bool) -> Result<Postgres, DbError> {
        let open = RefCell::new(connected(&server, &schema, read_only)?);
        Ok(Postgres { server, schema, read_only, open })
    }
}

fn connected(server: &Server, schema: &str, read_only: bool) -> Result<Open, DbError> {
    let mut client = server.client()?;
    client.batch_execute(&format!(
        "SET client_min_messages = warning; SET search_path TO {}",
        quoted(schema)
    ))?;
    if read_only {
        client.batch_execute("SET default_transaction_read_only = on")?;
    }
    Ok(Open { client, prepared: HashMap::new() })
}

impl Database for Postgres {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn batch(&self, sql: &str) -> Result<(), DbError> {
        Ok(self.open.borrow_mut().client.batch_execute(sql)?)
    }

    fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<u64, DbError> {
        let mut open = self.open.borrow_mut();
        let statement = open.statement(sql)?;
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|v| v as _).collect();
        Ok(open.client.execute(&statement, &values)?)
    }

    fn query(
        &self,
        sql: &str,
        values: &[Value<'_>],
        each: &mut dyn FnMut(&Row<'_>) -> Result<(), DbError>,
    ) -> Result<(), DbError> {
        let mut open = self.open.borrow_mut();
        let statement = open.statement(sql)?;
        let mut rows = open.client.query_raw(&statement, values.iter())?;
        while let Some(row) = rows.next()? {
            each(&Row::Postgres(&row))?;
        }
        Ok(())
    }

    fn insert(&self, insert: &Insert<'_>, rows: &[Vec<Value<'_>>]) -> Result<u64, DbError> {
        let names: Vec<&str> = insert.columns.iter().map(|(name, _)| *name).collect();
        let arrays: Vec<String> =
            insert.columns.iter().map(|(_, t)| format!("?::{}[]", array_type(*t))).collect();
        let Insert { table, conflict, .. } = insert;
        let (names, arrays) = (names.join(", "), arrays.join(", "));
        let sql = format!("INSERT INTO {table} ({names}) SELECT * FROM unnest({arrays}) {conflict}");
        let column = |at: usize| rows.iter().map(|row| row[at]).collect::<Vec<Value<'_>>>();
        let columns: Vec<Vec<Value<'_>>> = (0..insert.columns.len()).map(column).collect();
        let mut open = self.open.borrow_mut();
        let statement = open.statement(&sql)?;
        let columns: Vec<&(dyn ToSql + Sync)> = columns.iter().map(|c| c as _).collect();
        Ok(open.client.execute(&statement, &columns)?)
    }

    fn begin(&self) -> Result<(), DbError> {
        self.batch("BEGIN")
    }

    fn reconnect(&self) -> Result<(), DbError> {
        *self.open.borrow_mut() = connected(&self.server, &self.schema, self.read_only)?;
        Ok(())
    }

    fn create(&self) -> Result<(), DbError> {
        let schema = quoted(&self.schema);
        self.batch(&format!(
            "CREATE SCHEMA IF NOT EXISTS {schema}; \
             CREATE TABLE format (one SMALLINT PRIMARY KEY CHECK (one = 1), version BIGINT NOT NULL)"
        ))
    }

    fn format(&self) -> Result<i64, DbError> {
        let sql = "SELECT COUNT(*) FROM pg_catalog.pg_tables WHERE schemaname = ? AND tablename = 'format'";
        let tables = super::db::first(self, sql, &[(&self.schema).into()], |row| row.get::<i64>(0))?;
        if tables != Some(1) {
            return Ok(0);
        }
        Ok(super::db::first(self, "SELECT version FROM format", &[], |row| row.get(0))?.unwrap_or(0))
    }

    fn set_format(&self, format: i64) -> Result<(), DbError> {
        let sql = "INSERT INTO format (one, version) VALUES (1, ?) \
                   ON CONFLICT (one) DO UPDATE SET version = excluded.version";
        self.execute(sql, &[format.into()]).map(drop)
    }

    fn size(&self) -> Result<u64, DbError> {
        let sql = "SELECT CAST(COALESCE(SUM(pg_total_relation_size(c.oid)), 0) AS BIGINT) FROM pg_class c \
                   JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relkind = 'r'";
        let size = super::db::first(self, sql, &[(&self.schema).into()], |row| row.get::<u64>(0))?;
        Ok(size.unwrap_or(0))
    }

    fn version(&self) -> Result<Option<i64>, DbError> {
        Ok(None)
    }

    /// The server enforces references, and checks its pages when it reads them.
    fn integrity(&self) -> Result<Vec<String>, DbError> {
        Ok(Vec::new())
    }
}

/// The exclusive use of a campaign, until it is dropped or the connection ends.
pub struct Held(Mutex<Client>);

impl Drop for Held {
    /// Releases it at once. Closing alone would leave it until the server notices.
    fn drop(&mut self) {
        if let Ok(client) = self.0.get_mut() {
            let _ = client.batch_execute("SELECT pg_advisory_unlock_all()");
        }
    }
}

impl std::fmt::Debug for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Held")
    }
}

/// Locks a campaign; none if another process has it.
pub(super) fn lock(server: &Server, schema: &str) -> Result<Option<Held>, DbError> {
    let mut client = server.client()?;
    let row = client.query_one("SELECT pg_try_advisory_lock(hashtextextended($1, 0))", &[&schema])?;
    let held: bool = row.try_get(0)?;
    Ok(held.then(|| Held(Mutex::new(client))))
}

/// Removes a campaign.
pub(super) fn remove(server: &Server, schema: &str) -> Result<(), DbError> {
    Ok(server.client()?.batch_execute(&format!("DROP SCHEMA IF EXISTS {} CASCADE", quoted(schema)))?)
}

/// The schemas that hold campaigns and begin with `prefix`, by name.
pub(super) fn schemas(server: &Server, prefix: &str) -> Result<Vec<String>, DbError> {
    let sql = "SELECT schemaname::text FROM pg_catalog.pg_tables \
               WHERE tablename = 'campaign' AND starts_with(schemaname::text, $1) ORDER BY 1";
    let rows = server.client()?.query(sql, &[&prefix])?;
    rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

/// An identifier in SQL.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// `?` as `$1`, `$2`, … outside of quotes.
fn numbered(sql: &str) -> String {
    let (mut out, mut n, mut in_quotes) = (String::with_capacity(sql.len() + 16), 0, false);
    for c in sql.chars() {
        in_quotes ^= c == '\'';
        if c == '?' && !in_quotes {
            n += 1;
            out.push_str(&format!("${n}"));
        } else {
            out.push(c);
        }
    }
    out
}

fn array_type(t: ColumnType) -> &'static str {
    match t {
        ColumnType::Small => "smallint",
        ColumnType::Int => "bigint",
        ColumnType::Text => "text",
        ColumnType::Bytes => "bytea",
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match *self {
            Value::Null => Ok(IsNull::Yes),
            Value::Int(n) => match *ty {
                Type::INT2 => i16::try_from(n)?.to_sql(ty, out),
                Type::INT4 => i32::try_from(n)?.to_sql(ty, out),
                Type::BOOL => (n != 0).to_sql(ty, out),
                _ => n.to_sql(ty, out),
            },
            Value::Real(x) => x.to_sql(ty, out),
            // PostgreSQL has no texts with NUL.
            Value::Text(t) if t.contains('\0') => t.replace('\0', "\u{fffd}").to_sql(ty, out),
            Value::Text(t) => t.to_sql(ty, out),
            Value::Bytes(b) => b.to_sql(ty, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for Value<'a> {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Value<'a>, Box<dyn Error + Sync + Send>> {
        Ok(match *ty {
            Type::INT2 => Value::Int(i16::from_sql(ty, raw)?.into()),
            Type::INT4 => Value::Int(i32::from_sql(ty, raw)?.into()),
            Type::INT8 => Value::Int(i64::from_sql(ty, raw)?),
            Type::BOOL => Value::Int(bool::from_sql(ty, raw)?.into()),
            Type::FLOAT8 => Value::Real(f64::from_sql(ty, raw)?),
            Type::BYTEA => Value::Bytes(raw),
            Type::TEXT | Type::VARCHAR | Type::NAME => Value::Text(std::str::from_utf8(raw)?),
            _ => return Err(format!("a value of type {ty}").into()),
        })
    }

    fn from_sql_null(_: &Type) -> Result<Value<'a>, Box<dyn Error + Sync + Send>> {
        Ok(Value::Null)
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_numbered_outside_of_quotes() {
        assert_eq!(numbered("a = ? AND b = '?''?' AND c = ?"), "a = $1 AND b = '?''?' AND c = $2");
    }

    #[test]
    fn identifiers_are_quoted() {
        assert_eq!(quoted("a\"b ü"), "\"a\"\"b ü\"");
    }
}
