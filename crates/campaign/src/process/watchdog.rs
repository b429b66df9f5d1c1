//! Ends solvers when this process is killed.
//!
//! A helper process (this program again, with a hidden verb) holds the reading end of a pipe and waits for it to close. If the
//! campaign dismisses it first, it ends. Otherwise it kills the process groups that were alive, which it reads from an in-memory file that the campaign keeps up to date, and then every process with the campaign's mark in its environment. Starting a
//! solver costs one small write to memory and wakes no process.

use super::{live, procfs};
use rustix::process::{Pid, Signal};
use std::ffi::OsString;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The environment variable with the helper's arguments: the mark, and the file of live groups.
const ORDERS: &str = "STRINGENT_WATCHDOG";

/// A helper that kills all solvers when this process dies. Dropping it dismisses it.
#[derive(Debug)]
pub struct Watchdog(Child);

impl Watchdog {
    /// The verb of the helper, for [`Watchdog::own_command`].
    pub const VERB: &str = "watchdog";

    /// The command of the helper: this program with the verb [`Watchdog::VERB`], which calls [`Watchdog::serve`].
    pub fn own_command() -> Option<Vec<OsString>> {
        let program = std::env::current_exe().ok()?;
        Some(vec![program.into(), Watchdog::VERB.into()])
    }

    /// Starts the helper: a command that calls [`Watchdog::serve`]. An error in a helper: a program that does not know the verb would start
    /// itself without end.
    pub fn start(command: &[OsString]) -> std::io::Result<Watchdog> {
        if std::env::var_os(ORDERS).is_some() {
            return Err(std::io::Error::other(
                "the watchdog starts another one: its program has to call Watchdog::serve",
            ));
        }
        let (program, args) = command.split_first().ok_or(std::io::ErrorKind::InvalidInput)?;
        let file = live::with_file(|file| format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()))?;
        Command::new(program)
            .args(args)
            .env(ORDERS, format!("{} {file}", live::token()))
            // Ctrl-C, which stops the campaign, must not stop the helper first.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map(Watchdog)
    }

    /// The helper itself: returns when the campaign dismisses it, or when all its solvers are killed.
    pub fn serve() {
        let Ok(orders) = std::env::var(ORDERS) else { return };
        let Some((token, file)) = orders.split_once(' ') else { return };
        let file = File::open(file);
        let mut goodbye = [0];
        if std::io::stdin().read_exact(&mut goodbye).is_ok() {
            return;
        }
        if let Ok(file) = file {
            kill_groups(file);
        }
        kill_marked(format!("{}={token}", live::MARK).as_bytes());
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        if let Some(mut stdin) = self.0.stdin.take() {
            let _ = stdin.write_all(b"q");
        }
        let _ = self.0.wait();
    }
}

fn kill_groups(mut file: File) {
    let mut groups = Vec::new();
    let _ = file.read_to_end(&mut groups);
    for group in groups.chunks_exact(4) {
        let group = i32::from_ne_bytes([group[0], group[1], group[2], group[3]]);
        if let Some(group) = Pid::from_raw(group) {
            let _ = rustix::process::kill_process_group(group, Signal::KILL);
        }
    }
}

/// Kills all processes with the mark, until there are no new ones: one may be starting right now.
fn kill_marked(mark: &[u8]) {
    let mut quiet = 0;
    for _ in 0..200 {
        let marked: Vec<i32> = procfs::all().into_iter().filter(|&p| procfs::has_variable(p, mark)).collect();
        quiet = if marked.is_empty() { quiet + 1 } else { 0 };
        if quiet == 3 {
            return;
        }
        for pid in marked.into_iter().filter_map(Pid::from_raw) {
            let _ = rustix::process::kill_process(pid, Signal::KILL);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}
