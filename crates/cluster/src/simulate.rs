//! A campaign on a cluster that does not exist: a simulated clock, real plans, driver, shards and merger.
//!
//! Tasks run on slots of nodes; nodes are lost at a given rate, and with them what their tasks have not written. Slurm starts such tasks
//! again after a while; some of the old ones run on unseen, and write too. Of the chunks, one in so many is written as real
//! shards and merged into a real store; the others are only marked as done, since the time of a hundred million rows is that of SQLite.

use crate::drive::{Counts, Driver, Ended, Live, Scheduler, Tuning, read_list};
use crate::error::Error;
use crate::merge::{Caller, Merger, Tally};
use crate::plan::{self, Frozen, Nodes, Plan};
use crate::shard::{self, Name};
use campaign::outcome::{Answer, CoreCheck, Kind, ModelCheck, Status};
use campaign::process::Cancel;
use campaign::profile::{Profile, Solver};
use campaign::settings::Settings;
use campaign::store::{Campaign, InstanceRow, RunRow, SolverRow, Store};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// What is simulated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// Runs, a multiple of 100: there are ten solvers and ten seeds.
    pub runs: u64,
    /// Tasks at a time.
    pub slots: u32,
    /// Slots of a node.
    pub per_node: u32,
    /// Nodes of a hundred that are lost in a day.
    pub losses: f64,
    /// The mean time of a run.
    pub mean: Duration,
    /// One in this many chunks is really written and merged.
    pub sample: u64,
    /// The seed.
    pub seed: u64,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Bytes of the plan.
    pub plan_bytes: u64,
    /// Its chunks.
    pub chunks: u64,
    /// The time to freeze it.
    pub freeze: Duration,
    /// What was submitted.
    pub counts: Counts,
    /// Shards of all chunks.
    pub shards: u64,
    /// Nodes that were lost.
    pub lost: u64,
    /// What was really merged.
    pub tally: Tally,
    /// The time for that.
    pub merging: Duration,
    /// Bytes of the shards that were really written.
    pub shard_bytes: u64,
    /// The simulated time.
    pub simulated: Duration,
    /// The time that the driver took for the rest.
    pub driving: Duration,
    /// Jobs that are not done at the end.
    pub missing: u64,
}

const SOLVERS: u64 = 10;
const SEEDS: u64 = 10;
/// The time between shards of a task, and after which a lost node is noticed.
const FLUSH: Duration = Duration::from_secs(60);
const NOTICED: Duration = Duration::from_secs(300);

/// Simulates a campaign in a folder.
pub fn simulate(setup: &Setup, folder: &Path, cancel: &Cancel) -> Result<Found, Error> {
    let mut store = campaign(setup, folder)?;
    let solvers = solvers();
    let settings = Settings { seeds: (0..SEEDS).collect(), ..Settings::default() };
    let shape = crate::chunk::Shape { cpus: 1, slots: setup.slots.into(), target: crate::chunk::TARGET };
    let size = crate::chunk::size(setup.runs, setup.mean.as_secs_f64(), &shape);
    let started = Instant::now();
    let about = (size, size as f64 * setup.mean.as_secs_f64());
    let plans = folder.join("plans");
    let mut frozen = plan::freeze(&store, (&solvers, &settings), about, &Nodes::default(), &plans)?;
    let freeze = started.elapsed();
    let plan_bytes = size_of(&frozen.plan.folder);
    let mut merger = Merger::new(&frozen.plan.folder)?;
    let arrived = Rc::new(RefCell::new(VecDeque::new()));
    let mut sim = Sim::new(setup, &frozen.plan, Rc::clone(&arrived));
    let (mut shards, mut merging, mut shard_bytes) = (0, Duration::ZERO, 0);
    let started = Instant::now();
    let tuning = Tuning { queued: setup.slots as usize * 2 + 1000, ..Tuning::default() };
    let mut say = |_: &str| {};
    let mut driver = Driver::new(&frozen, &mut sim, &mut say, tuning, cancel)?;
    let ended = driver.run(
        &mut frozen,
        &mut |frozen, say| {
            for part in arrived.borrow_mut().drain(..) {
                shards += 1;
                shard_bytes += arrive(&part, frozen, merger.out(), setup.sample)?;
            }
            let from = Instant::now();
            let merged = merger.collect(&mut store, frozen, &mut Caller { observer: &mut (), say, cancel });
            merging += from.elapsed();
            merged
        },
        cancel,
    )?;
    let counts = driver.counts;
    let driving = started.elapsed().saturating_sub(merging);
    let missing = if ended == Ended::Complete { 0 } else { frozen.left() };
    let (tally, chunks, lost, simulated) = (merger.tally, frozen.plan.chunks(), sim.lost, sim.now);
    Ok(Found {
        plan_bytes,
        chunks,
        freeze,
        counts,
        shards,
        lost,
        tally,
        merging,
        shard_bytes,
        simulated,
        driving,
        missing,
    })
}

