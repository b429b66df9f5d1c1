//! What is asked about a run, and what each answer means.

use super::Outcome;
use super::question::Flat;
use crate::case::Case;
use crate::judge::{Said, opinions, said};
use crate::outcome::{Answer, Kind, ModelCheck, Status, Verdict};
use crate::profile::Profile;
use crate::settings::Rules;
use crate::store::RunRow;
use semantics::referee::{Check, Judgement};
use semantics::{Evaluator, Model, Satisfaction};
use smt::{Pool, Term};

/// A question and what the answers to it mean; where they mean nothing, the next question is asked.
pub(super) struct Step {
    pub(super) case: Case,
    pub(super) sat: Option<Outcome>,
    pub(super) unsat: Option<Outcome>,
    /// What is to be said of an answer that means nothing, or of what was not asked.
    pub(super) note: String,
}

/// A run with what is needed to question it.
pub(super) struct Suspect<'a> {
    pub(super) case: &'a Case,
    pub(super) profile: &'a Profile,
    pub(super) run: &'a RunRow,
    pub(super) rules: &'a Rules,
}

const GOOD: Option<Outcome> = Some(Outcome::Confirmed);
const WEAK: Option<Outcome> = Some(Outcome::Weak);
const BAD: Option<Outcome> = Some(Outcome::Contradicted);

