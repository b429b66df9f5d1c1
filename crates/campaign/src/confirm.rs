//! Second opinions: each unsound result is checked with another solver, so that it does not rest on the referee alone.
//!
//! The queries are easy. Where a model decides, it is asserted as equalities, which leaves little to solve:
//!
//! | verdict | query | confirmed by |
//! |---|---|---|
//! | `U` | the formula with the known model, or alone if none is known | `sat` |
//! | `IM` | the formula with the model that was printed | `unsat` |
//! | `S` | the formula; if there is no answer, with the model that was printed | `unsat`; weakly with the model |
//! | `IC` | the assertions of the core, with the known model of them | `sat` |
//!
//! The opposite answer contradicts the verdict: the referee or the second solver is wrong. No solver gives an opinion on
//! itself.

mod ask;
pub mod json;
mod query;
mod steps;
pub mod text;

use crate::case::Case;
use crate::process::{Cancel, Limits, Watchdog};
use crate::profile::Solver;
use crate::report::Data;
use crate::settings::Rules;
use crate::store::{Store, StoreError};
use ask::{Cache, SecondSolver};
use std::ffi::OsString;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use steps::{Step, Suspect};

/// The outcome of a second opinion, in the order in which the opinions of several solvers outweigh each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The second solver gives the opposite answer.
    Contradicted,
    /// It agrees.
    Confirmed,
    /// It refutes the model of a `sat`, or a model together with the values that the referee added.
    Weak,
    /// None: unknown, a time limit, an error, no query.
    NoOpinion,
}

impl Outcome {
    /// All of them, in the order of reports.
    pub const ALL: [Outcome; 4] =
        [Outcome::Confirmed, Outcome::Weak, Outcome::Contradicted, Outcome::NoOpinion];

    /// Its text form.
    pub fn code(self) -> &'static str {
        match self {
            Outcome::Contradicted => "contradicted",
            Outcome::Confirmed => "confirmed",
            Outcome::Weak => "weakly-confirmed",
            Outcome::NoOpinion => "no-opinion",
        }
    }
}

/// The opinion of one solver on a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opinion {
    /// The solver.
    pub by: String,
    /// Its outcome.
    pub outcome: Outcome,
    /// The reason why there is none, or the omitted parts.
    pub why: String,
    /// The last query; empty if there was none, or if it confirms.
    pub question: String,
    /// Its output; likewise.
    pub printed: String,
}

/// All opinions on a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmation {
    /// The run, by its place in [`Data::runs`].
    pub run: usize,
    /// The opinions, one by each second solver.
    pub opinions: Vec<Opinion>,
}

impl Confirmation {
    /// A contradiction outweighs confirmations, and a confirmation outweighs missing opinions.
    pub fn outcome(&self) -> Outcome {
        self.opinions.iter().map(|o| o.outcome).min().unwrap_or(Outcome::NoOpinion)
    }
}

/// How second solvers are run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The resources of each query; how memory is limited depends on the solver's profile.
    pub limits: Limits,
    /// The number of queries at a time.
    pub jobs: usize,
    /// The command of the helper that ends solvers if this process is killed, as for a campaign.
    pub watchdog: Option<Vec<OsString>>,
}

