//! Instances to a solver: many in one process where its profile allows it, a fresh process for what is odd.

use crate::replay::{Entry, Log, Place};
use crate::variant::Variant;
use campaign::case::Case;
use campaign::compose::{Parts, compose, compose_parts, fill};
use campaign::drive::invocation;
use campaign::outcome::Ending;
use campaign::process::{self, Cancel, Ended, Limits};
use campaign::profile::{Batch, Profile};
use campaign::session::{Reply, Session};
use campaign::settings::Settings;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Texts that one process gets.
const MAX_TEXTS: u64 = 2000;
/// Texts that are sent before the first is answered.
const MAX_IN_FLIGHT: usize = 8;
/// Sessions that end at their first text, after which every instance gets a process of its own.
const MAX_BARREN: u32 = 5;

/// Time limits after which the rest of a unit is left out; as many more for each 50 instances.
const MAX_SLOW: u32 = 4;
/// The time that a solver may take beyond its own limit, beside as much as the limit.
const GRACE: Duration = Duration::from_millis(100);

/// Instances between two `(reset)` in a unit that uses `push` and `pop`. A `(reset)` of z3 takes longer than most of its checks.
const GROUP: u64 = 16;

/// The time for a failure that is run again, in time limits.
const PATIENCE: u32 = 10;

/// The part of the time limit that most units use: nearly all answers come at once, and the others would take most of the time.
const HASTE: u32 = 4;
/// The least time limit of a unit in haste.
const LEAST: Duration = Duration::from_millis(40);

/// Asks one solver.
pub(crate) struct Asker<'a> {
    variant: &'a Variant,
    settings: &'a Settings,
    limits: Limits,
    /// The profile in a session: checks end by themselves, if the solver can do that.
    profile: Profile,
    /// For solvers that read a file.
    file: PathBuf,
    session: Option<(Session, String)>,
    barren: u32,
    /// Instances between two `(reset)`, if it has that, and those since the last one.
    group: u64,
    since_reset: u64,
    /// What its sessions got.
    pub(crate) log: Log,
}

