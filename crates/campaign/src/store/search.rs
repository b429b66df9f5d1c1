//! Runs that fit a description, a page at a time.
//!
//! A page is found by its first key, not by its number, so that each page costs the same.

use super::db::{Row, Value};
use super::read::{NO_TEXTS, RUN};
use super::rows::{FromRow as _, code};
use super::{RunKey, RunRow, Store, StoreError};
use crate::outcome::{Kind, Status};

/// A description of runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Of this solver.
    pub solver: Option<i64>,
    /// With one of these verdicts; any if there are none.
    pub kinds: Vec<Kind>,
    /// On instances of this category.
    pub category: Option<String>,
    /// On instances of this operation.
    pub operation: Option<String>,
    /// On instances of this operation, or, without an operation, of this category.
    pub subject: Option<String>,
    /// Only those that are flaky.
    pub flaky: bool,
    /// On instances whose name has this text; upper and lower case do not differ.
    pub name: Option<String>,
}

/// A run that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Its row, without texts.
    pub row: RunRow,
    /// The name of the instance.
    pub name: String,
    /// Its category.
    pub category: String,
    /// Its operation, or nothing.
    pub operation: String,
    /// Its known answer.
    pub status: Status,
}

/// Columns of [`RUN`] and of the texts.
const RUN_COLUMNS: usize = 19;

impl Store {
    /// The runs on the instances with keys in this range that fit, after a key, by instance, solver and seed: at most `limit`.
    pub fn find_runs(
        &self,
        wanted: &Wanted,
        (first, last): (i64, i64),
        after: Option<RunKey>,
        limit: usize,
    ) -> Result<Vec<Hit>, StoreError> {
        let mut values: Vec<Value<'_>> = vec![first.into(), last.into()];
        let pattern = wanted.name.as_deref().map(pattern);
        let mut conditions = conditions(wanted, &mut values);
        if let Some(pattern) = &pattern {
            conditions.push("LOWER(i.name) LIKE ? ESCAPE '!'".into());
            values.push(pattern.into());
        }
        if let Some((instance, solver, seed)) = after {
            conditions.push("(r.instance, r.solver, r.seed) > (?, ?, ?)".into());
            values.extend([instance.into(), solver.into(), Value::from(seed)]);
        }
        let sql = format!(
            "SELECT {RUN}, {NO_TEXTS}, i.name, i.category, i.operation, i.status FROM run r JOIN instance i ON i.id = r.instance \
             WHERE r.instance BETWEEN ? AND ? AND {} AND {} ORDER BY r.instance, r.solver, r.seed LIMIT {limit}",
            Store::is_of_campaign("r.solver"),
            conditions.join(" AND ")
        );
        self.list(&sql, &values, hit)
    }

    /// The key of the instance with this name.
    pub fn instance_named(&self, name: &str) -> Result<Option<i64>, StoreError> {
        self.scalar("SELECT id FROM instance WHERE name = ?", &[name.into()])
    }
}

fn conditions<'a>(wanted: &'a Wanted, values: &mut Vec<Value<'a>>) -> Vec<String> {
    let mut all = vec!["1 = 1".to_owned()];
    if let Some(solver) = wanted.solver {
        all.push("r.solver = ?".into());
        values.push(solver.into());
    }
    if !wanted.kinds.is_empty() {
        let kinds: Vec<String> = wanted.kinds.iter().map(|k| format!("'{k}'")).collect();
        all.push(format!("r.kind IN ({})", kinds.join(", ")));
    }
    let texts = [
        ("i.category = ?", &wanted.category),
        ("i.operation = ?", &wanted.operation),
        ("CASE WHEN i.operation = '' THEN i.category ELSE i.operation END = ?", &wanted.subject),
    ];
    for (condition, value) in texts {
        if let Some(value) = value {
            all.push(condition.into());
            values.push(value.into());
        }
    }
    if wanted.flaky {
        all.push("r.flaky <> 0".into());
    }
    all
}

/// A pattern of `LIKE` for names that have `text` somewhere. Names have no NUL, which would end the pattern.
fn pattern(text: &str) -> String {
    let mut out = String::from("%");
    for c in text.to_ascii_lowercase().replace('\0', "\u{fffd}").chars() {
        if "!%_".contains(c) {
            out.push('!');
        }
        out.push(c);
    }
    out + "%"
}

fn hit(row: &Row<'_>) -> Result<Hit, super::DbError> {
    Ok(Hit {
        row: RunRow::from_row(row)?,
        name: row.get(RUN_COLUMNS)?,
        category: row.get(RUN_COLUMNS + 1)?,
        operation: row.get(RUN_COLUMNS + 2)?,
        status: code(row, RUN_COLUMNS + 3, Status::from_code)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Verdict;

    #[test]
    fn pages_have_every_run_once() {
        let dir = tempfile::tempdir().expect("a folder");
        let store = Store::sample(&dir.path().join("a.store"), 4000, &mut |_| {}).expect("a store");
        let all = (0, i64::from(u32::MAX));
        let kinds: Vec<Kind> = Kind::ALL.iter().copied().filter(|k| k.verdict() != Verdict::Ok).collect();
        let wanted = Wanted { solver: Some(3), kinds: kinds.clone(), ..Wanted::default() };
        let mut keys = Vec::new();
        let mut after = None;
        loop {
            let page = store.find_runs(&wanted, all, after, 7).expect("read");
            let Some(last) = page.last() else { break };
            after = Some(last.row.key());
            keys.extend(page.iter().map(|hit| hit.row.key()));
        }
        let runs = store.runs(false).expect("read");
        let expected: Vec<RunKey> =
            runs.iter().filter(|r| r.solver == 3 && kinds.contains(&r.kind)).map(RunRow::key).collect();
        assert_eq!(keys, expected);
        assert!(keys.len() > 7);
    }

    #[test]
    fn names_are_found_as_they_are_written() {
        let dir = tempfile::tempdir().expect("a folder");
        let store = Store::sample(&dir.path().join("a.store"), 400, &mut |_| {}).expect("a store");
        let find = |name: &str| {
            let wanted = Wanted { name: Some(name.into()), ..Wanted::default() };
            store.find_runs(&wanted, (0, 1000), None, 1000).expect("read").len()
        };
        assert_eq!(find("/00000003"), 40);
        assert_eq!(find("STR."), 400);
        assert_eq!(find("_"), find("to_int") + find("in_re"));
        for odd in ["%", "!", "'", "\\", "\0"] {
            assert_eq!(find(odd), 0, "{odd}");
        }
        assert_eq!(store.instance_named("nothing").expect("read"), None);
    }
}
