//! Checks that a solver does what its profile claims.
//!
//! A few queries with known answers are sent as in a campaign: with the preludes, in the dialect, through a pipe or a
//! file. So problems are found before a campaign starts.

use super::probe::{self, Printed};
use super::{Batch, Input, ModelRequest, Profile, Solver};
use semantics::model::answers;
use semantics::referee::{self, Judgement};
use semantics::{Evaluator, Satisfaction};
use smt::answer::{self, Item, Verdict};
use smt::{Dialect, Pool};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The time limit for each query.
const LIMIT: Duration = Duration::from_secs(20);
const MARK: &str = "stringent-mark";

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It works.
    Works,
    /// The profile does not claim it.
    Unclaimed,
    /// The profile claims it, and this was printed instead.
    Fails(String),
}

impl Finding {
    fn of(result: Result<(), String>) -> Finding {
        result.map_or_else(Finding::Fails, |()| Finding::Works)
    }
}

/// The results for a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// From the start of the process to its end, on the smallest input; the best of three.
    pub start: Duration,
    /// By name, in the order of tables: `sat`, `model`, `unsat`, `core`, `seed`, `echo`, `batch`.
    pub findings: Vec<(&'static str, Finding)>,
}

impl Check {
    /// Nothing fails.
    pub fn ok(&self) -> bool {
        self.findings.iter().all(|(_, finding)| !matches!(finding, Finding::Fails(_)))
    }
}

// As simple as possible: weaknesses of a solver are for campaigns to find.
const SAT: &str = "(declare-const s String)\n(declare-const i Int)\n\
                   (assert (= s \"a\"))\n(assert (= i 7))\n(check-sat)\n";
const UNSAT: &str = "(declare-const s String)\n(assert (! (= s \"a\") :named first))\n\
                     (assert (! (= (str.len s) 2) :named second))\n(check-sat)\n";
const UNSAT_PLAIN: &str =
    "(declare-const s String)\n(assert (= s \"a\"))\n(assert (= (str.len s) 2))\n(check-sat)\n";

/// Checks a solver.
pub fn check(solver: &Solver) -> Check {
    let trial = Trial { solver, profile: &solver.profile };
    let mut findings = Vec::new();
    let sat = trial.run(&trial.sat(true));
    findings.push((
        "sat",
        Finding::of(sat.as_ref().map_err(Clone::clone).and_then(|printed| trial.is(printed, Verdict::Sat))),
    ));
    findings.push((
        "model",
        match trial.profile.model {
            ModelRequest::None => Finding::Unclaimed,
            _ => Finding::of(sat.as_ref().map_err(Clone::clone).and_then(|printed| trial.model(printed))),
        },
    ));
    let unsat = trial.run(&trial.unsat(true));
    let verdict = |printed: &Printed| match trial.is(printed, Verdict::Unsat) {
        Err(_) if trial.profile.over_approximating => trial.is(printed, Verdict::Sat),
        result => result,
    };
    findings.push(("unsat", Finding::of(unsat.as_ref().map_err(Clone::clone).and_then(verdict))));
    findings.push((
        "core",
        if trial.profile.cores {
            Finding::of(unsat.and_then(|printed| trial.core(&printed)))
        } else {
            Finding::Unclaimed
        },
    ));
    findings.push(("seed", trial.seed()));
    findings.push((
        "echo",
        Finding::of(
            trial
                .run(&format!("{}(echo \"{MARK}\")\n", trial.sat(false)))
                .and_then(|printed| trial.echo(&printed)),
        ),
    ));
    findings.push((
        "batch",
        if trial.profile.batch == Batch::None { Finding::Unclaimed } else { Finding::of(trial.batch()) },
    ));
    Check { start: trial.start(), findings }
}

struct Trial<'a> {
    solver: &'a Solver,
    profile: &'a Profile,
}

