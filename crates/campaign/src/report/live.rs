//! A campaign that may be running, as data that is brought up to date step by step.
//!
//! The runs are summed by the database, some instances at a time: a block. A block with all its runs is summed once, so that a step costs the
//! same in a campaign of any size, and memory does not grow with the runs. A finished campaign is read again when it changes.

use super::data::{Data, Group, Size, SolverTotals, Times, Totals, group_order};
use crate::judge::Scope;
use crate::outcome::{Answer, Kind, Status, Verdict};
use crate::store::{Campaign, Extent, Store, StoreError, Sum, TimeSum, UnsoundRun};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Runs of a block, about.
const BLOCK: u64 = 20_000;
/// Maximum number of instances of a block.
const MAX_INSTANCES: i64 = 4096;

/// How far the data is up to date after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// There is more to read.
    More,
    /// It is up to date, and something may have changed.
    Changed,
    /// Nothing has changed.
    Same,
}

/// A campaign that is brought up to date.
pub struct Live {
    store: Store,
    /// The state that all blocks belong to.
    layout: Option<Layout>,
    blocks: Vec<Block>,
    /// The sums of the blocks that are complete.
    base: Sums,
    /// The blocks that are still to be read in this round.
    open: Vec<usize>,
    /// The number of the last change that was seen.
    version: Option<i64>,
    in_round: bool,
}

/// What the sums depend on; when it changes, all blocks are read again.
#[derive(Clone, PartialEq)]
struct Layout {
    campaign: Campaign,
    solvers: Vec<i64>,
    extent: Extent,
    instances: u64,
    /// Of a finished campaign: the last change.
    version: Option<i64>,
}

/// Instances that follow each other.
struct Block {
    first: i64,
    last: i64,
    /// The verdicts by solver that occur in it.
    found: BTreeSet<(i64, Kind)>,
    runs: u64,
    is_complete: bool,
    /// The sums, unless they are part of the base.
    sums: Sums,
}

type Key = (i64, Kind, Answer, String, String, Status);

/// Sums of runs.
#[derive(Clone, Default)]
struct Sums {
    parts: BTreeMap<Key, Part>,
    times: BTreeMap<(i64, u64), u64>,
    scopes: BTreeMap<(i64, Kind, String, Scope), u64>,
}

/// Runs that agree in a key.
#[derive(Clone, Copy)]
struct Part {
    runs: u64,
    flaky: u64,
    wall_us: u64,
    cpu_us: u64,
    memory_kib: u64,
    smallest: (u64, i64),
}

impl Part {
    fn of(sum: &Sum) -> Part {
        let Sum { runs, flaky, wall_us, cpu_us, memory_kib, smallest, .. } = *sum;
        Part { runs, flaky, wall_us, cpu_us, memory_kib, smallest }
    }

    fn add(&mut self, other: &Part) {
        self.runs += other.runs;
        self.flaky += other.flaky;
        self.wall_us += other.wall_us;
        self.cpu_us += other.cpu_us;
        self.memory_kib = self.memory_kib.max(other.memory_kib);
        self.smallest = self.smallest.min(other.smallest);
    }
}

impl Sums {
    fn of(sums: Vec<Sum>, times: &[TimeSum], unsound: Vec<UnsoundRun>) -> Sums {
        let mut out = Sums::default();
        for sum in sums {
            let part = Part::of(&sum);
            let key = (sum.solver, sum.kind, sum.answer, sum.category, sum.operation, sum.status);
            out.parts.insert(key, part);
        }
        out.times = times.iter().map(|t| ((t.solver, t.wall_us), t.runs)).collect();
        for UnsoundRun { run, kind, category, operation, evidence } in unsound {
            let Some(scope) = Scope::of(&evidence) else { continue };
            let subject = if operation.is_empty() { category } else { operation };
            *out.scopes.entry((run.1, kind, subject, scope)).or_default() += 1;
        }
        out
    }

    fn add(&mut self, other: &Sums) {
        for (key, part) in &other.parts {
            match self.parts.get_mut(key) {
                Some(sum) => sum.add(part),
                None => drop(self.parts.insert(key.clone(), *part)),
            }
        }
        for (key, runs) in &other.times {
            *self.times.entry(*key).or_default() += runs;
        }
        for (key, runs) in &other.scopes {
            *self.scopes.entry(key.clone()).or_default() += runs;
        }
    }
}

