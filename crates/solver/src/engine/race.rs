//! Two strategies side by side, on two threads.
//!
//! Both work within the same limit of ticks; if neither has an answer, the limit is multiplied and both start again. If both
//! have one in the same turn, that of the given strategy is taken. So the outcome depends on ticks only, not on which thread
//! was faster: the same answer every time.
//!
//! Example: the default strategy needs 700,000 ticks for a problem, `+fs` 90,000. In the first turn (100,000 ticks) only `+fs`
//! answers, and that is the answer.

use super::{Answer, Outcome, attempt};
use crate::options::{Options, Strategy};
use smt::work::Stop;
use smt::{Pool, Term};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Ticks of the first turn.
const FIRST_TURN: u64 = 100_000;
/// The factor from one turn to the next.
const GROWTH: u64 = 4;
/// The stack of the second thread.
const STACK: usize = 256 << 20;

/// Checks with the strategy of the options and with another one.
pub(super) fn race(pool: &mut Pool, assertions: &[Term], options: &Options, stop: &Stop) -> Outcome {
    let other = if options.strategy == Strategy::Fs { Strategy::Auto } else { Strategy::Fs };
    let mut limit = FIRST_TURN;
    loop {
        let last = options.ticks.is_some_and(|most| most <= limit);
        let ticks = options.ticks.map_or(limit, |most| most.min(limit));
        let first = Options { ticks: Some(ticks), ..options.clone() };
        let second = Options { strategy: other, ..first.clone() };
        let turn = turn(pool, assertions, [&first, &second], stop);
        let gave_up = turn.iter().all(|o| used(o) < ticks);
        let [ours, theirs] = turn;
        if is_final(&ours) || last || stop() || gave_up {
            return if is_final(&ours) || !is_final(&theirs) {
                ours
            } else {
                own(pool, assertions, &second, theirs, stop)
            };
        }
        if is_final(&theirs) {
            return own(pool, assertions, &second, theirs, stop);
        }
        limit = limit.saturating_mul(GROWTH);
    }
}

/// One search with each of the options, the second one on a copy of the pool.
fn turn(pool: &mut Pool, assertions: &[Term], options: [&Options; 2], stop: &Stop) -> [Outcome; 2] {
    let done = Arc::new(AtomicBool::new(false));
    let mut copy = pool.clone();
    let theirs = Arc::clone(&done);
    std::thread::scope(|scope| {
        let search = move || {
            let stop: Stop = Rc::new(move || theirs.load(Ordering::Relaxed));
            attempt(&mut copy, assertions, options[1], &stop)
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, search);
        let ours = attempt(pool, assertions, options[0], stop);
        // The answer of the first is taken in any case.
        done.store(is_final(&ours) || stop(), Ordering::Relaxed);
        let second = match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => super::timeout(),
        };
        [ours, second]
    })
}

/// The outcome in the pool of the caller: a model with terms of the copy is found again.
fn own(pool: &mut Pool, assertions: &[Term], options: &Options, outcome: Outcome, stop: &Stop) -> Outcome {
    match &outcome.answer {
        Answer::Sat(model) if model.holds_terms() => attempt(pool, assertions, options, stop),
        _ => outcome,
    }
}

/// Whether the race is over.
fn is_final(outcome: &Outcome) -> bool {
    !matches!(outcome.answer, Answer::Unknown(_)) || outcome.audit_failure.is_some()
}

fn used(outcome: &Outcome) -> u64 {
    outcome.statistics.iter().find(|(name, _)| *name == "ticks").map_or(0, |&(_, n)| n)
}
