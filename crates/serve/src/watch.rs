//! A campaign that is watched: its last snapshot, and those who wait for the next one.

use campaign::report::Data;
use campaign::report::live::Range;
use campaign::store::{Store, StoreError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// A campaign is kept up to date for this long after the last request for it.
const INTEREST: Duration = Duration::from_secs(15);
/// Connections that are kept open for requests.
const POOL: usize = 4;

/// A campaign as it was read last.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    /// Its number; each new one has a larger number.
    pub(crate) number: u64,
    /// Its content; none if it was not read yet.
    pub(crate) data: Option<Data>,
    /// The ranges of instances with their verdicts; empty until all of them were read.
    pub(crate) ranges: Vec<Range>,
    /// How much of it was read the first time, from 0 to 1.
    pub(crate) read: f64,
    /// Runs per second in the last minute.
    pub(crate) rate: Option<f64>,
    /// Whether runs were recorded in the last minute; none if it was not watched for that long.
    pub(crate) is_moving: Option<bool>,
    /// Its size on disk.
    pub(crate) bytes: u64,
    /// Why it cannot be read.
    pub(crate) error: Option<String>,
}

impl Snapshot {
    /// All of it was read at least once.
    pub(crate) fn is_whole(&self) -> bool {
        self.data.is_some() && self.read >= 1.0
    }
}

/// Data of plots by their names, with the number of the snapshot that they show, when and in what time they were made.
pub(crate) type Plots = BTreeMap<String, (serde_json::Value, u64, Instant, Duration)>;

/// A campaign that is watched.
pub(crate) struct Watched {
    /// Its name in addresses.
    pub(crate) name: String,
    /// Its store.
    pub(crate) path: PathBuf,
    snapshot: Mutex<Arc<Snapshot>>,
    number: watch::Sender<u64>,
    /// Counts the snapshots of all campaigns.
    any: Arc<watch::Sender<u64>>,
    asked: Mutex<Option<Instant>>,
    pool: Mutex<Vec<Store>>,
    /// The plots that were made last.
    pub(crate) plots: Mutex<Plots>,
}

/// The content of a lock, also if a thread that held it has panicked.
pub(crate) fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watched {
    pub(crate) fn new(name: String, path: &Path, any: &Arc<watch::Sender<u64>>) -> Watched {
        Watched {
            name,
            path: path.to_owned(),
            snapshot: Mutex::default(),
            number: watch::Sender::new(0),
            any: any.clone(),
            asked: Mutex::default(),
            pool: Mutex::default(),
            plots: Mutex::default(),
        }
    }

    /// The last snapshot.
    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        locked(&self.snapshot).clone()
    }

    /// The numbers of snapshots as they are made.
    pub(crate) fn numbers(&self) -> watch::Receiver<u64> {
        self.number.subscribe()
    }

    /// Replaces the snapshot.
    pub(crate) fn publish(&self, mut snapshot: Snapshot) {
        snapshot.number = *self.number.borrow() + 1;
        let number = snapshot.number;
        *locked(&self.snapshot) = Arc::new(snapshot);
        self.number.send_replace(number);
        self.any.send_modify(|n| *n += 1);
    }

    /// Someone looks at it.
    pub(crate) fn ask(&self) {
        *locked(&self.asked) = Some(Instant::now());
    }

    /// Whether someone looks at it.
    pub(crate) fn is_asked(&self) -> bool {
        self.number.receiver_count() + self.any.receiver_count() > 0
            || locked(&self.asked).is_some_and(|at| at.elapsed() < INTEREST)
    }

    /// Calls `work` with an open store.
    pub(crate) fn with_store<T>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        // The name may be that of another file now.
        let open = locked(&self.pool).pop().filter(|store| store.version().is_ok());
        let store = open.map_or_else(|| Store::open_read_only(&self.path), Ok)?;
        let done = work(&store)?;
        // A store with an error is not used again: the file may be another one now.
        let mut pool = locked(&self.pool);
        if pool.len() < POOL {
            pool.push(store);
        }
        Ok(done)
    }
}
