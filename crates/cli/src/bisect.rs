//! `stringent bisect`: the versions and options of a solver on which a script fails.

use crate::bar::{self, Bar};
use crate::limits::{count, mebibytes, seconds};
use crate::{Outcome, input, render};
use anyhow::{Context as _, bail};
use bugs::bisect::{self, Bench, Bisection, Failure, Matrix, Options, verdict};
use bugs::doc::Doc;
use campaign::finding::{Cell, Finding};
use campaign::host::Host;
use campaign::process::Watchdog;
use campaign::profile::Version;
use semantics::{Certificate, Status};
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Find the versions and options of a solver on which scripts fail.
///
/// Runs the newest, the given and the oldest version, then searches by bisection for the first bad version, the last good one before it, and
/// the first good one after it; the neighbours of each change are checked. Versions are installed when they are needed, from the
/// package registry that the solver's profile names. A file is a script or a `bug.json`; a failure counts only if it is proved, by the
/// certificate of the script, by its known answer, or by the referee.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Scripts, in any dialect, `bug.json` files, or folders of scripts
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The solver: NAME, or NAME@VERSION for a version that fails [default: that of a bug.json]
    #[arg(long, short, value_name = "SPEC")]
    solver: Option<String>,
    /// The failure: wrong, model, core, crash, error, unknown or slow [default: that of the given version, else any wrong result or
    /// crash]
    #[arg(long, value_name = "KIND", value_parser = failure)]
    keep: Option<Failure>,
    /// The answer of the scripts, sat or unsat; checked as far as possible
    #[arg(long, value_name = "ANSWER", value_parser = status)]
    expect: Option<Status>,
    /// Only versions from A to B; either may be left out
    #[arg(long, value_name = "A..B", value_parser = range, conflicts_with = "only")]
    versions: Option<Range>,
    /// Only these versions
    #[arg(long, value_name = "V,…", value_delimiter = ',', value_parser = version)]
    only: Vec<Version>,
    /// Run every version
    #[arg(long)]
    all: bool,
    /// Run every version of every script, and print only the table
    #[arg(long)]
    matrix: bool,
    /// Use installed versions only
    #[arg(long)]
    offline: bool,
    /// Do not look for the options that the failure needs
    #[arg(long)]
    no_options: bool,
    /// Write the result into the bug.json files
    #[arg(long)]
    update: bool,
    /// Time for a run, in seconds
    #[arg(long, alias = "time-limit", value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds, allow_negative_numbers = true)]
    time: f64,
    /// Memory for a run, in MiB; 0 for no limit
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = mebibytes, allow_negative_numbers = true)]
    memory_limit: u64,
    /// Runs of the given version with different seeds; if not all fail, every version is run with five seeds
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// Runs at a time [default: the number of cores]
    #[arg(long, short, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    jobs: Option<u64>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

const HELP: &str = "\
Examples:
  stringent bisect bug.smt2 --solver z3@5.4.0
  stringent bisect bug.smt2 --solver z3 --offline        # installed versions only
  stringent bisect bug.json --update
  stringent bisect bugs/ --solver z3 --matrix --format markdown
  stringent bisect bug.smt2 --solver z3@4.8.6 --versions 4.8.0..4.8.17 --all

Exit codes: 10 the newest version fails, 0 it does not, 11 undetermined (it is slow, answers unknown, or cannot be \
run), 2 usage or bad input (a file that cannot be read, a solver without versions).";

/// Output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, clap::ValueEnum)]
enum Format {
    /// For a terminal.
    #[default]
    Text,
    /// Markdown.
    Markdown,
    /// One JSON document, for programs.
    Json,
}

#[derive(Clone, Debug)]
struct Range(Option<Version>, Option<Version>);

fn version(text: &str) -> Result<Version, String> {
    Version::parse(text).ok_or_else(|| "a version is a number such as 4.8.6".into())
}

fn range(text: &str) -> Result<Range, String> {
    let (from, to) = text.split_once("..").ok_or("write two versions, as in 4.8.0..4.8.17")?;
    let bound = |text: &str| if text.is_empty() { Ok(None) } else { version(text).map(Some) };
    Ok(Range(bound(from)?, bound(to)?))
}

fn failure(text: &str) -> Result<Failure, String> {
    let names: Vec<&str> = Failure::ALL.iter().map(|f| f.name()).collect();
    Failure::named(text).ok_or_else(|| format!("one of {}", names.join(", ")))
}

