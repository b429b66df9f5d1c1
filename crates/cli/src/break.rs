//! `stringent break`: a search for scripts that a solver finds hard.

mod compare;
mod fitness;
mod judge;
mod log;
mod plot;
mod search;
mod show;
mod shrink;

use crate::campaign_args::seconds;
use crate::campaign_run::stop_on_signals;
use crate::render::{self, Format};
use crate::{Outcome, r#gen, input};
use anyhow::{Context as _, anyhow, bail};
use campaign::measure::Meter;
use campaign::outcome::Answer;
use campaign::process::{Cancel, Watchdog};
use campaign::profile::{self, Solver};
use campaign::provenance::now;
use campaign::report::clean;
use clap::Parser as _;
use fitness::{Bug, Fitness};
use judge::Judge;
use log::{Line, Log, Member};
use search::{Cache, Search, World};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use synth::evolve::{Breeder, Mutators};
use synth::generators::bulk::{Frame, Maker};
use synth::instance::Instance;
use synth::suite::Dice;

/// Search for scripts that a solver finds slow, by mutation and selection.
///
/// Starts from a script (a file, a generator's, or a random one), makes children of it by random mutations, runs the solver on
/// each, and keeps the slowest; once they reach the time limit, the smallest of those. The champion of each run is made
/// smaller while it stays as slow, and written with its lineage: which mutations made it slow. Everything is in a folder: a
/// search that was stopped goes on with --resume.
///
/// Time is processor time, so that runs side by side do not disturb each other. It counts in steps of a quarter; smaller
/// differences are noise.
#[derive(clap::Args, Clone)]
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
    /// The solver that is to be fast, for the gap
    #[arg(long, value_name = "SPEC")]
    against: Option<String>,
    /// Also run each champion on this solver, for the table and the plot; may be repeated
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
    /// The most time for a script, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0, value_parser = seconds)]
    time_limit: f64,
    /// Memory for each run of a solver, in MiB; 0 for no limit
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    memory_limit: u64,
    /// Count time on the wall, not processor time
    #[arg(long)]
    wall: bool,
    /// Measure so often, and take the median; what is hopeless after the first time is not measured again
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// The fewest assertions [default: 3, or the most if that is less]
    #[arg(long, value_name = "N")]
    min_asserts: Option<u16>,
    /// The most assertions
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    max_asserts: u16,
    /// Only scripts with this answer: sat or unsat
    #[arg(long, value_name = "ANSWER", value_parser = answer)]
    answer: Option<Answer>,
    /// Mutators with weights: add, remove, cross (joins two parents), and all of `stringent transform`
    #[arg(long, value_name = "NAME[=N],…", default_value = "reverse,translate,add,remove")]
    mutators: Mutators,
    /// What random choices start from; run R of a seed S is the first of seed S + R
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Searches, one after the other
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    runs: u16,
    /// The seed of the solver
    #[arg(long, value_name = "S", default_value_t = 0)]
    solver_seed: u64,
    /// Runs of the solver at a time [default: the number of cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    jobs: Option<u16>,
    /// Smaller scripts to try for each champion; 0 leaves it as it is
    #[arg(long, value_name = "N", default_value_t = 200)]
    shrink: usize,
    /// The folder for logs, champions and the plot [default: a new one in stringent-results/]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the search in --out where it was stopped; other options are those it was started with
    #[arg(long, requires = "out")]
    resume: bool,
    /// Form of the result on standard output
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

In the folder: run-NN.jsonl (every script that was judged, one JSON object a line), champion-NN.smt2, champions.svg
(with --compare), and findings/ if the solver answered wrongly or crashed on the way.

Exit codes: 0 done, 10 a wrong answer or a crash was met, 11 stopped, or no fit script was found, or two solvers
disagree, 2 usage or bad input.";

fn answer(text: &str) -> Result<Answer, String> {
    match text.to_ascii_lowercase().as_str() {
        "sat" => Ok(Answer::Sat),
        "unsat" => Ok(Answer::Unsat),
        _ => Err("sat or unsat".into()),
    }
}

/// What is kept of a search to go on with it.
#[derive(Serialize, Deserialize)]
struct Kept {
    version: String,
    command: String,
    /// The words of the command line.
    words: Vec<String>,
    created: String,
}

/// Only to read kept words.
#[derive(clap::Parser)]
#[command(no_binary_name = true)]
struct Words {
    #[command(flatten)]
    args: Args,
}

/// What came of a run.
pub(crate) struct Champion {
    pub(crate) run: usize,
    pub(crate) seed: u64,
    pub(crate) member: Member,
    pub(crate) file: PathBuf,
    pub(crate) lineage: Vec<(u32, String, f64)>,
    pub(crate) judged: usize,
    pub(crate) skipped: u64,
    pub(crate) noise: Option<f64>,
    /// Time and answer of each solver that it is compared with.
    pub(crate) others: Vec<(String, fitness::Found)>,
}

pub(crate) fn run(given: &Args) -> anyhow::Result<Outcome> {
    let (dir, args, start) = if given.resume { reopen(given)? } else { create(given)? };
    let _lock = lock(&dir)?;
    let solvers = Solvers::resolve(&args)?;
    let cancel = Cancel::new().context("cannot start")?;
    stop_on_signals(&cancel)?;
    let command = Watchdog::own_command();
    let _watchdog =
        command.as_deref().map(Watchdog::start).transpose().context("cannot start the watchdog")?;
    let threads = args
        .jobs
        .map_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get), usize::from);
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")?;
    pool.install(|| hunt(&args, &dir, start.as_ref(), &solvers, &cancel))
}

