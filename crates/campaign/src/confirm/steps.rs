//! The queries for a run, and the meaning of each answer.

use super::Outcome;
use super::question::Flat;
use crate::case::Case;
use crate::judge::{Response, opinions, responses};
use crate::outcome::{Answer, Kind, ModelCheck, Status, Verdict};
use crate::profile::Profile;
use crate::settings::Rules;
use crate::store::RunRow;
use semantics::referee::{Check, Judgement};
use semantics::{Evaluator, Model, Satisfaction};
use smt::{Pool, Term};

/// A query and the meaning of its answers; after an answer without a meaning, the next query is sent.
pub(super) struct Step {
    pub(super) case: Case,
    pub(super) sat: Option<Outcome>,
    pub(super) unsat: Option<Outcome>,
    /// A note on an inconclusive answer, or on the parts that the query omits.
    pub(super) note: String,
}

/// An unsound run, and the data needed to check it.
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
    /// The queries, in order; or the reason why there are none.
    pub(super) fn steps(&self) -> Result<Vec<Step>, String> {
        let mut pool = self.case.pool.clone();
        let all = responses(self.case, self.profile, self.run.stdout(), &mut pool);
        let all = all.map_err(|e| format!("its output starts with an error: {e}"))?;
        let n = self.query(&all).ok_or("the answer in question is not in the stored output")?;
        match self.run.verdict() {
            Verdict::WrongUnsat => Ok(self.wrong_unsat(n)),
            Verdict::WrongSat => Ok(self.wrong_sat(n, &all[n], pool)),
            Verdict::InvalidModel => self.invalid_model(n, &all[n], pool),
            Verdict::InvalidCore if self.run.kind == Kind::ForeignCore => self.foreign_core(n, &all[n]),
            Verdict::InvalidCore => self.unsound_core(n, &all[n]),
            verdict => Err(format!("{verdict} ({}) is not a wrong result", self.run.kind)),
        }
    }

    /// The query of the case that the verdict is about.
    fn query(&self, all: &[Response]) -> Option<usize> {
        let status = |n: usize| self.case.certificate.queries.get(n).map(|q| q.status);
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
        let known = self.case.certificate.model(&mut flat.pool);
        let values = known.map(|model| flat.values(&model, self.rules)).unwrap_or_default();
        let case = flat.case(&[&values.given]);
        vec![Step { case, sat: GOOD, unsat: BAD, note: String::new() }]
    }

    /// `sat` of an unsatisfiable formula: is it unsatisfiable? If that is too hard: is its model none?
    fn wrong_sat(&self, n: usize, response: &Response, pool: Pool) -> Vec<Step> {
        let mut flat = Flat::of(self.case, n, |_| true);
        let plain = Step { case: flat.case(&[]), sat: BAD, unsat: GOOD, note: String::new() };
        let Ok(Some(model)) = &response.model else {
            return vec![Step { note: "there is no model to check".into(), ..plain }];
        };
        flat.pool = pool;
        let values = flat.values(model, self.rules);
        let case = flat.case(&[&values.given]);
        vec![plain, Step { case, sat: BAD, unsat: WEAK, note: String::new() }]
    }

    /// A model that falsifies the formula: does it? Values that it lacks are first left out, then completed.
    fn invalid_model(&self, n: usize, response: &Response, pool: Pool) -> Result<Vec<Step>, String> {
        let model = match &response.model {
            Ok(Some(model)) => model,
            Ok(None) => return Err("its model is not in the stored output".into()),
            Err(why) => return Err(format!("its model: {why}")),
        };
        let mut flat = Flat::of(self.case, n, |_| true);
        flat.pool = pool;
        let values = flat.values(model, self.rules);
        let note = match &values.left_out[..] {
            [] => String::new(),
            some => format!("not expressible as equalities, left out: {}", some.join(", ")),
        };
        // Another function may do where the model's does not.
        let sat = if note.is_empty() { BAD } else { None };
        let case = flat.case(&[&values.given]);
        if values.completed.is_empty() {
            return Ok(vec![Step { case, sat, unsat: GOOD, note }]);
        }
        let completed = flat.case(&[&values.given, &values.completed]);
        let open = "constants without a value in the model were left free".into();
        Ok(vec![
            Step { case, sat: None, unsat: GOOD, note: open },
            Step { case: completed, sat, unsat: WEAK, note },
        ])
    }

    /// A core that has a model: has it?
    fn unsound_core(&self, n: usize, response: &Response) -> Result<Vec<Step>, String> {
        let core = response.core.as_deref().ok_or("its core cannot be read")?;
        let mut flat = Flat::of(self.case, n, |t| self.is_in(core, t));
        let known = self.refuting(n, core, &mut flat.pool);
        let values = known.map(|model| flat.values(&model, self.rules)).unwrap_or_default();
        let case = flat.case(&[&values.given]);
        Ok(vec![Step { case, sat: GOOD, unsat: BAD, note: String::new() }])
    }

    /// A core with names that were not asserted: the others may be satisfiable. If not, the core is still wrong.
    fn foreign_core(&self, n: usize, response: &Response) -> Result<Vec<Step>, String> {
        let core = response.core.as_deref().ok_or("its core cannot be read")?;
        let case = Flat::of(self.case, n, |t| self.is_in(core, t)).case(&[]);
        let note = "without the foreign names it is a core; the formula shows that they are foreign".into();
        Ok(vec![Step { case, sat: GOOD, unsat: None, note }])
    }

    /// Assertion `t` is in the core, or has no name.
    fn is_in(&self, core: &[String], t: Term) -> bool {
        let pool = &self.case.pool;
        pool.given_name(t).is_none_or(|name| core.iter().any(|c| c == pool.names.name(name)))
    }

    /// The known model that satisfies the core.
    fn refuting(&self, n: usize, core: &[String], pool: &mut Pool) -> Option<Model> {
        let known = self.case.certificate.core()?;
        let mut part: Check = self.case.check(n);
        part.assertions.retain(|(_, t)| self.is_in(core, *t));
        known.iter().filter(|name| !core.contains(name)).find_map(|name| {
            let model = self.case.certificate.drop_model(name, pool)?;
            let store = semantics::regex::RegexStore::new();
            let mut e = Evaluator::with(pool, &model, self.rules.config(), store);
            let holds = Judgement::of(&part, &mut e).overall() == Satisfaction::Holds;
            drop(e);
            holds.then_some(model)
        })
    }
}
