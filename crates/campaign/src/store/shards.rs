//! Runs that other machines did: shards of results, each merged once.
//!
//! The rows of a shard and its name are recorded in one transaction, so that a process killed at any moment has merged it or not. A
//! run that is recorded already is kept: two copies of a task may both complete.

use super::db::{self, Database, DbError};
use super::texts::Added;
use super::write::insert_runs;
use super::{RunKey, RunRow, Store, StoreError};
use crate::outcome::{Kind, Status};
use std::time::Duration;

/// The result of merging a shard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// The shard was merged before; nothing was done.
    pub before: bool,
    /// Whether each row is new.
    pub new: Vec<bool>,
    /// Runs that were recorded with another verdict: that one, which is kept, and the one of the shard.
    pub disagree: Vec<(RunKey, Kind, Kind)>,
}

/// The tables, which stores of older versions lack.
const TABLES: &str = "CREATE TABLE IF NOT EXISTS shard (name TEXT PRIMARY KEY); \
    CREATE TABLE IF NOT EXISTS cluster (one INTEGER PRIMARY KEY CHECK (one = 1), state TEXT NOT NULL);";

const KEEP: &str = "ON CONFLICT DO NOTHING";

impl Store {
    /// Prepares a store for the shards of a cluster.
    pub fn add_cluster_tables(&self) -> Result<(), StoreError> {
        self.atomically(|db| db.batch(TABLES))
    }

    /// Records the rows of a shard that are not recorded yet, and the name of the shard, all or nothing. If the server goes away, this waits
    /// for it for a while.
    pub fn merge_shard(&mut self, name: &str, rows: &[RunRow]) -> Result<Merged, StoreError> {
        self.record(&mut |db, texts| {
            let mut merged = Merged::default();
            if db.execute("INSERT INTO shard (name) VALUES (?) ON CONFLICT DO NOTHING", &[name.into()])? == 0
            {
                merged.before = true;
                return Ok((Added::default(), merged));
            }
            db.batch("SAVEPOINT before")?;
            let (added, new) = insert_runs(db, texts, "run", rows, KEEP)?;
            if new == rows.len() as u64 {
                merged.new = vec![true; rows.len()];
                return Ok((added, merged));
            }
            // Some are recorded already: which ones can only be told before they are inserted.
            db.batch("ROLLBACK TO SAVEPOINT before")?;
            compare(db, rows, &mut merged)?;
            Ok((insert_runs(db, texts, "run", rows, KEEP)?.0, merged))
        })
    }

    /// The state of the runs on a cluster; none if there are none.
    pub fn cluster_state(&self) -> Result<Option<String>, StoreError> {
        self.scalar("SELECT state FROM cluster", &[])
    }

    /// Records the state of the runs on a cluster.
    pub fn set_cluster_state(&self, state: &str) -> Result<(), StoreError> {
        let sql = "INSERT INTO cluster (one, state) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET state = excluded.state";
        self.execute(sql, &[state.into()])
    }

    /// Calls `each` with the keys of all runs, without holding them.
    pub fn each_run_key(&self, mut each: impl FnMut(RunKey)) -> Result<(), StoreError> {
        self.query("SELECT instance, solver, seed FROM run", &[], |row| {
            each((row.get(0)?, row.get(1)?, row.get(2)?));
            Ok(())
        })
    }

