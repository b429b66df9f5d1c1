//! A store copied to another place, for example from a file to a server.
//!
//! Instances keep their keys; solvers are numbered anew. Until the copy is complete, its format says so: nothing else opens it.

use super::db::{Insert, Type, Value};
use super::error::{FORMAT, INCOMPLETE};
use super::{Examined, NewSolver, RunKey, RunRow, Store, StoreError};
use crate::finding::Finding;
use std::collections::BTreeMap;
use std::path::Path;

/// Rows in one transaction.
const CHUNK: usize = 1000;

/// The size of a copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// Its instances.
    pub instances: u64,
    /// Its runs.
    pub runs: u64,
}

impl Store {
    /// Copies all of this store to a new one. `progress` gets the number of runs so far. A copy that fails is removed.
    pub fn copy_to(&self, to: &Path, progress: &mut dyn FnMut(u64)) -> Result<Copied, StoreError> {
        let mut copy = Store::create(to, &self.campaign()?)?;
        let done = copy.sql(copy.db.set_format(INCOMPLETE)).and_then(|()| self.fill(&mut copy, progress));
        if done.is_err() {
            drop(copy);
            Store::remove(to);
        }
        done
    }

    /// Copies a store that is a file to a new file, as it is at one moment; another process or thread may write to it.
    pub fn snapshot(&self, to: &Path) -> Result<(), StoreError> {
        let to = to.display().to_string();
        self.execute("VACUUM INTO ?", &[(&to).into()])
    }

    fn fill(&self, copy: &mut Store, progress: &mut dyn FnMut(u64)) -> Result<Copied, StoreError> {
        let solvers = self.copy_solvers(copy)?;
        let instances = self.copy_instances(copy)?;
        let runs = self.copy_runs(copy, &solvers, progress)?;
        self.copy_findings(copy, &solvers)?;
        copy.set_unreadable(&self.unreadable()?)?;
        if let Some(state) = self.hunt_state()? {
            copy.set_hunt_state(&state)?;
        }
        if self.is_planned()? {
            copy.set_planned()?;
        }
        copy.sql(copy.db.set_format(FORMAT))?;
        Ok(Copied { instances, runs })
    }

    /// The new keys of the solvers by their old ones.
    fn copy_solvers(&self, copy: &Store) -> Result<BTreeMap<i64, i64>, StoreError> {
        let mut rows: Vec<_> = self.solvers()?.into_iter().chain(self.second_solver()?).collect();
        rows.sort_by_key(|row| row.id);
        let mut keys = BTreeMap::new();
        for row in rows {
            let (old, fingerprint) = (row.id, self.fingerprint(row.id)?);
            copy.add_solvers(&[NewSolver { row: row.clone(), fingerprint }])?;
            keys.insert(old, copy.add_solver(&row)?);
        }
        Ok(keys)
    }

    fn copy_instances(&self, copy: &mut Store) -> Result<u64, StoreError> {
        let all = self.instances(false)?;
        for chunk in all.chunks(CHUNK) {
            let (first, last) = (chunk[0].id, chunk[chunk.len() - 1].id);
            copy.add_instances(&self.instances_between(first, last)?)?;
        }
        Ok(all.len() as u64)
    }

    fn copy_runs(
        &self,
        copy: &mut Store,
        solvers: &BTreeMap<i64, i64>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, StoreError> {
        let mut rows: Vec<RunRow> = Vec::with_capacity(CHUNK);
        let (mut copied, mut failed) = (0, None);
        self.each_run(true, |run| {
            rows.push(RunRow { solver: *solvers.get(&run.solver).unwrap_or(&run.solver), ..run });
            if rows.len() == CHUNK && failed.is_none() {
                failed = copy.add_runs(&rows, false).err();
                copied += rows.len() as u64;
                rows.clear();
                progress(copied);
            }
        })?;
        failed.map_or(Ok(()), Err)?;
        copy.add_runs(&rows, false)?;
        Ok(copied + rows.len() as u64)
    }

    fn copy_findings(&self, copy: &Store, solvers: &BTreeMap<i64, i64>) -> Result<(), StoreError> {
        let examined = self.examinations()?;
        let key = |e: &Examined| (e.run.0, *solvers.get(&e.run.1).unwrap_or(&e.run.1), e.run.2);
        for e in &examined {
            copy.set_examination(key(e), &e.examination)?;
        }
        let members = |finding: &Finding| -> Vec<RunKey> {
            examined.iter().filter(|e| e.finding == Some(finding.number)).map(key).collect()
        };
        let findings: Vec<_> = self.findings()?.into_iter().map(|f| (members(&f), f)).collect();
        copy.set_findings(&findings.into_iter().map(|(runs, f)| (f, runs)).collect::<Vec<_>>())?;
        let sql = "SELECT failure, solver, fails FROM elsewhere ORDER BY failure, solver";
        let rows = self
            .list(sql, &[], |row| Ok((row.get::<String>(0)?, row.get::<String>(1)?, row.get::<i64>(2)?)))?;
        let rows: Vec<Vec<Value<'_>>> =
            rows.iter().map(|(f, s, n)| vec![f.into(), s.into(), (*n).into()]).collect();
        let columns = [("failure", Type::Text), ("solver", Type::Text), ("fails", Type::Small)];
        let insert = Insert { table: "elsewhere", columns: &columns, conflict: "ON CONFLICT DO NOTHING" };
        copy.sql(copy.db.insert(&insert, &rows).map(drop))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Campaign;

    #[test]
    fn a_snapshot_has_what_was_written_before_it() {
        let dir = tempfile::tempdir().expect("a folder");
        let (path, to) = (dir.path().join("a.store"), dir.path().join("it's a copy.store"));
        let store = Store::create(&path, &Campaign::default()).expect("created");
        store.set_hunt_state("one").expect("written");
        Store::open_read_only(&path).expect("open").snapshot(&to).expect("copied beside a writer");
        store.set_hunt_state("two").expect("written");
        let copy = Store::open(&to).expect("a store of this format");
        assert_eq!(copy.hunt_state().expect("readable").as_deref(), Some("one"));
        assert!(store.snapshot(&to).is_err(), "a file is not overwritten");
    }
}
