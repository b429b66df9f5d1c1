//! Reading a store.

use super::rows::FromRow;
use super::{Campaign, InstanceRow, RunRow, SECOND_OPINION, SolverRow, Store, StoreError, UnreadableRow};
use crate::outcome::{Kind, Verdict};
use rusqlite::{OptionalExtension as _, Params, Row, params};

const SOLVER: &str = "id, name, program, version, profile";
const INSTANCE: &str = "id, name, category, operation, status";
/// Stores written before there was `not-asked` have `not-sent` for every instance that was not sent, and `unsupported` for `unknown` too.
const RUN: &str = "instance, solver, seed, CASE \
    WHEN kind = 'not-sent' AND evidence NOT LIKE 'not sent: it cannot be read%' THEN 'not-asked' \
    WHEN kind = 'unsupported' AND answer = 'unknown' THEN 'unknown' \
    ELSE kind END, \
    answer, model, core, ending, wall_us, cpu_us, memory_kib, batched, flaky";

impl Store {
    /// The campaign.
    pub fn campaign(&self) -> Result<Campaign, StoreError> {
        let sql = "SELECT created, version, command, host, seed, settings, finished FROM campaign";
        self.one(sql, [])?.ok_or_else(|| StoreError::Missing(self.path.clone()))
    }

    /// The solvers of the campaign, in the order they were given.
    pub fn solvers(&self) -> Result<Vec<SolverRow>, StoreError> {
        let mut rows: Vec<SolverRow> = self.all(&format!("SELECT {SOLVER} FROM solver ORDER BY id"))?;
        rows.retain(|row| row.name != SECOND_OPINION);
        Ok(rows)
    }

    /// The solver that gives second opinions, if it was asked for any.
    pub fn second_solver(&self) -> Result<Option<SolverRow>, StoreError> {
        self.one(&format!("SELECT {SOLVER} FROM solver WHERE name = ?"), [SECOND_OPINION])
    }

    /// The digest of a solver's program, if it was recorded.
    pub fn fingerprint(&self, solver: i64) -> Result<Option<String>, StoreError> {
        if !self.has_table("program")? {
            return Ok(None);
        }
        let sql = "SELECT fingerprint FROM program WHERE solver = ?";
        self.sql(self.db.query_row(sql, [solver], |row| row.get(0)).optional())
    }

    /// All instances are recorded. If not, a campaign that was killed while it was being planned starts over.
    pub fn is_planned(&self) -> Result<bool, StoreError> {
        self.sql(self.db.query_row("SELECT planned FROM campaign", [], |row| row.get(0)))
    }

    /// The instance with this key.
    pub fn instance(&self, id: i64) -> Result<Option<InstanceRow>, StoreError> {
        self.one(&format!("SELECT {INSTANCE}, source FROM instance WHERE id = ?"), [id])
    }

    /// All instances, in order. With `sources` false their texts are left out.
    pub fn instances(&self, sources: bool) -> Result<Vec<InstanceRow>, StoreError> {
        let source = if sources { "source" } else { "x''" };
        self.all(&format!("SELECT {INSTANCE}, {source} FROM instance ORDER BY id"))
    }

    /// A value for each instance, computed from its text, without holding all texts at once.
    pub fn instance_marks<T>(&self, mark: impl Fn(&[u8]) -> T) -> Result<Vec<(i64, T)>, StoreError> {
        self.list("SELECT id, source FROM instance ORDER BY id", |row| {
            let source = row.get_ref(1)?;
            Ok((row.get(0)?, mark(source.as_blob().unwrap_or_default())))
        })
    }

    /// The files that could not be read, in their order.
    pub fn unreadable(&self) -> Result<Vec<UnreadableRow>, StoreError> {
        if !self.has_table("unreadable")? {
            return Ok(Vec::new());
        }
        self.all("SELECT file, line, col, message FROM unreadable ORDER BY id")
    }

    /// The keys of all runs: instance, solver, seed.
    pub fn run_keys(&self) -> Result<Vec<(i64, i64, u64)>, StoreError> {
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get::<_, i64>(2)?.cast_unsigned()));
        self.list("SELECT instance, solver, seed FROM run ORDER BY instance, solver, seed", read)
    }

    /// All runs by instance, solver and seed. With `texts` false, output, evidence and command are left out.
    pub fn runs(&self, texts: bool) -> Result<Vec<RunRow>, StoreError> {
        let texts = if texts { "output, evidence, command" } else { "x'', '', ''" };
        self.all(&format!("SELECT {RUN}, {texts} FROM run ORDER BY instance, solver, seed"))
    }

    /// The runs that were not sent, are not supported, are unsound, or refute the status of the file, with their evidence.
    pub fn runs_with_evidence(&self) -> Result<Vec<RunRow>, StoreError> {
        let noted = |k: &Kind| k.is_unsound() || !k.is_sent() || k.verdict() == Verdict::NotApplicable;
        let kinds: Vec<String> = Kind::ALL.iter().filter(|k| noted(k)).map(|k| format!("'{k}'")).collect();
        let (kinds, valid) = (kinds.join(", "), Kind::ValidModel);
        self.all(&format!(
            "SELECT {RUN}, x'', evidence, '' FROM run WHERE kind IN ({kinds}) OR (kind = '{valid}' AND evidence <> '')"
        ))
    }

    /// One run, with its texts.
    pub fn run(&self, instance: i64, solver: i64, seed: u64) -> Result<Option<RunRow>, StoreError> {
        let sql = format!(
            "SELECT {RUN}, output, evidence, command FROM run WHERE instance = ? AND solver = ? AND seed = ?"
        );
        self.one(&sql, params![instance, solver, seed.cast_signed()])
    }

    /// The row that a query finds.
    fn one<T: FromRow>(&self, sql: &str, key: impl Params) -> Result<Option<T>, StoreError> {
        let query = self.db.prepare_cached(sql);
        let row = query.and_then(|mut q| q.query_row(key, |row| Ok(T::from_row(row))).optional());
        self.sql(row)?.map(|row| row.map_err(|e| e.of(self))).transpose()
    }

    /// The rows that a query finds.
    fn all<T: FromRow>(&self, sql: &str) -> Result<Vec<T>, StoreError> {
        let rows = self.list(sql, |row| Ok(T::from_row(row)))?;
        rows.into_iter().map(|row| row.map_err(|e| e.of(self))).collect()
    }

    pub(super) fn list<T>(
        &self,
        sql: &str,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let rows = self.db.prepare(sql).and_then(|mut s| s.query_map([], read)?.collect());
        self.sql(rows)
    }
}
