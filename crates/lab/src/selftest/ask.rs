//! Putting cases to a solver: many at a time, and one by one where it does not agree with all of them.

use super::case::Case;
use super::solver::{Answer, Solver};
use super::support::{Profile, essence};
use std::time::Duration;

/// A batch that is not agreed with is cut into so many.
const SPLIT: usize = 16;

/// What a solver says of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Opinion {
    /// The value is ours.
    Agrees,
    /// The value is another: this one, if it tells. Confirmed by a process that was asked nothing else.
    Differs(Option<String>),
    /// It does not say, for this reason.
    Undecided(String),
    /// It does not understand, for this reason.
    NotApplicable(String),
}

/// The time for a question about so many cases.
fn limit(cases: usize) -> Duration {
    Duration::from_millis(if cases == 1 { 2000 } else { 500 + 10 * cases as u64 })
}

/// A solver that dies on so many cases in a row is asked no more.
const MAX_DEATHS: usize = 20;

/// A solver being questioned.
pub(super) struct Session<'a> {
    /// What is known of it.
    pub(super) profile: &'a Profile,
    solver: Solver,
    /// How many single cases in a row it died on.
    deaths: usize,
}

impl<'a> Session<'a> {
    /// A new one.
    pub(super) fn new(profile: &'a Profile) -> Session<'a> {
        Session { profile, solver: Solver::new(&profile.spec), deaths: 0 }
    }

    /// The solver's opinions of all `cases`.
    pub(super) fn ask(&mut self, cases: &[Case]) -> Vec<Opinion> {
        let mut opinions = vec![Opinion::Agrees; cases.len()];
        let mut open = Vec::new();
        for (i, case) in cases.iter().enumerate() {
            if self.profile.understands(case.uses) {
                open.push(i);
            } else {
                opinions[i] = Opinion::NotApplicable("an operator that the solver lacks".into());
            }
        }
        let mut batches = vec![open];
        while let Some(batch) = batches.pop() {
            match batch.as_slice() {
                [] => {}
                all if self.deaths >= MAX_DEATHS => {
                    for &i in all {
                        opinions[i] = Opinion::Undecided("the solver is dead".into());
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
        let claims: Vec<String> = many.iter().map(|&i| self.profile.claim(&cases[i])).collect();
        let question = format!("(not (and {}))", claims.join("\n"));
        self.solver.check(&question, limit(many.len())) != Answer::Unsat
    }

    fn ask_one(&mut self, case: &Case) -> Opinion {
        let question = self.question(case);
        let answer = self.solver.check(&question, limit(1));
        self.deaths = if answer == Answer::Died { self.deaths + 1 } else { 0 };
        match answer {
            Answer::Unsat => Opinion::Agrees,
            Answer::Sat => self.confirm(case),
            Answer::Unknown => Opinion::Undecided("unknown or out of time".into()),
            Answer::Died => Opinion::Undecided("the solver died or did not answer".into()),
            Answer::Error(message) => Opinion::NotApplicable(essence(&message).into()),
        }
    }

    fn question(&self, case: &Case) -> String {
        format!("(not {})", self.profile.claim(case))
    }

    /// It says that the term has our value.
    pub(super) fn agrees(&mut self, case: &Case) -> bool {
        let question = self.question(case);
        self.solver.check(&question, limit(1)) == Answer::Unsat
    }

    /// It says that the term has another value.
    pub(super) fn disagrees(&mut self, case: &Case) -> bool {
        let question = self.question(case);
        self.solver.check(&question, limit(1)) == Answer::Sat
    }

    /// Asks a fresh process, and for the value.
    pub(super) fn confirm(&self, case: &Case) -> Opinion {
        let question = &self.question(case);
        let mut fresh = Solver::new(&self.profile.spec);
        if fresh.check(question, limit(1)) != Answer::Sat {
            return Opinion::Undecided("differs, but not so in a fresh process".into());
        }
        Opinion::Differs(self.their_value(&mut fresh, case))
    }

    fn their_value(&self, fresh: &mut Solver, case: &Case) -> Option<String> {
        match case.value.as_str() {
            "true" => Some("false".into()),
            "false" => Some("true".into()),
            _ => fresh.value(&self.profile.respell(case.text.clone()), &case.sort, limit(1)),
        }
    }
}