impl Suspect<'_> {
    /// The questions, in order; or why there are none.
    pub(super) fn steps(&self) -> Result<Vec<Step>, String> {
        let mut pool = self.case.pool.clone();
        let all = said(self.case, self.profile, self.run.stdout(), &mut pool);
        let all = all.map_err(|e| format!("what it printed starts with an error: {e}"))?;
        let n = self.question(&all).ok_or("the answer in question is not in the stored output")?;
        match self.run.verdict() {
            Verdict::WrongUnsat => Ok(self.wrong_unsat(n)),
            Verdict::WrongSat => Ok(self.wrong_sat(n, &all[n], pool)),
            Verdict::InvalidModel => self.invalid_model(n, &all[n], pool),
            Verdict::InvalidCore if self.run.kind == Kind::ForeignCore => self.foreign_core(n, &all[n]),
            Verdict::InvalidCore => self.unsound_core(n, &all[n]),
            verdict => Err(format!("{verdict} ({}) is no wrong result", self.run.kind)),
        }
    }

    /// Which of the questions of the case the verdict is about.
    fn question(&self, all: &[Said]) -> Option<usize> {
        let status = |n: usize| self.case.questions.get(n).map(|q| q.status);
        let find =
            |answer, known| (0..all.len()).find(|&n| all[n].answer == answer && status(n) == Some(known));
        match self.run.verdict() {
            Verdict::WrongUnsat => {
                find(Answer::Unsat, Status::Sat).or_else(|| find(Answer::Unsat, Status::Unknown))
            }
            Verdict::WrongSat => {
                find(Answer::Sat, Status::Unsat).or_else(|| find(Answer::Sat, Status::Unknown))
            }
            Verdict::InvalidModel if all.len() == 1 => find(Answer::Sat, status(0)?),
            Verdict::InvalidModel => {
                let judged = opinions(self.case, self.profile, self.run.stdout(), self.rules);
                judged.iter().position(|o| *o == (Answer::Sat, ModelCheck::Fails))
            }
            _ => (0..all.len()).find(|&n| all[n].answer == Answer::Unsat && all[n].core.is_some()),
        }
    }

    /// `unsat`, and a model is known: is it one?
    fn wrong_unsat(&self, n: usize) -> Vec<Step> {
        let mut flat = Flat::of(self.case, n, |_| true);
        let known = self.case.known_model(&mut flat.pool);
        let values = known.map(|model| flat.values(&model, self.rules)).unwrap_or_default();
        let case = flat.case(&[&values.said]);
        vec![Step { case, sat: GOOD, unsat: BAD, note: String::new() }]
    }

    /// `sat` of an unsatisfiable formula: is it unsatisfiable? If that is too hard: is its model none?
    fn wrong_sat(&self, n: usize, said: &Said, pool: Pool) -> Vec<Step> {
        let mut flat = Flat::of(self.case, n, |_| true);
        let plain = Step { case: flat.case(&[]), sat: BAD, unsat: GOOD, note: String::new() };
        let Ok(Some(model)) = &said.model else {
            return vec![Step { note: "there is no model to ask about".into(), ..plain }];
        };
        flat.pool = pool;
        let values = flat.values(model, self.rules);
        let case = flat.case(&[&values.said]);
        vec![plain, Step { case, sat: BAD, unsat: WEAK, note: String::new() }]
    }

    /// A model that falsifies the formula: does it? What it does not mention is left open first, then completed.
    fn invalid_model(&self, n: usize, said: &Said, pool: Pool) -> Result<Vec<Step>, String> {
        let model = match &said.model {
            Ok(Some(model)) => model,
            Ok(None) => return Err("its model is not in the stored output".into()),
            Err(why) => return Err(format!("its model: {why}")),
        };
        let mut flat = Flat::of(self.case, n, |_| true);
        flat.pool = pool;
        let values = flat.values(model, self.rules);
        let note = match &values.left_out[..] {
            [] => String::new(),
            some => format!("not asserted, for an equality cannot say it: {}", some.join(", ")),
        };
        // Another function may do where the model's does not.
        let sat = if note.is_empty() { BAD } else { None };
        let case = flat.case(&[&values.said]);
        if values.completed.is_empty() {
            return Ok(vec![Step { case, sat, unsat: GOOD, note }]);
        }
        let completed = flat.case(&[&values.said, &values.completed]);
        let open = "what the model does not mention was left open".into();
        Ok(vec![
            Step { case, sat: None, unsat: GOOD, note: open },
            Step { case: completed, sat, unsat: WEAK, note },
        ])
    }

    /// A core that has a model: has it?
    fn unsound_core(&self, n: usize, said: &Said) -> Result<Vec<Step>, String> {
        let core = said.core.as_deref().ok_or("its core cannot be read")?;
        let mut flat = Flat::of(self.case, n, |t| self.is_in(core, t));
        let known = self.refuting(n, core, &mut flat.pool);
        let values = known.map(|model| flat.values(&model, self.rules)).unwrap_or_default();
        let case = flat.case(&[&values.said]);
        Ok(vec![Step { case, sat: GOOD, unsat: BAD, note: String::new() }])
    }

    /// A core with names that were not asserted: the others may be satisfiable. If not, the core is still wrong.
    fn foreign_core(&self, n: usize, said: &Said) -> Result<Vec<Step>, String> {
        let core = said.core.as_deref().ok_or("its core cannot be read")?;
        let case = Flat::of(self.case, n, |t| self.is_in(core, t)).case(&[]);
        let note = "without the foreign names it is a core; that they are foreign, the formula shows".into();
        Ok(vec![Step { case, sat: GOOD, unsat: None, note }])
    }

    /// Assertion `t` is in the core, or has no name.
    fn is_in(&self, core: &[String], t: Term) -> bool {
        let pool = &self.case.pool;
        pool.given_name(t).is_none_or(|name| core.iter().any(|c| c == pool.names.name(name)))
    }

    /// The known model that satisfies the core.
    fn refuting(&self, n: usize, core: &[String], pool: &mut Pool) -> Option<Model> {
        let known = self.case.known_core()?;
        let mut part: Check = self.case.check(n);
        part.assertions.retain(|(_, t)| self.is_in(core, *t));
        known.iter().filter(|name| !core.contains(name)).find_map(|name| {
            let model = self.case.drop_model(name, pool)?;
            let store = semantics::regex::RegexStore::new();
            let mut e = Evaluator::with(pool, &model, self.rules.config(), store);
            let holds = Judgement::of(&part, &mut e).overall() == Satisfaction::Holds;
            drop(e);
            holds.then_some(model)
        })
    }
}
