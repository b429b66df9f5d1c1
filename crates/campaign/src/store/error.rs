//! The format of a store, and its errors.

use super::db::DbError;
use std::error::Error;
use std::path::PathBuf;

/// The format of a store. Format 1 was that of stringent 0.1.0; format 2 had texts in the rows.
pub(super) const FORMAT: i64 = 3;
/// The format of a copy that is not complete.
pub(super) const INCOMPLETE: i64 = -1;
/// The oldest format that is read, and upgraded when it is written.
pub(super) const OLDEST: i64 = 2;

/// Errors of a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database reports an error.
    #[error("{}: {source}", path.display())]
    Database {
        /// The store.
        path: PathBuf,
        /// The error.
        source: DbError,
    },
    /// The address of a server cannot be used.
    #[error("{address}: {what}")]
    Address {
        /// The address.
        address: String,
        /// The problem.
        what: String,
    },
    /// The address names a database, and a campaign is needed.
    #[error("{}: names no campaign; the address has the form postgres://HOST/DATABASE/CAMPAIGN", _0.display())]
    NoCampaign(PathBuf),
    /// The store has an older format that is not read.
    #[error(
        "{}: written by stringent {version} (store format {found}); this version reads formats {OLDEST} and {FORMAT}. \
         Use stringent {version} for it, or run the campaign again",
        path.display()
    )]
    Version {
        /// The store.
        path: PathBuf,
        /// The version of stringent that wrote it.
        version: String,
        /// Its format.
        found: i64,
    },
    /// The store has a newer format.
    #[error(
        "{}: written by a newer stringent (store format {found}); this version reads formats {OLDEST} and {FORMAT}. \
         Use a newer stringent for it",
        path.display()
    )]
    Newer {
        /// The store.
        path: PathBuf,
        /// Its format.
        found: i64,
    },
    /// The store is a copy that was stopped.
    #[error("{}: an incomplete copy; remove it with `stringent store remove`, and copy again", _0.display())]
    Incomplete(PathBuf),
    /// The store has an older format, and another process uses it.
    #[error("{}: in use by another process; it cannot be upgraded to store format {FORMAT} now", _0.display())]
    InUse(PathBuf),
    /// The store holds a campaign already.
    #[error("{}: already holds a campaign; resume it with --resume, or choose another place", _0.display())]
    Exists(PathBuf),
    /// It is a folder.
    #[error("{}: a folder, not a store", _0.display())]
    Folder(PathBuf),
    /// The store holds no campaign.
    #[error("{}: holds no campaign", _0.display())]
    Missing(PathBuf),
    /// The store has a value that no version of stringent writes.
    #[error("{}: damaged: {what}", path.display())]
    Damaged {
        /// The store.
        path: PathBuf,
        /// The problem.
        what: String,
    },
}

impl StoreError {
    /// The store was spoiled after it was written; the reason.
    pub fn damage(&self) -> Option<String> {
        match self {
            StoreError::Damaged { what, .. } => Some(what.clone()),
            StoreError::Database { source: DbError::Sqlite(e), .. } => {
                let corrupt = e.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseCorrupt);
                corrupt.then(|| e.to_string())
            }
            _ => None,
        }
    }
}

/// The database failed because the disk is full, fails, or cannot be written to.
pub fn is_disk_failure(cause: &(dyn Error + 'static)) -> bool {
    use rusqlite::ErrorCode;
    match cause.downcast_ref::<DbError>() {
        Some(DbError::Sqlite(e)) => {
            let code = e.sqlite_error_code();
            matches!(code, Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure | ErrorCode::ReadOnly))
        }
        Some(DbError::Postgres(e)) => super::failure::is_disk_failure(e),
        _ => false,
    }
}