impl<'a> Asker<'a> {
    pub(crate) fn new(
        variant: &'a Variant,
        settings: &'a Settings,
        folder: &Path,
        worker: usize,
    ) -> Asker<'a> {
        Asker::with_file(variant, settings, folder.join(format!("{worker}-{}.smt2", variant.id)))
    }

    fn with_file(variant: &'a Variant, settings: &'a Settings, file: PathBuf) -> Asker<'a> {
        let limits = Limits { memory_how: variant.solver.profile.memory, ..settings.limits.clone() };
        let Profile { prelude, check_limit, .. } = variant.solver.profile.clone();
        let profile = Profile { prelude: [prelude, check_limit].concat(), ..variant.solver.profile.clone() };
        let (session, log) = (None, Log::default());
        Asker { variant, settings, limits, profile, file, session, barren: 0, group: 1, since_reset: 0, log }
    }

    /// Several instances, in levels of their own, between two `(reset)`: quicker, and another way through the solver. Failures are run again without others anyway.
    pub(crate) fn in_levels(self) -> Asker<'a> {
        Asker { group: if self.profile.levels { GROUP } else { 1 }, ..self }
    }

    /// With a part of the time limit, where a solver ends checks by itself: its process, and the start of that, keep their time.
    pub(crate) fn in_haste(mut self) -> Asker<'a> {
        if !self.profile.check_limit.is_empty() && self.profile.batch != Batch::None {
            let limit = self.limits.wall;
            self.limits.wall = (limit / HASTE).max(LEAST).min(limit);
        }
        self
    }

    /// Asks about the cases, in order; `each` gets the place of a case, the reply, and its place in the sessions, if it was asked in one. Cases that the solver's dialect cannot express get none, nor do
    /// those after many time limits. Returns false if it was cancelled.
    pub(crate) fn ask(
        &mut self,
        cases: &[Case],
        cancel: &Cancel,
        mut each: impl FnMut(usize, Reply, Option<Place>),
    ) -> bool {
        let mut waiting: VecDeque<usize> = (0..cases.len()).collect();
        let mut flying: VecDeque<usize> = VecDeque::new();
        let mut slow = 0;
        let most = MAX_SLOW * (1 + cases.len() as u32 / 50);
        while slow < most && (!waiting.is_empty() || !flying.is_empty()) {
            while flying.len() < MAX_IN_FLIGHT {
                let Some(&next) = waiting.front() else { break };
                let Some(parts) = self.parts(&cases[next]) else {
                    waiting.pop_front();
                    continue;
                };
                if !self.send(&cases[next], &parts, flying.is_empty()) {
                    break;
                }
                flying.extend(waiting.pop_front());
            }
            let Some(at) = flying.pop_front() else {
                // No session can be started, or none is of use: a process for each.
                let Some(at) = waiting.pop_front() else { break };
                let Some(ended) = self.fresh(&cases[at], cancel) else { return false };
                slow += u32::from(self.is_slow(ended.wall));
                each(at, reply_of(ended), None);
                continue;
            };
            let Some((session, _)) = &mut self.session else { break };
            let reply = session.receive(cancel);
            let first = session.answered() == 1;
            let place = self.log.answered(session.answered() as usize - 1, &reply);
            if reply.ending == Ending::Cancelled {
                return false;
            }
            if reply.ending != Ending::Running {
                self.session = None;
                self.barren = if first { self.barren + 1 } else { 0 };
                if reply.ending != Ending::WallLimit {
                    // Levels may be the reason.
                    self.group = 1;
                }
                flying.drain(..).rev().for_each(|at| waiting.push_front(at));
            }
            slow += u32::from(self.is_slow(reply.wall));
            each(at, reply, Some(place));
        }
        if slow >= most {
            // It may be busy with texts that nobody waits for.
            self.session = None;
        }
        true
    }

    /// The text of a case for one process with others; none if it is not asked.
    fn parts(&self, case: &Case) -> Option<Parts> {
        let mut wants = self.settings.rules().wants;
        wants.time = wants.time.min(self.limits.wall);
        compose_parts(case, &self.profile, 0, &wants).ok()
    }

    /// Sends a text; false if it does not fit the session now.
    fn send(&mut self, case: &Case, parts: &Parts, idle: bool) -> bool {
        let batch = self.variant.solver.profile.batch;
        if batch == Batch::None || self.barren >= MAX_BARREN {
            return false;
        }
        let fits = |(session, setup): &(Session, String)| {
            session.is_alive()
                && session.answered() < MAX_TEXTS
                && (batch == Batch::Reset || *setup == parts.setup)
        };
        if !self.session.as_ref().is_some_and(fits) {
            if !idle {
                return false;
            }
            let limits = Limits { wall: self.session_limit(), ..self.limits.clone() };
            let solver = &self.variant.solver;
            let Ok(session) = Session::start(&solver.program, &self.args(), &limits) else { return false };
            self.session = Some((session, String::new()));
            self.since_reset = 0;
            self.log.begin();
        }
        let Some((session, setup)) = &mut self.session else { return false };
        if batch == Batch::Reset {
            let Sent { text, after, since, reset, level } =
                in_group(parts, setup, self.group, self.since_reset);
            session.send(text.as_bytes(), after.as_bytes());
            setup.clone_from(&parts.setup);
            self.since_reset = since;
            self.log.sent(Entry::new(case, reset, level));
        } else {
            let before = if setup.is_empty() { parts.setup.as_str() } else { "" };
            session.send(format!("{before}(push 1)\n{}", parts.body).as_bytes(), b"(pop 1)\n");
            self.log.sent(Entry::new(case, setup.is_empty(), true));
            setup.clone_from(&parts.setup);
        }
        true
    }

    /// The time after which a session is ended; longer if the solver ends its checks by itself.
    fn session_limit(&self) -> Duration {
        let Limits { wall, cpu, .. } = self.settings.limits;
        let wall = wall.min(cpu.unwrap_or(wall));
        if self.profile.check_limit.is_empty() { wall } else { 2 * wall + GRACE }
    }

    /// The time limit of a question.
    pub(crate) fn limit(&self) -> Duration {
        self.limits.wall
    }

    /// A reply that took this long is at the time limit.
    fn is_slow(&self, wall: Duration) -> bool {
        wall >= self.limits.wall
    }

    fn args(&self) -> Vec<String> {
        let wants = self.settings.rules().wants;
        self.variant.solver.profile.args.iter().map(|arg| fill(arg, 0, &wants).into_owned()).collect()
    }

    /// Runs a process of its own; none if it was cancelled.
    pub(crate) fn fresh(&self, case: &Case, cancel: &Cancel) -> Option<Ended> {
        let text = compose(case, &self.variant.solver.profile, 0, &self.settings.rules().wants);
        self.run(text.map_err(|e| e.to_string()), cancel)
    }

    /// Runs a failing case again, in a process of its own that has more time; none if it was cancelled.
    pub(crate) fn again(&self, case: &Case, cancel: &Cancel) -> Option<Ended> {
        let limits = &self.settings.limits;
        let (wall, cpu) = (limits.wall * PATIENCE, limits.cpu.map(|cpu| cpu * PATIENCE));
        let limits = Limits { wall, cpu, ..self.limits.clone() };
        let asker = Asker { limits, ..Asker::with_file(self.variant, self.settings, self.file.clone()) };
        asker.fresh(case, cancel)
    }

    /// An asker for another solver, with the same settings and a file beside this one's.
    pub(crate) fn beside<'b>(&self, variant: &'b Variant) -> Asker<'b>
    where
        'a: 'b,
    {
        Asker::with_file(variant, self.settings, self.file.with_extension(format!("{}.smt2", variant.id)))
    }

    /// Runs a process on a text; none if it was cancelled.
    pub(crate) fn run(&self, text: Result<Vec<u8>, String>, cancel: &Cancel) -> Option<Ended> {
        let solver = &self.variant.solver;
        let what = text.and_then(|t| invocation(solver, self.args(), &self.file, t));
        let ended = match what {
            Ok(what) => process::run(&what, &self.limits, cancel),
            Err(why) => Ended::not_started(why),
        };
        (ended.ending != Ending::Cancelled).then_some(ended)
    }
}

