//! Triage: the failures of a campaign in groups by cause, each with one reduced representative.
//!
//! ```text
//! failing runs ─ same formula? ─ experiment on constants ─ reduction ─▶ examinations ─ groups ─▶ findings ─ run again, seeds, modes, versions
//! ```
//!
//! | module | job |
//! |---|---|
//! | `failures` | the failing runs of a store |
//! | `examine` | one failing run: reduced, or explained by others (`book`) |
//! | `ground` | the experiment: operators that the solver evaluates wrongly on constants |
//! | `guide` | reductions that stop at the shape of a failure that is known |
//! | `cause`, `languages`, `elsewhere`, `group`, `members` | groups, and how they are judged |
//! | `numbers` | numbers that stay the same |
//! | `relate` | groups that probably have one cause |
//! | `later`, `versions` | findings examined further |
//! | `known`, `pattern` | known issues |
//! | `summary` | the result in words |
//!
//! Each examination is recorded in the store at once, so that triage can be stopped and resumed. Failures are examined in waves of a fixed size: one
//! that is examined sees the results of earlier waves only, so that results do not depend on the number of threads.

mod book;
mod cause;
mod elsewhere;
mod examine;
mod failures;
mod ground;
mod group;
mod guide;
mod item;
mod known;
mod languages;
mod later;
mod members;
mod numbers;
mod pattern;
mod relate;
mod summary;
#[cfg(test)]
mod tests;
mod versions;

pub use summary::{Open, Summary};

use crate::bisect;
use book::Book;
use campaign::finding::{Examination, Finding};
use campaign::host::Host;
use campaign::outcome::Kind;
use campaign::profile::KnownIssue;
use campaign::store::{RunKey, Store};
use elsewhere::Elsewhere;
use examine::Examiner;
use failures::{Failure, Failures};
use group::Group;
use item::{Item, Refused};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// Failures that are examined before the results of one help with the next.
const WAVE: usize = 12;
/// The budget of a representative that is not reduced completely, in budgets of a failure.
const THOROUGH: u32 = 6;

/// How failures are examined.
#[derive(Clone, Debug)]
pub struct Options {
    /// The names of the solvers in the campaign; all if empty.
    pub solvers: Vec<String>,
    /// The kinds of failure; wrong results and errors if empty.
    pub kinds: Vec<Kind>,
    /// Also runs at a time limit.
    pub slow: bool,
    /// The work for the reduction of one failure: CPU time, and idle time of the solver.
    pub budget: Duration,
    /// Runs of the solver for the reduction of one failure.
    pub max_runs: u64,
    /// Failures at a time.
    pub jobs: usize,
    /// Seeds with which a representative is run; none if 0.
    pub seeds: u32,
    /// Find the versions and options that fail.
    pub bisect: bool,
    /// Second solvers, which confirm `unsat`; the newest cvc5 and z3 that are there, if none is named.
    pub seconds: Vec<String>,
    /// Known issues, besides those of profiles.
    pub known: Vec<KnownIssue>,
    /// Examine failures again that were examined before.
    pub again: bool,
    /// Only examine and group: representatives are not reduced further, and not run again.
    pub quick: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            solvers: Vec::new(),
            kinds: Vec::new(),
            slow: false,
            budget: Duration::from_secs(30),
            max_runs: 1500,
            jobs: campaign::provenance::cores(),
            seeds: 10,
            bisect: false,
            seconds: Vec::new(),
            known: Vec::new(),
            again: false,
            quick: false,
        }
    }
}

impl Options {
    /// Failures of this kind are examined.
    fn wants(&self, kind: Kind) -> bool {
        let slow = matches!(kind, Kind::WallTime | Kind::CpuTime | Kind::OwnLimit);
        let default = (kind.is_failure() && kind != Kind::NotStarted) || (self.slow && slow);
        if self.kinds.is_empty() { default } else { self.kinds.contains(&kind) }
    }
}

/// Groups the failures of a campaign. The results are kept in its store.
pub fn triage(store: &mut Store, options: &Options, host: &Host<'_>) -> anyhow::Result<Summary> {
    let failures = Failures::read(store, options)?;
    let mut work = Work { store, options, host, failures, trouble: BTreeMap::new() };
    work.examine()?;
    let mut refused = work.regroup()?;
    if !options.quick {
        work.finish_representatives()?;
        work.bisect()?;
        refused = work.regroup()?;
        work.examine_further()?;
    }
    work.summary(refused)
}

/// A failure by its place, and the finding from which it is reduced on, if there is one.
type Job = (usize, Option<Box<Finding>>);

