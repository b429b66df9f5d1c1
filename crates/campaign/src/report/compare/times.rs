//! The recorded results and times of runs, then and now.

use crate::outcome::{Answer, Kind, Verdict};
use crate::store::RunRow;
use std::time::Duration;

/// The smallest time in a ratio: below is noise.
const FLOOR: f64 = 0.001;

/// New time by old time.
pub(super) fn ratio(old: Duration, new: Duration) -> f64 {
    new.as_secs_f64().max(FLOOR) / old.as_secs_f64().max(FLOOR)
}

/// The result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the same as in RunRow")]
pub struct Was {
    pub kind: Kind,
    pub answer: Answer,
    pub wall: Duration,
    /// CPU time, if it is known.
    pub cpu: Option<Duration>,
    pub flaky: bool,
}

impl Was {
    pub(super) fn of(run: &RunRow) -> Was {
        let cpu = (!run.batched).then_some(run.cpu);
        Was { kind: run.kind, answer: run.answer, wall: run.wall, cpu, flaky: run.flaky }
    }

    /// Its time; wall-clock time if the CPU time is not known.
    pub(crate) fn time(&self, clock: Clock) -> Duration {
        match clock {
            Clock::Cpu => self.cpu.unwrap_or(self.wall),
            Clock::Wall => self.wall,
        }
    }

    pub(crate) fn verdict(&self) -> Verdict {
        self.kind.verdict()
    }

    /// It reached a time limit.
    pub(super) fn is_past(&self) -> bool {
        self.verdict() == Verdict::Timeout
    }

    /// An answer that is not known to be wrong.
    pub(super) fn is_answer(&self) -> bool {
        matches!(self.answer, Answer::Sat | Answer::Unsat) && !self.kind.is_failure()
    }

    pub(super) fn rank(&self) -> u8 {
        self.kind.severity().rank()
    }
}

/// The clock of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// CPU time.
    #[default]
    Cpu,
    /// Wall-clock time: batch mode records no other.
    Wall,
}

impl Clock {
    /// Its text form.
    pub fn code(self) -> &'static str {
        match self {
            Clock::Cpu => "CPU",
            Clock::Wall => "wall",
        }
    }
}

/// The times of a set of runs, then and now.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// CPU time if it is known for all of them, both times.
    pub clock: Clock,
    /// Their sum, then.
    pub old: Duration,
    /// Their sum, now.
    pub new: Duration,
    /// The geometric mean of the ratios new / old; none without runs.
    pub mean_ratio: Option<f64>,
}

/// The times of pairs of runs, summed on both clocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    pub(super) runs: u64,
    /// The CPU time of a run is not known.
    wall_only: bool,
    cpu: Sum,
    wall: Sum,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    old: Duration,
    new: Duration,
    /// The sum of the logarithms of ratios.
    logs: f64,
}

impl Sum {
    fn add(&mut self, old: Duration, new: Duration) {
        self.old += old;
        self.new += new;
        self.logs += ratio(old, new).ln();
    }
}

impl Sums {
    pub(super) fn add(&mut self, old: &Was, new: &Was) {
        self.runs += 1;
        self.wall_only |= old.cpu.is_none() || new.cpu.is_none();
        self.cpu.add(old.time(Clock::Cpu), new.time(Clock::Cpu));
        self.wall.add(old.wall, new.wall);
    }

    pub(super) fn times(&self) -> Times {
        let (clock, sum) = if self.wall_only { (Clock::Wall, self.wall) } else { (Clock::Cpu, self.cpu) };
        let mean_ratio = (self.runs > 0).then(|| (sum.logs / self.runs as f64).exp());
        Times { clock, old: sum.old, new: sum.new, mean_ratio }
    }
}
