//! `check-sat` and `check-sat-assuming`.

use super::{Host, Mode, Response, Session};
use crate::engine::{self, Answer, Outcome};
use crate::options::Options;
use smt::Term;
use smt::term::Mark;
use smt::work::Stop;
use std::panic::{AssertUnwindSafe, catch_unwind};

impl Session<'_> {
    /// Checks the assertions together with the assumptions. `before` is the pool before the command.
    pub(super) fn check(&mut self, assumptions: &[Term], before: Mark, host: &mut dyn Host) -> Response {
        let mark = self.elaborator.pool.mark();
        // Names that the assumptions introduced stay.
        let named = mark.funs() > before.funs();
        self.kept = Some(if named { mark } else { before });
        self.reason = None;
        let outcome = match self.unsupported(assumptions) {
            Some(why) => Some(unknown(why)),
            None => self.run_engine(assumptions, host),
        };
        let Some(mut outcome) = outcome.map(|o| self.doubt(o)) else {
            self.broken = true;
            self.mode = Mode::Unknown;
            self.reason = Some("internal error".into());
            self.cut_back(&mark);
            return Response::Refused(
                "internal error; please report it with the input that caused it".into(),
            );
        };
        self.statistics = std::mem::take(&mut outcome.statistics);
        let verdict = match &outcome.answer {
            Answer::Sat(_) => "sat",
            Answer::Unsat(_) => "unsat",
            Answer::Unknown(_) => "unknown",
        };
        outcome.statistics.clone_from(&self.statistics);
        host.done(verdict, &outcome);
        if self.settings.explain {
            let lines = self.explanation(assumptions, &outcome, &host.start(self.settings.time_limit));
            host.explain(&lines);
        }
        self.store(outcome.answer, assumptions, mark);
        let mut text = verdict.to_owned();
        let more = match self.mode {
            Mode::Sat(_) if self.settings.show_models => self.get_model().ok(),
            Mode::Unsat(..) if self.settings.show_cores => self.get_unsat_core().ok(),
            _ => None,
        };
        self.shown = more.is_some() && self.settings.file;
        if let Some(more) = more {
            text.push('\n');
            text.push_str(&more);
        }
        Response::Text(text)
    }

    fn unsupported(&mut self, assumptions: &[Term]) -> Option<String> {
        if let Some(why) = self.assertions.iter().find_map(|a| a.unsupported.as_deref()) {
            return Some(why.to_owned());
        }
        let pool = &*self.elaborator.pool;
        assumptions.iter().find_map(|&t| self.support.unsupported(pool, t))
    }

    /// Runs the engine; none if it panicked.
    fn run_engine(&mut self, assumptions: &[Term], host: &mut dyn Host) -> Option<Outcome> {
        let terms: Vec<Term> =
            self.assertions.iter().map(|a| a.term).chain(assumptions.iter().copied()).collect();
        let options = self.engine_options(!assumptions.is_empty());
        let stop = host.start(self.settings.time_limit);
        if options.reuse
            && let Some(outcome) = self.recall(&terms, &options, &stop)
        {
            return Some(outcome);
        }
        if options.reuse
            && let Some(outcome) = self.ask_standby(&terms, &options, &stop)
        {
            return Some(outcome);
        }
        let (pool, engine) = (&mut *self.elaborator.pool, self.engine);
        let mut outcome = catch_unwind(AssertUnwindSafe(|| engine(pool, &terms, &options, &stop))).ok()?;
        if let Answer::Unknown(why) = &mut outcome.answer
            && stop()
        {
            *why = host.reached().into();
        }
        if options.reuse {
            self.standby.learn(&outcome);
            self.remember(&terms, &options, &outcome, &stop);
        }
        Some(outcome)
    }

    /// Why the answer is what it is.
    fn explanation(&mut self, assumptions: &[Term], outcome: &Outcome, stop: &Stop) -> Vec<String> {
        let terms: Vec<Term> =
            self.assertions.iter().map(|a| a.term).chain(assumptions.iter().copied()).collect();
        engine::explain(self.elaborator.pool, &terms, &self.settings.options, outcome, stop)
    }

    fn engine_options(&self, assuming: bool) -> Options {
        let mut options = self.settings.options.clone();
        options.cores = self.settings.cores || assuming && self.settings.unsat_assumptions;
        options
    }

    /// Stores the answer, and removes the terms of the check unless the model refers to them. The assumptions stay
    /// until the assertions change.
    fn store(&mut self, answer: Answer, assumptions: &[Term], mark: Mark) {
        self.mode = match answer {
            Answer::Sat(model) if model.holds_terms() => {
                self.mode = Mode::Sat(model);
                return;
            }
            Answer::Sat(mut model) => {
                model.forget_past(mark.funs());
                Mode::Sat(model)
            }
            Answer::Unsat(core) => Mode::Unsat(core, assumptions.into()),
            Answer::Unknown(why) => {
                self.reason = Some(why);
                Mode::Unknown
            }
        };
        self.cut_back(&mark);
    }
}

fn unknown(why: String) -> Outcome {
    Outcome { answer: Answer::Unknown(why), statistics: Vec::new(), trace: Vec::new(), audit_failure: None }
}
