//! The loop of a hunt: rounds of units, triage of the failures, until the budget ends or it is stopped.
//!
//! A round is a fixed number of units, chosen from the state after the round before; their results are merged in order. So a hunt depends on
//! its seed and on the solvers, not on the number of threads, as long as no time limit interferes.

use crate::arms::Yield;
use crate::state::State;
use crate::summary::Summary;
use crate::unit::{self, Done, Failure, Unit};
use crate::variant::{self, Variant, has_operator, pairs};
use crate::workers::{Until, Workers};
use anyhow::Context as _;
use bugs::triage::{self, triage};
use campaign::finding::words::title;
use campaign::host::{Host, Progress};
use campaign::outcome::Kind;
use campaign::process::{Cancel, CpuTime};
use campaign::settings::Settings;
use campaign::store::{InstanceRow, RunRow, Store};
use semantics::instance::Instance;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use synth::sources::{Library, Shape, Source};

/// Units of a round.
const ROUND: usize = 16;
/// How many times more instances a unit of a source of small formulas has: they take a fraction of the time of others.
const MANY: u64 = 4;
/// Rounds without any instance after which a hunt ends.
const BARREN: u32 = 20;
/// Failures that are kept although they were not there again.
const FLAKY: u64 = 10;
/// Failures that are examined together.
const PENDING: u64 = 8;
/// The longest time that a failure waits to be examined.
const PATIENCE: Duration = Duration::from_secs(60);

/// How to hunt.
pub struct Options {
    /// The sources.
    pub sources: Vec<&'static Source>,
    /// The seed of the instances.
    pub seed: u64,
    /// The wall-clock time; no limit if there is none.
    pub time: Option<Duration>,
    /// The CPU time, solvers included; no limit if there is none.
    pub cpu: Option<Duration>,
    /// The number of instances; no limit if there is none.
    pub instances: Option<u64>,
    /// The number of findings after which it ends; no limit if there is none.
    pub findings: Option<u64>,
    /// Instances of a unit.
    pub unit: u64,
    /// The shape of formulas.
    pub shape: Shape,
    /// Rules for contradictions.
    pub rules: Arc<Library>,
    /// Files to mutate.
    pub corpus: Arc<Vec<Instance>>,
    /// Error messages and rejected scripts are failures too.
    pub errors: bool,
    /// How failures are examined in the end; in between without seeds and versions.
    pub triage: triage::Options,
    /// It is a part of a hunt: in the end, failures are examined as in between.
    pub part: bool,
}

/// What a hunt is doing.
pub struct Status<'a> {
    /// The state.
    pub state: &'a State,
    /// Instances per second since the start of this session.
    pub rate: f64,
    /// Wall-clock time of this session.
    pub elapsed: Duration,
    /// The share of the budget that is used; none without one.
    pub used: Option<f64>,
    /// The titles of the findings, with their numbers of failures, those that matter most first.
    pub findings: &'a [(String, u64)],
    /// Legal pairs of operators that were seen, and all.
    pub pairs: (u64, u64),
    /// The present work.
    pub doing: &'a str,
}

