//! Batch mode: many instances to one process, and a fresh process for every answer that is not exactly as expected.

use super::plan::{Key, Subject};
use super::worker::{OpenSession, Stop, Worker, command_line, in_short};
use crate::case::Case;
use crate::compose::{Parts, compose_parts};
use crate::judge::{Judged, Raw, judge};
use crate::outcome::{Answer, Ending};
use crate::process::{Ended, Invocation, Limits};
use crate::profile::Batch;
use crate::session::{Reply, Session};
use crate::store::RunRow;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Maximum number of texts in flight.
const MAX_IN_FLIGHT: usize = 16;
/// Maximum number of texts for one process, which is then replaced: some solvers grow with every text.
const MAX_TEXTS: u64 = 2000;
/// Maximum number of consecutive sessions without a reply; after that the solver is not batched.
const MAX_BARREN: u32 = 3;

/// An instance on its way to a session.
struct Flight {
    key: Key,
    case: Rc<Result<Case, String>>,
    parts: Parts,
}

/// The instances of a unit: not yet sent, and sent but not answered.
#[derive(Default)]
struct Queue {
    waiting: VecDeque<Flight>,
    flying: VecDeque<Flight>,
}

impl Worker<'_> {
    /// Runs the instances of a unit, all of one solver and seed.
    pub(super) fn batch(&mut self, keys: &[Key]) -> Result<(), Stop> {
        let mut keys = keys.iter().copied();
        let mut queue = Queue::default();
        loop {
            while queue.waiting.len() + queue.flying.len() < MAX_IN_FLIGHT {
                let Some(key) = keys.next() else { break };
                match self.prepare(key)? {
                    Some(flight) => queue.waiting.push_back(flight),
                    None => self.fresh(key)?,
                }
            }
            let Some(first) = queue.flying.front().or(queue.waiting.front()) else { return Ok(()) };
            let (key, setup) = (first.key, first.parts.setup.clone());
            if !self.open_session(key, &setup, &queue) {
                // It cannot be started; the verdict on a fresh process gives the reason.
                let flight = queue.waiting.pop_front().ok_or(Stop)?;
                self.fresh(flight.key)?;
                continue;
            }
            self.send_waiting(&mut queue);
            self.receive(&mut queue)?;
        }
    }

    /// The text to send; none if it needs a process of its own.
    fn prepare(&mut self, key: Key) -> Result<Option<Flight>, Stop> {
        let subject = &self.plan.subjects[key.solver];
        if subject.barren.load(Ordering::Relaxed) >= MAX_BARREN {
            return Ok(None);
        }
        let case = self.case(key.instance)?;
        let parts = match &*case {
            Ok(c) if c.is_plain() => {
                compose_parts(c, &subject.solver.profile, key.seed, &self.plan.rules.wants).ok()
            }
            _ => None,
        };
        Ok(parts.map(|parts| Flight { key, case, parts }))
    }

    /// Ensures a session for the first text; false if none can be started.
    fn open_session(&mut self, key: Key, setup: &str, queue: &Queue) -> bool {
        if !queue.flying.is_empty() {
            return true;
        }
        let subject = &self.plan.subjects[key.solver];
        let fits = |open: &OpenSession| {
            open.session.is_alive()
                && (open.solver, open.seed) == (key.solver, key.seed)
                && open.session.answered() < MAX_TEXTS
                && (subject.solver.profile.batch != Batch::PushPop || open.setup == setup)
        };
        if self.open.as_ref().is_some_and(fits) {
            return true;
        }
        self.open = None;
        let limits = Limits { wall: session_limit(&subject.limits), ..subject.limits.clone() };
        let Ok(session) = Session::start(&subject.solver.program, &self.args(subject, key.seed), &limits)
        else {
            return false;
        };
        let (solver, seed, setup) = (key.solver, key.seed, String::new());
        self.open = Some(OpenSession { session, solver, seed, setup });
        true
    }

    /// Sends waiting texts, as long as they fit the session.
    fn send_waiting(&mut self, queue: &mut Queue) {
        let Some(open) = &mut self.open else { return };
        while let Some(flight) = queue.waiting.front() {
            let parts = &flight.parts;
            match self.plan.subjects[open.solver].solver.profile.batch {
                Batch::PushPop => {
                    let first = open.session.answered() == 0 && queue.flying.is_empty();
                    if !first && open.setup != parts.setup {
                        return;
                    }
                    let before = if first { parts.setup.as_str() } else { "" };
                    let text = format!("{before}(push 1)\n{}", parts.body);
                    open.setup.clone_from(&parts.setup);
                    open.session.send(text.as_bytes(), b"(pop 1)\n");
                }
                _ => open.session.send(format!("{}{}", parts.setup, parts.body).as_bytes(), b"(reset)\n"),
            }
            queue.flying.extend(queue.waiting.pop_front());
        }
    }

    /// Takes the next reply. If the session is over, the others go back.
    fn receive(&mut self, queue: &mut Queue) -> Result<(), Stop> {
        let (Some(open), Some(flight)) = (&mut self.open, queue.flying.pop_front()) else { return Err(Stop) };
        let reply = open.session.receive(self.cancel);
        let was_first = open.session.answered() == 1;
        if reply.ending != Ending::Running {
            self.open = None;
            while let Some(flight) = queue.flying.pop_back() {
                queue.waiting.push_front(flight);
            }
        }
        if reply.ending == Ending::Cancelled {
            return Err(Stop);
        }
        self.settle(flight, reply, was_first)
    }

    /// Records a reply that is as expected; otherwise runs a fresh process.
    fn settle(&mut self, flight: Flight, reply: Reply, was_first: bool) -> Result<(), Stop> {
        let (key, subject) = (flight.key, &self.plan.subjects[flight.key.solver]);
        let Ok(case) = &*flight.case else { return Err(Stop) };
        let raw = Raw { stdout: &reply.output, stderr: &reply.stderr, ending: &reply.ending };
        let judged = judge(case, subject.solver, &raw, &self.plan.rules);
        let running = reply.ending == Ending::Running;
        if running {
            subject.barren.store(0, Ordering::Relaxed);
        }
        if judged.is_expected() && running {
            let run = self.batched(key, subject, judged, reply);
            return self.hand_over(run);
        }
        let mut run = self.run_once(key)?;
        if was_first && !running && run.answer != Answer::None {
            subject.barren.fetch_add(1, Ordering::Relaxed);
        }
        compare(&mut run, &judged, &reply.ending);
        self.hand_over(run)
    }

    fn batched(&self, key: Key, subject: &Subject<'_>, judged: Judged, reply: Reply) -> RunRow {
        let args = self.args(subject, key.seed);
        let what = Invocation { program: subject.solver.program.clone(), args, stdin: Vec::new() };
        let Reply { output: stdout, stderr, wall, ending } = reply;
        let ended =
            Ended { stdout, stderr, wall, cpu: Duration::ZERO, idle: Duration::ZERO, memory_kib: 0, ending };
        self.row(key, judged, ended, command_line(&what))
    }
}

/// The time for one text in a session. Late texts are sent to a fresh process, so there is no point in waiting for long.
fn session_limit(limits: &Limits) -> Duration {
    let wall = limits.wall.min(limits.cpu.unwrap_or(limits.wall));
    wall.min((wall / 4).max(Duration::from_secs(1)))
}

/// Notes a difference between the fresh process, which counts, and the session.
fn compare(run: &mut RunRow, batch: &Judged, ending: &Ending) {
    if (run.answer, run.kind) == (batch.answer, batch.kind) {
        return;
    }
    let result = format!("`{}`, {} ({}), {ending}", batch.answer, batch.verdict(), batch.kind);
    let before = format!("a process that had answered others before gave {result}");
    if batch.answer != Answer::None && *ending == Ending::Running {
        run.flaky = true;
        let fresh = in_short(run);
        run.note(&format!("flaky: {before}; a fresh one gave {fresh}"));
    } else if *ending != Ending::WallLimit {
        run.note(&before);
    }
}
