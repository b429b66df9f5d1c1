//! `hunt --on slurm`: its parts, and the store that they are united in.
//!
//! Part I is the hunt that the same command with the seed S + I does on one machine. Its store is a temporary file of its node; the copies are
//! snapshots of it.

use super::screen::Screen;
use super::{Args, first};
use crate::parts::{counts, drive};
use ::cluster::config::Config;
use ::cluster::launch::{State as OnCluster, slots};
use ::cluster::parts::{Counts, Ended, Files, New, Parts, Search, digest};
use ::cluster::plan::{Planned, planned};
use ::cluster::worker::on_this_machine;
use anyhow::{Context as _, bail};
use campaign::job::Job;
use campaign::process::{Cancel, Watchdog};
use campaign::profile::Solver;
use campaign::settings::{Origin, Settings};
use campaign::store::{Campaign, NewSolver, SolverRow, Store};
use hunt::state::State;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a part needs to know, besides the solvers.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Task {
    origin: Origin,
    seed: u64,
    /// The digest of the files of --corpus and --rules.
    files: String,
}

/// How the parts ended.
pub(super) enum End {
    /// The jobs go on.
    Left,
    /// What there is was united; `missing` if parts were given up.
    United { missing: bool },
}

/// The hunt is in parts that are not united yet.
pub(super) fn are_open(store: &Store) -> bool {
    OnCluster::read(store).is_ok_and(|state| state.is_some())
}

/// Has the parts done, and unites them in the store.
pub(super) fn run(args: &Args, job: &mut Job, config: &Config, cancel: &Cancel) -> anyhow::Result<End> {
    job.store.add_cluster_tables()?;
    let mut parts = match OnCluster::read(&job.store)? {
        Some(known) => Parts::open(&known.folder, Some(&known.digest))?,
        None => freeze(args, job, config)?,
    };
    let ended = drive(&mut parts, config, args.quiet, cancel)?;
    if ended == Ended::Left {
        return Ok(End::Left);
    }
    unite(&mut job.store, &parts)?;
    let missing = matches!(ended, Ended::GivenUp(_));
    if !missing {
        job.store.set_cluster_state("{}")?;
        parts.remove();
    }
    Ok(End::United { missing })
}

fn freeze(args: &Args, job: &Job, config: &Config) -> anyhow::Result<Parts> {
    if State::read(&job.store)?.is_some_and(|state| state.instances() > 0) {
        bail!(
            "its parts are united already, or it ran on one machine; start another hunt with another --seed"
        );
    }
    let origin = job.settings.origin.clone();
    let task = Task { origin, seed: args.seed, files: args.digest()? };
    let with_id = |(id, solver): (i64, Solver)| Planned { id, ..planned(&solver) };
    let new = New {
        result: job.store.path(),
        verb: "hunt",
        task: serde_json::to_value(task)?,
        parts: args.parts.map_or_else(|| slots(config), u64::from),
        solvers: job.solvers()?.into_iter().map(with_id).collect(),
        every: config.every(),
    };
    let parts = Parts::freeze(&config.shared, new)?;
    OnCluster { folder: parts.folder.clone(), digest: parts.digest.clone() }.write(&job.store)?;
    Ok(parts)
}

fn unite(store: &mut Store, parts: &Parts) -> anyhow::Result<()> {
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let mut stores = Vec::new();
    for part in 0..parts.header.parts {
        let place = folder.path().join(part.to_string());
        if parts.unpack(part, &place)? {
            stores.push(place.join(STORE));
        }
    }
    hunt::parts::unite(store, &stores)
}

impl Args {
    /// A budget that ends: parts of a cluster do not run until someone stops them.
    pub(super) fn check_budget(&self) -> anyhow::Result<()> {
        if self.time.is_none() && self.cpu.is_none() && self.instances.is_none() {
            bail!("on a cluster, each part needs an end: --time, --cpu or --instances");
        }
        Ok(())
    }

    /// The digest of the files of --corpus and --rules, which nodes read too.
    fn digest(&self) -> anyhow::Result<String> {
        let mut all = Vec::new();
        for instance in hunt::corpus::Corpus::read(&self.corpus)?.instances {
            all.extend(instance.to_text("").into_bytes());
        }
        for path in &self.rules {
            all.extend(fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?);
        }
        Ok(digest(&all))
    }
}