/// Shows a hunt.
pub trait Observer: Sync {
    /// The state has changed.
    fn show(&self, status: &Status<'_>);

    /// Shows a line to the user.
    fn notice(&self, text: &str);
}

/// Hunts until the budget ends or it is stopped. The state and the failures are in `store`, whose solvers are those of the hunt.
pub fn run(
    store: &mut Store,
    settings: &Settings,
    options: &Options,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> anyhow::Result<Summary> {
    let variants = variants(store, settings, options)?;
    let state = State::read(store)?.unwrap_or_default();
    let mut hunt = Hunt {
        store,
        settings,
        options,
        variants: &variants,
        state,
        observer,
        cancel,
        start: Instant::now(),
        before: Clock::default(),
        made_before: 0,
        pending: 0,
        since: Instant::now(),
        titles: Vec::new(),
    };
    hunt.prepare()?;
    hunt.rounds()?;
    hunt.end()
}

/// The solvers of the store, with material for their instances.
fn variants(store: &Store, settings: &Settings, options: &Options) -> anyhow::Result<Vec<Variant>> {
    let mut all = Vec::new();
    for row in store.solvers()? {
        let solver = settings.origin.locate(row.solver(store.path())?);
        let material = variant::material(&solver, &options.shape, &options.rules, &options.corpus);
        let binary = variant::binary(&solver);
        all.push(Variant { solver, id: row.id, material, binary });
    }
    Ok(all)
}

/// Seconds of earlier sessions, and the CPU time of this process at the start of this one.
#[derive(Clone, Copy, Default)]
struct Clock {
    seconds: f64,
    own: f64,
    solvers: f64,
    cpu: CpuTime,
}

impl Clock {
    fn of(state: &State) -> Clock {
        Clock { seconds: state.seconds, own: state.cpu_own, solvers: state.cpu_solvers, cpu: CpuTime::now() }
    }
}

struct Hunt<'a> {
    store: &'a mut Store,
    settings: &'a Settings,
    options: &'a Options,
    variants: &'a [Variant],
    state: State,
    observer: &'a dyn Observer,
    cancel: &'a Cancel,
    start: Instant,
    /// Time and instances of earlier sessions.
    before: Clock,
    made_before: u64,
    /// Failures that wait for triage, and since when.
    pending: u64,
    since: Instant,
    titles: Vec<(String, u64)>,
}

impl Hunt<'_> {
    fn prepare(&mut self) -> anyhow::Result<()> {
        // All sources come before the second set of options.
        for variant in self.variants {
            let has = |op| has_operator(&variant.solver, op);
            for source in self.options.sources.iter().filter(|s| s.fits(&has)) {
                self.state.arms.place(source.name, &variant.solver.name);
            }
        }
        // A round that was not finished may have recorded failures; it is repeated.
        let last = self.store.instances(false)?.iter().map(|row| row.id).max().unwrap_or(0);
        self.state.kept = self.state.kept.max(last.cast_unsigned());
        self.before = Clock::of(&self.state);
        self.made_before = self.state.instances();
        let done = self.store.examinations()?.len();
        self.pending = (self.store.run_keys()?.len().saturating_sub(done)) as u64;
        let findings = self.store.findings()?;
        self.learn(&findings);
        Ok(())
    }

    /// The budget is used, or it was stopped.
    fn is_over(&self) -> bool {
        self.cancel.is_cancelled()
            || self.until().is_over()
            || self.options.instances.is_some_and(|n| self.state.instances() - self.made_before >= n)
            || self.options.findings.is_some_and(|n| self.titles.len() as u64 >= n)
    }

    /// Records the state, with the time so far.
    fn write(&mut self) -> anyhow::Result<()> {
        let Clock { seconds, own, solvers, cpu } = self.before;
        let now = CpuTime::now();
        self.state.seconds = seconds + self.start.elapsed().as_secs_f64();
        self.state.cpu_own = own + now.own.saturating_sub(cpu.own).as_secs_f64();
        self.state.cpu_solvers = solvers + now.children.saturating_sub(cpu.children).as_secs_f64();
        self.state.write(self.store)
    }

    fn rounds(&mut self) -> anyhow::Result<()> {
        let folder = tempfile::tempdir().context("cannot create a folder for files")?;
        let (variants, settings, cancel) = (self.variants, self.settings, self.cancel);
        let context = unit::Context { settings, errors: self.options.errors, variants };
        let pool =
            Workers { variants, context: &context, cancel, folder: folder.path(), until: self.until() };
        let mut barren = 0;
        while !self.is_over() {
            let units = self.plan();
            let results = self.round(&pool, &units)?;
            barren = if results.values().any(|done| done.made > 0) { 0 } else { barren + 1 };
            self.merge(&units, results)?;
            if barren == BARREN {
                self.observer
                    .notice("stopping: the sources make no instances that the solvers can be asked about");
                break;
            }
            let waits = self.since.elapsed() > PATIENCE || self.options.findings.is_some();
            if self.pending >= PENDING || (self.pending > 0 && waits) {
                self.triage(false)?;
            }
        }
        Ok(())
    }

