//! One formula: generated, solved, judged.

use super::Options as Settings;
use super::report::{Finding, Report, What};
use crate::Progress;
use crate::selftest::query::{Answer as Other, Querier};
use campaign::outcome::ModelCheck;
use semantics::{Evaluator, Model, Satisfaction};
use smt::print::term_text;
use smt::work::Stop;
use smt::{Fun, Pool, Term};
use solver::engine::{self, Answer};
use solver::options::Options;
use solver::session::Engine;
use std::cell::RefCell;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::Duration;
use synth::random::{Formula, formula};

thread_local! {
    /// The message and location of the last panic of this thread.
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Panics are findings; their messages are kept instead of printed.
pub(super) fn quiet_panics() {
    std::panic::set_hook(Box::new(|info| LAST.with_borrow_mut(|last| *last = info.to_string())));
}

/// The result of the built-in solver on some assertions.
enum Ours {
    Sat(Box<Model>),
    Unsat(Vec<usize>),
    Unknown(String),
    Panic(String),
}

/// A formula and the options to solve it with.
pub(super) struct Trial {
    index: u64,
    pool: Pool,
    formula: Formula,
    options: Options,
    engine: Engine,
    show: bool,
}

impl Trial {
    /// The formula number `index`.
    pub(super) fn new(settings: &Settings, index: u64) -> Trial {
        let mut pool = Pool::new();
        let formula = formula(&mut pool, settings.seed, index);
        let options = Options {
            strategy: settings.strategy,
            seed: index % 4,
            cores: index.is_multiple_of(4),
            minimise_cores: index.is_multiple_of(32),
            audit: index % 100 < u64::from(settings.audit),
            ticks: Some(settings.ticks),
            ..Options::default()
        };
        Trial { index, pool, formula, options, engine: engine::check, show: settings.show }
    }

    /// Solves it and judges the answer.
    pub(super) fn run(
        mut self,
        others: &mut [Querier<'_>],
        limit: Duration,
        progress: &dyn Progress,
        report: &mut Report,
    ) {
        let terms = self.formula.assertions.clone();
        let ours = self.solve(&terms);
        let fault = self.fault(&ours, &terms);
        report.count(self.formula.kind, self.formula.truth, ours_name(&ours));
        if let Ours::Unknown(why) = &ours {
            report.reason(why);
        }
        if self.show {
            let text = format!(
                "{}; truth {:?}, answer {}\n",
                self.script(&terms),
                self.formula.truth,
                ours_name(&ours)
            );
            progress.notice(&text);
        }
        if let Some((what, why)) = fault {
            let small = self.shrink(what, terms.clone());
            let script = self.script(&small);
            report.findings.push(Finding { index: self.index, what, why, who: None, script });
        }
        for (i, other) in others.iter_mut().enumerate() {
            let script = self.script(&terms);
            self.compare(i, other, &script, &ours, limit, report);
        }
    }

    /// Runs the engine; restores the pool afterwards, unless the model needs its terms.
    fn solve(&mut self, terms: &[Term]) -> Ours {
        let mark = self.pool.mark();
        let (pool, options, engine) = (&mut self.pool, &self.options, self.engine);
        let never: Stop = Rc::new(|| false);
        let outcome = catch_unwind(AssertUnwindSafe(|| engine(pool, terms, options, &never)));
        let ours = match outcome {
            Ok(outcome) => match outcome.answer {
                Answer::Sat(model) => Ours::Sat(model),
                Answer::Unsat(core) => Ours::Unsat(core),
                Answer::Unknown(why) => Ours::Unknown(why),
            },
            Err(_) => Ours::Panic(LAST.with_borrow(Clone::clone)),
        };
        if !matches!(&ours, Ours::Sat(model) if model.holds_terms()) {
            self.pool.cut_back(&mark);
        }
        ours
    }

    /// The fault of the answer on `terms`, which are some of the assertions.
    fn fault(&self, ours: &Ours, terms: &[Term]) -> Option<(What, String)> {
        match ours {
            Ours::Panic(message) => Some((What::Panic, message.clone())),
            Ours::Unknown(why) if why.contains("audit") => Some((What::Audit, why.clone())),
            Ours::Unknown(_) => None,
            Ours::Sat(model) => {
                let mut e = Evaluator::new(&self.pool, model);
                let bad = terms.iter().find(|&&t| e.truth(t) != Satisfaction::Holds);
                if let Some(&t) = bad {
                    return Some((What::Model, format!("it does not satisfy {}", term_text(&self.pool, t))));
                }
                let complete = terms.len() == self.formula.assertions.len();
                (complete && self.formula.truth == Some(false))
                    .then(|| (What::Sat, "no candidate is a model, but the solver has one".into()))
            }
            Ours::Unsat(core) => {
                if let Some(w) = self.formula.witness {
                    return Some((What::Unsat, self.assignment(&self.formula.tried[w])));
                }
                let place = |&i: &usize| self.formula.assertions.iter().position(|t| terms.get(i) == Some(t));
                let core: Option<Vec<usize>> = core.iter().map(place).collect();
                match core {
                    None => Some((What::Core, "the core has a term that was not asserted".into())),
                    Some(core) if self.formula.tried_satisfies(&self.pool, &core) => {
                        Some((What::Core, format!("assertions {core:?} have a model")))
                    }
                    Some(_) => None,
                }
            }
        }
    }

    /// Leaves out assertions while the fault stays.
    fn shrink(&mut self, what: What, mut terms: Vec<Term>) -> Vec<Term> {
        let mut i = 0;
        while terms.len() > 1 && i < terms.len() && what != What::Sat && what != What::Core {
            let mut fewer = terms.clone();
            fewer.remove(i);
            let ours = self.solve(&fewer);
            if self.fault(&ours, &fewer).is_some_and(|(w, _)| w == what) {
                terms = fewer;
            } else {
                i += 1;
            }
        }
        terms
    }

    fn assignment(&self, model: &Model) -> String {
        let mut e = Evaluator::new(&self.pool, model);
        let mut out = String::from("a model:");
        for &f in &self.formula.constants {
            if let Some(t) = self.constant(f)
                && let Ok(v) = e.eval(t)
            {
                let _ = write!(out, " {} = {}", self.pool.fun_name(f), v.to_smtlib(e.store()));
            }
        }
        out
    }

    /// The term that is this constant.
    fn constant(&self, f: Fun) -> Option<Term> {
        (0..self.pool.len() as u32).map(Term).find(|&t| self.pool.head(t) == smt::Head::Fun(f))
    }

    /// As a script without `check-sat`.
    fn script(&self, terms: &[Term]) -> String {
        let mut out = String::new();
        for &f in &self.formula.constants {
            let sort = self.pool.sort_text(self.pool.fun(f).ret);
            let _ = writeln!(out, "(declare-const {} {sort})", self.pool.fun_name(f));
        }
        for &t in terms {
            let _ = writeln!(out, "(assert {})", term_text(&self.pool, t));
        }
        out
    }

    /// Runs another solver; where it differs, the referee judges its model.
    fn compare(
        &self,
        i: usize,
        other: &mut Querier<'_>,
        script: &str,
        ours: &Ours,
        limit: Duration,
        report: &mut Report,
    ) {
        let theirs = other.solve(script, limit);
        let name = match &theirs {
            Other::Sat => "sat",
            Other::Unsat => "unsat",
            Other::Unknown => "unknown",
            Other::Error(_) => "error",
            Other::Died => "died",
        };
        report.other(i, name);
        let truth = self.formula.truth;
        let (what, why) = match (ours, &theirs) {
            (_, Other::Unsat) if truth == Some(true) => {
                (What::Other, "unsat, but there is a model".to_owned())
            }
            (Ours::Sat(_), Other::Unsat) => (What::Other, "unsat, but we have a model".into()),
            (Ours::Unsat(_), Other::Sat) => match other.check_model(script, limit) {
                ModelCheck::Holds => (What::Unsat, format!("{} has a model", other.solver().name)),
                ModelCheck::Fails => (What::Other, "sat, with a model that fails".into()),
                ModelCheck::Undetermined | ModelCheck::Unreadable | ModelCheck::Absent => {
                    (What::Undetermined, "sat, with a model that cannot be judged".into())
                }
            },
            (_, Other::Sat) if truth == Some(false) => (What::Other, "sat, but there is no model".into()),
            _ => return,
        };
        let who = (what != What::Unsat).then(|| other.solver().name.clone());
        report.findings.push(Finding { index: self.index, what, why, who, script: script.to_owned() });
    }
}

fn ours_name(ours: &Ours) -> &'static str {
    match ours {
        Ours::Sat(_) => "sat",
        Ours::Unsat(_) => "unsat",
        Ours::Unknown(_) => "unknown",
        Ours::Panic(_) => "failed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use solver::engine::Outcome;

    fn answer(answer: Answer) -> Outcome {
        Outcome { answer, statistics: Vec::new(), trace: Vec::new(), audit_failure: None }
    }

    fn unsat(_: &mut Pool, terms: &[Term], _: &Options, _: &Stop) -> Outcome {
        answer(Answer::Unsat((0..terms.len()).collect()))
    }

    fn no_core(_: &mut Pool, _: &[Term], _: &Options, _: &Stop) -> Outcome {
        answer(Answer::Unsat(Vec::new()))
    }

    fn nothing(_: &mut Pool, _: &[Term], _: &Options, _: &Stop) -> Outcome {
        answer(Answer::Sat(Box::default()))
    }

    fn silent(_: &mut Pool, _: &[Term], _: &Options, _: &Stop) -> Outcome {
        answer(Answer::Unknown("incomplete".into()))
    }

    fn panicking(_: &mut Pool, _: &[Term], _: &Options, _: &Stop) -> Outcome {
        panic!("as it should")
    }

    fn findings(engine: Engine) -> Vec<(Option<bool>, Vec<What>, usize)> {
        let settings = Settings::default();
        let one = |index| {
            let mut trial = Trial::new(&settings, index);
            trial.engine = engine;
            let (truth, mut report) = (trial.formula.truth, Report::new(&settings, Vec::new()));
            trial.run(&mut [], Duration::ZERO, &(), &mut report);
            let asserted = report.findings.first().map_or(0, |f| f.script.matches("(assert").count());
            (truth, report.findings.iter().map(|f| f.what).collect(), asserted)
        };
        (0..200).map(one).collect()
    }

    #[test]
    fn a_wrong_engine_is_detected() {
        for (truth, found, asserted) in findings(unsat) {
            assert_eq!(found, if truth == Some(true) { vec![What::Unsat] } else { vec![] });
            assert!(asserted <= 1, "made small");
        }
        for (truth, found, _) in findings(no_core) {
            assert_eq!(found, [if truth == Some(true) { What::Unsat } else { What::Core }]);
        }
        let found = findings(nothing);
        assert!(found.iter().all(|(truth, found, _)| *truth != Some(false) || *found == [What::Model]));
        assert!(findings(silent).iter().all(|(_, found, _)| found.is_empty()));
        assert!(findings(panicking).iter().all(|(_, found, _)| *found == [What::Panic]));
    }
}