/// The store of a part, in its folder, and its snapshot.
const STORE: &str = "hunt.store";
const SNAPSHOT: &str = "snapshot.store";

/// One part on this machine.
pub(crate) struct Part {
    args: Args,
    settings: Settings,
    solvers: Vec<(Solver, Option<String>)>,
}

impl Part {
    pub(crate) fn new(parts: &Parts, part: u64, jobs: usize) -> anyhow::Result<Part> {
        let task: Task = serde_json::from_value(parts.header.task.clone())?;
        let there =
            |paths: Vec<PathBuf>| paths.iter().map(|p| Path::new(&task.origin.directory).join(p)).collect();
        let args = first(&task.origin.arguments)?;
        let args = Args {
            seed: task.seed.wrapping_add(part),
            jobs: args.jobs.or(Some(u16::try_from(jobs)?)),
            corpus: there(args.corpus),
            rules: there(args.rules),
            ..args
        };
        if args.digest()? != task.files {
            bail!("the files of --corpus or --rules are not those that the hunt was started with");
        }
        let nodes = parts.nodes()?;
        let here = |planned: &Planned| {
            let solver = on_this_machine(planned, &nodes)?;
            anyhow::Ok((solver, planned.fingerprint.clone()))
        };
        let solvers = parts.header.solvers.iter().map(here).collect::<anyhow::Result<_>>()?;
        Ok(Part { settings: args.settings(task.origin), args, solvers })
    }

    /// The store of the part: a new one, or that of a copy, with the programs of this machine.
    fn store(&self, path: &Path) -> anyhow::Result<Store> {
        if !path.exists() {
            let campaign =
                Campaign { seed: self.args.seed, settings: self.settings.clone(), ..Campaign::default() };
            let row = |(solver, fingerprint): &(Solver, Option<String>)| NewSolver {
                row: SolverRow::new(solver),
                fingerprint: fingerprint.clone(),
            };
            let store = Store::create(path, &campaign)?;
            store.add_solvers(&self.solvers.iter().map(row).collect::<Vec<_>>())?;
            State::default().write(&store)?;
            store.set_planned()?;
            return Ok(store);
        }
        let store = Store::open(path)?;
        for row in store.solvers()? {
            if let Some((solver, _)) = self.solvers.iter().find(|(solver, _)| solver.name == row.name) {
                store.set_program(row.id, &solver.program.display().to_string())?;
            }
        }
        Ok(store)
    }

    /// How to hunt: the budget is what is left of it.
    fn options(&self, done: &State) -> anyhow::Result<hunt::Options> {
        let options = self.args.options()?;
        let left = |all: Option<Duration>, used: f64| {
            all.map(|all| all.saturating_sub(Duration::from_secs_f64(used.max(0.0))))
        };
        Ok(hunt::Options {
            time: left(options.time, done.seconds),
            cpu: left(options.cpu, done.cpu_own + done.cpu_solvers),
            instances: options.instances.map(|n| n.saturating_sub(done.instances())),
            part: true,
            ..options
        })
    }
}

impl Search<anyhow::Error> for Part {
    fn run(&self, folder: &Path, cancel: &Cancel) -> anyhow::Result<bool> {
        let mut store = self.store(&folder.join(STORE))?;
        let options = self.options(&State::read(&store)?.unwrap_or_default())?;
        let watchdog = Watchdog::own_command();
        let _watchdog =
            watchdog.as_deref().map(Watchdog::start).transpose().context("cannot start the watchdog")?;
        hunt::run(&mut store, &self.settings, &options, &Screen::new(true), cancel)?;
        Ok(!cancel.is_cancelled())
    }

    fn copy(&self, folder: &Path) -> anyhow::Result<Option<(Files, Counts)>> {
        let (from, to) = (folder.join(STORE), folder.join(SNAPSHOT));
        if !from.exists() {
            return Ok(None);
        }
        Store::remove(&to);
        Store::open_read_only(&from)?.snapshot(&to)?;
        let copy = Store::open_read_only(&to)?;
        let Some(state) = State::read(&copy)? else { return Ok(None) };
        let counts = counts([("findings", copy.findings()?.len() as u64), ("instances", state.instances())]);
        drop(copy);
        let bytes = fs::read(&to).with_context(|| to.display().to_string())?;
        Store::remove(&to);
        Ok(Some((vec![(STORE.to_owned(), bytes)], counts)))
    }
}
