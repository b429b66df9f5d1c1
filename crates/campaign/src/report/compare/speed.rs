//! Slowdowns and speed-ups.
//!
//! Recorded times make candidates only: they come from busy machines, and in batch mode they are wall-clock times. A claim needs
//! re-runs: the old and the new solver in turn, [`PAIRS`] times, each in a fresh process, by CPU time. With six pairs, the smallest and
//! the largest ratio enclose the median ratio with a probability of at least 1 − 2 · 2⁻⁶ = 97 %, whatever the distribution of times (the
//! sign test). A candidate is confirmed if this interval excludes 1 and the median itself is as far from 1 as a candidate has to
//! be. Pairs end early only where that cannot happen any more, which does not change the probability of an error.
//!
//! A run that ended at its time limit, then or now, is a candidate too. A re-run at the limit counts as at least the limit; where in
//! every pair one solver answers and the other one reaches the limit, the ratio is only a lower bound and need not be 2.

use super::times::ratio;
use super::{Change, DIFFERENCE, RATIO};
use serde_json::{Value, json};
use std::time::Duration;

/// The number of pairs of re-runs.
pub const PAIRS: usize = 6;

/// Slower or faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// The new run takes longer.
    Slower,
    /// The new run takes less time.
    Faster,
}

impl Direction {
    /// Both.
    pub const ALL: [Direction; 2] = [Direction::Slower, Direction::Faster];

    /// Its text form.
    pub fn code(self) -> &'static str {
        match self {
            Direction::Slower => "slower",
            Direction::Faster => "faster",
        }
    }

    /// How many times as long the slower one takes.
    pub(super) fn factor(self, ratio: f64) -> f64 {
        match self {
            Direction::Slower => ratio,
            Direction::Faster => 1.0 / ratio,
        }
    }

    /// The slower solver reached the time limit, and the other one did not.
    fn is_past(self, (old, new): &(Took, Took)) -> bool {
        match self {
            Direction::Slower => new.past && !old.past,
            Direction::Faster => old.past && !new.past,
        }
    }
}

/// The time of a re-run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Took {
    /// CPU time; at least the time limit for a run that reached it.
    pub time: Duration,
    /// It reached the time limit.
    pub past: bool,
}

/// A run that seems slower or faster.
#[derive(Clone, Debug, PartialEq)]
pub struct Speed {
    /// The run, with the recorded times.
    pub change: Change,
    /// Which way.
    pub direction: Direction,
    /// What re-runs say.
    pub finding: Finding,
}

/// The result of re-runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// There were none, or not enough.
    NotRun(Reason),
    /// They confirm it.
    Confirmed(Measured),
    /// They do not, after this many pairs.
    Refuted(usize),
}

/// Why there are no re-runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// None were requested.
    Unwanted,
    /// They were stopped.
    Stopped,
    /// The time for all re-runs was up.
    TimeUp,
    /// A solver cannot be run as it was, and why.
    CannotRun(String),
    /// A solver gives another answer now.
    OtherAnswer(String),
}

impl Reason {
    /// Its text form.
    pub fn code(&self) -> &'static str {
        match self {
            Reason::Unwanted => "not-rerun",
            Reason::Stopped => "stopped",
            Reason::TimeUp => "time-up",
            Reason::CannotRun(_) => "cannot-run",
            Reason::OtherAnswer(_) => "other-answer",
        }
    }

    /// For people.
    pub fn text(&self) -> String {
        match self {
            Reason::Unwanted => "not re-run".into(),
            Reason::Stopped => "not re-run: stopped".into(),
            Reason::TimeUp => "not re-run: the time of --rerun-time was up".into(),
            Reason::CannotRun(why) | Reason::OtherAnswer(why) => why.clone(),
        }
    }
}

