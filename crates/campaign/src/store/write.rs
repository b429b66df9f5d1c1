//! Writing to a store.

use super::{InstanceRow, NewSolver, RunRow, SolverRow, Store, StoreError, UnreadableRow};
use rusqlite::{CachedStatement, Connection, Transaction, TransactionBehavior, params};
use std::time::Duration;

impl Store {
    /// Adds a solver and returns its key: the same one if a solver of this name is there already.
    pub fn add_solver(&self, solver: &SolverRow) -> Result<i64, StoreError> {
        self.sql(insert_row(&self.db, solver))
    }

    /// Adds solvers, all or none. One of a name that is there already is left out.
    pub fn add_solvers(&self, solvers: &[NewSolver]) -> Result<(), StoreError> {
        self.atomically(|db| solvers.iter().try_for_each(|solver| insert_solver(db, solver)))
    }

    /// One transaction.
    pub(super) fn atomically(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        let tx = Transaction::new_unchecked(&self.db, TransactionBehavior::Immediate);
        self.sql(tx.and_then(|tx| {
            work(&tx)?;
            tx.commit()
        }))
    }

    /// Records the digest of a solver's program, once.
    pub fn set_fingerprint(&self, solver: i64, fingerprint: &str) -> Result<(), StoreError> {
        self.sql(insert_fingerprint(&self.db, solver, fingerprint))
    }

    /// Adds instances, all or none; after the last call, [`Store::set_planned`].
    pub fn add_instances(&mut self, list: &[InstanceRow]) -> Result<(), StoreError> {
        let sql =
            "INSERT INTO instance (id, name, category, operation, status, source) VALUES (?, ?, ?, ?, ?, ?)";
        self.insert(sql, list, |statement, i| {
            statement.execute(params![i.id, i.name, i.category, i.operation, i.status.code(), i.source])
        })
    }

    /// Records the files that could not be read, instead of those that were recorded before.
    pub fn set_unreadable(&mut self, list: &[UnreadableRow]) -> Result<(), StoreError> {
        self.sql(self.db.execute("DELETE FROM unreadable", []).map(drop))?;
        let sql = "INSERT INTO unreadable (file, line, col, message) VALUES (?, ?, ?, ?)";
        self.insert(sql, list, |statement, u| statement.execute(params![u.file, u.line, u.column, u.message]))
    }

    /// Records that all instances are there.
    pub fn set_planned(&self) -> Result<(), StoreError> {
        self.sql(self.db.execute("UPDATE campaign SET planned = 1", []).map(drop))
    }

    /// Removes the instances of a plan that was not completed.
    pub fn clear_plan(&self) -> Result<(), StoreError> {
        self.sql(self.db.execute("DELETE FROM instance", []).map(drop))
    }

    /// Records when the campaign was finished.
    pub fn set_finished(&self, when: &str) -> Result<(), StoreError> {
        self.sql(self.db.execute("UPDATE campaign SET finished = ?", [when]).map(drop))
    }

    /// Records runs, all or none. One that is recorded already is kept, or with `replace` replaced.
    pub fn add_runs(&mut self, runs: &[RunRow], replace: bool) -> Result<(), StoreError> {
        let how = if replace { "REPLACE" } else { "IGNORE" };
        self.insert(&insert_run(how), runs, execute_run)
    }

    /// Records runs and what `more` adds, all or none. A run that is recorded already is kept.
    pub(super) fn add_runs_and(
        &mut self,
        runs: &[RunRow],
        more: impl FnOnce(&Connection) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        self.atomically(|db| {
            let mut statement = db.prepare_cached(&insert_run("IGNORE"))?;
            runs.iter().try_for_each(|run| execute_run(&mut statement, run).map(drop))?;
            more(db)
        })
    }

    /// Inserts rows in one transaction.
    pub(super) fn insert<T>(
        &mut self,
        sql: &str,
        rows: &[T],
        mut one: impl FnMut(&mut CachedStatement<'_>, &T) -> rusqlite::Result<usize>,
    ) -> Result<(), StoreError> {
        let inserted = self.db.transaction().and_then(|tx| {
            {
                let mut statement = tx.prepare_cached(sql)?;
                rows.iter().try_for_each(|row| one(&mut statement, row).map(drop))?;
            }
            tx.commit()
        });
        self.sql(inserted)
    }
}

/// Inserts a solver and the digest of its program.
pub(super) fn insert_solver(db: &Connection, solver: &NewSolver) -> rusqlite::Result<()> {
    let id = insert_row(db, &solver.row)?;
    solver.fingerprint.as_ref().map_or(Ok(()), |digest| insert_fingerprint(db, id, digest))
}

fn insert_row(db: &Connection, solver: &SolverRow) -> rusqlite::Result<i64> {
    let insert = "INSERT INTO solver (name, program, version, profile) VALUES (?, ?, ?, ?) \
                  ON CONFLICT (name) DO NOTHING";
    db.execute(insert, params![solver.name, solver.program, solver.version, solver.profile])?;
    db.query_row("SELECT id FROM solver WHERE name = ?", [&solver.name], |row| row.get(0))
}

fn insert_fingerprint(db: &Connection, solver: i64, fingerprint: &str) -> rusqlite::Result<()> {
    let sql = "INSERT OR IGNORE INTO program (solver, fingerprint) VALUES (?, ?)";
    db.execute(sql, params![solver, fingerprint]).map(drop)
}

/// The statement that inserts a run.
fn insert_run(how: &str) -> String {
    format!(
        "INSERT OR {how} INTO run (instance, solver, seed, kind, answer, model, core, ending, \
         wall_us, cpu_us, memory_kib, batched, flaky, output, evidence, command) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    )
}

fn execute_run(statement: &mut CachedStatement<'_>, r: &RunRow) -> rusqlite::Result<usize> {
    statement.execute(params![
        r.instance,
        r.solver,
        r.seed.cast_signed(),
        r.kind.code(),
        r.answer.code(),
        r.model.code(),
        r.core.code(),
        r.ending,
        micros(r.wall),
        micros(r.cpu),
        r.memory_kib.cast_signed(),
        r.batched,
        r.flaky,
        r.output,
        r.evidence,
        r.command
    ])
}

fn micros(d: Duration) -> i64 {
    i64::try_from(d.as_micros()).unwrap_or(i64::MAX)
}