/// A triage in progress.
struct Work<'a> {
    store: &'a mut Store,
    options: &'a Options,
    host: &'a Host<'a>,
    failures: Failures,
    /// Failures that could not be examined this time, and why.
    trouble: BTreeMap<RunKey, String>,
}

impl Work<'_> {
    /// Examines the failures that were not examined before.
    fn examine(&mut self) -> anyhow::Result<()> {
        if self.options.again {
            self.store.forget_elsewhere()?;
        }
        let items = self.items()?;
        let known = Book::of(&items);
        let done: BTreeSet<RunKey> = items.iter().filter(|i| !known.lacks(i)).map(|i| i.run).collect();
        let is_done = |f: &Failure| !self.options.again && done.contains(&f.run);
        let open: Vec<usize> =
            (0..self.failures.list.len()).filter(|&at| !is_done(&self.failures.list[at])).collect();
        let mut rest = Vec::new();
        for at in open {
            match self.failures.twin(at) {
                Some(twin) => {
                    let Failure { member, .. } = &self.failures.list[twin];
                    let same = Examination::Same { instance: member.instance.clone(), seed: member.seed };
                    self.store.set_examination(self.failures.list[at].run, &same)?;
                }
                None => rest.push(at),
            }
        }
        let (total, mut count) = (rest.len(), 0);
        let mut book = self.book(&rest)?;
        for wave in rest.chunks(WAVE) {
            let starts: Vec<Job> = wave.iter().map(|&at| (at, None)).collect();
            let state = |n: usize| format!("{} of {total} failures examined", count + n);
            let results = self.run(&starts, &book, self.options.budget, &state)?;
            results.iter().for_each(|result| book.add(result));
            count += wave.len();
            if self.host.cancel.is_cancelled() {
                break;
            }
        }
        Ok(())
    }

    /// The failures that are known, without those that are examined again.
    fn book(&self, again: &[usize]) -> anyhow::Result<Book> {
        let again: BTreeSet<RunKey> = again.iter().map(|&at| self.failures.list[at].run).collect();
        let mut items = self.items()?;
        items.retain(|item| !again.contains(&item.run));
        Ok(Book::of(&items))
    }

    /// Examines failures in parallel. Results are recorded at once, and returned in the order of the failures.
    fn run(
        &mut self,
        starts: &[Job],
        book: &Book,
        budget: Duration,
        state: &dyn Fn(usize) -> String,
    ) -> anyhow::Result<Vec<Examination>> {
        let (options, failures) = (self.options, &self.failures);
        let examiner = Examiner { options, budget, book, cancel: self.host.cancel };
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let (send, results) = mpsc::channel();
            for _ in 0..options.jobs.clamp(1, starts.len().max(1)) {
                let (send, next, examiner) = (send.clone(), &next, &examiner);
                scope.spawn(move || {
                    while let Some((at, from)) = starts.get(next.fetch_add(1, Ordering::SeqCst)) {
                        let failure = &failures.list[*at];
                        let result =
                            examiner.examine(failure, &failures.subjects[failure.solver], from.as_deref());
                        if send.send((*at, failure.run, result)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(send);
            let mut done = BTreeMap::new();
            for (n, (at, run, result)) in results.into_iter().enumerate() {
                match result {
                    Ok(Some(examination)) => {
                        self.store.set_examination(run, &examination)?;
                        done.insert(at, examination);
                    }
                    Ok(None) => {}
                    Err(e) => drop(self.trouble.insert(run, format!("{e:#}"))),
                }
                self.host.progress.update(n as u64, &|| state(n + 1));
            }
            Ok(done.into_values().collect())
        })
    }

    /// All examinations of the store.
    fn items(&self) -> anyhow::Result<Vec<Item>> {
        let names = &self.failures.names;
        let item = |e: campaign::store::Examined| {
            let (member, bytes) = names.member(e.run)?;
            Some(Item { run: e.run, member, bytes, examination: e.examination })
        };
        Ok(self.store.examinations()?.into_iter().filter_map(item).collect())
    }

    /// Groups examined failures.
    fn groups(&self, items: &[Item]) -> (Vec<Group>, Refused) {
        let (store, subjects, cancel) = (&*self.store, &self.failures.subjects[..], self.host.cancel);
        let elsewhere = Elsewhere { store, subjects, cancel };
        group::groups(items, &|first, other| elsewhere.fails(first, other))
    }

    /// Groups all examinations of the store, and records the groups; returns the failures that are in none.
    fn regroup(&mut self) -> anyhow::Result<Refused> {
        let (mut groups, refused) = self.groups(&self.items()?);
        numbers::assign(&mut groups, &self.store.findings()?);
        for Group { finding, .. } in &mut groups {
            finding.known = known::matching(finding, &self.options.known);
        }
        relate::relate(&mut groups.iter_mut().map(|g| &mut g.finding).collect::<Vec<_>>());
        let list: Vec<(Finding, Vec<RunKey>)> = groups.into_iter().map(|g| (g.finding, g.runs)).collect();
        self.store.set_findings(&list)?;
        Ok(refused)
    }

    /// Reduces the representatives further whose reduction ended at its budget.
    fn finish_representatives(&mut self) -> anyhow::Result<()> {
        let mut starts = Vec::new();
        let budget = self.options.budget * THOROUGH;
        let had_it = |f: &Finding| {
            f.reduced.seconds >= budget.as_secs_f64() || f.reduced.runs >= 2 * self.options.max_runs
        };
        let open = |f: &Finding| !f.reduced.complete && !had_it(f);
        for finding in self.store.findings()?.into_iter().filter(open) {
            let first = finding.members.iter().find(|m| m.reason == group::REPRESENTATIVE).cloned();
            let of = |f: &Failure| first.as_ref().is_some_and(|m| m.key() == f.member.key());
            if let Some(at) = self.failures.list.iter().position(of) {
                starts.push((at, Some(Box::new(finding))));
            }
        }
        let (total, book) = (starts.len(), Book::default());
        if starts.is_empty() || self.host.cancel.is_cancelled() {
            return Ok(());
        }
        self.run(&starts, &book, budget, &|n| format!("{n} of {total} representatives reduced further"))?;
        Ok(())
    }

    /// Finds the versions of representatives, and of other failures of their groups.
    fn bisect(&mut self) -> anyhow::Result<()> {
        if !self.options.bisect || self.host.cancel.is_cancelled() {
            return Ok(());
        }
        let items = self.items()?;
        let (groups, _) = self.groups(&items);
        let chosen: Vec<&Item> = versions::chosen(&items, &groups).into_iter().map(|at| &items[at]).collect();
        let mut findings: Vec<Finding> = chosen.iter().filter_map(|i| item::finding(i).cloned()).collect();
        let options = bisect::Options { jobs: self.options.jobs, ..bisect::Options::default() };
        let refused = match bisect::examine_all(&mut findings, &options, self.host) {
            Err(_) if self.host.cancel.is_cancelled() => return Ok(()),
            result => result?,
        };
        for (id, why) in refused {
            self.host.progress.notice(&format!("not bisected: {id}: {why}"));
        }
        for (item, finding) in chosen.iter().zip(findings) {
            self.store.set_examination(item.run, &Examination::Reduced(Box::new(finding)))?;
        }
        Ok(())
    }

    /// Runs representatives again, with other seeds, in a session, on other versions.
    fn examine_further(&mut self) -> anyhow::Result<()> {
        let findings = self.store.findings()?;
        let total = findings.len();
        for (n, mut finding) in findings.into_iter().enumerate() {
            if self.host.cancel.is_cancelled() {
                break;
            }
            self.host
                .progress
                .stage(n as u64, &|| format!("finding {} of {total}: seeds, modes, versions", n + 1));
            let Some(subject) = self.failures.subjects.iter().find(|s| s.solver.name == finding.solver.name)
            else {
                continue;
            };
            if let Err(e) = later::examine(&mut finding, subject, self.options, self.host) {
                if !self.host.cancel.is_cancelled() {
                    self.host.progress.notice(&format!("finding {}: {e:#}", finding.number));
                }
                continue;
            }
            finding.known = known::matching(&finding, &self.options.known);
            self.store.update_finding(&finding)?;
        }
        Ok(())
    }

    fn summary(&self, refused: Refused) -> anyhow::Result<Summary> {
        let mut findings = self.store.findings()?;
        findings.sort_by(|a, b| a.rank().cmp(&b.rank()));
        let done = self.store.examinations()?;
        let left = self.failures.list.iter().filter(|f| !done.iter().any(|e| e.run == f.run));
        let mut open: Vec<Open> = refused.into_iter().map(|(member, why)| Open { member, why }).collect();
        let why =
            |f: &Failure| self.trouble.get(&f.run).cloned().unwrap_or_else(|| "not examined yet".into());
        open.extend(left.map(|f| Open { member: f.member.clone(), why: why(f) }));
        let stopped = self.host.cancel.is_cancelled();
        Ok(Summary { store: self.store.path().to_owned(), findings, open, stopped })
    }
}
