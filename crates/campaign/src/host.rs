//! The caller of long work: receives its progress, and stops it.

use crate::process::Cancel;

/// Receives the progress of long work.
pub trait Progress: Sync {
    /// `done` units of work are done. `state` describes the current state; it is called only if it is shown.
    fn update(&self, done: u64, state: &dyn Fn() -> String);

    /// Another part of the work begins: shown at once.
    fn stage(&self, done: u64, state: &dyn Fn() -> String) {
        self.update(done, state);
    }

    /// Shows a line to the user.
    fn notice(&self, text: &str);
}

/// Shows nothing.
impl Progress for () {
    fn update(&self, _: u64, _: &dyn Fn() -> String) {}

    fn notice(&self, _: &str) {}
}

/// The caller of long work.
#[derive(Clone, Copy)]
pub struct Host<'a> {
    /// Receives progress.
    pub progress: &'a dyn Progress,
    /// Stops the work.
    pub cancel: &'a Cancel,
}
