//! Counting: verdicts by category, solver and status, and times.

use super::data::{Data, Run};
use crate::outcome::{Answer, Kind, Status, Verdict};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// The columns of the table, in their order. A verdict is split where soundness differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Column {
    /// The correct answer.
    Ok,
    /// A model that fails.
    InvalidModel,
    /// A core that has a model, or names something that was not asserted.
    UnsoundCore,
    /// A core that is not minimal.
    ImpreciseCore,
    /// A wrong `sat`.
    WrongSat,
    /// A `sat` of a solver that over-approximates.
    OverApproximation,
    /// A wrong `unsat`.
    WrongUnsat,
    /// `unknown`
    Unknown,
    /// A time limit.
    Timeout,
    /// An error.
    Error,
    /// Not asked.
    NotApplicable,
    /// Undetermined.
    Undetermined,
}

impl Column {
    /// All of them.
    pub const ALL: [Column; 12] = [
        Column::Ok,
        Column::InvalidModel,
        Column::UnsoundCore,
        Column::ImpreciseCore,
        Column::WrongSat,
        Column::OverApproximation,
        Column::WrongUnsat,
        Column::Unknown,
        Column::Timeout,
        Column::Error,
        Column::NotApplicable,
        Column::Undetermined,
    ];

    /// The columns of runs that are neither correct nor failures, in the order of summaries.
    pub const UNSOLVED: [Column; 6] = [
        Column::ImpreciseCore,
        Column::OverApproximation,
        Column::Timeout,
        Column::Unknown,
        Column::NotApplicable,
        Column::Undetermined,
    ];

    /// Which one a run counts in.
    pub fn of(kind: Kind) -> Column {
        match kind.verdict() {
            Verdict::Ok => Column::Ok,
            Verdict::InvalidModel => Column::InvalidModel,
            Verdict::InvalidCore if kind == Kind::ImpreciseCore => Column::ImpreciseCore,
            Verdict::InvalidCore => Column::UnsoundCore,
            Verdict::WrongSat if kind == Kind::OverApproximation => Column::OverApproximation,
            Verdict::WrongSat => Column::WrongSat,
            Verdict::WrongUnsat => Column::WrongUnsat,
            Verdict::Unknown => Column::Unknown,
            Verdict::Timeout => Column::Timeout,
            Verdict::Error => Column::Error,
            Verdict::NotApplicable => Column::NotApplicable,
            Verdict::Undetermined => Column::Undetermined,
        }
    }

    /// Its heading: the code in the paper; `!` marks an unsound core, `~` one that is not minimal, `*` an
    /// over-approximation.
    pub fn head(self) -> &'static str {
        match self {
            Column::Ok => "ok",
            Column::InvalidModel => "IM",
            Column::UnsoundCore => "IC!",
            Column::ImpreciseCore => "IC~",
            Column::WrongSat => "S",
            Column::OverApproximation => "S*",
            Column::WrongUnsat => "U",
            Column::Unknown => "K",
            Column::Timeout => "T",
            Column::Error => "E",
            Column::NotApplicable => "n/a",
            Column::Undetermined => "?",
        }
    }

    /// Its meaning.
    pub fn meaning(self) -> &'static str {
        match self {
            Column::Ok => "correct",
            Column::InvalidModel => "model fails",
            Column::UnsoundCore => "core has a model",
            Column::ImpreciseCore => "core not minimal",
            Column::WrongSat => "wrong sat",
            Column::OverApproximation => "sat by over-approximation",
            Column::WrongUnsat => "wrong unsat",
            Column::Unknown => "unknown",
            Column::Timeout => "time limit",
            Column::Error => "error",
            Column::NotApplicable => "not asked",
            Column::Undetermined => "undetermined",
        }
    }

    /// The key in JSON and CSS.
    pub fn key(self) -> &'static str {
        match self {
            Column::Ok => "ok",
            Column::InvalidModel => "invalid-model",
            Column::UnsoundCore => "unsound-core",
            Column::ImpreciseCore => "imprecise-core",
            Column::WrongSat => "wrong-sat",
            Column::OverApproximation => "over-approximation",
            Column::WrongUnsat => "wrong-unsat",
            Column::Unknown => "unknown",
            Column::Timeout => "timeout",
            Column::Error => "error",
            Column::NotApplicable => "not-applicable",
            Column::Undetermined => "undetermined",
        }
    }
}

/// The count of each column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts([u64; 12]);

impl Counts {
    /// The count of one column.
    pub fn get(&self, column: Column) -> u64 {
        self.0[column as usize]
    }

    /// The total.
    pub fn tests(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The total without those that were not asked: what percentages are of.
    pub fn asked(&self) -> u64 {
        self.tests() - self.get(Column::NotApplicable)
    }

    fn count(&mut self, run: &Run) {
        self.0[Column::of(run.kind) as usize] += 1;
    }

    /// Adds others.
    pub fn add(&mut self, other: &Counts) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a += b);
    }
}

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
        let mut cells: BTreeMap<(&str, Status), Vec<Counts>> = BTreeMap::new();
        for run in &data.runs {
            let instance = &data.instances[run.instance];
            let key = (instance.category.as_str(), instance.status);
            let row = cells.entry(key).or_insert_with(|| vec![Counts::default(); data.solvers.len()]);
            row[run.solver].count(run);
        }
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
    let mut cells: BTreeMap<(&str, &str), Vec<Counts>> = BTreeMap::new();
    for run in &data.runs {
        let instance = &data.instances[run.instance];
        if !instance.operation.is_empty() {
            let key = (instance.category.as_str(), instance.operation.as_str());
            let row = cells.entry(key).or_insert_with(|| vec![Counts::default(); data.solvers.len()]);
            row[run.solver].count(run);
        }
    }
    let row = |((category, operation), counts)| OperationRow { category, operation, counts };
    cells.into_iter().map(row).collect()
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

/// An answer that is correct, or that nothing refutes.
fn is_answer(run: &Run) -> bool {
    let given = matches!(run.answer, Answer::Sat | Answer::Unsat);
    run.verdict() == Verdict::Ok || (run.verdict() == Verdict::Undetermined && given)
}

fn timing_of(data: &Data, solver: usize) -> Timing {
    let runs: Vec<&Run> = data.runs.iter().filter(|r| r.solver == solver && r.is_asked()).collect();
    let solved = solved_times(data, solver);
    let at = |part: f64| {
        let i = (part * solved.len() as f64).ceil() as usize;
        solved.get(i.saturating_sub(1)).copied().unwrap_or_default()
    };
    let cost = |r: &Run| if is_answer(r) { r.wall } else { data.limit() * 2 };
    let sum: Duration = runs.iter().map(|r| cost(r)).sum();
    let par2 = (!runs.is_empty()).then(|| sum.div_f64(runs.len() as f64));
    Timing {
        solved: solved.len() as u64,
        runs: runs.len() as u64,
        wall: runs.iter().map(|r| r.wall).sum(),
        cpu: runs.iter().map(|r| r.cpu).sum(),
        median: at(0.5),
        p95: at(0.95),
        slowest: solved.last().copied().unwrap_or_default(),
        par2,
        memory_kib: runs.iter().map(|r| r.memory_kib).max().unwrap_or(0),
    }
}

/// The wall-clock times of the runs with the correct answer, in order.
pub fn solved_times(data: &Data, solver: usize) -> Vec<Duration> {
    let solved = data.runs.iter().filter(|r| r.solver == solver && r.verdict() == Verdict::Ok);
    let mut times: Vec<Duration> = solved.map(|r| r.wall).collect();
    times.sort_unstable();
    times
}
