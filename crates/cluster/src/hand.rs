//! Plan and merge by hand, for schedulers that are not driven from here.

use crate::error::Error;
use crate::launch::State;
use crate::merge::{Caller, Merger, Tally};
use crate::plan::{self, Frozen, Nodes};
use campaign::drive::Observer;
use campaign::job::Job;
use campaign::process::Cancel;
use std::path::Path;

/// Freezes the open runs of a campaign in the shared folder.
pub fn plan(job: &Job, chunk: u64, shared: &Path) -> Result<Frozen, Error> {
    job.store.add_cluster_tables()?;
    let solvers = job.solvers()?;
    let about = (chunk, 0.0);
    let plans = shared.join("plans");
    let frozen = plan::freeze(&job.store, (&solvers, &job.settings), about, &Nodes::default(), &plans)?;
    State::of(&frozen).write(&job.store)?;
    Merger::new(&frozen.plan.folder)?;
    Ok(frozen)
}

/// Merges the shards of a campaign that are there: what was merged, and the chunks that are not complete.
pub fn merge(
    job: &mut Job,
    observer: &mut dyn Observer,
    say: &mut dyn FnMut(&str),
    cancel: &Cancel,
) -> Result<(Tally, Vec<u64>), Error> {
    job.store.add_cluster_tables()?;
    let state = State::read(&job.store)?.ok_or_else(|| Error::plan(job.store.path(), "it has no plan"))?;
    let mut frozen = Frozen::resume(&state.folder, &state.digest, &job.store)?;
    observer.planned(frozen.plan.header.runs, frozen.plan.header.runs - frozen.left());
    let mut merger = Merger::new(&frozen.plan.folder)?;
    // Twice: one that cannot be read is refused at the second look.
    for _ in 0..2 {
        merger.collect(
            &mut job.store,
            &mut frozen,
            &mut Caller { observer: &mut *observer, say: &mut *say, cancel },
        )?;
    }
    let open = |chunk: &u64| frozen.plan.range(*chunk).is_ok_and(|range| frozen.done.open_in(range) > 0);
    let missing = (0..frozen.plan.chunks()).filter(open).collect();
    Ok((merger.tally, missing))
}
