//! Tables: verdicts by category, solver and status, and times.

pub use super::counts::{Column, Counts};

use super::data::Data;
use crate::outcome::Status;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// The kind of a row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowKind {
    /// A category or folder.
    Category,
    /// The sum over all formulas of a status.
    Subtotal,
    /// The sum of all.
    Total,
}

/// A row of the table.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name.
    pub label: String,
    /// Its kind.
    pub kind: RowKind,
    /// The counts, by solver.
    pub counts: Vec<Counts>,
}

/// The table of the paper: categories by verdicts, for each solver.
#[derive(Clone, Debug)]
pub struct Table {
    /// The rows.
    pub rows: Vec<Row>,
}

/// The categories of the paper, in its order.
const PAPER: [&str; 6] = ["operation", "constant", "term", "equivalent", "core", "redundancy"];

impl Table {
    /// Counts.
    ///
    /// With categories of the paper, those of satisfiable formulas come first, then their sum, then those of other statuses. With other
    /// categories (folders of files) the sums by status come at the end.
    pub fn new(data: &Data) -> Table {
        let cells: Cells<'_> = data
            .totals
            .categories
            .iter()
            .map(|((c, status), counts)| ((&**c, *status), counts.clone()))
            .collect();
        let paper = cells.keys().any(|(c, _)| PAPER.contains(c));
        let mut rows = if paper { by_status(&cells) } else { by_folder(&cells) };
        let all = cells.values().collect::<Vec<_>>();
        rows.push(row("total", RowKind::Total, &all, data.solvers.len()));
        Table { rows }
    }

    /// The last row.
    pub fn total(&self) -> &Row {
        self.rows.last().expect("a table has a total")
    }

    /// The columns to show: `S*` and `n/a` only if they occur.
    pub fn columns(&self) -> Vec<Column> {
        let used = |c: Column| self.total().counts.iter().any(|n| n.get(c) > 0);
        let rare = |c: &Column| matches!(c, Column::OverApproximation | Column::NotApplicable);
        let shown = |c: &Column| !rare(c) || used(*c);
        Column::ALL.into_iter().filter(shown).collect()
    }

    /// The categories, sums left out.
    pub fn categories(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|r| r.kind == RowKind::Category)
    }
}

/// The counts of an operation within a category.
#[derive(Clone, Debug)]
pub struct OperationRow<'a> {
    /// The category.
    pub category: &'a str,
    /// The operation.
    pub operation: &'a str,
    /// The counts, by solver.
    pub counts: Vec<Counts>,
}

/// The counts by category and operation, in the order of their names; instances without an operation are left out.
pub fn by_operation(data: &Data) -> Vec<OperationRow<'_>> {
    let rows = data.totals.operations.iter();
    rows.map(|((category, operation), counts)| OperationRow { category, operation, counts: counts.clone() })
        .collect()
}

type Cells<'a> = BTreeMap<(&'a str, Status), Vec<Counts>>;

fn by_status(cells: &Cells<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    for &status in Status::ALL {
        let mut part: Vec<_> = cells.iter().filter(|((_, s), _)| *s == status).collect();
        if part.is_empty() {
            continue;
        }
        part.sort_by_key(|((c, _), _)| order(c));
        let solvers = part[0].1.len();
        rows.extend(part.iter().map(|((c, _), n)| row(label(c), RowKind::Category, &[*n], solvers)));
        let all: Vec<_> = part.iter().map(|(_, n)| *n).collect();
        rows.push(row(status.code(), RowKind::Subtotal, &all, solvers));
    }
    rows
}

/// The paper's order, then that of their variants (`core+p`, with patterns), then others by name.
fn order(category: &str) -> (usize, usize, &str) {
    let (stem, variant) = category.split_once('+').unwrap_or((category, ""));
    match PAPER.iter().position(|p| *p == stem) {
        Some(at) => (usize::from(!variant.is_empty()), at, variant),
        None => (2, 0, category),
    }
}

fn by_folder(cells: &Cells<'_>) -> Vec<Row> {
    let Some(solvers) = cells.values().next().map(Vec::len) else { return Vec::new() };
    let mut folders: BTreeMap<&str, Vec<&Vec<Counts>>> = BTreeMap::new();
    let mut statuses: BTreeMap<Status, Vec<&Vec<Counts>>> = BTreeMap::new();
    for ((category, status), counts) in cells {
        folders.entry(category).or_default().push(counts);
        statuses.entry(*status).or_default().push(counts);
    }
    let mut rows: Vec<Row> =
        folders.iter().map(|(c, list)| row(label(c), RowKind::Category, list, solvers)).collect();
    if statuses.len() > 1 {
        let sums = statuses.iter();
        rows.extend(sums.map(|(s, list)| row(s.code(), RowKind::Subtotal, list, solvers)));
    }
    rows
}

fn label(category: &str) -> &str {
    if category.is_empty() { "(none)" } else { category }
}

fn row(label: &str, kind: RowKind, parts: &[&Vec<Counts>], solvers: usize) -> Row {
    let mut counts = vec![Counts::default(); solvers];
    for part in parts {
        counts.iter_mut().zip(part.iter()).for_each(|(a, b)| a.add(b));
    }
    Row { label: crate::clean::one_line(label), kind, counts }
}

/// The times of a solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    /// Runs with the correct answer.
    pub solved: u64,
    /// All runs; those that were not asked do not count, here and below.
    pub runs: u64,
    /// Wall-clock time of all runs.
    pub wall: Duration,
    /// CPU time of all runs for which it is known.
    pub cpu: Duration,
    /// Of the solved: the median.
    pub median: Duration,
    /// Of the solved: the 95th percentile.
    pub p95: Duration,
    /// Of the solved: the slowest.
    pub slowest: Duration,
    /// Mean time, a run without an answer, or with a wrong one, counting as twice the limit. An answer that nothing proves or refutes
    /// counts with its time.
    pub par2: Option<Duration>,
    /// Peak memory of any run, in KiB; 0 if it is not known.
    pub memory_kib: u64,
}

/// The times by solver.
pub fn timing(data: &Data) -> Vec<Timing> {
    (0..data.solvers.len()).map(|s| timing_of(data, s)).collect()
}

fn timing_of(data: &Data, solver: usize) -> Timing {
    let totals = &data.totals.solvers[solver];
    let solved = &totals.solved;
    Timing {
        solved: solved.len(),
        runs: totals.asked,
        wall: totals.wall,
        cpu: totals.cpu,
        median: solved.quantile(0.5),
        p95: solved.quantile(0.95),
        slowest: solved.last().unwrap_or_default(),
        par2: (totals.asked > 0).then(|| totals.cost.div_f64(totals.asked as f64)),
        memory_kib: totals.memory_kib,
    }
}