impl Live {
    /// Opens the store of a campaign, which may be running, for reading.
    pub fn open(path: &Path) -> Result<Live, StoreError> {
        Ok(Live {
            store: Store::open_read_only(path)?,
            layout: None,
            blocks: Vec::new(),
            base: Sums::default(),
            open: Vec::new(),
            version: None,
            in_round: false,
        })
    }

    /// Reads a block, or begins a new round if the last one is done.
    pub fn step(&mut self) -> Result<Step, StoreError> {
        if !self.in_round && !self.begin()? {
            return Ok(Step::Same);
        }
        if let Some(at) = self.open.pop() {
            self.read(at)?;
        }
        self.in_round = !self.open.is_empty();
        Ok(if self.in_round { Step::More } else { Step::Changed })
    }

    /// How much of this round is done, from 0 to 1.
    pub fn progress(&self) -> f64 {
        1.0 - self.open.len() as f64 / self.blocks.len().max(1) as f64
    }

    /// Begins a round; false if nothing has changed.
    fn begin(&mut self) -> Result<bool, StoreError> {
        let version = self.store.version()?;
        if version.is_some() && version == self.version {
            return Ok(false);
        }
        let campaign = self.store.campaign()?;
        let extent = self.store.extent()?;
        // New instances come after the others.
        let known = self.layout.as_ref().filter(|known| known.extent == extent).map(|known| known.instances);
        let layout = Layout {
            solvers: self.store.solvers()?.iter().map(|s| s.id).collect(),
            extent,
            instances: known.map_or_else(|| self.store.instance_count(), Ok)?,
            version: version.filter(|_| campaign.finished.is_some()),
            campaign,
        };
        let is_new = self.layout.as_ref() != Some(&layout);
        if is_new {
            self.blocks = blocks(&layout);
            self.base = Sums::default();
            self.layout = Some(layout);
        }
        let last = self.store.last_run_instance()?;
        let wanted = |b: &Block| !b.is_complete && last.is_some_and(|last| b.first <= last);
        self.open = (0..self.blocks.len()).rev().filter(|&at| wanted(&self.blocks[at])).collect();
        self.version = version;
        let has_runs = !self.open.is_empty();
        // On a server there is no number that tells of changes.
        Ok(is_new || has_runs || version.is_some())
    }

    fn read(&mut self, at: usize) -> Result<(), StoreError> {
        let Some(layout) = &self.layout else { return Ok(()) };
        let block = &mut self.blocks[at];
        let mut sums = self.store.sums(block.first, block.last)?;
        sums.retain(|sum| layout.solvers.contains(&sum.solver));
        let has_unsound = sums.iter().any(|sum| sum.kind.is_unsound());
        let unsound =
            if has_unsound { self.store.unsound_runs(block.first, block.last)? } else { Vec::new() };
        let mut times = self.store.times(block.first, block.last)?;
        times.retain(|time| layout.solvers.contains(&time.solver));
        block.runs = sums.iter().map(|sum| sum.runs).sum();
        block.found = sums.iter().map(|sum| (sum.solver, sum.kind)).collect();
        block.sums = Sums::of(sums, &times, unsound);
        let instances = (block.last - block.first + 1).cast_unsigned();
        let is_full = block.runs == instances * layout.runs_of_instance();
        block.is_complete = is_full || layout.campaign.finished.is_some();
        if block.is_complete {
            self.base.add(&std::mem::take(&mut block.sums));
        }
        Ok(())
    }

    /// The ranges of instances that have runs, in order, as far as they were read.
    pub fn ranges(&self) -> Vec<Range> {
        let range =
            |b: &Block| Range { first: b.first, last: b.last, found: b.found.iter().copied().collect() };
        self.blocks.iter().filter(|b| b.runs > 0).map(range).collect()
    }

    /// The campaign as it was read so far: counts of all runs, no single runs.
    pub fn data(&self) -> Result<Data, StoreError> {
        let mut sums = self.base.clone();
        self.blocks.iter().filter(|b| !b.is_complete).for_each(|b| sums.add(&b.sums));
        let mut data = Data::without_runs(&self.store)?;
        data.formulas =
            self.layout.as_ref().map_or(0, |l| usize::try_from(l.instances).unwrap_or(usize::MAX));
        data.totals = totals(&data, &sums);
        data.groups = groups(&data, &sums);
        Ok(data)
    }
}

