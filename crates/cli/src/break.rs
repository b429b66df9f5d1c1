//! `stringent break`: a search for scripts that are hard for a solver.

mod parts;

pub(crate) use parts::Part;

use crate::bar::Bar;
use crate::campaign_args::On;
use crate::limits::{mebibytes, seconds};
use crate::render::{self, Format};
use crate::{Outcome, r#gen, input, signals};
use anyhow::{Context as _, anyhow};
use campaign::clean;
use campaign::outcome::Answer;
use campaign::process::Cancel;
use lab::Host;
use lab::r#break::{Fitness, Folder, Options};
use semantics::Instance;
use std::path::{Path, PathBuf};
use synth::evolve::Mutators;
use synth::generators::bulk::{Frame, Maker};

/// Search for scripts on which a solver is slow, by mutation and selection.
///
/// Starts from a script (a file, a generator's, or a random one), breeds children of it by random mutations, runs the solver on
/// each, and keeps the slowest; once they reach the time limit, the smallest of those. The best script of each run is
/// shrunk while it stays as slow, and written with its lineage: the mutations that led to it. All files are in one folder; a
/// search that was stopped continues with --resume.
///
/// Time is CPU time, so that parallel runs do not disturb each other. It is compared in steps of 25 %; smaller differences are
/// noise.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// The script to start from, in any dialect; a random one if there is none
    file: Option<PathBuf>,
    /// Start from a script of a generator, as `NAME FLAGS…`; see `stringent gen`
    #[arg(long = "gen", value_name = "GENERATOR", conflicts_with = "file")]
    generator: Option<String>,
    /// The solver: NAME, NAME@VERSION, NAME=PROGRAM, a profile FILE.toml, or NAME='COMMAND…' [default: builtin]
    #[arg(long, short, value_name = "SPEC")]
    solver: Option<String>,
    /// What to search for: time, memory, gap (slow here, fast for --against), unknown, or stat:NAME, a statistic that the
    /// solver prints
    #[arg(long, value_name = "WHAT", default_value = "time")]
    fitness: Fitness,
    /// With --fitness gap: the solver that should be fast
    #[arg(long, value_name = "SPEC")]
    against: Option<String>,
    /// Also run each best script on this solver, for the table and the plot; may be repeated
    #[arg(long, value_name = "SPEC")]
    compare: Vec<String>,
    /// Generations
    #[arg(long, short, value_name = "N", default_value_t = 200)]
    generations: u32,
    /// Scripts in a generation, survivors included
    #[arg(long, short, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    population: u16,
    /// Scripts that survive
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    survivors: u16,
    /// Time for a script, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0, value_parser = seconds, allow_negative_numbers = true)]
    time_limit: f64,
    /// Memory for each run of a solver, in MiB; 0 for no limit
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = mebibytes, allow_negative_numbers = true)]
    memory_limit: u64,
    /// Count wall-clock time, not CPU time
    #[arg(long)]
    wall: bool,
    /// Measure N times and take the median; a script that cannot survive after the first run is not measured again
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// Minimum number of assertions [default: 3, or --max-asserts if that is less]
    #[arg(long, value_name = "N")]
    min_asserts: Option<u16>,
    /// Maximum number of assertions
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    max_asserts: u16,
    /// Only scripts with this answer: sat or unsat
    #[arg(long, value_name = "ANSWER", value_parser = answer)]
    answer: Option<Answer>,
    /// Mutators with weights: add, remove, cross (joins two parents), and all of `stringent transform`
    #[arg(long, value_name = "NAME[=N],…", default_value = "reverse,translate,add,remove")]
    mutators: Mutators,
    /// Random seed; run R of a seed S is the first of seed S + R
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Searches, one after the other; with --on, each one a task
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    runs: u16,
    /// The seed of the solver
    #[arg(long, value_name = "S", default_value_t = 0)]
    solver_seed: u64,
    /// Runs of the solver at a time [default: the number of cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    jobs: Option<u16>,
    /// Smaller scripts to try for each best script; 0 disables shrinking
    #[arg(long, value_name = "N", default_value_t = 200)]
    shrink: usize,
    /// The folder for logs, best scripts and the plot [default: a new one in stringent-results/]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Do the runs on a cluster, each on its own: `slurm`; see docs/cluster.md
    #[arg(long, value_name = "WHERE", value_enum)]
    on: Option<On>,
    /// With --on: the profile of the cluster [default: ~/.config/stringent/cluster.toml]
    #[arg(long, value_name = "FILE", requires = "on")]
    cluster: Option<PathBuf>,
    /// Continue the search in --out where it was stopped, with the options it was started with
    #[arg(long, requires = "out")]
    resume: bool,
    /// Format of the result on standard output
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

