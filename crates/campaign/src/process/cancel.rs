//! A request to stop everything, from another thread.

use rustix::event::{EventfdFlags, eventfd};
use rustix::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A request to stop, shared between threads. Threads that wait for a solver wake up immediately.
#[derive(Clone, Debug)]
pub struct Cancel(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    asked: AtomicBool,
    /// Readable from the request on.
    wake: OwnedFd,
}

impl Cancel {
    /// No request yet.
    pub fn new() -> std::io::Result<Cancel> {
        let wake = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        Ok(Cancel(Arc::new(Inner { asked: AtomicBool::new(false), wake })))
    }

    /// Requests to stop.
    pub fn cancel(&self) {
        self.0.asked.store(true, Ordering::SeqCst);
        // It can only fail when the counter is full, and then it is readable already.
        let _ = rustix::io::write(&self.0.wake, &1u64.to_ne_bytes());
    }

    /// Stopping was requested.
    pub fn is_cancelled(&self) -> bool {
        self.0.asked.load(Ordering::SeqCst)
    }

    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.0.wake.as_fd()
    }
}
