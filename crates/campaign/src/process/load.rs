//! The CPU time and the idle time of a run, sampled while it lasts.
//!
//! The kernel limits CPU time in full seconds, and of single processes; samples limit parts of a second, and of all processes together. A run is idle while
//! none of its processes runs, waits for a core or waits for a disk: it sleeps, or waits for input that never comes. Time in which it waits for a core is
//! neither, so that these two limits do not depend on other work of the machine.

use super::Limits;
use super::procfs::{self, Activity};
use crate::outcome::Ending;
use std::time::{Duration, Instant};

/// The time between two samples.
const EVERY: Duration = Duration::from_millis(25);

/// What a run has done.
pub(super) struct Load {
    /// The next sample; none if neither time is limited.
    next: Option<Instant>,
    last: Instant,
    cpu: Duration,
    pub(super) idle: Duration,
}

impl Load {
    pub(super) fn new(started: Instant, limits: &Limits) -> Load {
        let limited = limits.cpu.is_some() || limits.idle.is_some();
        let next = limited.then(|| started + EVERY);
        Load { next, last: started, cpu: Duration::ZERO, idle: Duration::ZERO }
    }

    pub(super) fn next(&self) -> Option<Instant> {
        self.next
    }

    /// Takes a sample if one is due: the limit that the run has met.
    pub(super) fn look(&mut self, leader: i32, limits: &Limits, now: Instant) -> Option<Ending> {
        self.next.filter(|next| now >= *next)?;
        self.next = Some(now + EVERY);
        let Activity { cpu, runs } = procfs::activity(leader);
        if limits.idle.is_some() && !runs && cpu <= self.cpu {
            self.idle += now - self.last;
        }
        (self.last, self.cpu) = (now, cpu);
        if limits.cpu.is_some_and(|limit| cpu >= limit) {
            return Some(Ending::CpuLimit);
        }
        limits.idle.is_some_and(|limit| self.idle >= limit).then_some(Ending::WallLimit)
    }
}