/// Instances that follow each other, and the verdicts of their runs by solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// The key of the first instance.
    pub first: i64,
    /// The key of the last one.
    pub last: i64,
    /// Solvers and verdicts that occur.
    pub found: Vec<(i64, Kind)>,
}

impl Layout {
    fn runs_of_instance(&self) -> u64 {
        (self.solvers.len() * self.campaign.settings.sorted_seeds().len().max(1)) as u64
    }
}

fn blocks(layout: &Layout) -> Vec<Block> {
    let Extent { first, last } = layout.extent;
    let size = (BLOCK / layout.runs_of_instance().max(1)).cast_signed().clamp(1, MAX_INSTANCES);
    let block = |first: i64| Block {
        first,
        last: (first + size - 1).min(last),
        found: BTreeSet::new(),
        runs: 0,
        is_complete: false,
        sums: Sums::default(),
    };
    (first..=last).step_by(usize::try_from(size).unwrap_or(1)).map(block).collect()
}

fn totals(data: &Data, sums: &Sums) -> Totals {
    let mut totals = Totals::new(data.solvers.len());
    for ((solver, kind, answer, category, operation, status), part) in &sums.parts {
        let Some(solver) = data.solvers.iter().position(|s| s.id == *solver) else { continue };
        totals.add_sum(solver, *kind, part.runs, (category, operation, *status));
        totals.flaky += part.flaky;
        add_times(&mut totals.solvers[solver], data, (*kind, *answer), part);
    }
    for ((_, kind, _, scope), runs) in &sums.scopes {
        totals.one_reading += if kind.is_unsound() && *scope == Scope::One { *runs } else { 0 };
    }
    for (solver, data) in totals.solvers.iter_mut().zip(&data.solvers) {
        let times = sums.times.range((data.id, 0)..=(data.id, u64::MAX));
        solver.solved = Times::of(times.map(|((_, us), runs)| (*us, *runs)).collect());
    }
    totals
}

fn add_times(totals: &mut SolverTotals, data: &Data, (kind, answer): (Kind, Answer), part: &Part) {
    let verdict = kind.verdict();
    if verdict == Verdict::NotApplicable {
        return;
    }
    let micros = std::time::Duration::from_micros;
    let given = matches!(answer, Answer::Sat | Answer::Unsat);
    let is_answer = verdict == Verdict::Ok || (verdict == Verdict::Undetermined && given);
    totals.asked += part.runs;
    totals.wall += micros(part.wall_us);
    totals.cpu += micros(part.cpu_us);
    totals.memory_kib = totals.memory_kib.max(part.memory_kib);
    let limit = u64::try_from(data.limit().as_micros()).unwrap_or(u64::MAX);
    totals.cost += micros(if is_answer { part.wall_us } else { limit.saturating_mul(2 * part.runs) });
}

/// The groups of runs that are not ok, in the order and with the numbers of reports.
fn groups(data: &Data, sums: &Sums) -> Vec<Group> {
    let mut map: BTreeMap<_, (Size, (u64, i64))> = BTreeMap::new();
    for ((id, kind, _, category, operation, _), part) in &sums.parts {
        let Some(solver) = data.solvers.iter().position(|s| s.id == *id) else { continue };
        if matches!(kind.verdict(), Verdict::Ok | Verdict::NotApplicable) {
            continue;
        }
        let subject = if operation.is_empty() { category } else { operation };
        let key = (group_order(*kind), solver, *kind, subject.as_str());
        let group = map.entry(key).or_insert((Size::default(), (u64::MAX, 0)));
        group.0.runs += part.runs;
        group.0.flaky += part.flaky;
        group.1 = group.1.min(part.smallest);
    }
    for ((id, kind, subject, scope), runs) in &sums.scopes {
        let Some(solver) = data.solvers.iter().position(|s| s.id == *id) else { continue };
        if let Some(group) = map.get_mut(&(group_order(*kind), solver, *kind, subject.as_str())) {
            *group.0.scopes.entry(*scope).or_default() += runs;
        }
    }
    let mut list: Vec<Group> = map
        .into_iter()
        .map(|((_, solver, kind, operation), (size, smallest))| Group {
            number: 0,
            solver,
            kind,
            operation: operation.to_owned(),
            runs: Vec::new(),
            size,
            smallest: Some(smallest.1),
        })
        .collect();
    list.sort_by_key(|g| (group_order(g.kind), g.solver, g.kind, Reverse(g.size.runs)));
    list.iter_mut().zip(1..).for_each(|(group, number)| group.number = number);
    list
}
