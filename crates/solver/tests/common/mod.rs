//! Running scripts through a session, as a user would, and keeping all that comes out.

#![allow(dead_code, reason = "each test uses a part of it")]

use smt::diag::Position;
use smt::{Dialect, Pool};
use solver::engine::Outcome;
use solver::options::Strategy;
use solver::session::{Host, Session, Settings};
use std::time::Instant;

/// All configurations.
pub(crate) const STRATEGIES: [Strategy; 5] =
    [Strategy::Base, Strategy::S, Strategy::F, Strategy::Fs, Strategy::Auto];

/// What a session said.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    /// The responses, one or more lines each.
    pub(crate) responses: Vec<String>,
    /// sat, unsat or unknown for each check.
    pub(crate) verdicts: Vec<String>,
    /// What each check did.
    pub(crate) outcomes: Vec<Outcome>,
    /// When time is up.
    pub(crate) deadline: Option<Instant>,
}

impl Heard {
    /// The first claim that an audit found false.
    pub(crate) fn audit_failure(&self) -> Option<&str> {
        self.outcomes.iter().find_map(|o| o.audit_failure.as_deref())
    }

    /// The verdict of the last check.
    pub(crate) fn verdict(&self) -> &str {
        self.verdicts.last().map_or("nothing", String::as_str)
    }
}

impl Host for Heard {
    fn respond(&mut self, text: &str) -> bool {
        self.responses.push(text.to_owned());
        true
    }

    fn start(&mut self, _limit: Option<u64>) {}

    fn stop(&self) -> bool {
        self.deadline.is_some_and(|end| Instant::now() >= end)
    }

    fn done(&mut self, verdict: &str, outcome: &Outcome) {
        self.verdicts.push(verdict.to_owned());
        self.outcomes.push(outcome.clone());
    }
}

/// Settings for a configuration and so many ticks a check.
pub(crate) fn settings(strategy: Strategy, ticks: u64) -> Settings {
    let mut settings = Settings::default();
    settings.options.strategy = strategy;
    settings.options.ticks = Some(ticks);
    settings
}

/// Runs a script. Errors in it, and failures of the solver, are failures of the test.
pub(crate) fn run(text: &str, settings: Settings) -> Heard {
    let mut heard = Heard::default();
    run_into(text, settings, &mut heard);
    heard
}

/// As [`run`], with a host that may have a deadline.
pub(crate) fn run_into(text: &str, settings: Settings, heard: &mut Heard) {
    let mut pool = Pool::new();
    let mut session = Session::new(&mut pool, Dialect::Smt26, settings);
    session.run(text.as_bytes(), Dialect::Smt26, Position { line: 1, column: 1 }, heard);
    assert!(!session.is_broken(), "the solver failed on\n{text}");
    assert_eq!(session.errors(), 0, "{:?} on\n{text}", heard.responses);
}
