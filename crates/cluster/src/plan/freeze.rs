//! Freezing the open jobs of a campaign.

use super::blocks::Blocks;
use super::{DONE, FORMAT, HEADER, Header, INSTANCES, Nodes, Plan, Planned};
use crate::done::Done;
use crate::drive::Work;
use crate::error::{Error, io_error};
use crate::files;
use crate::pack::pack;
use campaign::outcome::Status;
use campaign::profile::{self, Solver};
use campaign::provenance::build;
use campaign::settings::Settings;
use campaign::store::{RunKey, SECOND_OPINION, SolverRow, Store, is_server};
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// A plan as the machine that froze it has it.
#[derive(Debug)]
pub struct Frozen {
    /// The plan.
    pub plan: Plan,
    /// Jobs that are done, or not to be run.
    pub done: Done,
    /// The keys of the instances, by place.
    pub ids: Vec<i64>,
}

impl Frozen {
    /// Opens a plan whose campaign is in `store`: what is recorded by now is done.
    pub fn resume(folder: &Path, digest: &str, store: &Store) -> Result<Frozen, Error> {
        let plan = Plan::open(folder, Some(digest))?;
        let ids = store.instance_statuses()?.into_iter().map(|(id, _)| id).collect();
        let done = plan.done()?;
        let mut frozen = Frozen { plan, done, ids };
        frozen.add_recorded(store)?;
        Ok(frozen)
    }

    /// The number of runs to do.
    pub fn left(&self) -> u64 {
        self.done.len() - self.done.count()
    }

    /// The number of a run.
    pub fn job(&self, key: RunKey) -> Option<u64> {
        job_of(&self.plan, &self.ids, key)
    }

    fn add_recorded(&mut self, store: &Store) -> Result<(), Error> {
        let Frozen { plan, done, ids } = self;
        store.each_run_key(|key| {
            job_of(plan, ids, key).map(|job| done.add(job));
        })?;
        Ok(())
    }
}

impl Work for Frozen {
    fn folder(&self) -> &Path {
        &self.plan.folder
    }

    fn chunks(&self) -> u64 {
        self.plan.chunks()
    }

    fn open(&self, chunk: u64) -> u64 {
        self.plan.range(chunk).map_or(0, |range| self.done.open_in(range))
    }
}

fn job_of(plan: &Plan, ids: &[i64], key: RunKey) -> Option<u64> {
    let place = ids.binary_search(&key.0).ok()?;
    plan.job(place as u64, key)
}

/// Freezes the jobs of a campaign that are not recorded, in a new folder in `plans`. Chunks have `chunk` jobs, which take about
/// `estimate` seconds.
pub fn freeze(
    store: &Store,
    (solvers, settings): (&[(i64, Solver)], &Settings),
    (chunk, estimate): (u64, f64),
    nodes: &Nodes,
    plans: &Path,
) -> Result<Frozen, Error> {
    let statuses = store.instance_statuses()?;
    let seeds = settings.sorted_seeds();
    let header = Header {
        format: FORMAT,
        version: build().into(),
        created: store.campaign()?.created,
        store: place(store.path()),
        settings: settings.clone(),
        seeds,
        solvers: solvers.iter().map(|(id, solver)| Planned { id: *id, ..planned(solver) }).collect(),
        instances: statuses.len() as u64,
        chunk: chunk.max(1),
        runs: 0,
        estimate,
        nodes: nodes.clone(),
        blocks: Vec::new(),
        done: String::new(),
    };
    let plan = Plan { folder: plans.to_owned(), digest: String::new(), header };
    let done = unplanned(&plan, &statuses);
    let ids = statuses.into_iter().map(|(id, _)| id).collect();
    let mut frozen = Frozen { plan, done, ids };
    frozen.add_recorded(store)?;
    frozen.plan.header.runs = frozen.left();
    if frozen.plan.header.runs == 0 {
        return Err(Error::Empty);
    }
    write(&mut frozen, store, plans)?;
    Ok(frozen)
}

/// Where a store is: an absolute path, or its address.
fn place(path: &Path) -> PathBuf {
    let absolute = || std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    if is_server(path) { path.to_owned() } else { absolute() }
}

/// The solver with absolute paths: tasks run in another folder.
pub fn planned(solver: &Solver) -> Planned {
    let mut solver = solver.clone();
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    solver.program = absolute(&solver.program);
    for arg in solver.profile.args.iter_mut().filter(|arg| Path::new(arg).is_file()) {
        *arg = absolute(Path::new(arg)).display().to_string();
    }
    let solver = &solver;
    let SolverRow { name, program, version, profile, .. } = SolverRow::new(solver);
    Planned { id: 0, name, program, version, profile, fingerprint: profile::fingerprint(solver) }
}

/// The jobs of the solver that gives second opinions which nobody needs: those on instances with a known answer, and all but
/// the first seed.
fn unplanned(plan: &Plan, statuses: &[(i64, Status)]) -> Done {
    let mut done = Done::new(plan.jobs());
    let (seeds, solvers) = (&plan.header.seeds, &plan.header.solvers);
    for second in solvers.iter().filter(|s| s.name == SECOND_OPINION) {
        for (place, (id, status)) in statuses.iter().enumerate() {
            let from = if *status == Status::Unknown { 1 } else { 0 };
            for seed in &seeds[from.min(seeds.len())..] {
                plan.job(place as u64, (*id, second.id, *seed)).map(|job| done.add(job));
            }
        }
    }
    done
}

fn write(frozen: &mut Frozen, store: &Store, plans: &Path) -> Result<(), Error> {
    let work = files::work_folder(plans)?;
    let path = work.path().join(INSTANCES);
    let file = File::create(&path).map_err(io_error(&path))?;
    let mut blocks = Blocks::new(BufWriter::new(file));
    for id in &frozen.ids {
        if let Some(row) = store.instance(*id)? {
            blocks.add(row).map_err(io_error(&path))?;
        }
    }
    let (out, list, _) = blocks.finish().map_err(io_error(&path))?;
    let synced =
        out.into_inner().map_err(std::io::IntoInnerError::into_error).and_then(|file| file.sync_all());
    synced.map_err(io_error(&path))?;
    let packed = pack(&frozen.done.bytes()).map_err(io_error(&work.path().join(DONE)))?;
    files::write(&work.path().join(DONE), &packed)?;
    (frozen.plan.header.blocks, frozen.plan.header.done) = (list, files::digest(&packed));
    let text = serde_json::to_vec(&frozen.plan.header).map_err(|e| Error::plan(plans, e.to_string()))?;
    files::write(&work.path().join(HEADER), &text)?;
    frozen.plan.digest = files::digest(&text);
    frozen.plan.folder = plans.join(&frozen.plan.digest[..16]);
    files::publish(work, &frozen.plan.folder, HEADER)
}
