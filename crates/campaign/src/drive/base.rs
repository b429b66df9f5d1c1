//! Where a worker pool has its instances from, and where its runs go: a store, or the memory of a task on a cluster.

use crate::outcome::Status;
use crate::store::{InstanceRow, RunKey, RunRow, Store, StoreError};
use std::borrow::Cow;

/// What a worker pool works on.
pub enum Base<'a> {
    /// The store of a campaign: runs are recorded in it.
    Store(&'a mut Store),
    /// Instances by ascending keys; only the observer gets the runs.
    Memory(&'a [InstanceRow]),
}

/// What one worker reads instances from.
pub(super) enum Reader<'a> {
    Store(Box<Store>),
    Memory(&'a [InstanceRow]),
}

impl<'a> Base<'a> {
    /// The keys and known answers of all instances, in order.
    pub(super) fn instances(&self) -> Result<Vec<(i64, Status)>, StoreError> {
        match self {
            Base::Store(store) => store.instance_statuses(),
            Base::Memory(rows) => Ok(rows.iter().map(|row| (row.id, row.status)).collect()),
        }
    }

    /// The runs that are recorded already.
    pub(super) fn recorded(&self) -> Result<Vec<RunKey>, StoreError> {
        match self {
            Base::Store(store) => store.run_keys(),
            Base::Memory(_) => Ok(Vec::new()),
        }
    }

    pub(super) fn record(&mut self, runs: &[RunRow]) -> Result<(), StoreError> {
        match self {
            Base::Store(store) => store.add_runs(runs, false),
            Base::Memory(_) => Ok(()),
        }
    }

    pub(super) fn reader(&self) -> Result<Reader<'a>, StoreError> {
        Ok(match self {
            Base::Store(store) => Reader::Store(Box::new(Store::open_read_only(store.path())?)),
            Base::Memory(rows) => Reader::Memory(rows),
        })
    }
}

impl Reader<'_> {
    /// The instance with this key.
    pub(super) fn instance(&self, id: i64) -> Result<Option<Cow<'_, InstanceRow>>, StoreError> {
        match self {
            Reader::Store(store) => Ok(store.instance(id)?.map(Cow::Owned)),
            Reader::Memory(rows) => {
                Ok(rows.binary_search_by_key(&id, |row| row.id).ok().map(|at| Cow::Borrowed(&rows[at])))
            }
        }
    }
}
