//! `stringent selftest`: compares the evaluator with real solvers on random ground terms.
//!
//! For each operator, random applications of it are made (`generate`), our evaluator gives them values
//! (`case`), and each solver is asked, many at a time, whether it can be otherwise (`ask`). What it disagrees
//! with is confirmed in a fresh process, looked up among the `known` disagreements, and made small (`shrink`).

mod ask;
mod case;
mod constants;
mod dice;
mod formulas;
mod generate;
mod known;
mod report;
mod shrink;
mod solver;
mod support;

use crate::Outcome;
use crate::render::{self, Format};
use anyhow::{Context as _, bail};
use ask::{Opinion, Session};
use case::Case;
use generate::Subject;
use indicatif::{ProgressBar, ProgressStyle};
use known::Known;
use report::{Finding, Frame, Report, Tally};
use solver::Spec;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use support::Profile;

/// Cases that are put to a solver as one question.
const BATCH: u64 = 250;
/// After so many new disagreements on one operator a solver is not asked about it any more.
const ENOUGH: usize = 25;

/// Compare the evaluator with real solvers on random ground terms.
///
/// Each operator is applied to random arguments without variables, nested and full of corner cases. A solver
/// agrees with our value if it finds that there is no other. Applications follow from the seed, the operator and
/// their number alone.
///
/// `stringent selftest solver` is about the built-in solver instead: see there.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  stringent selftest --solver \"z3=z3 -in\" --solver \"cvc5=cvc5 --incremental --strings-exp --quiet -\"\n  \
    stringent selftest --operator str.indexof --count 100000 --cases disagreements/\n\n\
    Exit codes: 0 no disagreement that is not known, 10 there is one, 11 a solver agreed with nothing at all, \
    2 a solver cannot be started or bad usage."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// A solver that reads SMT-LIB from its standard input, as NAME=COMMAND; may be given more than once
    /// (default: the programs in STRINGENT_Z3 and STRINGENT_CVC5)
    #[arg(long, value_name = "NAME=COMMAND")]
    solver: Vec<String>,
    /// Applications of each operator
    #[arg(long, default_value_t = 1000)]
    count: u64,
    /// The number of the first application
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Only this operator, or `literal` for the reading of string literals; may be given more than once
    #[arg(long, value_name = "OP", allow_hyphen_values = true)]
    operator: Vec<String>,
    /// What the random choices start from
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How deep arguments are nested, at most
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=8))]
    depth: u8,
    /// Processes of each solver at a time (default: one per processor)
    #[arg(long)]
    jobs: Option<usize>,
    /// Write each new disagreement to this directory, as a script
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// Output form
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(clap::Subcommand)]
enum Verb {
    /// Put random formulas of known truth to the built-in solver
    Solver(formulas::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    if let Some(Verb::Solver(args)) = &args.verb {
        return formulas::run(args);
    }
    let subjects = subjects(&args.operator)?;
    let known = Known::built_in()?;
    let specs = specs(&args.solver)?;
    let profiles = specs.iter().map(Profile::of).collect::<anyhow::Result<Vec<_>>>()?;
    let start = Instant::now();
    let run = Run {
        args,
        subjects: &subjects,
        profiles: &profiles,
        known: &known,
        next: AtomicUsize::new(0),
        report: Mutex::default(),
        progress: progress(subjects.len() as u64 * args.count),
    };
    let report = run.all();
    let frame = Frame {
        subjects: &subjects,
        profiles: &profiles,
        seed: args.seed,
        from: args.from,
        count: args.count,
        depth: args.depth.into(),
        elapsed: start.elapsed(),
    };
    if let Some(dir) = &args.cases {
        write_cases(dir, &frame, &report)?;
    }
    match args.format {
        Format::Text => frame.text(&report)?,
        Format::Json => frame.json(&report)?,
    }
    Ok(outcome(&report, profiles.len()))
}

fn outcome(report: &Report, solvers: usize) -> Outcome {
    let silent = |s: &usize| {
        let total = report.total(*s);
        total.asked > 0 && total.agree == 0
    };
    if !report.findings.is_empty() {
        Outcome::Found
    } else if (0..solvers).any(|s| silent(&s)) {
        Outcome::Open
    } else {
        Outcome::Clean
    }
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

/// A bar on stderr, if that is a terminal.
fn progress(total: u64) -> ProgressBar {
    let template = "{bar:40} {pos}/{len} applications, {per_sec}, {eta} left";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(total).with_style(style)
}

fn write_cases(dir: &Path, frame: &Frame<'_>, report: &Report) -> anyhow::Result<()> {
    std::fs::create_dir_all(dir).with_context(|| format!("cannot make `{}`", dir.display()))?;
    let distinct = report.distinct();
    for finding in &distinct {
        let path = dir.join(frame.file_name(finding));
        std::fs::write(&path, frame.script(finding))
            .with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    render::notice(&format!("{} disagreements written to {}", distinct.len(), dir.display()));
    Ok(())
}

/// What the threads share.
struct Run<'a> {
    args: &'a Args,
    subjects: &'a [Subject],
    profiles: &'a [Profile],
    known: &'a Known,
    /// The next batch, counted through all operators.
    next: AtomicUsize,
    report: Mutex<Report>,
    progress: ProgressBar,
}

impl Run<'_> {
    fn all(self) -> Report {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let jobs = self.args.jobs.unwrap_or(processors).max(1);
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(|| self.work())).collect();
            for worker in workers {
                if let Err(panic) = worker.join() {
                    std::panic::resume_unwind(panic);
                }
            }
        });
        self.progress.finish_and_clear();
        let mut report = self.report.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        report.findings.sort_by_key(|f| (f.solver, f.case.subject.label(), f.case.index));
        report
    }

    fn work(&self) {
        let mut sessions: Vec<Session<'_>> = self.profiles.iter().map(Session::new).collect();
        let batches = self.args.count.div_ceil(BATCH) as usize;
        loop {
            let n = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&subject) = n.checked_div(batches).and_then(|o| self.subjects.get(o)) else {
                return;
            };
            let first = (n % batches) as u64 * BATCH;
            let last = (first + BATCH).min(self.args.count);
            let indices = self.args.from + first..self.args.from + last;
            let report = self.batch(n / batches, subject, indices, &mut sessions);
            self.lock().merge(report);
            self.progress.inc(last - first);
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
        let depth = self.args.depth.into();
        let cases = case::cases(subject, self.args.seed, depth, indices, &mut report.discarded);
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
        self.lock().findings.iter().filter(same).count() >= ENOUGH
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
                let depth = self.args.depth.into();
                if self.known.explains(session, case, self.args.seed, depth) {
                    tally.known += 1;
                    return;
                }
                tally.new += 1;
                report.findings.push(self.finding(s, session, case, theirs));
            }
        }
    }

    fn finding(&self, s: usize, session: &mut Session<'_>, case: &Case, theirs: Option<String>) -> Finding {
        let minimal = shrink::shrink(session, case, self.args.seed, self.args.depth.into());
        // What a long session finds small must stand in a fresh process, too.
        let (minimal, theirs) = match session.confirm(&minimal) {
            Opinion::Differs(value) => (minimal, value),
            _ => (case.clone(), theirs),
        };
        Finding { solver: s, case: case.clone(), minimal, theirs }
    }
}
