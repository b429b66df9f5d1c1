//! The failure that a reduction keeps.
//!
//! [`detect()`] finds it; a [`Property`] tests for it. One file per kind; those of a solver are recognised in a judged run (`fails.rs`).

mod command;
pub(crate) mod core;
mod crash;
mod detect;
mod error;
mod fails;
mod found;
mod majority;
mod model;
mod run;
pub(crate) mod signature;
mod slow;
mod slower;
#[cfg(test)]
mod tests;
mod unknown;
mod wrong;

pub use command::{CommandSetup, Output, detect_command};
pub use detect::detect;
pub use found::{Detected, Failing, Passing, Setup};

use crate::doc::Doc;
use crate::truth::Label;
use campaign::finding::Observed;
use campaign::process::Cancel;
use std::time::Duration;

/// A script that has the property.
#[derive(Clone, Debug)]
pub struct Start {
    /// The name of the instance or file.
    pub name: String,
    /// The script.
    pub doc: Doc,
    /// Its truth; of its last check, if there are several.
    pub label: Label,
    /// The failure.
    pub observed: Observed,
}

/// The failures that can be kept.
#[derive(Clone, Debug, PartialEq)]
pub enum Keep {
    /// A wrong answer.
    Wrong,
    /// A model that the referee rejects.
    Model,
    /// A core that has a model.
    Core,
    /// A crash with the same signal or message.
    Crash,
    /// An error message.
    Error,
    /// `unknown`.
    Unknown,
    /// A run longer than this; by default, longer than the time limit.
    Slow(Option<Duration>),
    /// Slower than another solver by a factor.
    Slower {
        /// The specification of the other solver.
        solver: String,
        /// The factor.
        factor: f64,
    },
}

/// The result of a test.
#[derive(Clone, Debug)]
pub enum Test {
    /// The failure is there.
    Holds(Box<Observed>),
    /// It is not; the reaction instead.
    Fails(Box<Observed>),
    /// There is no result.
    Stopped(Stop),
}

/// Why a test has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The user stopped it.
    Cancelled,
    /// The solver or command cannot be run any more, and why.
    Gone(String),
}

/// How a script is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The seed of the solver.
    pub seed: u64,
    /// The time of the run, if it is to have less than usual. Failures that are about time ignore it.
    pub time: Option<Duration>,
}

impl From<u64> for Attempt {
    fn from(seed: u64) -> Attempt {
        Attempt { seed, time: None }
    }
}

/// A failure of a solver, or any other property of a script.
pub trait Property: Sync {
    /// In one line, for people: `z3-4.8.6 answers unsat to a satisfiable formula`.
    fn describe(&self) -> String;

    /// It depends on the truth of the script. Otherwise the truth is not kept, and the label of a test may say nothing.
    fn needs_truth(&self) -> bool;

    /// Tests a script with the known answers of its checks.
    fn test(&self, doc: &Doc, label: &Label, attempt: Attempt, cancel: &Cancel) -> Test;

    /// The text that the solver reads in a test; none if the property is not about a solver.
    fn sent(&self, doc: &Doc, label: &Label, seed: u64) -> Option<String> {
        let _ = (doc, label, seed);
        None
    }

    /// The seed of the solver with which the original fails.
    fn seed(&self) -> u64 {
        0
    }

    /// The solver takes a seed.
    fn is_seeded(&self) -> bool {
        false
    }
}
