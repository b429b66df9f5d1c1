//! The engine that stays between checks ([`crate::resident`]), as a session uses it.
//!
//! It is asked from the second check on, before a fresh engine, if checks take some work, and as long as it does less of it
//! than fresh engines. What it cannot answer within a few times the work of a fresh check, a fresh engine is asked. If that happens often, it is not asked any more. A
//! model that it finds is accepted only if the referee accepts it on the assertions of the session.
//!
//! Example: `(assert p)(check-sat)(push 1)(assert q)(check-sat)(pop 1)(push 1)(assert r)(check-sat)`. The first check is
//! fresh. The second one copies `p` and `q` as two groups, the third finds the first of them.

use super::Session;
use crate::engine::{Answer, Outcome};
use crate::options::Options;
use crate::preprocess;
use crate::resident::{self, Group, Resident};
use semantics::model::Meaning;
use semantics::{Evaluator, Model, Satisfaction};
use smt::work::{Stop, within};
use smt::{Pool, Term};

/// Ticks of a check by this engine, at least.
const MIN_TICKS: u64 = 50_000;
/// Ticks of a check by this engine, in those of a mean check by a fresh one.
const PATIENCE: u64 = 4;
/// Checks after which it must have proved cheaper than fresh ones.
const TRIALS: u64 = 10;
/// Checks without an answer before the engine is not asked any more, in excess of those with one.
const MAX_LOSSES: u32 = 3;

/// The place of an assertion in an engine; none if the engine does not take it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Placed {
    generation: u32,
    group: Option<Group>,
}

/// The work of several checks.
#[derive(Default)]
struct Work {
    checks: u64,
    ticks: u64,
}

impl Work {
    fn add(&mut self, outcome: &Outcome) {
        self.checks += 1;
        self.ticks += outcome.statistics.iter().find(|(name, _)| *name == "ticks").map_or(0, |&(_, n)| n);
    }

    fn mean(&self) -> u64 {
        self.ticks / self.checks.max(1)
    }
}

/// The engine and what is known of its use.
#[derive(Default)]
pub(super) struct Standby {
    engine: Option<Box<Resident>>,
    /// The number of the engine, from 1.
    generation: u32,
    /// The seed that it was made with.
    seed: u64,
    /// The work of fresh engines, and of this one.
    fresh: Work,
    standing: Work,
    losses: u32,
    off: bool,
}

impl Standby {
    /// Never asks it: the engine of the session is another one.
    pub(super) fn disable(&mut self) {
        self.off = true;
    }

    /// Forgets everything.
    pub(super) fn forget(&mut self) {
        *self = Standby { generation: self.generation, off: self.off, ..Standby::default() };
    }

    /// Notes the work of a fresh engine.
    pub(super) fn learn(&mut self, outcome: &Outcome) {
        self.fresh.add(outcome);
    }

    /// The ticks it may use for a check; none if it is not asked.
    fn budget(&self, options: &Options) -> Option<u64> {
        let plain = !(options.cores || options.trace || options.minimise_cores);
        if self.off || !plain || self.losses > MAX_LOSSES || self.fresh.checks == 0 {
            return None;
        }
        // Cheap checks are best done afresh: what stays only makes them slower.
        let mean = self.fresh.mean();
        let worse = self.standing.checks >= TRIALS && self.standing.mean() > mean;
        if mean < options.standing_from || worse && options.standing_from > 0 {
            return None;
        }
        let budget = MIN_TICKS.max(mean.saturating_mul(PATIENCE));
        Some(options.ticks.map_or(budget, |limit| limit.min(budget)))
    }

    /// The engine, a new one if it is full.
    fn take(&mut self, options: &Options) -> Box<Resident> {
        match self.engine.take() {
            Some(engine) if !engine.is_full() && self.seed == options.seed => engine,
            _ => {
                self.generation += 1;
                self.seed = options.seed;
                Box::new(Resident::new(options))
            }
        }
    }
}

