//! The runs of a campaign, and their order.

use super::base::Base;
use crate::outcome::Status;
use crate::process::Limits;
use crate::profile::{Batch, Input, Solver};
use crate::settings::{Rules, Settings};
use crate::store::{RunKey, SECOND_OPINION, StoreError};
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicUsize};

/// A run to do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    pub(super) instance: i64,
    /// The index of the solver.
    pub(super) solver: usize,
    pub(super) seed: u64,
}

/// A solver, and the settings of all its runs.
pub(super) struct Subject<'a> {
    pub(super) id: i64,
    pub(super) solver: &'a Solver,
    pub(super) limits: Limits,
    /// Whether one process gets many instances.
    pub(super) batch: bool,
    /// The number of sessions in a row that ended without a reply although a fresh process had one.
    pub(super) barren: AtomicU32,
}

impl Subject<'_> {
    /// The seeds with which it is run on an instance. For a second opinion one is enough, and no answer must be known.
    fn seeds<'s>(&self, status: Status, seeds: &'s [u64]) -> &'s [u64] {
        match (self.solver.name == SECOND_OPINION, status) {
            (false, _) => seeds,
            (true, Status::Unknown) => &seeds[..seeds.len().min(1)],
            (true, Status::Sat | Status::Unsat) => &[],
        }
    }
}

/// All runs to do.
pub(super) struct Plan<'a> {
    pub(super) settings: &'a Settings,
    pub(super) rules: Rules,
    pub(super) subjects: Vec<Subject<'a>>,
    pub(super) keys: Vec<Key>,
    /// Parts of `keys`: the units that a worker takes.
    pub(super) units: Vec<Range<usize>>,
    /// The next unit to take.
    pub(super) next: AtomicUsize,
    pub(super) total: u64,
    pub(super) recorded: u64,
}

/// Maximum number of instances in a unit of batch mode.
const MAX_UNIT: usize = 128;

impl<'a> Plan<'a> {
    pub(super) fn new(
        base: &Base<'_>,
        solvers: &'a [(i64, Solver)],
        settings: &'a Settings,
        wanted: &dyn Fn(RunKey) -> bool,
    ) -> Result<Plan<'a>, StoreError> {
        let subjects: Vec<Subject<'a>> = solvers.iter().map(|(id, s)| subject(*id, s, settings)).collect();
        let recorded: FxHashSet<RunKey> = base.recorded()?.into_iter().collect();
        let seeds = settings.sorted_seeds();
        let mut total = 0;
        let mut keys = Vec::new();
        for (instance, status) in base.instances()? {
            for (solver, subject) in subjects.iter().enumerate() {
                let key = |seed| (instance, subject.id, seed);
                let planned = subject.seeds(status, &seeds).iter().filter(|&&seed| wanted(key(seed)));
                total += planned.clone().count();
                let open = planned.filter(|&&seed| !recorded.contains(&key(seed)));
                keys.extend(open.map(|&seed| Key { instance, solver, seed }));
            }
        }
        let recorded = (total - keys.len()) as u64;
        let units = arrange(&mut keys, &subjects, settings.jobs);
        let next = AtomicUsize::new(0);
        Ok(Plan {
            settings,
            rules: settings.rules(),
            subjects,
            keys,
            units,
            next,
            total: total as u64,
            recorded,
        })
    }
}

fn subject<'a>(id: i64, solver: &'a Solver, settings: &Settings) -> Subject<'a> {
    let limits = Limits { memory_how: solver.profile.memory, ..settings.limits.clone() };
    let batch = settings.batch && solver.profile.batch != Batch::None && solver.profile.input == Input::Stdin;
    Subject { id, solver, limits, batch, barren: AtomicU32::new(0) }
}

/// Sorts the runs so that those of one session follow each other, and cuts them into units.
fn arrange(keys: &mut [Key], subjects: &[Subject<'_>], jobs: usize) -> Vec<Range<usize>> {
    let batched = |k: &Key| subjects[k.solver].batch;
    // Stable: within a session and among fresh runs the order stays that of the instances.
    keys.sort_by_key(|k| if batched(k) { (0, k.solver, k.seed) } else { (1, 0, 0) });
    let mut units = Vec::new();
    let mut at = 0;
    for same in keys.chunk_by(|a, b| batched(a) && (a.solver, a.seed) == (b.solver, b.seed)) {
        let end = at + same.len();
        // Small enough that all workers are busy.
        let size = same.len().div_ceil(jobs.max(1) * 4).clamp(1, MAX_UNIT);
        units.extend((at..end).step_by(size).map(|from| from..(from + size).min(end)));
        at = end;
    }
    units
}
