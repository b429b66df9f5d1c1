//! `break --on slurm`: each run is a part. The folder of the search gets the logs of all runs; then it is one that was resumed after its last run.

use super::Args;
use crate::parts::{counts, drive};
use ::cluster::config::Config;
use ::cluster::launch::State;
use ::cluster::parts::{Counts, Ended, Files, New, Parts, Search};
use ::cluster::plan::planned;
use ::cluster::worker::on_this_machine;
use anyhow::{Context as _, bail};
use campaign::clean::shell;
use campaign::process::Cancel;
use lab::Host;
use lab::r#break::part::{Task, adopt, files};
use lab::r#break::{Folder, Solvers, run_with};
use std::fs;
use std::path::{Path, PathBuf};

/// The file in the folder of a search that names the parts.
fn state_path(folder: &Folder) -> PathBuf {
    folder.dir().join("cluster.json")
}

/// The runs are on a cluster: they are not to be done here as well.
pub(super) fn check_none(folder: &Folder) -> anyhow::Result<()> {
    let path = state_path(folder);
    if path.exists() {
        bail!("its runs are on a cluster: add --on slurm, or remove {} to do them here", path.display());
    }
    Ok(())
}

/// Has the runs done, and collects their logs; false if some are missing.
pub(super) fn run(args: &Args, folder: &Folder, config: &Config, cancel: &Cancel) -> anyhow::Result<bool> {
    let mut parts = open(args, folder, config)?;
    let ended = drive(&mut parts, config, args.quiet, cancel)?;
    if ended != Ended::Left {
        collect(folder, &parts)?;
    }
    let dir = shell(&folder.dir().display().to_string());
    match ended {
        Ended::Complete | Ended::Stopped => {
            let path = state_path(folder);
            fs::remove_file(&path).with_context(|| path.display().to_string())?;
            parts.remove();
        }
        Ended::Left | Ended::GivenUp(_) => {
            crate::render::notice(&format!("to resume: stringent break --resume --on slurm --out {dir}"));
        }
    }
    Ok(matches!(ended, Ended::Complete | Ended::Stopped))
}

fn open(args: &Args, folder: &Folder, config: &Config) -> anyhow::Result<Parts> {
    let path = state_path(folder);
    if let Ok(text) = fs::read(&path) {
        let state: State = serde_json::from_slice(&text).with_context(|| path.display().to_string())?;
        return Ok(Parts::open(&state.folder, Some(&state.digest))?);
    }
    if args.resume {
        bail!("{}: its runs are not on a cluster; leave out --on", folder.dir().display());
    }
    let Solvers { target, against, .. } = folder.options.solvers()?;
    let new = New {
        result: folder.dir(),
        verb: "break",
        task: serde_json::to_value(Task::of(folder))?,
        parts: folder.options.runs as u64,
        solvers: [Some(target), against].iter().flatten().map(planned).collect(),
        every: config.every(),
    };
    let parts = Parts::freeze(&config.shared, new)?;
    let state = State { folder: parts.folder.clone(), digest: parts.digest.clone() };
    fs::write(&path, serde_json::to_vec(&state)?).with_context(|| path.display().to_string())?;
    Ok(parts)
}

/// Takes what the parts have done into the folder.
fn collect(folder: &Folder, parts: &Parts) -> anyhow::Result<()> {
    for run in 0..parts.header.parts {
        let place = tempfile::tempdir().context("cannot create a temporary folder")?;
        if parts.unpack(run, place.path())? {
            adopt(folder, run, place.path())?;
        }
    }
    Ok(())
}

/// One run on this machine.
pub(crate) struct Part {
    task: Task,
    run: u64,
    jobs: usize,
    solvers: Vec<campaign::profile::Solver>,
}

impl Part {
    pub(crate) fn new(parts: &Parts, run: u64, jobs: usize) -> anyhow::Result<Part> {
        let nodes = parts.nodes()?;
        let here = |planned| Ok(on_this_machine(planned, &nodes)?);
        let solvers = parts.header.solvers.iter().map(here).collect::<anyhow::Result<_>>()?;
        Ok(Part { task: serde_json::from_value(parts.header.task.clone())?, run, jobs, solvers })
    }
}

impl Search<anyhow::Error> for Part {
    fn run(&self, folder: &Path, cancel: &Cancel) -> anyhow::Result<bool> {
        let search = self.task.open(self.run, self.jobs, folder)?;
        let mut solvers = self.solvers.iter().cloned();
        let target = solvers.next().context("the description has no solver")?;
        let solvers = Solvers { target, against: solvers.next(), compare: Vec::new() };
        run_with(&search, solvers, &Host { progress: &(), cancel })?;
        Ok(!cancel.is_cancelled())
    }

    fn copy(&self, folder: &Path) -> anyhow::Result<Option<(Files, Counts)>> {
        Ok(files(folder)?.map(|(files, n)| (files, counts([("scripts", n)]))))
    }
}
