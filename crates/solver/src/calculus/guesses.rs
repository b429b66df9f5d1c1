//! When to guess a model (`strings/positions.rs`): after each rejected guess, twice as many final checks go without one.

/// Guesses that are skipped after a failure, at most.
const MAX_SKIPPED: u32 = 64;

/// When to guess.
#[derive(Debug, Default)]
pub(crate) struct Guesses {
    skip: u32,
    failures: u32,
}

impl Guesses {
    /// Whether a guess is due.
    pub(crate) fn due(&mut self) -> bool {
        if self.skip > 0 {
            self.skip -= 1;
            return false;
        }
        true
    }

    /// Notes that a guess was rejected.
    pub(crate) fn failed(&mut self) {
        self.failures = (self.failures + 1).min(16);
        self.skip = (1 << self.failures.min(6)).min(MAX_SKIPPED);
    }
}
