//! Queries to a solver: through one session where its profile allows that, in fresh processes otherwise.

use anyhow::{Context as _, anyhow};
use campaign::case::Case;
use campaign::compose::{compose, compose_parts, fill};
use campaign::drive::invocation;
use campaign::judge::{opinions, responses};
use campaign::outcome::{self, Ending, ModelCheck};
use campaign::process::{self, Cancel, Ended, Limits};
use campaign::profile::{Batch, Input, Solver};
use campaign::session::Session;
use campaign::settings::{Rules, Wants};
use std::time::Duration;
use tempfile::TempPath;

/// The limits of a process, besides its time.
const MEMORY: u64 = 4 << 30;
const OUTPUT: usize = 1 << 20;
/// Time for placeholders in profiles.
const TIME: Duration = Duration::from_secs(5);
/// Queries after which a session is replaced: some solvers grow with every one.
const MAX_QUERIES: u64 = 2000;

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// `sat`
    Sat,
    /// `unsat`
    Unsat,
    /// `unknown`, or no answer in time.
    Unknown,
    /// An error message.
    Error(String),
    /// The process ended without an answer.
    Died,
}

/// A solver that gets one query after the other.
pub(super) struct Querier<'a> {
    solver: &'a Solver,
    cancel: &'a Cancel,
    /// A case without assertions, for options and answers.
    blank: Case,
    /// The options and the logic of a query; with models.
    setup: String,
    model_setup: String,
    args: Vec<String>,
    session: Option<Session>,
    /// For solvers that read a file.
    file: Option<TempPath>,
}

