//! A solver at the other end of two pipes, which may be slow, dead or beside itself.

use anyhow::{Context as _, bail};
use smt::answer::{Item, Verdict};
use smt::{Dialect, Pool};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::time::{Duration, Instant};

/// What is granted to a solver beyond its own time limit.
const GRACE: Duration = Duration::from_millis(1500);
/// For the first sign of life.
const START: Duration = Duration::from_secs(10);
/// A solver that answers one question with more lines than this is beside itself.
const MAX_LINES: usize = 10_000;

/// How to run a solver.
#[derive(Clone, Debug)]
pub(super) struct Spec {
    /// What to call it.
    pub(super) name: String,
    /// The program and its arguments.
    pub(super) command: Vec<String>,
    /// The option that limits the time of a check, once it is known.
    time_option: Option<&'static str>,
}

impl Spec {
    /// A solver with its program and arguments.
    pub(super) fn new(name: &str, command: Vec<String>) -> Spec {
        Spec { name: name.into(), command, time_option: None }
    }

    /// Reads `NAME=COMMAND`; the command is split at blanks, quotes keep words together.
    pub(super) fn parse(text: &str) -> anyhow::Result<Spec> {
        let Some((name, command)) = text.split_once('=') else {
            bail!("`{text}` should be NAME=COMMAND, as in `z3=z3 -in`");
        };
        let Some(command) = campaign::profile::spec::words(command) else {
            bail!("`{text}`: a quote is not closed");
        };
        if name.is_empty() || command.is_empty() {
            bail!("`{text}` should be NAME=COMMAND, as in `z3=z3 -in`");
        }
        Ok(Spec::new(name, command))
    }
}

/// What came back on a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// `sat`
    Sat,
    /// `unsat`
    Unsat,
    /// `unknown`, or out of time.
    Unknown,
    /// It complained.
    Error(String),
    /// It ended, or had to be ended.
    Died,
}

struct Process {
    child: Child,
    input: Sender<String>,
    output: Receiver<String>,
}

impl Process {
    fn start(spec: &Spec) -> anyhow::Result<Process> {
        let mut child = Command::new(&spec.command[0])
            .args(&spec.command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {} (`{}`)", spec.name, spec.command[0]))?;
        let mut stdin = child.stdin.take().context("no pipe to the solver")?;
        let stdout = child.stdout.take().context("no pipe from the solver")?;
        let (input, texts) = channel::<String>();
        // A solver that does not read must not make us wait: hence two threads, which end with the pipes.
        std::thread::spawn(move || {
            for text in texts {
                if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        let (lines, output) = sync_channel(256);
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
                if lines.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    break;
                }
            }
        });
        Ok(Process { child, input, output })
    }

    /// Sends `text` and gathers all lines up to the one that has `mark`; `None` in the end if that never
    /// came.
    fn exchange(&mut self, text: String, mark: &str, limit: Duration) -> (Vec<String>, Option<()>) {
        let deadline = Instant::now() + limit;
        let mut lines = Vec::new();
        if self.input.send(text).is_err() {
            return (lines, None);
        }
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(line) if line.contains(mark) => return (lines, Some(())),
                Ok(line) if lines.len() < MAX_LINES => lines.push(line),
                Ok(_) | Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    return (lines, None);
                }
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A solver that is started when needed, and again when it has died.
pub(super) struct Solver {
    spec: Spec,
    process: Option<Process>,
    serial: u64,
}

impl Solver {
    /// A solver, not yet running.
    pub(super) fn new(spec: &Spec) -> Solver {
        Solver { spec: spec.clone(), process: None, serial: 0 }
    }

    /// How it is run.
    pub(super) fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Starts it, and asks for its version.
    pub(super) fn identify(&mut self) -> anyhow::Result<String> {
        let script = "(get-info :name)\n(get-info :version)\n";
        let (lines, alive) = self.exchange(script.into(), START)?;
        if alive.is_none() {
            bail!(
                "{} (`{}`) does not answer; it should read SMT-LIB commands from its standard input",
                self.spec.name,
                self.spec.command.join(" ")
            );
        }
        let mut version = String::from("unknown");
        for item in items(&lines) {
            match item {
                Item::Info(key, value) if key == ":version" => version = value,
                Item::Info(key, value) if key == ":name" => {
                    self.spec.time_option = match value.to_ascii_lowercase().as_str() {
                        "z3" => Some(":timeout"),
                        "cvc5" => Some(":tlimit-per"),
                        _ => None,
                    }
                }
                _ => {}
            }
        }
        Ok(version)
    }

