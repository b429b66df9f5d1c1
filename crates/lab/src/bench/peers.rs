//! Programs that run on a file, measured.

use ::campaign::outcome::Ending;
use ::campaign::process::{Cancel, Invocation, Limits, run};
use ::campaign::profile::{MemoryLimit, spec};
use anyhow::{Context as _, bail};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A program and its arguments.
#[derive(Clone)]
pub(super) struct Program {
    pub(super) name: String,
    program: PathBuf,
    args: Vec<String>,
}

impl Program {
    /// This program with the verb `verb`.
    pub(super) fn own(verb: &str) -> anyhow::Result<Program> {
        let program = std::env::current_exe().context("cannot find this binary")?;
        Ok(Program { name: format!("stringent {verb}"), program, args: vec![verb.into()] })
    }

    /// The same with more arguments.
    pub(super) fn with(mut self, args: &[&str]) -> Program {
        self.args.extend(args.iter().map(|&a| a.into()));
        self
    }

    /// The program in an environment variable, if it is set.
    pub(super) fn from_env(name: &str, variable: &str, args: &[&str]) -> Option<Program> {
        let program = std::env::var(variable).ok().filter(|p| !p.is_empty())?.into();
        Some(Program { name: name.into(), program, args: args.iter().map(|&a| a.into()).collect() })
    }

    /// Reads `NAME=COMMAND`.
    pub(super) fn parse(text: &str) -> anyhow::Result<Program> {
        let words = text.split_once('=').and_then(|(name, command)| Some((name, spec::words(command)?)));
        match words.as_ref().map(|(name, words)| (name, &words[..])) {
            Some((name, [program, args @ ..])) => {
                Ok(Program { name: (*name).into(), program: program.into(), args: args.to_vec() })
            }
            _ => bail!("`{text}`: a peer is NAME=COMMAND"),
        }
    }

    /// The command that starts it.
    pub(super) fn command(&self) -> std::process::Command {
        let mut out = std::process::Command::new(&self.program);
        out.args(&self.args);
        out
    }

    /// Runs it on `args` once.
    pub(super) fn run(&self, args: &[&str], cancel: &Cancel) -> anyhow::Result<Run> {
        let args = self.args.iter().cloned().chain(args.iter().map(|&a| a.into())).collect();
        let what = Invocation { program: self.program.clone(), args, stdin: Vec::new() };
        let limits = Limits {
            wall: Duration::from_secs(24 * 3600),
            cpu: None,
            idle: None,
            memory: None,
            memory_how: MemoryLimit::default(),
            output: 1 << 30,
        };
        let ended = run(&what, &limits, cancel);
        match ended.ending {
            Ending::NotStarted(why) => bail!("cannot run {}: {why}", self.name),
            Ending::Cancelled => bail!("stopped"),
            ending => Ok(Run {
                wall: ended.wall,
                cpu: ended.cpu,
                memory_kib: ended.memory_kib,
                output: String::from_utf8_lossy(&ended.stdout).into_owned(),
                ending,
            }),
        }
    }

    /// Runs it on `file`: the fastest wall-clock time and the largest resident set of `runs` runs.
    pub(super) fn measure(&self, file: &Path, runs: usize, cancel: &Cancel) -> anyhow::Result<Row> {
        let file = file.to_string_lossy();
        let (mut best, mut peak, mut note) = (f64::MAX, 0.0f64, String::new());
        for _ in 0..runs.max(1) {
            let run = self.run(&[&file], cancel)?;
            best = best.min(run.wall.as_secs_f64());
            peak = peak.max(run.peak_mb());
            if run.ending != Ending::Exited(0) {
                note = format!("ended with {}", run.ending);
            }
        }
        Ok(Row { name: self.name.clone(), seconds: best, peak_mb: Some(peak), note })
    }
}

/// The resources used by one run.
pub(super) struct Run {
    pub(super) wall: Duration,
    pub(super) cpu: Duration,
    memory_kib: u64,
    /// Standard output.
    pub(super) output: String,
    pub(super) ending: Ending,
}

impl Run {
    /// The largest resident set, in megabytes.
    pub(super) fn peak_mb(&self) -> f64 {
        self.memory_kib as f64 * 1024.0 / 1e6
    }
}

/// One measured program.
pub(super) struct Row {
    pub(super) name: String,
    pub(super) seconds: f64,
    pub(super) peak_mb: Option<f64>,
    pub(super) note: String,
}