impl<'a> Querier<'a> {
    /// A querier; the solver is started when it is needed, and again when it has died.
    pub(super) fn new(solver: &'a Solver, cancel: &'a Cancel) -> anyhow::Result<Querier<'a>> {
        let blank =
            Case::from_text("query", b"(set-logic ALL)\n(check-sat)\n").map_err(|e| anyhow!("{e}"))?;
        let setup = |model| -> anyhow::Result<String> {
            Ok(compose_parts(&blank, &solver.profile, 0, &wants(model))?.setup)
        };
        let file = match solver.profile.input {
            Input::Stdin => None,
            Input::File => {
                let file = tempfile::Builder::new().suffix(".smt2").tempfile();
                Some(file.context("cannot create a temporary file")?.into_temp_path())
            }
        };
        let args = solver.profile.args.iter().map(|a| fill(a, 0, &wants(false)).into_owned()).collect();
        let (setup, model_setup) = (setup(false)?, setup(true)?);
        Ok(Querier { solver, cancel, blank, setup, model_setup, args, session: None, file })
    }

    /// The solver.
    pub(super) fn solver(&self) -> &'a Solver {
        self.solver
    }

    /// Checks one assertion.
    pub(super) fn check(&mut self, assertion: &str, limit: Duration) -> Answer {
        self.solve(&format!("(assert {assertion})\n"), limit)
    }

    /// Checks one assertion in a fresh process.
    pub(super) fn check_fresh(&self, assertion: &str, limit: Duration) -> Answer {
        let ended = self.fresh(format!("{}(assert {assertion})\n(check-sat)\n", self.setup), limit);
        self.answer(&ended.stdout, &ended.ending)
    }

    /// Checks declarations and assertions.
    pub(super) fn solve(&mut self, body: &str, limit: Duration) -> Answer {
        let (batch, cancel) = (self.solver.profile.batch, self.cancel);
        if batch == Batch::None {
            let ended = self.fresh(format!("{}{body}(check-sat)\n", self.setup), limit);
            return self.answer(&ended.stdout, &ended.ending);
        }
        let reset = batch == Batch::Reset;
        let setup = if reset || self.session.is_none() { self.setup.as_str() } else { "" };
        let (before, after) = if reset { ("", "(reset)\n") } else { ("(push 1)\n", "(pop 1)\n") };
        let text = format!("{setup}{before}{body}(check-sat)\n");
        let Some(session) = self.session(limit) else { return Answer::Died };
        session.send(text.as_bytes(), after.as_bytes());
        let reply = session.receive(cancel);
        if reply.ending != Ending::Running || session.answered() >= MAX_QUERIES {
            self.session = None;
        }
        self.answer(&reply.output, &reply.ending)
    }

    /// The value of a closed term in a fresh process, as the solver prints it.
    pub(super) fn value(&self, term: &str, sort: &str, limit: Duration) -> Option<String> {
        let text = format!(
            "{}(declare-const their-value {sort})\n(assert (= their-value {term}))\n(check-sat)\n\
             (get-value (their-value))\n",
            self.model_setup
        );
        let output = self.fresh(text, limit).stdout;
        let output = String::from_utf8_lossy(&output);
        let text: Vec<&str> = output.lines().skip_while(|l| !l.starts_with("((their-value")).collect();
        let text = text.join(" ");
        let value = text.strip_prefix("((their-value ")?.trim_end().strip_suffix("))")?;
        Some(value.to_owned())
    }

    /// The referee's finding on the model of `script`, which has no `check-sat`, in a fresh process.
    pub(super) fn check_model(&self, script: &str, limit: Duration) -> ModelCheck {
        let Ok(case) = Case::from_text("formula", format!("{script}(check-sat)\n").as_bytes()) else {
            return ModelCheck::Unreadable;
        };
        let rules = Rules { wants: wants(true), ..Rules::default() };
        let Ok(text) = compose(&case, &self.solver.profile, 0, &rules.wants) else {
            return ModelCheck::Absent;
        };
        let ended = self.fresh(String::from_utf8_lossy(&text).into_owned(), limit);
        let found = opinions(&case, &self.solver.profile, &ended.stdout, &rules);
        found.first().map_or(ModelCheck::Absent, |(_, model)| *model)
    }

    /// The open session, or a new one, with this limit on the next query.
    fn session(&mut self, limit: Duration) -> Option<&mut Session> {
        if self.session.is_none() {
            let limits = self.limits(limit);
            self.session = Some(Session::start(&self.solver.program, &self.args, &limits).ok()?);
        }
        let session = self.session.as_mut()?;
        session.set_wall_limit(limit);
        Some(session)
    }

    /// Runs a process on `text`.
    fn fresh(&self, text: String, limit: Duration) -> Ended {
        let file = self.file.as_deref().unwrap_or_else(|| std::path::Path::new(""));
        match invocation(self.solver, self.args.clone(), file, text.into_bytes()) {
            Ok(what) => process::run(&what, &self.limits(limit), self.cancel),
            Err(why) => Ended::not_started(why),
        }
    }

    fn limits(&self, wall: Duration) -> Limits {
        let memory_how = self.solver.profile.memory;
        Limits { wall, cpu: None, idle: None, memory: Some(MEMORY), memory_how, output: OUTPUT }
    }

    fn answer(&self, output: &[u8], ending: &Ending) -> Answer {
        let mut pool = self.blank.pool.clone();
        let replies = match responses(&self.blank, &self.solver.profile, output, &mut pool) {
            Ok(replies) => replies,
            Err(message) => return Answer::Error(message),
        };
        match (replies.first().map(|r| r.answer), ending) {
            (Some(answer), Ending::Running | Ending::Exited(_)) => match answer {
                outcome::Answer::Sat => Answer::Sat,
                outcome::Answer::Unsat => Answer::Unsat,
                outcome::Answer::Unknown | outcome::Answer::None => Answer::Unknown,
            },
            (None, Ending::Running) | (_, Ending::WallLimit | Ending::CpuLimit) => Answer::Unknown,
            (None, Ending::Exited(_)) => Answer::Died,
            (
                _,
                Ending::Signalled(_)
                | Ending::MemoryLimit
                | Ending::OutputLimit
                | Ending::NotStarted(_)
                | Ending::Cancelled,
            ) => Answer::Died,
        }
    }
}

/// The requests of a query.
fn wants(model: bool) -> Wants {
    Wants { model, core: false, named: false, both: false, time: TIME, memory_mib: MEMORY >> 20 }
}