fn status(text: &str) -> Result<Status, String> {
    match text {
        "sat" => Ok(Status::Sat),
        "unsat" => Ok(Status::Unsat),
        _ => Err("sat or unsat".into()),
    }
}

/// A file to bisect.
struct Item {
    path: PathBuf,
    name: String,
    source: Source,
}

enum Source {
    Script(Vec<u8>, Box<Doc>),
    Finding(Box<Finding>),
}

impl Args {
    fn options(&self) -> Options {
        let Range(from, to) = self.versions.clone().unwrap_or(Range(None, None));
        let default = Options::default();
        Options {
            time: Duration::from_secs_f64(self.time),
            memory: (self.memory_limit > 0).then_some(self.memory_limit << 20),
            repeat: self.repeat,
            all: self.all || self.matrix,
            from,
            to,
            only: self.only.clone(),
            offline: self.offline,
            jobs: self.jobs.map_or(default.jobs, |n| n as usize),
            minimise: !self.no_options && !self.matrix,
        }
    }

    /// The solver that is named, or that all findings have in common.
    fn spec(&self, items: &[Item]) -> anyhow::Result<String> {
        if let Some(spec) = &self.solver {
            return Ok(spec.clone());
        }
        let specs: Vec<&str> = items
            .iter()
            .filter_map(|item| match &item.source {
                Source::Finding(f) => Some(f.solver.spec.as_str()),
                Source::Script(..) => None,
            })
            .collect();
        if specs.len() < items.len() {
            bail!("name the solver: `--solver z3`, or `--solver z3@VERSION` for a version that fails");
        }
        let lines: Vec<String> = specs.iter().map(|s| bisect::line_of(s)).collect();
        match lines.first() {
            Some(first) if lines.iter().all(|l| l == first) => Ok(first.clone()),
            _ => bail!(
                "the findings are of different solvers: bisect them one by one, or name one with --solver"
            ),
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let paths = input::files(&args.files)?;
    let items = paths.iter().map(|p| read(p)).collect::<anyhow::Result<Vec<Item>>>()?;
    if items.is_empty() {
        bail!("there is no script in these folders");
    }
    let spec = args.spec(&items)?;
    let bar = Bar::new(0, "{spinner} {pos} runs  {elapsed}  {wide_msg}").lines(args.quiet);
    let _watchdog =
        Watchdog::own_command().as_deref().map(Watchdog::start).transpose().context("cannot start")?;
    bar::with_host(&bar, |host| {
        let bench = Bench::open(&spec, &args.options(), host)?;
        let named = bench.named()?;
        let mut found = Vec::with_capacity(items.len());
        for item in &items {
            found.push(one(args, &bench, item, named, host).with_context(|| item.name.clone())?);
        }
        if args.update {
            update(&items, &found)?;
        }
        print(args, &bench, &found)?;
        Ok(outcome(&found))
    })
}

fn read(path: &Path) -> anyhow::Result<Item> {
    let input = input::read(path)?;
    if path.extension().is_some_and(|e| e == "json") {
        let finding: Finding = serde_json::from_slice(&input.bytes)
            .with_context(|| format!("`{}` is not a bug.json of stringent", input.name))?;
        let source = Source::Finding(Box::new(finding));
        return Ok(Item { path: path.into(), name: input.name, source });
    }
    match Doc::from_text(&input.bytes) {
        Ok(doc) => {
            let name = input.name.clone();
            Ok(Item { path: path.into(), name, source: Source::Script(input.bytes, Box::new(doc)) })
        }
        Err(errors) => {
            render::diagnostics(&input, &errors, 3);
            bail!("`{}` is not a script", input.name)
        }
    }
}

/// Bisects a file.
fn one(
    args: &Args,
    bench: &Bench<'_>,
    item: &Item,
    named: Option<usize>,
    host: &Host<'_>,
) -> anyhow::Result<Bisection> {
    let (script, keep, given, seed) = match &item.source {
        Source::Finding(finding) => {
            let keep = args.keep.or_else(|| Failure::of(finding.kind));
            let given = named.or_else(|| bench.place(&finding.solver.version));
            (finding.reduced.script.clone(), keep, given, finding.observed.seed)
        }
        Source::Script(bytes, doc) => (labelled(args, bench, item, bytes, doc, host)?, args.keep, named, 0),
    };
    let question = bench.question(&item.name, &script, keep, given, seed)?;
    bench.bisect(&question, given)
}

/// The script with its known answer: as it is, if it has a certificate.
fn labelled(
    args: &Args,
    bench: &Bench<'_>,
    item: &Item,
    bytes: &[u8],
    doc: &Doc,
    host: &Host<'_>,
) -> anyhow::Result<String> {
    let own = String::from_utf8_lossy(bytes).into_owned();
    if args.keep.is_some_and(|k| !k.needs_truth()) {
        return Ok(own);
    }
    match bench.keeper().start(doc, args.expect, host.cancel) {
        Ok(label) => {
            let certificate = Certificate::of(&doc.pool, &doc.script);
            let same = |(query, check): (&semantics::certificate::Query, _)| query.status == check;
            let known = label.checks.iter().map(|c| c.status);
            let stated = certificate.queries.iter().zip(known).all(same);
            Ok(if stated { own } else { label.text(doc) })
        }
        Err(why) => {
            host.progress.notice(&format!("{}: {why}; only invalid models and crashes count", item.name));
            Ok(doc.to_text())
        }
    }
}

fn update(items: &[Item], found: &[Bisection]) -> anyhow::Result<()> {
    for (item, found) in items.iter().zip(found) {
        if let Source::Finding(finding) = &item.source {
            let mut finding = finding.clone();
            finding.versions = Some(found.versions.clone());
            finding.options = found.options.as_ref().map(|(_, needed)| needed.clone()).or(finding.options);
            let text = serde_json::to_string_pretty(&finding)? + "\n";
            std::fs::write(&item.path, text).with_context(|| format!("cannot write `{}`", item.name))?;
        }
    }
    Ok(())
}

fn print(args: &Args, bench: &Bench<'_>, found: &[Bisection]) -> anyhow::Result<()> {
    let matrix = Matrix::of(bench, found);
    let mut out = anstream::stdout().lock();
    match args.format {
        Format::Json => {
            let files: Vec<Value> = found.iter().map(json).collect();
            let doc = json!({
                "version": env!("CARGO_PKG_VERSION"), "note": bench.note(), "files": files, "matrix": matrix.json(),
            });
            writeln!(out, "{doc:#}")?;
        }
        Format::Markdown => {
            for b in found.iter().filter(|_| !args.matrix) {
                writeln!(out, "- `{}`: {}", b.name, lines(b).join(". "))?;
            }
            write!(out, "{}{}", if args.matrix { "" } else { "\n" }, matrix.markdown())?;
        }
        Format::Text => {
            for b in found.iter().filter(|_| !args.matrix) {
                writeln!(out, "{}: {}", b.name, lines(b).join("\n  "))?;
            }
            write!(out, "{}{}", if args.matrix { "" } else { "\n" }, matrix.text())?;
        }
    }
    Ok(out.flush()?)
}

/// The verdict, then what was checked.
fn lines(b: &Bisection) -> Vec<String> {
    let mut lines = vec![verdict(&b.versions)];
    let seeds =
        if b.seeds > 1 { format!("; flaky: {} seeds for each version", b.seeds) } else { String::new() };
    lines.push(format!("failure: {}{seeds}", words(b.failure)));
    if let Some((version, needed)) = &b.options {
        let list = if needed.is_empty() { "none".into() } else { needed.join(" ") };
        lines.push(format!("options needed, with {version}: {list}"));
    }
    lines
}

fn words(failure: Failure) -> &'static str {
    match failure {
        Failure::Any => "any wrong result or crash",
        Failure::Wrong => "wrong answer",
        Failure::Model => "invalid model",
        Failure::Core => "unsound core",
        Failure::Crash => "crash",
        Failure::Error => "error",
        Failure::Unknown => "unknown",
        Failure::Slow => "time limit",
    }
}

fn json(b: &Bisection) -> Value {
    let options = b.options.as_ref().map(|(version, needed)| json!({ "version": version, "needed": needed }));
    json!({
        "file": b.name, "failure": b.failure.name(), "seeds": b.seeds, "verdict": verdict(&b.versions),
        "versions": b.versions, "options": options,
    })
}

/// The worst of the newest versions.
fn outcome(found: &[Bisection]) -> Outcome {
    let of = |b: &Bisection| {
        let newest = b.versions.newest.as_ref();
        let cell = b.versions.tried.iter().find(|t| Some(&t.version) == newest).map(|t| t.cell);
        match cell {
            Some(Cell::Fails) => Outcome::Found,
            Some(Cell::Right) => Outcome::Clean,
            _ => Outcome::Undetermined,
        }
    };
    let all: Vec<Outcome> = found.iter().map(of).collect();
    [Outcome::Found, Outcome::Undetermined].into_iter().find(|o| all.contains(o)).unwrap_or(Outcome::Clean)
}
