//! Reading a store.

use super::db::{self, Column, DbError, Row, Value};
use super::rows::FromRow;
use super::{
    Campaign, Facts, InstanceRow, RunKey, RunRow, SECOND_OPINION, SolverRow, Store, StoreError,
    UnreadableRow, texts,
};
use crate::outcome::{Kind, Verdict};

const SOLVER: &str = "id, name, program, version, profile";
/// The columns of an instance `i` without its text.
pub(super) const INSTANCE: &str = "i.id, i.name, i.category, i.operation, i.status";
/// The columns of a run `r` without its texts.
pub(super) const RUN: &str = "r.instance, r.solver, r.seed, r.kind, r.answer, r.model, r.core, r.ending, \
    r.wall_us, r.cpu_us, r.memory_kib, r.batched, r.flaky";
/// Instances that are looked up in one query.
const LOOKUP: usize = 64;
/// Instances whose runs are read together.
const PAGE: i64 = 500;
/// No texts, where a row has three.
pub(super) const NO_TEXTS: &str = "NULL, NULL, NULL, NULL, NULL, NULL";
const TEXTS: &str = "r.output, o.data, r.evidence, e.data, r.command, c.data";
/// The tables of runs with their texts.
const WITH_TEXTS: &str = "run r LEFT JOIN content o ON o.id = r.output \
    LEFT JOIN content e ON e.id = r.evidence LEFT JOIN content c ON c.id = r.command";

impl Store {
    /// The campaign.
    pub fn campaign(&self) -> Result<Campaign, StoreError> {
        let sql = "SELECT created, version, command, host, seed, settings, finished FROM campaign";
        self.one(sql, &[])?.ok_or_else(|| StoreError::Missing(self.path.clone()))
    }

    /// The solvers of the campaign, in the order they were given.
    pub fn solvers(&self) -> Result<Vec<SolverRow>, StoreError> {
        let mut rows: Vec<SolverRow> = self.all(&format!("SELECT {SOLVER} FROM solver ORDER BY id"), &[])?;
        rows.retain(|row| row.name != SECOND_OPINION);
        Ok(rows)
    }

    /// The solver that gives second opinions, if it was asked for any.
    pub fn second_solver(&self) -> Result<Option<SolverRow>, StoreError> {
        self.one(&format!("SELECT {SOLVER} FROM solver WHERE name = ?"), &[SECOND_OPINION.into()])
    }

    /// The digest of a solver's program, if it was recorded.
    pub fn fingerprint(&self, solver: i64) -> Result<Option<String>, StoreError> {
        self.scalar("SELECT fingerprint FROM program WHERE solver = ?", &[solver.into()])
    }

    /// All instances are recorded. If not, a campaign that was killed while it was being planned starts over.
    pub fn is_planned(&self) -> Result<bool, StoreError> {
        Ok(self.scalar("SELECT planned FROM campaign", &[])?.unwrap_or(false))
    }

    /// The instance with this key.
    pub fn instance(&self, id: i64) -> Result<Option<InstanceRow>, StoreError> {
        let sql = format!(
            "SELECT {INSTANCE}, i.source, t.data FROM instance i LEFT JOIN content t ON t.id = i.source WHERE i.id = ?"
        );
        self.one(&sql, &[id.into()])
    }

    /// All instances, in order. With `sources` false their texts are left out.
    pub fn instances(&self, sources: bool) -> Result<Vec<InstanceRow>, StoreError> {
        let (source, join) = match sources {
            true => ("i.source, t.data", "LEFT JOIN content t ON t.id = i.source"),
            false => ("NULL, NULL", ""),
        };
        self.all(&format!("SELECT {INSTANCE}, {source} FROM instance i {join} ORDER BY i.id"), &[])
    }

    /// The instances with keys in this range, in order, with their texts.
    pub(super) fn instances_between(&self, first: i64, last: i64) -> Result<Vec<InstanceRow>, StoreError> {
        let sql = format!(
            "SELECT {INSTANCE}, i.source, t.data FROM instance i LEFT JOIN content t ON t.id = i.source \
             WHERE i.id BETWEEN ? AND ? ORDER BY i.id"
        );
        self.all(&sql, &[first.into(), last.into()])
    }

