//! `stringent report`: render a stored campaign, or compare two.

mod one;
mod second;

use crate::Outcome;
use crate::campaign_args::seconds;
use crate::campaign_run::outcome;
use crate::render::{self, Format};
use anyhow::{Context as _, bail};
use campaign::report::compare::{self, Comparison};
use campaign::report::{Data, csv, html, json, junit, text};
use campaign::store::Store;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

/// Render a stored campaign: terminal, HTML, JSON, CSV, JUnit; or compare two.
///
/// Without options, prints the table of categories and verdicts for each solver, times, and the failures in groups, worst
/// first, each with a command that shows it. With --html, --csv or --junit, writes those files instead. A campaign that is
/// still running can be reported on.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// The store that `test` or `run` wrote
    store: PathBuf,
    /// Output form
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// All runs, one JSON object per line
    #[arg(long, conflicts_with_all = ["against", "html", "csv", "junit", "show", "extract"])]
    runs: bool,
    /// Write one HTML page, which needs nothing else, to this file (`-`: stdout)
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write all runs as CSV to this file (`-`: stdout)
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write JUnit XML to this file (`-`: stdout): wrong results and errors fail, unknowns and time limits are skipped
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// In JUnit XML, unknowns, time limits and what cannot be told are failures too
    #[arg(long, requires = "junit")]
    strict: bool,
    /// Compare with this older store
    #[arg(long, value_name = "OLDER")]
    against: Option<PathBuf>,
    /// In a comparison, this solver of the older store is that one of the newer
    #[arg(long, value_name = "OLD=NEW", requires = "against", value_parser = old_new)]
    map: Vec<(String, String)>,
    /// Show this instance in full: formula, answers, evidence
    #[arg(long, value_name = "NAME", conflicts_with_all = ["against", "html", "csv", "junit", "extract"])]
    show: Option<String>,
    /// Print the script of this instance as it was put to the solver
    #[arg(long, value_name = "NAME", requires = "solver", conflicts_with_all = ["against", "html", "csv", "junit"])]
    extract: Option<String>,
    /// Only this solver (may be repeated)
    #[arg(long, value_name = "NAME")]
    solver: Vec<String>,
    /// With --show and --extract: only this solver seed
    #[arg(long)]
    seed: Option<u64>,
    /// Groups of failures to show
    #[arg(long, value_name = "N", default_value_t = 12)]
    failures: usize,
    /// All groups of failures, and every run in them
    #[arg(long)]
    all: bool,
    /// In the HTML page, failures of each solver to show in full
    #[arg(long, value_name = "N", default_value_t = 500, requires = "html")]
    embed: usize,
    /// In the HTML page, plot these two solvers against each other (may be repeated)
    #[arg(long, value_name = "A,B", requires = "html", value_parser = a_b)]
    pair: Vec<(String, String)>,
    /// Ask this solver, named as in `test --solver`, for a second opinion on every wrong result (may be repeated)
    #[arg(long, value_name = "SPEC", conflicts_with_all = ["runs", "against", "html", "csv", "junit", "show", "extract"])]
    confirm: Vec<String>,
    /// With --confirm: time on the wall for each question, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds, requires = "confirm")]
    confirm_time_limit: f64,
    /// With --confirm: questions at a time [default: the number of cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096), requires = "confirm")]
    jobs: Option<u16>,
}

const HELP: &str = "\
Examples:
  stringent report my.store
  stringent report my.store --solver z3-4.8.6 --all
  stringent report my.store --html report.html --junit report.xml
  stringent report my.store --csv - | head
  stringent report my.store --runs | jq -r 'select(.verdict == \"U\") | .instance'
  stringent report my.store --show icse20/constant/str.at/0001 --solver z3-4.8.6
  stringent report my.store --extract icse20/constant/str.at/0001 --solver z3-4.8.6 > x.smt2
  stringent report new.store --against old.store --map z3-4.8.6=z3-5.4.0
  stringent report my.store --confirm z3@5.4.0 --confirm cvc5@1.4.2

Verdicts: ok right, IM model fails, IC! core has a model, IC~ core not minimal, S wrong sat, S* sat of a solver
that over-approximates, U wrong unsat, K unknown, T time limit, E error, ? cannot be told.

Exit codes: 0 no wrong result (IM, IC!, S, U) and no error, 10 there are, 11 there are none but some verdicts
cannot be told or the campaign is not finished. With --against: 0 nothing broke, 10 something did, 11 nothing
could be compared. With --confirm: 0 all wrong results are confirmed, 10 some are contradicted, 11 on some there is
no opinion. With --show and --extract: 0. Always: 2 usage or bad input.";

