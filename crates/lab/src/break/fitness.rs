//! The measures of fitness, and the order of members by them.

use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// The measure of fitness of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fitness {
    /// The solver is slow.
    Time,
    /// It needs much memory.
    Memory,
    /// A statistic that it prints is large.
    Statistic(String),
    /// It is slow, and another solver is fast.
    Gap,
    /// It answers `unknown`.
    Unknown,
}

impl std::str::FromStr for Fitness {
    type Err = String;

    fn from_str(text: &str) -> Result<Fitness, String> {
        Ok(match text.split_once(':') {
            Some(("stat", name)) if !name.is_empty() => Fitness::Statistic(name.into()),
            None if text == "time" => Fitness::Time,
            None if text == "memory" => Fitness::Memory,
            None if text == "gap" => Fitness::Gap,
            None if text == "unknown" => Fitness::Unknown,
            _ => return Err("one of time, memory, gap, unknown, stat:NAME".into()),
        })
    }
}

impl std::fmt::Display for Fitness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fitness::Time => f.write_str("time"),
            Fitness::Memory => f.write_str("memory"),
            Fitness::Statistic(name) => write!(f, "stat:{name}"),
            Fitness::Gap => f.write_str("gap"),
            Fitness::Unknown => f.write_str("unknown"),
        }
    }
}

/// The measurements of a script.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Found {
    /// The median time of the solver, in seconds.
    pub(super) time: f64,
    /// It was stopped at the limit.
    pub(super) at_limit: bool,
    /// Its answer.
    pub(super) answer: String,
    /// Peak memory, in KiB.
    pub(super) memory_kib: u64,
    /// The statistic that is searched for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) statistic: Option<f64>,
    /// The other solver's time and answer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) other: Option<(f64, String)>,
    /// The number of measurements.
    pub(super) runs: u32,
    /// The difference of the longest and the shortest time, relative to the median.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) spread: Option<f64>,
    /// The reason why it cannot survive.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) unfit: Option<String>,
    /// The solver failed on it.
    #[serde(default)]
    pub(super) failed: bool,
    /// A bug of the solver.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) bug: Option<Bug>,
    /// How fit it is.
    pub(super) score: Score,
}

/// A bug.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Bug {
    /// Of this solver: a wrong answer, or a crash.
    Certain(String),
    /// Of one of two solvers, whose answers differ.
    Disagreement(String),
}

impl Bug {
    /// A description.
    pub(super) fn what(&self) -> &str {
        match self {
            Bug::Certain(what) | Bug::Disagreement(what) => what,
        }
    }
}

/// The fitness of a script, in steps that are larger than the noise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Score {
    /// The larger the better.
    pub(super) rank: u64,
    /// Only a smaller script can be better.
    pub(super) full: bool,
}

/// Times below this are equal, in seconds.
pub(super) const FLOOR: f64 = 0.002;
/// The error of one measurement, in ranks.
pub(super) const DOUBT: u64 = 2;

/// The rank of a value: a quarter more is one rank more; 0 up to `floor`.
pub(super) fn rank(value: f64, floor: f64) -> u64 {
    if value.is_finite() && value > floor {
        ((value / floor).ln() / 1.25f64.ln()).floor() as u64 + 1
    } else {
        0
    }
}

/// The rank of a gap that counts: one solver takes at least twice as long as the other. Less is noise.
const GAP: u64 = 4;

impl Fitness {
    /// The script is one that was searched for, and not just the fittest of all.
    pub(super) fn is_hit(&self, f: &Found) -> bool {
        let least = match self {
            Fitness::Gap => GAP,
            Fitness::Unknown => 1,
            Fitness::Time | Fitness::Memory | Fitness::Statistic(_) => 0,
        };
        f.unfit.is_none() && f.score.rank >= least
    }