    /// The keys of all instances with their known answers, in order.
    pub fn instance_statuses(&self) -> Result<Vec<(i64, Status)>, StoreError> {
        let rows: Vec<(i64, String)> =
            self.list("SELECT id, status FROM instance ORDER BY id", &[], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?;
        let read = |(id, code): (i64, String)| match Status::from_code(&code) {
            Some(status) => Ok((id, status)),
            None => Err(self.damaged(format!("`{code}`"))),
        };
        rows.into_iter().map(read).collect()
    }

    /// The number of runs of a solver, and their mean time.
    pub fn mean_time(&self, solver: i64) -> Result<(u64, Duration), StoreError> {
        let sql =
            "SELECT COUNT(*), CAST(COALESCE(AVG(wall_us), 0) AS DOUBLE PRECISION) FROM run WHERE solver = ?";
        let rows: Vec<(u64, f64)> = self.list(sql, &[solver.into()], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let (count, mean) = rows.first().copied().unwrap_or_default();
        Ok((count, Duration::from_secs_f64(mean / 1e6)))
    }
}

/// Notes which of the rows are new, and which differ from those that are recorded.
fn compare(db: &dyn Database, rows: &[RunRow], merged: &mut Merged) -> Result<(), DbError> {
    let sql = "SELECT kind FROM run WHERE instance = ? AND solver = ? AND seed = ?";
    for row in rows {
        let (instance, solver, seed) = row.key();
        let code: Option<String> =
            db::first(db, sql, &[instance.into(), solver.into(), seed.into()], |row| row.get(0))?;
        let kind = code.and_then(|code| Kind::from_code(&code));
        merged.new.push(kind.is_none());
        let other = kind.filter(|&kind| kind.verdict() != row.kind.verdict());
        merged.disagree.extend(other.map(|kind| (row.key(), kind, row.kind)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Answer, CoreCheck, ModelCheck};
    use crate::store::{Campaign, InstanceRow, SolverRow};

    fn run(instance: i64, kind: Kind) -> RunRow {
        RunRow {
            instance,
            solver: 1,
            seed: 0,
            kind,
            answer: Answer::Sat,
            model: ModelCheck::Absent,
            core: CoreCheck::Absent,
            ending: "exit 0".into(),
            wall: Duration::from_millis(3),
            cpu: Duration::ZERO,
            memory_kib: 0,
            batched: false,
            flaky: false,
            output: b"sat".to_vec(),
            evidence: String::new(),
            command: String::new(),
        }
    }

    fn instance(id: i64) -> InstanceRow {
        InstanceRow {
            id,
            name: id.to_string(),
            category: String::new(),
            operation: String::new(),
            status: Status::Sat,
            source: Vec::new(),
        }
    }

    #[test]
    fn a_shard_is_merged_once_and_a_twin_that_disagrees_is_told() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut store = Store::create(&dir.path().join("a.store"), &Campaign::default()).expect("created");
        let solver = SolverRow {
            id: 0,
            name: "s".into(),
            program: "s".into(),
            version: String::new(),
            profile: String::new(),
        };
        assert_eq!(store.add_solver(&solver).expect("added"), 1);
        store.add_cluster_tables().expect("written");
        store.add_instances(&[instance(1), instance(2)]).expect("written");
        let one = store.merge_shard("0.7.0.0", &[run(1, Kind::ValidModel)]).expect("merged");
        assert_eq!((one.before, one.new), (false, vec![true]));
        assert!(store.merge_shard("0.7.0.0", &[run(2, Kind::ValidModel)]).expect("merged").before);
        let rows = [run(1, Kind::WrongSat), run(2, Kind::ValidModel)];
        let twin = store.merge_shard("0.7.1.0", &rows).expect("merged");
        assert_eq!(twin.new, [false, true]);
        assert_eq!(twin.disagree, [((1, 1, 0), Kind::ValidModel, Kind::WrongSat)]);
        let kinds: Vec<Kind> = store.runs(false).expect("readable").iter().map(|r| r.kind).collect();
        assert_eq!(kinds, [Kind::ValidModel, Kind::ValidModel], "the first one is kept");
        let mut keys = Vec::new();
        store.each_run_key(|key| keys.push(key)).expect("readable");
        assert_eq!(keys, [(1, 1, 0), (2, 1, 0)]);
        assert_eq!(store.mean_time(1).expect("readable"), (2, Duration::from_millis(3)));
        assert_eq!(store.instance_statuses().expect("readable")[1], (2, Status::Sat));
    }

    #[test]
    fn the_state_is_replaced() {
        let dir = tempfile::tempdir().expect("a folder");
        let store = Store::create(&dir.path().join("a.store"), &Campaign::default()).expect("created");
        store.add_cluster_tables().expect("written");
        store.add_cluster_tables().expect("a second time");
        assert_eq!(store.cluster_state().expect("readable"), None);
        store.set_cluster_state("a").expect("written");
        store.set_cluster_state("b").expect("written");
        assert_eq!(store.cluster_state().expect("readable").as_deref(), Some("b"));
    }
}
