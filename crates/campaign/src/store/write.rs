//! Writing to a store.

use super::db::{self, Database, DbError, Insert, Type, Value, first};
use super::texts::{Added, Texts};
use super::{Facts, InstanceRow, NewSolver, RunRow, SolverRow, Store, StoreError, UnreadableRow};
use std::time::{Duration, Instant};

/// How long to try to reach a server that went away.
const RECONNECT: Duration = Duration::from_secs(60);
/// The time between two attempts.
const PAUSE: Duration = Duration::from_millis(500);

const INSTANCE: [(&str, Type); 10] = [
    ("id", Type::Int),
    ("size", Type::Int),
    ("mark", Type::Int),
    ("scale_value", Type::Int),
    ("source", Type::Int),
    ("name", Type::Text),
    ("category", Type::Text),
    ("operation", Type::Text),
    ("status", Type::Text),
    ("scale", Type::Text),
];

const RUN: [(&str, Type); 16] = [
    ("instance", Type::Int),
    ("solver", Type::Int),
    ("seed", Type::Int),
    ("wall_us", Type::Int),
    ("cpu_us", Type::Int),
    ("memory_kib", Type::Int),
    ("output", Type::Int),
    ("evidence", Type::Int),
    ("command", Type::Int),
    ("batched", Type::Small),
    ("flaky", Type::Small),
    ("kind", Type::Text),
    ("answer", Type::Text),
    ("model", Type::Text),
    ("core", Type::Text),
    ("ending", Type::Text),
];

/// The columns of a run that are its key.
const RUN_KEY: usize = 3;

impl Store {
    /// Adds a solver and returns its key: the same one if a solver of this name is there already.
    pub fn add_solver(&self, solver: &SolverRow) -> Result<i64, StoreError> {
        self.sql(insert_row(&*self.db, solver))
    }

    /// Adds solvers, all or none. One of a name that is there already is left out.
    pub fn add_solvers(&self, solvers: &[NewSolver]) -> Result<(), StoreError> {
        self.atomically(|db| solvers.iter().try_for_each(|solver| insert_solver(db, solver)))
    }

    /// One transaction.
    pub(super) fn atomically<T>(
        &self,
        work: impl FnOnce(&dyn Database) -> Result<T, DbError>,
    ) -> Result<T, StoreError> {
        self.sql(db::atomically(&*self.db, work))
    }

    /// Executes a statement.
    pub(super) fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<(), StoreError> {
        self.sql(self.db.execute(sql, values).map(drop))
    }

    /// Records the digest of a solver's program, once.
    pub fn set_fingerprint(&self, solver: i64, fingerprint: &str) -> Result<(), StoreError> {
        self.sql(insert_fingerprint(&*self.db, solver, fingerprint))
    }

    /// Records where the program of a solver is on this machine.
    pub fn set_program(&self, solver: i64, program: &str) -> Result<(), StoreError> {
        self.execute("UPDATE solver SET program = ? WHERE id = ?", &[program.into(), solver.into()])
    }

    /// Adds instances, all or none; after the last call, [`Store::set_planned`].
    pub fn add_instances(&mut self, list: &[InstanceRow]) -> Result<(), StoreError> {
        let texts = self.texts.get_mut();
        let added = db::atomically(&*self.db, |db| insert_instances(db, texts, "instance", list));
        let done = added.map(|added| texts.remember(added));
        self.sql(done)
    }

    /// Records the files that could not be read, instead of those that were recorded before.
    pub fn set_unreadable(&mut self, list: &[UnreadableRow]) -> Result<(), StoreError> {
        let columns =
            [("file", Type::Text), ("line", Type::Int), ("col", Type::Int), ("message", Type::Text)];
        let insert = Insert { table: "unreadable", columns: &columns, conflict: "" };
        let mut rows: Vec<Vec<Value<'_>>> = Vec::with_capacity(list.len());
        for UnreadableRow { file, line, column, message } in list {
            rows.push(vec![file.into(), (*line).into(), (*column).into(), message.into()]);
        }
        self.atomically(|db| {
            db.execute("DELETE FROM unreadable", &[])?;
            db.insert(&insert, &rows).map(drop)
        })
    }

    /// Records that all instances are there.
    pub fn set_planned(&self) -> Result<(), StoreError> {
        self.execute("UPDATE campaign SET planned = 1", &[])
    }

    /// Removes the instances of a plan that was not completed.
    pub fn clear_plan(&self) -> Result<(), StoreError> {
        self.execute("DELETE FROM instance", &[])
    }

    /// Removes all findings, runs and instances.
    pub fn clear(&self) -> Result<(), StoreError> {
        let tables = ["finding_run", "finding", "run", "instance"];
        let sql: Vec<String> = tables.iter().map(|table| format!("DELETE FROM {table};")).collect();
        self.atomically(|db| db.batch(&sql.concat()))
    }

    /// Records when the campaign was finished.
    pub fn set_finished(&self, when: &str) -> Result<(), StoreError> {
        self.execute("UPDATE campaign SET finished = ?", &[when.into()])
    }

    /// Records runs, all or none. One that is recorded already is kept, or with `replace` replaced. If the server goes away, this waits
    /// for it for a while.
    pub fn add_runs(&mut self, runs: &[RunRow], replace: bool) -> Result<(), StoreError> {
        if runs.is_empty() {
            return Ok(());
        }
        let conflict = if replace { replacing() } else { "ON CONFLICT DO NOTHING".into() };
        self.record(&mut |db, texts| insert_runs(db, texts, "run", runs, &conflict)).map(drop)
    }

