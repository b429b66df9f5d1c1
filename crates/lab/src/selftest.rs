//! The evaluator compared with other solvers on random ground terms; and random formulas of known truth for the built-in solver
//! ([`formulas`]).
//!
//! For each operator, random applications of it are generated (`generate`), our evaluator gives them values (`case`), and each
//! solver is asked, many at a time, whether they can have another value (`ask`). A disagreement is confirmed in a fresh process,
//! looked up among the `known` ones, and made small (`shrink`).

mod ask;
mod case;
mod constants;
pub mod formulas;
mod generate;
mod key;
mod known;
mod report;
mod shrink;
mod solver;
mod support;

pub use report::Comparison;

use crate::{Host, Progress};
use anyhow::bail;
use ask::{Opinion, Session};
use case::Case;
use generate::Subject;
use known::Known;
use report::{Finding, Report, Tally};
use solver::Spec;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;
use support::Profile;

/// Cases in one query to a solver.
const BATCH: u64 = 250;
/// After this many new disagreements on one operator a solver is not asked about it any more.
const MAX_FINDINGS: usize = 25;

/// What to compare.
#[derive(Clone, Debug)]
pub struct Options {
    /// The solvers; if there are none, those of the environment.
    pub solvers: Vec<String>,
    /// Applications of each operator.
    pub count: u64,
    /// The number of the first application.
    pub from: u64,
    /// Only these operators, or `literal`.
    pub operators: Vec<String>,
    /// The seed of random choices.
    pub seed: u64,
    /// How deep arguments are nested, at most.
    pub depth: u8,
    /// Processes of each solver at a time; one per core if there is none.
    pub jobs: Option<usize>,
}

/// The number of applications that [`run`] generates.
pub fn total(options: &Options) -> anyhow::Result<u64> {
    Ok(subjects(&options.operators)?.len() as u64 * options.count)
}

/// Compares the evaluator with solvers.
pub fn run(options: &Options, host: &Host<'_>) -> anyhow::Result<Comparison> {
    let subjects = subjects(&options.operators)?;
    let known = Known::built_in()?;
    let specs = specs(&options.solvers)?;
    let profiles = specs.iter().map(Profile::of).collect::<anyhow::Result<Vec<_>>>()?;
    let start = Instant::now();
    let run = Run {
        options,
        subjects: &subjects,
        profiles: &profiles,
        known: &known,
        next: AtomicUsize::new(0),
        done: AtomicU64::new(0),
        report: Mutex::default(),
        progress: host.progress,
    };
    let report = run.all();
    Ok(Comparison { subjects, profiles, options: options.clone(), elapsed: start.elapsed(), report })
}

fn subjects(names: &[String]) -> anyhow::Result<Vec<Subject>> {
    for name in names {
        if !Subject::all().any(|s| s.is_called(name)) {
            bail!("there is no operator `{name}`");
        }
    }
    let wanted = |s: &Subject| names.is_empty() || names.iter().any(|name| s.is_called(name));
    Ok(Subject::all().filter(wanted).collect())
}

/// The solvers on the command line, else those of the environment.
fn specs(given: &[String]) -> anyhow::Result<Vec<Spec>> {
    if !given.is_empty() {
        return given.iter().map(|text| Spec::parse(text)).collect();
    }
    let from_environment = [
        ("z3", "STRINGENT_Z3", &["-in"][..]),
        ("cvc5", "STRINGENT_CVC5", &["--incremental", "--strings-exp", "--quiet", "-"][..]),
    ];
    let specs: Vec<Spec> = from_environment
        .into_iter()
        .filter_map(|(name, variable, options)| {
            let program = std::env::var(variable).ok().filter(|p| !p.is_empty())?;
            let command = [program].into_iter().chain(options.iter().map(|&o| o.into()));
            Some(Spec::new(name, command.collect()))
        })
        .collect();
    if specs.is_empty() {
        bail!("no solver to compare with: give --solver, or set STRINGENT_Z3 or STRINGENT_CVC5");
    }
    Ok(specs)
}

