//! Parts on Slurm, until all are done.

use super::Parts;
use super::copy::Counts;
use crate::config::Config;
use crate::drive::{self, Driver};
use crate::error::Error;
use crate::slurm::Slurm;
use campaign::process::Cancel;

/// The caller of a search in parts.
pub struct Host<'a> {
    /// Sees the progress.
    pub show: &'a mut dyn FnMut(&Progress),
    /// Gets messages.
    pub say: &'a mut dyn FnMut(&str),
    /// Stops the work.
    pub cancel: &'a Cancel,
    /// When it is stopped: whether the tasks are to go on.
    pub leave: &'a mut dyn FnMut() -> bool,
}

/// How far the parts are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Parts.
    pub parts: u64,
    /// Those that are done.
    pub done: u64,
    /// What all of them have counted.
    pub counts: Counts,
}

/// How it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All parts are done.
    Complete,
    /// It was stopped, and the tasks go on.
    Left,
    /// It was stopped with its tasks.
    Stopped,
    /// Parts were given up.
    GivenUp(Vec<u64>),
}

/// Has all parts done on Slurm.
pub fn drive(parts: &mut Parts, config: &Config, host: &mut Host<'_>) -> Result<Ended, Error> {
    parts.set_nodes(&config.nodes())?;
    let (folder, digest, out) = (parts.folder.clone(), parts.digest.clone(), parts.copies());
    let mut slurm = Slurm::new(config, &folder, &digest, &out)?;
    let Host { show, say, cancel, leave } = host;
    parts.look(*say)?;
    let mut driver = Driver::new(parts, &mut slurm, *say, config.tuning(), cancel)?;
    let ended = driver.run(
        parts,
        &mut |parts, say| {
            parts.look(say)?;
            show(&Progress { parts: parts.header.parts, done: parts.done(), counts: parts.counts() });
            Ok(())
        },
        cancel,
    )?;
    Ok(match ended {
        drive::Ended::Complete => Ended::Complete,
        drive::Ended::GivenUp(list) => Ended::GivenUp(list),
        drive::Ended::Stopped if !driver.arrays().is_empty() && leave() => Ended::Left,
        drive::Ended::Stopped => {
            driver.cancel_all();
            Ended::Stopped
        }
    })
}
