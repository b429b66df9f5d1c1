//! Work that can be interrupted.
//!
//! Every long loop of this workspace calls [`spend`] with the number of steps it takes, about as many as it visits
//! terms, characters or coefficients. [`within`] runs work under a condition: after each [`INTERVAL`] units the condition
//! is tested, and if it holds, the work ends at once, wherever it is. Without a condition `spend` only counts.
//!
//! The work ends by unwinding, as queries of salsa do: functions deep inside a rule need no error value for a case that
//! only their distant caller can handle, and none of them can forget to return. What the work was changing is left in an
//! intermediate state, so [`within`] is for work on values that are dropped or restored afterwards, such as a
//! [`Pool`](crate::Pool), which is cut back to a mark. The pool itself never spends in the middle of a change.
//!
//! ```
//! use std::rc::Rc;
//! use stringent_smt::work::{Stop, spend, within};
//! let endless = || loop { spend(1) };
//! assert_eq!(within(&(Rc::new(|| true) as Stop), endless), None::<()>);
//! ```

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;

/// The condition that ends work: the time is up.
pub type Stop = Rc<dyn Fn() -> bool>;

/// The units of work between two tests of the condition: well below a millisecond.
pub const INTERVAL: usize = 1 << 12;

thread_local! {
    /// The units until the next test.
    static LEFT: Cell<usize> = const { Cell::new(INTERVAL) };
    static STOP: RefCell<Option<Stop>> = const { RefCell::new(None) };
}

/// The payload of the unwinding.
struct Interrupted;

/// Counts units of work; ends the work if the condition of the innermost [`within`] holds.
#[inline]
pub fn spend(units: usize) {
    let left = LEFT.get();
    if units < left {
        LEFT.set(left - units);
    } else {
        test();
    }
}

/// Tests the condition now, before a step that cannot be divided.
#[cold]
#[inline(never)]
pub fn test() {
    LEFT.set(INTERVAL);
    if condition().is_some_and(|stop| stop()) && !std::thread::panicking() {
        resume_unwind(Box::new(Interrupted));
    }
}

/// The result of `work`; none if `stop` ended it.
pub fn within<R>(stop: &Stop, work: impl FnOnce() -> R) -> Option<R> {
    let before = STOP.replace(Some(Rc::clone(stop)));
    let result = catch_unwind(AssertUnwindSafe(work));
    STOP.set(before);
    match result {
        Ok(result) => Some(result),
        Err(payload) if payload.is::<Interrupted>() => None,
        Err(payload) => resume_unwind(payload),
    }
}

/// The condition of the innermost [`within`].
pub fn condition() -> Option<Stop> {
    STOP.with_borrow(Clone::clone)
}

/// The result of `work`; none if it takes more than this many intervals, or what surrounds it is to end.
pub fn at_most<R>(intervals: usize, work: impl FnOnce() -> R) -> Option<R> {
    let outer = condition();
    let left = Cell::new(intervals);
    let stop = move || {
        let n = left.replace(left.get().saturating_sub(1));
        n == 0 || outer.as_ref().is_some_and(|stop| stop())
    };
    // What was counted before does not decide.
    LEFT.set(INTERVAL);
    within(&(Rc::new(stop) as Stop), work)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(polls: usize) -> (Stop, Rc<Cell<usize>>) {
        let count = Rc::new(Cell::new(0));
        let seen = Rc::clone(&count);
        let stop = move || {
            seen.set(seen.get() + 1);
            seen.get() > polls
        };
        (Rc::new(stop), count)
    }

    #[test]
    fn work_ends_when_the_condition_holds() {
        let (stop, polls) = after(3);
        let done = Cell::new(0);
        let result = within(&stop, || {
            loop {
                spend(1);
                done.set(done.get() + 1);
            }
        });
        assert_eq!(result, None::<()>);
        assert_eq!(polls.get(), 4);
        assert!((3 * INTERVAL..4 * INTERVAL).contains(&done.get()), "{}", done.get());
    }

    #[test]
    fn short_work_is_not_disturbed() {
        let (stop, polls) = after(0);
        LEFT.set(INTERVAL);
        assert_eq!(within(&stop, || (0..100).map(|n| (spend(1), n).1).sum::<u32>()), Some(4950));
        assert_eq!(polls.get(), 0);
    }

    #[test]
    fn conditions_nest_and_end() {
        let ((outer, _), (inner, _)) = (after(usize::MAX), after(0));
        let result = within(&outer, || {
            let lost = within(&inner, || spend(2 * INTERVAL));
            spend(2 * INTERVAL);
            lost
        });
        assert_eq!(result, Some(None));
        spend(2 * INTERVAL);
    }

    #[test]
    fn limits_of_work_nest() {
        let work = |n: usize| move || (0..n).for_each(|_| spend(1));
        assert_eq!(at_most(3, work(3 * INTERVAL)), Some(()));
        assert_eq!(at_most(3, work(5 * INTERVAL)), None);
        let (outer, _) = after(2);
        let result = within(&outer, || {
            let lost = at_most(usize::MAX, work(5 * INTERVAL));
            (lost, spend(2 * INTERVAL))
        });
        assert_eq!(result, None);
    }

    #[test]
    fn a_panic_stays_a_panic() {
        let (stop, _) = after(0);
        let caught = catch_unwind(AssertUnwindSafe(|| within(&stop, || resume_unwind(Box::new("bug")))));
        let payload = caught.expect_err("it panics");
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"bug"));
        spend(2 * INTERVAL);
    }
}