    /// Does the units; the screen shows each one that is done. If the hunt ends at a number of findings, no unit is begun after a failure: it may be the last.
    fn round(&self, pool: &Workers<'_>, units: &[Unit]) -> anyhow::Result<BTreeMap<u64, Done>> {
        self.show("running solvers");
        let shown = Mutex::new((self.snapshot(), 0));
        let each = |unit: &Unit, done: &Done| {
            let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
            let (snapshot, count) = &mut *shown;
            *count += 1;
            snapshot.state.tally(unit.arm, done);
            snapshot.made += done.made;
            snapshot.show(self.observer, &format!("running solvers, {count} of {} units", units.len()));
            self.options.findings.is_none() || done.failures.is_empty()
        };
        let mut results = pool.round(units, self.settings.jobs, &each)?;
        // Another thread may have gone further: the result does not depend on that.
        let last = results.iter().find(|(_, done)| !done.failures.is_empty()).map(|(&number, _)| number);
        if let (Some(last), Some(_)) = (last, self.options.findings) {
            results.retain(|&number, _| number <= last);
        }
        Ok(results)
    }

    fn until(&self) -> Until {
        let before = self.before.cpu.own + self.before.cpu.children;
        Until {
            wall: self.options.time.map(|t| self.start + t),
            cpu: self.options.cpu.map(|t| before + t),
            before,
        }
    }

    /// The units of the next round.
    fn plan(&mut self) -> Vec<Unit> {
        let mut units = Vec::new();
        for arm in self.state.arms.next_round(ROUND) {
            let at = &self.state.arms.list[arm];
            let Some(source) = self.options.sources.iter().find(|s| s.name == at.source) else { continue };
            let Some(variant) = self.variants.iter().position(|v| v.solver.name == at.solver) else {
                continue;
            };
            let next = self.state.next.entry(at.source.clone()).or_default();
            let many = if source.is_small() { MANY } else { 1 };
            let (first, count) = (*next, self.options.unit * many);
            *next += count;
            let number = self.state.units;
            self.state.units += 1;
            units.push(Unit { number, arm, source, variant, seed: self.options.seed, first, count });
        }
        units
    }

    /// Takes the results of a round, in the order of its units.
    fn merge(&mut self, units: &[Unit], results: BTreeMap<u64, Done>) -> anyhow::Result<()> {
        self.state.arms.age();
        for unit in units {
            let Some(done) = results.get(&unit.number) else { continue };
            let gained = Yield { pairs: self.state.coverage.merge(&done.coverage), ..Yield::default() };
            self.tally(unit, done);
            let fresh = self.keep(unit, done)?;
            let limits = [Kind::OwnLimit, Kind::WallTime, Kind::CpuTime];
            let slow = limits.iter().filter_map(|kind| done.kinds.get(kind)).sum();
            self.state.arms.record(unit.arm, Yield { failures: fresh, ..gained }, slow);
        }
        self.write()
    }

    fn tally(&mut self, unit: &Unit, done: &Done) {
        self.state.tally(unit.arm, done);
        self.state.session_only += done.session_only;
        self.state.unrepeated(&done.unrepeated);
        self.state.unlabelled += done.unlabelled;
        self.state.backed += done.backed;
        let solver = &self.variants[unit.variant].solver.name;
        done.remarks.iter().for_each(|words| self.state.remark(solver, words));
        self.state.asked += done.asked.as_secs_f64();
        self.state.own += done.own.as_secs_f64();
        for text in &done.mislabelled {
            self.observer
                .notice("error of a source: a model refutes the label of an instance; please report it");
            self.state.mislabelled.push(text.clone());
        }
    }

    /// Records the failures that are to be examined, and the first flaky ones; returns how many are like no known finding.
    fn keep(&mut self, unit: &Unit, Done { failures, flaky, .. }: &Done) -> anyhow::Result<u64> {
        let profile = &self.variants[unit.variant].solver.profile.name;
        let (mut fresh, mut names) = (0, BTreeSet::new());
        for failure in failures {
            let (examined, new) = self.state.ledger.admit(profile, failure.run.kind, &failure.operators);
            fresh += u64::from(new);
            if examined {
                self.named(failure, &mut names)?;
            }
        }
        for failure in flaky {
            if self.state.flaky < FLAKY {
                self.state.flaky += 1;
                self.named(failure, &mut names)?;
            }
        }
        Ok(fresh)
    }

    /// Records a failure by a name of its own: an instance may fail in several ways, by its answer and by statements about its model.
    fn named(&mut self, failure: &Failure, names: &mut BTreeSet<String>) -> anyhow::Result<()> {
        let mut instance = failure.instance.clone();
        while !names.insert(instance.name.clone()) {
            instance.name.push('+');
        }
        self.record(instance, &failure.run)
    }

