//! Batch mode: one process for many instances, one after the other.
//!
//! After each text an end marker is sent, `(echo "stringent-7")`; the output up to that line is the reply. Several texts may
//! be in flight, so that neither side waits for the other. When the process dies, floods or hangs, the reply to the current text
//! has that ending and the session is over: later texts have to be sent again, to another session.

use crate::outcome::Ending;
use crate::process::{self, Cancel, Group, Limits, Pipes};
use crate::profile::MemoryLimit;
use memchr::memmem;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The reply to one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The output, cut at the limit.
    pub output: Vec<u8>,
    /// The standard error that arrived before the end of the reply.
    pub stderr: Vec<u8>,
    /// Time since the reply before, or since the text was sent if that was later.
    pub wall: Duration,
    /// [`Ending::Running`] if all is well; otherwise the session is over.
    pub ending: Ending,
}

/// A process that gets one text after the other.
pub struct Session {
    /// None after its end.
    group: Option<Group>,
    ended: Option<Ending>,
    pipes: Pipes,
    limits: Limits,
    /// The text whose reply comes next, and the number of texts sent.
    next: u64,
    sent: u64,
    /// When the work on the next one may have begun.
    since: Instant,
    /// The length of the output of earlier replies, and of the output searched for the marker.
    taken: usize,
    searched: usize,
}

impl Session {
    /// Starts a session. `limits.wall` is for each text, `limits.cpu` is not used, `limits.output` is for each text.
    /// The error is for people.
    pub fn start(program: &Path, args: &[String], limits: &Limits) -> Result<Session, String> {
        let limits = Limits { cpu: None, ..limits.clone() };
        let (group, ends) = Group::start(program, args, Stdio::piped(), &limits)?;
        Ok(Session {
            group: Some(group),
            ended: None,
            pipes: Pipes::new(ends, Vec::new(), true, limits.output),
            limits,
            next: 0,
            sent: 0,
            since: Instant::now(),
            taken: 0,
            searched: 0,
        })
    }

    /// Texts that were sent and not answered.
    pub fn in_flight(&self) -> u64 {
        self.sent - self.next
    }

    /// The process is running.
    pub fn is_alive(&self) -> bool {
        self.ended.is_none()
    }

    /// Texts that were answered.
    pub fn answered(&self) -> u64 {
        self.next
    }

    /// Sets the wall-clock time for each of the next texts.
    pub fn set_wall_limit(&mut self, wall: Duration) {
        self.limits.wall = wall;
    }

    /// Sends a text and its end marker, then `after`, whose output belongs to the next reply.
    pub fn send(&mut self, text: &[u8], after: &[u8]) {
        if self.in_flight() == 0 {
            self.since = Instant::now();
        }
        let marker = format!("\n(echo \"stringent-{}\")\n", self.sent);
        self.pipes.send(&[text, marker.as_bytes(), after]);
        self.sent += 1;
    }

    /// Sends a text and waits for the reply.
    pub fn ask(&mut self, text: &[u8], cancel: &Cancel) -> Reply {
        self.send(text, b"");
        self.receive(cancel)
    }

    /// Waits for the reply to the oldest text that was sent and not answered.
    pub fn receive(&mut self, cancel: &Cancel) -> Reply {
        self.pipes.feed();
        let deadline = self.since + self.limits.wall;
        let mut next_look = Instant::now() + process::MEMORY_EVERY;
        loop {
            if let Some(reply) = self.marked() {
                return reply;
            }
            if let Some(ending) = self.ended.clone() {
                return self.reply(self.pipes.out.len(), self.pipes.out.len(), ending);
            }
            if self.pipes.flooded && !self.make_room() {
                self.end(Some(Ending::OutputLimit));
                continue;
            }
            self.step(cancel, deadline, &mut next_look);
        }
    }

