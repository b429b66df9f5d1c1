//! Finding runs: by the number of a failure, or by the name of an instance; and findings by their numbers.

use super::data::{Data, order};
use crate::clean::{one_line, shell};
use crate::finding::Finding;

/// A run that is not there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FindError {
    /// There is no group of that number.
    #[error("there is no failure {number} in {store}; {range}")]
    Number {
        /// The number.
        number: usize,
        /// The store.
        store: String,
        /// The numbers that there are.
        range: String,
    },
    /// There is no finding of that number.
    #[error("there is no bug {number} in {store}; {range}")]
    Bug {
        /// The number.
        number: u32,
        /// The store.
        store: String,
        /// The numbers that there are.
        range: String,
    },
    /// There is no instance of that name.
    #[error("there is no instance `{name}` in {store}{hint}")]
    Name {
        /// The name.
        name: String,
        /// The store.
        store: String,
        /// Similar names.
        hint: String,
    },
    /// The instance has no such run.
    #[error("`{0}` was not run yet")]
    NotRun(String),
    /// The instance was not run with that seed.
    #[error("`{0}` was not run with seed {1}")]
    Seed(String, u64),
}

/// The run that `which` stands for: the number of a group (its smallest run), or the name of an instance (its worst run).
pub fn run(data: &Data, which: &str, seed: Option<u64>) -> Result<usize, FindError> {
    if let Ok(number) = which.parse() {
        return numbered(data, number);
    }
    let mut runs = named(data, which, seed)?;
    runs.sort_by_key(|&at| order(data.runs[at].kind));
    Ok(runs[0])
}

/// The finding with this number.
pub fn finding(data: &Data, number: u32) -> Result<&Finding, FindError> {
    let found = data.findings.iter().find(|f| f.number == number);
    found.ok_or_else(|| FindError::Bug { number, store: one_line(&data.store), range: bugs(data) })
}

/// The numbers of findings: `it has 1 to 7`.
fn bugs(data: &Data) -> String {
    let mut all: Vec<u32> = data.findings.iter().map(|f| f.number).collect();
    all.sort_unstable();
    match all[..] {
        [] => format!("it has none; stringent triage {} looks for bugs in its failures", shell(&data.store)),
        [one] => format!("it has {one}"),
        [first, .., last] => format!("it has {first} to {last}"),
    }
}

/// The smallest run of a group.
fn numbered(data: &Data, number: usize) -> Result<usize, FindError> {
    let missing = || FindError::Number { number, store: one_line(&data.store), range: range(data) };
    data.group(number).map(|g| g.runs[0]).ok_or_else(missing)
}

/// The numbers that there are: `it has 1 to 3; 4 to 9 are time limits, unknown and the like`.
fn range(data: &Data) -> String {
    let numbers = |failures: bool| {
        let mut all = data.groups.iter().filter(|g| g.kind.is_failure() == failures).map(|g| g.number);
        let first = all.next()?;
        Some(all.next_back().map_or_else(|| first.to_string(), |last| format!("{first} to {last}")))
    };
    let failures = numbers(true).unwrap_or_else(|| "none".into());
    let others = numbers(false).map(|n| format!("; {n}: time limits, unknown and the like"));
    format!("it has {failures}{}", others.unwrap_or_default())
}

/// The runs of the instance called `name`, all or with one seed; at least one.
pub fn named(data: &Data, name: &str, seed: Option<u64>) -> Result<Vec<usize>, FindError> {
    let Some(at) = data.instance_named(name) else {
        let (name, store) = (one_line(name), one_line(&data.store));
        let hint = hint(data, &name);
        return Err(FindError::Name { name, store, hint });
    };
    let runs = data.runs.iter().enumerate();
    let found: Vec<usize> =
        runs.filter(|(_, r)| r.instance == at && seed.is_none_or(|s| r.seed == s)).map(|(i, _)| i).collect();
    match (found.is_empty(), seed) {
        (false, _) => Ok(found),
        (true, Some(seed)) => Err(FindError::Seed(one_line(name), seed)),
        (true, None) => Err(FindError::NotRun(one_line(name))),
    }
}

fn hint(data: &Data, name: &str) -> String {
    let last = name.rsplit('/').next().unwrap_or(name);
    let names = data.instances.iter().map(|i| i.name.as_str());
    let similar = names.filter(|n| n.contains(name) || (!last.is_empty() && n.ends_with(last))).take(5);
    let similar: Vec<String> = similar.map(|s| format!("`{}`", one_line(s))).collect();
    if similar.is_empty() { String::new() } else { format!("; did you mean {}?", similar.join(", ")) }
}
