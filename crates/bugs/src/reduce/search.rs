//! The first of a sequence that succeeds, tried by several threads.
//!
//! Threads take the next item in order. Once one succeeds, later ones are stopped and earlier ones are waited for, so that the result is
//! the one of a single thread.

use campaign::process::Cancel;
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The result of one item.
pub(super) enum Step<T, F, E> {
    /// The item succeeds.
    Success(T),
    /// It does not.
    Failure(F),
    /// There is no result, and there will be none for later items.
    End(E),
}

/// The results up to the first success or end.
pub(super) struct Found<T, F, E> {
    /// The failures before it, in order.
    pub(super) failures: Vec<F>,
    /// The number of the item, and its result.
    pub(super) last: Option<(usize, Result<T, E>)>,
}

/// How often a request to stop is looked for.
const POLL: Duration = Duration::from_millis(20);

/// Tries items in order, `jobs` at a time, until one succeeds.
pub(super) fn first<I, T: Send, F: Send, E: Send>(
    items: impl Iterator<Item = I> + Send,
    jobs: usize,
    cancel: &Cancel,
    step: impl Fn(I, &Cancel) -> Step<T, F, E> + Sync,
) -> std::io::Result<Found<T, F, E>> {
    let mut state = State::new(items);
    if jobs <= 1 {
        while let Some((index, item)) = state.take(0) {
            state.put(index, step(item, cancel));
        }
        return Ok(state.found());
    }
    for _ in 0..jobs {
        state.workers.push(Worker { at: None, cancel: Cancel::new()? });
    }
    let shared = Shared { state: Mutex::new(state), changed: Condvar::new(), jobs };
    std::thread::scope(|scope| {
        for worker in 0..jobs {
            let (shared, step) = (&shared, &step);
            scope.spawn(move || shared.work(worker, step));
        }
        shared.watch(cancel);
    });
    Ok(shared.state.into_inner().unwrap_or_else(PoisonError::into_inner).found())
}

struct Shared<It, T, F, E> {
    state: Mutex<State<It, T, F, E>>,
    changed: Condvar,
    jobs: usize,
}

struct State<It, T, F, E> {
    items: It,
    next: usize,
    /// The first item that ended the search.
    end: usize,
    results: BTreeMap<usize, Step<T, F, E>>,
    workers: Vec<Worker>,
    done: usize,
}

struct Worker {
    /// The item it works on.
    at: Option<usize>,
    cancel: Cancel,
}

impl<I, It: Iterator<Item = I>, T, F, E> State<It, T, F, E> {
    fn new(items: It) -> Self {
        State { items, next: 0, end: usize::MAX, results: BTreeMap::new(), workers: Vec::new(), done: 0 }
    }

    /// The next item for a worker.
    fn take(&mut self, worker: usize) -> Option<(usize, I)> {
        if self.next > self.end {
            return None;
        }
        let (index, item) = (self.next, self.items.next()?);
        self.next += 1;
        if let Some(w) = self.workers.get_mut(worker) {
            w.at = Some(index);
        }
        Some((index, item))
    }

    fn put(&mut self, index: usize, result: Step<T, F, E>) {
        if !matches!(result, Step::Failure(_)) && index < self.end {
            self.end = index;
            let later = self.workers.iter().filter(|w| w.at.is_some_and(|at| at > index));
            later.for_each(|w| w.cancel.cancel());
        }
        self.results.insert(index, result);
    }

    fn found(self) -> Found<T, F, E> {
        let mut found = Found { failures: Vec::new(), last: None };
        for (index, result) in self.results {
            found.last = match result {
                Step::Failure(f) => {
                    found.failures.push(f);
                    continue;
                }
                Step::Success(t) => Some((index, Ok(t))),
                Step::End(e) => Some((index, Err(e))),
            };
            break;
        }
        found
    }
}

impl<I, It: Iterator<Item = I>, T, F, E> Shared<It, T, F, E> {
    fn lock(&self) -> MutexGuard<'_, State<It, T, F, E>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, worker: usize, step: &impl Fn(I, &Cancel) -> Step<T, F, E>) {
        let _done = Done(self);
        let cancel = self.lock().workers[worker].cancel.clone();
        loop {
            let Some((index, item)) = self.lock().take(worker) else { return };
            let result = step(item, &cancel);
            let mut state = self.lock();
            state.workers[worker].at = None;
            state.put(index, result);
        }
    }

    /// Passes a request to stop on, until all workers are done.
    fn watch(&self, cancel: &Cancel) {
        let mut state = self.lock();
        while state.done < self.jobs {
            state = self.changed.wait_timeout(state, POLL).unwrap_or_else(PoisonError::into_inner).0;
            if cancel.is_cancelled() {
                state.workers.iter().for_each(|w| w.cancel.cancel());
            }
        }
    }
}

/// Counts a worker as done, even if it panics.
struct Done<'s, I, It: Iterator<Item = I>, T, F, E>(&'s Shared<It, T, F, E>);

impl<I, It: Iterator<Item = I>, T, F, E> Drop for Done<'_, I, It, T, F, E> {
    fn drop(&mut self) {
        self.0.lock().done += 1;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(jobs: usize, cancel: &Cancel) -> Found<usize, usize, ()> {
        let step = |n: usize, cancel: &Cancel| match n {
            // Later ones are quick, so that they are done first.
            0..40 => {
                std::thread::sleep(Duration::from_millis((40 - n) as u64 % 7));
                Step::Failure(n)
            }
            _ if cancel.is_cancelled() => Step::End(()),
            _ if n.is_multiple_of(3) => Step::Success(n),
            _ => Step::Failure(n),
        };
        first(0..100, jobs, cancel, step).expect("threads")
    }

    #[test]
    fn the_first_success_counts() {
        let cancel = Cancel::new().expect("a token");
        for jobs in [1, 2, 8, 200] {
            let found = search(jobs, &cancel);
            assert_eq!(found.last, Some((42, Ok(42))), "{jobs} jobs");
            assert_eq!(found.failures, (0..42).collect::<Vec<_>>(), "{jobs} jobs");
        }
    }

    #[test]
    fn a_request_to_stop_ends_it() {
        let cancel = Cancel::new().expect("a token");
        cancel.cancel();
        for jobs in [1, 2, 8] {
            let wait = |_: usize, cancel: &Cancel| {
                while !cancel.is_cancelled() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Step::<(), (), ()>::End(())
            };
            let found = first(0..100, jobs, &cancel, wait).expect("threads");
            assert_eq!(found.last, Some((0, Err(()))), "{jobs} jobs");
        }
    }
}
