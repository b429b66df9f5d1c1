//! The format of a store, and its errors.

use rusqlite::ErrorCode;
use std::error::Error;
use std::path::PathBuf;

/// The format of the file, in SQLite's `user_version`. Format 1 was that of stringent 0.1.0.
pub(super) const FORMAT: i64 = 2;

/// Errors of a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite reports an error.
    #[error("{}: {source}", path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// The error.
        source: rusqlite::Error,
    },
    /// The store has another format.
    #[error(
        "{}: written by stringent {version} (store format {found}); this version reads format {FORMAT}. \
         Use stringent {version} for it, or run the campaign again",
        path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The version of stringent that wrote it.
        version: String,
        /// Its format.
        found: i64,
    },
    /// The store holds a campaign already.
    #[error("{}: already holds a campaign; resume it with --resume, or choose another --store", _0.display())]
    Exists(PathBuf),
    /// The store holds no campaign.
    #[error("{}: holds no campaign", _0.display())]
    Missing(PathBuf),
    /// The store has a value that no version of stringent writes.
    #[error("{}: damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The problem.
        what: String,
    },
}

/// SQLite failed because the disk is full, fails, or cannot be written to.
pub fn is_disk_failure(cause: &(dyn Error + 'static)) -> bool {
    let code = cause.downcast_ref::<rusqlite::Error>().and_then(rusqlite::Error::sqlite_error_code);
    matches!(code, Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure | ErrorCode::ReadOnly))
}
