//! A property of the user: a command whose exit status and output stay the same.
//!
//! Compared as ddSMT does: exit code, standard output and standard error are those of the original, or the outputs contain a text or match a regular expression, or only the
//! exit code counts. A command that hangs is killed with its process group and does not have the property, unless hanging is the property.

use super::Start;
use super::found::{Detected, Passing, is_unsettled, rated, stopped};
use super::run::start;
use super::{Attempt, Property, Stop, Test};
use crate::doc::Doc;
use crate::truth::Label;
use campaign::clean::{self, printable, shell};
use campaign::finding::{Observed, Stability};
use campaign::host::Host;
use campaign::outcome::{Answer, Ending, Kind};
use campaign::process::{Cancel, Ended, Invocation, Limits};
use campaign::profile::MemoryLimit;
use regex::bytes::{Regex, RegexBuilder};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Bytes of an output that count.
const OUTPUT: usize = 1 << 20;
/// Bytes of an output that are kept.
const KEPT: usize = 8 << 10;

/// How the output of a command is compared.
#[derive(Clone, Debug, Default)]
pub enum Output {
    /// It is that of the original.
    #[default]
    Equal,
    /// It contains this text.
    Contains(String),
    /// A part of it matches this regular expression.
    Matches(Regex),
    /// It does not matter.
    Any,
}

impl Output {
    /// A part of the output matches this regular expression; `^` and `$` are the ends of a line.
    pub fn matching(regex: &str) -> anyhow::Result<Output> {
        let regex = RegexBuilder::new(regex)
            .multi_line(true)
            .build()
            .map_err(|e| anyhow::anyhow!("not a regular expression: {e}"))?;
        Ok(Output::Matches(regex))
    }

    fn accepts(&self, original: &[u8], now: &[u8]) -> bool {
        match self {
            Output::Equal => original == now,
            Output::Contains(text) => String::from_utf8_lossy(now).contains(text.as_str()),
            Output::Matches(regex) => regex.is_match(now),
            Output::Any => true,
        }
    }

    /// What the output of the original lacks.
    fn missing(&self, text: &[u8]) -> Option<String> {
        let what = match self {
            Output::Contains(wanted) => format!("does not contain `{wanted}`"),
            Output::Matches(regex) => format!("does not match `{regex}`"),
            Output::Equal | Output::Any => return None,
        };
        (!self.accepts(text, text)).then_some(what)
    }
}

/// A command of the user.
#[derive(Clone, Debug)]
pub struct CommandSetup {
    /// A command line for `sh`; `{file}` is replaced by the file, which follows at the end if it is not named.
    pub command: String,
    /// How standard output is compared.
    pub stdout: Output,
    /// How standard error is compared.
    pub stderr: Output,
    /// Time of a run: CPU time or idle time; by default a multiple of the time of the original.
    pub time_limit: Option<Duration>,
    /// Time of the first run, where the limit is not given.
    pub first_limit: Duration,
    /// Memory of a run, in bytes.
    pub memory: Option<u64>,
    /// The property is that the command hangs: it runs into the time limit.
    pub hangs: bool,
    /// Runs of the original.
    pub repeat: u32,
    /// The smallest share of runs with the property that is reduced.
    pub threshold: f64,
}

impl CommandSetup {
    /// A command with the defaults.
    pub fn new(command: impl Into<String>) -> CommandSetup {
        CommandSetup {
            command: command.into(),
            stdout: Output::Equal,
            stderr: Output::Equal,
            time_limit: None,
            first_limit: Duration::from_secs(60),
            memory: None,
            hangs: false,
            repeat: 2,
            threshold: 0.5,
        }
    }
}

/// The command was stopped at its time limit.
fn is_at_limit(ended: &Ended) -> bool {
    matches!(ended.ending, Ending::WallLimit | Ending::CpuLimit)
}

/// A command with the behaviour of the original.
struct Same {
    setup: CommandSetup,
    limit: Duration,
    original: Ended,
}

impl Same {
    fn is_same(&self, now: &Ended) -> bool {
        let hung = is_at_limit(now);
        if self.setup.hangs || hung {
            return self.setup.hangs && hung;
        }
        self.original.ending == now.ending
            && self.setup.stdout.accepts(&self.original.stdout, &now.stdout)
            && self.setup.stderr.accepts(&self.original.stderr, &now.stderr)
    }
}

impl Property for Same {
    fn describe(&self) -> String {
        if self.setup.hangs {
            return format!("`{}` runs into the time limit", self.setup.command);
        }
        format!("`{}` ends with {}", self.setup.command, self.original.ending)
    }

    fn needs_truth(&self) -> bool {
        false
    }

