//! Work that ends in time: at a deadline, or when the user stops it.
//!
//! A thread waits for both and passes them on, so that solvers that run are ended. Work in process looks for the request by itself, as all long loops do
//! ([`smt::work`]).

use campaign::host::Host;
use campaign::process::Cancel;
use smt::work::{self, Stop};
use std::rc::Rc;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a request of the user is looked for.
const POLL: Duration = Duration::from_millis(20);

/// Does work with a host whose request to stop also comes at the deadline, if there is one.
pub fn until<R>(
    deadline: Option<Instant>,
    host: &Host<'_>,
    work: impl FnOnce(&Host<'_>) -> R,
) -> std::io::Result<R> {
    let Some(deadline) = deadline else { return Ok(work(host)) };
    let (cancel, done) = (Cancel::new()?, Done::default());
    Ok(std::thread::scope(|scope| {
        scope.spawn(|| {
            if done.is_late(|| host.cancel.is_cancelled() || Instant::now() >= deadline) {
                cancel.cancel();
            }
        });
        let _done = Ended(&done);
        work(&Host { cancel: &cancel, ..*host })
    }))
}

/// Does work in process; none if stopping is requested before it is done.
pub fn unless<R>(cancel: &Cancel, work: impl FnOnce() -> R) -> Option<R> {
    let cancel = cancel.clone();
    work::within(&(Rc::new(move || cancel.is_cancelled()) as Stop), work)
}

/// Whether the work is done.
#[derive(Default)]
struct Done(Mutex<bool>, Condvar);

impl Done {
    /// Waits for the work; true if it has to be stopped before it is done.
    fn is_late(&self, stops: impl Fn() -> bool) -> bool {
        let mut done = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while !*done {
            if stops() {
                return true;
            }
            done = self.1.wait_timeout(done, POLL).unwrap_or_else(PoisonError::into_inner).0;
        }
        false
    }
}

/// The work is done when this is dropped.
struct Ended<'a>(&'a Done);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.1.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Endless work that spends.
    fn endless() {
        loop {
            work::spend(1);
        }
    }

    #[test]
    fn endless_work_ends_at_the_deadline() {
        let cancel = Cancel::new().expect("a request");
        let host = Host { progress: &(), cancel: &cancel };
        let ended =
            until(Some(Instant::now()), &host, |host| unless(host.cancel, endless)).expect("a thread");
        assert_eq!(ended, None);
        assert!(!cancel.is_cancelled(), "the user did not stop it");
    }

    #[test]
    fn the_request_of_the_user_is_passed_on() {
        let cancel = Cancel::new().expect("a request");
        let host = Host { progress: &(), cancel: &cancel };
        cancel.cancel();
        let late = Some(Instant::now() + Duration::from_secs(3600));
        assert_eq!(until(late, &host, |host| unless(host.cancel, endless)).expect("a thread"), None);
    }

    #[test]
    fn work_that_is_done_in_time_has_its_result() {
        let cancel = Cancel::new().expect("a request");
        let host = Host { progress: &(), cancel: &cancel };
        let late = Some(Instant::now() + Duration::from_secs(3600));
        for deadline in [None, late] {
            let done = until(deadline, &host, |host| unless(host.cancel, || work::spend(1 << 20)));
            assert_eq!(done.expect("a thread"), Some(()));
        }
    }
}