impl Trial<'_> {
    /// The commands before a query.
    fn preludes(&self, more: &[String]) -> String {
        let logic = self.profile.logic.choose(Some("QF_SLIA"));
        let logic = logic.map_or_else(String::new, |name| format!("(set-logic {name})\n"));
        let lines = self.profile.prelude.iter().chain(more).map(|line| self.fill(line, 1) + "\n");
        lines.collect::<String>() + &logic
    }

    fn fill(&self, text: &str, seed: u64) -> String {
        let values = [
            ("{seed}", seed.to_string()),
            ("{time-ms}", "20000".into()),
            ("{time-s}", "20".into()),
            ("{memory-mib}", "4096".into()),
        ];
        values.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
    }

    /// A script in the solver's dialect; unchanged if that cannot express it.
    fn translate(&self, script: &str) -> String {
        let mut pool = Pool::new();
        let parsed = smt::parse(script.as_bytes(), Some(Dialect::Smt26), &mut pool);
        let text = smt::print::script_text(&pool, &parsed.script, self.profile.dialect, None, None);
        text.unwrap_or_else(|_| script.to_owned())
    }

    fn sat(&self, with_model: bool) -> String {
        let (prelude, query) = match self.profile.model {
            _ if !with_model => (&[][..], ""),
            ModelRequest::None => (&[][..], ""),
            ModelRequest::GetModel => (&self.profile.model_prelude[..], "(get-model)\n"),
            ModelRequest::GetValue => (&self.profile.model_prelude[..], "(get-value (s i))\n"),
        };
        self.preludes(prelude) + &self.translate(SAT) + query
    }

    fn unsat(&self, with_core: bool) -> String {
        if self.profile.cores && with_core {
            self.preludes(&self.profile.core_prelude) + &self.translate(UNSAT) + "(get-unsat-core)\n"
        } else {
            self.preludes(&[]) + &self.translate(UNSAT_PLAIN)
        }
    }

    /// Runs the solver on a script.
    fn run(&self, script: &str) -> Result<Printed, String> {
        let mut args: Vec<String> = self.profile.args.iter().map(|a| self.fill(a, 1)).collect();
        let file = tempfile::Builder::new().suffix(".smt2").tempfile().map_err(|e| e.to_string())?;
        let mut input = script;
        if self.profile.input == Input::File {
            std::fs::write(file.path(), script).map_err(|e| e.to_string())?;
            args.iter_mut().for_each(|a| *a = a.replace("{file}", &file.path().display().to_string()));
            input = "";
        }
        let printed = probe::run(&self.solver.program, &args, input, LIMIT);
        let printed = printed.map_err(|e| format!("cannot be started: {e}"))?;
        if printed.late { Err(format!("still running after {} s", LIMIT.as_secs())) } else { Ok(printed) }
    }

    fn items(&self, printed: &Printed, pool: &mut Pool) -> Vec<Item> {
        answer::read(&self.profile.standard_output(printed.stdout.as_bytes()), self.profile.dialect, pool)
    }

    /// The first answer is the expected one.
    fn is(&self, printed: &Printed, expected: Verdict) -> Result<(), String> {
        let items = self.items(printed, &mut Pool::new());
        match items.iter().find(|i| matches!(i, Item::Verdict(_) | Item::Error(_))) {
            Some(Item::Verdict(verdict)) if *verdict == expected => Ok(()),
            Some(Item::Verdict(verdict)) => Err(format!("{verdict:?}").to_lowercase()),
            Some(Item::Error(message)) => Err(message.clone()),
            _ => Err(first_words(printed)),
        }
    }

    /// The model satisfies the script.
    fn model(&self, printed: &Printed) -> Result<(), String> {
        let mut pool = Pool::new();
        let parsed = smt::parse(SAT.as_bytes(), Some(Dialect::Smt26), &mut pool);
        let items = self.items(printed, &mut pool);
        let found = answers(&pool, &items, &|name| matches!(name, "s" | "i"));
        let last = found.last().ok_or("nothing")?;
        if let Some(trouble) = &last.trouble {
            return Err(trouble.clone());
        }
        let model = last.model.as_ref().ok_or_else(|| first_words(printed))?;
        let asserted = referee::check(&parsed.script, 0).ok_or("nothing asserted")?;
        let mut evaluator = Evaluator::new(&pool, model);
        match Judgement::of(&asserted, &mut evaluator).overall() {
            Satisfaction::Holds => Ok(()),
            _ => Err(format!(
                "a wrong one: {}",
                printed.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
            )),
        }
    }

    /// The core is the two assertions.
    fn core(&self, printed: &Printed) -> Result<(), String> {
        let items = self.items(printed, &mut Pool::new());
        let core = items.iter().find_map(|i| if let Item::Names(names) = i { Some(names) } else { None });
        let mut core = core.ok_or_else(|| first_words(printed))?.clone();
        core.sort();
        if core == ["first", "second"] { Ok(()) } else { Err(format!("a wrong one: {}", core.join(" "))) }
    }

    /// The seed causes no error.
    fn seed(&self) -> Finding {
        if !self.profile.is_seeded() {
            return Finding::Unclaimed;
        }
        Finding::of(self.run(&self.sat(false)).and_then(|printed| {
            let items = self.items(&printed, &mut Pool::new());
            let against = items.iter().find(|i| matches!(i, Item::Error(_) | Item::Unsupported));
            against.map_or(Ok(()), |i| Err(format!("{i:?}")))
        }))
    }

    fn echo(&self, printed: &Printed) -> Result<(), String> {
        let echoed = printed.stdout.lines().any(|line| line.trim().trim_matches('"') == MARK);
        if echoed { Ok(()) } else { Err(first_words(printed)) }
    }

    /// One process answers twice, each time before it gets more input.
    fn batch(&self) -> Result<(), String> {
        let args: Vec<String> = self.profile.args.iter().map(|a| self.fill(a, 1)).collect();
        let end = format!("(echo \"{MARK}\")\n");
        let queries = match self.profile.batch {
            Batch::PushPop => [
                format!("{}(push 1)\n{}(pop 1)\n{end}", self.preludes(&[]), self.translate(SAT)),
                format!("(push 1)\n{}(pop 1)\n{end}", self.translate(UNSAT_PLAIN)),
            ],
            _ => [format!("{}{end}", self.sat(true)), format!("(reset)\n{}{end}", self.unsat(true))],
        };
        let mut command = Command::new(&self.solver.program);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = probe::patiently(|| command.spawn()).map_err(|e| e.to_string())?;
        let result = converse(&mut child, &queries);
        // It may have ended already.
        let _ = child.kill();
        let _ = child.wait();
        let outputs = result?;
        for (output, verdict) in outputs.iter().zip([Verdict::Sat, Verdict::Unsat]) {
            let printed = Printed { stdout: output.clone(), ..Printed::default() };
            self.is(&printed, verdict).map_err(|e| format!("the answer to the {verdict:?} query is {e}"))?;
        }
        Ok(())
    }

    /// The time from start to end, on the smallest input.
    fn start(&self) -> Duration {
        let logic = self.preludes(&[]);
        (0..3).filter_map(|_| self.run(&logic).ok()).map(|printed| printed.wall).min().unwrap_or_default()
    }
}

