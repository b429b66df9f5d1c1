//! `stringent solve`: the built-in solver on files, or as a session over a pipe.

use crate::campaign_args::seconds;
use crate::{Outcome, input, render};
use anyhow::Context as _;
use smt::diag::Position;
use smt::stream::Splitter;
use smt::{Dialect, Pool};
use solver::engine;
use solver::options::Strategy;
use solver::session::{Flow, Host, Session, Settings};
use std::io::{IsTerminal as _, Read as _, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Solve scripts with the built-in solver.
///
/// Each command is executed as soon as its closing parenthesis has been read, and its answer is written at once, so
/// that programs which drive z3 or cvc5 over a pipe can drive this one. What cannot be carried out is answered by
/// `(error "line 3 column 5: …")`, and the session goes on.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Scripts, each in a session of its own; `-`, or none, for a session on stdin
    files: Vec<PathBuf>,
    /// Which techniques are used: base, +s, +f, +fs (those of the CAV 2017 paper), or auto, which has all
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = strategy, allow_hyphen_values = true)]
    strategy: Strategy,
    /// Time for each check, in seconds; then the answer is unknown
    #[arg(long, short, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<f64>,
    /// Work for each check, whose limit is reached at the same point on every machine
    #[arg(long, value_name = "N")]
    ticks: Option<u64>,
    /// Seed of what is chosen at random
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Evaluate every inference on many assignments; slow
    #[arg(long)]
    audit: bool,
    /// Write every inference to stderr, or to FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    trace: Option<PathBuf>,
    /// Write what each check did to stderr
    #[arg(long)]
    stats: bool,
    /// Print a model after each sat
    #[arg(long)]
    model: bool,
    /// Print an unsat core (the names of assertions) after each unsat
    #[arg(long)]
    core: bool,
    /// Make cores as small as can be
    #[arg(long)]
    minimise_cores: bool,
    /// The dialect of the scripts, instead of detecting it (stdin: 2.6)
    #[arg(long)]
    dialect: Option<Dialect>,
}

const HELP: &str = "\
Examples:
  stringent solve problem.smt2
  stringent solve --model --time-limit 10 problem.smt2
  stringent solve --strategy +fs --trace=steps.txt --stats problem.smt2
  echo '(declare-const x String)(assert (= (str.len x) 2))(check-sat)(get-model)' | stringent solve

Exit codes: 0 every command was read (whether or not it was answered by an error, as a question for a model after unsat
is), 2 a command or a file could not be read, 3 internal error.";

pub(crate) fn strategy(text: &str) -> Result<Strategy, String> {
    Ok(match text.trim_start_matches('+') {
        "base" => Strategy::Base,
        "s" => Strategy::S,
        "f" => Strategy::F,
        "fs" | "sf" => Strategy::Fs,
        "auto" => Strategy::Auto,
        _ => return Err("base, +s, +f, +fs or auto".into()),
    })
}

/// The solver may recurse on sorts and formulas of bounded depth only, but frames of a search add up.
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
            if file == Path::new("-") { interactive(args, &mut host)? } else { whole(file, args, &mut host) };
        outcome = outcome.max(one);
    }
    if let Some(e) = host.trouble.take() {
        return Err(e.into());
    }
    assert!(!host.broken, "the solver failed on a check");
    Ok(outcome)
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

/// A file: read as a whole.
fn whole(file: &Path, args: &Args, host: &mut Terminal) -> Outcome {
    let input = match input::read(file) {
        Ok(input) => input,
        Err(e) => {
            render::error(&format!("{e:#}"));
            return Outcome::BadInput;
        }
    };
    let dialect = args.dialect.unwrap_or_else(|| smt::dialect::detect(&input.bytes));
    let mut pool = Pool::new();
    let mut session = Session::new(&mut pool, dialect, settings(args));
    session.run(&input.bytes, dialect, Position { line: 1, column: 1 }, host);
    ended(&session, host)
}

/// A session on stdin: each command is executed when it is complete.
fn interactive(args: &Args, host: &mut Terminal) -> anyhow::Result<Outcome> {
    let dialect = args.dialect.unwrap_or_default();
    let mut pool = Pool::new();
    let mut session = Session::new(&mut pool, dialect, settings(args));
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

/// Standard output, the clock, and where traces go.
struct Terminal {
    out: std::io::Stdout,
    trace: Option<Box<dyn Write>>,
    stats: bool,
    limit: Option<Duration>,
    started: Instant,
    until: Option<Instant>,
    trouble: Option<std::io::Error>,
    broken: bool,
}

impl Terminal {
    fn new(args: &Args) -> anyhow::Result<Terminal> {
        let trace: Option<Box<dyn Write>> = match &args.trace {
            None => None,
            Some(p) if p == Path::new("-") => Some(Box::new(std::io::stderr())),
            Some(p) => {
                let file =
                    std::fs::File::create(p).with_context(|| format!("cannot write `{}`", p.display()))?;
                Some(Box::new(std::io::BufWriter::new(file)))
            }
        };
        Ok(Terminal {
            out: std::io::stdout(),
            trace,
            stats: args.stats,
            limit: args.time_limit.map(Duration::from_secs_f64),
            started: Instant::now(),
            until: None,
            trouble: None,
            broken: false,
        })
    }

    fn prompt(&mut self, open: bool) {
        let _ = self.out.write_all(if open { b"  " } else { b"> " }).and_then(|()| self.out.flush());
    }

    fn account(&mut self, verdict: &str, outcome: &engine::Outcome) -> std::io::Result<()> {
        if let Some(trace) = &mut self.trace {
            for line in &outcome.trace {
                writeln!(trace, "{line}")?;
            }
            writeln!(trace, "{verdict}")?;
            trace.flush()?;
        }
        if self.stats {
            let mut err = std::io::stderr().lock();
            writeln!(err, "{verdict} after {:.3} s", self.started.elapsed().as_secs_f64())?;
            for (name, count) in &outcome.statistics {
                writeln!(err, "  {name:<28} {count:>12}")?;
            }
        }
        Ok(())
    }
}

impl Host for Terminal {
    fn respond(&mut self, text: &str) -> bool {
        let mut out = self.out.lock();
        let line = format!("{text}\n");
        match out.write_all(line.as_bytes()).and_then(|()| out.flush()) {
            Ok(()) => true,
            Err(e) => {
                self.trouble = Some(e);
                false
            }
        }
    }

    fn start(&mut self, limit: Option<u64>) {
        let limit = limit.map(Duration::from_millis).into_iter().chain(self.limit).min();
        self.started = Instant::now();
        self.until = limit.and_then(|l| self.started.checked_add(l));
    }

    fn stop(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    fn done(&mut self, verdict: &str, outcome: &engine::Outcome) {
        if let Err(e) = self.account(verdict, outcome) {
            self.trouble = Some(e);
        }
    }
}
