//! `stringent solve`: the built-in solver on files, or as a session over a pipe.

mod client;
mod memory;
mod terminal;

use crate::limits::{count, mebibytes, seconds};
use crate::personality::{self, Personality, Request};
use crate::{Outcome, failure, input, render};
use anyhow::Context as _;
use smt::diag::Position;
use smt::stream::Splitter;
use smt::{Dialect, Pool};
use solver::engines::Engines;
use solver::options::Strategy;
use solver::session::{Flow, Session, Settings};
use std::io::{IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use terminal::Terminal;

/// Solve scripts with the built-in solver.
///
/// Each command is executed as soon as its closing parenthesis has been read, and its answer is flushed immediately, so
/// that programs that drive z3 or cvc5 over a pipe can drive this one. A command that fails is answered by
/// `(error "line 3 column 5: …")`, and the session continues.
#[derive(clap::Args, Default)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Scripts, each in a session of its own; `-`, or none, for a session on stdin
    files: Vec<PathBuf>,
    /// Techniques: base, +s, +f, +fs (those of the CAV'17 paper), or auto (all of them)
    #[arg(long, value_name = "NAME", default_value = "auto", allow_hyphen_values = true)]
    strategy: Strategy,
    /// Switches of techniques: all, none, or names with + or - (docs/solver.md)
    #[arg(long, value_name = "LIST", default_value = "all", allow_hyphen_values = true)]
    engines: Engines,
    /// Wall-clock time of each check, in seconds; then the answer is unknown. In a file, reading counts as well
    #[arg(long, short, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    time_limit: Option<f64>,
    /// Memory of the process, in MiB, 0 for no limit; a check that needs more is unknown [default: three quarters of the
    /// machine, half of what `ulimit -v` leaves]
    #[arg(long, value_name = "MIB", value_parser = mebibytes, allow_negative_numbers = true)]
    memory_limit: Option<u64>,
    /// Ticks of each check, a measure of work that is the same on every machine; then the answer is unknown
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    ticks: Option<u64>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Evaluate every inference on many assignments; slow
    #[arg(long)]
    audit: bool,
    /// Write every inference to stderr, or to FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    trace: Option<PathBuf>,
    /// Write statistics of each check to stderr
    #[arg(long)]
    stats: bool,
    /// Explain each answer on stderr: values for sat, a minimal refutation for unsat, reason and work for unknown
    #[arg(long)]
    explain: bool,
    /// Run two strategies side by side; the answer is the same every time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    threads: u8,
    /// Print a model after each sat
    #[arg(long)]
    model: bool,
    /// Print an unsat core (the names of assertions) after each unsat
    #[arg(long)]
    core: bool,
    /// Minimise cores
    #[arg(long)]
    minimise_cores: bool,
    /// The dialect of the scripts, instead of detecting it (stdin: 2.6)
    #[arg(long)]
    dialect: Option<Dialect>,
    /// Answer wrongly in one narrow case, to measure hunts: its number, from 1
    #[arg(long, value_name = "N", hide = true, value_parser = clap::value_parser!(u8).range(1..=10))]
    planted: Option<u8>,
    /// Take the flags of another solver, and answer in its form: z3, cvc5 or cvc4. Must come first
    #[arg(long = "as", value_name = "SOLVER", value_parser = not_first)]
    personality: Option<Personality>,
    /// Options of the session, set by the command line of another solver.
    #[arg(skip)]
    options: Vec<(String, String)>,
}

/// `--as` and the flags after it are read before all others; here it is out of place, or names no solver.
fn not_first(name: &str) -> Result<Personality, String> {
    let names = Personality::ALL.map(Personality::name);
    if !names.contains(&name) {
        return Err(format!("known solvers: {}", names.join(", ")));
    }
    Err(format!("it must be the first option: stringent solve --as {name} …"))
}

const HELP: &str = "\
Examples:
  stringent solve problem.smt2
  stringent solve --model --time-limit 10 problem.smt2
  stringent solve --strategy +fs --trace=steps.txt --stats problem.smt2
  echo '(declare-const x String)(assert (= (str.len x) 2))(check-sat)(get-model)' | stringent solve

In the place of another solver (docs/drop-in.md):
  stringent solve --as z3 -in -T:10
  stringent link ~/bin

Exit codes: 0 every command was accepted, 2 a command or a file could not be read, 3 internal error. A command that fails
because of the state, such as get-model after unsat, counts as accepted.";

/// Stacks for the solver, the first one that can be had: it recurses on sorts and formulas of bounded depth only, but frames of a search add
/// up. A process with little address space (`ulimit -v`) gets a smaller one.
const STACKS: [usize; 4] = [256 << 20, 128 << 20, 64 << 20, 16 << 20];