/// Sends one query after the other; each must be answered, up to the mark, before the next.
fn converse(child: &mut std::process::Child, queries: &[String]) -> Result<Vec<String>, String> {
    let mut stdin = child.stdin.take().ok_or("no pipe")?;
    let stdout = child.stdout.take().ok_or("no pipe")?;
    let (send, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
            if send.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                break;
            }
        }
    });
    let mut outputs = Vec::new();
    for query in queries {
        stdin
            .write_all(query.as_bytes())
            .and_then(|()| stdin.flush())
            .map_err(|e| format!("it ended: {e}"))?;
        let (mut output, until) = (String::new(), Instant::now() + Duration::from_secs(5));
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let line = lines.recv_timeout(left).map_err(|e| match e {
                RecvTimeoutError::Timeout => "no answer before the next command is sent",
                RecvTimeoutError::Disconnected => "it ended without an answer",
            })?;
            if line.trim().trim_matches('"') == MARK {
                break;
            }
            output += &format!("{line}\n");
        }
        outputs.push(output);
    }
    Ok(outputs)
}

/// The first line of the output; if there is none, how the process ended.
fn first_words(printed: &Printed) -> String {
    let lines = [&printed.stdout, &printed.stderr].into_iter().flat_map(|t| t.lines());
    let told = lines.map(str::trim).find(|l| !l.is_empty()).map(|l| l.chars().take(100).collect::<String>());
    let ending = match printed.code {
        Some(0) => "no answer".into(),
        Some(code) => format!("no answer, exit code {code}"),
        None => "no answer, it crashed".into(),
    };
    told.unwrap_or(ending)
}