/// Times of re-runs, and the interval of their ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The median CPU time of the old solver.
    pub old: Duration,
    /// That of the new one.
    pub new: Duration,
    /// The median of the ratios new / old.
    pub ratio: f64,
    /// The smallest ratio.
    pub low: f64,
    /// The largest ratio.
    pub high: f64,
    /// In every pair the slower solver reaches the time limit, and the other one answers.
    pub past: bool,
}

impl Measured {
    /// The probability that the interval covers the median ratio.
    pub fn confidence() -> f64 {
        1.0 - 2.0 * 0.5f64.powi(PAIRS as i32)
    }

    /// `× 3.1 (2.7–3.6, 97 %)`
    pub fn text(&self) -> String {
        let figure = |x: f64| match x {
            x if x < 0.0995 => format!("{x:.3}"),
            x if x < 9.95 => format!("{x:.2}"),
            x => format!("{x:.0}"),
        };
        let percent = (Measured::confidence() * 100.0).round();
        format!("× {} ({}–{}, {percent} %)", figure(self.ratio), figure(self.low), figure(self.high))
    }

    fn of(direction: Direction, pairs: &[(Took, Took)]) -> Measured {
        let ratios = sorted(pairs.iter().map(|(old, new)| ratio(old.time, new.time)));
        let seconds = |times: Vec<f64>| {
            let (a, b) = middle(&times);
            Duration::from_secs_f64(f64::midpoint(a, b))
        };
        let (a, b) = middle(&ratios);
        Measured {
            old: seconds(sorted(pairs.iter().map(|p| p.0.time.as_secs_f64()))),
            new: seconds(sorted(pairs.iter().map(|p| p.1.time.as_secs_f64()))),
            ratio: (a * b).sqrt(),
            low: ratios[0],
            high: ratios[ratios.len() - 1],
            past: pairs.iter().all(|pair| direction.is_past(pair)),
        }
    }
}

/// The finding of these times, old and new in turn; none if more pairs are needed.
pub fn decide(direction: Direction, pairs: &[(Took, Took)]) -> Option<Finding> {
    let open = || pairs.iter().filter(|pair| !direction.is_past(pair));
    let factors = || open().map(|(old, new)| direction.factor(ratio(old.time, new.time)));
    let hopeless = factors().any(|f| f <= 1.0) || factors().filter(|&f| f < RATIO).count() > PAIRS / 2;
    if hopeless {
        return Some(Finding::Refuted(pairs.len()));
    }
    if pairs.len() < PAIRS {
        return None;
    }
    let found = Measured::of(direction, pairs);
    let far = direction.factor(found.ratio) >= RATIO && found.old.abs_diff(found.new) >= DIFFERENCE;
    Some(if far || found.past { Finding::Confirmed(found) } else { Finding::Refuted(pairs.len()) })
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The two values in the middle, which may be the same one.
fn middle(sorted: &[f64]) -> (f64, f64) {
    (sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2])
}

impl Speed {
    /// The times of confirmed re-runs.
    pub fn measured(&self) -> Option<&Measured> {
        match &self.finding {
            Finding::Confirmed(measured) => Some(measured),
            Finding::NotRun(_) | Finding::Refuted(_) => None,
        }
    }

