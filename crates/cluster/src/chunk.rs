//! How many jobs a task gets.
//!
//! About ten minutes of estimated work: long beside the second that a scheduler takes to start a task, short beside the limits of
//! partitions and the time that a lost node costs. A small campaign is cut finer, so that all slots have work.

use std::time::Duration;

/// The time that a task should take.
pub const TARGET: Duration = Duration::from_secs(600);
/// The shortest task, for small campaigns.
pub const SHORTEST: Duration = Duration::from_secs(20);
/// Tasks for each slot in a small campaign, so that a slow one does not hold up the rest.
const PER_SLOT: f64 = 2.0;
/// The largest chunk, so that a task fits into memory.
const MAX_JOBS: f64 = 100_000.0;
/// The share of its time limit that a run takes, as long as nothing is measured.
const UNMEASURED: f64 = 0.1;
/// Runs that make a mean.
pub const ENOUGH: u64 = 20;

/// The machine that tasks run on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// CPUs of a task.
    pub cpus: u32,
    /// Tasks at a time.
    pub slots: u64,
    /// The time that a task should take.
    pub target: Duration,
}

/// The number of jobs in a chunk, of `jobs` that take `mean` seconds each.
pub fn size(jobs: u64, mean: f64, shape: &Shape) -> u64 {
    let cpus = f64::from(shape.cpus.max(1));
    let mean = mean.max(1e-4);
    let slots = shape.slots.max(1) as f64;
    let fair = jobs as f64 * mean / (slots * PER_SLOT * cpus);
    let (low, high) = (SHORTEST.min(shape.target).as_secs_f64(), shape.target.as_secs_f64());
    let seconds = fair.clamp(low, high);
    (seconds * cpus / mean).clamp(1.0, MAX_JOBS) as u64
}

/// The estimated seconds of a run of a solver: measured, or a share of its time limit.
pub fn estimate(measured: Option<(u64, Duration)>, limit: Duration) -> f64 {
    match measured {
        Some((runs, mean)) if runs >= ENOUGH => mean.as_secs_f64(),
        _ => limit.as_secs_f64() * UNMEASURED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape { cpus: 4, slots: 500, target: TARGET };

    #[test]
    fn chunks_of_large_campaigns_take_ten_minutes() {
        for mean in [0.01, 0.1, 1.0, 15.0] {
            let jobs = size(1_000_000_000, mean, &SHAPE);
            let minutes = jobs as f64 * mean / 4.0 / 60.0;
            assert!(jobs == 100_000 || (5.0..=15.0).contains(&minutes), "{mean}: {minutes} min");
        }
        assert_eq!(size(1_000_000_000, 3600.0, &SHAPE), 1, "a run is not divided");
    }

    #[test]
    fn chunks_of_small_campaigns_give_all_slots_work() {
        let jobs = size(100_000, 1.0, &SHAPE);
        assert!((900..1300).contains(&(100_000 / jobs)), "{jobs}");
        assert_eq!(size(1000, 0.01, &SHAPE), 8000, "but not less than the shortest task");
        assert!(size(0, 0.0, &SHAPE) >= 1);
    }

    #[test]
    fn estimates() {
        let limit = Duration::from_secs(15);
        assert_eq!(estimate(None, limit), 1.5);
        assert_eq!(estimate(Some((19, Duration::from_secs(1))), limit), 1.5);
        assert_eq!(estimate(Some((20, Duration::from_millis(250))), limit), 0.25);
    }
}