/// Why no second opinions can be had.
#[derive(Debug, thiserror::Error)]
pub enum ConfirmError {
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A folder for the files that solvers read, or the watchdog.
    #[error("cannot run second solvers: {0}")]
    Start(#[from] std::io::Error),
}

/// Check `n` of `case`, from 0, as a case of its own without levels, with those assertions that `keep` accepts.
pub fn single_check(case: &Case, n: usize, keep: impl Fn(smt::Term) -> bool) -> Case {
    query::Flat::of(case, n, keep).case(&[])
}

/// The unsound runs of `data`, in order.
pub fn suspects(data: &Data) -> Vec<usize> {
    (0..data.runs.len()).filter(|&at| data.runs[at].kind.is_unsound()).collect()
}

/// Checks every unsound run of `data`, which was read from `store`, with `solvers`. `done` is called after each run.
pub fn confirm(
    store: &Path,
    data: &Data,
    solvers: &[Solver],
    settings: &Settings,
    done: &(dyn Fn() + Sync),
    cancel: &Cancel,
) -> Result<Vec<Confirmation>, ConfirmError> {
    let runs = suspects(data);
    let _watchdog = settings.watchdog.as_deref().map(Watchdog::start).transpose()?;
    let folder = tempfile::tempdir()?;
    let work = Work {
        data,
        solvers,
        settings,
        rules: data.campaign.settings.rules(),
        cache: Cache::default(),
        cancel,
    };
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::with_capacity(runs.len()));
    let readers = (0..settings.jobs.clamp(1, runs.len().max(1))).map(|_| Store::open_read_only(store));
    let readers = readers.collect::<Result<Vec<_>, _>>()?;
    std::thread::scope(|scope| {
        for (n, reader) in readers.into_iter().enumerate() {
            let (work, runs, next, found) = (&work, &runs, &next, &found);
            let file = folder.path().join(format!("{n}.smt2"));
            scope.spawn(move || {
                while let Some(&run) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let opinions = work.opinions(&reader, run, &file);
                    let stop = opinions.is_err();
                    if let Ok(mut found) = found.lock() {
                        found.push(opinions.map(|opinions| Confirmation { run, opinions }));
                    }
                    if stop {
                        return;
                    }
                    done();
                }
            });
        }
    });
    crate::process::sweep();
    let found = found.into_inner().unwrap_or_default();
    let mut found = found.into_iter().collect::<Result<Vec<Confirmation>, StoreError>>()?;
    found.sort_by_key(|c| c.run);
    Ok(found)
}

struct Work<'a> {
    data: &'a Data,
    solvers: &'a [Solver],
    settings: &'a Settings,
    rules: Rules,
    cache: Cache,
    cancel: &'a Cancel,
}

impl Work<'_> {
    /// The opinions of all solvers on a run.
    fn opinions(&self, store: &Store, at: usize, file: &Path) -> Result<Vec<Opinion>, StoreError> {
        let steps = self.steps(store, at)?;
        let first = &self.data.solvers[self.data.runs[at].solver];
        let opinion = |(n, solver): (usize, &Solver)| {
            if solver.name == first.name {
                return none(solver, "it is the solver in question".into());
            }
            match &steps {
                Ok(steps) => self.ask(n, solver, steps, file),
                Err(why) => none(solver, why.clone()),
            }
        };
        Ok(self.solvers.iter().enumerate().map(opinion).collect())
    }

    /// The queries for a run, or the reason why there are none.
    fn steps(&self, store: &Store, at: usize) -> Result<Result<Vec<Step>, String>, StoreError> {
        let run = &self.data.runs[at];
        let (instance, solver) = (&self.data.instances[run.instance], &self.data.solvers[run.solver]);
        let (Some(row), Some(whole)) =
            (store.instance(instance.id)?, store.run(instance.id, solver.id, run.seed)?)
        else {
            return Ok(Err("it is not in the store any more".into()));
        };
        let case = match Case::read(&row) {
            Ok(case) => case,
            Err(e) => return Ok(Err(e.to_string())),
        };
        let Some(profile) = &solver.profile else {
            return Ok(Err(format!("the stored profile of {} cannot be read", solver.name)));
        };
        Ok(Suspect { case: &case, profile, run: &whole, rules: &self.rules }.steps())
    }

    /// Sends queries to one solver until an answer has a meaning.
    fn ask(&self, n: usize, solver: &Solver, steps: &[Step], file: &Path) -> Opinion {
        let second =
            SecondSolver { number: n, solver, limits: &self.settings.limits, file, cancel: self.cancel };
        let mut opinion = none(solver, String::new());
        let mut notes: Vec<String> = Vec::new();
        for step in steps {
            let reply = self.cache.ask(&second, &step.case);
            opinion.question.clone_from(&reply.question);
            opinion.printed.clone_from(&reply.printed);
            let outcome = match &reply.answer {
                Ok(true) => step.sat,
                Ok(false) => step.unsat,
                Err(why) => {
                    notes.push(why.clone());
                    None
                }
            };
            if let Some(outcome) = outcome {
                opinion.outcome = outcome;
                break;
            }
            if !step.note.is_empty() {
                notes.push(step.note.clone());
            }
        }
        opinion.why = notes.join("; ");
        if opinion.outcome == Outcome::Confirmed {
            opinion.question.clear();
            opinion.printed.clear();
        }
        opinion
    }
}

fn none(solver: &Solver, why: String) -> Opinion {
    let (question, printed) = (String::new(), String::new());
    Opinion { by: solver.name.clone(), outcome: Outcome::NoOpinion, why, question, printed }
}
