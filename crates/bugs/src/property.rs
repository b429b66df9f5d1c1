//! The failure that a reduction keeps.

use crate::doc::Doc;
use crate::truth::Label;
use campaign::finding::Observed;
use campaign::process::Cancel;

/// The result of a test.
#[derive(Clone, Debug)]
pub enum Test {
    /// The failure is there.
    Holds(Box<Observed>),
    /// It is not.
    Fails,
    /// The test was stopped, or could not be done.
    Stopped(String),
}

/// A failure of a solver, or any other property of a script.
pub trait Property: Sync {
    /// In one line, for people.
    fn describe(&self) -> String;

    /// It depends on the truth of the script.
    fn needs_truth(&self) -> bool;

    /// Tests a script.
    fn test(&self, doc: &Doc, label: &Label, cancel: &Cancel) -> Test;
}
