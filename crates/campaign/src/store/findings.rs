//! Findings and examined runs in a store.
//!
//! Both are JSON texts, as in `bug.json`. An examined run is recorded when it is done; groups are recorded together, so that a store has
//! those of one triage, old or new, at any moment.

use super::{Store, StoreError};
use crate::finding::{Examination, Finding};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The key of a run: instance, solver, seed.
pub type RunKey = (i64, i64, u64);

/// A run that was examined.
#[derive(Clone, Debug, PartialEq)]
pub struct Examined {
    /// Its key.
    pub run: RunKey,
    /// The number of the finding that it belongs to.
    pub finding: Option<u32>,
    /// The result.
    pub examination: Examination,
}

impl Store {
    /// The findings, by number.
    pub fn findings(&self) -> Result<Vec<Finding>, StoreError> {
        let rows = self.list("SELECT number, data FROM finding ORDER BY number", &[], |row| {
            Ok((row.get::<u32>(0)?, row.get::<String>(1)?))
        })?;
        let read = |(number, text): (u32, String)| {
            Ok(Finding { number, ..self.json(&format!("finding {number}"), &text)? })
        };
        rows.into_iter().map(read).collect()
    }

    /// The runs that were examined, by their keys.
    pub fn examinations(&self) -> Result<Vec<Examined>, StoreError> {
        let sql = "SELECT instance, solver, seed, finding, examination FROM finding_run ORDER BY instance, solver, seed";
        let rows = self.list(sql, &[], |row| {
            let run = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok((run, row.get(3)?, row.get::<String>(4)?))
        })?;
        let read = |(run, finding, text): (RunKey, Option<u32>, String)| {
            Ok(Examined { run, finding, examination: self.json("an examined run", &text)? })
        };
        rows.into_iter().map(read).collect()
    }

    /// Records the examination of a run, instead of one that was recorded before.
    pub fn set_examination(&self, run: RunKey, examination: &Examination) -> Result<(), StoreError> {
        let text = self.text(examination)?;
        let sql = "INSERT INTO finding_run (instance, solver, seed, examination) VALUES (?, ?, ?, ?) \
                   ON CONFLICT (instance, solver, seed) \
                   DO UPDATE SET examination = excluded.examination, finding = NULL";
        self.execute(sql, &[run.0.into(), run.1.into(), run.2.into(), (&text).into()])
    }

    /// Records all findings, each with the keys of its runs, instead of those that were recorded before. Their numbers are
    /// kept.
    pub fn set_findings(&self, list: &[(Finding, Vec<RunKey>)]) -> Result<(), StoreError> {
        let texts = list.iter().map(|(f, _)| self.text(f)).collect::<Result<Vec<String>, _>>()?;
        let insert = "INSERT INTO finding (number, id, data) VALUES (?, ?, ?)";
        let assign = "UPDATE finding_run SET finding = ? WHERE instance = ? AND solver = ? AND seed = ?";
        self.atomically(|db| {
            db.batch("UPDATE finding_run SET finding = NULL; DELETE FROM finding")?;
            for ((finding, runs), text) in list.iter().zip(&texts) {
                db.execute(insert, &[finding.number.into(), (&finding.id).into(), text.into()])?;
                for run in runs {
                    let values = [finding.number.into(), run.0.into(), run.1.into(), run.2.into()];
                    db.execute(assign, &values)?;
                }
            }
            Ok(())
        })
    }

    /// Records one finding again, after a step of its examination.
    pub fn update_finding(&self, finding: &Finding) -> Result<(), StoreError> {
        let text = self.text(finding)?;
        let sql = "UPDATE finding SET data = ? WHERE number = ?";
        self.execute(sql, &[(&text).into(), finding.number.into()])
    }

    /// Whether a failure, by its hash, was seen on another solver; none if it was not tried.
    pub fn elsewhere(&self, failure: &str, solver: &str) -> Result<Option<bool>, StoreError> {
        let sql = "SELECT fails FROM elsewhere WHERE failure = ? AND solver = ?";
        self.scalar(sql, &[failure.into(), solver.into()])
    }

    /// Records whether a failure is also one of another solver.
    pub fn set_elsewhere(&self, failure: &str, solver: &str, fails: bool) -> Result<(), StoreError> {
        let sql = "INSERT INTO elsewhere (failure, solver, fails) VALUES (?, ?, ?) \
                   ON CONFLICT (failure, solver) DO UPDATE SET fails = excluded.fails";
        self.execute(sql, &[failure.into(), solver.into(), fails.into()])
    }

    /// Forgets which failures were seen on other solvers.
    pub fn forget_elsewhere(&self) -> Result<(), StoreError> {
        self.execute("DELETE FROM elsewhere", &[])
    }

    fn json<T: DeserializeOwned>(&self, what: &str, text: &str) -> Result<T, StoreError> {
        serde_json::from_str(text).map_err(|e| self.damaged(format!("{what}: {e}")))
    }

    fn text(&self, value: &impl Serialize) -> Result<String, StoreError> {
        serde_json::to_string(value).map_err(|e| self.damaged(e.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::tests::finding;
    use crate::outcome::Kind;
    use crate::store::Campaign;

    #[test]
    fn findings_are_read_as_they_were_written() {
        let dir = tempfile::tempdir().expect("a folder");
        let store = Store::create(&dir.path().join("a.store"), &Campaign::default()).expect("created");
        store.db.batch("PRAGMA foreign_keys = OFF").expect("no runs are needed");
        let refused = Examination::Refused { why: "it did not fail again".into() };
        let one = Finding { number: 3, ..finding("aaaa", Kind::WrongUnsat, 10) };
        store.set_examination((1, 1, 0), &Examination::Reduced(Box::new(one.clone()))).expect("written");
        store.set_examination((2, 1, 0), &refused).expect("written");
        store.set_findings(&[(one.clone(), vec![(1, 1, 0)])]).expect("written");
        store.set_findings(&[(one.clone(), vec![(1, 1, 0)])]).expect("a second time");
        assert_eq!(store.findings().expect("read"), std::slice::from_ref(&one));
        let examined = store.examinations().expect("read");
        assert_eq!(examined.iter().map(|e| e.finding).collect::<Vec<_>>(), [Some(3), None]);
        assert_eq!(examined[1].examination, refused);
        let kept = Finding { options: Some(vec!["smt.string_solver=z3str3".into()]), ..one };
        store.update_finding(&kept).expect("written");
        assert_eq!(store.findings().expect("read"), [kept]);
    }
}
