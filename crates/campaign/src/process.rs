//! Runs a solver's process under limits, and cleans up after it.
//!
//! A process leads a group of its own. One loop waits for its pipes, its end, the deadline and a request to stop. Then the
//! group is killed *before* its leader is reaped (so that the number of the group cannot be reused yet), and its resource usage is
//! read. Processes that left the group are found by [`sweep`]; if this process itself is killed, a [`Watchdog`] kills its
//! solvers.

mod cancel;
mod group;
mod live;
mod load;
mod pipes;
pub(crate) mod procfs;
mod watchdog;

pub use cancel::Cancel;
pub(crate) use group::{Group, Used};
pub use live::sweep;
pub(crate) use live::sweep_if_due;
pub(crate) use pipes::Pipes;
pub use procfs::CpuTime;
pub use watchdog::Watchdog;

use crate::outcome::Ending;
use crate::profile::MemoryLimit;
use load::Load;
use std::cell::Cell;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The resources of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time.
    pub wall: Duration,
    /// CPU time of all its processes.
    pub cpu: Option<Duration>,
    /// Idle time: none of its processes runs, or waits for a core.
    pub idle: Option<Duration>,
    /// Memory, in bytes.
    pub memory: Option<u64>,
    /// How memory is limited.
    pub memory_how: MemoryLimit,
    /// Bytes of each of its outputs.
    pub output: usize,
}

impl Limits {
    /// A limit of work in place of wall-clock time: a busy machine makes a run longer, and not different.
    pub fn of_work(time: Duration, memory: Option<u64>, memory_how: MemoryLimit, output: usize) -> Limits {
        let wall = time.saturating_mul(BUSY).min(LONGEST);
        Limits { wall, cpu: Some(time), idle: Some(time), memory, memory_how, output }
    }
}

/// A program to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its standard input; empty if its input is a file.
    pub stdin: Vec<u8>,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Its standard output, cut at the limit.
    pub stdout: Vec<u8>,
    /// Its standard error, cut at the limit.
    pub stderr: Vec<u8>,
    /// Wall-clock time.
    pub wall: Duration,
    /// CPU time.
    pub cpu: Duration,
    /// Idle time, if that is limited.
    pub idle: Duration,
    /// Peak memory, in KiB; zero if it is not known.
    pub memory_kib: u64,
    /// How it ended.
    pub ending: Ending,
}

/// The time between checks of resident memory.
pub(crate) const MEMORY_EVERY: Duration = Duration::from_millis(25);
/// How long orphans of a leader that has ended may continue to print.
const GRACE: Duration = Duration::from_millis(50);
/// The time in which only the end of a process is awaited: a short run wakes us once, not for every line.
const QUIET: Duration = Duration::from_millis(3);
/// The shortest run whose memory is sampled.
const SAMPLED: Duration = Duration::from_millis(4);
/// Wall-clock time, in units of work, after which a run is stopped however busy the machine is.
const BUSY: u32 = 60;
/// The longest wall-clock time of a run whose work is limited.
const LONGEST: Duration = Duration::from_secs(7 * 24 * 3600);
/// The signal for too much CPU time.
const SIGXCPU: i32 = 24;
const SIGKILL: i32 = 9;

/// Runs a program to its end or to a limit. No process of it is left afterwards.
pub fn run(what: &Invocation, limits: &Limits, cancel: &Cancel) -> Ended {
    let started = Instant::now();
    if cancel.is_cancelled() {
        return unstarted(Ending::Cancelled, started);
    }
    let stdin = if what.stdin.is_empty() { Stdio::null() } else { Stdio::piped() };
    let (group, ends) = match Group::start(&what.program, &what.args, stdin, limits) {
        Ok(started) => started,
        Err(why) => return unstarted(Ending::NotStarted(why), started),
    };
    let mut watch = Watch {
        pipes: Pipes::new(ends, what.stdin.clone(), false, limits.output),
        started,
        limits,
        cancel,
        peak_kib: 0,
        load: Load::new(started, limits),
        orphans: false,
    };
    let stopped = watch.until_end(&group);
    let used = group.finish();
    // Output in the pipes when it was killed counts.
    watch.pipes.drain();
    let wall = started.elapsed();
    if stopped.is_some() || watch.orphans {
        live::sweep();
    } else {
        live::sweep_if_due();
    }
    let ending = if watch.pipes.flooded { Some(Ending::OutputLimit) } else { stopped };
    watch.pipes.out.truncate(limits.output);
    watch.pipes.err.truncate(limits.output);
    let ended = Ended {
        ending: ending.unwrap_or_else(|| ending_of(&used, limits)),
        stdout: watch.pipes.out,
        stderr: watch.pipes.err,
        wall,
        cpu: used.cpu,
        idle: watch.load.idle,
        memory_kib: used.memory_kib.max(watch.peak_kib),
    };
    DONE.set(DONE.get() + ended.work());
    ended
}