fn split(text: &str, at: char) -> Result<(String, String), String> {
    match text.split_once(at) {
        Some((a, b)) if !a.is_empty() && !b.is_empty() => Ok((a.to_owned(), b.to_owned())),
        _ => Err(format!("two names with `{at}` between them are expected")),
    }
}

fn old_new(text: &str) -> Result<(String, String), String> {
    split(text, '=')
}

fn a_b(text: &str) -> Result<(String, String), String> {
    split(text, ',')
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let store = open(&args.store)?;
    let mut data = read(&store, args)?;
    if let Some(name) = &args.show {
        return one::show(&store, &mut data, name, args.seed);
    }
    if let Some(name) = &args.extract {
        return one::extract(&store, &data, name, args.seed);
    }
    if !args.confirm.is_empty() {
        return second::run(&store, &mut data, args);
    }
    let comparison = args.against.as_deref().map(|old| against(old, &data, args)).transpose()?;
    let files = files(&store, &mut data, comparison.as_ref(), args)?;
    if args.runs {
        json::write_runs(&data, &mut std::io::BufWriter::new(std::io::stdout().lock()))?;
    } else if !files {
        print(&store, &mut data, comparison.as_ref(), args)?;
    }
    Ok(match comparison {
        Some(c) if !c.broken.is_empty() => Outcome::Found,
        Some(c) if c.is_empty() => Outcome::Open,
        Some(_) => Outcome::Clean,
        None => outcome(data.conclusion()),
    })
}

fn open(path: &Path) -> anyhow::Result<Store> {
    if !path.exists() {
        bail!("there is no store `{}`", path.display());
    }
    // Its message holds that of its source already.
    Store::open_read_only(path).map_err(|e| anyhow::Error::msg(e.to_string()))
}

/// Reads the campaign; names of solvers that are not in it are errors.
fn read(store: &Store, args: &Args) -> anyhow::Result<Data> {
    let data = Data::read(store, &args.solver)?;
    let pairs = args.pair.iter().flat_map(|(a, b)| [a, b]);
    for name in args.solver.iter().chain(pairs) {
        if !data.solvers.iter().any(|s| s.name == *name) {
            let known: Vec<String> = store.solvers()?.into_iter().map(|s| s.name).collect();
            bail!("there is no solver `{name}` in {}; it has {}", data.store, known.join(", "));
        }
    }
    Ok(data)
}

fn against(old: &Path, data: &Data, args: &Args) -> anyhow::Result<Comparison> {
    let store = open(old)?;
    Ok(compare::compare(&Data::read(&store, &[])?, data, &args.map)?)
}

/// Writes the files that are asked for; false if there are none.
fn files(
    store: &Store,
    data: &mut Data,
    comparison: Option<&Comparison>,
    args: &Args,
) -> anyhow::Result<bool> {
    if let Some(path) = &args.html {
        let options =
            html::Options { per_solver: args.embed, pairs: args.pair.clone(), ..html::Options::default() };
        data.load_details(store, &html::wanted(data, &options))?;
        write(path, html::render(data, comparison, &options).as_bytes())?;
    }
    if let Some(path) = &args.csv {
        let mut bytes = Vec::new();
        csv::write(data, &mut bytes)?;
        write(path, &bytes)?;
    }
    if let Some(path) = &args.junit {
        data.load_details(store, &junit::wanted(data))?;
        write(path, junit::render(data, args.strict)?.as_bytes())?;
    }
    Ok(args.html.is_some() || args.csv.is_some() || args.junit.is_some())
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if path == Path::new("-") {
        return Ok(std::io::stdout().lock().write_all(bytes)?);
    }
    std::fs::write(path, bytes).with_context(|| format!("cannot write `{}`", path.display()))?;
    render::notice(&format!("wrote {}", path.display()));
    Ok(())
}

fn print(store: &Store, data: &mut Data, comparison: Option<&Comparison>, args: &Args) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    let options = text::Options {
        groups: if args.all { usize::MAX } else { args.failures },
        every_run: args.all,
        styled: std::io::stdout().is_terminal(),
    };
    match (args.format, comparison) {
        (Format::Json, Some(c)) => writeln!(out, "{:#}", c.json())?,
        (Format::Text, Some(c)) => write!(out, "{}", compare::text::render(c, &options))?,
        (Format::Json, None) => {
            data.load_details(store, &json::wanted(data))?;
            writeln!(out, "{:#}", json::render(data))?;
        }
        (Format::Text, None) => {
            data.load_details(store, &text::wanted(data, &options))?;
            write!(out, "{}", text::render(data, &options))?;
        }
    }
    Ok(())
}
