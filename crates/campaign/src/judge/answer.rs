//! Verdicts on `sat` and `unsat`, by the known answer and by the model.

use super::evidence::{self, Account};
use super::output::{Output, Reply};
use super::reading::{self, Scope};
use super::{Bench, Judged, UNLABELLED, WRONG_STATUS, errors};
use crate::case::Case;
use crate::compose::Requests;
use crate::outcome::{Answer, CoreCheck, Ending, Kind, ModelCheck, Status};
use semantics::model::answers;
use semantics::referee::Check;
use semantics::{Model, Satisfaction, ambiguity};
use smt::Pool;
use smt::answer::Item;

/// The finding on a model, and its evidence.
pub(super) struct ModelFound {
    pub(super) check: ModelCheck,
    text: String,
}

impl Bench<'_> {
    /// The known answer of the `n`th query, in the semantics of the judgement.
    fn status(&self, n: usize) -> Status {
        let status = self.case.status(n);
        if self.rules.reading == self.rules.made_for || !reading::matters(self.case) {
            return status;
        }
        // The answer is known for another reading: only a model can prove it for this one.
        let mut pool = self.case.pool.clone();
        match (status, self.case.certificate.model(&mut pool)) {
            (Status::Sat, Some(model)) => {
                let holds = evidence::truth(&pool, &model, &self.case.check(n), self.rules.config())
                    == Satisfaction::Holds;
                if holds { Status::Sat } else { Status::Unknown }
            }
            _ => Status::Unknown,
        }
    }

    /// A `sat`.
    pub(super) fn sat(&self, n: usize, reply: &Reply, requested: Requests, pool: &mut Pool) -> Judged {
        let found = self.model(n, reply, pool);
        let status = self.status(n);
        let mut judged = match (status, found.check) {
            (Status::Unsat, ModelCheck::Holds) => Judged::new(
                Kind::ValidModel,
                Answer::Sat,
                format!("{WRONG_STATUS}: the model satisfies every assertion\n{}", found.text),
            ),
            (Status::Unsat, _) => self.wrong_sat(&found),
            (_, ModelCheck::Holds) => Judged::new(Kind::ValidModel, Answer::Sat, ""),
            (_, ModelCheck::Fails) => Judged::new(Kind::InvalidModel, Answer::Sat, found.text.as_str()),
            (_, ModelCheck::Absent) if requested.model && !reply.errors.is_empty() => {
                self.message(&reply.errors[0], Answer::Sat)
            }
            (Status::Unknown, _) => Judged::new(
                Kind::Unlabelled,
                Answer::Sat,
                format!("{UNLABELLED}, and the model does not prove it\n{}", found.text),
            ),
            (_, ModelCheck::Absent) if !requested.model => Judged::new(Kind::CorrectSat, Answer::Sat, ""),
            (_, ModelCheck::Absent) => {
                Judged::new(Kind::ModelUndetermined, Answer::Sat, "no model was printed")
            }
            _ => Judged::new(Kind::ModelUndetermined, Answer::Sat, found.text.as_str()),
        };
        judged.model = found.check;
        judged
    }

    fn wrong_sat(&self, found: &ModelFound) -> Judged {
        let known = if self.case.certificate.is_proved() {
            "it is unsatisfiable by construction"
        } else {
            "it is unsatisfiable as stated by the file, without a proof"
        };
        let mut evidence = format!("{known}\n{}", found.text);
        if Scope::of(&evidence).is_none() {
            evidence.push_str(&self.not_checked());
        }
        let kind = if self.profile.over_approximating { Kind::OverApproximation } else { Kind::WrongSat };
        Judged::new(kind, Answer::Sat, evidence.trim_end())
    }

    /// An `unsat`.
    pub(super) fn unsat(&self, n: usize, reply: &Reply, requested: Requests, pool: &mut Pool) -> Judged {
        match self.status(n) {
            Status::Sat => self.wrong_unsat(n),
            Status::Unknown => {
                let evidence = UNLABELLED;
                let mut judged = Judged::new(Kind::Unlabelled, Answer::Unsat, evidence);
                judged.core = self.core(n, reply, requested, pool).core;
                judged
            }
            Status::Unsat => {
                let judged = self.core(n, reply, requested, pool);
                let failed = judged.core == CoreCheck::Absent && requested.core && !reply.errors.is_empty();
                if failed && errors::kind_of(&reply.errors[0]) != Kind::Rejected {
                    return self.message(&reply.errors[0], Answer::Unsat);
                }
                judged
            }
        }
    }

    /// `unsat`, and a model is known, or the file states that there is one.
    fn wrong_unsat(&self, n: usize) -> Judged {
        let mut pool = self.case.pool.clone();
        let Some(model) = self.case.certificate.model(&mut pool) else {
            let evidence = "it is satisfiable as stated by the file, without a proof";
            return Judged::new(Kind::WrongUnsat, Answer::Unsat, evidence);
        };
        let check = self.case.check(n);
        let Account { truth, text } =
            evidence::account(self.case, &mut pool, &model, &check, self.rules.config());
        let (kind, word) = match truth {
            Satisfaction::Holds if self.case.declared().next().is_none() => {
                (Kind::WrongUnsat, "it has no variables and is true by evaluation")
            }
            Satisfaction::Holds => (Kind::WrongUnsat, "this model satisfies every assertion"),
            Satisfaction::Undetermined(_) => (
                Kind::WrongUnsat,
                "it is satisfiable by construction, but the referee could not decide the known model",
            ),
            Satisfaction::Fails => (Kind::Unlabelled, "the known model is wrong, and so is the instance"),
        };
        let mut evidence = format!("{word}\n{text}");
        evidence.push_str(&self.other_reading(&pool, &model, &check, true));
        Judged::new(kind, Answer::Unsat, evidence.trim_end())
    }

    /// The referee's finding on the model in `reply`.
    pub(super) fn model(&self, n: usize, reply: &Reply, pool: &mut Pool) -> ModelFound {
        let mut model = match self.read_model(reply, pool) {
            Ok(Some(model)) => model,
            Ok(None) => return ModelFound { check: ModelCheck::Absent, text: String::new() },
            Err(why) => {
                let text = format!("its model cannot be judged: {why}");
                return ModelFound { check: ModelCheck::Unreadable, text };
            }
        };
        if !matches!(self.raw.ending, Ending::Exited(_) | Ending::Running) {
            // It was cut off: values that are missing may have been in the rest.
            model.set_partial(true);
        }
        let check = self.case.check(n);
        if evidence::truth(pool, &model, &check, self.rules.config()) == Satisfaction::Holds {
            return ModelFound { check: ModelCheck::Holds, text: String::new() };
        }
        let Account { truth, mut text } =
            evidence::account(self.case, pool, &model, &check, self.rules.config());
        if truth != Satisfaction::Fails {
            return ModelFound { check: ModelCheck::Undetermined, text };
        }
        if let Some(doubt) = self.doubt(n, &check) {
            return ModelFound {
                check: ModelCheck::Undetermined,
                text: format!("in doubt: {doubt}\n{text}"),
            };
        }
        text.push_str(&self.other_reading(pool, &model, &check, false));
        ModelFound { check: ModelCheck::Fails, text }
    }

    /// The model of a reply, or the reason why it cannot be used.
    fn read_model(&self, reply: &Reply, pool: &Pool) -> Result<Option<Model>, String> {
        read_model(self.case, reply, pool)
    }

    /// The reason why a falsified assertion depends on how texts are read, if it does.
    fn doubt(&self, n: usize, check: &Check) -> Option<String> {
        if let Some(why) = &self.case.doubt {
            return Some(why.clone());
        }
        let dialect = ambiguity::other_escapes(self.raw.stdout, self.profile.dialect)?;
        let mut pool = self.case.pool.clone();
        let output = Output::read_as(dialect, self.raw.stdout, self.profile, &mut pool);
        let model = self.read_model(output.replies.get(n)?, &pool).ok()??;
        let fails = evidence::truth(&pool, &model, check, self.rules.config()) == Satisfaction::Fails;
        (!fails).then(|| format!("with the escapes of dialect {dialect} in the model, nothing fails"))
    }
}

/// The model of a reply, or the reason why it cannot be used.
pub(super) fn read_model(case: &Case, reply: &Reply, pool: &Pool) -> Result<Option<Model>, String> {
    let declared = case.declared_names();
    let mut items = vec![Item::Verdict(smt::answer::Verdict::Sat)];
    items.extend(reply.items.iter().cloned());
    let answer = answers(pool, &items, &|name| declared.contains(name)).pop().unwrap_or_default();
    match (answer.trouble, answer.model) {
        (Some(why), _) => Err(why),
        (None, Some(model)) => Ok(Some(model)),
        (None, None) => match reply.unreadable() {
            Some(why) => Err(why),
            // A formula without constants needs no model.
            None if declared.is_empty() => Ok(Some(Model::new())),
            None => Ok(None),
        },
    }
}
