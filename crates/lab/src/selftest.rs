//! The evaluator compared with other solvers on random ground terms; and random formulas with known answers for the built-in solver
//! ([`formulas`]).
//!
//! For each operator, random applications of it are generated (`generate`), our evaluator gives them values (`case`), and each
//! solver is queried, in batches, for a different value (`ask`). A disagreement is confirmed in a fresh process,
//! looked up among the `known` ones, and reduced (`shrink`).

mod ask;
mod case;
mod constants;
pub mod formulas;
mod generate;
mod key;
mod known;
mod query;
mod report;
mod shrink;
mod support;

pub use report::Comparison;

use crate::workers::{self, Done};
use crate::{Host, start_watchdog};
use anyhow::bail;
use ask::{Opinion, Session};
use campaign::process::Cancel;
use campaign::profile::{self, Solver};
use case::Case;
use generate::Subject;
use known::Known;
use report::{Finding, Report, Tally};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use support::Support;

/// Cases in one query to a solver.
const BATCH: u64 = 250;
/// After this many new disagreements on one operator a solver is not queried about it again.
const MAX_FINDINGS: usize = 25;

/// The options of a comparison.
#[derive(Clone, Debug)]
pub struct Options {
    /// The solvers, as on the command line; if there are none, z3 and cvc5.
    pub solvers: Vec<String>,
    /// Applications of each operator.
    pub count: u64,
    /// The number of the first application.
    pub from: u64,
    /// Only these operators, or `literal`.
    pub operators: Vec<String>,
    /// The seed of random choices.
    pub seed: u64,
    /// Maximum nesting depth of arguments.
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
    let _watchdog = start_watchdog()?;
    let solvers = solvers(&options.solvers)?
        .into_iter()
        .map(|s| Support::of(s, host.cancel))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let start = Instant::now();
    let run = Run {
        options,
        subjects: &subjects,
        solvers: &solvers,
        known: &known,
        next: AtomicUsize::new(0),
        done: Done::new(host.progress),
        report: Mutex::default(),
        cancel: host.cancel,
    };
    let report = run.all()?;
    let stopped = host.cancel.is_cancelled();
    Ok(Comparison { subjects, solvers, options: options.clone(), stopped, elapsed: start.elapsed(), report })
}

fn subjects(names: &[String]) -> anyhow::Result<Vec<Subject>> {
    for name in names {
        if !Subject::all().any(|s| s.is_called(name)) {
            let known: Vec<String> = Subject::all().map(|s| s.label().to_string()).collect();
            bail!(smt::diag::unknown_name("operator", name, known.iter().map(String::as_str)));
        }
    }
    let wanted = |s: &Subject| names.is_empty() || names.iter().any(|name| s.is_called(name));
    Ok(Subject::all().filter(wanted).collect())
}

/// Solvers for a comparison, and the variables with their programs.
const DEFAULT: [(&str, &str); 2] = [("z3", "STRINGENT_Z3"), ("cvc5", "STRINGENT_CVC5")];

/// The solvers that are named; otherwise z3 and cvc5, from the environment or as installed.
fn solvers(given: &[String]) -> anyhow::Result<Vec<Solver>> {
    if !given.is_empty() {
        return given.iter().map(|spec| Ok(profile::resolve(spec)?)).collect();
    }
    let mut solvers = Vec::new();
    for (name, variable) in DEFAULT {
        match std::env::var(variable).ok().filter(|p| !p.is_empty()) {
            Some(program) => solvers.push(profile::resolve(&format!("{name}='{program}'"))?),
            None => solvers.extend(profile::resolve(name)),
        }
    }
    if solvers.is_empty() {
        bail!("no solver to compare with: name one with --solver, or set STRINGENT_Z3 or STRINGENT_CVC5");
    }
    Ok(solvers)
}

/// State shared by the threads.
struct Run<'a> {
    options: &'a Options,
    subjects: &'a [Subject],
    solvers: &'a [Support],
    known: &'a Known,
    /// The next batch, counted through all operators.
    next: AtomicUsize,
    report: Mutex<Report>,
    /// Applications that are done.
    done: Done<'a>,
    cancel: &'a Cancel,
}

impl Run<'_> {
    fn all(self) -> anyhow::Result<Report> {
        workers::run(self.options.jobs, || self.work())?;
        let mut report = self.report.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        report.findings.sort_by_key(|f| (f.solver, f.case.subject.label(), f.case.index));
        Ok(report)
    }

    fn work(&self) -> anyhow::Result<()> {
        let sessions = self.solvers.iter().map(|s| Session::new(s, self.cancel));
        let mut sessions = sessions.collect::<anyhow::Result<Vec<_>>>()?;
        let batches = self.options.count.div_ceil(BATCH) as usize;
        while !self.cancel.is_cancelled() {
            let n = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&subject) = n.checked_div(batches).and_then(|o| self.subjects.get(o)) else {
                break;
            };
            let first = (n % batches) as u64 * BATCH;
            let last = (first + BATCH).min(self.options.count);
            let indices = self.options.from + first..self.options.from + last;
            let report = self.batch(n / batches, subject, indices, &mut sessions);
            self.lock().merge(report);
            self.done.add(last - first);
        }
        Ok(())
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

    /// A solver has [`MAX_FINDINGS`] disagreements on this.
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
        // The smallest case of a long session must be confirmed by a fresh process.
        let (minimal, theirs) = match session.confirm(&minimal) {
            Opinion::Differs(value) => (minimal, value),
            _ => (case.clone(), theirs),
        };
        Finding { solver: s, case: case.clone(), minimal, theirs }
    }
}