    /// Facts about the texts of all instances, in order.
    pub fn instance_facts(&self) -> Result<Vec<(i64, Facts)>, StoreError> {
        let recorded =
            "SELECT id, size, mark, scale, scale_value FROM instance WHERE mark IS NOT NULL ORDER BY id";
        let facts = self.list(recorded, &[], |row| Ok((row.get(0)?, facts(row)?)))?;
        if !facts.is_empty() {
            return Ok(facts);
        }
        // Format 2 does not record them.
        let sources = "SELECT i.id, i.source, t.data FROM instance i LEFT JOIN content t ON t.id = i.source ORDER BY i.id";
        self.list(sources, &[], |row| Ok((row.get(0)?, Facts::of(&texts::read(row, 1)?))))
    }

    /// The sizes of the texts of all instances, in bytes, in order.
    pub fn instance_sizes(&self) -> Result<Vec<(i64, u64)>, StoreError> {
        let sql = "SELECT i.id, i.source, t.size FROM instance i LEFT JOIN content t ON t.id = i.source ORDER BY i.id";
        self.list(sql, &[], |row| {
            let size = match (row.value(1)?, row.value(2)?) {
                (_, Value::Int(size)) => size.cast_unsigned(),
                (Value::Bytes(source), _) => source.len() as u64,
                _ => 0,
            };
            Ok((row.get(0)?, size))
        })
    }

    /// The files that could not be read, in their order.
    pub fn unreadable(&self) -> Result<Vec<UnreadableRow>, StoreError> {
        self.all("SELECT file, line, col, message FROM unreadable ORDER BY id", &[])
    }

    /// The keys of all runs: instance, solver, seed.
    pub fn run_keys(&self) -> Result<Vec<RunKey>, StoreError> {
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        self.list("SELECT instance, solver, seed FROM run ORDER BY instance, solver, seed", &[], read)
    }

    /// All runs by instance, solver and seed. With `texts` false, output, evidence and command are left out.
    pub fn runs(&self, texts: bool) -> Result<Vec<RunRow>, StoreError> {
        let mut all = Vec::new();
        self.each_run(texts, |run| all.push(run))?;
        Ok(all)
    }

    /// Calls `each` on all runs by instance, solver and seed, in constant memory.
    pub fn each_run(&self, texts: bool, mut each: impl FnMut(RunRow)) -> Result<(), StoreError> {
        let (texts, from) = if texts { (TEXTS, WITH_TEXTS) } else { (NO_TEXTS, "run r") };
        let sql = format!("SELECT {RUN}, {texts} FROM {from} ORDER BY r.instance, r.solver, r.seed");
        self.query(&sql, &[], |row| {
            each(RunRow::from_row(row)?);
            Ok(())
        })
    }

    /// The runs in pages, each with all runs of some instances, by instance, solver and seed; without texts.
    pub fn run_pages(
        &self,
    ) -> Result<impl Iterator<Item = Result<Vec<RunRow>, StoreError>> + '_, StoreError> {
        let bounds =
            self.list("SELECT MIN(id), MAX(id) FROM instance", &[], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let (first, last) = match bounds[..] {
            [(Some(first), Some(last))] => (first, last),
            _ => (0, -1),
        };
        let sql = format!(
            "SELECT {RUN}, {NO_TEXTS} FROM run r WHERE r.instance BETWEEN ? AND ? ORDER BY r.instance, r.solver, r.seed"
        );
        let page = move |from: i64| self.all(&sql, &[from.into(), (from + PAGE - 1).into()]);
        Ok((first..=last).step_by(PAGE as usize).map(page))
    }

    /// The runs of a solver that ended in one of these ways, by instance and seed; without texts.
    pub fn runs_of(&self, solver: i64, kinds: &[Kind]) -> Result<Vec<RunRow>, StoreError> {
        if kinds.is_empty() {
            return Ok(Vec::new());
        }
        let kinds: Vec<String> = kinds.iter().map(|k| format!("'{k}'")).collect();
        let sql = format!(
            "SELECT {RUN}, {NO_TEXTS} FROM run r WHERE r.solver = ? AND r.kind IN ({}) ORDER BY r.instance, r.seed",
            kinds.join(", ")
        );
        self.all(&sql, &[solver.into()])
    }

    /// The number of runs.
    pub fn run_count(&self) -> Result<u64, StoreError> {
        Ok(self.scalar("SELECT COUNT(*) FROM run", &[])?.unwrap_or(0))
    }

    /// The number of runs that are marked as flaky.
    pub fn flaky_count(&self) -> Result<u64, StoreError> {
        Ok(self.scalar("SELECT COUNT(*) FROM run WHERE flaky <> 0", &[])?.unwrap_or(0))
    }