    /// What was not found.
    pub(super) fn miss(&self) -> &'static str {
        match self {
            Fitness::Gap => {
                "no script with a gap was found: none takes the solver twice as long as the other one"
            }
            Fitness::Unknown => "no script that is answered `unknown` was found",
            Fitness::Time | Fitness::Memory | Fitness::Statistic(_) => "no fit script was found",
        }
    }

    /// The score of measurements.
    pub(super) fn score(&self, f: &Found, limit: f64) -> Score {
        let open = |rank| Score { rank, full: false };
        match self {
            Fitness::Time => Score { rank: rank(f.time, FLOOR), full: f.at_limit && f.time >= limit },
            Fitness::Memory => open(rank(f.memory_kib as f64, 1024.0)),
            // Exact, and the same in every run.
            Fitness::Statistic(_) => open(f.statistic.map_or(0, |s| s.max(0.0) as u64)),
            Fitness::Gap => {
                open(f.other.as_ref().map_or(0, |(other, _)| rank(f.time / other.max(FLOOR), 1.0)))
            }
            Fitness::Unknown => Score { rank: u64::from(f.answer == "unknown"), full: f.answer == "unknown" },
        }
    }

    /// The largest score that is possible after one measurement, before the other solver runs.
    pub(super) fn most(&self, f: &Found, limit: f64) -> u64 {
        match self {
            Fitness::Gap => rank(f.time / FLOOR, 1.0) + DOUBT,
            Fitness::Time | Fitness::Memory => self.score(f, limit).rank + DOUBT,
            Fitness::Statistic(_) | Fitness::Unknown => self.score(f, limit).rank,
        }
    }

    /// Only smaller scripts can replace a member with a full score.
    pub(super) fn is_bounded(&self) -> bool {
        matches!(self, Fitness::Time | Fitness::Unknown)
    }
}

/// The sort key of members, the fittest first. Among equals, the newer one comes first while they can become fitter, so that the
/// search moves on; then the smaller one.
pub(super) fn key(found: &Found, size: usize, id: u64) -> (bool, Reverse<u64>, usize, Reverse<u64>) {
    let Score { rank, full } = found.score;
    (
        found.unfit.is_some(),
        Reverse(rank),
        if full { size } else { 0 },
        Reverse(if full { u64::MAX - id } else { id }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(time: f64, at_limit: bool) -> Found {
        let mut f = Found { time, at_limit, answer: "sat".into(), runs: 1, ..Found::default() };
        f.score = Fitness::Time.score(&f, 3.0);
        f
    }

    #[test]
    fn ranks() {
        assert_eq!(rank(0.0, FLOOR), 0);
        assert_eq!(rank(f64::NAN, FLOOR), 0);
        assert_eq!(rank(0.0021, FLOOR), 1);
        assert_eq!(rank(0.0024, FLOOR), 1);
        assert_eq!(rank(0.0026, FLOOR), 2);
        assert!(rank(3.0, FLOOR) < 40);
    }

    #[test]
    fn slower_first_then_smaller_at_the_limit_then_newer_below_it() {
        let (slow, fast, limit) = (found(1.0, false), found(0.1, false), found(3.0, true));
        assert!(key(&slow, 900, 1) < key(&fast, 10, 2));
        assert!(key(&limit, 900, 1) < key(&slow, 10, 2));
        assert!(key(&limit, 10, 2) < key(&limit, 900, 1));
        assert!(key(&limit, 10, 1) < key(&limit, 10, 2));
        assert!(key(&slow, 900, 2) < key(&slow, 10, 1));
        let unfit = Found { unfit: Some("an error".into()), ..found(3.0, true) };
        assert!(key(&fast, 900, 1) < key(&unfit, 1, 2));
    }

    #[test]
    fn a_gap_is_a_factor_of_two() {
        let gap = |time, other| {
            let mut f = Found { other: Some((other, "sat".into())), ..found(time, false) };
            f.score = Fitness::Gap.score(&f, 3.0);
            Fitness::Gap.is_hit(&f)
        };
        assert!(!gap(0.1, 0.1) && !gap(0.15, 0.1) && gap(0.21, 0.1));
        assert!(!gap(0.003, 0.0), "times below the floor are equal");
        assert!(Fitness::Time.is_hit(&found(0.0, false)));
    }

    #[test]
    fn names() {
        assert_eq!("stat:conflicts".parse(), Ok(Fitness::Statistic("conflicts".into())));
        assert_eq!("gap".parse(), Ok(Fitness::Gap));
        for text in ["time", "memory", "gap", "unknown", "stat:conflicts"] {
            assert_eq!(text.parse::<Fitness>().map(|f| f.to_string()), Ok(text.into()));
        }
        assert!("stat:".parse::<Fitness>().is_err() && "tim".parse::<Fitness>().is_err());
    }
}
