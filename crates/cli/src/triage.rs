//! `stringent triage`: the failures of a campaign in groups by cause.

use crate::Outcome;
use crate::bar::{self, Bar};
use crate::limits::seconds;
use crate::render;
use anyhow::{Context as _, bail};
use bugs::triage::{Options, Summary, triage};
use campaign::clean::shell;
use campaign::folder::Lock;
use campaign::host::Host;
use campaign::job::{self, Job};
use campaign::known::known_issues;
use campaign::outcome::Kind;
use campaign::process::{Cancel, Watchdog};
use campaign::profile::KnownIssue;
use campaign::project::Project;
use campaign::store::Store;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

/// Group the failures of a campaign by cause.
///
/// Every failure is run again and reduced, unless it is the same as another one; failures with one cause, as far as can be
/// judged, become one finding with the smallest formula. Findings are ranked: wrong unsat, wrong sat, invalid models, unsound cores, crashes, errors.
/// They are kept in the store, with their numbers; reports show them. A triage that was stopped goes on when it is started again.
/// docs/triage.md says how causes are judged.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// The store that `test` or `run` wrote [default: the newest in stringent-results]
    store: Option<PathBuf>,
    /// Only failures of this solver, by its name in the campaign; may be repeated
    #[arg(long, value_name = "NAME")]
    solver: Vec<String>,
    /// Only failures of this kind, as in `wrong-unsat` or `crash`; may be repeated [default: wrong results and errors]
    #[arg(long, value_name = "KIND", value_parser = kind)]
    kind: Vec<Kind>,
    /// Also runs that hit the time limit
    #[arg(long)]
    slow: bool,
    /// Time for the reduction of each failure, in seconds of CPU time; representatives get more
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value_t = 30.0, allow_negative_numbers = true)]
    budget: f64,
    /// Failures at a time [default: the number of cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    jobs: Option<u16>,
    /// Find the first bad version, the fixed one, and the options that each finding needs; see `stringent bisect`
    #[arg(long)]
    bisect: bool,
    /// Seeds with which each finding is run, to see how often it fails
    #[arg(long, value_name = "N", default_value_t = 10)]
    seeds: u32,
    /// A solver that confirms `unsat`; may be repeated [default: the newest cvc5 and z3 that are there]
    #[arg(long, value_name = "SPEC")]
    second: Vec<String>,
    /// Known issues, besides those of the profiles; may be repeated [default: those of stringent.toml]
    #[arg(long, value_name = "FILE")]
    known: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Examine all failures again
    #[arg(long)]
    again: bool,
    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

/// Output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, clap::ValueEnum)]
enum Format {
    /// For a terminal.
    #[default]
    Text,
    /// One JSON document, for programs.
    Json,
    /// For a page or an issue.
    Markdown,
}

const HELP: &str = "\
Examples:
  stringent triage
  stringent triage paper.store --solver z3str3-4.8.0 --kind wrong-unsat
  stringent triage paper.store --bisect --seeds 20 --format markdown
  stringent triage paper.store --known our-issues.toml
  stringent test --solver z3@4.8.12 --triage        # campaign, triage and report in one command

Exit codes: 10 there are findings, 0 there are no failures, 11 there are failures, but none could be examined, or stopped before there was a finding, \
2 usage or bad input, 4 output cannot be written.";

fn kind(text: &str) -> Result<Kind, String> {
    let names = || Kind::ALL.iter().map(|k| k.code());
    Kind::from_code(text).ok_or_else(|| match smt::diag::did_you_mean(text, names()) {
        Some(near) => format!("there is no such kind; did you mean `{near}`?"),
        None => "there is no such kind; as in `wrong-unsat`, `wrong-sat`, `invalid-model`, `unsound-core`, `crash`".into(),
    })
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let path = match &args.store {
        Some(path) => path.clone(),
        None => job::newest().context("no campaign in stringent-results/; name a store")?,
    };
    if !Store::exists(&path) {
        bail!("there is no store `{}`", path.display());
    }
    let options = args.options()?;
    let mut store = Store::open(&path)?;
    let _lock = Lock::acquire(&path)?;
    let bar = bar(args.quiet);
    let _watchdog = watchdog()?;
    let summary = bar::with_host(&bar, |host| triage(&mut store, &options, host))?;
    let mut out = anstream::stdout().lock();
    match args.format {
        Format::Text => write!(out, "{}", summary.text())?,
        Format::Json => writeln!(out, "{:#}", summary.json())?,
        Format::Markdown => write!(out, "{}", summary.markdown())?,
    }
    Ok(outcome(&summary))
}

/// Triage as a part of a campaign, whose store is locked already.
pub(crate) fn after_campaign(job: &mut Job, quiet: bool, cancel: &Cancel) -> anyhow::Result<()> {
    let known = match Project::find(&std::env::current_dir().context("cannot find the current folder")?)? {
        Some(project) => users(&project.known().into_iter().collect::<Vec<_>>())?,
        None => Vec::new(),
    };
    let options = Options { jobs: job.settings.jobs, known, ..Options::default() };
    let bar = bar(quiet);
    let _watchdog = watchdog()?;
    let summary = triage(&mut job.store, &options, &Host { progress: &bar, cancel });
    bar.finish();
    let summary = summary?;
    render::notice(&format!("triage: {}", summary.verdict()));
    if summary.stopped {
        let store = shell(&summary.store.display().to_string());
        render::notice(&format!("triage was stopped; to go on: stringent triage {store}"));
    }
    Ok(())
}

fn outcome(summary: &Summary) -> Outcome {
    match (summary.findings.is_empty(), summary.open.is_empty() && !summary.stopped) {
        (false, _) => Outcome::Found,
        (true, true) => Outcome::Clean,
        (true, false) => Outcome::Undetermined,
    }
}

fn bar(quiet: bool) -> Bar {
    Bar::new(0, "{spinner} {msg}").lines(quiet)
}

/// Ends solvers if this process is killed.
fn watchdog() -> anyhow::Result<Option<Watchdog>> {
    Watchdog::own_command().as_deref().map(Watchdog::start).transpose().context("cannot start the watchdog")
}

fn users(files: &[PathBuf]) -> anyhow::Result<Vec<KnownIssue>> {
    let mut all = Vec::new();
    for file in files {
        all.extend(known_issues(file)?);
    }
    Ok(all)
}

impl Args {
    fn options(&self) -> anyhow::Result<Options> {
        let mut files = self.known.clone();
        if files.is_empty() {
            let here = std::env::current_dir().context("cannot find the current folder")?;
            files.extend(Project::find(&here)?.and_then(|p| p.known()));
        }
        let defaults = Options::default();
        Ok(Options {
            solvers: self.solver.clone(),
            kinds: self.kind.clone(),
            slow: self.slow,
            budget: Duration::from_secs_f64(self.budget),
            jobs: self.jobs.map_or(defaults.jobs, usize::from),
            seeds: self.seeds,
            bisect: self.bisect,
            seconds: self.second.clone(),
            known: users(&files)?,
            again: self.again,
            ..defaults
        })
    }
}
