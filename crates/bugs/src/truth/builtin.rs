//! The built-in solver, in process, with a limit of work instead of time.

use semantics::Model;
use smt::work::{self, INTERVAL, Stop};
use smt::{Pool, Term};
use solver::engine::{self, Answer};
use solver::options::Options;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// The name of the solver in arguments.
pub(super) fn name() -> String {
    format!("stringent {}", env!("CARGO_PKG_VERSION"))
}

/// Its answer.
pub enum Found<M = Box<Model>> {
    /// A model; its terms are in the pool.
    Model(M),
    /// There is no model.
    Unsat,
    /// Nothing is known.
    Nothing,
}

/// Solves the conjunction of `terms` with at most about `ticks` units of work. New terms go to `pool`.
pub fn solve(pool: &mut Pool, terms: &[Term], ticks: u64) -> Found {
    if solver::session::unsupported(pool, terms).is_some() {
        return Found::Nothing;
    }
    let options = Options { ticks: Some(ticks), ..Options::default() };
    let stop = after(ticks / INTERVAL as u64 + 1, work::condition());
    // Units that earlier work of this thread left over would make the limit depend on it.
    work::test();
    let outcome = catch_unwind(AssertUnwindSafe(|| engine::check(pool, terms, &options, &stop)));
    // If what surrounds this work is to end, it ends here.
    work::test();
    match outcome.map(|o| o.answer) {
        Ok(Answer::Sat(model)) => Found::Model(model),
        Ok(Answer::Unsat(_)) => Found::Unsat,
        Ok(Answer::Unknown(_)) | Err(_) => Found::Nothing,
    }
}

/// A condition that holds after a number of tests, or if that of the work around it does.
fn after(tests: u64, around: Option<Stop>) -> Stop {
    let left = Cell::new(tests);
    Rc::new(move || {
        left.set(left.get().saturating_sub(1));
        left.get() == 0 || around.as_ref().is_some_and(|stop| stop())
    })
}
