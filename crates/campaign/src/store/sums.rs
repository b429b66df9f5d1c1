//! Sums over the runs of some instances, made by the database: what a report on a campaign of any size is made of.
//!
//! Runs are clustered by instance, so that the sums of a range of instances read only its runs.

use super::db::Value;
use super::rows::code;
use super::{RunKey, SECOND_OPINION, Store, StoreError, texts};
use crate::outcome::{Answer, Kind, Status, Verdict};

/// Runs of one solver that agree in all of this, summed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    /// The solver.
    pub solver: i64,
    /// The verdict.
    pub kind: Kind,
    /// The answer.
    pub answer: Answer,
    /// The category of the instances.
    pub category: String,
    /// Their operation, or nothing.
    pub operation: String,
    /// Their known answer.
    pub status: Status,
    /// The number of runs.
    pub runs: u64,
    /// Those that are flaky.
    pub flaky: u64,
    /// Their wall-clock time, in microseconds.
    pub wall_us: u64,
    /// Their CPU time, in microseconds.
    pub cpu_us: u64,
    /// The peak memory of any of them, in KiB.
    pub memory_kib: u64,
    /// The instance with the smallest formula, after its size.
    pub smallest: (u64, i64),
}

/// The times of the correct runs of a solver: how many took this long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeSum {
    /// The solver.
    pub solver: i64,
    /// The wall-clock time in microseconds, rounded by [`rounded`].
    pub wall_us: u64,
    /// The number of runs.
    pub runs: u64,
}

/// A wrong result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsoundRun {
    /// Its key.
    pub run: RunKey,
    /// The verdict.
    pub kind: Kind,
    /// The category of the instance.
    pub category: String,
    /// Its operation.
    pub operation: String,
    /// The reasons for the verdict.
    pub evidence: String,
}

/// The instances of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The smallest key.
    pub first: i64,
    /// The largest key; smaller than the first if there are none.
    pub last: i64,
}

/// The places of a size in [`Sum::smallest`] as the database computes it.
const SIZE_UNIT: i64 = 1 << 32;
/// Larger formulas count as this large there.
const MAX_SIZE: i64 = (1 << 30) - 1;
/// Powers of ten up to which times are rounded.
const DIGITS: u32 = 13;

/// A time in microseconds, rounded down to three digits.
pub fn rounded(us: u64) -> u64 {
    let unit = (0..DIGITS).map(|e| 10u64.pow(e)).find(|unit| us / unit < 1000);
    let unit = unit.unwrap_or(10u64.pow(DIGITS));
    us / unit * unit
}

/// [`rounded`] in SQL.
fn rounded_sql(column: &str) -> String {
    let case = |e: u32| {
        let unit = 10u64.pow(e);
        format!(" WHEN {column} < {} THEN {column} / {unit} * {unit}", unit * 1000)
    };
    let last = 10u64.pow(DIGITS);
    format!("CASE{} ELSE {column} / {last} * {last} END", (0..DIGITS).map(case).collect::<String>())
}

/// A list of kinds in SQL; of those that this holds for.
fn kinds(is_wanted: impl Fn(Kind) -> bool) -> String {
    let list: Vec<String> = Kind::ALL.iter().filter(|k| is_wanted(**k)).map(|k| format!("'{k}'")).collect();
    list.join(", ")
}

impl Store {
    /// The keys of the instances.
    pub fn extent(&self) -> Result<Extent, StoreError> {
        let first = self.scalar("SELECT COALESCE(MIN(id), 1) FROM instance", &[])?;
        let last = self.scalar("SELECT COALESCE(MAX(id), 0) FROM instance", &[])?;
        Ok(Extent { first: first.unwrap_or(1), last: last.unwrap_or(0) })
    }

    /// The number of instances; in a large store, counting them takes a while.
    pub fn instance_count(&self) -> Result<u64, StoreError> {
        Ok(self.scalar("SELECT COUNT(*) FROM instance", &[])?.unwrap_or(0))
    }

    /// The last instance that has a run; none if there is no run.
    pub fn last_run_instance(&self) -> Result<Option<i64>, StoreError> {
        let sql = "SELECT instance FROM run ORDER BY instance DESC, solver DESC, seed DESC LIMIT 1";
        self.scalar(sql, &[])
    }

    /// A number that changes when another connection writes to the store; none if the database has no such number.
    pub fn version(&self) -> Result<Option<i64>, StoreError> {
        self.sql(self.db.version())
    }

