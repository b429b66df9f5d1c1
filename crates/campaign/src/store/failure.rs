//! Errors of PostgreSQL, told apart.

use postgres::error::SqlState;
use std::error::Error as _;

/// An error in words.
pub(super) fn message(e: &postgres::Error) -> String {
    if let Some(db) = e.as_db_error() {
        let detail = db.detail().map(|d| format!(" ({d})")).unwrap_or_default();
        return format!("{}{detail}", db.message());
    }
    match e.source() {
        Some(cause) => format!("{e}: {cause}"),
        None => e.to_string(),
    }
}

/// The connection is lost, or the server is starting or stopping.
pub(super) fn is_lost(e: &postgres::Error) -> bool {
    let of_server = |code: &SqlState| {
        [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN, SqlState::CANNOT_CONNECT_NOW].contains(code)
    };
    match e.code() {
        Some(code) => of_server(code) || code.code().starts_with("08"),
        None => e.is_closed() || e.source().is_some_and(<dyn std::error::Error>::is::<std::io::Error>),
    }
}

/// The disk of the server is full, or it refuses to write.
pub(super) fn is_disk_failure(e: &postgres::Error) -> bool {
    e.code().is_some_and(|code| *code == SqlState::DISK_FULL || *code == SqlState::IO_ERROR)
}
