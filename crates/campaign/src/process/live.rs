//! The process groups that are alive, and processes that left theirs.
//!
//! Our process is a *subreaper*: a descendant that loses its parent becomes its child. A process that a solver left behind in
//! a session of its own is therefore found among our children: we did not start it, and it is in another session, or in a group
//! whose leader has ended, or it has our mark in its environment. Children that other code of this program started look different
//! and are left alone.

use super::procfs;
use rustix::fd::OwnedFd;
use rustix::process::{Pid, Signal, WaitOptions};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant, SystemTime};

/// The environment variable that marks every process that we start.
pub(super) const MARK: &str = "STRINGENT_RUN";

/// The time between searches for processes that left their group, if nothing hints at one.
const SWEEP_EVERY: Duration = Duration::from_millis(200);

/// Held for reading while a process is started and entered, for writing during a search for strays: a process that was just
/// started is not a stray.
static STARTING: RwLock<()> = RwLock::new(());
static LIVE: Mutex<Live> = Mutex::new(Live { groups: Vec::new(), file: None });
static NEXT_SWEEP: Mutex<Option<Instant>> = Mutex::new(None);
static OUR_PEAK_KIB: AtomicU64 = AtomicU64::new(0);

/// The live groups by slot, zero where there is none, and a copy for the watchdog.
struct Live {
    groups: Vec<i32>,
    file: Option<OwnedFd>,
}

impl Live {
    fn set(&mut self, slot: usize, group: i32) {
        self.groups[slot] = group;
        if let Some(file) = &self.file {
            let _ = rustix::io::pwrite(file, &group.to_ne_bytes(), slot as u64 * 4);
        }
    }
}

fn live() -> MutexGuard<'static, Live> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The value of the mark: unique to this process.
pub(super) fn token() -> &'static str {
    static TOKEN: LazyLock<String> = LazyLock::new(|| {
        let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        format!("{}-{}", std::process::id(), now.as_nanos())
    });
    &TOKEN
}

/// To be held from before a process is started until it is entered.
pub(super) fn starting() -> RwLockReadGuard<'static, ()> {
    static SUBREAPER: OnceLock<()> = OnceLock::new();
    SUBREAPER.get_or_init(|| {
        // Without it, strays go to init and only the watchdog finds them.
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        note_our_peak();
    });
    STARTING.read().unwrap_or_else(PoisonError::into_inner)
}

/// Enters a live group; [`leave`] releases the slot.
pub(super) fn enter(group: Pid) -> usize {
    let mut live = live();
    let slot = live.groups.iter().position(|&g| g == 0).unwrap_or_else(|| {
        live.groups.push(0);
        live.groups.len() - 1
    });
    live.set(slot, group.as_raw_nonzero().get());
    slot
}

/// Removes a group that has ended.
pub(super) fn leave(slot: usize) {
    live().set(slot, 0);
}

/// Runs `with` on the file that always holds the live groups, four bytes each.
pub(super) fn with_file<T>(with: impl FnOnce(&OwnedFd) -> T) -> std::io::Result<T> {
    let mut live = live();
    if live.file.is_none() {
        let file = rustix::fs::memfd_create("live groups", rustix::fs::MemfdFlags::CLOEXEC)?;
        live.file = Some(file);
        for slot in 0..live.groups.len() {
            let group = live.groups[slot];
            live.set(slot, group);
        }
    }
    Ok(with(live.file.as_ref().expect("created above")))
}

/// The peak memory of this process, in KiB, at the last sample.
pub(super) fn our_peak_kib() -> u64 {
    OUR_PEAK_KIB.load(Ordering::Relaxed)
}

fn note_our_peak() {
    OUR_PEAK_KIB.store(procfs::peak_kib(std::process::id().cast_signed()).unwrap_or(0), Ordering::Relaxed);
}

/// Searches for processes that left their group, if the last search was long ago; unless others are being started and
/// it can wait.
pub(crate) fn sweep_if_due() {
    let now = Instant::now();
    let Ok(mut next) = NEXT_SWEEP.try_lock() else { return };
    if next.is_some_and(|at| now < at) {
        return;
    }
    let overdue = next.is_some_and(|at| now > at + 10 * SWEEP_EVERY);
    let alone = if overdue { STARTING.write().ok() } else { STARTING.try_write().ok() };
    if alone.is_some() {
        *next = Some(now + SWEEP_EVERY);
        note_our_peak();
        end_strays();
    }
}

/// Kills and reaps all processes that left their groups. Cheap if there are none.
pub fn sweep() {
    let _alone = STARTING.write().unwrap_or_else(PoisonError::into_inner);
    end_strays();
}

fn end_strays() {
    // Killing one may make its children ours.
    for _ in 0..1000 {
        let strays = strays();
        if strays.is_empty() {
            return;
        }
        strays.into_iter().for_each(end);
    }
}

fn strays() -> Vec<Pid> {
    let groups = live().groups.clone();
    let ours = procfs::children(std::process::id().cast_signed());
    ours.into_iter()
        .filter(|&p| !groups.contains(&p) && is_stray(p, &groups))
        .filter_map(Pid::from_raw)
        .collect()
}

fn is_stray(pid: i32, groups: &[i32]) -> bool {
    let Some(stat) = procfs::stat(pid) else { return false };
    if groups.contains(&stat.group) {
        return false;
    }
    // Read as numbers, not requested from the kernel as process ids: in a container whose first process was started from
    // outside, our session and group have leaders that cannot be seen from here, and both are 0.
    let Some(our) = procfs::stat(std::process::id().cast_signed()) else { return false };
    let group_of_others = stat.group != our.group && stat.group != pid;
    stat.session != our.session
        || group_of_others
        || procfs::has_variable(pid, format!("{MARK}={}", token()).as_bytes())
}

fn end(pid: Pid) {
    // If it leads a group, the group is killed with it.
    let _ = rustix::process::kill_process_group(pid, Signal::KILL);
    let _ = rustix::process::kill_process(pid, Signal::KILL);
    while let Err(rustix::io::Errno::INTR) = rustix::process::waitpid(Some(pid), WaitOptions::empty()) {}
}
