//! `stringent report`: render a stored campaign, or compare two.

mod files;
mod one;
mod rerun;
mod second;

use crate::Outcome;
use crate::campaign_run::outcome;
use crate::limits::seconds;
use crate::project_args::ProjectArgs;
use crate::render::Format;
use crate::stored;
use campaign::job;
use campaign::report::compare::{self, Comparison};
use campaign::report::{self, Data, Options, json, jsonl, text};
use campaign::rerun::Campaigns;
use campaign::store::Store;
use files::Files;
use std::io::{BufWriter, IsTerminal as _};
use std::path::{Path, PathBuf};

/// Render a stored campaign as text, HTML, JSON, CSV or JUnit XML, or compare two.
///
/// Without options, prints the conclusion, a table of solvers and verdicts, the failures in groups, worst first, and a line for
/// each other verdict. Each group has a number: `stringent show 3` explains it, `stringent repro 3` runs it again. With --html, --csv, --junit or another format, writes those files instead. The
/// campaign may still be running.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// The store that `test` or `run` wrote
    store: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    pub(crate) project: ProjectArgs,
    /// Print all runs, one JSON object per line
    #[arg(long, conflicts_with_all = ["against", files::GROUP, "show", "extract"])]
    runs: bool,
    #[command(flatten)]
    files: Files,
    /// In JUnit XML, unknowns, time limits and undetermined verdicts are failures too
    #[arg(long, requires = "junit")]
    strict: bool,
    /// Compare with this older store
    #[arg(long, value_name = "OLDER")]
    against: Option<PathBuf>,
    /// In a comparison, solver OLD of the older store corresponds to NEW
    #[arg(long, value_name = "OLD=NEW", requires = "against", value_parser = old_new)]
    map: Vec<(String, String)>,
    /// In a comparison, list slower and faster runs by their recorded times, without re-running them
    #[arg(long, requires = "against")]
    no_rerun: bool,
    /// In a comparison, the time for all re-runs, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "120", value_parser = seconds, requires = "against")]
    rerun_time: f64,
    /// Show this instance in full: formula, answers, evidence
    #[arg(long, value_name = "NAME", conflicts_with_all = ["against", files::GROUP, "extract"])]
    show: Option<String>,
    /// Print the script of this instance as it was sent to the solver
    #[arg(long, value_name = "NAME", conflicts_with_all = ["against", files::GROUP])]
    extract: Option<String>,
    /// Only this solver (may be repeated)
    #[arg(long, value_name = "NAME")]
    solver: Vec<String>,
    /// With --show and --extract: only this solver seed
    #[arg(long)]
    seed: Option<u64>,
    /// Groups of errors to show; wrong results are always shown
    #[arg(long, value_name = "N", default_value_t = Options::default().groups)]
    failures: usize,
    /// The table of categories and verdicts for each solver, and all times
    #[arg(long)]
    tables: bool,
    /// Everything: settings, tables, all groups and every run in them
    #[arg(long)]
    all: bool,
    /// In the HTML page, failures of each solver to show in full
    #[arg(long, value_name = "N", default_value_t = 500, requires = "html")]
    embed: usize,
    /// In the HTML page, plot these two solvers against each other (may be repeated)
    #[arg(long, value_name = "A,B", requires = "html", value_parser = a_b)]
    pair: Vec<(String, String)>,
    /// Check every wrong result with this solver, named as in `test --solver` (may be repeated)
    #[arg(long, value_name = "SPEC", conflicts_with_all = ["runs", "against", files::GROUP, "show", "extract"])]
    confirm: Vec<String>,
    /// With --confirm: wall-clock time of each query, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds, allow_negative_numbers = true, requires = "confirm")]
    confirm_time_limit: f64,
    /// With --confirm: queries at a time [default: the number of cores]
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
  stringent report new.store --against old.store --map z3-4.8.6=z3-5.4.0 --rerun-time 600
  stringent report my.store --confirm z3@5.4.0 --confirm cvc5@1.4.2

Verdicts: ok correct, IM model fails, IC! core has a model, IC~ core not minimal, S wrong sat, S* sat of a solver
that over-approximates, U wrong unsat, K unknown, T time limit, E error, n/a not asked, ? undetermined.