    /// The fields in JSON besides those of the change.
    pub(super) fn json(&self) -> Value {
        match &self.finding {
            Finding::Confirmed(m) => json!({
                "direction": self.direction.code(), "confirmed": true, "pairs": PAIRS,
                "old_cpu_s": m.old.as_secs_f64(), "new_cpu_s": m.new.as_secs_f64(),
                "ratio": m.ratio, "low": m.low, "high": m.high, "confidence": Measured::confidence(),
                "past_time_limit": m.past,
            }),
            Finding::Refuted(pairs) => json!({
                "direction": self.direction.code(), "confirmed": false, "pairs": pairs, "reason": "refuted",
            }),
            Finding::NotRun(reason) => json!({
                "direction": self.direction.code(), "confirmed": false, "pairs": 0, "reason": reason.code(),
                "why": reason.text(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times in ms, without a time limit.
    fn pairs(list: &[(u64, u64)]) -> Vec<(Took, Took)> {
        let took = |millis| Took { time: Duration::from_millis(millis), past: false };
        list.iter().map(|&(a, b)| (took(a), took(b))).collect()
    }

    /// The same with a time limit of 50 ms.
    fn limited(list: &[(u64, u64)]) -> Vec<(Took, Took)> {
        let at = |t: Took| Took { past: t.time.as_millis() >= 50, ..t };
        pairs(list).into_iter().map(|(a, b)| (at(a), at(b))).collect()
    }

    #[test]
    fn time_limits() {
        let mut times = limited(&[(48, 50); PAIRS]);
        let Some(Finding::Confirmed(found)) = decide(Direction::Slower, &times) else { panic!("confirmed") };
        assert!(found.past, "each new run is past its limit, and no old one");
        assert_eq!(decide(Direction::Faster, &times[..1]), Some(Finding::Refuted(1)));
        times[3] = limited(&[(50, 50)])[0];
        assert_eq!(decide(Direction::Slower, &times), Some(Finding::Refuted(PAIRS)), "both are past it");
        times[3] = limited(&[(45, 47)])[0];
        assert_eq!(decide(Direction::Slower, &times), Some(Finding::Refuted(PAIRS)), "both answer");
    }

    #[test]
    fn six_pairs_confirm() {
        let times = pairs(&[(100, 300), (100, 320), (110, 310), (90, 330), (100, 290), (100, 310)]);
        for n in 0..PAIRS {
            assert_eq!(decide(Direction::Slower, &times[..n]), None, "{n} pairs are not enough");
        }
        let Some(Finding::Confirmed(m)) = decide(Direction::Slower, &times) else { panic!("confirmed") };
        assert_eq!(m.text(), "× 3.05 (2.82–3.67, 97 %)");
        assert_eq!((m.old.as_millis(), m.new.as_millis()), (100, 310));
        let swapped: Vec<_> = times.iter().map(|&(a, b)| (b, a)).collect();
        let Some(Finding::Confirmed(m)) = decide(Direction::Faster, &swapped) else { panic!("confirmed") };
        assert_eq!(m.text(), "× 0.33 (0.27–0.35, 97 %)");
    }

    #[test]
    fn one_pair_can_refute() {
        assert_eq!(decide(Direction::Slower, &pairs(&[(20, 20)])), Some(Finding::Refuted(1)));
        assert_eq!(decide(Direction::Slower, &pairs(&[(20, 90), (50, 20)])), Some(Finding::Refuted(2)));
        assert_eq!(decide(Direction::Faster, &pairs(&[(20, 90)])), Some(Finding::Refuted(1)));
    }

    #[test]
    fn small_changes_are_no_claims() {
        let little = pairs(&[(100, 150); PAIRS]);
        assert_eq!(
            decide(Direction::Slower, &little),
            Some(Finding::Refuted(PAIRS)),
            "less than twice as long"
        );
        assert_eq!(
            decide(Direction::Slower, &little[..4]),
            Some(Finding::Refuted(4)),
            "the median cannot be above"
        );
        let short = pairs(&[(1, 40); PAIRS]);
        assert_eq!(decide(Direction::Slower, &short), Some(Finding::Refuted(PAIRS)), "less than 100 ms");
        let unmeasurable = pairs(&[(0, 1); PAIRS]);
        assert_eq!(decide(Direction::Slower, &unmeasurable), Some(Finding::Refuted(PAIRS)));
    }

    #[test]
    fn one_pair_against_it_is_enough() {
        for at in 0..PAIRS {
            let mut times = pairs(&[(100, 1000); PAIRS]);
            times[at] = (times[at].1, times[at].0);
            assert!(matches!(decide(Direction::Slower, &times), Some(Finding::Refuted(_))), "{at}");
        }
    }
}
