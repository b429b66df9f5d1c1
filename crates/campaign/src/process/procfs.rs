//! Process information from `/proc`.

use memchr::memmem;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

/// Where a process belongs.
pub(super) struct Stat {
    pub(super) parent: i32,
    pub(super) group: i32,
    pub(super) session: i32,
}

/// Where a process belongs; nothing if there is none.
pub(super) fn stat(pid: i32) -> Option<Stat> {
    let text = fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The program's name is in parentheses and may contain anything, including parentheses.
    let name_end = memchr::memrchr(b')', &text)?;
    let rest = std::str::from_utf8(&text[name_end + 1..]).ok()?;
    let mut fields = rest.split_ascii_whitespace().skip(1).map(str::parse);
    let mut next = || fields.next()?.ok();
    Some(Stat { parent: next()?, group: next()?, session: next()? })
}

/// CPU time: of this process, and of its children that have ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuTime {
    /// All threads of this process.
    pub own: Duration,
    /// Children that were waited for, with theirs.
    pub children: Duration,
}

impl CpuTime {
    /// The CPU time up to now; zero if the system does not tell.
    pub fn now() -> CpuTime {
        fs::read("/proc/self/stat").ok().and_then(|text| cpu_time(&text)).unwrap_or_default()
    }
}

fn cpu_time(stat: &[u8]) -> Option<CpuTime> {
    let rest = std::str::from_utf8(&stat[memchr::memrchr(b')', stat)? + 1..]).ok()?;
    let mut fields = rest.split_ascii_whitespace().skip(11).map(str::parse::<u64>);
    let second = rustix::param::clock_ticks_per_second().max(1);
    let mut next = || fields.next()?.ok().map(|ticks| Duration::from_secs_f64(ticks as f64 / second as f64));
    Some(CpuTime { own: next()? + next()?, children: next()? + next()? })
}

/// The CPU time of this thread; zero if the system does not tell.
pub(super) fn cpu_of_thread() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// What a process and all that descend from it are doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Activity {
    /// Their CPU time, and that of children that have ended.
    pub(super) cpu: Duration,
    /// One of their threads runs, or waits for a core or a disk.
    pub(super) runs: bool,
}

/// What a process and all that descend from it are doing; nothing if it has ended.
pub(super) fn activity(pid: i32) -> Activity {
    let mut seen = BTreeSet::new();
    let mut todo = vec![pid];
    let mut found = Activity::default();
    while let Some(pid) = todo.pop() {
        let Some(stat) = seen.insert(pid).then(|| fs::read(format!("/proc/{pid}/stat")).ok()).flatten()
        else {
            continue;
        };
        let time = cpu_time(&stat).unwrap_or_default();
        found.cpu += time.own + time.children;
        found.runs = found.runs || is_active(&stat) || has_active_thread(pid);
        todo.extend(children(pid));
    }
    found
}

fn has_active_thread(pid: i32) -> bool {
    let tasks = format!("/proc/{pid}/task");
    let ids = numbers(Path::new(&tasks)).into_iter().filter(|&id| id != pid);
    ids.filter_map(|id| fs::read(format!("{tasks}/{id}/stat")).ok()).any(|stat| is_active(&stat))
}

/// The state of a line of `stat`: running or waiting for a core (`R`), waiting for a disk (`D`).
fn is_active(stat: &[u8]) -> bool {
    memchr::memrchr(b')', stat).is_some_and(|at| matches!(stat.get(at + 2), Some(b'R' | b'D')))
}

/// All processes.
pub(super) fn all() -> Vec<i32> {
    numbers(Path::new("/proc"))
}

/// The children of a process.
pub(super) fn children(pid: i32) -> Vec<i32> {
    static LISTED: OnceLock<bool> = OnceLock::new();
    if !LISTED.get_or_init(|| Path::new("/proc/thread-self/children").exists()) {
        return all().into_iter().filter(|&p| stat(p).is_some_and(|s| s.parent == pid)).collect();
    }
    let tasks = format!("/proc/{pid}/task");
    let mut found = Vec::new();
    for task in numbers(Path::new(&tasks)) {
        let Ok(text) = fs::read_to_string(format!("{tasks}/{task}/children")) else { continue };
        found.extend(text.split_ascii_whitespace().filter_map(|p| p.parse::<i32>().ok()));
    }
    found
}

/// Resident memory of a process and all that descend from it, in bytes.
pub(crate) fn resident(pid: i32) -> u64 {
    let mut seen = BTreeSet::new();
    let mut todo = vec![pid];
    let mut pages = 0;
    while let Some(pid) = todo.pop() {
        if seen.insert(pid) {
            pages += resident_pages(pid).unwrap_or(0);
            todo.extend(children(pid));
        }
    }
    pages * rustix::param::page_size() as u64
}

fn resident_pages(pid: i32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
    text.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// The peak resident memory of a live process, in KiB.
pub(super) fn peak_kib(pid: i32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

/// It was started with this `NAME=value` in its environment.
pub(super) fn has_variable(pid: i32, entry: &[u8]) -> bool {
    let Ok(text) = fs::read(format!("/proc/{pid}/environ")) else { return false };
    memmem::find_iter(&text, entry)
        .any(|at| (at == 0 || text[at - 1] == 0) && text.get(at + entry.len()).is_none_or(|&end| end == 0))
}

fn numbers(folder: &Path) -> Vec<i32> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries.flatten().filter_map(|e| e.file_name().to_str()?.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_times_are_those_of_the_process_and_of_its_children() {
        let second = rustix::param::clock_ticks_per_second();
        let line = format!("7 (a) b) R 1 7 7 0 -1 4 1 2 3 4 {second} {second} {} 0 20 0 1", 3 * second);
        let time = cpu_time(line.as_bytes());
        let seconds = Duration::from_secs;
        assert_eq!(time, Some(CpuTime { own: seconds(2), children: seconds(3) }));
        assert_eq!(cpu_time(b"7 (a"), None);
        assert_eq!(cpu_time(b"7 (a) R 1 2"), None);
    }
}