Exit codes: 0 no wrong result (IM, IC!, S, U) and no error, 10 a wrong result or an error, 11 no failure, but some verdicts are
undetermined or the campaign is not finished. With --against: 0 nothing broke, also if something got slower, 10 something
broke, 11 nothing could be compared. With --confirm: 0 all wrong results are confirmed, 10 some are contradicted, 11 some have no second opinion.
With --show and --extract: 0. Always: 2 usage or bad input, also if the
campaign has files that could not be read and there is nothing worse.";

fn split(text: &str, at: char) -> Result<(String, String), String> {
    match text.split_once(at) {
        Some((a, b)) if !a.is_empty() && !b.is_empty() => Ok((a.to_owned(), b.to_owned())),
        _ => Err(format!("expected two names with `{at}` between them")),
    }
}

fn old_new(text: &str) -> Result<(String, String), String> {
    split(text, '=')
}

fn a_b(text: &str) -> Result<(String, String), String> {
    split(text, ',')
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let store = stored::open(&args.store)?;
    let mut data = read(&store, args)?;
    if let Some(name) = &args.show {
        return one::show(&store, &mut data, name, args.seed, args.format);
    }
    if let Some(name) = &args.extract {
        anyhow::ensure!(matches!(args.format, Format::Text), "--extract prints a script; leave out --format");
        return one::extract(&store, &mut data, name, args.seed);
    }
    if !args.confirm.is_empty() {
        return second::run(&store, &mut data, args);
    }
    let baseline = args.project.baseline()?;
    if let Some(baseline) = &baseline {
        baseline.apply(&mut data);
    }
    args.project.write(&data, baseline.as_ref())?;
    let comparison = args.against.as_deref().map(|old| against(old, &store, &data, args)).transpose()?;
    args.files.write(&store, &mut data, comparison.as_ref(), &args.options())?;
    if args.files.is_empty() {
        print(&store, &mut data, comparison.as_ref(), args)?;
    }
    Ok(match comparison {
        Some(c) if !c.broken.is_empty() => Outcome::Found,
        Some(c) if c.is_empty() => Outcome::Undetermined,
        Some(_) => Outcome::Clean,
        None => outcome(data.conclusion()),
    })
}

/// Reads the campaign; names of solvers that are not in it are errors.
fn read(store: &Store, args: &Args) -> anyhow::Result<Data> {
    let all = args.runs || args.files.lists_runs();
    let data = if all { Data::read_all(store, &args.solver)? } else { Data::read(store, &args.solver)? };
    stored::known(&data, store, &args.solver)?;
    let pairs: Vec<String> = args.pair.iter().flat_map(|(a, b)| [a.clone(), b.clone()]).collect();
    stored::known(&data, store, &pairs)?;
    Ok(data)
}

fn against(old: &Path, new: &Store, data: &Data, args: &Args) -> anyhow::Result<Comparison> {
    let old = &stored::open(old)?;
    let mut comparison = compare::compare_stores((old, &Data::read(old, &[])?), (new, data), &args.map)??;
    rerun::run(Campaigns { old, new, data }, &mut comparison, args)?;
    Ok(comparison)
}

impl Args {
    fn options(&self) -> Options {
        Options {
            groups: self.failures,
            all: self.all,
            tables: self.tables,
            styled: std::io::stdout().is_terminal(),
            per_solver: self.embed,
            pairs: self.pair.clone(),
            strict: self.strict,
            ..Options::default()
        }
    }
}

fn print(store: &Store, data: &mut Data, comparison: Option<&Comparison>, args: &Args) -> anyhow::Result<()> {
    let format: &dyn report::Format = match args.format {
        _ if args.runs => &jsonl::Jsonl,
        Format::Json => &json::Json,
        Format::Text => &text::Text,
    };
    let options = Options { newest: job::is_newest(store.path()), ..args.options() };
    let mut out = BufWriter::new(anstream::stdout().lock());
    Ok(report::write(format, store, data, comparison, &options, &mut out)?)
}
