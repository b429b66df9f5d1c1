//! The worker pool of a campaign on some of its jobs, in memory: the observer gets the runs.

use crate::error::Error;
use campaign::drive::{self, Base, Observer, Summary};
use campaign::process::Cancel;
use campaign::profile::Solver;
use campaign::settings::Settings;
use campaign::store::{InstanceRow, RunKey};

/// Some jobs of a campaign.
pub struct Part<'a> {
    /// The solvers, with their keys.
    pub solvers: &'a [(i64, Solver)],
    /// The settings.
    pub settings: &'a Settings,
    /// The instances, by ascending keys.
    pub instances: &'a [InstanceRow],
    /// Which of their runs to do.
    pub wanted: &'a dyn Fn(RunKey) -> bool,
}

/// Does the runs of a part.
pub fn run(part: &Part<'_>, observer: &mut dyn Observer, cancel: &Cancel) -> Result<Summary, Error> {
    let base = Base::Memory(part.instances);
    Ok(drive::drive_part(base, (part.solvers, part.settings), part.wanted, observer, cancel)?)
}
