//! Formulas of two given words, until a solver fails.
//!
//! Formulas come in rounds, from consecutive seeds; each round is a campaign. A round that is quick is followed by a larger one.

use crate::Report;
use campaign::outcome::Severity;
use campaign::process::Cancel;
use campaign::report::Data;
use serde_json::json;
use std::time::{Duration, Instant};

/// The smallest and the largest round.
const ROUNDS: (u64, u64) = (32, 8192);
/// A round that takes longer than this is followed by a smaller one; one that takes a quarter of it, by a larger one.
const MAX_ROUND: Duration = Duration::from_secs(20);

/// When to give up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Formulas; 0 for no limit.
    pub formulas: u64,
    /// Wall-clock time.
    pub time: Option<Duration>,
}

/// What was tried.
#[derive(Debug, Default)]
pub struct Tally {
    /// A solver failed in the last round.
    pub failed: bool,
    /// It was stopped before the limits were reached.
    pub stopped: bool,
    /// Formulas that were tried.
    pub formulas: u64,
    /// Rounds.
    pub rounds: u64,
    runs: usize,
    solved: usize,
    undetermined: usize,
}

/// A round of formulas.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Its number, from 1.
    pub number: u64,
    /// The seed of its first formula.
    pub seed: u64,
    /// Its formulas.
    pub count: u64,
}

/// Runs rounds until one fails, a limit is reached or `cancel` is set. `campaign` runs the campaign of a round.
pub fn rounds(
    limits: Limits,
    mut seed: u64,
    cancel: &Cancel,
    campaign: &mut dyn FnMut(Round) -> anyhow::Result<Data>,
) -> anyhow::Result<Tally> {
    let begin = Instant::now();
    if let Some(limit) = limits.time {
        cancel_after(limit, cancel.clone());
    }
    let (mut tally, mut size) = (Tally::default(), ROUNDS.0);
    while !cancel.is_cancelled() {
        let left = if limits.formulas == 0 { u64::MAX } else { limits.formulas - tally.formulas };
        if left == 0 {
            break;
        }
        let (count, started) = (size.min(left), Instant::now());
        let round = Round { number: tally.rounds + 1, seed, count };
        tally.add(&campaign(round)?, count);
        if tally.failed {
            return Ok(tally);
        }
        seed = seed.wrapping_add(count);
        size = next_size(size, started.elapsed());
    }
    let in_time = limits.time.is_some_and(|limit| begin.elapsed() >= limit);
    tally.stopped = cancel.is_cancelled() && !in_time;
    Ok(tally)
}

fn cancel_after(limit: Duration, cancel: Cancel) {
    std::thread::spawn(move || {
        std::thread::sleep(limit);
        cancel.cancel();
    });
}

/// The size of the next round.
fn next_size(size: u64, took: Duration) -> u64 {
    let next = match took {
        t if t > MAX_ROUND => size / 2,
        t if t > MAX_ROUND / 4 => size,
        _ => size * 2,
    };
    next.clamp(ROUNDS.0, ROUNDS.1)
}

/// A run of the campaign is a failure.
pub fn has_failure(data: &Data) -> bool {
    data.runs.iter().any(|r| matches!(r.severity(), Severity::Unsound | Severity::Error))
}

impl Tally {
    fn add(&mut self, data: &Data, formulas: u64) {
        let count = |severity| data.runs.iter().filter(|r| r.severity() == severity).count();
        self.failed = has_failure(data);
        self.rounds += 1;
        self.formulas += formulas;
        self.runs += data.runs.len();
        self.solved += count(Severity::Fine);
        self.undetermined += count(Severity::Undetermined);
    }

    /// No solver failed, but some verdicts are undetermined or it was stopped.
    pub fn is_undetermined(&self) -> bool {
        self.undetermined > 0 || self.stopped
    }
}

impl Report for Tally {
    fn text(&self) -> String {
        let Tally { formulas, rounds, runs, solved, undetermined, .. } = self;
        format!(
            "no failure: {formulas} formulas in {rounds} rounds, {runs} runs, {solved} solved, {undetermined} undetermined\n"
        )
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "conclusion": if self.undetermined > 0 { "undetermined" } else { "clean" },
            "formulas": self.formulas, "rounds": self.rounds, "runs": self.runs, "solved": self.solved,
            "undetermined": self.undetermined,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_grow_and_shrink() {
        let seconds = Duration::from_secs;
        assert_eq!(next_size(32, seconds(1)), 64);
        assert_eq!(next_size(64, seconds(10)), 64);
        assert_eq!(next_size(64, seconds(60)), 32);
        assert_eq!(next_size(32, seconds(60)), 32);
        assert_eq!(next_size(8192, seconds(1)), 8192);
    }
}