struct Solvers {
    target: Solver,
    against: Option<Solver>,
    compare: Vec<Solver>,
}

impl Solvers {
    fn resolve(args: &Args) -> anyhow::Result<Solvers> {
        if (args.fitness == Fitness::Gap) != args.against.is_some() {
            bail!("--fitness gap and --against SOLVER go together");
        }
        if args.min_asserts.is_some_and(|n| n > args.max_asserts) {
            bail!("--min-asserts is above --max-asserts");
        }
        let target = match &args.solver {
            Some(spec) => profile::resolve(spec)?,
            None => profile::default_solver()?,
        };
        let against = args.against.as_deref().map(profile::resolve).transpose()?;
        let compare = args.compare.iter().map(|s| profile::resolve(s)).collect::<Result<_, _>>()?;
        Ok(Solvers { target, against, compare })
    }
}

/// A new folder.
fn create(args: &Args) -> anyhow::Result<(PathBuf, Args, Option<Instance>)> {
    Solvers::resolve(args)?;
    let start = start(args)?;
    let dir = new_folder(args.out.as_deref())?;
    let words: Vec<String> = std::env::args().skip(2).collect();
    let command = words.iter().map(|w| clean::shell(w)).collect::<Vec<_>>().join(" ");
    let kept = Kept {
        version: env!("CARGO_PKG_VERSION").into(),
        command: format!("stringent break {command}").trim_end().into(),
        words,
        created: now(),
    };
    if let Some(start) = &start {
        write(&dir.join("start.smt2"), &start.to_text(""))?;
    }
    write(&dir.join(KEPT), &format!("{:#}\n", serde_json::to_value(&kept)?))?;
    Ok((dir, args.clone(), start))
}

/// The file that says what a search is; who has it locked, works in the folder.
const KEPT: &str = "break.json";

/// Makes a folder for a search, and the file that says so: of several that try, one gets it.
fn new_folder(given: Option<&Path>) -> anyhow::Result<PathBuf> {
    let usual = Path::new("stringent-results").join(format!("{}-break", now().replace([':', 'Z'], "")));
    for n in 1..1000 {
        let dir = match given {
            Some(dir) => dir.to_owned(),
            None if n == 1 => usual.clone(),
            None => usual.with_file_name(format!("{}-{n}", usual.file_name().unwrap_or_default().display())),
        };
        std::fs::create_dir_all(&dir)
            .with_context(|| format!("cannot make the folder `{}`", dir.display()))?;
        match std::fs::File::create_new(dir.join(KEPT)) {
            Ok(_) => return Ok(dir),
            Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => {
                return Err(e).with_context(|| format!("cannot write in `{}`", dir.display()));
            }
            Err(_) if given.is_some() => {
                bail!("{}: there is a search in it already; use --resume to go on with it", dir.display())
            }
            Err(_) => {}
        }
    }
    bail!("no free name for the folder")
}

/// Keeps others off the folder, until it is dropped or this process ends.
fn lock(dir: &Path) -> anyhow::Result<std::fs::File> {
    let path = dir.join(KEPT);
    let file = std::fs::File::open(&path).with_context(|| path.display().to_string())?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => bail!("{}: another search is using it", dir.display()),
        Err(std::fs::TryLockError::Error(e)) => Err(e).with_context(|| path.display().to_string()),
    }
}

