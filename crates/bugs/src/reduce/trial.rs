//! A trial: edits are made, the truth is kept, the failure is looked for. Cheap conditions come first, and no script is tested twice.

use super::journal::{Journal, Key};
use super::search::Step;
use super::seeds::{Seeds, Tries};
use super::{Ended, Options, Start, State};
use crate::deadline::unless;
use crate::doc::Doc;
use crate::passes::{Candidate, Edit, apply};
use crate::property::{Attempt, Property, Stop, Test};
use crate::truth::{Keeper, Label};
use campaign::finding::Observed;
use campaign::host::Host;
use campaign::process::{Cancel, work_of_thread};
use rustc_hash::{FxHashSet, FxHasher};
use semantics::Status;
use smt::Command;
use std::hash::{Hash as _, Hasher as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What trials share.
pub(super) struct Lab<'a> {
    pub(super) property: &'a dyn Property,
    pub(super) keeper: &'a Keeper,
    pub(super) options: &'a Options,
    /// The user.
    pub(super) host: &'a Host<'a>,
    /// Stops trials: the user does, or the deadline.
    pub(super) cancel: &'a Cancel,
    pub(super) journal: Mutex<Journal>,
    pub(super) started: Instant,
    /// Nanoseconds.
    worked: AtomicU64,
    pub(super) runs: AtomicU64,
    pub(super) cached: AtomicU64,
    pub(super) unknown: AtomicU64,
    /// The solver reads another text than the script.
    is_composed: bool,
    /// Scripts whose answer is not known.
    unlabelled: Mutex<FxHashSet<Key>>,
    /// A result could not be written.
    pub(super) broken: Mutex<Option<std::io::Error>>,
}

/// The changes that were tried in vain, by the commands that they touch. The rest of the script may have been another one.
pub(super) type Vain = FxHashSet<u64>;

/// A change that was in vain.
pub(super) struct InVain {
    /// Its hash.
    pub(super) change: u64,
    /// The solver was run on it, now or before.
    pub(super) tested: bool,
}

/// The result of a trial; of a failed one its change, if there was one.
pub(super) type Tried = Step<Box<State>, Option<InVain>, Ended>;

impl<'a> Lab<'a> {
    pub(super) fn new(
        property: &'a dyn Property,
        keeper: &'a Keeper,
        options: &'a Options,
        (host, cancel): (&'a Host<'a>, &'a Cancel),
        journal: Journal,
        start: &Start,
    ) -> Lab<'a> {
        let none = || AtomicU64::new(0);
        Lab {
            property,
            keeper,
            options,
            host,
            cancel,
            journal: Mutex::new(journal),
            started: Instant::now(),
            worked: none(),
            runs: none(),
            cached: none(),
            unknown: none(),
            is_composed: property.sent(&start.doc, &start.label, property.seed()).is_some(),
            unlabelled: Mutex::default(),
            broken: Mutex::new(None),
        }
    }

    /// Tries some edits of one pass. Changes that are known to be in vain are not tried.
    pub(super) fn attempt(
        &self,
        state: &State,
        edits: &[Edit],
        vain: Option<&Vain>,
        seeds: Seeds,
        cancel: &Cancel,
    ) -> Tried {
        if let Some(ended) = self.is_over(cancel) {
            return Step::End(ended);
        }
        let before = work_of_thread();
        let tried = unless(cancel, || self.tried(state, edits, vain, seeds, cancel));
        let tried = match tried {
            None | Some(Step::End(Ended::Stop(Stop::Cancelled))) => Step::End(self.stopped(cancel)),
            Some(tried) => tried,
        };
        let worked = work_of_thread().saturating_sub(before);
        self.worked.fetch_add(u64::try_from(worked.as_nanos()).unwrap_or(u64::MAX / 2), Ordering::SeqCst);
        tried
    }

    /// The work of all attempts.
    pub(super) fn work(&self) -> Duration {
        Duration::from_nanos(self.worked.load(Ordering::SeqCst))
    }

    fn tried(
        &self,
        state: &State,
        edits: &[Edit],
        vain: Option<&Vain>,
        seeds: Seeds,
        cancel: &Cancel,
    ) -> Tried {
        let Some(candidate) = apply(&state.doc, edits).filter(|c| self.still_asks(&state.doc, &c.doc)) else {
            return Step::Failure(None);
        };
        let change = change(&state.doc, &candidate.doc);
        if vain.is_some_and(|vain| vain.contains(&change)) {
            return Step::Failure(None);
        }
        match self.test(state, candidate, seeds, cancel) {
            Ok(Ok(state)) => Step::Success(Box::new(state)),
            Ok(Err(tested)) => Step::Failure(Some(InVain { change, tested })),
            Err(ended) => Step::End(ended),
        }
    }

