//! Second solvers: of another family than the one under test.

use super::model::{Accepted, accept, terms};
use crate::doc::Doc;
use campaign::case::Case;
use campaign::compose::{compose, fill};
use campaign::confirm::single_check;
use campaign::drive::invocation;
use campaign::judge::{Response, responses};
use campaign::outcome::{Answer, Ending};
use campaign::process::{self, Cancel, Limits};
use campaign::profile::{self, Solver};
use campaign::settings::Wants;
use semantics::{Certificate, Model};
use smt::Pool;
use std::ffi::OsStr;
use std::time::Duration;

/// Programs with common code are no independent opinions. A solver under a name of the user is known by the name of its program.
pub(super) fn family(solver: &Solver) -> &str {
    let program = solver.program.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let known = |name: &str| FAMILIES.into_iter().find(|family| name.starts_with(family));
    let name = solver.profile.name.as_str();
    known(name).or_else(|| known(program)).unwrap_or(name)
}

/// Families with several profiles or programs.
const FAMILIES: [&str; 2] = ["z3", "cvc"];

/// The name and version of a solver, for people.
pub(super) fn name(solver: &Solver) -> String {
    format!("{} {}", solver.profile.name, solver.version).trim_end().to_owned()
}

/// The second solvers for a solver under test: those of `named` that are of another family; without names, the newest cvc5 and z3 that
/// are there. Those that over-approximate are left out.
pub fn seconds(subject: &Solver, named: &[String]) -> Result<Vec<Solver>, profile::Error> {
    let found: Vec<Solver> = if named.is_empty() {
        ["cvc5", "z3"].iter().filter_map(|spec| profile::resolve(spec).ok()).collect()
    } else {
        named.iter().map(|spec| profile::resolve(spec)).collect::<Result<_, _>>()?
    };
    let other = |s: &Solver| family(s) != family(subject) && !s.profile.over_approximating;
    Ok(found.into_iter().filter(other).collect())
}

/// The reply of a second solver to a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// `sat`, with its model, if the referee accepts it.
    Sat(Option<Accepted>),
    /// `unsat`
    Unsat,
    /// Neither.
    Nothing,
}

/// Asks a solver about check `n` of a script.
pub(super) fn ask(solver: &Solver, doc: &Doc, n: usize, time: Duration, cancel: &Cancel) -> Reply {
    let (pool, script) = (doc.pool.clone(), doc.script.clone());
    let certificate = Certificate::of(&pool, &script);
    let whole = Case { name: String::new(), pool, script, certificate, doubt: None };
    let case = single_check(&whole, n, |_| true);
    run(solver, &case, time, cancel).unwrap_or(Reply::Nothing)
}

fn run(solver: &Solver, case: &Case, time: Duration, cancel: &Cancel) -> Option<Reply> {
    let wants = Wants { model: true, core: false, named: false, both: true, time, ..Wants::default() };
    let text = compose(case, &solver.profile, 0, &wants).ok()?;
    let args = solver.profile.args.iter().map(|a| fill(a, 0, &wants).into_owned()).collect();
    let folder = tempfile::tempdir().ok()?;
    let what = invocation(solver, args, &folder.path().join("script.smt2"), text).ok()?;
    let memory = Some(wants.memory_mib << 20);
    let limits = Limits::of_work(time, memory, solver.profile.memory, 1 << 20);
    let ended = process::run(&what, &limits, cancel);
    let Ending::Exited(_) = ended.ending else { return None };
    let mut pool = case.pool.clone();
    let mut all = responses(case, &solver.profile, &ended.stdout, &mut pool).ok()?;
    let Response { answer, model, .. } = all.pop().filter(|_| all.is_empty())?;
    match answer {
        Answer::Sat => Some(Reply::Sat(model.ok().flatten().and_then(|m| accepted(case, &pool, &m)))),
        Answer::Unsat => Some(Reply::Unsat),
        Answer::Unknown | Answer::None => None,
    }
}

fn accepted(case: &Case, pool: &Pool, model: &Model) -> Option<Accepted> {
    accept(&case.script, &case.pool, pool, &terms(&case.script, 0), model)
}
