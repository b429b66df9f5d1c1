//! A campaign on Slurm, from its store to the last merged shard.
//!
//! The store remembers the folder and the digest of the plan. A campaign that is resumed goes on with it if its solvers and settings are
//! still the same; otherwise what has arrived is merged, the arrays are ended, and the rest is planned again.

use crate::chunk::{self, Shape};
use crate::config::Config;
use crate::drive::{Counts, Driver, Ended, Scheduler};
use crate::error::Error;
use crate::merge::{Caller, Merger, Tally};
use crate::plan::{self, Frozen, Planned};
use crate::slurm::{self, Slurm};
use crate::{files, pilot};
use campaign::clean::{counted, shell};
use campaign::drive::Observer;
use campaign::job::Job;
use campaign::process::Cancel;
use campaign::profile::Solver;
use campaign::provenance::build;
use campaign::store::{SolverRow, Store};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The caller of a campaign on a cluster.
pub struct Host<'a> {
    /// Sees the runs.
    pub observer: &'a mut dyn Observer,
    /// Gets messages.
    pub say: &'a mut dyn FnMut(&str),
    /// Stops the work.
    pub cancel: &'a Cancel,
    /// When it is stopped: whether the tasks are to go on.
    pub leave: &'a mut dyn FnMut() -> bool,
}

/// How it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// All runs are recorded.
    pub complete: bool,
    /// It was stopped, and the tasks go on.
    pub left: bool,
    /// Runs that are not recorded.
    pub missing: u64,
    /// What was submitted.
    pub counts: Counts,
    /// What was merged.
    pub tally: Tally,
}

/// What is remembered of a plan, or of a search in parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The folder.
    pub folder: PathBuf,
    /// The digest of its description.
    pub digest: String,
}

impl State {
    pub(crate) fn of(frozen: &Frozen) -> State {
        State { folder: frozen.plan.folder.clone(), digest: frozen.plan.digest.clone() }
    }

