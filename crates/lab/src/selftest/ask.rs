//! Cases as queries to a solver: many at a time, and one by one where it does not agree with all of them.

use super::case::Case;
use super::query::{Answer, Querier};
use super::support::{Support, essence};
use campaign::process::Cancel;
use std::time::Duration;

/// A batch that the solver does not agree with is split into this many.
const SPLIT: usize = 16;

/// A solver that crashes on this many cases in a row is not queried any more.
const MAX_DEATHS: usize = 20;

/// The opinion of a solver on a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Opinion {
    /// The value is ours.
    Agrees,
    /// The value is another: this one, if it is printed. Confirmed by a fresh process.
    Differs(Option<String>),
    /// No opinion, for this reason.
    Undecided(String),
    /// It does not support the case, for this reason.
    NotApplicable(String),
}

/// The time for a query about this many cases.
fn limit(cases: usize) -> Duration {
    Duration::from_millis(if cases == 1 { 2000 } else { 500 + 10 * cases as u64 })
}

/// A solver with the cases to query.
pub(super) struct Session<'a> {
    /// What it supports.
    pub(super) support: &'a Support,
    querier: Querier<'a>,
    /// Single cases in a row that it died on.
    deaths: usize,
}

impl<'a> Session<'a> {
    /// A new one.
    pub(super) fn new(support: &'a Support, cancel: &'a Cancel) -> anyhow::Result<Session<'a>> {
        Ok(Session { support, querier: Querier::new(&support.solver, cancel)?, deaths: 0 })
    }

    /// The solver's opinions of all `cases`.
    pub(super) fn ask(&mut self, cases: &[Case]) -> Vec<Opinion> {
        let mut opinions = vec![Opinion::Agrees; cases.len()];
        let mut supported = Vec::new();
        for (i, case) in cases.iter().enumerate() {
            if self.support.supports(case.uses) {
                supported.push(i);
            } else {
                opinions[i] = Opinion::NotApplicable("an operator that the solver does not support".into());
            }
        }
        let mut batches = vec![supported];
        while let Some(batch) = batches.pop() {
            match batch.as_slice() {
                [] => {}
                all if self.deaths >= MAX_DEATHS => {
                    for &i in all {
                        opinions[i] = Opinion::Undecided("the solver died too often".into());
                    }
                }
                &[one] => opinions[one] = self.ask_one(&cases[one]),
                many => {
                    if self.disputes(many, cases) {
                        batches.extend(many.chunks(many.len().div_ceil(SPLIT)).map(<[usize]>::to_vec));
                    }
                }
            }
        }
        opinions
    }

    /// It does not agree with all of them.
    fn disputes(&mut self, many: &[usize], cases: &[Case]) -> bool {
        let claims: Vec<String> = many.iter().map(|&i| self.support.claim(&cases[i])).collect();
        let query = format!("(not (and {}))", claims.join("\n"));
        self.querier.check(&query, limit(many.len())) != Answer::Unsat
    }

    fn ask_one(&mut self, case: &Case) -> Opinion {
        let query = self.query(case);
        let answer = self.querier.check(&query, limit(1));
        self.deaths = if answer == Answer::Died { self.deaths + 1 } else { 0 };
        match answer {
            Answer::Unsat => Opinion::Agrees,
            Answer::Sat => self.confirm(case),
            Answer::Unknown => Opinion::Undecided("unknown or out of time".into()),
            Answer::Died => Opinion::Undecided("the solver died".into()),
            Answer::Error(message) => Opinion::NotApplicable(essence(&message).into()),
        }
    }

    fn query(&self, case: &Case) -> String {
        format!("(not {})", self.support.claim(case))
    }

    /// It finds that the term has our value.
    pub(super) fn agrees(&mut self, case: &Case) -> bool {
        let query = self.query(case);
        self.querier.check(&query, limit(1)) == Answer::Unsat
    }

    /// It finds that the term may have another value.
    pub(super) fn disagrees(&mut self, case: &Case) -> bool {
        let query = self.query(case);
        self.querier.check(&query, limit(1)) == Answer::Sat
    }

    /// Asks fresh processes, also for the value.
    pub(super) fn confirm(&self, case: &Case) -> Opinion {
        if self.querier.check_fresh(&self.query(case), limit(1)) != Answer::Sat {
            return Opinion::Undecided("differs, but not in a fresh process".into());
        }
        Opinion::Differs(self.their_value(case))
    }

    fn their_value(&self, case: &Case) -> Option<String> {
        match case.value.as_str() {
            "true" => Some("false".into()),
            "false" => Some("true".into()),
            _ => self.querier.value(&self.support.respell(case.text.clone()), &case.sort, limit(1)),
        }
    }
}