thread_local! {
    /// The work of the processes that this thread ran.
    static DONE: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// The work of this thread up to now: its CPU time, and the work of the processes that it ran.
pub fn work_of_thread() -> Duration {
    DONE.get() + procfs::cpu_of_thread()
}

fn unstarted(ending: Ending, started: Instant) -> Ended {
    Ended { ending, wall: started.elapsed(), ..Ended::not_started(String::new()) }
}

impl Ended {
    /// CPU time and idle time: about the time that it takes with a core of its own.
    pub fn work(&self) -> Duration {
        self.cpu + self.idle
    }

    /// The result of a process that was not started, with the reason.
    pub fn not_started(why: String) -> Ended {
        let (stdout, stderr, time) = (Vec::new(), Vec::new(), Duration::ZERO);
        Ended {
            stdout,
            stderr,
            wall: time,
            cpu: time,
            idle: time,
            memory_kib: 0,
            ending: Ending::NotStarted(why),
        }
    }
}

/// How a process ended that we did not stop.
pub(crate) fn ending_of(used: &Used, limits: &Limits) -> Ending {
    let over = limits.cpu.is_some_and(|limit| used.cpu >= limit);
    match used.status {
        Err(SIGXCPU) => Ending::CpuLimit,
        Err(SIGKILL) | Ok(_) if over => Ending::CpuLimit,
        Err(signal) => Ending::Signalled(signal),
        Ok(code) => Ending::Exited(code),
    }
}

/// One process under observation.
struct Watch<'a> {
    pipes: Pipes,
    started: Instant,
    limits: &'a Limits,
    cancel: &'a Cancel,
    peak_kib: u64,
    load: Load,
    /// Another process held the pipes after the leader had ended.
    orphans: bool,
}

impl Watch<'_> {
    /// Waits for the leader's end, or for a reason to stop it.
    fn until_end(&mut self, group: &Group) -> Option<Ending> {
        let deadline = self.started + self.limits.wall;
        let resident = self.limits.memory.filter(|_| self.limits.memory_how == MemoryLimit::Resident);
        let mut next_look = self.started + MEMORY_EVERY;
        if self.pipes.wait_for_end(group, self.cancel, deadline.min(Instant::now() + QUIET)) {
            self.last_words();
            return None;
        }
        loop {
            let until = if resident.is_some() { deadline.min(next_look) } else { deadline };
            let until = self.load.next().map_or(until, |look| until.min(look));
            let ready = self.pipes.wait(Some(group), self.cancel, until);
            if ready.ended {
                self.last_words();
                return None;
            }
            let now = Instant::now();
            if ready.output && now - self.started >= SAMPLED {
                self.note_peak(group);
            }
            let worked = self.load.look(group.pid(), self.limits, now);
            if let Some(reason) = self.reason_to_stop(now, deadline).or(worked) {
                self.note_peak(group);
                return Some(reason);
            }
            if let Some(limit) = resident.filter(|_| now >= next_look) {
                next_look = now + MEMORY_EVERY;
                let used = procfs::resident(group.pid());
                self.peak_kib = self.peak_kib.max(used / 1024);
                if used > limit {
                    return Some(Ending::MemoryLimit);
                }
            }
        }
    }

    fn reason_to_stop(&self, now: Instant, deadline: Instant) -> Option<Ending> {
        if self.cancel.is_cancelled() {
            Some(Ending::Cancelled)
        } else if self.pipes.flooded {
            Some(Ending::OutputLimit)
        } else {
            (now >= deadline).then_some(Ending::WallLimit)
        }
    }

    fn note_peak(&mut self, group: &Group) {
        self.peak_kib = self.peak_kib.max(procfs::peak_kib(group.pid()).unwrap_or(0));
    }

    /// The leader has ended: reads the rest, and gives other holders of the pipes a moment. That may be a solver that another
    /// thread is just starting: until it runs, it has copies of all our descriptors.
    fn last_words(&mut self) {
        self.pipes.drain();
        let until = Instant::now() + GRACE;
        while !self.pipes.at_end() && !self.pipes.flooded && !self.cancel.is_cancelled() {
            if Instant::now() >= until {
                self.orphans = true;
                return;
            }
            let _ = self.pipes.wait(None, self.cancel, until);
        }
    }
}