    /// The sums of the runs on the instances with keys in this range.
    pub fn sums(&self, first: i64, last: i64) -> Result<Vec<Sum>, StoreError> {
        let whole = |sum: &str| format!("CAST(SUM({sum}) AS BIGINT)");
        let sql = format!(
            "SELECT r.solver, r.kind, r.answer, i.category, i.operation, i.status, COUNT(*), {}, {}, {}, MAX(r.memory_kib), \
             MIN((CASE WHEN COALESCE(i.size, 0) > {MAX_SIZE} THEN {MAX_SIZE} ELSE COALESCE(i.size, 0) END) * {SIZE_UNIT} + i.id) \
             FROM run r JOIN instance i ON i.id = r.instance WHERE r.instance BETWEEN ? AND ? \
             GROUP BY r.solver, r.kind, r.answer, i.category, i.operation, i.status",
            whole("r.flaky"),
            whole("r.wall_us"),
            whole("r.cpu_us"),
        );
        self.list(&sql, &[first.into(), last.into()], |row| {
            let smallest: i64 = row.get(11)?;
            Ok(Sum {
                solver: row.get(0)?,
                kind: code(row, 1, Kind::from_code)?,
                answer: code(row, 2, Answer::from_code)?,
                category: row.get(3)?,
                operation: row.get(4)?,
                status: code(row, 5, Status::from_code)?,
                runs: row.get(6)?,
                flaky: row.get(7)?,
                wall_us: row.get(8)?,
                cpu_us: row.get(9)?,
                memory_kib: row.get(10)?,
                smallest: ((smallest / SIZE_UNIT).cast_unsigned(), smallest % SIZE_UNIT),
            })
        })
    }

    /// The times of the correct runs on the instances with keys in this range.
    pub fn times(&self, first: i64, last: i64) -> Result<Vec<TimeSum>, StoreError> {
        let sql = format!(
            "SELECT solver, wall, COUNT(*) FROM (SELECT r.solver AS solver, {} AS wall FROM run r \
             WHERE r.instance BETWEEN ? AND ? AND r.kind IN ({})) t GROUP BY solver, wall",
            rounded_sql("r.wall_us"),
            kinds(|k| k.verdict() == Verdict::Ok),
        );
        self.list(&sql, &[first.into(), last.into()], |row| {
            Ok(TimeSum { solver: row.get(0)?, wall_us: row.get(1)?, runs: row.get(2)? })
        })
    }

    /// The wrong results on the instances with keys in this range.
    pub fn unsound_runs(&self, first: i64, last: i64) -> Result<Vec<UnsoundRun>, StoreError> {
        let sql = format!(
            "SELECT r.instance, r.solver, r.seed, r.kind, i.category, i.operation, r.evidence, e.data FROM run r \
             JOIN instance i ON i.id = r.instance LEFT JOIN content e ON e.id = r.evidence \
             WHERE r.instance BETWEEN ? AND ? AND r.kind IN ({})",
            kinds(Kind::is_unsound)
        );
        self.list(&sql, &[first.into(), last.into()], |row| {
            Ok(UnsoundRun {
                run: (row.get(0)?, row.get(1)?, row.get(2)?),
                kind: code(row, 3, Kind::from_code)?,
                category: row.get(4)?,
                operation: row.get(5)?,
                evidence: String::from_utf8_lossy(&texts::read(row, 6)?).into_owned(),
            })
        })
    }

    /// The times of two solvers on the same instances and seeds, in the order of instances: of every `step`th instance, at most `limit`
    /// pairs.
    pub fn pairs(&self, a: i64, b: i64, step: u64, limit: u64) -> Result<Vec<PairRow>, StoreError> {
        let sql = format!(
            "SELECT a.instance, a.seed, a.kind, a.wall_us, b.kind, b.wall_us FROM run a \
             JOIN run b ON b.instance = a.instance AND b.solver = ? AND b.seed = a.seed \
             WHERE a.solver = ? AND a.instance IN (SELECT id FROM instance WHERE id % ? = 0) \
             ORDER BY a.instance, a.seed LIMIT {limit}"
        );
        self.list(&sql, &[b.into(), a.into(), Value::Int(step.max(1).cast_signed())], |row| {
            Ok(PairRow {
                instance: row.get(0)?,
                seed: row.get(1)?,
                kinds: (code(row, 2, Kind::from_code)?, code(row, 4, Kind::from_code)?),
                wall_us: (row.get(3)?, row.get(5)?),
            })
        })
    }

