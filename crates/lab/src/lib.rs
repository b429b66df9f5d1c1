//! Experiments that run solvers. Each takes plain options and a [`Host`], and returns a [`Report`].
//!
//! | module | experiment |
//! |---|---|
//! | [`bench`] | speed, as ratios to peers in one run |
//! | [`r#break`] | a search for scripts that a solver finds hard |
//! | [`edits`] | formulas about the edit distance of two words |
//! | [`instances`] | (shared: generated texts as instances of a campaign) |
//! | [`selftest`] | the evaluator and the built-in solver compared with other solvers |

pub mod bench;
pub mod r#break;
pub mod edits;
pub mod instances;
pub mod selftest;

use campaign::process::Cancel;

/// Receives the progress of an experiment.
pub trait Progress: Sync {
    /// `done` units of work are done. `state` describes the current state; it is called only if it is shown.
    fn update(&self, done: u64, state: &dyn Fn() -> String);

    /// Shows a line to the user.
    fn notice(&self, text: &str);
}

/// The caller of an experiment.
pub struct Host<'a> {
    /// Receives progress.
    pub progress: &'a dyn Progress,
    /// Stops the experiment.
    pub cancel: &'a Cancel,
}

/// The result of an experiment.
pub trait Report {
    /// For a terminal.
    fn text(&self) -> String;

    /// For programs.
    fn json(&self) -> serde_json::Value;
}
