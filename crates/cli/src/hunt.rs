//! `stringent hunt`: a search for bugs that runs by itself.

mod parts;
mod screen;

pub(crate) use parts::Part;

use crate::campaign_args::{On, distinct};
use crate::limits::{count, mebibytes, seconds, time};
use crate::render::{self, Format};
use crate::{Outcome, signals};
use anyhow::{Context as _, bail};
use bugs::triage;
use campaign::clean::shell;
use campaign::job::{self, Job, New};
use campaign::process::{Cancel, Watchdog};
use campaign::profile::{self, Solver};
use campaign::report::{self, Data, html};
use campaign::settings::{Origin, Settings};
use campaign::store::{self, Store};
use clap::Parser as _;
use hunt::corpus::Corpus;
use hunt::state::State;
use hunt::unit;
use hunt::variant::{self, Sets};
use screen::Screen;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use synth::sources::{self, Library, Material, Shape, Source};

/// Search for bugs of solvers with fresh formulas, for a time or until stopped.
///
/// Formulas come from sources: true under a model that was drawn first, built around a contradiction, fused, mutated from files, or of a
/// class on which solvers have been wrong. No formula needs a label: a `sat` is judged by its model, an `unsat` by any model that the referee
/// accepts. Sources and options that find something are used more. Failures are run again in a fresh process, reduced and
/// grouped; those that are like known findings are counted and not reduced again.
///
/// The store has the failures only. `stringent show`, `report`, `bisect` and `file` work on it as on any other.
#[derive(clap::Args, Clone)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// A solver: NAME, NAME@VERSION, NAME=PROGRAM, a profile FILE.toml, or NAME='COMMAND…'; may be repeated [default: builtin]
    #[arg(long, short, value_name = "SPEC")]
    solver: Vec<String>,
    /// Sets of options of the solvers' profiles: usual, experimental (also those), none, or names
    #[arg(long, value_name = "SETS", value_delimiter = ',', default_value = "usual")]
    options: Vec<String>,
    /// Wall-clock time, as in 90s, 30m or 8h [default: until stopped]
    #[arg(long, short, value_name = "TIME", value_parser = time)]
    time: Option<f64>,
    /// CPU time, that of the solvers included; the end of a unit is awaited
    #[arg(long, value_name = "TIME", value_parser = time)]
    cpu: Option<f64>,
    /// Stop after this many instances; the round of 16 units is done first
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    instances: Option<u64>,
    /// Stop after this many findings
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    stop_after: Option<u64>,
    /// Run no solver: write --instances of each source (100 unless given) as files into DIR/SOURCE
    #[arg(long, value_name = "DIR", conflicts_with_all = ["solver", "time", "cpu", "resume", "store", "stop_after"])]
    write: Option<PathBuf>,
    /// Only this source; may be repeated [default: all; those that need files, if there is a --corpus]
    #[arg(long, value_name = "NAME")]
    source: Vec<String>,
    /// List the sources
    #[arg(long)]
    list: bool,
    /// Files, or folders with .smt2 files, to mutate and recombine; may be repeated
    #[arg(long, value_name = "PATH")]
    corpus: Vec<PathBuf>,
    /// More rules for contradictions; each is verified first; may be repeated
    #[arg(long, value_name = "FILE")]
    rules: Vec<PathBuf>,
    /// Maximum depth of terms
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=12))]
    depth: u8,
    /// Maximum number of assertions
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=200))]
    assertions: u8,
    /// Maximum number of constants of each sort
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=50))]
    constants: u8,
    /// The weight of an operator, 10 for most; 0 leaves it out; may be repeated
    #[arg(long, value_name = "OPERATOR=N", value_parser = weight)]
    weight: Vec<(String, u32)>,
    /// Seed of the formulas
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Wall-clock time of each run, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value_t = 0.2, allow_negative_numbers = true)]
    time_limit: f64,
    /// Memory of each run, in MiB; 0 for no limit
    #[arg(long, value_name = "MIB", value_parser = mebibytes, default_value_t = 2048, allow_negative_numbers = true)]
    memory_limit: u64,
    /// Runs at a time [default: the number of cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    jobs: Option<u16>,
    /// Instances that a solver gets before another source or solver is chosen
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    unit: u32,
    /// Error messages and rejected scripts are failures too
    #[arg(long)]
    errors: bool,
    /// Find the first bad version and the needed options of each finding in the end
    #[arg(long)]
    bisect: bool,
    /// Time for the reduction of each failure, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value_t = 20.0, allow_negative_numbers = true)]
    budget: f64,
    /// The store [default: a new file in stringent-results/]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Hunt in parts on a cluster: `slurm`; each part has the whole budget and a seed of its own; see docs/cluster.md
    #[arg(long, value_name = "WHERE", value_enum, conflicts_with_all = ["write", "list"])]
    on: Option<On>,
    /// With --on: the profile of the cluster [default: ~/.config/stringent/cluster.toml]
    #[arg(long, value_name = "FILE", requires = "on")]
    cluster: Option<PathBuf>,
    /// With --on: the number of parts [default: the tasks that the cluster runs at a time]
    #[arg(long, value_name = "N", requires = "on", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    parts: Option<u32>,
    /// Resume the hunt in --store (or the newest one in stringent-results/), with the options it was started with
    #[arg(long)]
    resume: bool,
    /// No HTML report
    #[arg(long)]
    no_html: bool,
    /// Format of the result on standard output
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

