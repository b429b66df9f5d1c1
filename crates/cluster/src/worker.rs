//! Index → chunk → shards: what a task of any scheduler does.
//!
//! A task does the jobs of its chunk that no shard of the chunk in the folder has, so that one that is started again, by a scheduler or by
//! hand, continues. It refuses a plan that was changed, another version of this program, and another build of a solver. Runs that are
//! finished are written as shards every so many runs or seconds; when it is stopped, the rest is written before it ends.

use crate::done::Done;
use crate::error::Error;
use crate::files;
use crate::plan::{Nodes, Plan, Planned};
use crate::pool::{self, Part};
use crate::shard::{self, Name};
use campaign::drive::Observer;
use campaign::install;
use campaign::process::{Cancel, Watchdog};
use campaign::profile::{self, Places, SELF, Solver};
use campaign::provenance::build;
use campaign::settings::Settings;
use campaign::store::{InstanceRow, RunKey, RunRow};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// When shards are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flush {
    /// After this number of runs.
    pub runs: usize,
    /// After this time, if there are any.
    pub every: Duration,
}

impl Default for Flush {
    fn default() -> Self {
        Flush { runs: 5000, every: Duration::from_secs(60) }
    }
}

/// Tries to write the last shard, and the time between them.
const TRIES: u32 = 3;
const RETRY: Duration = Duration::from_secs(1);

/// What a task is to do.
#[derive(Clone, Debug)]
pub struct Order<'a> {
    /// The folder of the plan.
    pub plan: &'a Path,
    /// The digest that the plan must have.
    pub digest: Option<&'a str>,
    /// The chunk.
    pub chunk: u64,
    /// The folder for shards.
    pub out: &'a Path,
    /// Runs at a time.
    pub jobs: usize,
    /// When shards are written.
    pub flush: Flush,
    /// The task, as the scheduler names it.
    pub task: Task,
}

/// A task as the scheduler names it: the middle of the names of its shards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its id.
    pub job: String,
    /// How often it was started again.
    pub restart: u32,
}

impl Task {
    /// The task of this process: that of Slurm, else one that no other process has.
    pub fn from_env() -> Task {
        let var = |name: &str| std::env::var(name).ok().filter(|v| !v.is_empty());
        match var("SLURM_JOB_ID") {
            Some(job) if job.bytes().all(|b| b.is_ascii_digit()) => {
                let restart = var("SLURM_RESTART_COUNT").and_then(|v| v.parse().ok()).unwrap_or(0);
                Task { job, restart }
            }
            _ => {
                let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
                let now = now.map_or(0, |d| d.as_millis());
                let host = host().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
                Task { job: format!("{host}-{}-{now}", std::process::id()), restart: 0 }
            }
        }
    }
}

/// The CPUs of the allocation that this process has.
pub fn cpus() -> usize {
    let var = |name: &str| std::env::var(name).ok().and_then(|v| v.parse().ok()).filter(|&n: &usize| n > 0);
    var("SLURM_CPUS_PER_TASK")
        .or_else(|| var("SLURM_CPUS_ON_NODE"))
        .unwrap_or_else(campaign::provenance::cores)
}

/// The name of this machine; that of the node in Slurm.
pub fn host() -> String {
    let named = std::env::var("SLURMD_NODENAME").ok().filter(|n| !n.is_empty());
    let own = || std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_owned();
    named.unwrap_or_else(own)
}

/// What a task did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worked {
    /// The jobs of the chunk that were to be run.
    pub jobs: u64,
    /// Those that shards had before.
    pub before: u64,
    /// Those that were run now.
    pub done: u64,
    /// The shards that were written.
    pub shards: u32,
    /// It was stopped before the end.
    pub stopped: bool,
}

/// Does the jobs of a chunk.
pub fn work(order: &Order<'_>, cancel: &Cancel) -> Result<Worked, Error> {
    let plan = Plan::open(order.plan, order.digest)?;
    if plan.header.version != build() {
        let why = format!("a plan of stringent {}; this one is {}", plan.header.version, build());
        return Err(Error::plan(order.plan, why));
    }
    let range = plan.range(order.chunk)?;
    files::create_folder(order.out)?;
    let rows = plan.instances(range.clone())?;
    let places: BTreeMap<i64, u64> = rows.iter().map(|(place, row)| (row.id, *place)).collect();
    let job = |key: RunKey| plan.job(*places.get(&key.0)?, key).filter(|job| range.contains(job));
    let mut done = plan.done()?;
    let jobs = done.open_in(range.clone());
    add_shards(order, &plan, &mut done, &job);
    let open = done.open_in(range.clone());
    let mut worked = Worked { jobs, before: jobs - open, ..Worked::default() };
    if open == 0 {
        return Ok(worked);
    }
    let solvers = solvers(&plan, &done, range.clone())?;
    let rows: Vec<InstanceRow> = rows.into_iter().map(|(_, row)| row).collect();
    let settings =
        Settings { jobs: order.jobs, watchdog: Watchdog::own_command(), ..plan.header.settings.clone() };
    let wanted = |key: RunKey| job(key).is_some_and(|job| !done.has(job));
    let part = Part { solvers: &solvers, settings: &settings, instances: &rows, wanted: &wanted };
    let mut writer = Writer::new(order, &plan.digest);
    let summary = pool::run(&part, &mut writer, cancel)?;
    worked.shards = writer.finish()?;
    (worked.done, worked.stopped) = (summary.done, summary.cancelled);
    Ok(worked)
}

