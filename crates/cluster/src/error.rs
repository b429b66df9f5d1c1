//! Errors.

use campaign::drive::DriveError;
use campaign::job::JobError;
use campaign::store::StoreError;
use campaign::toml_file::FileError;
use std::io;
use std::path::{Path, PathBuf};

/// Errors of campaigns on a cluster.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The campaign.
    #[error(transparent)]
    Job(#[from] JobError),
    /// Solvers cannot be run.
    #[error(transparent)]
    Drive(#[from] DriveError),
    /// The profile of the cluster.
    #[error(transparent)]
    Config(#[from] FileError),
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// There are no jobs.
    #[error("the plan is empty: there is nothing to run")]
    Empty,
    /// The plan cannot be used.
    #[error("{}: {why}", path.display())]
    Plan {
        /// Its folder or file.
        path: PathBuf,
        /// The problem.
        why: String,
    },
    /// There is no such chunk.
    #[error("there is no chunk {0}: the plan has {1}, counted from 0")]
    NoChunk(u64, u64),
    /// A solver on this machine is not the one of the plan.
    #[error("`{name}` on {host}: {why}")]
    Solver {
        /// Its name in tables.
        name: String,
        /// This machine.
        host: String,
        /// The problem.
        why: String,
    },
    /// The scheduler.
    #[error("{0}")]
    Scheduler(String),
    /// There is no profile of a cluster.
    #[error("there is no {}; docs/cluster.md shows one, --cluster names another file", _0.display())]
    NoConfig(PathBuf),
}

impl Error {
    pub(crate) fn plan(path: &Path, why: impl Into<String>) -> Error {
        Error::Plan { path: path.to_owned(), why: why.into() }
    }
}

/// Adds the path to an error of the system.
pub(crate) fn io_error(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_owned();
    move |source| Error::Io { path, source }
}
