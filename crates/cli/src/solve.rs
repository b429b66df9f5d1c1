//! `stringent solve`: the built-in solver on files, or as a session over a pipe.

mod terminal;

use crate::limits::{count, seconds};
use crate::{Outcome, input, render};
use anyhow::Context as _;
use smt::diag::Position;
use smt::stream::Splitter;
use smt::{Dialect, Pool};
use solver::options::Strategy;
use solver::session::{Flow, Session, Settings};
use std::io::{IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};
use terminal::Terminal;

/// Solve scripts with the built-in solver.
///
/// Each command is executed as soon as its closing parenthesis has been read, and its answer is flushed immediately, so
/// that programs that drive z3 or cvc5 over a pipe can drive this one. A command that fails is answered by
/// `(error "line 3 column 5: …")`, and the session continues.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Scripts, each in a session of its own; `-`, or none, for a session on stdin
    files: Vec<PathBuf>,
    /// Techniques: base, +s, +f, +fs (those of the CAV'17 paper), or auto (all of them)
    #[arg(long, value_name = "NAME", default_value = "auto", allow_hyphen_values = true)]
    strategy: Strategy,
    /// Wall-clock time of each check, in seconds; then the answer is unknown. In a file, reading counts as well
    #[arg(long, short, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    time_limit: Option<f64>,
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
}

const HELP: &str = "\
Examples:
  stringent solve problem.smt2
  stringent solve --model --time-limit 10 problem.smt2
  stringent solve --strategy +fs --trace=steps.txt --stats problem.smt2
  echo '(declare-const x String)(assert (= (str.len x) 2))(check-sat)(get-model)' | stringent solve

Exit codes: 0 every command was accepted, 2 a command or a file could not be read, 3 internal error. A command that fails
because of the state, such as get-model after unsat, counts as accepted.";

/// The stack of the solver: it recurses on sorts and formulas of bounded depth only, but frames of a search add up.
const STACK: usize = 256 << 20;

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    std::thread::scope(|scope| {
        let solving = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || solve(args));
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
        let session = Session::new(pool, dialect, settings);
        let Some(case) = self.planted else { return session };
        hunt::planted::select(case.into());
        session.with_engine(hunt::planted::check)
    }
}

fn settings(args: &Args) -> Settings {
    let mut settings = Settings::default();
    settings.options.strategy = args.strategy;
    settings.options.seed = args.seed;
    settings.options.audit = args.audit;
    settings.options.trace = args.trace.is_some();
    settings.options.ticks = args.ticks;
    settings.options.minimise_cores = args.minimise_cores;
    settings.cores = args.core;
    settings.show_models = args.model;
    settings.show_cores = args.core;
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
    let dialect = args.dialect.unwrap_or_default();
    let mut pool = Pool::new();
    let mut session = args.session(&mut pool, dialect, settings(args));
    let mut splitter = Splitter::new(dialect.quoting());
    let mut stdin = std::io::stdin().lock();
    let prompt = stdin.is_terminal() && std::io::stdout().is_terminal();
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
