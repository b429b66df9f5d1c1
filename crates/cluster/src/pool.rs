//! The worker pool of a campaign on some of its jobs, without the store of the campaign.
//!
//! The pool works on a store; here that is a temporary one on this machine with the instances and solvers of the jobs. The observer
//! gets the runs with the keys of the campaign.

use crate::error::{Error, io_error};
use campaign::drive::{self, Observer, Summary};
use campaign::process::Cancel;
use campaign::profile::Solver;
use campaign::settings::Settings;
use campaign::store::{Campaign, InstanceRow, RunKey, RunRow, SolverRow, Store};
use std::collections::BTreeMap;
use std::path::Path;

/// Some jobs of a campaign.
pub struct Part<'a> {
    /// The solvers, with their keys.
    pub solvers: &'a [(i64, Solver)],
    /// The settings.
    pub settings: &'a Settings,
    /// The instances.
    pub instances: &'a [InstanceRow],
    /// Which of their runs to do.
    pub wanted: &'a dyn Fn(RunKey) -> bool,
}

/// Does the runs of a part.
pub fn run(part: &Part<'_>, observer: &mut dyn Observer, cancel: &Cancel) -> Result<Summary, Error> {
    let folder = tempfile::tempdir().map_err(io_error(Path::new("a temporary folder")))?;
    let campaign = Campaign { settings: part.settings.clone(), ..Campaign::default() };
    let mut store = Store::create(&folder.path().join("part.store"), &campaign)?;
    store.add_instances(part.instances)?;
    let mut keys = BTreeMap::new();
    let mut solvers = Vec::new();
    for (id, solver) in part.solvers {
        let own = store.add_solver(&SolverRow::new(solver))?;
        keys.insert(own, *id);
        solvers.push((own, solver.clone()));
    }
    let wanted = |(instance, own, seed): RunKey| {
        keys.get(&own).is_some_and(|&solver| (part.wanted)((instance, solver, seed)))
    };
    let observer = &mut Renamed { keys: &keys, observer };
    Ok(drive::drive_part(&mut store, (&solvers, part.settings), &wanted, observer, cancel)?)
}

/// Gives the runs the keys of the campaign.
struct Renamed<'a> {
    keys: &'a BTreeMap<i64, i64>,
    observer: &'a mut dyn Observer,
}

impl Observer for Renamed<'_> {
    fn planned(&mut self, total: u64, recorded: u64) {
        self.observer.planned(total, recorded);
    }

    fn finished(&mut self, run: &RunRow) {
        let solver = self.keys.get(&run.solver).copied().unwrap_or(run.solver);
        self.observer.finished(&RunRow { solver, ..run.clone() });
    }

    fn tick(&mut self) {
        self.observer.tick();
    }
}