/// A campaign with instances of a usual size.
fn campaign(setup: &Setup, folder: &Path) -> Result<Store, Error> {
    let mut store = Store::create(&folder.join("simulated.store"), &Campaign::default())?;
    store.add_cluster_tables()?;
    for (_, solver) in solvers() {
        store.add_solver(&SolverRow::new(&solver))?;
    }
    let count = (setup.runs / SOLVERS / SEEDS).max(1) as i64;
    let ids: Vec<i64> = (1..=count).collect();
    for some in ids.chunks(1000) {
        let rows: Vec<InstanceRow> = some.iter().map(|&id| instance(id)).collect();
        store.add_instances(&rows)?;
    }
    store.set_planned()?;
    Ok(store)
}

fn instance(id: i64) -> InstanceRow {
    let word = format!("{:016x}", mix(id.cast_unsigned()));
    let line = format!("(assert (= (str.++ x \"{word}\") (str.replace y \"{}\" z)))\n", &word[..5]);
    let head =
        "(set-logic QF_SLIA)\n(set-info :status sat)\n(declare-const x String)\n(declare-const y String)\n";
    InstanceRow {
        id,
        name: format!("simulated/{id:09}"),
        category: "simulated".into(),
        operation: "str.replace".into(),
        status: Status::Sat,
        source: format!("{head}{}(check-sat)\n", line.repeat(6)).into_bytes(),
    }
}

fn solvers() -> Vec<(i64, Solver)> {
    let solver = |n: u64| {
        let name = format!("solver-{n}");
        let profile = Profile { name: name.clone(), ..Profile::default() };
        (n.cast_signed() + 1, Solver { name, profile, program: "/bin/true".into(), version: "1".into() })
    };
    (0..SOLVERS).map(solver).collect()
}

/// Jobs that a task has finished.
#[derive(Clone, Debug)]
struct Part {
    name: Name,
    jobs: Range<u64>,
}

/// A part arrives: as a real shard, or only as marks. Returns the bytes that were written.
fn arrive(part: &Part, frozen: &mut Frozen, out: &Path, sample: u64) -> Result<u64, Error> {
    if !part.name.chunk.is_multiple_of(sample.max(1)) {
        for job in part.jobs.clone() {
            frozen.done.add(job);
        }
        return Ok(0);
    }
    let runs: Vec<RunRow> = part.jobs.clone().map(run).collect();
    let path = shard::write(out, &frozen.plan.digest, &part.name, "simulated", &runs)?;
    Ok(path.metadata().map_or(0, |m| m.len()))
}

fn run(job: u64) -> RunRow {
    let (instance, rest) = (job / (SOLVERS * SEEDS), job % (SOLVERS * SEEDS));
    RunRow {
        instance: instance.cast_signed() + 1,
        solver: (rest / SEEDS).cast_signed() + 1,
        seed: rest % SEEDS,
        kind: Kind::ValidModel,
        answer: Answer::Sat,
        model: ModelCheck::Holds,
        core: CoreCheck::Absent,
        ending: "exit 0".into(),
        wall: Duration::from_micros(mix(job) % 2_000_000),
        cpu: Duration::from_micros(mix(job) % 1_900_000),
        memory_kib: 30_000 + mix(job) % 9000,
        batched: false,
        flaky: false,
        output: format!("sat\n((define-fun x () String \"{:x}\"))\n", mix(job)).into_bytes(),
        evidence: String::new(),
        command: "/opt/solver/bin/solver --strings-exp -".into(),
    }
}

/// A task on a slot.
#[derive(Clone, Debug)]
struct Task {
    chunk: u64,
    restart: u32,
    started: Duration,
    length: Duration,
    written: u32,
}

/// The cluster.
struct Sim<'a> {
    setup: &'a Setup,
    plan: Plan,
    lists: PathBuf,
    now: Duration,
    waiting: VecDeque<((u32, u32), u64, u32)>,
    later: Vec<(Duration, (u32, u32), u64, u32)>,
    running: BTreeMap<u32, ((u32, u32), Task)>,
    /// Tasks that run on after their node was lost.
    ghosts: Vec<((u32, u32), Task)>,
    free: Vec<u32>,
    arrived: Rc<RefCell<VecDeque<Part>>>,
    random: u64,
    lost: u64,
}