impl Session<'_> {
    /// The answer of the engine that stays between checks.
    pub(super) fn ask_standby(&mut self, terms: &[Term], options: &Options, stop: &Stop) -> Option<Outcome> {
        let ticks = self.standby.budget(options)?;
        if self.has_shadowed_names() {
            return None;
        }
        let mut engine = self.standby.take(options);
        // If time is up, the engine may be in any state, and is lost.
        let groups = within(stop, || self.groups(&mut engine, terms))?;
        let Some((groups, assumed)) = groups else {
            self.standby.engine = Some(engine);
            return None;
        };
        let limited = Options { ticks: Some(ticks), ..options.clone() };
        let found = engine.check(&groups, &limited, stop);
        let answer = self.translated(&engine, found.answer, terms, &assumed);
        let engine_terms = engine.pool().len() as u64;
        if !engine.is_broken() {
            self.standby.engine = Some(engine);
        }
        let mut statistics = found.statistics;
        if let Some(failure) = found.audit_failure {
            let answer = Answer::Unknown(format!("audit: {failure}"));
            return Some(Outcome { answer, statistics, trace: Vec::new(), audit_failure: Some(failure) });
        }
        let Some(answer) = answer else {
            self.standby.losses += 1;
            self.standby.standing.ticks += ticks;
            return None;
        };
        self.standby.losses = self.standby.losses.saturating_sub(1);
        self.remember_as_is(terms, &answer);
        statistics.push(("standing engine, checks", 1));
        statistics.push(("standing engine, terms", engine_terms));
        let outcome = Outcome { answer, statistics, trace: Vec::new(), audit_failure: None };
        self.standby.standing.add(&outcome);
        Some(outcome)
    }

    /// The groups of all assertions, then of the assumptions; none if one is not taken. Assertions of one level that
    /// are new since the last check are one group.
    fn groups(&mut self, engine: &mut Resident, terms: &[Term]) -> Option<(Vec<Group>, Vec<Group>)> {
        let generation = self.standby.generation;
        let count = self.assertions.len();
        let mut out: Vec<Group> = Vec::new();
        let mut start = 0;
        let ends: Vec<usize> = self.levels.iter().map(|l| l.assertions).chain([count]).collect();
        for end in ends {
            while start < end {
                let placed = self.assertions[start].placed;
                if placed.generation == generation {
                    let group = placed.group?;
                    if out.last() != Some(&group) {
                        out.push(group);
                    }
                    start += 1;
                    continue;
                }
                let new =
                    self.assertions[start..end].iter().take_while(|a| a.placed.generation != generation);
                let list: Vec<Term> = new.map(|a| a.term).collect();
                let group = copied(self.elaborator.pool, engine, &list);
                for a in &mut self.assertions[start..start + list.len()] {
                    a.placed = Placed { generation, group };
                }
                out.push(group?);
                start += list.len();
            }
        }
        let assumed: Option<Vec<Group>> =
            terms[count..].iter().map(|&t| copied(self.elaborator.pool, engine, &[t])).collect();
        let assumed = assumed?;
        out.extend(&assumed);
        Some((out, assumed))
    }

    /// The answer in terms of the session; none if there is none, or the referee does not accept it.
    fn translated(
        &self,
        engine: &Resident,
        answer: resident::Answer,
        terms: &[Term],
        assumed: &[Group],
    ) -> Option<Answer> {
        match answer {
            resident::Answer::Sat(model) => {
                let model = self.translated_model(engine, &model)?;
                let mut e = Evaluator::new(self.elaborator.pool, &model);
                let holds = terms.iter().all(|&t| e.truth(t) == Satisfaction::Holds);
                holds.then(|| Answer::Sat(Box::new(model)))
            }
            resident::Answer::Unsat(groups) => {
                let placed = self.assertions.iter().map(|a| a.placed.group);
                let all = placed.chain(assumed.iter().map(|&g| Some(g)));
                let used = all.enumerate().filter(|(_, g)| g.is_some_and(|g| groups.contains(&g)));
                Some(Answer::Unsat(used.map(|(i, _)| i).collect()))
            }
            resident::Answer::Unknown => None,
        }
    }

    /// The values of the declared constants.
    fn translated_model(&self, engine: &Resident, model: &Model) -> Option<Model> {
        if model.holds_terms() {
            return None;
        }
        let pool = &*self.elaborator.pool;
        let mut out = Model::new();
        for &f in &self.declared {
            if let Some(copy) = engine.constant(pool, f)
                && let Some(Meaning::Value(value)) = model.lookup(engine.pool(), copy)
            {
                out.assign(f, value.clone());
            }
        }
        Some(out)
    }
}

/// The group of assertions, with definitions inlined.
fn copied(pool: &mut Pool, engine: &mut Resident, assertions: &[Term]) -> Option<Group> {
    let plain = preprocess::inlined(pool, assertions)?;
    engine.group(pool, &plain)
}
