//! A sample of the jobs, run here for some seconds, so that chunks have the right size.
//!
//! The results are thrown away: times of this machine do not belong among those of the nodes. If a solver cannot be run here, or
//! little is measured, a share of the time limit counts.

use crate::chunk;
use crate::error::Error;
use crate::pool::{self, Part};
use campaign::process::{Cancel, Watchdog};
use campaign::profile::Solver;
use campaign::settings::Settings;
use campaign::store::Store;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Instances of the sample.
const SAMPLE: usize = 64;
/// The time for it.
const TIME: Duration = Duration::from_secs(10);
/// The time between looks whether to stop.
const NAP: Duration = Duration::from_millis(100);

/// The estimated seconds of a job, on average over all solvers.
pub fn mean(
    store: &Store,
    (solvers, settings): (&[(i64, Solver)], &Settings),
    cancel: &Cancel,
) -> Result<f64, Error> {
    let limit = settings.limits.wall.min(settings.limits.cpu.unwrap_or(settings.limits.wall));
    let mut known = Vec::new();
    for (id, _) in solvers {
        known.push(store.mean_time(*id)?);
    }
    if known.iter().all(|(runs, _)| *runs >= chunk::ENOUGH) {
        let all: f64 = known.iter().map(|k| chunk::estimate(Some(*k), limit)).sum();
        return Ok(all / known.len().max(1) as f64);
    }
    let measured = sample(store, (solvers, settings), cancel)?;
    Ok(measured.unwrap_or_else(|| chunk::estimate(None, limit)))
}

/// The time of a job on one core, measured; none if too few were run.
fn sample(
    store: &Store,
    (solvers, settings): (&[(i64, Solver)], &Settings),
    cancel: &Cancel,
) -> Result<Option<f64>, Error> {
    let ids: Vec<i64> = store.instance_statuses()?.into_iter().map(|(id, _)| id).collect();
    let step = ids.len().div_ceil(SAMPLE).max(1);
    let mut rows = Vec::new();
    for id in ids.iter().step_by(step) {
        rows.extend(store.instance(*id)?);
    }
    let settings = Settings { watchdog: Watchdog::own_command(), ..settings.clone() };
    let first = settings.sorted_seeds().first().copied();
    let wanted = |(_, _, seed): (i64, i64, u64)| Some(seed) == first;
    let part = Part { solvers, settings: &settings, instances: &rows, wanted: &wanted };
    let Ok(own) = Cancel::new() else { return Ok(None) };
    let started = Instant::now();
    let done = within(TIME, cancel, &own, || pool::run(&part, &mut (), &own).map(|s| s.done)).unwrap_or(0);
    let jobs = settings.jobs.min(campaign::provenance::cores());
    let each = started.elapsed().as_secs_f64() * jobs as f64 / done.max(1) as f64;
    Ok((done >= chunk::ENOUGH.min(rows.len() as u64)).then_some(each).filter(|_| done > 0))
}

/// Does `work`, which is stopped by `own` when the time is over or the caller stops.
fn within<T>(time: Duration, cancel: &Cancel, own: &Cancel, work: impl FnOnce() -> T) -> T {
    let (end, ended) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let from = Instant::now();
            while ended.recv_timeout(NAP) == Err(RecvTimeoutError::Timeout) {
                if from.elapsed() >= time || cancel.is_cancelled() {
                    return own.cancel();
                }
            }
        });
        let result = work();
        drop(end);
        result
    })
}