    /// Reads it from a store.
    pub fn read(store: &Store) -> Result<Option<State>, Error> {
        Ok(store.cluster_state()?.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Records it in a store.
    pub fn write(&self, store: &Store) -> Result<(), Error> {
        let text = serde_json::to_string(self).map_err(|e| Error::plan(&self.folder, e.to_string()))?;
        Ok(store.set_cluster_state(&text)?)
    }
}

/// Does the open runs of a campaign on Slurm.
pub fn run(job: &mut Job, config: &Config, host: &mut Host<'_>) -> Result<Report, Error> {
    job.store.add_cluster_tables()?;
    let solvers = job.solvers()?;
    let Some(mut frozen) = prepare(job, &solvers, config, host)? else {
        return Ok(Report {
            complete: true,
            left: false,
            missing: 0,
            counts: Counts::default(),
            tally: Tally::default(),
        });
    };
    unchanged(job, &frozen)?;
    let open = frozen.left();
    let all = frozen.plan.header.runs;
    let total = all + recorded_before(&job.store, all, open)?;
    host.observer.planned(total, total - open);
    let mut merger = Merger::new(&frozen.plan.folder)?;
    let (plan, digest) = (frozen.plan.folder.clone(), frozen.plan.digest.clone());
    let out = merger.out().to_owned();
    let mut slurm = Slurm::new(config, &plan, &digest, &out)?;
    let (ended, counts, left) = {
        let (store, cancel, observer) = (&mut job.store, host.cancel, &mut *host.observer);
        let never = Cancel::new().map_err(crate::error::io_error(&plan))?;
        let mut driver = Driver::new(&frozen, &mut slurm, host.say, config.tuning(), cancel)?;
        let ended = driver.run(
            &mut frozen,
            &mut |frozen, say| {
                observer.tick();
                merger.collect(store, frozen, &mut Caller { observer: &mut *observer, say, cancel: &never })
            },
            cancel,
        )?;
        let left = ended == Ended::Stopped && !driver.arrays().is_empty() && (host.leave)();
        if ended == Ended::Stopped && !left {
            driver.cancel_all();
        }
        (ended, driver.counts, left)
    };
    let missing = frozen.left();
    if ended == Ended::Complete {
        finish(&job.store, &frozen, &merger.tally, host);
    }
    Ok(Report { complete: ended == Ended::Complete, left, missing, counts, tally: merger.tally })
}

/// An error if the program of a solver is another build than the one that the campaign began with: tasks would refuse it.
fn unchanged(job: &Job, frozen: &Frozen) -> Result<(), Error> {
    match job.changed_solvers()?.into_iter().next() {
        Some((name, program)) if frozen.left() > 0 => {
            let why = format!(
                "`{}` is another build than at the start of the campaign; bring that one back, or start a new campaign",
                program.display()
            );
            Err(Error::Solver { name, host: crate::worker::host(), why })
        }
        _ => Ok(()),
    }
}

/// The runs that were recorded before the plan was frozen.
fn recorded_before(store: &Store, planned: u64, open: u64) -> Result<u64, Error> {
    let mut recorded = 0;
    store.each_run_key(|_| recorded += 1)?;
    Ok((recorded + open).saturating_sub(planned))
}

/// The plan to work off: that of an earlier driver, or a new one; none if all is recorded.
fn prepare(
    job: &mut Job,
    solvers: &[(i64, Solver)],
    config: &Config,
    host: &mut Host<'_>,
) -> Result<Option<Frozen>, Error> {
    if let Some(state) = State::read(&job.store)? {
        match Frozen::resume(&state.folder, &state.digest, &job.store) {
            Ok(mut frozen) if !fits(&frozen, solvers, job, config) => retire(job, config, &mut frozen, host)?,
            Ok(frozen) => return Ok(Some(frozen)),
            Err(e) if state.folder.exists() => return Err(unusable(e, &state.folder)),
            Err(_) => {}
        }
    }
    let mean = pilot::mean(&job.store, (solvers, &job.settings), host.cancel)?;
    let slots = slots(config);
    let target = Duration::from_secs_f64(config.slurm.chunk * 60.0);
    let shape = Shape { cpus: config.slurm.cpus, slots, target };
    let jobs = job.store.instance_statuses()?.len() * solvers.len() * job.settings.sorted_seeds().len();
    let size = chunk::size(jobs as u64, mean, &shape);
    let plans = config.shared.join("plans");
    let about = (size, size as f64 * mean);
    let frozen = match plan::freeze(&job.store, (solvers, &job.settings), about, &config.nodes(), &plans) {
        Err(Error::Empty) => return Ok(None),
        other => other?,
    };
    State::of(&frozen).write(&job.store)?;
    let (runs, chunks) = (frozen.plan.header.runs, frozen.plan.chunks());
    (host.say)(&format!(
        "plan {}: {} in {}, {:.0} ms each on average",
        frozen.plan.folder.display(),
        counted(runs, "run"),
        counted(chunks, "chunk"),
        mean * 1000.0
    ));
    Ok(Some(frozen))
}

/// A plan that cannot be read, and what to do about it.
fn unusable(error: Error, folder: &Path) -> Error {
    match error {
        Error::Plan { path, why } => {
            let folder = shell(&folder.display().to_string());
            let what = format!(
                "{why}; after `rm -r {folder}`, --resume plans again what is not recorded (results there that are not merged yet are done again)"
            );
            Error::Plan { path, why: what }
        }
        other => other,
    }
}

/// The plan has all solvers and the settings of the campaign, and their places on the nodes.
fn fits(frozen: &Frozen, solvers: &[(i64, Solver)], job: &Job, config: &Config) -> bool {
    let header = &frozen.plan.header;
    let same = |planned: &Planned, (id, solver): &(i64, Solver)| {
        let row = SolverRow::new(solver);
        planned.id == *id && planned.name == row.name
    };
    header.version == build()
        && header.solvers.len() == solvers.len()
        && header.solvers.iter().zip(solvers).all(|(planned, solver)| same(planned, solver))
        && header.seeds == job.settings.sorted_seeds()
        && header.settings.limits == job.settings.limits
        && header.nodes == config.nodes()
}

/// Ends the arrays of a plan that does not fit any more, and merges what has arrived.
fn retire(job: &mut Job, config: &Config, frozen: &mut Frozen, host: &mut Host<'_>) -> Result<(), Error> {
    (host.say)(
        "the campaign, the profile of the cluster or the version of stringent has changed since the plan: the rest is planned again",
    );
    let mut merger = Merger::new(&frozen.plan.folder)?;
    let (folder, digest) = (frozen.plan.folder.clone(), frozen.plan.digest.clone());
    let out = merger.out().to_owned();
    let mut slurm = Slurm::new(config, &folder, &digest, &out)?;
    let lists = std::fs::read_dir(folder.join("arrays")).into_iter().flatten().flatten();
    let number = |name: std::ffi::OsString| name.to_str()?.strip_suffix(".list")?.parse::<u32>().ok();
    for array in lists.filter_map(|entry| number(entry.file_name())) {
        slurm.cancel(array, None);
    }
    let mut caller = Caller { observer: &mut *host.observer, say: &mut *host.say, cancel: host.cancel };
    merger.collect(&mut job.store, frozen, &mut caller)
}

/// The tasks that run at a time, as far as it is known.
pub fn slots(config: &Config) -> u64 {
    if let Some(slots) = config.slurm.slots {
        return slots.into();
    }
    let partition = config.slurm.partition.iter().map(|p| format!("--partition={p}"));
    let args: Vec<String> =
        ["--noheader".into(), "--format=%C".into()].into_iter().chain(partition).collect();
    let text = slurm::call("sinfo", &args).unwrap_or_default();
    let total = |line: &str| line.trim().rsplit('/').next().and_then(|n| n.parse::<u64>().ok());
    let cpus = text.lines().filter_map(total).max().unwrap_or(0);
    (cpus / u64::from(config.slurm.cpus)).max(1)
}

/// Removes the plan. What was refused, or disagrees, is kept with it.
fn finish(store: &Store, frozen: &Frozen, tally: &Tally, host: &mut Host<'_>) {
    let folder = &frozen.plan.folder;
    if tally.refused > 0 || tally.disagree > 0 || folder.join("refused").exists() {
        (host.say)(&format!("kept for inspection: {}", folder.display()));
        return;
    }
    if store.set_cluster_state("{}").is_ok() && std::fs::remove_dir_all(folder).is_ok() {
        files::sync_folder(&frozen.plan.folder);
    }
}
