//! Judging scripts: as few runs of the solver as will do.

use super::fitness::{Bug, Fitness, Found, Score};
use campaign::case::Case;
use campaign::measure::{Measure, Meter, measure};
use campaign::outcome::Answer;
use campaign::process::Cancel;
use campaign::profile::Solver;
use std::path::Path;
use std::time::Duration;

/// Asks solvers.
pub(super) struct Judge<'a> {
    pub(super) solver: &'a Solver,
    pub(super) against: Option<&'a Solver>,
    pub(super) fitness: Fitness,
    pub(super) meter: Meter,
    pub(super) repeat: u32,
    /// The answer that is wanted.
    pub(super) answer: Option<Answer>,
    /// For solvers that read files.
    pub(super) folder: &'a Path,
    pub(super) cancel: &'a Cancel,
}

/// What a newcomer has to beat: the last of those who would survive, and its size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bar {
    pub(super) score: Score,
    pub(super) size: usize,
}

impl Judge<'_> {
    /// A script that need not be run: there is no place for one of its size.
    pub(super) fn is_hopeless(&self, size: usize, bar: Option<Bar>) -> bool {
        bar.is_some_and(|b| self.fitness.is_bounded() && b.score.full && size >= b.size)
    }

    /// Measures a script. `number` tells concurrent calls apart. None if it was stopped from outside.
    pub(super) fn judge(&self, text: &str, number: u64, bar: Option<Bar>) -> Option<Found> {
        let limit = self.meter.limit.as_secs_f64();
        let case = match Case::from_text("script", text.as_bytes()) {
            Ok(case) => case,
            Err(e) => return Some(unreadable(&e.to_string())),
        };
        let file = self.folder.join(format!("run-{number}.smt2"));
        let first = self.ask(&case, self.solver, &file)?;
        let mut found = self.found(&first);
        if found.unfit.is_none() {
            let hopeless = |f: &Found| bar.is_some_and(|b| self.fitness.most(f, limit) < b.score.rank);
            if !hopeless(&found) {
                self.again(&case, self.solver, &file, &first, &mut found)?;
                if let Some(other) = self.against.filter(|_| !hopeless(&found)) {
                    self.other(&case, other, &file, &mut found)?;
                }
            }
            found.score = self.fitness.score(&found, limit);
            let known = case.certificate.status().code();
            let told = |a: &str| ["sat", "unsat"].contains(&a);
            let answer = if told(&found.answer) { &found.answer } else { known };
            let other = found.other.as_ref().map(|(_, a)| a.as_str()).filter(|a| told(a));
            match self.answer {
                Some(wanted) if !told(answer) && other.unwrap_or("") != wanted.code() => {
                    found.unfit = Some("its answer is not known".into());
                }
                Some(wanted) if told(answer) && answer != wanted.code() => {
                    found.unfit = Some(format!("it is {answer}"));
                }
                _ => {}
            }
        }
        let _ = std::fs::remove_file(&file);
        Some(found)
    }

    fn ask(&self, case: &Case, solver: &Solver, file: &Path) -> Option<Measure> {
        measure(case, solver, &self.meter, file, self.cancel)
    }

    fn found(&self, m: &Measure) -> Found {
        let bug = if m.judged.is_unsound() {
            Some(Bug::Certain(format!("{}: {}", m.judged.verdict(), m.judged.kind)))
        } else {
            m.crashed().then(|| Bug::Certain(format!("crash: {}", m.ending)))
        };
        let said = || m.judged.evidence.lines().next().unwrap_or("").to_owned();
        let missing = matches!(self.fitness, Fitness::Statistic(_)) && m.statistic.is_none() && !m.at_limit;
        let unfit = if m.failed() || bug.is_some() {
            Some(format!("{} ({}) {}", m.judged.kind, m.ending, said()).trim_end().to_owned())
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

    /// More measurements, if they can matter; the median is taken.
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
            times.push(self.ask(case, solver, file)?.time);
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
        let first = self.ask(case, other, file)?;
        let mut theirs = self.found(&first);
        self.again(case, other, file, &first, &mut theirs)?;
        if theirs.unfit.is_some() || theirs.at_limit || theirs.answer == "unknown" {
            let why = theirs.unfit.unwrap_or_else(|| theirs.answer.clone());
            f.unfit = Some(format!("{}: {why}", other.name));
            f.failed = theirs.failed;
        }
        if f.answer != theirs.answer
            && [&f.answer, &theirs.answer].iter().all(|a| ["sat", "unsat"].contains(&a.as_str()))
        {
            f.bug = Some(Bug::Disagreement(format!(
                "{} says {}, {} says {}",
                self.solver.name, f.answer, other.name, theirs.answer
            )));
        }
        f.other = Some((theirs.time, theirs.answer));
        Some(())
    }
}

/// After so much time no more is measured: the noise of long runs is far below what counts as a difference.
const STEADY: Duration = Duration::from_secs(1);

/// The median; sorts.
fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[(times.len() - 1) / 2]
}

fn unreadable(why: &str) -> Found {
    Found { answer: "none".into(), unfit: Some(why.into()), failed: true, ..Found::default() }
}
