//! Measures scripts, with as few runs of the solver as possible.

use super::fitness::{Bug, Fitness, Found, Score};
use campaign::case::Case;
use campaign::measure::{Measure, Meter, measure};
use campaign::outcome::Answer;
use campaign::process::Cancel;
use campaign::profile::Solver;
use std::path::Path;
use std::time::Duration;

/// Runs solvers on scripts.
pub(super) struct Judge<'a> {
    pub(super) solver: &'a Solver,
    pub(super) against: Option<&'a Solver>,
    pub(super) fitness: Fitness,
    pub(super) meter: Meter,
    pub(super) repeat: u32,
    /// Only scripts with this answer are fit.
    pub(super) answer: Option<Answer>,
    /// For solvers that read files.
    pub(super) folder: &'a Path,
    pub(super) cancel: &'a Cancel,
}

/// The score and size that a new script has to beat: those of the last survivor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bar {
    pub(super) score: Score,
    pub(super) size: usize,
}

/// Measures scripts, several at a time.
pub(super) trait Judging: Sync {
    /// A script of this size need not be measured: it cannot survive.
    fn is_hopeless(&self, size: usize, bar: Option<Bar>) -> bool;

    /// Measures a script. `number` distinguishes concurrent calls. None if it was stopped.
    fn judge(&self, text: &str, number: u64, bar: Option<Bar>) -> Option<Found>;
}

impl Judging for Judge<'_> {
    fn is_hopeless(&self, size: usize, bar: Option<Bar>) -> bool {
        bar.is_some_and(|b| self.fitness.is_bounded() && b.score.full && size >= b.size)
    }

    fn judge(&self, text: &str, number: u64, bar: Option<Bar>) -> Option<Found> {
        let case = match Case::from_text("script", text.as_bytes()) {
            Ok(case) => case,
            Err(e) => return Some(unreadable(&e.to_string())),
        };
        let file = self.folder.join(format!("run-{number}.smt2"));
        let found = self.found(&case, &file, bar);
        // Only solvers that read files have one.
        let _ = std::fs::remove_file(&file);
        found
    }
}

impl Judge<'_> {
    /// Runs the solvers on a case, again only where that can change the result.
    fn found(&self, case: &Case, file: &Path, bar: Option<Bar>) -> Option<Found> {
        let limit = self.meter.limit.as_secs_f64();
        let hopeless = |f: &Found| bar.is_some_and(|b| self.fitness.most(f, limit) < b.score.rank);
        let first = self.run(case, self.solver, file)?;
        let mut found = self.first(&first);
        if found.unfit.is_some() {
            return Some(found);
        }
        if !hopeless(&found) {
            self.again(case, self.solver, file, &first, &mut found)?;
            if let Some(other) = self.against.filter(|_| !hopeless(&found)) {
                self.other(case, other, file, &mut found)?;
            }
        }
        found.score = self.fitness.score(&found, limit);
        if let Some(why) = self.other_answer(case, &found) {
            found.unfit = Some(why);
        }
        Some(found)
    }

    /// Why a script does not have the answer that is searched for; none if it has.
    fn other_answer(&self, case: &Case, found: &Found) -> Option<String> {
        let wanted = self.answer?.code();
        let answer =
            if is_definite(&found.answer) { &found.answer } else { case.certificate.status().code() };
        let other = found.other.as_ref().map(|(_, a)| a.as_str()).filter(|a| is_definite(a));
        match is_definite(answer) {
            true => (answer != wanted).then(|| format!("it is {answer}")),
            false => (other != Some(wanted)).then(|| "its answer is unknown".into()),
        }
    }

    fn run(&self, case: &Case, solver: &Solver, file: &Path) -> Option<Measure> {
        measure(case, solver, &self.meter, file, self.cancel)
    }

    /// One measurement.
    fn first(&self, m: &Measure) -> Found {
        let bug = if m.judged.is_unsound() {
            Some(Bug::Certain(format!("{}: {}", m.judged.verdict(), m.judged.kind)))
        } else {
            m.crashed().then(|| Bug::Certain(format!("crash: {}", m.ending)))
        };
        let evidence = || m.judged.evidence.lines().next().unwrap_or("").to_owned();
        let missing = matches!(self.fitness, Fitness::Statistic(_)) && m.statistic.is_none() && !m.at_limit;
        let unfit = if m.failed() || bug.is_some() {
            Some(format!("{} ({}) {}", m.judged.kind, m.ending, evidence()).trim_end().to_owned())
        } else {
            missing.then(|| "the statistic is not printed".to_owned())
        };
        Found {
            time: m.time.as_secs_f64(),
            at_limit: m.at_limit,
            answer: if m.at_limit { "limit".into() } else { m.answer.code().into() },
            memory_kib: m.memory_kib,
            statistic: m.statistic,
            runs: 1,
            failed: unfit.is_some(),
            unfit,
            bug,
            ..Found::default()
        }
    }

    /// Measures again, where that can change the result; the median counts.
    fn again(&self, case: &Case, solver: &Solver, file: &Path, first: &Measure, f: &mut Found) -> Option<()> {
        let steady = matches!(self.fitness, Fitness::Statistic(_) | Fitness::Unknown);
        if first.at_limit || steady || first.time.as_secs_f64() <= super::fitness::FLOOR {
            return Some(());
        }
        let mut times = vec![first.time];
        for _ in 1..self.repeat {
            if times.iter().sum::<Duration>() >= STEADY {
                break;
            }
            times.push(self.run(case, solver, file)?.time);
        }
        let median = median(&mut times);
        f.runs = times.len() as u32;
        f.time = median.as_secs_f64();
        if times.len() > 1 {
            f.spread = Some((times[times.len() - 1] - times[0]).as_secs_f64() / f.time.max(1e-9));
        }
        Some(())
    }

    fn other(&self, case: &Case, other: &Solver, file: &Path, f: &mut Found) -> Option<()> {
        let first = self.run(case, other, file)?;
        let mut theirs = self.first(&first);
        self.again(case, other, file, &first, &mut theirs)?;
        if theirs.unfit.is_some() || theirs.at_limit || theirs.answer == "unknown" {
            let why = theirs.unfit.unwrap_or_else(|| theirs.answer.clone());
            f.unfit = Some(format!("{}: {why}", other.name));
            f.failed = theirs.failed;
        }
        if f.answer != theirs.answer && is_definite(&f.answer) && is_definite(&theirs.answer) {
            f.bug = Some(Bug::Disagreement(format!(
                "{} answers {}, {} answers {}",
                self.solver.name, f.answer, other.name, theirs.answer
            )));
        }
        f.other = Some((theirs.time, theirs.answer));
        Some(())
    }
}

/// Measurements end after this time: the noise of long runs is far below one rank.
const STEADY: Duration = Duration::from_secs(1);

/// The median; `times` are sorted.
fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[(times.len() - 1) / 2]
}

/// `sat` or `unsat`.
fn is_definite(answer: &str) -> bool {
    ["sat", "unsat"].contains(&answer)
}

fn unreadable(why: &str) -> Found {
    Found { answer: "none".into(), unfit: Some(why.into()), failed: true, ..Found::default() }
}