    fn record(&mut self, mut instance: InstanceRow, run: &RunRow) -> anyhow::Result<()> {
        let id = match self.store.instance_named(&instance.name)? {
            Some(id) if self.store.run(id, run.solver, run.seed)?.is_some() => return Ok(()),
            Some(id) => id,
            None => {
                self.state.kept += 1;
                instance.id = i64::try_from(self.state.kept).unwrap_or(i64::MAX);
                let id = instance.id;
                self.store.add_instances(&[instance])?;
                id
            }
        };
        self.store.add_runs(&[RunRow { instance: id, ..run.clone() }], true)?;
        if self.pending == 0 {
            self.since = Instant::now();
        }
        self.pending += 1;
        Ok(())
    }

    /// Examines the failures that wait; in the end also seeds and versions.
    fn triage(&mut self, last: bool) -> anyhow::Result<triage::Options> {
        let start = Instant::now();
        let wanted = &self.options.triage;
        let options = if last { wanted.clone() } else { triage::Options { quick: true, ..wanted.clone() } };
        let known: BTreeSet<u32> = self.store.findings()?.iter().map(|f| f.number).collect();
        let shown = Shown { hunt: Mutex::new(self.snapshot()), observer: self.observer };
        triage(self.store, &options, &Host { progress: &shown, cancel: self.cancel })?;
        let findings = self.store.findings()?;
        for finding in findings.iter().filter(|f| !known.contains(&f.number)) {
            self.credit(finding);
        }
        self.learn(&findings);
        self.pending = 0;
        self.state.triage += start.elapsed().as_secs_f64();
        self.write()?;
        Ok(options)
    }

    /// The arm that a new finding comes from has the yield.
    fn credit(&mut self, finding: &campaign::finding::Finding) {
        self.observer.notice(&format!("new: {}", title(finding)));
        let Some(member) = finding.members.first() else { return };
        let Some(source) = member.instance.split('/').nth(1) else { return };
        let at = self.state.arms.place(source, &member.solver);
        self.state.arms.reward(at, 1);
    }

    fn learn(&mut self, findings: &[campaign::finding::Finding]) {
        self.state.ledger.learn(findings);
        let mut ranked: Vec<_> = findings.iter().collect();
        ranked.sort_by_key(|f| f.rank());
        self.titles = ranked.iter().map(|f| (title(f), f.members.len() as u64)).collect();
    }

    fn end(mut self) -> anyhow::Result<Summary> {
        if !self.cancel.is_cancelled() {
            self.triage(!self.options.part)?;
        }
        self.write()?;
        Summary::read(self.store, self.cancel.is_cancelled())
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot {
            state: self.state.clone(),
            made: self.state.instances() - self.made_before,
            start: self.start,
            until: self.until(),
            wanted: self.options.instances,
            titles: self.titles.clone(),
            pairs: pairs(&self.state.coverage, self.variants.iter().map(|v| &v.solver)),
        }
    }

    fn show(&self, doing: &str) {
        self.snapshot().show(self.observer, doing);
    }
}

/// The state that is shown while units or triage run.
struct Snapshot {
    state: State,
    /// Instances of this session.
    made: u64,
    start: Instant,
    until: Until,
    /// Instances that are wanted.
    wanted: Option<u64>,
    titles: Vec<(String, u64)>,
    pairs: (u64, u64),
}

impl Snapshot {
    fn show(&self, observer: &dyn Observer, doing: &str) {
        let elapsed = self.start.elapsed();
        let made = self.wanted.map(|n| self.made as f64 / n.max(1) as f64);
        let used = [self.until.used(self.start), made].into_iter().flatten().reduce(f64::max);
        observer.show(&Status {
            state: &self.state,
            rate: self.made as f64 / elapsed.as_secs_f64().max(1e-3),
            elapsed,
            used,
            findings: &self.titles,
            pairs: self.pairs,
            doing,
        });
    }
}

/// Shows the progress of triage as the present work.
struct Shown<'a> {
    hunt: Mutex<Snapshot>,
    observer: &'a dyn Observer,
}

impl Progress for Shown<'_> {
    fn update(&self, _: u64, state: &dyn Fn() -> String) {
        let hunt = self.hunt.lock().unwrap_or_else(PoisonError::into_inner);
        hunt.show(self.observer, &format!("triage: {}", state()));
    }

    fn notice(&self, text: &str) {
        self.observer.notice(text);
    }
}
