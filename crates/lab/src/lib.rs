//! Experiments that run solvers. Each takes plain options and a [`Host`], and returns a [`Report`].
//!
//! | module | experiment |
//! |---|---|
//! | [`attack`] | models of formulas that must have none |
//! | [`mod@bench`] | speed relative to other programs |
//! | `break` | a search for scripts that are hard for a solver |
//! | [`demo`] | the first minute: one wrong answer of an old solver |
//! | [`edits`] | formulas on the edit distance of two words |
//! | [`instances`] | (shared: sources of instances) |
//! | [`selftest`] | the evaluator and the built-in solver compared with other solvers |

pub mod attack;
pub mod bench;
pub mod r#break;
pub mod demo;
pub mod edits;
pub mod instances;
pub mod selftest;
mod workers;

pub use campaign::host::{Host, Progress};

use anyhow::Context as _;
use campaign::process::Watchdog;

/// Starts the helper that ends solvers if this process is killed.
fn start_watchdog() -> anyhow::Result<Option<Watchdog>> {
    let command = Watchdog::own_command();
    command.as_deref().map(Watchdog::start).transpose().context("cannot start the watchdog")
}

/// The result of an experiment.
pub trait Report {
    /// For a terminal.
    fn text(&self) -> String;

    /// For programs.
    fn json(&self) -> serde_json::Value;
}