/// The folder of a search that was stopped.
fn reopen(given: &Args) -> anyhow::Result<(PathBuf, Args, Option<Instance>)> {
    let dir = given.out.clone().context("--resume needs --out")?;
    let path = dir.join(KEPT);
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("{}: there is no search in it", dir.display()))?;
    let kept: Kept = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
    let words = Words::try_parse_from(&kept.words).map_err(|e| anyhow!("{}: {e}", path.display()))?;
    let args = Args { resume: true, quiet: given.quiet, format: given.format, ..words.args };
    let start = dir.join("start.smt2");
    let start = start.exists().then(|| script(&start)).transpose()?;
    Ok((dir, args, start))
}

/// The script to start from, if one is given.
fn start(args: &Args) -> anyhow::Result<Option<Instance>> {
    if let Some(path) = &args.file {
        return script(path).map(Some);
    }
    let Some(text) = &args.generator else { return Ok(None) };
    let generator = r#gen::parse(text)?;
    let mut out = String::new();
    Maker::default()
        .make(&*generator, args.seed, &Frame::default(), &mut out)
        .map_err(|e| anyhow!("{}: {e}", generator.info().name))?;
    Instance::from_text(out.as_bytes(), None)
        .map(Some)
        .map_err(|_| anyhow!("the generator's script cannot be read"))
}

fn script(path: &Path) -> anyhow::Result<Instance> {
    let text = input::read(path)?;
    Instance::from_text(&text.bytes, None).map_err(|errors| {
        let shown: Vec<String> =
            errors.iter().take(5).map(|d| render::diagnostic(&text.name, &text.bytes, d)).collect();
        anyhow!("it cannot be read\n{}", shown.join("\n"))
    })
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))
}

/// All runs.
fn hunt(
    args: &Args,
    dir: &Path,
    start: Option<&Instance>,
    solvers: &Solvers,
    cancel: &Cancel,
) -> anyhow::Result<Outcome> {
    let folder = tempfile::tempdir().context("cannot make a folder for scripts")?;
    let started = Instant::now();
    let meter = Meter {
        limit: Duration::try_from_secs_f64(args.time_limit).context("the time limit")?,
        wall: args.wall,
        memory: (args.memory_limit > 0).then_some(args.memory_limit << 20),
        statistic: match &args.fitness {
            Fitness::Statistic(name) => Some(name.clone()),
            _ => None,
        },
        seed: args.solver_seed,
    };
    let judge = Judge {
        solver: &solvers.target,
        against: solvers.against.as_ref(),
        fitness: args.fitness.clone(),
        meter,
        repeat: args.repeat,
        answer: args.answer,
        folder: folder.path(),
        cancel,
    };
    let progress = show::Progress::new(args.quiet, u64::from(args.generations));
    let mut hunt = Hunt { args, dir, start, judge, cache: Cache::new(), bugs: Vec::new(), progress };
    let mut champions = Vec::new();
    for run in 0..usize::from(args.runs) {
        match hunt.run(run) {
            Ok(Some(champion)) => champions.push(champion),
            Ok(None) => break,
            Err(e) => {
                hunt.progress.finish();
                return Err(e);
            }
        }
    }
    let Hunt { judge, bugs, progress, .. } = hunt;
    progress.finish();
    let spent = started.elapsed();
    compare::compare(&mut champions, &solvers.compare, &judge);
    let stopped = cancel.is_cancelled();
    compare::report(args, dir, &champions, &bugs, solvers, stopped)?;
    if !args.quiet {
        render::notice(&hunted(&champions, spent));
    }
    if stopped {
        let dir = clean::shell(&dir.display().to_string());
        render::notice(&format!("\nstopped. To go on: stringent break --resume --out {dir}"));
    }
    let unfit = champions.iter().any(|c| c.member.found.unfit.is_some());
    Ok(match bugs.iter().any(|f| matches!(f.bug, Bug::Certain(_))) {
        true => Outcome::Found,
        false if stopped || unfit || !bugs.is_empty() => Outcome::Open,
        false => Outcome::Clean,
    })
}

