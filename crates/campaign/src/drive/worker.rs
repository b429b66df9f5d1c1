//! A worker: takes units of work, runs solvers, judges, hands runs to the writer.

use super::base::Reader;
use super::plan::{Key, Plan, Subject};
use crate::case::Case;
use crate::compose::{compose, fill};
use crate::judge::{Judged, Raw, judge};
use crate::outcome::Ending;
use crate::process::{self, Cancel, Ended, Invocation};
use crate::profile::{Input, Solver};
use crate::session::Session;
use crate::store::{RunRow, StoreError};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::SyncSender;

/// One of the threads that run solvers.
pub(super) struct Worker<'a> {
    pub(super) plan: &'a Plan<'a>,
    pub(super) cancel: &'a Cancel,
    reader: Reader<'a>,
    send: SyncSender<Result<RunRow, StoreError>>,
    /// For solvers that read a file.
    file: PathBuf,
    last: Option<(i64, Rc<Result<Case, String>>)>,
    pub(super) open: Option<OpenSession>,
}

/// A session that may get more instances.
pub(super) struct OpenSession {
    pub(super) session: Session,
    pub(super) solver: usize,
    pub(super) seed: u64,
    /// The setup that was sent first, in a session that uses `push` and `pop`.
    pub(super) setup: String,
}

/// The worker has to stop: the campaign was stopped, or the writer has ended.
pub(super) struct Stop;

impl<'a> Worker<'a> {
    pub(super) fn new(
        plan: &'a Plan<'a>,
        reader: Reader<'a>,
        file: PathBuf,
        send: SyncSender<Result<RunRow, StoreError>>,
        cancel: &'a Cancel,
    ) -> Self {
        Worker { plan, cancel, reader, send, file, last: None, open: None }
    }

    /// Works until nothing is left or it is stopped.
    pub(super) fn work(mut self) {
        while !self.cancel.is_cancelled() {
            let unit = self.plan.next.fetch_add(1, Ordering::Relaxed);
            let Some(range) = self.plan.units.get(unit) else { return };
            let keys = &self.plan.keys[range.clone()];
            let done = if self.plan.subjects[keys[0].solver].batch {
                self.batch(keys)
            } else {
                keys.iter().try_for_each(|&key| self.fresh(key))
            };
            if done.is_err() {
                return;
            }
        }
    }

    /// Does a run in a process of its own, twice if the result is unsound.
    pub(super) fn fresh(&mut self, key: Key) -> Result<(), Stop> {
        let mut run = self.run_once(key)?;
        if self.plan.settings.confirm && run.kind.is_unsound() {
            let again = self.run_once(key)?;
            if (again.answer, again.kind) != (run.answer, run.kind) {
                run.flaky = true;
                run.note(&format!("flaky: a second run gave {}", in_short(&again)));
            }
        }
        self.hand_over(run)
    }

    /// Does a run in a process of its own.
    pub(super) fn run_once(&mut self, key: Key) -> Result<RunRow, Stop> {
        let subject = &self.plan.subjects[key.solver];
        let case = self.case(key.instance)?;
        let case = match &*case {
            Ok(case) => case,
            Err(why) => {
                return Ok(self.row(
                    key,
                    Judged::not_sent(&format!("it cannot be read: {why}")),
                    not_run(),
                    String::new(),
                ));
            }
        };
        let rules = &self.plan.rules;
        let text = match compose(case, &subject.solver.profile, key.seed, &rules.wants) {
            Ok(text) => text,
            Err(why) => {
                return Ok(self.row(key, Judged::not_asked(&why), not_run(), String::new()));
            }
        };
        let what = self.invocation(subject, key.seed, text);
        let ended = match what {
            Ok(ref what) => process::run(what, &subject.limits, self.cancel),
            Err(ref why) => Ended::not_started(why.clone()),
        };
        if ended.ending == Ending::Cancelled {
            return Err(Stop);
        }
        let raw = Raw { stdout: &ended.stdout, stderr: &ended.stderr, ending: &ended.ending };
        let judged = judge(case, subject.solver, &raw, rules);
        Ok(self.row(key, judged, ended, what.map_or_else(|_| String::new(), |w| command_line(&w))))
    }

    /// The instance, or the reason why it cannot be read.
    pub(super) fn case(&mut self, instance: i64) -> Result<Rc<Result<Case, String>>, Stop> {
        if let Some((id, case)) = &self.last
            && *id == instance
        {
            return Ok(Rc::clone(case));
        }
        let row = match self.reader.instance(instance) {
            Ok(Some(row)) => row,
            Ok(None) => return Err(Stop),
            Err(e) => {
                let _ = self.send.send(Err(e));
                return Err(Stop);
            }
        };
        let case = Rc::new(Case::read(&row).map_err(|e| e.to_string()));
        self.last = Some((instance, Rc::clone(&case)));
        Ok(case)
    }

    fn invocation(&self, subject: &Subject<'_>, seed: u64, text: Vec<u8>) -> Result<Invocation, String> {
        invocation(subject.solver, self.args(subject, seed), &self.file, text)
    }

    /// The arguments, filled in.
    pub(super) fn args(&self, subject: &Subject<'_>, seed: u64) -> Vec<String> {
        let wants = &self.plan.rules.wants;
        subject.solver.profile.args.iter().map(|arg| fill(arg, seed, wants).into_owned()).collect()
    }

    /// The row of a run.
    pub(super) fn row(&self, key: Key, judged: Judged, ended: Ended, command: String) -> RunRow {
        let key = (key.instance, self.plan.subjects[key.solver].id, key.seed);
        judged.row(key, ended, command, self.plan.settings.keep)
    }

    /// Hands a run to the writer.
    pub(super) fn hand_over(&self, run: RunRow) -> Result<(), Stop> {
        self.send.send(Ok(run)).map_err(|_| Stop)
    }
}

/// The invocation of `solver` on `text`: on standard input, or from `file`, which is written.
pub fn invocation(
    solver: &Solver,
    mut args: Vec<String>,
    file: &Path,
    text: Vec<u8>,
) -> Result<Invocation, String> {
    let program = solver.program.clone();
    if solver.profile.input == Input::Stdin {
        return Ok(Invocation { program, args, stdin: text });
    }
    std::fs::write(file, text).map_err(|e| format!("cannot write `{}`: {e}", file.display()))?;
    let file = file.to_string_lossy();
    let mut named = false;
    for arg in &mut args {
        named |= arg.contains("{file}");
        *arg = arg.replace("{file}", &file);
    }
    if !named {
        args.push(file.into_owned());
    }
    Ok(Invocation { program, args, stdin: Vec::new() })
}

/// The end of a process that was not started, since nothing was sent.
fn not_run() -> Ended {
    Ended::not_started("not sent".into())
}

/// A short description of a run.
pub(super) fn in_short(run: &RunRow) -> String {
    format!("`{}`, {} ({}), {}", run.answer, run.verdict(), run.kind, run.ending)
}

/// The command, quoted for a shell.
pub(super) fn command_line(what: &Invocation) -> String {
    let program = what.program.to_string_lossy();
    let words = std::iter::once(&*program).chain(what.args.iter().map(String::as_str));
    words.map(crate::clean::shell).collect::<Vec<_>>().join(" ")
}