    /// Checks one assertion on a clean slate.
    pub(super) fn check(&mut self, assertion: &str, limit: Duration) -> Answer {
        self.solve(&format!("(assert {assertion})\n"), limit)
    }

    /// The model of what was just found to be satisfiable, as it prints it.
    pub(super) fn model(&mut self, limit: Duration) -> String {
        self.exchange("(get-model)\n".into(), limit + GRACE)
            .map_or_else(|_| String::new(), |(l, _)| l.join("\n"))
    }

    /// Checks declarations and assertions on a clean slate.
    pub(super) fn solve(&mut self, body: &str, limit: Duration) -> Answer {
        let script = format!("{}{body}(check-sat)\n", self.preamble(limit));
        let Ok((lines, alive)) = self.exchange(script, limit + GRACE) else {
            return Answer::Died;
        };
        let items = items(&lines);
        let error = items.iter().find_map(|item| match item {
            Item::Error(message) => Some(message.clone()),
            Item::Unsupported => Some("unsupported".into()),
            _ => None,
        });
        let verdict = items.iter().find_map(|item| match item {
            Item::Verdict(Verdict::Sat) => Some(Answer::Sat),
            Item::Verdict(Verdict::Unsat) => Some(Answer::Unsat),
            Item::Verdict(Verdict::Unknown) | Item::Timeout => Some(Answer::Unknown),
            _ => None,
        });
        match (error, alive, verdict) {
            (Some(message), ..) => Answer::Error(message),
            (_, None, _) => Answer::Died,
            (_, Some(()), verdict) => verdict.unwrap_or(Answer::Unknown),
        }
    }

    /// The value it gives to a closed term, as it prints it.
    pub(super) fn value(&mut self, term: &str, sort: &str, limit: Duration) -> Option<String> {
        let script = format!(
            "{}(declare-const their-value {sort})\n(assert (= their-value {term}))\n(check-sat)\n\
             (get-value (their-value))\n",
            self.preamble(limit)
        );
        let (lines, _) = self.exchange(script, limit + GRACE).ok()?;
        let text = lines.iter().skip_while(|line| !line.starts_with("((their-value")).cloned();
        let text = text.collect::<Vec<_>>().join(" ");
        let value = text.strip_prefix("((their-value ")?.trim_end().strip_suffix("))")?;
        Some(value.to_owned())
    }

    fn preamble(&self, limit: Duration) -> String {
        let limit = self
            .spec
            .time_option
            .map_or_else(String::new, |option| format!("(set-option {option} {})\n", limit.as_millis()));
        format!("(reset)\n{limit}(set-option :produce-models true)\n(set-logic ALL)\n")
    }

    fn exchange(&mut self, mut text: String, limit: Duration) -> anyhow::Result<(Vec<String>, Option<()>)> {
        self.serial += 1;
        let mark = format!("stringent-{}-done", self.serial);
        text.push_str("(echo \"");
        text.push_str(&mark);
        text.push_str("\")\n");
        let process = match &mut self.process {
            Some(process) => process,
            None => self.process.insert(Process::start(&self.spec)?),
        };
        let (lines, alive) = process.exchange(text, &mark, limit);
        if alive.is_none() {
            self.process = None;
        }
        Ok((lines, alive))
    }
}

fn items(lines: &[String]) -> Vec<Item> {
    smt::answer::read(lines.join("\n").as_bytes(), Dialect::Smt26, &mut Pool::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_like_a_shell_does() {
        let spec = Spec::parse("z3=\"/opt/my z3\" -in  'a b'c").expect("well-formed");
        assert_eq!(spec.name, "z3");
        assert_eq!(spec.command, ["/opt/my z3", "-in", "a bc"]);
        assert!(Spec::parse("z3").is_err() && Spec::parse("=z3").is_err() && Spec::parse("z3= ").is_err());
    }
}