    fn test(&self, doc: &Doc, _: &Label, _: Attempt, cancel: &Cancel) -> Test {
        match self.setup.run(doc, self.limit, cancel) {
            Ok(ended) if self.is_same(&ended) => Test::Holds(Box::new(observed(&ended))),
            Ok(ended) => Test::Fails(Box::new(observed(&ended))),
            Err(stop) => Test::Stopped(stop),
        }
    }
}

impl CommandSetup {
    /// Runs the command on a script.
    fn run(&self, doc: &Doc, limit: Duration, cancel: &Cancel) -> Result<Ended, Stop> {
        let gone = |e: std::io::Error| Stop::Gone(format!("the script cannot be written: {e}"));
        let folder = tempfile::tempdir().map_err(gone)?;
        let file = folder.path().join("script.smt2");
        std::fs::write(&file, doc.text()).map_err(gone)?;
        let args = vec!["-c".into(), self.line(&file)];
        let what = Invocation { program: PathBuf::from("/bin/sh"), args, stdin: Vec::new() };
        let limits = Limits::of_work(limit, self.memory, MemoryLimit::default(), OUTPUT);
        let mut ended = start(&what, &limits, cancel)?;
        forget(&mut ended, &folder.path().to_string_lossy());
        Ok(ended)
    }

    fn line(&self, file: &Path) -> String {
        let file = file.to_string_lossy();
        let file = shell(&file);
        if self.command.contains("{file}") {
            self.command.replace("{file}", &file)
        } else {
            format!("{} {file}", self.command)
        }
    }
}

/// Removes the name of the folder, which is another one in each run, from the outputs.
fn forget(ended: &mut Ended, folder: &str) {
    for output in [&mut ended.stdout, &mut ended.stderr] {
        if let Ok(text) = std::str::from_utf8(output)
            && text.contains(folder)
        {
            *output = text.replace(folder, "").into_bytes();
        }
    }
}

fn observed(ended: &Ended) -> Observed {
    let kind = match ended.ending {
        Ending::WallLimit | Ending::CpuLimit => Kind::WallTime,
        Ending::Signalled(_) => Kind::Crash,
        Ending::OutputLimit => Kind::Flood,
        _ => Kind::Message,
    };
    Observed {
        kind,
        check: 1,
        answer: Answer::None,
        stdout: printable(&ended.stdout, KEPT),
        stderr: printable(&ended.stderr, KEPT),
        ending: ended.ending.to_string(),
        evidence: String::new(),
        core: None,
        message: None,
        seconds: ended.work().as_secs_f64(),
        seed: 0,
    }
}

/// Runs a command on a script: the behaviour to keep.
pub fn detect_command(
    name: &str,
    doc: Doc,
    setup: &CommandSetup,
    host: &Host<'_>,
) -> anyhow::Result<Detected> {
    let first = setup.time_limit.unwrap_or(setup.first_limit);
    let original = setup.run(&doc, first, host.cancel).map_err(stopped)?;
    let hung = is_at_limit(&original);
    if hung && !setup.hangs {
        anyhow::bail!(
            "`{}` did not end within {}; give it more time, or keep that it hangs (--hangs)",
            setup.command,
            clean::time(first)
        );
    }
    if let Some(reason) = setup.missing(&original, hung) {
        return Ok(Detected::Passing(Passing { observed: observed(&original), reason, judged: true }));
    }
    let limit =
        setup.time_limit.unwrap_or(if hung { first } else { original.work() * 2 + Duration::from_secs(1) });
    let start =
        Start { name: name.into(), label: Label::not_needed(&doc), observed: observed(&original), doc };
    let property = Box::new(Same { setup: setup.clone(), limit, original });
    let mut rate = Stability { runs: 1, failed: 1 };
    while is_unsettled(rate, setup.repeat) {
        rate.runs += 1;
        match property.test(&start.doc, &start.label, Attempt::from(0), host.cancel) {
            Test::Holds(_) => rate.failed += 1,
            Test::Fails(_) => {}
            Test::Stopped(stop) => return Err(stopped(stop)),
        }
    }
    Ok(rated(start, property, rate, (setup.repeat, setup.threshold)))
}

impl CommandSetup {
    /// Why the original does not have the property.
    fn missing(&self, original: &Ended, hung: bool) -> Option<String> {
        if self.hangs {
            return (!hung).then(|| format!("`{}` does not hang: {}", self.command, original.ending));
        }
        let lacks = |output: &Output, text: &[u8], which: &str| {
            Some(format!("the {which} of `{}` {}", self.command, output.missing(text)?))
        };
        lacks(&self.stdout, &original.stdout, "standard output")
            .or_else(|| lacks(&self.stderr, &original.stderr, "standard error"))
    }
}
