//! The cost of one script for a solver: one run, measured and judged.
//!
//! Unlike a campaign, nothing is stored and only the answer is requested, so that the time is that of the answer.

use crate::case::Case;
use crate::compose::{compose, fill};
use crate::drive::invocation;
use crate::judge::{Judged, Raw, judge};
use crate::outcome::{Answer, Ending, Kind, Verdict};
use crate::process::{self, Cancel, Ended, Limits};
use crate::profile::Solver;
use crate::settings::{Rules, Wants};
use semantics::Reading;
use std::path::Path;
use std::time::Duration;

/// How to measure.
#[derive(Clone, Debug)]
pub struct Meter {
    /// The limit, and the largest time that counts.
    pub limit: Duration,
    /// Measure wall-clock time, not CPU time.
    pub wall: bool,
    /// Memory, in bytes.
    pub memory: Option<u64>,
    /// A statistic to request and to find in the output.
    pub statistic: Option<String>,
    /// The seed of the solver.
    pub seed: u64,
}

/// A measurement.
#[derive(Clone, Debug)]
pub struct Measure {
    /// The time that counts; at most the limit.
    pub time: Duration,
    /// It was stopped at the limit.
    pub at_limit: bool,
    /// Peak memory, in KiB.
    pub memory_kib: u64,
    /// The statistic, if it was printed.
    pub statistic: Option<f64>,
    /// The solver's answer.
    pub answer: Answer,
    /// The verdict on it.
    pub judged: Judged,
    /// How the process ended.
    pub ending: Ending,
}

impl Measure {
    /// The run failed: an error, a crash, a flood, a program that cannot be started.
    pub fn failed(&self) -> bool {
        !self.at_limit && (self.answer == Answer::None || self.judged.verdict() == Verdict::Error)
    }

    /// The solver crashed.
    pub fn crashed(&self) -> bool {
        matches!(self.judged.kind, Kind::Crash | Kind::CrashAfterAnswer)
    }
}

/// Runs `solver` on `case` once; none if it was cancelled. `file` is for solvers that read files.
pub fn measure(case: &Case, solver: &Solver, meter: &Meter, file: &Path, cancel: &Cancel) -> Option<Measure> {
    let wants =
        Wants { model: false, core: false, named: false, both: false, time: meter.limit, ..Wants::default() };
    let rules = Rules { wants, reading: Reading::Standard, made_for: Reading::Standard };
    let args = solver.profile.args.iter().map(|a| fill(a, meter.seed, &wants).into_owned()).collect();
    let what =
        compose(case, &solver.profile, meter.seed, &wants).map_err(|e| e.to_string()).and_then(|mut text| {
            if meter.statistic.is_some() {
                text.extend_from_slice(b"(get-info :all-statistics)\n");
            }
            invocation(solver, args, file, text)
        });
    let ended = match what {
        Ok(what) => process::run(&what, &meter.limits(solver), cancel),
        Err(why) => Ended::not_started(why),
    };
    (ended.ending != Ending::Cancelled).then(|| meter.of(case, solver, &rules, ended))
}

impl Meter {
    fn limits(&self, solver: &Solver) -> Limits {
        // The kernel limits CPU time in full seconds; a process that waits without computing is stopped as well.
        let wall = if self.wall { self.limit } else { self.limit * 3 + Duration::from_secs(1) };
        let cpu = (!self.wall).then(|| Duration::from_secs(self.limit.as_secs_f64().ceil() as u64));
        Limits {
            wall,
            cpu,
            idle: None,
            memory: self.memory,
            memory_how: solver.profile.memory,
            output: 1 << 20,
        }
    }

    fn of(&self, case: &Case, solver: &Solver, rules: &Rules, ended: Ended) -> Measure {
        let used = if self.wall { ended.wall } else { ended.cpu };
        let at_limit = matches!(ended.ending, Ending::CpuLimit | Ending::WallLimit) || used >= self.limit;
        let statistic = self
            .statistic
            .as_deref()
            .and_then(|name| find(&ended.stdout, name).or_else(|| find(&ended.stderr, name)));
        let stdout = if self.statistic.is_some() { answers_only(&ended.stdout) } else { &ended.stdout };
        let raw = Raw { stdout, stderr: &ended.stderr, ending: &ended.ending };
        let judged = judge(case, solver, &raw, rules);
        Measure {
            time: if at_limit { self.limit } else { used },
            at_limit,
            memory_kib: ended.memory_kib,
            statistic,
            answer: judged.answer,
            judged,
            ending: ended.ending,
        }
    }
}

/// The output before the statistics.
fn answers_only(stdout: &[u8]) -> &[u8] {
    let mut from = 0;
    for line in stdout.split_inclusive(|&b| b == b'\n') {
        if line.trim_ascii_start().starts_with(b"(:") || line.trim_ascii() == b"(" {
            return &stdout[..from];
        }
        from += line.len();
    }
    stdout
}

/// The number after a name, as in `:conflicts 12`, `conflicts = 12` or `conflicts: 12`.
fn find(output: &[u8], name: &str) -> Option<f64> {
    let text = String::from_utf8_lossy(output);
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || "()=,\"|".contains(c)).filter(|w| !w.is_empty()).collect();
    let bare = |w: &str| w.trim_matches(':').to_ascii_lowercase();
    let name = bare(name);
    words.windows(2).find(|w| bare(w[0]) == name && w[1].parse::<f64>().is_ok())?.last()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_of_several_solvers() {
        let z3 = b"sat\n(:added-eqs 12\n :conflicts   3\n :memory 17.5)\n";
        assert_eq!(find(z3, "conflicts"), Some(3.0));
        assert_eq!(find(z3, ":Memory"), Some(17.5));
        assert_eq!(find(z3, "eqs"), None);
        assert_eq!(find(b"driver::totalTime = 11ms\nsat::conflicts = 40\n", "sat::conflicts"), Some(40.0));
        assert_eq!(find(b"decisions: 5", "decisions"), Some(5.0));
        assert_eq!(answers_only(z3), b"sat\n");
        assert_eq!(answers_only(b"unknown\n(\n:a 1)"), b"unknown\n");
        assert_eq!(answers_only(b"sat"), b"sat");
    }
}