    /// One transaction with texts. If the server goes away, this waits for it for a while and does the transaction again.
    pub(super) fn record<T>(
        &mut self,
        work: &mut dyn FnMut(&dyn Database, &mut Texts) -> Result<(Added, T), DbError>,
    ) -> Result<T, StoreError> {
        let started = Instant::now();
        loop {
            let texts = self.texts.get_mut();
            match db::atomically(&*self.db, |db| work(db, texts)) {
                Err(e) if e.is_lost() && started.elapsed() < RECONNECT => self.reconnect(started)?,
                done => {
                    let done = done.map(|(added, value)| {
                        texts.remember(added);
                        value
                    });
                    return self.sql(done);
                }
            }
        }
    }

    /// Connects again, for a while.
    fn reconnect(&mut self, started: Instant) -> Result<(), StoreError> {
        self.texts.get_mut().forget();
        loop {
            match self.db.reconnect() {
                Err(_) if started.elapsed() < RECONNECT => std::thread::sleep(PAUSE),
                done => return self.sql(done),
            }
        }
    }
}

/// The clause that replaces a run.
fn replacing() -> String {
    let set: Vec<String> =
        RUN[RUN_KEY..].iter().map(|(name, _)| format!("{name} = excluded.{name}")).collect();
    format!("ON CONFLICT (instance, solver, seed) DO UPDATE SET {}", set.join(", "))
}

/// Inserts instances with their texts into a table.
pub(super) fn insert_instances(
    db: &dyn Database,
    texts: &mut Texts,
    table: &str,
    list: &[InstanceRow],
) -> Result<Added, DbError> {
    let sources: Vec<&[u8]> = list.iter().map(|i| &*i.source).collect();
    let (references, added) = texts.references(db, &sources)?;
    let facts: Vec<Facts> = sources.iter().map(|source| Facts::of(source)).collect();
    let mut rows: Vec<Vec<Value<'_>>> = Vec::with_capacity(list.len());
    for ((i, source), facts) in list.iter().zip(&references).zip(&facts) {
        rows.push(vec![
            i.id.into(),
            facts.size.into(),
            facts.mark.into(),
            facts.scale.as_ref().map(|(_, value)| *value).into(),
            (*source).into(),
            (&i.name).into(),
            (&i.category).into(),
            (&i.operation).into(),
            i.status.code().into(),
            facts.scale.as_ref().map(|(name, _)| name).into(),
        ]);
    }
    db.insert(&Insert { table, columns: &INSTANCE, conflict: "" }, &rows)?;
    Ok(added)
}

/// Inserts runs with their texts into a table; how many were not there already. Of several with one key the first counts, or with a
/// clause that replaces the last.
pub(super) fn insert_runs(
    db: &dyn Database,
    texts: &mut Texts,
    table: &str,
    runs: &[RunRow],
    conflict: &str,
) -> Result<(Added, u64), DbError> {
    // In the order of their keys, so that concurrent writers lock rows in one order.
    let mut sorted: Vec<&RunRow> = runs.iter().collect();
    sorted.sort_by_key(|run| run.key());
    if conflict.contains("UPDATE") {
        sorted.dedup_by(|later, earlier| {
            let same = later.key() == earlier.key();
            if same {
                *earlier = *later;
            }
            same
        });
    }
    let mut all: Vec<&[u8]> = Vec::with_capacity(3 * sorted.len());
    for run in &sorted {
        all.extend([&*run.output, run.evidence.as_bytes(), run.command.as_bytes()]);
    }
    let (references, added) = texts.references(db, &all)?;
    let rows: Vec<Vec<Value<'_>>> =
        sorted.iter().zip(references.chunks(3)).map(|(run, texts)| run_values(run, texts)).collect();
    let new = db.insert(&Insert { table, columns: &RUN, conflict }, &rows)?;
    Ok((added, new))
}

/// The values of a run, in the order of [`RUN`].
fn run_values<'a>(r: &'a RunRow, texts: &[Option<i64>]) -> Vec<Value<'a>> {
    vec![
        r.instance.into(),
        r.solver.into(),
        r.seed.into(),
        micros(r.wall).into(),
        micros(r.cpu).into(),
        r.memory_kib.into(),
        texts[0].into(),
        texts[1].into(),
        texts[2].into(),
        r.batched.into(),
        r.flaky.into(),
        r.kind.code().into(),
        r.answer.code().into(),
        r.model.code().into(),
        r.core.code().into(),
        (&r.ending).into(),
    ]
}

/// Inserts a solver and the digest of its program.
pub(super) fn insert_solver(db: &dyn Database, solver: &NewSolver) -> Result<(), DbError> {
    let id = insert_row(db, &solver.row)?;
    solver.fingerprint.as_ref().map_or(Ok(()), |digest| insert_fingerprint(db, id, digest))
}

fn insert_row(db: &dyn Database, solver: &SolverRow) -> Result<i64, DbError> {
    let insert = "INSERT INTO solver (name, program, version, profile) VALUES (?, ?, ?, ?) \
                  ON CONFLICT (name) DO NOTHING";
    let SolverRow { name, program, version, profile, .. } = solver;
    db.execute(insert, &[name.into(), program.into(), version.into(), profile.into()])?;
    let id = first(db, "SELECT id FROM solver WHERE name = ?", &[name.into()], |row| row.get(0))?;
    id.ok_or_else(|| DbError::Value(format!("the solver {name} is missing")))
}

fn insert_fingerprint(db: &dyn Database, solver: i64, fingerprint: &str) -> Result<(), DbError> {
    let sql = "INSERT INTO program (solver, fingerprint) VALUES (?, ?) ON CONFLICT DO NOTHING";
    db.execute(sql, &[solver.into(), fingerprint.into()]).map(drop)
}

fn micros(d: Duration) -> i64 {
    i64::try_from(d.as_micros()).unwrap_or(i64::MAX)
}
