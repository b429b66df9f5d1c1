//! Runs second solvers, once for each different query.

use crate::case::Case;
use crate::clean::{one_line, printable, shorten};
use crate::compose::{compose, fill};
use crate::drive::invocation;
use crate::judge::responses;
use crate::outcome::{Answer, Ending};
use crate::process::{self, Cancel, Limits};
use crate::profile::Solver;
use crate::settings::Wants;
use rustc_hash::FxHashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The reply of a second solver.
pub(super) struct Reply {
    /// Whether it is `sat`; or the reason why that is not known.
    pub(super) answer: Result<bool, String>,
    /// The query.
    pub(super) question: String,
    /// Its output.
    pub(super) printed: String,
}

/// A second solver, and where it may write.
pub(super) struct SecondSolver<'a> {
    /// Its place among the second solvers.
    pub(super) number: usize,
    pub(super) solver: &'a Solver,
    pub(super) limits: &'a Limits,
    /// For solvers that read a file.
    pub(super) file: &'a Path,
    pub(super) cancel: &'a Cancel,
}

/// By solver and query: the reply, or the place where it will be.
type Places = FxHashMap<(usize, String), Arc<OnceLock<Arc<Reply>>>>;

/// Replies to earlier queries: several solvers and seeds fail on the same formulas.
#[derive(Default)]
pub(super) struct Cache(Mutex<Places>);

/// The number of bytes of output that are kept.
const MAX_OUTPUT: usize = 4000;

impl Cache {
    /// The reply, from the solver or from an earlier query.
    pub(super) fn ask(&self, second: &SecondSolver<'_>, case: &Case) -> Arc<Reply> {
        let question = match second.text(case) {
            Ok(text) => text,
            Err(why) => {
                let answer = Err(format!("its dialect cannot express it: {why}"));
                return Arc::new(Reply { answer, question: String::new(), printed: String::new() });
            }
        };
        let key = (second.number, question);
        let place = {
            let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(places.entry(key.clone()).or_default())
        };
        Arc::clone(place.get_or_init(|| Arc::new(second.ask(case, key.1))))
    }
}

impl SecondSolver<'_> {
    fn wants(&self) -> Wants {
        let time = self.limits.wall;
        let memory_mib = self.limits.memory.map_or(Wants::default().memory_mib, |bytes| bytes >> 20);
        Wants { model: false, core: false, named: false, both: false, time, memory_mib }
    }

    fn text(&self, case: &Case) -> Result<String, smt::print::Inexpressible> {
        let text = compose(case, &self.solver.profile, 0, &self.wants())?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    fn ask(&self, case: &Case, question: String) -> Reply {
        let profile = &self.solver.profile;
        let args = profile.args.iter().map(|arg| fill(arg, 0, &self.wants()).into_owned()).collect();
        let what = match invocation(self.solver, args, self.file, question.clone().into_bytes()) {
            Ok(what) => what,
            Err(why) => return Reply { answer: Err(why), question, printed: String::new() },
        };
        let limits = Limits { memory_how: profile.memory, ..self.limits.clone() };
        let ended = process::run(&what, &limits, self.cancel);
        let answer = match &ended.ending {
            Ending::Exited(_) => self.answer(case, &ended.stdout),
            ending => Err(ending.to_string()),
        };
        let printed = printable(&[&ended.stdout[..], &ended.stderr].concat(), MAX_OUTPUT);
        Reply { answer, question, printed }
    }

    /// Its answer, if there is exactly one.
    fn answer(&self, case: &Case, stdout: &[u8]) -> Result<bool, String> {
        let profile = &self.solver.profile;
        let all =
            responses(case, profile, stdout, &mut case.pool.clone()).map_err(|e| in_short("error", &e))?;
        match all[..] {
            [ref one] => match one.answer {
                Answer::Sat if profile.over_approximating => Err("sat, but it over-approximates".into()),
                Answer::Sat => Ok(true),
                Answer::Unsat => Ok(false),
                Answer::Unknown => Err("unknown".into()),
                Answer::None => Err("it ran out of time".into()),
            },
            [] => Err(in_short("no answer", &String::from_utf8_lossy(stdout))),
            _ => Err(format!("{} answers to one query", all.len())),
        }
    }
}

fn in_short(what: &str, text: &str) -> String {
    let text = one_line(text.trim());
    if text.is_empty() { what.into() } else { format!("{what}: {}", shorten(&text, 160)) }
}
