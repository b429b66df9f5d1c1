//! The terminal as the host of a session: standard output, the clock, and the trace.

use super::Args;
use super::memory::Memory;
use anyhow::Context as _;
use smt::work::Stop;
use solver::engine;
use solver::session::Host;
use std::cell::Cell;
use std::io::Write;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Standard output, the clock, and the trace.
pub(super) struct Terminal {
    out: std::io::Stdout,
    trace: Option<Box<dyn Write>>,
    stats: bool,
    limit: Option<Duration>,
    memory: Rc<Memory>,
    /// The last check took too much memory.
    out_of_memory: Rc<Cell<bool>>,
    /// The time of a file begins with its first byte, or with the last response.
    file: bool,
    started: Instant,
    /// SIGINT arrived during a check.
    interrupted: Arc<AtomicBool>,
    /// No check is running, so that SIGINT ends the process.
    idle: Arc<AtomicBool>,
    /// The first error of writing.
    pub(super) error: Option<std::io::Error>,
    /// A check failed inside the solver.
    pub(super) broken: bool,
}

impl Terminal {
    pub(super) fn new(args: &Args) -> anyhow::Result<Terminal> {
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
            memory: Rc::new(Memory::new(args.memory_limit)),
            out_of_memory: Rc::default(),
            file: false,
            started: Instant::now(),
            interrupted: Arc::default(),
            idle: Arc::new(AtomicBool::new(true)),
            error: None,
            broken: false,
        })
    }

    /// Starts the clock of a file, or of a session.
    pub(super) fn begin(&mut self, file: bool) {
        self.file = file;
        self.started = Instant::now();
    }

    /// From now on SIGINT during a check makes its answer `unknown`, and the session goes on.
    pub(super) fn interruptible(&self) -> anyhow::Result<()> {
        use signal_hook::{consts::SIGINT, flag};
        flag::register_conditional_shutdown(SIGINT, 130, Arc::clone(&self.idle))
            .and_then(|_| flag::register(SIGINT, Arc::clone(&self.interrupted)))
            .context("cannot handle Ctrl-C")
            .map(drop)
    }

    /// Shows a prompt; `open` inside a command.
    pub(super) fn prompt(&mut self, open: bool) {
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
        let written = out.write_all(line.as_bytes()).and_then(|()| out.flush());
        self.started = Instant::now();
        self.idle.store(true, Ordering::SeqCst);
        match written {
            Ok(()) => true,
            Err(e) => {
                self.error = Some(e);
                false
            }
        }
    }

    fn start(&mut self, limit: Option<u64>) -> Stop {
        let limit = limit.map(Duration::from_millis).into_iter().chain(self.limit).min();
        if !self.file {
            self.started = Instant::now();
        }
        let until = limit.and_then(|l| self.started.checked_add(l));
        let interrupted = Arc::clone(&self.interrupted);
        interrupted.store(false, Ordering::SeqCst);
        self.idle.store(false, Ordering::SeqCst);
        let (memory, out) = (Rc::clone(&self.memory), Rc::clone(&self.out_of_memory));
        out.set(false);
        Rc::new(move || {
            let now = Instant::now();
            out.set(out.get() || memory.is_used_up(now));
            out.get() || interrupted.load(Ordering::Relaxed) || until.is_some_and(|until| now >= until)
        })
    }

    fn reached(&self) -> &'static str {
        if self.out_of_memory.get() { "memout" } else { "timeout" }
    }

    fn explain(&mut self, lines: &[String]) {
        let mut err = std::io::stderr().lock();
        if let Err(e) = lines.iter().try_for_each(|line| writeln!(err, "{line}")) {
            self.error = Some(e);
        }
    }

    fn done(&mut self, verdict: &str, outcome: &engine::Outcome) {
        if let Err(e) = self.account(verdict, outcome) {
            self.error = Some(e);
        }
    }
}