/// What a session gets for an instance.
struct Sent {
    text: String,
    /// The text after it.
    after: &'static str,
    /// The number of instances since the last `(reset)` then.
    since: u64,
    /// The instance is the first one after a `(reset)`.
    reset: bool,
    /// It has a level of its own.
    level: bool,
}

/// The text of an instance that is one of a group between two `(reset)`. `setup` is that of the instance before, `since` the number of instances since the last `(reset)`.
fn in_group(parts: &Parts, setup: &str, group: u64, since: u64) -> Sent {
    let Parts { setup: own, body } = parts;
    // It would end the level that it is in, or leave levels of its own.
    let alone = group == 1 || ["(reset", "(push"].iter().any(|word| body.contains(word));
    let fits = since > 0 && setup == own && !alone;
    let before = match since {
        _ if fits => String::new(),
        0 => own.clone(),
        _ => format!("(reset)\n{own}"),
    };
    let since = if fits { since + 1 } else { 1 };
    let (text, after, since) = match (alone, since < group) {
        (true, _) => (format!("{before}{body}"), "(reset)\n", 0),
        (_, true) => (format!("{before}(push 1)\n{body}"), "(pop 1)\n", since),
        (_, false) => (format!("{before}(push 1)\n{body}"), "(pop 1)\n(reset)\n", 0),
    };
    Sent { text, after, since, reset: !fits, level: !alone }
}

fn reply_of(ended: Ended) -> Reply {
    Reply { output: ended.stdout, stderr: ended.stderr, wall: ended.wall, ending: ended.ending }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a solver gets for instances with these setups and bodies.
    fn sent(group: u64, instances: &[(&str, &str)]) -> String {
        let (mut all, mut setup, mut since) = (String::new(), String::new(), 0);
        for &(own, body) in instances {
            let parts = Parts { setup: own.into(), body: body.into() };
            let sent = in_group(&parts, &setup, group, since);
            all += &format!("{}{}", sent.text, sent.after);
            (setup, since) = (own.to_owned(), sent.since);
        }
        all.replace("(push 1)", "+").replace("(pop 1)", "-").replace("(reset)", "R").replace('\n', "")
    }

    /// A solver that starts slowly would answer nothing if its process had a part of the time only.
    #[test]
    fn haste_is_for_checks_and_not_for_processes() {
        crate::fake::with_solver("z3", "", |variant, asker| {
            let limits = |check_limit: &[&str]| {
                let mut variant = variant.copy();
                variant.solver.profile.check_limit = check_limit.iter().map(|&text| text.into()).collect();
                let asker = Asker::with_file(&variant, asker.settings, PathBuf::new()).in_haste();
                (asker.limit().as_millis(), asker.session_limit().as_millis())
            };
            assert_eq!(limits(&[]), (10_000, 10_000));
            assert_eq!(limits(&["(set-option :timeout {time-ms})"]), (2_500, 20_100));
        });
    }

    #[test]
    fn instances_of_a_group_have_levels_of_their_own() {
        assert_eq!(sent(1, &[("s", "a"), ("s", "b")]), "saRsbR");
        assert_eq!(sent(2, &[("s", "a"), ("s", "b"), ("s", "c")]), "s+a-+b-Rs+c-");
        assert_eq!(sent(3, &[("s", "a"), ("t", "b"), ("t", "c"), ("t", "d")]), "s+a-Rt+b-+c-+d-R");
        assert_eq!(sent(9, &[("s", "a"), ("s", "(push 2)"), ("s", "c")]), "s+a-Rs(push 2)Rs+c-");
        assert_eq!(
            sent(9, &[("s", "a"), ("s", "(reset-assertions)"), ("s", "c")]),
            "s+a-Rs(reset-assertions)Rs+c-"
        );
    }
}