impl<'a> Sim<'a> {
    fn new(setup: &'a Setup, plan: &Plan, arrived: Rc<RefCell<VecDeque<Part>>>) -> Sim<'a> {
        Sim {
            setup,
            plan: plan.clone(),
            lists: plan.folder.join("arrays"),
            now: Duration::ZERO,
            waiting: VecDeque::new(),
            later: Vec::new(),
            running: BTreeMap::new(),
            ghosts: Vec::new(),
            free: (0..setup.slots).collect(),
            arrived,
            random: setup.seed,
            lost: 0,
        }
    }

    /// A number in 0..1.
    fn chance(&mut self) -> f64 {
        self.random = self.random.wrapping_add(1);
        (mix(self.random) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn start_waiting(&mut self) {
        while let (Some(_), Some(slot)) = (self.waiting.front(), self.free.pop()) {
            let Some((id, chunk, restart)) = self.waiting.pop_front() else { return };
            let factor = 0.4 + 1.2 * self.chance();
            let length = Duration::from_secs_f64(self.plan.header.estimate * factor);
            let task = Task { chunk, restart, started: self.now, length, written: 0 };
            self.running.insert(slot, (id, task));
        }
    }

    /// Nodes that are lost in this time: what their tasks have not written is gone, and they start again later.
    fn lose_nodes(&mut self, time: Duration) {
        let nodes = self.setup.slots.div_ceil(self.setup.per_node.max(1));
        let rate = self.setup.losses / 100.0 * time.as_secs_f64() / 86_400.0;
        for node in 0..nodes {
            if self.chance() >= rate {
                continue;
            }
            self.lost += 1;
            for slot in node * self.setup.per_node..((node + 1) * self.setup.per_node).min(self.setup.slots) {
                let Some((id, task)) = self.running.remove(&slot) else { continue };
                self.free.push(slot);
                self.later.push((self.now + NOTICED, id, task.chunk, task.restart + 1));
                if self.chance() < 0.1 {
                    self.ghosts.push((id, task));
                }
            }
        }
    }

    fn advance(&mut self) {
        let (now, plan, arrived) = (self.now, &self.plan, &self.arrived);
        let mut ended = Vec::new();
        for (slot, (id, task)) in &mut self.running {
            if write(task, *id, now, plan, arrived) {
                ended.push(*slot);
            }
        }
        self.ghosts.retain_mut(|(id, task)| !write(task, *id, now, plan, arrived));
        for slot in ended {
            self.running.remove(&slot);
            self.free.push(slot);
        }
        let (due, later) = std::mem::take(&mut self.later).into_iter().partition(|l| l.0 <= now);
        self.later = later;
        self.waiting.extend(Vec::into_iter(due).map(|(_, id, chunk, restart)| (id, chunk, restart)));
        self.start_waiting();
    }
}

/// Writes the shards of a task that are due; true if it has ended.
fn write(
    task: &mut Task,
    id: (u32, u32),
    now: Duration,
    plan: &Plan,
    arrived: &RefCell<VecDeque<Part>>,
) -> bool {
    let Ok(range) = plan.range(task.chunk) else { return true };
    let ran = now.saturating_sub(task.started).min(task.length);
    let parts = task.length.div_duration_f64(FLUSH).ceil().max(1.0);
    let due = if ran == task.length { parts as u32 } else { (ran.div_duration_f64(FLUSH)) as u32 };
    let at = |part: u32| range.start + ((range.end - range.start) as f64 * f64::from(part) / parts) as u64;
    while task.written < due {
        let (from, to) = (
            at(task.written),
            if task.written + 1 == parts as u32 { range.end } else { at(task.written + 1) },
        );
        let job = format!("{}{:04}", id.0, id.1);
        let name = Name { chunk: task.chunk, job, restart: task.restart, part: task.written };
        arrived.borrow_mut().push_back(Part { name, jobs: from..to });
        task.written += 1;
    }
    ran == task.length
}

impl Scheduler for Sim<'_> {
    fn submit(&mut self, array: u32, tasks: u32) -> Result<(), String> {
        let chunks = read_list(&crate::drive::list_path(&self.lists, array)).map_err(|e| e.to_string())?;
        debug_assert_eq!(chunks.len(), tasks as usize);
        self.waiting.extend(chunks.into_iter().zip(0..).map(|(chunk, task)| ((array, task), chunk, 0)));
        self.start_waiting();
        Ok(())
    }

    fn live(&mut self, _: &BTreeSet<u32>) -> Result<Vec<Live>, String> {
        let live = |(array, task): (u32, u32), running| Live { array, task, running, held: false };
        let running = self.running.values().map(|(id, _)| live(*id, true));
        let waiting = self.waiting.iter().map(|(id, ..)| live(*id, false));
        let later = self.later.iter().map(|(_, id, ..)| live(*id, false));
        Ok(running.chain(waiting).chain(later).collect())
    }

    fn cancel(&mut self, _: u32, _: Option<u32>) {}

    fn words(&self, _: u32, _: u32) -> Option<String> {
        None
    }

    fn now(&self) -> Duration {
        self.now
    }

    fn wait(&mut self, time: Duration, _: &Cancel) {
        self.now += time;
        self.advance();
        self.lose_nodes(time);
    }
}

/// A number that looks random (SplitMix64).
fn mix(n: u64) -> u64 {
    let n = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ (n >> 31)
}

fn size_of(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|e| e.metadata().ok()).filter(std::fs::Metadata::is_file).map(|m| m.len()).sum()
}