/// What the threads share.
struct Run<'a> {
    options: &'a Options,
    subjects: &'a [Subject],
    profiles: &'a [Profile],
    known: &'a Known,
    /// The next batch, counted through all operators.
    next: AtomicUsize,
    report: Mutex<Report>,
    /// Applications that are done.
    done: AtomicU64,
    progress: &'a dyn Progress,
}

impl Run<'_> {
    fn all(self) -> Report {
        let jobs = self.options.jobs.unwrap_or_else(campaign::provenance::cores).max(1);
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(|| self.work())).collect();
            for worker in workers {
                if let Err(panic) = worker.join() {
                    std::panic::resume_unwind(panic);
                }
            }
        });
        let mut report = self.report.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        report.findings.sort_by_key(|f| (f.solver, f.case.subject.label(), f.case.index));
        report
    }

    fn work(&self) {
        let mut sessions: Vec<Session<'_>> = self.profiles.iter().map(Session::new).collect();
        let batches = self.options.count.div_ceil(BATCH) as usize;
        loop {
            let n = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&subject) = n.checked_div(batches).and_then(|o| self.subjects.get(o)) else {
                return;
            };
            let first = (n % batches) as u64 * BATCH;
            let last = (first + BATCH).min(self.options.count);
            let indices = self.options.from + first..self.options.from + last;
            let report = self.batch(n / batches, subject, indices, &mut sessions);
            self.lock().merge(report);
            let done = self.done.fetch_add(last - first, Ordering::Relaxed) + last - first;
            self.progress.update(done, &String::new);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Report> {
        self.report.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn batch(
        &self,
        place: usize,
        subject: Subject,
        indices: std::ops::Range<u64>,
        sessions: &mut [Session<'_>],
    ) -> Report {
        let mut report = Report::default();
        let depth = self.options.depth.into();
        let cases = case::cases(subject, self.options.seed, depth, indices, &mut report.discarded);
        for (s, session) in sessions.iter_mut().enumerate() {
            let mut tally = Tally::default();
            if self.enough(subject, s) {
                tally.skipped = cases.len() as u64;
            } else {
                let opinions = session.ask(&cases);
                for (case, opinion) in cases.iter().zip(opinions) {
                    self.count(s, session, case, opinion, &mut tally, &mut report);
                }
            }
            report.tallies.insert((place, s), tally);
        }
        report
    }

    /// A solver has disagreed often enough on this.
    fn enough(&self, subject: Subject, solver: usize) -> bool {
        let same = |f: &&Finding| f.solver == solver && f.case.subject == subject;
        self.lock().findings.iter().filter(same).count() >= MAX_FINDINGS
    }

    fn count(
        &self,
        s: usize,
        session: &mut Session<'_>,
        case: &Case,
        opinion: Opinion,
        tally: &mut Tally,
        report: &mut Report,
    ) {
        tally.asked += 1;
        match opinion {
            Opinion::Agrees => tally.agree += 1,
            Opinion::Undecided(reason) => {
                tally.undecided += 1;
                report.note(s, reason, case);
            }
            Opinion::NotApplicable(reason) => {
                tally.asked -= 1;
                tally.not_applicable += 1;
                report.note(s, reason, case);
            }
            Opinion::Differs(theirs) => {
                let depth = self.options.depth.into();
                if self.known.explains(session, case, self.options.seed, depth) {
                    tally.known += 1;
                    return;
                }
                tally.new += 1;
                report.findings.push(self.finding(s, session, case, theirs));
            }
        }
    }

    fn finding(&self, s: usize, session: &mut Session<'_>, case: &Case, theirs: Option<String>) -> Finding {
        let minimal = shrink::shrink(session, case, self.options.seed, self.options.depth.into());
        // What a long session finds small must stand in a fresh process, too.
        let (minimal, theirs) = match session.confirm(&minimal) {
            Opinion::Differs(value) => (minimal, value),
            _ => (case.clone(), theirs),
        };
        Finding { solver: s, case: case.clone(), minimal, theirs }
    }
}