    /// The runs that were not sent, are not supported, are unsound, or refute the status of the file, with their evidence.
    pub fn runs_with_evidence(&self) -> Result<Vec<RunRow>, StoreError> {
        let mut all = Vec::new();
        self.each_run_with_evidence(|run| all.push(run))?;
        Ok(all)
    }

    /// Calls `each` on the runs of [`Store::runs_with_evidence`] by instance, solver and seed, in constant memory.
    pub fn each_run_with_evidence(&self, mut each: impl FnMut(RunRow)) -> Result<(), StoreError> {
        let noted = |k: &Kind| k.is_unsound() || !k.is_sent() || k.verdict() == Verdict::NotApplicable;
        let kinds: Vec<String> = Kind::ALL.iter().filter(|k| noted(k)).map(|k| format!("'{k}'")).collect();
        let (kinds, valid) = (kinds.join(", "), Kind::ValidModel);
        let sql = format!(
            "SELECT {RUN}, NULL, NULL, r.evidence, e.data, NULL, NULL \
             FROM run r LEFT JOIN content e ON e.id = r.evidence \
             WHERE r.kind IN ({kinds}) OR (r.kind = '{valid}' AND r.evidence IS NOT NULL) \
             ORDER BY r.instance, r.solver, r.seed"
        );
        self.query(&sql, &[], |row| {
            each(RunRow::from_row(row)?);
            Ok(())
        })
    }

    /// The runs of these instances by instance, solver and seed; without texts.
    pub fn runs_of_instances(&self, ids: &[i64]) -> Result<Vec<RunRow>, StoreError> {
        let mut all = Vec::new();
        for chunk in ids.chunks(LOOKUP) {
            let last = chunk[chunk.len() - 1];
            // The last one is repeated, so that there is one statement.
            let values: Vec<Value<'_>> =
                chunk.iter().copied().chain(std::iter::repeat(last)).take(LOOKUP).map(Value::Int).collect();
            let sql = format!(
                "SELECT {RUN}, {NO_TEXTS} FROM run r WHERE r.instance IN ({}) ORDER BY r.instance, r.solver, r.seed",
                vec!["?"; LOOKUP].join(", ")
            );
            all.extend(self.all::<RunRow>(&sql, &values)?);
        }
        Ok(all)
    }

    /// One run, with its texts.
    pub fn run(&self, instance: i64, solver: i64, seed: u64) -> Result<Option<RunRow>, StoreError> {
        let sql = format!(
            "SELECT {RUN}, {TEXTS} FROM {WITH_TEXTS} WHERE r.instance = ? AND r.solver = ? AND r.seed = ?"
        );
        self.one(&sql, &[instance.into(), solver.into(), seed.into()])
    }

    /// The row that a query finds.
    fn one<T: FromRow>(&self, sql: &str, values: &[Value<'_>]) -> Result<Option<T>, StoreError> {
        Ok(self.all(sql, values)?.into_iter().next())
    }

    /// The rows that a query finds.
    fn all<T: FromRow>(&self, sql: &str, values: &[Value<'_>]) -> Result<Vec<T>, StoreError> {
        self.list(sql, values, T::from_row)
    }

    /// The first column of the first row.
    pub(super) fn scalar<T: Column>(&self, sql: &str, values: &[Value<'_>]) -> Result<Option<T>, StoreError> {
        Ok(self.list(sql, values, |row| row.get(0))?.into_iter().next())
    }

    /// The rows that a query finds, read by `read`.
    pub(super) fn list<T>(
        &self,
        sql: &str,
        values: &[Value<'_>],
        read: impl FnMut(&Row<'_>) -> Result<T, DbError>,
    ) -> Result<Vec<T>, StoreError> {
        self.sql(db::list(&*self.db, sql, values, read))
    }

    /// Calls `each` on the rows of a query, in constant memory. `each` must not use the store.
    pub(super) fn query(
        &self,
        sql: &str,
        values: &[Value<'_>],
        mut each: impl FnMut(&Row<'_>) -> Result<(), DbError>,
    ) -> Result<(), StoreError> {
        self.sql(self.db.query(sql, values, &mut each))
    }
}

/// The query of [`Store::each_run`], without texts.
pub(super) fn runs_without_texts() -> String {
    format!("SELECT {RUN}, {NO_TEXTS} FROM run r ORDER BY r.instance, r.solver, r.seed")
}

fn facts(row: &Row<'_>) -> Result<Facts, DbError> {
    let (scale, value): (Option<String>, Option<u64>) = (row.get(3)?, row.get(4)?);
    Ok(Facts { size: row.get(1)?, mark: row.get(2)?, scale: scale.zip(value) })
}
