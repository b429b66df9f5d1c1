//! Counts over all runs of a campaign, made in one pass. They are what the tables of reports show, whatever the number of runs.

use super::super::counts::Counts;
use super::Instance;
use super::times::{Times, merge};
use crate::judge::Scope;
use crate::outcome::{Answer, Kind, Status, Verdict};
use crate::store::{RunRow, rounded};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The counts of a table by its rows, each by solver.
pub type Cells<K> = BTreeMap<K, Vec<Counts>>;

/// Counts over all runs of the solvers that a report is about.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// The runs.
    pub runs: u64,
    /// Those that are flaky.
    pub flaky: u64,
    /// Those that end in each way.
    pub kinds: BTreeMap<Kind, u64>,
    /// The wrong results that hold under one reading of the standard only.
    pub one_reading: u64,
    /// The seeds of the runs.
    pub seeds: BTreeSet<u64>,
    /// By category and known answer.
    pub categories: Cells<(String, Status)>,
    /// By category and operation; instances without an operation are left out.
    pub operations: Cells<(String, String)>,
    /// By solver.
    pub solvers: Vec<SolverTotals>,
    /// Times are kept with three digits, so that memory does not grow with the runs.
    pub is_rounded: bool,
}

/// The runs of a solver.
#[derive(Clone, Debug, Default)]
pub struct SolverTotals {
    /// Runs that were asked; the others do not count below.
    pub asked: u64,
    /// Their wall-clock time.
    pub wall: Duration,
    /// Their CPU time, where it is known.
    pub cpu: Duration,
    /// Their wall-clock time, a run without an answer, or with a wrong one, counting as twice the limit.
    pub cost: Duration,
    /// The peak memory of any of them, in KiB.
    pub memory_kib: u64,
    /// The times of those with the correct answer.
    pub solved: Times,
    /// The same while they are collected.
    open: Vec<(u64, u64)>,
}

/// Times that are collected before equal ones are put together.
const OPEN: usize = 1 << 16;

impl Totals {
    /// No runs of this number of solvers.
    pub(in crate::report) fn new(solvers: usize) -> Totals {
        Totals { solvers: vec![SolverTotals::default(); solvers], ..Totals::default() }
    }

    /// Adds a run of the solver at this place. Runs come in the order of their instances.
    pub(super) fn add(
        &mut self,
        run: &RunRow,
        instance: &Instance,
        solver: usize,
        scope: Option<Scope>,
        limit: Duration,
    ) {
        self.runs += 1;
        self.flaky += u64::from(run.flaky);
        *self.kinds.entry(run.kind).or_default() += 1;
        self.one_reading += u64::from(run.kind.is_unsound() && scope == Some(Scope::One));
        if !self.seeds.contains(&run.seed) {
            self.seeds.insert(run.seed);
        }
        let solvers = self.solvers.len();
        count(&mut self.categories, solvers, (&instance.category, &instance.status), solver, run.kind);
        if !instance.operation.is_empty() {
            count(&mut self.operations, solvers, (&instance.category, &instance.operation), solver, run.kind);
        }
        self.solvers[solver].add(run, limit, self.is_rounded);
    }

    /// Adds runs of the solver at this place that agree in verdict, category, operation and known answer; without their times.
    pub(in crate::report) fn add_sum(
        &mut self,
        solver: usize,
        kind: Kind,
        runs: u64,
        (category, operation, status): (&String, &String, Status),
    ) {
        self.runs += runs;
        *self.kinds.entry(kind).or_default() += runs;
        let solvers = self.solvers.len();
        let none = || vec![Counts::default(); solvers];
        let row = self.categories.entry((category.clone(), status)).or_insert_with(none);
        row[solver].count_many(kind, runs);
        if !operation.is_empty() {
            let row = self.operations.entry((category.clone(), operation.clone())).or_insert_with(none);
            row[solver].count_many(kind, runs);
        }
    }

    /// Puts the times in order.
    pub(super) fn finish(&mut self) {
        self.solvers.iter_mut().for_each(|s| s.solved = Times::of(std::mem::take(&mut s.open)));
    }

    /// The runs of which this holds.
    pub fn of(&self, is_it: impl Fn(Kind) -> bool) -> u64 {
        self.kinds.iter().filter(|(kind, _)| is_it(**kind)).map(|(_, n)| n).sum()
    }
}

/// Counts a run in a row, which is made if it is missing.
fn count<A: Ord + Clone, B: Ord + Clone>(
    cells: &mut Cells<(A, B)>,
    solvers: usize,
    key: (&A, &B),
    solver: usize,
    kind: Kind,
) {
    let row = cells.entry((key.0.clone(), key.1.clone())).or_insert_with(|| vec![Counts::default(); solvers]);
    row[solver].count(kind);
}

impl SolverTotals {
    fn add(&mut self, run: &RunRow, limit: Duration, is_rounded: bool) {
        let verdict = run.verdict();
        if verdict == Verdict::NotApplicable {
            return;
        }
        self.asked += 1;
        self.wall += run.wall;
        self.cpu += run.cpu;
        self.cost += if is_answer(run) { run.wall } else { limit * 2 };
        self.memory_kib = self.memory_kib.max(run.memory_kib);
        if verdict == Verdict::Ok {
            let us = u64::try_from(run.wall.as_micros()).unwrap_or(u64::MAX);
            self.open.push((if is_rounded { rounded(us) } else { us }, 1));
            if is_rounded && self.open.len() >= OPEN {
                merge(&mut self.open);
            }
        }
    }
}

/// An answer that is correct, or that nothing refutes.
fn is_answer(run: &RunRow) -> bool {
    let given = matches!(run.answer, Answer::Sat | Answer::Unsat);
    run.verdict() == Verdict::Ok || (run.verdict() == Verdict::Undetermined && given)
}