const HELP: &str = "\
Examples:
  stringent break --generations 50 --time-limit 1
  stringent break --solver z3 --runs 15 --generations 25 --population 8 --time-limit 3 --max-asserts 6
  stringent break --solver cvc5 --fitness gap --against z3 slow.smt2
  stringent break --solver z3 --gen 'regex --depth 3' --mutators add,remove,fuzz=2,graft,cross
  stringent break --solver mine='./mysolver {file}' --fitness stat:conflicts --answer unsat
  stringent break --resume --out stringent-results/2026-01-31T120000-break
  stringent break --on slurm --runs 100 --solver z3 --time-limit 2

Files in the output folder: run-NN.jsonl (every script that was judged, one JSON object per line), best-NN.smt2, best.svg (with
--compare), and findings/ if the solver answered wrongly or crashed.

Exit codes: 0 done, 10 the solver answered wrongly or crashed, 11 stopped, or no fit script was found, or two
solvers disagree, 2 usage or bad input.";

fn answer(text: &str) -> Result<Answer, String> {
    match text.to_ascii_lowercase().as_str() {
        "sat" => Ok(Answer::Sat),
        "unsat" => Ok(Answer::Unsat),
        _ => Err("sat or unsat".into()),
    }
}

impl Args {
    fn options(&self) -> Options {
        Options {
            solver: self.solver.clone(),
            fitness: self.fitness.clone(),
            against: self.against.clone(),
            compare: self.compare.clone(),
            generations: self.generations,
            population: self.population.into(),
            survivors: self.survivors.into(),
            time_limit: self.time_limit,
            memory_limit: self.memory_limit,
            wall: self.wall,
            repeat: self.repeat,
            min_asserts: self.min_asserts,
            max_asserts: self.max_asserts,
            answer: self.answer,
            mutators: self.mutators.clone(),
            seed: self.seed,
            runs: self.runs.into(),
            solver_seed: self.solver_seed,
            jobs: self.jobs.map(usize::from),
            shrink: self.shrink,
        }
    }

    fn folder(&self) -> anyhow::Result<Folder> {
        if self.resume {
            return Folder::resume(self.out.as_deref().context("--resume needs --out")?);
        }
        Folder::create(self.options(), self.start()?, self.out.as_deref())
    }

    /// The script to start from, if one is given.
    fn start(&self) -> anyhow::Result<Option<Instance>> {
        if let Some(path) = &self.file {
            return script(path).map(Some);
        }
        let Some(text) = &self.generator else { return Ok(None) };
        let generator = r#gen::parse(text)?;
        let mut out = String::new();
        Maker::default()
            .make(&*generator, self.seed, &Frame::default(), &mut out)
            .map_err(|e| anyhow!("{}: {e}", generator.info().name))?;
        Instance::from_text(out.as_bytes(), None)
            .map(Some)
            .map_err(|_| anyhow!("the generator's script cannot be parsed"))
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let config = crate::parts::config(args.on, args.cluster.as_deref())?;
    let folder = args.folder()?;
    let cancel = Cancel::new().context("cannot start")?;
    signals::stop_on_signals(&cancel)?;
    match &config {
        None => parts::check_none(&folder)?,
        Some(config) if parts::run(args, &folder, config, &cancel)? => {}
        Some(_) => return Ok(Outcome::Undetermined),
    }
    let bar =
        Bar::new(u64::from(folder.options.generations), "{bar:20} {pos}/{len}  {msg}").lines(args.quiet);
    let outcome = lab::r#break::run(&folder, &Host { progress: &bar, cancel: &cancel });
    bar.finish();
    let outcome = outcome?;
    render::print(args.format, &outcome)?;
    if !args.quiet {
        // The times of a cluster are not those of this process.
        let summary = if args.on.is_some() { outcome.judged() } else { outcome.summary() };
        render::notice(&format!("\nfolder: {}\n{summary}", outcome.dir.display()));
    }
    if outcome.stopped {
        let dir = clean::shell(&outcome.dir.display().to_string());
        render::notice(&format!("\nstopped; to resume: stringent break --resume --out {dir}"));
    }
    Ok(match outcome.has_bug() {
        true => Outcome::Found,
        false if outcome.is_undetermined() => Outcome::Undetermined,
        false => Outcome::Clean,
    })
}

fn script(path: &Path) -> anyhow::Result<Instance> {
    let text = input::read(path)?;
    Instance::from_text(&text.bytes, None).map_err(|errors| {
        let shown: Vec<String> =
            errors.iter().take(5).map(|d| render::diagnostic(&text.name, &text.bytes, d)).collect();
        anyhow!("not a valid script\n{}", shown.join("\n"))
    })
}
