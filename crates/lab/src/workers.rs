//! Threads that share one piece of work, and the progress of all of them.

use crate::Progress;
use anyhow::Context as _;
use campaign::provenance::cores;
use std::sync::atomic::{AtomicU64, Ordering};

/// The stack of a worker: the built-in solver adds up frames of a search.
const STACK: usize = 128 << 20;

/// Runs `work` on `jobs` threads, one per core if there is none, until all return.
pub(crate) fn run(jobs: Option<usize>, work: impl Fn() -> anyhow::Result<()> + Sync) -> anyhow::Result<()> {
    std::thread::scope(|scope| {
        let mut workers = Vec::new();
        for _ in 0..jobs.unwrap_or_else(cores).max(1) {
            let thread = std::thread::Builder::new().stack_size(STACK);
            workers.push(thread.spawn_scoped(scope, &work).context("cannot start a thread")?);
        }
        workers.into_iter().try_for_each(|w| w.join().unwrap_or_else(|e| std::panic::resume_unwind(e)))
    })
}

/// The number of units that all workers have done.
pub(crate) struct Done<'a> {
    done: AtomicU64,
    progress: &'a dyn Progress,
}

impl<'a> Done<'a> {
    /// None are done.
    pub(crate) fn new(progress: &'a dyn Progress) -> Done<'a> {
        Done { done: AtomicU64::new(0), progress }
    }

    /// Adds `units`.
    pub(crate) fn add(&self, units: u64) {
        let done = self.done.fetch_add(units, Ordering::Relaxed) + units;
        self.progress.update(done, &String::new);
    }
}