    /// The script asks a question, if the old one did: a solver is always asked, but the script shall fail by itself.
    fn still_asks(&self, old: &Doc, new: &Doc) -> bool {
        let asks = |doc: &Doc| {
            doc.script.commands().any(|c| matches!(c, Command::CheckSat | Command::CheckSatAssuming(_)))
        };
        !self.is_composed || asks(new) || !asks(old)
    }

    /// The script with its failure and its truth, if it has them; otherwise whether the solver was run.
    fn test(
        &self,
        state: &State,
        candidate: Candidate,
        seeds: Seeds,
        cancel: &Cancel,
    ) -> Result<Result<State, bool>, Ended> {
        let tries = Tries::after(&state.observed, seeds);
        if self.is_early(&state.label) && self.is_in_vain(&candidate.doc, &state.label, tries) {
            self.cached.fetch_add(1, Ordering::Relaxed);
            return Ok(Err(true));
        }
        let Some(label) = self.label(state, &candidate) else {
            self.unknown.fetch_add(1, Ordering::Relaxed);
            return Ok(Err(false));
        };
        let Some(observed) = self.observe(&candidate.doc, &label, tries, cancel)? else {
            return Ok(Err(true));
        };
        let label = self.confirmed(label, &candidate, cancel)?;
        Ok(label.map(|label| State { doc: candidate.doc, label, observed }).ok_or(true))
    }

    /// The label of a script. That it has none is remembered, since several edits may make the same script.
    fn label(&self, state: &State, candidate: &Candidate) -> Option<Label> {
        if !self.property.needs_truth() {
            return Some(Label::not_needed(&candidate.doc));
        }
        let effect = format!("{:?}", candidate.effect);
        let key = Key::of(&[state.doc.text(), candidate.doc.text(), &effect]);
        let unlabelled = || self.unlabelled.lock().unwrap_or_else(PoisonError::into_inner);
        if unlabelled().contains(&key) {
            return None;
        }
        let label = self.keeper.label(&state.label, &state.doc, candidate);
        if label.is_none() {
            unlabelled().insert(key);
        }
        label
    }

    /// The seeds that are tried: the first, then the others.
    fn numbers(&self, Tries { first, seeds, .. }: Tries) -> Vec<u64> {
        let (Seeds::Any(n) | Seeds::Every(n)) = seeds else { return vec![first] };
        let base = self.property.seed();
        let others = (0..n).map(|i| base.saturating_add(i)).filter(|&seed| seed != first);
        std::iter::once(first).chain(others).take(usize::try_from(n).unwrap_or(usize::MAX)).collect()
    }

    /// It is known not to fail with these seeds.
    fn is_in_vain(&self, doc: &Doc, label: &Label, tries: Tries) -> bool {
        let numbers = self.numbers(tries);
        let mut vain = numbers.iter().map(|&seed| self.known(doc, label, tries.attempt(seed)) == Some(None));
        if matches!(tries.seeds, Seeds::Every(_)) { vain.any(|v| v) } else { vain.all(|v| v) }
    }

    /// The failure with these seeds, from the journal or by tests; of all, the first one.
    pub(super) fn observe(
        &self,
        doc: &Doc,
        label: &Label,
        tries: Tries,
        cancel: &Cancel,
    ) -> Result<Option<Observed>, Ended> {
        let every = matches!(tries.seeds, Seeds::Every(_));
        let mut found = None;
        for seed in self.numbers(tries) {
            let observed = self.observe_one(doc, label, tries.attempt(seed), cancel)?;
            if observed.is_some() != every {
                return Ok(observed);
            }
            found = found.or(observed);
        }
        Ok(found)
    }

    fn observe_one(
        &self,
        doc: &Doc,
        label: &Label,
        attempt: Attempt,
        cancel: &Cancel,
    ) -> Result<Option<Observed>, Ended> {
        if let Some(known) = self.known(doc, label, attempt) {
            self.cached.fetch_add(1, Ordering::Relaxed);
            return Ok(known);
        }
        let observed = self.run(doc, label, attempt, cancel)?;
        self.record(self.key(doc, label, attempt), observed.clone())?;
        Ok(observed)
    }

    /// The result of an attempt. What does not fail in the usual time does not in less either.
    fn known(&self, doc: &Doc, label: &Label, attempt: Attempt) -> Option<Option<Observed>> {
        let usual = self.result(self.key(doc, label, attempt.seed.into()));
        usual.or_else(|| attempt.time.and_then(|_| self.result(self.key(doc, label, attempt))))
    }