/// Adds the jobs of the shards of this chunk. One that cannot be read counts for nothing; the merger names it.
fn add_shards(order: &Order<'_>, plan: &Plan, done: &mut Done, job: &dyn Fn(RunKey) -> Option<u64>) {
    let names = shard::list(order.out).unwrap_or_default();
    for name in names.iter().filter(|name| name.chunk == order.chunk) {
        let bytes = std::fs::read(order.out.join(name.to_string())).unwrap_or_default();
        let runs = shard::decode(&bytes, &plan.digest, name).map(|shard| shard.runs).unwrap_or_default();
        for run in runs {
            job(run.key()).map(|job| done.add(job));
        }
    }
}

/// The solvers as they are on this machine, each the same build as in the plan. Those without jobs in the chunk are left out.
fn solvers(plan: &Plan, done: &Done, range: Range<u64>) -> Result<Vec<(i64, Solver)>, Error> {
    let seeds = plan.header.seeds.len() as u64;
    let all = plan.header.solvers.len() as u64;
    let needed = |n: u64| range.clone().any(|job| job / seeds % all == n && !done.has(job));
    let chosen = plan.header.solvers.iter().zip(0..).filter(|(_, n)| needed(*n));
    chosen.map(|(planned, _)| Ok((planned.id, on_this_machine(planned, &plan.header.nodes)?))).collect()
}

/// A solver of a plan as it is on this machine.
pub fn on_this_machine(planned: &Planned, nodes: &Nodes) -> Result<Solver, Error> {
    let wrong = |why: String| Error::Solver { name: planned.name.clone(), host: host(), why };
    let mut solver = planned.row().solver(Path::new("plan.json"))?;
    solver.program = program(planned, &solver, nodes).map_err(wrong)?;
    let wrong = |why: String| Error::Solver { name: planned.name.clone(), host: host(), why };
    profile::check_unchanged(&solver, planned.fingerprint.as_deref()).map_err(wrong)?;
    Ok(solver)
}

fn program(planned: &Planned, solver: &Solver, nodes: &Nodes) -> Result<PathBuf, String> {
    // `z3-5.4.0+proofs` is z3-5.4.0 with options.
    let plain = planned.name.split('+').next().unwrap_or_default();
    if let Some(program) = nodes.programs.get(&planned.name).or_else(|| nodes.programs.get(plain)) {
        return Ok(program.clone());
    }
    let places = Places::from_env();
    if solver.profile.program == SELF {
        return places.own.ok_or_else(|| "this program has no solver".into());
    }
    if nodes.install && !solver.version.is_empty() {
        let spec = format!("{}@{}", solver.profile.name, solver.version);
        install::install(&spec, &places, &mut |_| {}).map_err(|e| e.to_string())?;
        return profile::resolve_in(&spec, &places).map(|s| s.program).map_err(|e| e.to_string());
    }
    Ok(solver.program.clone())
}

/// Writes shards. Runs that could not be written are kept, and tried again with the next ones.
struct Writer<'a> {
    order: &'a Order<'a>,
    plan: &'a str,
    waiting: Vec<RunRow>,
    part: u32,
    tried: Instant,
}

impl<'a> Writer<'a> {
    fn new(order: &'a Order<'a>, plan: &'a str) -> Writer<'a> {
        Writer { order, plan, waiting: Vec::new(), part: 0, tried: Instant::now() }
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.tried = Instant::now();
        if self.waiting.is_empty() {
            return Ok(());
        }
        let Task { job, restart } = self.order.task.clone();
        let name = Name { chunk: self.order.chunk, job, restart, part: self.part };
        shard::write(self.order.out, self.plan, &name, &host(), &self.waiting)?;
        self.waiting.clear();
        self.part += 1;
        Ok(())
    }

    fn flush_if_due(&mut self) {
        let full = self.waiting.len() >= self.order.flush.runs
            && self.waiting.len().is_multiple_of(self.order.flush.runs);
        if full || self.tried.elapsed() >= self.order.flush.every {
            // The disk may have room again when the next shard is due.
            let _ = self.flush();
        }
    }

    /// Writes the rest; the number of shards.
    fn finish(mut self) -> Result<u32, Error> {
        let mut tries = 1;
        while let Err(e) = self.flush() {
            if tries == TRIES {
                return Err(e);
            }
            tries += 1;
            std::thread::sleep(RETRY);
        }
        Ok(self.part)
    }
}

impl Observer for Writer<'_> {
    fn finished(&mut self, run: &RunRow) {
        self.waiting.push(run.clone());
        self.flush_if_due();
    }

    fn tick(&mut self) {
        self.flush_if_due();
    }
}
