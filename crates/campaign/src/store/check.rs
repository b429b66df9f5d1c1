//! The check of a store: whether everything in it can be read and is what was written, and its size.

use super::rows::FromRow as _;
use super::{RunRow, Store, StoreError, texts};
use crate::store::db::DbError;

/// Problems that are listed; more are counted only.
const LISTED: usize = 20;

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// The format of the store.
    pub format: i64,
    /// Solvers.
    pub solvers: u64,
    /// Instances.
    pub instances: u64,
    /// Runs.
    pub runs: u64,
    /// Texts; each is stored once.
    pub texts: u64,
    /// The bytes of all texts.
    pub text_bytes: u64,
    /// The bytes of all texts as they are stored.
    pub stored_bytes: u64,
    /// The size on disk, in bytes.
    pub bytes: u64,
    /// The first problems.
    pub problems: Vec<String>,
    /// All problems.
    pub found: u64,
}

impl Checked {
    fn add(&mut self, problem: String) {
        self.found += 1;
        if self.problems.len() < LISTED {
            self.problems.push(problem);
        }
    }

    /// Bytes on disk per run.
    pub fn bytes_per_run(&self) -> Option<f64> {
        (self.runs > 0).then(|| self.bytes as f64 / self.runs as f64)
    }
}

impl Store {
    /// Reads everything, in constant memory.
    pub fn check(&self) -> Result<Checked, StoreError> {
        let mut checked = Checked { format: self.format()?, bytes: self.size()?, ..Checked::default() };
        match self.check_all(&mut checked) {
            Ok(()) => {}
            // The rest cannot be read.
            Err(e) => checked.add(e.damage().ok_or(e)?),
        }
        Ok(checked)
    }

    fn check_all(&self, checked: &mut Checked) -> Result<(), StoreError> {
        self.sql(self.db.integrity())?.into_iter().for_each(|problem| checked.add(problem));
        self.campaign()?;
        checked.solvers = self.count("solver")?;
        checked.instances = self.count("instance")?;
        self.check_references(checked)?;
        self.check_texts(checked)?;
        self.check_runs(checked)
    }

    fn count(&self, table: &str) -> Result<u64, StoreError> {
        Ok(self.scalar(&format!("SELECT COUNT(*) FROM {table}"), &[])?.unwrap_or(0))
    }

    /// Texts that rows refer to, and that are missing. In format 2 the texts are in the rows.
    fn check_references(&self, checked: &mut Checked) -> Result<(), StoreError> {
        if checked.format < super::error::FORMAT {
            return Ok(());
        }
        for (table, column) in
            [("instance", "source"), ("run", "output"), ("run", "evidence"), ("run", "command")]
        {
            let sql = format!(
                "SELECT COUNT(*) FROM {table} t WHERE t.{column} IS NOT NULL \
                 AND NOT EXISTS (SELECT 1 FROM content c WHERE c.id = t.{column})"
            );
            let missing: u64 = self.scalar(&sql, &[])?.unwrap_or(0);
            if missing > 0 {
                checked.add(format!("{missing} rows of {table} lack their {column}"));
            }
        }
        Ok(())
    }

    /// Texts that are not what they were when they were stored.
    fn check_texts(&self, checked: &mut Checked) -> Result<(), StoreError> {
        self.query("SELECT id, hash, size, data FROM content ORDER BY id", &[], |row| {
            let (id, hash, size): (i64, Vec<u8>, u64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let data: Vec<u8> = row.get(3)?;
            checked.texts += 1;
            checked.text_bytes += size;
            checked.stored_bytes += data.len() as u64;
            match texts::unpacked(&data) {
                Ok(text) if text.len() as u64 == size && texts::hash(&text)[..] == hash => {}
                _ => checked.add(format!("the text {id} is damaged")),
            }
            Ok(())
        })
    }

    /// Runs with values that no version writes.
    fn check_runs(&self, checked: &mut Checked) -> Result<(), StoreError> {
        self.query(&super::read::runs_without_texts(), &[], |row| {
            checked.runs += 1;
            match RunRow::from_row(row) {
                Err(DbError::Value(what)) => {
                    let (instance, solver): (i64, i64) = (row.get(0)?, row.get(1)?);
                    checked.add(format!("the run of solver {solver} on instance {instance}: {what}"));
                    Ok(())
                }
                other => other.map(drop),
            }
        })
    }
}
