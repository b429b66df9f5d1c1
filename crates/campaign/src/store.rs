//! The store: a campaign in a database, which is a file (SQLite) or a schema on a server (PostgreSQL).
//!
//! It has everything that a report needs: instances, solvers, runs with answers and evidence. Runs are inserted by their key
//! (instance, solver, seed) in short transactions: a process killed at any moment loses nothing that was
//! recorded, and a resumed campaign repeats nothing. A store is named by a path, or by an address `postgres://HOST/DATABASE/CAMPAIGN`; both
//! are passed as a [`Path`].
//!
//! | module | holds |
//! |---|---|
//! | [`rows`] | the rows, and how they are read |
//! | `facts`, `texts` | facts about texts; texts by content, compressed |
//! | `schema`, `upgrade`, `error` | the tables, older formats, and the errors |
//! | `read`, `write` | the queries |
//! | `sums`, `search` | sums of runs, made by the database; runs that fit a description, in pages |
//! | `hunt` | the state of a hunt |
//! | `shards` | runs of other machines, each shard merged once |
//! | `sample` | a store with invented runs, of any size |
//! | `copy`, `check`, [`places`] | a store copied, checked; the stores of a folder or database |
//! | `findings` | findings and examined runs, read and written |
//! | `location`, `credentials` | paths and addresses; passwords |
//! | `failure` | errors of PostgreSQL, told apart |
//! | `db`, `sqlite`, `postgres` | the interface of databases, and the two that there are |

mod check;
mod copy;
mod credentials;
mod db;
mod error;
mod facts;
mod failure;
mod findings;
mod hunt;
mod location;
pub mod places;
mod postgres;
mod read;
pub mod rows;
mod sample;
mod schema;
mod search;
mod shards;
mod sqlite;
mod sums;
mod texts;
mod upgrade;
mod write;

pub use check::Checked;
pub use copy::Copied;
pub use db::DbError;
pub use error::{StoreError, is_disk_failure};
pub use facts::Facts;
pub use findings::{Examined, RunKey};
pub use location::{beside, is_server};
pub use postgres::Held;
pub use rows::{Campaign, InstanceRow, NewSolver, RunRow, SECOND_OPINION, SolverRow, UnreadableRow};
pub use search::{Hit, Wanted};
pub use shards::Merged;
pub use sums::{Extent, GrowthRow, PairRow, Sum, TimeSum, UnsoundRun, rounded};

use db::Database;
use error::FORMAT;
use location::Location;
use sqlite::{Mode, Sqlite};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// An open store.
pub struct Store {
    path: PathBuf,
    db: Box<dyn Database>,
    texts: RefCell<texts::Texts>,
}

impl Store {
    /// Creates the store of a new campaign; an error if there is one already.
    pub fn create(path: &Path, campaign: &Campaign) -> Result<Store, StoreError> {
        let store = Store::connect(path, Mode::Create)?;
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
        let store = Store::connect(path, Mode::Create)?;
        let lock = lock(path)?;
        store.begin(campaign, solvers)?;
        Ok((store, lock))
    }

    /// Opens the store of a campaign for reading and writing. An older format is upgraded.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let store = Store::connect(path, Mode::Write)?;
        if store.check_format()? != FORMAT {
            store.upgrade()?;
        }
        Ok(store)
    }

    /// Opens the store of a campaign, which may be running, for reading.
    pub fn open_read_only(path: &Path) -> Result<Store, StoreError> {
        let store = Store::connect(path, Mode::Read)?;
        if store.check_format()? != FORMAT {
            store.view_as_current()?;
        }
        Ok(store)
    }

    fn connect(path: &Path, mode: Mode) -> Result<Store, StoreError> {
        let wrap = |source| StoreError::Database { path: path.to_owned(), source };
        let db: Box<dyn Database> = match Location::parse(path)? {
            Location::File(file) if file.is_dir() => return Err(StoreError::Folder(path.to_owned())),
            Location::File(file) => Box::new(Sqlite::open(&file, mode).map_err(wrap)?),
            Location::Postgres { schema: None, .. } => return Err(StoreError::NoCampaign(path.to_owned())),
            Location::Postgres { server, schema: Some(schema) } => {
                Box::new(postgres::Postgres::connect(server, schema, mode == Mode::Read).map_err(wrap)?)
            }
        };
        Ok(Store { path: path.to_owned(), db, texts: RefCell::default() })
    }

    /// Removes a store that is not open. Files that are left behind are harmless.
    pub fn remove(path: &Path) {
        let _ = Store::try_remove(path);
    }

    /// Removes a store that is not open.
    pub fn try_remove(path: &Path) -> Result<(), StoreError> {
        match Location::parse(path)? {
            Location::File(file) => sqlite::remove(&file),
            Location::Postgres { schema: None, .. } => return Err(StoreError::NoCampaign(path.to_owned())),
            Location::Postgres { server, schema: Some(schema) } => postgres::remove(&server, &schema)
                .map_err(|source| StoreError::Database { path: path.to_owned(), source })?,
        }
        Ok(())
    }

    /// Whether there may be a store: the file exists, or it is on a server.
    pub fn exists(path: &Path) -> bool {
        is_server(path) || path.exists()
    }

    /// The exclusive use of a campaign on a server; none if another process has it.
    pub(crate) fn hold(path: &Path) -> Result<Option<Held>, StoreError> {
        match Location::parse(path)? {
            Location::Postgres { server, schema: Some(schema) } => postgres::lock(&server, &schema)
                .map_err(|source| StoreError::Database { path: path.to_owned(), source }),
            Location::Postgres { schema: None, .. } | Location::File(_) => {
                Err(StoreError::NoCampaign(path.to_owned()))
            }
        }
    }

    /// Adds the path to an error of the database.
    fn sql<T>(&self, result: Result<T, DbError>) -> Result<T, StoreError> {
        result.map_err(|source| match source {
            DbError::Value(what) => self.damaged(what),
            source => StoreError::Database { path: self.path.clone(), source },
        })
    }

    /// The size on disk, in bytes.
    pub fn size(&self) -> Result<u64, StoreError> {
        self.sql(self.db.size())
    }

    /// The file, or the address.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
