//! A solver's pipes: writes to and reads from them without blocking.

use super::Cancel;
use super::group::{Child3, Group};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::AsFd;
use rustix::io::Errno;
use std::cell::RefCell;
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = RefCell::new(vec![0; 1 << 16]);
}

/// Our ends of the pipes, the input to send, and the output so far.
pub(crate) struct Pipes {
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    input: Vec<u8>,
    sent: usize,
    /// More input may come.
    open: bool,
    pub(crate) out: Vec<u8>,
    pub(crate) err: Vec<u8>,
    cap: usize,
    /// One of the outputs is longer than the limit, and not read any further.
    pub(crate) flooded: bool,
}

/// The result of a wait.
#[derive(Default)]
pub(crate) struct Ready {
    /// The leader has ended.
    pub(crate) ended: bool,
    /// Something was read.
    pub(crate) output: bool,
}

impl Pipes {
    /// Takes over the pipes. With `open`, stdin is kept open for more.
    pub(crate) fn new(ends: Child3, input: Vec<u8>, open: bool, cap: usize) -> Pipes {
        fn unblock(fd: Option<&impl AsFd>) {
            if let Some(fd) = fd {
                // Of our end only: a pipe's ends have flags of their own.
                let _ = rustix::fs::fcntl_setfl(fd, rustix::fs::OFlags::NONBLOCK);
            }
        }
        unblock(ends.stdin.as_ref());
        unblock(ends.stdout.as_ref());
        unblock(ends.stderr.as_ref());
        let (out, err) = (Vec::new(), Vec::new());
        let Child3 { stdin, stdout, stderr } = ends;
        let mut pipes = Pipes { stdin, stdout, stderr, input, sent: 0, open, out, err, cap, flooded: false };
        pipes.feed();
        pipes
    }

    /// More to send. Nothing is sent if the process has closed its input.
    pub(crate) fn send(&mut self, parts: &[&[u8]]) {
        if self.sent == self.input.len() {
            self.input.clear();
            self.sent = 0;
        }
        parts.iter().for_each(|part| self.input.extend_from_slice(part));
    }

    /// Sends as much as the pipe takes.
    pub(crate) fn feed(&mut self) {
        let Some(stdin) = &self.stdin else { return };
        while self.sent < self.input.len() {
            match rustix::io::write(stdin, &self.input[self.sent..]) {
                Ok(n) => self.sent += n,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                // It does not read any more.
                Err(_) => return self.stdin = None,
            }
        }
        if !self.open {
            self.stdin = None;
        }
    }

    /// Reads all available output.
    pub(crate) fn drain(&mut self) {
        self.drain_out();
        self.drain_err();
    }

    fn drain_out(&mut self) {
        read_all(&mut self.stdout, &mut self.out, self.cap, &mut self.flooded);
    }

    fn drain_err(&mut self) {
        read_all(&mut self.stderr, &mut self.err, self.cap, &mut self.flooded);
    }

    /// No process can write to either output any more.
    pub(crate) fn at_end(&self) -> bool {
        self.stdout.is_none() && self.stderr.is_none()
    }

    /// Waits until the leader has ended or `until`, if all input is sent; true if it has ended. Its output
    /// stays in the pipes meanwhile; if they are full it waits.
    pub(crate) fn wait_for_end(&self, group: &Group, cancel: &Cancel, until: Instant) -> bool {
        if self.sent < self.input.len() && self.stdin.is_some() {
            return false;
        }
        let mut fds = [cancel.fd(), group.pidfd()].map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
        let _ = poll(&mut fds, Some(&time_until(until)));
        !fds[1].revents().is_empty()
    }

    /// Waits until something happens or `until`; feeds and drains. With no group, only the pipes are waited for.
    pub(crate) fn wait(&mut self, group: Option<&Group>, cancel: &Cancel, until: Instant) -> Ready {
        // An entry without flags represents a missing descriptor.
        let nothing = (cancel.fd(), PollFlags::empty());
        let sending = self.stdin.as_ref().filter(|_| self.sent < self.input.len());
        let mut fds = [
            (cancel.fd(), PollFlags::IN),
            group.map_or(nothing, |group| (group.pidfd(), PollFlags::IN)),
            self.stdout.as_ref().map_or(nothing, |fd| (fd.as_fd(), PollFlags::IN)),
            self.stderr.as_ref().map_or(nothing, |fd| (fd.as_fd(), PollFlags::IN)),
            sending.map_or(nothing, |fd| (fd.as_fd(), PollFlags::OUT)),
        ]
        .map(|(fd, flags)| PollFd::from_borrowed_fd(fd, flags));
        // An interrupted wait is like one without a result.
        let _ = poll(&mut fds, Some(&time_until(until)));
        let [_, ended, out, err, input] = fds.map(|fd| !fd.revents().is_empty());
        if out {
            self.drain_out();
        }
        if err {
            self.drain_err();
        }
        if input {
            self.feed();
        }
        Ready { ended, output: out }
    }
}

fn read_all<T: AsFd>(from: &mut Option<T>, to: &mut Vec<u8>, cap: usize, flooded: &mut bool) {
    BUFFER.with_borrow_mut(|buffer| {
        while let Some(fd) = from {
            match rustix::io::read(fd, &mut *buffer) {
                Ok(0) => return *from = None,
                Ok(n) => {
                    to.extend_from_slice(&buffer[..n]);
                    if to.len() > cap {
                        *flooded = true;
                        return;
                    }
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => return *from = None,
            }
        }
    });
}

/// The time until a moment, for `poll`.
fn time_until(until: Instant) -> Timespec {
    let left: Duration = until.saturating_duration_since(Instant::now());
    Timespec { tv_sec: left.as_secs().min(1 << 30).cast_signed(), tv_nsec: left.subsec_nanos().into() }
}