/// Solves in the place of another solver. Exit codes: 0, or 1 if a command could not be read.
pub(crate) fn run_as(personality: Personality, request: &Request) -> ExitCode {
    let args = Args {
        files: request.file.iter().cloned().collect(),
        stats: request.stats,
        personality: Some(personality),
        options: request.options.clone(),
        model: request.show_models,
        core: request.show_cores,
        memory_limit: request.memory_mib,
        ..Args::default()
    };
    if let Some(name) = args.unknown_option() {
        return personality::unknown_option(personality, name);
    }
    if let Some(file) = request.file.as_deref().filter(|file| *file != Path::new("-"))
        && std::fs::File::open(file).is_err()
    {
        return personality::no_file(personality, file);
    }
    if let Some(ms) = request.total_ms {
        client::end_after(Duration::from_millis(ms), personality);
    }
    match std::panic::catch_unwind(|| run(&args)) {
        Ok(Ok(Outcome::Clean)) => failure::finish(ExitCode::SUCCESS),
        Ok(Ok(_)) => failure::finish(ExitCode::FAILURE),
        Ok(Err(e)) => failure::report(&e),
        Err(_) => failure::internal(),
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    std::thread::scope(|scope| {
        let start = |size| std::thread::Builder::new().stack_size(size).spawn_scoped(scope, || solve(args));
        let mut solving = start(STACKS[0]);
        for size in &STACKS[1..] {
            solving = solving.or_else(|_| start(*size));
        }
        match solving.context("cannot start a thread")?.join() {
            Ok(outcome) => outcome,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

fn solve(args: &Args) -> anyhow::Result<Outcome> {
    let mut host = Terminal::new(args)?;
    let mut outcome = Outcome::Clean;
    let stdin = [PathBuf::from("-")];
    let files = if args.files.is_empty() { &stdin[..] } else { &args.files };
    for file in files {
        let one =
            if file == Path::new("-") { interactive(args, &mut host)? } else { batch(file, args, &mut host) };
        outcome = outcome.max(one);
    }
    if let Some(e) = host.error.take() {
        return Err(e.into());
    }
    assert!(!host.broken, "the solver failed on a check");
    Ok(outcome)
}

impl Args {
    /// A session with an empty pool, of the solver or of one with a planted bug.
    fn session<'p>(&self, pool: &'p mut Pool, dialect: Dialect, settings: Settings) -> Session<'p> {
        let mut session = Session::new(pool, dialect, settings);
        for (name, value) in &self.options {
            session.configure(name, value);
        }
        let Some(case) = self.planted else { return session };
        hunt::planted::select(case.into());
        session.with_engine(hunt::planted::check)
    }

    /// An option of the command line that sessions do not have, or not with this value.
    fn unknown_option(&self) -> Option<&str> {
        let mut pool = Pool::new();
        let mut session = Session::new(&mut pool, Dialect::default(), Settings::default());
        let (name, _) = self.options.iter().find(|(name, value)| !session.configure(name, value))?;
        Some(name)
    }
}

fn settings(args: &Args) -> Settings {
    let mut settings = Settings::default();
    settings.options.strategy = args.strategy;
    settings.options.engines = args.engines;
    settings.options.seed = args.seed;
    settings.options.audit = args.audit;
    settings.options.trace = args.trace.is_some();
    settings.options.ticks = args.ticks;
    settings.options.minimise_cores = args.minimise_cores;
    settings.options.threads = usize::from(args.threads);
    settings.explain = args.explain;
    settings.cores = args.core;
    settings.show_models = args.model;
    settings.show_cores = args.core;
    settings.style = args.personality.map(Personality::style).unwrap_or_default();
    settings
}

/// Solves a file.
fn batch(file: &Path, args: &Args, host: &mut Terminal) -> Outcome {
    host.begin(true);
    let input = match input::read(file) {
        Ok(input) => input,
        Err(e) => {
            render::error(&format!("{e:#}"));
            return Outcome::BadInput;
        }
    };
    let dialect = args.dialect.unwrap_or_else(|| smt::dialect::detect(&input.bytes));
    let mut pool = Pool::new();
    let settings = Settings { file: true, ..settings(args) };
    let mut session = args.session(&mut pool, dialect, settings);
    session.run(&input.bytes, dialect, Position { line: 1, column: 1 }, host);
    ended(&session, host)
}

/// A session on stdin: each command is executed when it is complete.
fn interactive(args: &Args, host: &mut Terminal) -> anyhow::Result<Outcome> {
    host.begin(false);
    host.interruptible()?;
    client::end_with_client()?;
    let dialect = args.dialect.unwrap_or_default();
    let mut pool = Pool::new();
    let mut session = args.session(&mut pool, dialect, settings(args));
    let mut splitter = Splitter::new(dialect.quoting());
    let mut stdin = std::io::stdin().lock();
    // z3 has no prompt.
    let asks = args.personality != Some(Personality::Z3);
    let prompt = asks && stdin.is_terminal() && std::io::stdout().is_terminal();
    let mut bytes = vec![0; 1 << 16];
    loop {
        if prompt {
            host.prompt(splitter.is_open());
        }
        let n = match stdin.read(&mut bytes) {
            Ok(n) => n,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e).context("cannot read stdin"),
        };
        splitter.feed(&bytes[..n]);
        while let Some(command) = if n == 0 { splitter.rest() } else { splitter.next_command() } {
            let text = splitter.text(command.clone());
            if session.run(text, dialect, splitter.position(), host) == Flow::Exit {
                return Ok(ended(&session, host));
            }
            splitter.advance(command);
        }
        if n == 0 {
            return Ok(ended(&session, host));
        }
    }
}

fn ended(session: &Session<'_>, host: &mut Terminal) -> Outcome {
    host.broken |= session.is_broken();
    if session.errors() > 0 { Outcome::BadInput } else { Outcome::Clean }
}