const HELP: &str = "\
Examples:
  stringent hunt --solver z3 --solver cvc5 --time 30m
  stringent hunt --solver z3@4.8.12 --options none --time 5m --jobs 2
  stringent hunt --solver cvc5 --source fuse --source mutate --corpus benchmarks/
  stringent hunt --solver mine='./mysolver {file}' --weight str.replace_all=50 --weight re.comp=0
  stringent hunt --resume --time 8h
  stringent hunt --on slurm --parts 100 --solver z3 --solver cvc5 --time 8h
  stringent hunt --list
  stringent hunt --source cuts --instances 20 --write formulas

Several hunts can run at once, with different seeds and stores.

Exit codes: 10 there are findings, 0 there are none, 11 there are none and it was stopped or a solver answered nothing, 2 usage or bad input, 4 output cannot be written.";

fn weight(text: &str) -> Result<(String, u32), String> {
    let (name, n) = text.rsplit_once('=').ok_or("as in str.replace_all=50")?;
    let n = n.parse::<u32>().ok().filter(|n| *n <= 1000).ok_or("the weight is a whole number up to 1000")?;
    if !smt::op::names().any(|known| known == name) {
        return Err(smt::diag::unknown_name("operator", name, smt::op::names()));
    }
    Ok((name.to_owned(), n))
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    if args.list {
        return list(args);
    }
    if let Some(folder) = &args.write {
        return args.write_instances(folder);
    }
    let config = crate::parts::config(args.on, args.cluster.as_deref())?;
    let (mut job, args) = if args.resume { resume(args)? } else { (create(args)?, args.clone()) };
    let cancel = Cancel::new().context("cannot start")?;
    signals::stop_on_signals(&cancel)?;
    let watchdog = Watchdog::own_command();
    let _watchdog =
        watchdog.as_deref().map(Watchdog::start).transpose().context("cannot start the watchdog")?;
    let mut options = args.options()?;
    let missing = match &config {
        Some(config) => match parts::run(&args, &mut job, config, &cancel)? {
            parts::End::Left => {
                args.resume_notice(&job.store);
                return Ok(Outcome::Undetermined);
            }
            parts::End::United { missing } => {
                // What is left is the examination of all failures together.
                options.instances = Some(0);
                missing
            }
        },
        None if parts::are_open(&job.store) => bail!("its parts are on a cluster: add --on slurm"),
        None => false,
    };
    let screen = Screen::new(args.quiet);
    let settings = job.settings.clone();
    let summary = hunt::run(&mut job.store, &settings, &options, &screen, &cancel);
    screen.finish();
    let summary = summary?;
    let mut out = anstream::stdout().lock();
    match args.format {
        Format::Text => write!(out, "{}", summary.text())?,
        Format::Json => writeln!(out, "{:#}", summary.json())?,
    }
    drop(out);
    args.close(&job.store, summary.stopped || missing)?;
    Ok(match summary.findings.is_empty() {
        false => Outcome::Found,
        true if summary.stopped || missing || !summary.mute().is_empty() => Outcome::Undetermined,
        true => Outcome::Clean,
    })
}

fn list(args: &Args) -> anyhow::Result<Outcome> {
    let mut out = anstream::stdout().lock();
    if args.format == Format::Json {
        let one = |s: &&Source| serde_json::json!({ "name": s.name, "about": s.about, "truth": s.truth, "needs-corpus": s.needs_corpus });
        writeln!(out, "{:#}", serde_json::Value::Array(sources::REGISTRY.iter().map(one).collect()))?;
        return Ok(Outcome::Clean);
    }
    for source in sources::REGISTRY {
        let files = if source.needs_corpus { " (needs --corpus)" } else { "" };
        writeln!(out, "{:<14} {}{files}\n{:<14} {}", source.name, source.about, "", source.truth)?;
    }
    Ok(Outcome::Clean)
}

