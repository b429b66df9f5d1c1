//! A solver's process and its group, from its start to its end.

use super::{Limits, live};
use crate::profile::MemoryLimit;
use rustix::fd::{AsFd as _, BorrowedFd, OwnedFd};
use rustix::process::{Pid, PidfdFlags, Resource, Rlimit, Signal, WaitOptions};
use std::io::ErrorKind;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use wait4::Wait4 as _;

/// The resources that a process used, and how it ended.
pub(crate) struct Used {
    /// The exit code, or the signal that ended it.
    pub(crate) status: Result<i32, i32>,
    pub(crate) cpu: Duration,
    /// Zero if it is not known.
    pub(crate) memory_kib: u64,
}

/// A process that leads a group of its own. Dropping it kills the group and reaps it.
pub(crate) struct Group {
    child: Child,
    leader: Pid,
    pidfd: OwnedFd,
    slot: usize,
    reaped: bool,
}

impl Group {
    /// Starts a program in a group of its own, under the kernel's limits. The error is for people.
    pub(crate) fn start(
        program: &Path,
        args: &[String],
        stdin: Stdio,
        limits: &Limits,
    ) -> Result<(Group, Child3), String> {
        let mut command = Command::new(program);
        command.args(args).env(live::MARK, live::token()).process_group(0);
        command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
        let starting = live::starting();
        let mut child = spawn(&mut command).map_err(|e| complaint(program, &e))?;
        let leader = Pid::from_child(&child);
        let slot = live::enter(leader);
        drop(starting);
        let pidfd = rustix::process::pidfd_open(leader, PidfdFlags::empty());
        let pipes =
            Child3 { stdin: child.stdin.take(), stdout: child.stdout.take(), stderr: child.stderr.take() };
        match pidfd {
            Ok(pidfd) => {
                limit(leader, limits);
                Ok((Group { child, leader, pidfd, slot, reaped: false }, pipes))
            }
            Err(e) => {
                let _ = reap(&mut child, leader, slot);
                Err(format!("cannot watch `{}`: {e}", program.display()))
            }
        }
    }

    /// Readable when the leader has ended.
    pub(crate) fn pidfd(&self) -> BorrowedFd<'_> {
        self.pidfd.as_fd()
    }

    /// The leader.
    pub(crate) fn pid(&self) -> i32 {
        self.leader.as_raw_nonzero().get()
    }

    /// Kills the rest of the group and reaps all of it.
    pub(crate) fn finish(mut self) -> Used {
        self.reaped = true;
        reap(&mut self.child, self.leader, self.slot)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.reaped {
            let _ = reap(&mut self.child, self.leader, self.slot);
        }
    }
}

/// Our ends of a process's pipes.
pub(crate) struct Child3 {
    pub(crate) stdin: Option<std::process::ChildStdin>,
    pub(crate) stdout: Option<std::process::ChildStdout>,
    pub(crate) stderr: Option<std::process::ChildStderr>,
}

/// Starts it; waits for a temporary shortage to pass.
fn spawn(command: &mut Command) -> std::io::Result<Child> {
    for _ in 0..50 {
        match command.spawn() {
            Err(e) if passing(&e) => std::thread::sleep(Duration::from_millis(20)),
            other => return other,
        }
    }
    command.spawn()
}

fn passing(e: &std::io::Error) -> bool {
    matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::OutOfMemory | ErrorKind::ExecutableFileBusy)
}

fn complaint(program: &Path, e: &std::io::Error) -> String {
    let name = program.display();
    match e.kind() {
        ErrorKind::NotFound if program.is_file() => {
            format!("cannot start `{name}`: its interpreter or loader is missing")
        }
        ErrorKind::NotFound => format!("cannot start `{name}`: there is no such program"),
        ErrorKind::PermissionDenied if program.is_dir() => {
            format!("cannot start `{name}`: it is a directory")
        }
        ErrorKind::PermissionDenied => format!("cannot start `{name}`: it may not be executed"),
        _ => format!("cannot start `{name}`: {e}"),
    }
}

/// Sets the kernel's limits. A limit that cannot be set (the process has ended, or our own limit is lower) is ignored.
fn limit(leader: Pid, limits: &Limits) {
    let set = |resource, soft: u64, hard: u64| {
        let _ = rustix::process::prlimit(
            Some(leader),
            resource,
            Rlimit { current: Some(soft), maximum: Some(hard) },
        );
    };
    set(Resource::Core, 0, 0);
    if let Some(cpu) = limits.cpu {
        let seconds = (cpu.as_secs() + u64::from(cpu.subsec_nanos() > 0)).max(1);
        set(Resource::Cpu, seconds, seconds + 1);
    }
    if let (Some(bytes), MemoryLimit::AddressSpace) = (limits.memory, limits.memory_how) {
        set(Resource::As, bytes, bytes);
    }
}

/// Kills the group while its leader still holds its number, then reaps the leader, then the orphans in the group.
fn reap(child: &mut Child, leader: Pid, slot: usize) -> Used {
    let _ = rustix::process::kill_process_group(leader, Signal::KILL);
    let used = child.wait4();
    while let Ok(Some(_)) | Err(rustix::io::Errno::INTR) =
        rustix::process::waitpgid(leader, WaitOptions::empty())
    {}
    live::leave(slot);
    match used {
        Ok(used) => Used {
            status: used.status.code().ok_or_else(|| used.status.signal().unwrap_or(0)),
            cpu: used.rusage.utime + used.rusage.stime,
            memory_kib: told_peak(used.rusage.maxrss / 1024),
        },
        Err(_) => Used { status: Err(0), cpu: Duration::ZERO, memory_kib: 0 },
    }
}

/// The kernel includes the memory that the process had before it became the solver, which is *ours*: a figure below that
/// means nothing.
fn told_peak(maxrss_kib: u64) -> u64 {
    if maxrss_kib > live::our_peak_kib() { maxrss_kib } else { 0 }
}