    /// Runs by the property that grows in their category, with rounded times.
    pub fn growth(&self) -> Result<Vec<GrowthRow>, StoreError> {
        let sql = format!(
            "SELECT category, scale, scale_value, solver, kind, status, answer, wall, COUNT(*) FROM \
             (SELECT i.category AS category, i.scale AS scale, i.scale_value AS scale_value, r.solver AS solver, r.kind AS kind, \
             i.status AS status, r.answer AS answer, {} AS wall \
             FROM instance i JOIN run r ON r.instance = i.id WHERE i.scale IS NOT NULL AND i.scale_value IS NOT NULL) t \
             GROUP BY category, scale, scale_value, solver, kind, status, answer, wall \
             ORDER BY category, scale, solver, scale_value, wall",
            rounded_sql("r.wall_us"),
        );
        self.list(&sql, &[], |row| {
            Ok(GrowthRow {
                category: row.get(0)?,
                property: row.get(1)?,
                value: row.get(2)?,
                solver: row.get(3)?,
                kind: code(row, 4, Kind::from_code)?,
                status: code(row, 5, Status::from_code)?,
                answer: code(row, 6, Answer::from_code)?,
                wall_us: row.get(7)?,
                runs: row.get(8)?,
            })
        })
    }

    /// The solvers that are part of the campaign, as a condition on a column.
    pub(super) fn is_of_campaign(column: &str) -> String {
        format!("{column} IN (SELECT id FROM solver WHERE name <> '{SECOND_OPINION}')")
    }
}

/// The runs of two solvers on one instance with one seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairRow {
    /// The instance.
    pub instance: i64,
    /// The seed.
    pub seed: u64,
    /// The verdicts.
    pub kinds: (Kind, Kind),
    /// The wall-clock times, in microseconds.
    pub wall_us: (u64, u64),
}

/// Runs of one solver at one value of a property that grows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrowthRow {
    /// The category.
    pub category: String,
    /// The property.
    pub property: String,
    /// Its value.
    pub value: u64,
    /// The solver.
    pub solver: i64,
    /// The verdict.
    pub kind: Kind,
    /// The known answer.
    pub status: Status,
    /// The answer.
    pub answer: Answer,
    /// The wall-clock time in microseconds, rounded.
    pub wall_us: u64,
    /// The number of runs.
    pub runs: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_are_kept() {
        let cases = [
            (0, 0),
            (7, 7),
            (999, 999),
            (1000, 1000),
            (1009, 1000),
            (123_456, 123_000),
            (99_999_999, 99_900_000),
        ];
        for (us, expected) in cases {
            assert_eq!(rounded(us), expected, "{us}");
        }
    }

    #[test]
    fn the_database_rounds_the_same_way() {
        let db = rusqlite::Connection::open_in_memory().expect("a database");
        let sql = format!("SELECT {} FROM (SELECT ?1 AS n)", rounded_sql("n"));
        for e in 0..60 {
            let us = 1u64 << e;
            for us in [us - 1, us, us + 1] {
                let found: i64 = db.query_row(&sql, [us.cast_signed()], |row| row.get(0)).expect("a number");
                assert_eq!(found.cast_unsigned(), rounded(us), "{us}");
            }
        }
    }

    #[test]
    fn sums_count_every_run_once() {
        let dir = tempfile::tempdir().expect("a folder");
        let store = Store::sample(&dir.path().join("a.store"), 2000, &mut |_| {}).expect("a store");
        let extent = store.extent().expect("read");
        let sums = store.sums(extent.first, extent.last).expect("read");
        let runs = store.runs(false).expect("read");
        assert_eq!(sums.iter().map(|s| s.runs).sum::<u64>(), runs.len() as u64);
        let halves = [store.sums(1, 20).expect("read"), store.sums(21, extent.last).expect("read")].concat();
        assert_eq!(
            halves.iter().map(|s| s.wall_us).sum::<u64>(),
            sums.iter().map(|s| s.wall_us).sum::<u64>()
        );
        let ok = |r: &&crate::store::RunRow| r.verdict() == Verdict::Ok;
        let times = store.times(extent.first, extent.last).expect("read");
        assert_eq!(times.iter().map(|t| t.runs).sum::<u64>(), runs.iter().filter(ok).count() as u64);
        for sum in &sums {
            let (size, id) = sum.smallest;
            let facts = store.instance_facts().expect("read");
            assert!(facts.iter().any(|(i, f)| *i == id && f.size == size));
        }
        assert_eq!(store.last_run_instance().expect("read"), Some(extent.last));
        assert!(store.growth().expect("read").is_empty());
        let pairs = store.pairs(1, 2, 2, 1000).expect("read");
        assert!(!pairs.is_empty() && pairs.iter().all(|p| p.instance % 2 == 0));
    }
}
