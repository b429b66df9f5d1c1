//! Runs scripts in a session and records its output.

#![allow(dead_code, reason = "each test uses a part of it")]

use smt::diag::Position;
use smt::work::Stop;
use smt::{Dialect, Pool};
use std::rc::Rc;
use std::time::Instant;
use stringent_solver::engine::Outcome;
use stringent_solver::options::Strategy;
use stringent_solver::session::{Host, Session, Settings};

/// All strategies.
pub(crate) const STRATEGIES: [Strategy; 5] =
    [Strategy::Base, Strategy::S, Strategy::F, Strategy::Fs, Strategy::Auto];

/// The output of a session.
#[derive(Debug, Default)]
pub(crate) struct Output {
    /// The responses, one or more lines each.
    pub(crate) responses: Vec<String>,
    /// sat, unsat or unknown for each check.
    pub(crate) verdicts: Vec<String>,
    /// The outcome of each check.
    pub(crate) outcomes: Vec<Outcome>,
    /// The time at which checks stop.
    pub(crate) deadline: Option<Instant>,
}

impl Output {
    /// The first inference that an audit found false.
    pub(crate) fn audit_failure(&self) -> Option<&str> {
        self.outcomes.iter().find_map(|o| o.audit_failure.as_deref())
    }

    /// The verdict of the last check.
    pub(crate) fn verdict(&self) -> &str {
        self.verdicts.last().map_or("nothing", String::as_str)
    }
}

impl Host for Output {
    fn respond(&mut self, text: &str) -> bool {
        self.responses.push(text.to_owned());
        true
    }

    fn start(&mut self, _limit: Option<u64>) -> Stop {
        let deadline = self.deadline;
        Rc::new(move || deadline.is_some_and(|end| Instant::now() >= end))
    }

    fn done(&mut self, verdict: &str, outcome: &Outcome) {
        self.verdicts.push(verdict.to_owned());
        self.outcomes.push(outcome.clone());
    }
}

/// Settings for a strategy and a tick limit per check.
pub(crate) fn settings(strategy: Strategy, ticks: u64) -> Settings {
    let mut settings = Settings::default();
    settings.options.strategy = strategy;
    settings.options.ticks = Some(ticks);
    settings
}

/// Runs a script. Errors in it and panics of the solver fail the test.
pub(crate) fn run(text: &str, settings: Settings) -> Output {
    let mut output = Output::default();
    run_into(text, settings, &mut output);
    output
}

/// As [`run`], with a host that may have a deadline.
pub(crate) fn run_into(text: &str, settings: Settings, output: &mut Output) {
    assert_eq!(errors_of(text, settings, output), 0, "{:?} on\n{text}", output.responses);
}

/// Runs a script that may have errors, and counts them.
pub(crate) fn errors_of(text: &str, settings: Settings, output: &mut Output) -> usize {
    let mut pool = Pool::new();
    let mut session = Session::new(&mut pool, Dialect::Smt26, settings);
    session.run(text.as_bytes(), Dialect::Smt26, Position { line: 1, column: 1 }, output);
    assert!(!session.is_broken(), "the solver failed on\n{text}");
    session.errors()
}
