//! The seeds of the steps of a reduction.

use crate::property::Attempt;
use campaign::finding::Observed;
use std::time::Duration;

/// The seeds with which a step has to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeds {
    /// The given one.
    One,
    /// Any of this number.
    Any(u64),
    /// All of this number.
    Every(u64),
}

/// The attempts of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tries {
    /// The seed of the first one: that of the failure so far.
    pub(super) first: u64,
    pub(super) seeds: Seeds,
    /// The time of each, if it is not the usual one.
    time: Option<Duration>,
}

impl Tries {
    /// The attempts of a step from a script with this failure. Where luck decides, several short ones find more than a long one: an unlucky
    /// run often does not end.
    pub(super) fn after(observed: &Observed, seeds: Seeds) -> Tries {
        let time = matches!(seeds, Seeds::Any(_)).then(|| brief(observed.seconds));
        Tries { first: observed.seed, seeds, time }
    }

    /// The attempt with a seed.
    pub(super) fn attempt(self, seed: u64) -> Attempt {
        Attempt { seed, time: self.time }
    }
}

/// The least time of a short attempt.
const LEAST: Duration = Duration::from_millis(100);

/// Longest short attempt, in doublings of the least one.
const DOUBLINGS: u32 = 14;

/// The time of an attempt that should take `seconds`, with room for bad luck. In powers of two, so that it is the same in a reduction that is
/// repeated.
fn brief(seconds: f64) -> Duration {
    let wanted = 2.0 * seconds + 0.05;
    (0..DOUBLINGS)
        .map(|n| LEAST * 2_u32.pow(n))
        .find(|d| d.as_secs_f64() >= wanted)
        .unwrap_or(LEAST * 2_u32.pow(DOUBLINGS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_attempt_has_room_for_bad_luck() {
        let times = [(0.0, 100), (0.02, 100), (0.03, 200), (0.2, 800), (1.0, 3200), (1e9, 1_638_400)];
        for (seconds, millis) in times {
            assert_eq!(brief(seconds), Duration::from_millis(millis), "{seconds} s");
        }
    }
}
