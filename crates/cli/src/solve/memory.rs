//! The memory of this process, and how much of it a check may take.
//!
//! A check that takes more ends with `unknown` and the reason `memout`, before the system ends the process or swaps
//! everything else. The solver asks when it looks at the clock; then the memory is read from /proc, at most every two
//! milliseconds. Systems without /proc have no limit.

use std::cell::{Cell, OnceCell};
use std::fs::{File, read_to_string};
use std::os::unix::fs::FileExt as _;
use std::time::{Duration, Instant};

/// The time between two readings: a process writes a few megabytes of new memory in it.
const INTERVAL: Duration = Duration::from_millis(2);

/// The limit of the memory, and its last reading.
pub(super) struct Memory {
    /// The resident memory that the user allows, in bytes, if the default is not wanted.
    given: Option<u64>,
    next: Cell<Instant>,
    limits: OnceCell<Option<Limits>>,
}

/// Limits in pages.
struct Limits {
    statm: File,
    resident: u64,
    address_space: u64,
}

impl Memory {
    /// A limit in MiB; zero is none.
    pub(super) fn new(given: Option<u64>) -> Memory {
        let bytes = |mib: u64| if mib == 0 { u64::MAX } else { mib.saturating_mul(1 << 20) };
        Memory {
            given: given.map(bytes),
            next: Cell::new(Instant::now() + INTERVAL),
            limits: OnceCell::new(),
        }
    }

    /// Whether the process has too much memory, as far as the last reading tells.
    pub(super) fn is_used_up(&self, now: Instant) -> bool {
        if now < self.next.get() {
            return false;
        }
        self.next.set(now + INTERVAL);
        self.limits.get_or_init(|| Limits::read(self.given)).as_ref().is_some_and(Limits::are_reached)
    }
}

impl Limits {
    /// Resident memory: what is given, or three quarters of the machine or its control group. Address space (`ulimit -v`):
    /// half of what is left, since a table that grows is copied.
    fn read(given: Option<u64>) -> Option<Limits> {
        let page = u64::try_from(rustix::param::page_size()).ok()?;
        let statm = File::open("/proc/self/statm").ok()?;
        let (size, _) = pages(&statm)?;
        let resident = given.or_else(|| machine().map(|m| m / 4 * 3)).map_or(u64::MAX, |bytes| bytes / page);
        let limit = rustix::process::getrlimit(rustix::process::Resource::As).current;
        let address_space = limit.map_or(u64::MAX, |bytes| size + (bytes / page).saturating_sub(size) / 2);
        Some(Limits { statm, resident, address_space })
    }

    fn are_reached(&self) -> bool {
        pages(&self.statm)
            .is_some_and(|(size, resident)| size > self.address_space || resident > self.resident)
    }
}

/// The address space and the resident memory of this process.
fn pages(statm: &File) -> Option<(u64, u64)> {
    let mut bytes = [0; 64];
    let n = statm.read_at(&mut bytes, 0).ok()?;
    let mut words = std::str::from_utf8(&bytes[..n]).ok()?.split(' ').map(str::parse);
    Some((words.next()?.ok()?, words.next()?.ok()?))
}

/// The memory of the machine, or of the control group, in bytes.
fn machine() -> Option<u64> {
    let total = read_to_string("/proc/meminfo").ok()?;
    let kilobytes = total.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let total = kilobytes.trim().split(' ').next()?.parse::<u64>().ok()? * 1024;
    let group = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let limits = group.iter().filter_map(|file| read_to_string(file).ok()?.trim().parse().ok());
    Some(limits.fold(total, u64::min))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_reached_by_memory_that_is_written() {
        let before = Limits::read(None).expect("Linux has /proc");
        let page = u64::try_from(rustix::param::page_size()).expect("a page is small");
        let (_, resident) = pages(&before.statm).expect("statm has numbers");
        let limits = Limits::read(Some((resident + 4096) * page)).expect("Linux has /proc");
        assert!(!before.are_reached() && !limits.are_reached());
        let block = vec![1_u8; 64 << 20];
        assert!(limits.are_reached(), "after {} bytes", block.len());
    }

    #[test]
    fn the_machine_has_memory() {
        assert!(machine().is_some_and(|bytes| bytes > 64 << 20));
    }
}
