//! The store: one SQLite file is one campaign.
//!
//! It has everything that a report needs: instances, solvers, runs with answers and evidence. Runs are inserted by their key
//! (instance, solver, seed) in short transactions with a write-ahead log: a process killed at any moment loses nothing that was
//! recorded, and a resumed campaign repeats nothing.
//!
//! | module | holds |
//! |---|---|
//! | [`rows`] | the rows, and how they are read from SQLite |
//! | `schema`, `error` | the tables, their format, and the errors |
//! | `read`, `write` | the queries |
//! | `hunt` | the state of a hunt |
//! | `shards` | runs of other machines, each shard merged once |
//! | `findings` | findings and examined runs, read and written |

mod error;
mod findings;
mod hunt;
mod read;
pub mod rows;
mod schema;
mod shards;
mod write;

pub use error::{StoreError, is_disk_failure};
pub use findings::{Examined, RunKey};
pub use rows::{Campaign, InstanceRow, NewSolver, RunRow, SECOND_OPINION, SolverRow, UnreadableRow};
pub use shards::Merged;

use rusqlite::{Connection, OpenFlags};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long to wait for another process that writes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// An open store.
pub struct Store {
    path: PathBuf,
    db: Connection,
}

impl Store {
    /// Creates the store of a new campaign; an error if the file holds one already.
    pub fn create(path: &Path, campaign: &Campaign) -> Result<Store, StoreError> {
        let store = Store::connect(path, OpenFlags::default())?;
        store.begin(campaign, &[])?;
        Ok(store)
    }

    /// Creates the store of a new campaign with its solvers. `lock` is called when the file is there, before anything is
    /// recorded; the campaign is recorded as a whole, or not at all.
    pub fn create_locked<L, E: From<StoreError>>(
        path: &Path,
        (campaign, solvers): (&Campaign, &[NewSolver]),
        lock: impl FnOnce(&Path) -> Result<L, E>,
    ) -> Result<(Store, L), E> {
        let store = Store::connect(path, OpenFlags::default())?;
        let lock = lock(path)?;
        store.begin(campaign, solvers)?;
        Ok((store, lock))
    }

    /// Opens the store of a campaign for reading and writing.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let store = Store::existing(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        store.add_later_tables()?;
        Ok(store)
    }

    /// Opens the store of a campaign, which may be running, for reading.
    pub fn open_read_only(path: &Path) -> Result<Store, StoreError> {
        Store::existing(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
    }

    fn existing(path: &Path, flags: OpenFlags) -> Result<Store, StoreError> {
        let store = Store::connect(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        store.check_format()?;
        Ok(store)
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Store, StoreError> {
        let wrap = |source| StoreError::Sqlite { path: path.to_owned(), source };
        let db = Connection::open_with_flags(path, flags).map_err(wrap)?;
        db.busy_timeout(BUSY_TIMEOUT).map_err(wrap)?;
        if !flags.contains(OpenFlags::SQLITE_OPEN_READ_ONLY) {
            db.pragma_update(None, "journal_mode", "WAL").map_err(wrap)?;
            db.pragma_update(None, "synchronous", "NORMAL").map_err(wrap)?;
        }
        Ok(Store { path: path.to_owned(), db })
    }

    /// Removes the files of a store that is not open. One that is left behind is harmless.
    pub fn remove(path: &Path) {
        for suffix in ["", "-wal", "-shm"] {
            let mut name = path.as_os_str().to_owned();
            name.push(suffix);
            let _ = std::fs::remove_file(name);
        }
    }

    /// Adds the path to an error of SQLite.
    fn sql<T>(&self, result: rusqlite::Result<T>) -> Result<T, StoreError> {
        result.map_err(|source| StoreError::Sqlite { path: self.path.clone(), source })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
