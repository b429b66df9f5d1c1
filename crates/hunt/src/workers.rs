//! The threads of a hunt, which do the units of a round, until its time is over.

use crate::ask::Asker;
use crate::unit::{self, Done, Purpose, Unit};
use crate::variant::Variant;
use anyhow::Context as _;
use campaign::process::{Cancel, CpuTime};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// One in so many units has each instance after a `(reset)`, the others have several in levels of their own.
const ALONE: u64 = 3;
/// One in so many units has the whole time limit, the others a part of it.
const PATIENT: u64 = 4;
/// The stack of a worker: the built-in solver adds up frames of a search.
const STACK: usize = 128 << 20;

/// Gets a unit that is done; false if no other is to be begun.
pub(crate) type Each<'a> = &'a (dyn Fn(&Unit, &Done) -> bool + Sync);

/// Threads that do the units of a round.
pub(crate) struct Workers<'a> {
    pub(crate) variants: &'a [Variant],
    pub(crate) context: &'a unit::Context<'a>,
    pub(crate) cancel: &'a Cancel,
    pub(crate) folder: &'a Path,
    pub(crate) until: Until,
}

/// When no other unit is begun.
#[derive(Clone, Copy)]
pub(crate) struct Until {
    pub(crate) wall: Option<Instant>,
    /// CPU time of this process and of its children.
    pub(crate) cpu: Option<Duration>,
    /// That at the start.
    pub(crate) before: Duration,
}

impl Until {
    pub(crate) fn is_over(self) -> bool {
        let used = |cpu: CpuTime| cpu.own + cpu.children;
        self.wall.is_some_and(|end| Instant::now() >= end)
            || self.cpu.is_some_and(|most| used(CpuTime::now()) >= most)
    }

    /// The share of the time, or of the CPU time, that is used since `start`; none without a limit.
    pub(crate) fn used(self, start: Instant) -> Option<f64> {
        let share = |used: Duration, all: Duration| used.as_secs_f64() / all.as_secs_f64().max(1e-3);
        let wall = self.wall.map(|end| share(start.elapsed(), end.saturating_duration_since(start)));
        let cpu = self.cpu.map(|most| {
            let now = CpuTime::now();
            share((now.own + now.children).saturating_sub(self.before), most.saturating_sub(self.before))
        });
        [wall, cpu].into_iter().flatten().reduce(f64::max)
    }
}

impl Workers<'_> {
    /// The results by the number of the unit. Units that were cancelled, or not begun before the deadline, have none. `each` gets every unit that is
    /// done; no other is begun when it returns false.
    pub(crate) fn round(
        &self,
        units: &[Unit],
        jobs: usize,
        each: Each<'_>,
    ) -> anyhow::Result<BTreeMap<u64, Done>> {
        let next = AtomicUsize::new(0);
        let results = Mutex::new(BTreeMap::new());
        std::thread::scope(|scope| {
            for worker in 0..jobs.clamp(1, units.len().max(1)) {
                let (next, results) = (&next, &results);
                let thread = std::thread::Builder::new().stack_size(STACK);
                let work = move || self.work(worker, units, next, results, each);
                thread.spawn_scoped(scope, work).context("cannot start a thread")?;
            }
            anyhow::Ok(())
        })?;
        Ok(results.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn work(
        &self,
        worker: usize,
        units: &[Unit],
        next: &AtomicUsize,
        results: &Mutex<BTreeMap<u64, Done>>,
        each: Each<'_>,
    ) {
        while let Some(unit) = units.get(next.fetch_add(1, Ordering::Relaxed)) {
            if self.until.is_over() {
                return;
            }
            let variant = &self.variants[unit.variant];
            let asker = Asker::new(variant, self.context.settings, self.folder, worker);
            let asker = if unit.is_one_in(ALONE, Purpose::Alone) { asker } else { asker.in_levels() };
            let mut asker = if unit.is_one_in(PATIENT, Purpose::Patient) { asker } else { asker.in_haste() };
            let Some(done) = unit::work(unit, variant, self.context, &mut asker, self.cancel) else {
                return;
            };
            let more = each(unit, &done);
            results.lock().unwrap_or_else(PoisonError::into_inner).insert(unit.number, done);
            if !more {
                next.store(units.len(), Ordering::Relaxed);
            }
        }
    }
}
