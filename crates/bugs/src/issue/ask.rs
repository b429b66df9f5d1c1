//! The solver, run again before the text is written.

use campaign::outcome::Answer;

/// Results of running the solver again; all empty if it was not run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// A script with fewer options and requests, with the same failure.
    pub script: Option<String>,
    /// The output for that script.
    pub stdout: Option<String>,
    /// The answer when the values of the known model are asserted too.
    pub pinned: Option<Answer>,
}