    /// Waits for output or for a reason to end the session.
    fn step(&mut self, cancel: &Cancel, deadline: Instant, next_look: &mut Instant) {
        let resident = self.limits.memory.filter(|_| self.limits.memory_how == MemoryLimit::Resident);
        let until = if resident.is_some() { deadline.min(*next_look) } else { deadline };
        let ready = self.pipes.wait(self.group.as_ref(), cancel, until);
        let now = Instant::now();
        if ready.ended {
            self.end(None);
        } else if cancel.is_cancelled() {
            self.end(Some(Ending::Cancelled));
        } else if let (Some(limit), Some(group)) = (resident.filter(|_| now >= *next_look), &self.group) {
            *next_look = now + process::MEMORY_EVERY;
            if process::procfs::resident(group.pid()) > limit {
                self.end(Some(Ending::MemoryLimit));
            }
        } else if now >= deadline && self.mark().is_none() {
            self.end(Some(Ending::WallLimit));
        }
    }

    /// Ends the session: the process has ended, or is killed.
    fn end(&mut self, reason: Option<Ending>) {
        let Some(group) = self.group.take() else { return };
        if reason.is_none() {
            // Its last output is in the pipe.
            self.pipes.drain();
        }
        let used = group.finish();
        self.ended = Some(reason.unwrap_or_else(|| process::ending_of(&used, &self.limits)));
        process::sweep();
    }

    /// The next reply, if its end marker is there.
    fn marked(&mut self) -> Option<Reply> {
        let (end, next) = self.mark()?;
        Some(self.reply(end, next, Ending::Running))
    }

    /// Where the next end marker is: its line, and the begin of the line after.
    fn mark(&mut self) -> Option<(usize, usize)> {
        let marker = format!("stringent-{}", self.next);
        let mut from = self.searched.max(self.taken);
        while let Some(at) = memmem::find(&self.pipes.out[from..], marker.as_bytes()) {
            let start = from + at;
            let line = line_around(&self.pipes.out, start, marker.len());
            if line.is_some() {
                return line;
            }
            from = start + 1;
        }
        // The marker may have come in part, or without the end of its line.
        self.searched = self.pipes.out.len().saturating_sub(marker.len() + 4);
        None
    }

    /// A reply that ends at `end`; the next one begins at `next`.
    fn reply(&mut self, end: usize, next: usize, ending: Ending) -> Reply {
        let now = Instant::now();
        let output = &self.pipes.out[self.taken..end];
        let output = output[..output.len().min(self.limits.output)].to_vec();
        let mut stderr = std::mem::take(&mut self.pipes.err);
        stderr.truncate(self.limits.output);
        let wall = now - self.since;
        self.since = now;
        self.next += 1;
        (self.taken, self.searched) = (next, next);
        if self.taken == self.pipes.out.len() {
            self.make_room();
        }
        Reply { output, stderr, wall, ending }
    }

    /// Drops the output of earlier replies; false if there was none.
    fn make_room(&mut self) -> bool {
        let made = self.taken > 0 && self.pipes.err.len() <= self.limits.output;
        self.pipes.out.drain(..self.taken);
        self.searched = self.searched.saturating_sub(self.taken);
        self.taken = 0;
        if made {
            self.pipes.flooded = self.pipes.out.len() > self.limits.output;
        }
        made
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if self.group.take().is_some() {
            process::sweep_if_due();
        }
    }
}

/// The line that the marker at `start` fills, with or without quotes: its begin and the begin of the next line.
fn line_around(text: &[u8], start: usize, len: usize) -> Option<(usize, usize)> {
    let quoted = start > 0 && text[start - 1] == b'"';
    let begin = start - usize::from(quoted);
    let mut rest = &text[start + len..];
    if quoted {
        rest = rest.strip_prefix(b"\"")?;
    }
    let rest = rest.strip_prefix(b"\r").unwrap_or(rest).strip_prefix(b"\n")?;
    (begin == 0 || text[begin - 1] == b'\n').then_some((begin, text.len() - rest.len()))
}