    /// A test.
    fn run(
        &self,
        doc: &Doc,
        label: &Label,
        attempt: Attempt,
        cancel: &Cancel,
    ) -> Result<Option<Observed>, Ended> {
        if let Some(max) = self.options.max_runs
            && self
                .runs
                .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| (n < max).then_some(n + 1))
                .is_err()
        {
            return Err(Ended::Limit(RUNS));
        } else if self.options.max_runs.is_none() {
            self.runs.fetch_add(1, Ordering::SeqCst);
        }
        match self.property.test(doc, label, attempt, cancel) {
            Test::Holds(observed) => Ok(Some(*observed)),
            Test::Fails(_) => Ok(None),
            Test::Stopped(stop) => Err(Ended::Stop(stop)),
        }
    }

    /// The label after second solvers were asked. A refusal is remembered: the solvers may be at the limit of their time.
    fn confirmed(
        &self,
        label: Label,
        candidate: &Candidate,
        cancel: &Cancel,
    ) -> Result<Option<Label>, Ended> {
        if !self.property.needs_truth() {
            return Ok(Some(label));
        }
        let statuses = statuses(&label);
        let effect = format!("{:?}", candidate.effect);
        let key = Key::of(&[candidate.doc.text(), &statuses, "confirmed", &effect]);
        if self.result(key).is_some() {
            return Ok(None);
        }
        let confirmed = self.keeper.confirm(label, &candidate.doc, cancel);
        if cancel.is_cancelled() {
            return Err(Ended::Stop(Stop::Cancelled));
        }
        if confirmed.is_none() {
            self.unknown.fetch_add(1, Ordering::Relaxed);
            self.record(key, None)?;
        }
        Ok(confirmed)
    }

    /// The keys of scripts do not depend on the label that is still to be found: the answer of a single check never changes.
    fn is_early(&self, parent: &Label) -> bool {
        !self.property.needs_truth() || parent.checks.len() == 1
    }

    fn key(&self, doc: &Doc, label: &Label, Attempt { seed, time }: Attempt) -> Key {
        let statuses = if self.property.needs_truth() { statuses(label) } else { String::new() };
        match time {
            None if seed == self.property.seed() => Key::of(&[doc.text(), &statuses]),
            None => Key::of(&[doc.text(), &statuses, &seed.to_string()]),
            Some(time) => Key::of(&[doc.text(), &statuses, &seed.to_string(), &format!("{time:?}")]),
        }
    }

    fn result(&self, key: Key) -> Option<Option<Observed>> {
        self.journal().get(key).cloned()
    }

    fn record(&self, key: Key, holds: Option<Observed>) -> Result<(), Ended> {
        let written = self.journal().put(key, holds);
        written.map_err(|e| {
            *self.broken.lock().unwrap_or_else(PoisonError::into_inner) = Some(e);
            Ended::Stop(Stop::Cancelled)
        })
    }

    fn journal(&self) -> MutexGuard<'_, Journal> {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why no test may be started.
    fn is_over(&self, cancel: &Cancel) -> Option<Ended> {
        let over = cancel.is_cancelled()
            || self.host.cancel.is_cancelled()
            || self.is_late()
            || self.options.work.is_some_and(|limit| self.work() >= limit);
        over.then(|| self.stopped(cancel))
    }

    fn is_late(&self) -> bool {
        self.options.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Why work was stopped: the user comes first, then the limits; otherwise it was no longer needed.
    pub(super) fn stopped(&self, cancel: &Cancel) -> Ended {
        let needless = cancel.is_cancelled() && !self.cancel.is_cancelled();
        if self.host.cancel.is_cancelled() || needless {
            Ended::Stop(Stop::Cancelled)
        } else {
            Ended::Limit(TIME)
        }
    }
}

/// The limit of time, in words.
const TIME: &str = "the time for the reduction";
/// The limit of tests, in words.
const RUNS: &str = "the number of runs";

/// The answers of a label.
fn statuses(label: &Label) -> String {
    let code = |status: Status| match status {
        Status::Sat => 's',
        Status::Unsat => 'u',
        Status::Unknown => '?',
    };
    label.checks.iter().map(|c| code(c.status)).collect()
}

/// The hash of the lines that differ.
fn change(old: &Doc, new: &Doc) -> u64 {
    let lines = |doc: &'_ Doc| -> FxHashSet<u64> { doc.text().lines().map(line).collect() };
    let (before, after) = (lines(old), lines(new));
    let mut hasher = FxHasher::default();
    old.text().lines().filter(|l| !after.contains(&line(l))).for_each(|l| l.hash(&mut hasher));
    "becomes".hash(&mut hasher);
    new.text().lines().filter(|l| !before.contains(&line(l))).for_each(|l| l.hash(&mut hasher));
    hasher.finish()
}

fn line(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish()
}