/// How much was done, and how fast.
fn hunted(champions: &[Champion], spent: Duration) -> String {
    let judged: usize = champions.iter().map(|c| c.judged).sum();
    let skipped: u64 = champions.iter().map(|c| c.skipped).sum();
    let rate = judged as f64 / spent.as_secs_f64().max(1e-6);
    format!(
        "{} judged, {skipped} skipped by their size, {} on the wall, {rate:.0}/s",
        clean::counted(judged as u64, "script"),
        clean::time(spent)
    )
}

/// A script on which something is wrong with a solver.
pub(crate) struct Finding {
    pub(crate) bug: Bug,
    pub(crate) file: PathBuf,
}

/// What all runs share.
struct Hunt<'a> {
    args: &'a Args,
    dir: &'a Path,
    start: Option<&'a Instance>,
    judge: Judge<'a>,
    cache: Cache,
    bugs: Vec<Finding>,
    progress: show::Progress,
}

impl Hunt<'_> {
    /// One run. None if it was stopped.
    fn run(&mut self, run: usize) -> anyhow::Result<Option<Champion>> {
        let args = self.args;
        let seed = args.seed.wrapping_add(run as u64);
        let breeder = Breeder {
            mutators: args.mutators.clone(),
            min_asserts: usize::from(args.min_asserts.unwrap_or(3).min(args.max_asserts)),
            max_asserts: usize::from(args.max_asserts),
        };
        let (population, survivors) = (usize::from(args.population), usize::from(args.survivors));
        let world = World { breeder, seed, population, survivors };
        let path = self.dir.join(format!("run-{:02}.jsonl", run + 1));
        let lines = log::read(&path)?;
        let mut log = Log::append(&path)?;
        if lines.is_empty() {
            log.line(&self.first_line(seed))?;
        }
        let mut search = Search::new(&world, log, &lines, &mut self.cache)?;
        if !self.search(&world, run, &mut search)? {
            return Ok(None);
        }
        let ended = lines.iter().find_map(|l| match l {
            Line::End { shrunk, .. } => Some(shrunk.clone()),
            _ => None,
        });
        let shrunk = match ended {
            Some(shrunk) => shrunk,
            None => {
                let shrunk = self.smaller(&search);
                if self.judge.cancel.is_cancelled() {
                    return Ok(None);
                }
                search.end(shrunk.clone())?;
                shrunk
            }
        };
        for (m, bug) in search.members.iter().filter_map(|m| Some((m, m.found.bug.clone()?))) {
            self.bugs.push(compare::keep_bug(self.dir, run, m, bug)?);
        }
        compare::write_champion(args, self.dir, run, seed, &search, shrunk, &self.judge).map(Some)
    }

    fn first_line(&self, seed: u64) -> Line {
        let command = std::env::args().skip(1).map(|w| clean::shell(&w)).collect::<Vec<_>>().join(" ");
        Line::Run {
            version: env!("CARGO_PKG_VERSION").into(),
            command: format!("stringent {command}"),
            seed,
            solver: self.judge.solver.name.clone(),
        }
    }

    /// All generations that are left. False if it was stopped.
    fn search(&mut self, world: &World, run: usize, search: &mut Search<'_>) -> anyhow::Result<bool> {
        if search.is_new() {
            let mut dice = Dice::new(world.seed, 1 << 61);
            let first = match self.start {
                Some(given) => world.breeder.start(given, &mut dice)?,
                None => world.breeder.random(&mut dice),
            };
            if !search.start(first, &self.judge, &mut self.cache)? {
                return Ok(false);
            }
        }
        while search.generation < self.args.generations {
            if !search.step(&self.judge, &mut self.cache)? {
                return Ok(false);
            }
            self.progress.tell(run, usize::from(self.args.runs), search);
        }
        Ok(true)
    }

    /// The champion made smaller, if it can be.
    fn smaller(&self, search: &Search<'_>) -> Option<Member> {
        let (champion, instance) = search.champion();
        if champion.found.unfit.is_some() {
            return None;
        }
        let mut tell = |left: usize, size: usize| self.progress.shrinking(left, size);
        let (small, found) =
            shrink::shrink(instance, champion.found.score, &self.judge, self.args.shrink, &mut tell)?;
        Some(Member {
            id: champion.id,
            generation: champion.generation,
            parents: vec![champion.id],
            mutation: "shrink".into(),
            size: synth::evolve::body(&small).len(),
            found,
            text: small.to_text(""),
        })
    }
}