fn create(args: &Args) -> anyhow::Result<Job> {
    // Mistakes in the options are reported before a store is created.
    args.options()?;
    if args.on.is_some() {
        args.check_budget()?;
    }
    let named =
        if args.solver.is_empty() { vec![profile::default_solver()?] } else { distinct(&args.solver)? };
    let solvers: Vec<Solver> = variant::with_options(&named, &args.sets())?;
    let words = std::env::args_os().skip(1).map(|w| w.to_string_lossy().into_owned()).collect();
    let directory = std::env::current_dir().unwrap_or_default().display().to_string();
    let settings = args.settings(Origin { arguments: words, directory });
    let store = args.store.as_deref();
    let job = Job::create(&New { verb: "hunt", store, seed: args.seed, settings, solvers: &solvers })?;
    State::default().write(&job.store)?;
    job.store.set_planned()?;
    Ok(job)
}

/// The hunt in a store, with the arguments it was started with; budget, jobs and output are those given now.
fn resume(given: &Args) -> anyhow::Result<(Job, Args)> {
    let path = given
        .store
        .clone()
        .or_else(job::newest)
        .context("no hunt in stringent-results/; name a store with --store")?;
    if !Store::exists(&path) {
        bail!("there is no store `{}`", path.display());
    }
    let job = Job::resume(Some(&path), &[])?;
    if State::read(&job.store)?.is_none() {
        bail!("{}: it is not the store of a hunt", path.display());
    }
    let first = first(&job.settings.origin.arguments)?;
    given.say_what_is_ignored();
    let budget = given.time.is_some() || given.cpu.is_some() || given.instances.is_some();
    if given.on.is_some() && (budget || given.parts.is_some()) {
        bail!("the parts of a hunt on a cluster keep the budget that they were started with: leave it out");
    }
    let started = if given.on.is_some() { &first } else { given };
    let args = Args {
        time: started.time,
        cpu: started.cpu,
        instances: started.instances,
        stop_after: started.stop_after,
        on: given.on,
        cluster: given.cluster.clone(),
        jobs: given.jobs.or(first.jobs),
        bisect: given.bisect || first.bisect,
        no_html: given.no_html,
        format: given.format,
        quiet: given.quiet,
        store: Some(path),
        ..first.clone()
    };
    let mut job = job;
    job.settings.jobs = args.jobs.map_or(job.settings.jobs, usize::from);
    Ok((job, args))
}

/// The arguments that a hunt was started with.
fn first(words: &[String]) -> anyhow::Result<Args> {
    let words = std::iter::once("stringent").chain(words.iter().map(String::as_str));
    match crate::Cli::try_parse_from(words).map(|cli| cli.verb) {
        Ok(crate::Verb::Hunt(args)) => Ok(args),
        Ok(_) => bail!("it was not started as a hunt"),
        Err(_) => bail!("the arguments it was started with are not those of this version"),
    }
}

impl Args {
    /// A resumed hunt keeps its solvers, sources and formulas.
    fn say_what_is_ignored(&self) {
        let options = [
            ("--solver", !self.solver.is_empty()),
            ("--source", !self.source.is_empty()),
            ("--corpus", !self.corpus.is_empty()),
            ("--rules", !self.rules.is_empty()),
            ("--weight", !self.weight.is_empty()),
            ("--seed", self.seed != 0),
        ];
        let ignored: Vec<&str> = options.iter().filter(|o| o.1).map(|o| o.0).collect();
        if !ignored.is_empty() {
            render::notice(&format!(
                "a resumed hunt keeps its solvers and formulas; ignored: {}",
                ignored.join(", ")
            ));
        }
    }

