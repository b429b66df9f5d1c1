//! The worker pool of a campaign.
//!
//! Workers take units of work in a fixed order, run the solver, judge its output and hand the run to one writer, which records
//! runs in short transactions. The record of a run does not depend on the worker or the time. To resume a campaign that was stopped
//! or killed, call [`drive`] again.
//!
//! In batch mode one process gets many instances, and only answers that are exactly as expected are taken from it: otherwise
//! a fresh process is run, and only its answer counts.

mod base;
mod batch;
mod flaky;
mod plan;
mod worker;

use crate::outcome::Verdict;
use crate::process::{self, Cancel, Watchdog};
use crate::profile::Solver;
use crate::settings::Settings;
use crate::store::{RunKey, RunRow, Store, StoreError};
use base::Reader;
use plan::Plan;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use worker::Worker;

pub use base::Base;
pub use worker::invocation;

/// Errors that stop a campaign.
#[derive(Debug, thiserror::Error)]
pub enum DriveError {
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A folder for the files that solvers read.
    #[error("cannot create a temporary folder: {0}")]
    Folder(std::io::Error),
    /// The helper that ends solvers if this process is killed.
    #[error("cannot start the watchdog: {0}")]
    Watchdog(std::io::Error),
}

/// Receives the progress of a campaign.
pub trait Observer {
    /// There are `total` runs in all, of which `recorded` are recorded already.
    fn planned(&mut self, total: u64, recorded: u64) {
        let _ = (total, recorded);
    }

    /// A run is finished.
    fn finished(&mut self, run: &RunRow) {
        let _ = run;
    }

    /// Nothing happened for a while.
    fn tick(&mut self) {}
}

/// Ignores the progress.
impl Observer for () {}

/// The result of [`drive`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// All runs of the campaign.
    pub total: u64,
    /// Those that were recorded before.
    pub recorded: u64,
    /// Those that were run now.
    pub done: u64,
    /// Those that were run now, by solver and verdict.
    pub tallies: BTreeMap<(i64, Verdict), u64>,
    /// Runs in the store that are marked as flaky.
    pub flaky: u64,
    /// It was stopped before the end.
    pub cancelled: bool,
    /// How long it took.
    pub wall: Duration,
}

/// The time between transactions. Meanwhile the writer sleeps, so that handing over a run wakes no thread.
const COMMIT_EVERY: Duration = Duration::from_millis(25);
/// Maximum number of runs that wait for the writer.
const MAX_WAITING: usize = 1 << 13;
/// The longest time without a call of the observer.
const TICK: Duration = Duration::from_millis(100);

/// Executes the runs that are not recorded yet. The solvers have their keys in the store.
pub fn drive(
    store: &mut Store,
    solvers: &[(i64, Solver)],
    settings: &Settings,
    observer: &mut dyn Observer,
    cancel: &Cancel,
) -> Result<Summary, DriveError> {
    let mut summary = drive_part(Base::Store(store), (solvers, settings), &|_| true, observer, cancel)?;
    summary.flaky = flaky::mark(store, settings)?;
    Ok(summary)
}

/// Executes those of the runs that `wanted` selects and that are not recorded yet. Answers that differ by seed are not marked.
pub fn drive_part(
    mut base: Base<'_>,
    (solvers, settings): (&[(i64, Solver)], &Settings),
    wanted: &dyn Fn(RunKey) -> bool,
    observer: &mut dyn Observer,
    cancel: &Cancel,
) -> Result<Summary, DriveError> {
    let started = Instant::now();
    let plan = Plan::new(&base, solvers, settings, wanted)?;
    let mut summary = Summary { total: plan.total, recorded: plan.recorded, ..Summary::default() };
    observer.planned(plan.total, plan.recorded);
    if !plan.units.is_empty() {
        work_off(&mut base, &plan, &mut summary, observer, cancel)?;
    }
    summary.cancelled = cancel.is_cancelled() && summary.recorded + summary.done < summary.total;
    summary.wall = started.elapsed();
    Ok(summary)
}

fn work_off(
    base: &mut Base<'_>,
    plan: &Plan<'_>,
    summary: &mut Summary,
    observer: &mut dyn Observer,
    cancel: &Cancel,
) -> Result<(), DriveError> {
    let command = plan.settings.watchdog.as_deref();
    let _watchdog = command.map(Watchdog::start).transpose().map_err(DriveError::Watchdog)?;
    let folder = tempfile::tempdir().map_err(DriveError::Folder)?;
    let jobs = plan.settings.jobs.clamp(1, plan.units.len());
    let workers = (0..jobs).map(|n| {
        let file = folder.path().join(format!("{n}.smt2"));
        Ok((base.reader()?, file))
    });
    let workers = workers.collect::<Result<Vec<(Reader<'_>, PathBuf)>, StoreError>>()?;
    let written = std::thread::scope(|scope| {
        let (send, receive) = mpsc::sync_channel(MAX_WAITING);
        for (reader, file) in workers {
            let send = send.clone();
            scope.spawn(move || Worker::new(plan, reader, file, send, cancel).work());
        }
        drop(send);
        // If this fails, the receiver has ended and the workers stop at their next run.
        write(base, receive, summary, observer)
    });
    process::sweep();
    Ok(written?)
}

/// Records runs as they arrive: immediately under low load, otherwise in batches.
fn write(
    base: &mut Base<'_>,
    runs: Receiver<Result<RunRow, StoreError>>,
    summary: &mut Summary,
    observer: &mut dyn Observer,
) -> Result<(), StoreError> {
    loop {
        let first = match runs.recv_timeout(TICK) {
            Ok(first) => first,
            Err(RecvTimeoutError::Timeout) => {
                observer.tick();
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        };
        let batch: Vec<RunRow> = std::iter::once(first).chain(runs.try_iter()).collect::<Result<_, _>>()?;
        base.record(&batch)?;
        for run in &batch {
            summary.done += 1;
            *summary.tallies.entry((run.solver, run.verdict())).or_default() += 1;
            observer.finished(run);
        }
        if summary.recorded + summary.done < summary.total {
            std::thread::sleep(COMMIT_EVERY);
        }
    }
}