    fn sets(&self) -> Sets {
        match &self.options.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["usual"] => Sets::Usual,
            ["experimental"] => Sets::Experimental,
            ["none"] => Sets::None,
            names => Sets::Named(names.iter().map(|n| (*n).to_owned()).collect()),
        }
    }

    /// Writes instances as files.
    fn write_instances(&self, folder: &Path) -> anyhow::Result<Outcome> {
        let options = self.options()?;
        let material = Material { corpus: options.corpus, rules: options.rules, shape: options.shape };
        let mut written = 0;
        for source in options.sources {
            let folder = folder.join(source.name);
            std::fs::create_dir_all(&folder)
                .with_context(|| format!("cannot create `{}`", folder.display()))?;
            for index in 0..self.instances.unwrap_or(100) {
                let Some(made) = sources::make(source, &material, self.seed, index) else { continue };
                let path = folder.join(format!("{}-{index}.smt2", self.seed));
                let text = made.text(source.name, &unit::name(source, self.seed, index));
                std::fs::write(&path, text).with_context(|| format!("cannot write `{}`", path.display()))?;
                written += 1;
            }
        }
        render::notice(&format!("{written} instances in {}", folder.display()));
        Ok(Outcome::Clean)
    }

    fn settings(&self, origin: Origin) -> Settings {
        let mut settings = Settings { origin, batch: true, second_opinion: false, ..Settings::default() };
        settings.limits.wall = Duration::from_secs_f64(self.time_limit);
        settings.limits.memory = (self.memory_limit > 0).then_some(self.memory_limit << 20);
        settings.jobs = self.jobs.map_or(settings.jobs, usize::from);
        settings.instances = format!("hunt --seed {}", self.seed);
        settings
    }

    fn sources(&self) -> anyhow::Result<Vec<&'static Source>> {
        if self.source.is_empty() {
            let usable = |s: &&&Source| !s.needs_corpus || !self.corpus.is_empty();
            return Ok(sources::REGISTRY.iter().filter(usable).copied().collect());
        }
        let mut all: Vec<&'static Source> = Vec::new();
        for name in &self.source {
            let source = sources::find(name)?;
            if source.needs_corpus && self.corpus.is_empty() {
                bail!("the source `{name}` needs files: --corpus PATH");
            }
            if !all.iter().any(|s| s.name == source.name) {
                all.push(source);
            }
        }
        Ok(all)
    }

    fn options(&self) -> anyhow::Result<hunt::Options> {
        let corpus = Corpus::read(&self.corpus)?;
        if !self.corpus.is_empty() && corpus.instances.is_empty() {
            bail!(
                "no file of the corpus can be used: {} are too large, {} are not scripts",
                corpus.large,
                corpus.unreadable
            );
        }
        let weights = self.weight.clone();
        let triage = triage::Options {
            budget: Duration::from_secs_f64(self.budget),
            bisect: self.bisect,
            jobs: self.jobs.map_or_else(campaign::provenance::cores, usize::from),
            ..triage::Options::default()
        };
        Ok(hunt::Options {
            sources: self.sources()?,
            seed: self.seed,
            time: self.time.map(Duration::from_secs_f64),
            cpu: self.cpu.map(Duration::from_secs_f64),
            instances: self.instances,
            findings: self.stop_after,
            unit: self.unit.into(),
            shape: Shape {
                depth: self.depth.into(),
                assertions: self.assertions.into(),
                constants: self.constants.into(),
                weights,
            },
            rules: Arc::new(self.library()?),
            corpus: Arc::new(corpus.instances),
            errors: self.errors,
            triage,
            part: false,
        })
    }

    /// The shipped rules, and those of files, which are verified.
    fn library(&self) -> anyhow::Result<Library> {
        let mut library = Library::shipped();
        for path in &self.rules {
            let input = crate::input::read(path)?;
            if let Err(errors) = library.add(&String::from_utf8_lossy(&input.bytes)) {
                render::diagnostics(&input, &errors, usize::MAX);
                bail!("{}: not a rule file", path.display());
            }
        }
        if !self.rules.is_empty()
            && let Some((name, why)) = library.refuted()
        {
            bail!("the rule `{name}` does not hold: {why}");
        }
        Ok(library)
    }

    fn close(&self, store: &Store, stopped: bool) -> anyhow::Result<()> {
        render::notice(&format!("\nstore:  {}", store.path().display()));
        if !self.no_html && !store.findings()?.is_empty() {
            let path = store::beside(store.path()).with_extension("html");
            let file = File::create(&path).with_context(|| format!("cannot write `{}`", path.display()))?;
            let (mut data, options) = (Data::read(store, &[])?, report::Options::default());
            report::write(&html::Html, store, &mut data, None, &options, &mut BufWriter::new(file))?;
            render::notice(&format!("report: {}", path.display()));
        }
        if stopped {
            self.resume_notice(store);
        }
        Ok(())
    }

    fn resume_notice(&self, store: &Store) {
        let path = shell(&store.path().display().to_string());
        let on = if parts::are_open(store) { " --on slurm" } else { "" };
        let cluster = self.cluster.iter().filter(|_| !on.is_empty());
        let cluster: String =
            cluster.map(|file| format!(" --cluster {}", shell(&file.display().to_string()))).collect();
        render::notice(&format!("stopped; to resume: stringent hunt --resume{on}{cluster} --store {path}"));
    }
}
