//! Compares two campaigns: broken, fixed, slower.
//!
//! Runs are matched by the instance's name, the solver and the seed. Instances with the same name but different formulas are not
//! compared.
//!
//! Times are compared on one set, the runs with the same answer and verdict in both campaigns: their sum, the geometric mean of their
//! ratios, and the candidates for slowdowns and speed-ups, which are claimed only after re-runs ([`speed`]). An answer in one campaign
//! and a time limit in the other is a candidate too: it is a claim about speed, not about the answer.

pub mod speed;
pub mod text;
pub mod times;

use super::data::{Data, Run};
use crate::clean::one_line;
use crate::outcome::{Answer, Verdict};
use crate::store::{RunRow, Store, StoreError};
use serde_json::{Value, json};
use speed::{Direction, Finding, Reason, Speed};
use std::collections::BTreeMap;
use std::time::Duration;
use times::{Clock, Sums, Times, Was};

/// A run that takes this many times as long …
const RATIO: f64 = 2.0;
/// … and this much longer is a candidate.
const DIFFERENCE: Duration = Duration::from_millis(100);
/// Instances whose runs are read together.
const PAGE: usize = 512;

/// Why two campaigns cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    /// A name of `--map` that is not there.
    #[error("--map {old}={new}: there is no solver `{missing}` in {store}; it has {there}")]
    NoSolver {
        /// The older solver.
        old: String,
        /// The newer one.
        new: String,
        /// Which of the two is missing.
        missing: String,
        /// Where.
        store: String,
        /// The solvers that it has.
        there: String,
    },
    /// No solver of the one is in the other.
    #[error("the campaigns have no solver in common ({old} against {new}); match them with --map OLD=NEW")]
    NothingInCommon {
        /// The older solvers.
        old: String,
        /// The newer ones.
        new: String,
    },
}

/// The comparison.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The older store.
    pub old: String,
    /// The newer store.
    pub new: String,
    /// The pairs of solvers.
    pub pairs: Vec<Pair>,
    /// ok before and not now, or worse by the order of soundness; worst first.
    pub broken: Vec<Change>,
    /// ok now and not before, or better.
    pub fixed: Vec<Change>,
    /// Another verdict or kind that is neither worse nor better.
    pub changed: Vec<Change>,
    /// Those that seem slower or faster, and what re-runs say: slower ones first, each those that differ most first.
    pub speeds: Vec<Speed>,
    /// Instances that are in the new store only.
    pub added: Vec<String>,
    /// Instances that are in the old store only.
    pub absent: Vec<String>,
    /// Instances of one name with different formulas: not compared.
    pub different: Vec<String>,
    /// Runs of common instances that only one of the stores has, or whose solver was asked only once.
    pub unmatched: u64,
    /// The time limits, then and now.
    pub limits: (Duration, Duration),
    /// Runs at a time limit that take longer than it under the other one: not compared.
    pub explained: u64,
}

/// A solver of the old store, and the one of the new store it is compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The name in the old store.
    pub old: String,
    /// The name in the new store.
    pub new: String,
    /// Its version in the old store.
    pub old_version: String,
    /// Its version in the new store.
    pub new_version: String,
    /// Runs compared.
    pub runs: u64,
    /// Runs ok before.
    pub old_ok: u64,
    /// Runs ok now.
    pub new_ok: u64,
    /// Runs with the same answer and verdict both times: those whose times are compared.
    pub timed: u64,
    /// Their time.
    pub times: Times,
}

/// One run then and now.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The instance.
    pub instance: String,
    /// The pair of solvers, by its place.
    pub pair: usize,
    /// The seed.
    pub seed: u64,
    /// Then.
    pub old: Was,
    /// Now.
    pub new: Was,
    /// The place of the instance in the new campaign.
    pub at: usize,
}

impl Change {
    /// The clock on which the recorded times can be compared.
    pub fn clock(&self) -> Clock {
        if self.old.cpu.is_some() && self.new.cpu.is_some() { Clock::Cpu } else { Clock::Wall }
    }

    /// The recorded times, then and now.
    pub fn times(&self) -> (Duration, Duration) {
        (self.old.time(self.clock()), self.new.time(self.clock()))
    }

    /// New time by old time, as recorded.
    pub fn ratio(&self) -> f64 {
        let (old, new) = self.times();
        times::ratio(old, new)
    }

    /// The answer of the two runs, or that of the one that answers.
    pub(crate) fn answer(&self) -> Answer {
        if self.new.is_past() { self.old.answer } else { self.new.answer }
    }

    /// Slower or faster, if one run answers and the other one reaches its time limit.
    fn past(&self) -> Option<Direction> {
        match (self.old.is_past(), self.new.is_past()) {
            (false, true) => self.old.is_answer().then_some(Direction::Slower),
            (true, false) => self.new.is_answer().then_some(Direction::Faster),
            _ => None,
        }
    }

    /// One run reached its time limit, and the other one went on for longer under a larger one.
    fn is_explained(&self, (old, new): (Duration, Duration)) -> bool {
        match (self.old.is_past(), self.new.is_past()) {
            (false, true) => new < old && self.old.wall >= new && !self.old.kind.is_failure(),
            (true, false) => old < new && self.new.wall >= old && !self.new.kind.is_failure(),
            _ => false,
        }
    }

    /// Slower or faster, by the recorded times.
    fn direction(&self) -> Option<Direction> {
        let (old, new) = self.times();
        let apart = new.abs_diff(old) >= DIFFERENCE;
        let seems = |d: &Direction| apart && d.factor(self.ratio()) >= RATIO;
        Direction::ALL.into_iter().find(seems)
    }

    /// The same answer and verdict both times.
    fn is_timed(&self) -> bool {
        let answered = matches!(self.old.answer, Answer::Sat | Answer::Unsat);
        answered && self.old.answer == self.new.answer
    }
}

/// Compares; `map` has pairs of solver names, old and new. Without it, solvers of the same name are matched, and if each
/// store has only one, those.
pub fn compare(old: &Data, new: &Data, map: &[(String, String)]) -> Result<Comparison, CompareError> {
    let mut matching = Matching::new(old, new, map)?;
    let same = |a: &Run, b: &Run| a.instance == b.instance;
    let mut before: BTreeMap<usize, &[Run]> =
        old.runs.chunk_by(same).map(|runs| (runs[0].instance, runs)).collect();
    let rows = |runs: &'_ [Run]| runs.iter().map(|r| (r.solver, r.row.clone())).collect::<Vec<_>>();
    for runs in new.runs.chunk_by(same) {
        let place = runs[0].instance;
        let was = matching.old_place.get(&place).and_then(|old| before.remove(old)).unwrap_or_default();
        matching.instance(place, &rows(was), &rows(runs));
    }
    for (place, runs) in before {
        matching.only_old(place, &rows(runs));
    }
    Ok(matching.finish())
}

/// Compares two stores. Of large campaigns the runs are read in pages.
pub fn compare_stores(
    old: (&Store, &Data),
    new: (&Store, &Data),
    map: &[(String, String)],
) -> Result<Result<Comparison, CompareError>, StoreError> {
    if !old.1.is_partial && !new.1.is_partial {
        return Ok(compare(old.1, new.1, map));
    }
    let mut matching = match Matching::new(old.1, new.1, map) {
        Ok(matching) => matching,
        Err(e) => return Ok(Err(e)),
    };
    let places: Vec<usize> = (0..new.1.instances.len()).collect();
    for page in places.chunks(PAGE) {
        let were: Vec<usize> = page.iter().filter_map(|at| matching.old_place.get(at).copied()).collect();
        let (was, is) = (rows_of(old, &were)?, rows_of(new, page)?);
        for at in page {
            let before = matching.old_place.get(at).and_then(|old| was.get(old));
            let now = is.get(at).map_or(&[][..], |rows| rows);
            matching.instance(*at, before.map_or(&[][..], |rows| rows), now);
        }
    }
    Ok(Ok(matching.finish()))
}

/// The runs of instances, by their places, each with the place of its solver.
type Rows = BTreeMap<usize, Vec<(usize, RunRow)>>;

fn rows_of((store, data): (&Store, &Data), places: &[usize]) -> Result<Rows, StoreError> {
    let ids: BTreeMap<i64, usize> = places.iter().map(|&at| (data.instances[at].id, at)).collect();
    let mut rows = Rows::new();
    for row in store.runs_of_instances(&ids.keys().copied().collect::<Vec<_>>())? {
        if let Some(solver) = data.solvers.iter().position(|s| s.id == row.solver) {
            rows.entry(ids[&row.instance]).or_default().push((solver, row));
        }
    }
    Ok(rows)
}

/// A comparison that is being made, instance by instance.
struct Matching<'a> {
    new: &'a Data,
    result: Comparison,
    /// The places of pairs by the places of their old and new solvers.
    old_of: BTreeMap<usize, usize>,
    new_of: BTreeMap<usize, usize>,
    /// The places of common instances in the old store, by those in the new one, and the other way round.
    old_place: BTreeMap<usize, usize>,
    new_place: BTreeMap<usize, usize>,
    /// The times of each pair.
    sums: Vec<Sums>,
}

impl<'a> Matching<'a> {
    fn new(old: &Data, new: &'a Data, map: &[(String, String)]) -> Result<Matching<'a>, CompareError> {
        let pairs = pairs(old, new, map)?;
        let common = Common::find(old, new);
        let result = Comparison {
            old: old.store.clone(),
            new: new.store.clone(),
            pairs: pairs.iter().map(|&(o, n)| pair(old, new, o, n)).collect(),
            broken: Vec::new(),
            fixed: Vec::new(),
            changed: Vec::new(),
            speeds: Vec::new(),
            added: common.added,
            absent: common.absent,
            different: common.different,
            unmatched: 0,
            limits: (old.limit(), new.limit()),
            explained: 0,
        };
        Ok(Matching {
            new,
            sums: vec![Sums::default(); pairs.len()],
            result,
            old_of: pairs.iter().enumerate().map(|(p, (o, _))| (*o, p)).collect(),
            new_of: pairs.iter().enumerate().map(|(p, (_, n))| (*n, p)).collect(),
            old_place: common.new_place.iter().map(|(o, n)| (*n, *o)).collect(),
            new_place: common.new_place,
        })
    }

    /// Compares the runs of an instance, by its place in the new store.
    fn instance(&mut self, at: usize, old: &[(usize, RunRow)], new: &[(usize, RunRow)]) {
        if !self.old_place.contains_key(&at) {
            return;
        }
        let mut before: BTreeMap<(usize, u64), &RunRow> = BTreeMap::new();
        for (solver, run) in old.iter().filter(|(_, r)| is_asked(r)) {
            before.extend(self.old_of.get(solver).map(|p| ((*p, run.seed), run)));
        }
        for (solver, run) in new.iter().filter(|(_, r)| is_asked(r)) {
            let Some(&pair) = self.new_of.get(solver) else { continue };
            match before.remove(&(pair, run.seed)) {
                Some(was) => self.both(at, pair, was, run),
                None => self.result.unmatched += 1,
            }
        }
        self.result.unmatched += before.len() as u64;
    }

    /// Counts the runs of a common instance that the new store does not have.
    fn only_old(&mut self, place: usize, old: &[(usize, RunRow)]) {
        if self.new_place.contains_key(&place) {
            let ours = |(solver, run): &&(usize, RunRow)| is_asked(run) && self.old_of.contains_key(solver);
            self.result.unmatched += old.iter().filter(ours).count() as u64;
        }
    }

    fn both(&mut self, at: usize, pair: usize, was: &RunRow, run: &RunRow) {
        let (old, new) = (Was::of(was), Was::of(run));
        let instance = self.new.instances[at].name.clone();
        if self.result.add(Change { instance, pair, seed: run.seed, old, new, at }) {
            self.sums[pair].add(&old, &new);
        }
    }

    fn finish(mut self) -> Comparison {
        for (pair, sums) in self.result.pairs.iter_mut().zip(&self.sums) {
            (pair.timed, pair.times) = (sums.runs, sums.times());
        }
        self.result.sort();
        self.result
    }
}

/// It counts in comparisons.
fn is_asked(run: &RunRow) -> bool {
    run.verdict() != Verdict::NotApplicable
}

/// Which instances are in both.
struct Common {
    /// From places in the old store to places in the new one.
    new_place: BTreeMap<usize, usize>,
    added: Vec<String>,
    absent: Vec<String>,
    different: Vec<String>,
}

impl Common {
    fn find(old: &Data, new: &Data) -> Common {
        let places = |d: &Data| -> BTreeMap<String, usize> {
            d.instances.iter().enumerate().map(|(at, i)| (i.name.clone(), at)).collect()
        };
        let (was, is) = (places(old), places(new));
        let mut c = Common { new_place: BTreeMap::new(), added: vec![], absent: vec![], different: vec![] };
        for (name, &o) in &was {
            match is.get(name) {
                None => c.absent.push(name.clone()),
                Some(&n) if old.instances[o].mark != new.instances[n].mark => c.different.push(name.clone()),
                Some(&n) => drop(c.new_place.insert(o, n)),
            }
        }
        c.added = is.into_keys().filter(|name| !was.contains_key(name)).collect();
        c
    }
}

fn pairs(old: &Data, new: &Data, map: &[(String, String)]) -> Result<Vec<(usize, usize)>, CompareError> {
    let place = |d: &Data, name: &str| d.solvers.iter().position(|s| s.name == name);
    let names = |d: &Data| d.solvers.iter().map(|s| one_line(&s.name)).collect::<Vec<_>>().join(", ");
    let missing = |pair: &(String, String), missing: &str, d: &Data| CompareError::NoSolver {
        old: pair.0.clone(),
        new: pair.1.clone(),
        missing: missing.to_owned(),
        store: d.store.clone(),
        there: names(d),
    };
    let mut out = Vec::new();
    for pair in map {
        let o = place(old, &pair.0).ok_or_else(|| missing(pair, &pair.0, old))?;
        let n = place(new, &pair.1).ok_or_else(|| missing(pair, &pair.1, new))?;
        out.push((o, n));
    }
    let mapped = |o: usize, n: usize, out: &[(usize, usize)]| out.iter().any(|p| p.0 == o || p.1 == n);
    for (n, solver) in new.solvers.iter().enumerate() {
        if let Some(o) = place(old, &solver.name).filter(|&o| !mapped(o, n, &out)) {
            out.push((o, n));
        }
    }
    if out.is_empty() && old.solvers.len() == 1 && new.solvers.len() == 1 {
        out.push((0, 0));
    }
    if out.is_empty() {
        return Err(CompareError::NothingInCommon { old: names(old), new: names(new) });
    }
    out.sort_by_key(|&(_, n)| n);
    Ok(out)
}

fn pair(old: &Data, new: &Data, o: usize, n: usize) -> Pair {
    Pair {
        old: old.solvers[o].name.clone(),
        new: new.solvers[n].name.clone(),
        old_version: old.solvers[o].version.clone(),
        new_version: new.solvers[n].version.clone(),
        runs: 0,
        old_ok: 0,
        new_ok: 0,
        timed: 0,
        times: Times::default(),
    }
}

impl Comparison {
    /// Nothing could be compared.
    pub fn is_empty(&self) -> bool {
        self.pairs.iter().all(|p| p.runs == 0)
    }

    /// The candidates, those that differ most first.
    pub fn speeds_by_size(&mut self) -> Vec<&mut Speed> {
        let mut list: Vec<&mut Speed> = self.speeds.iter_mut().collect();
        let factor = |s: &Speed| s.direction.factor(s.change.ratio());
        list.sort_by(|a, b| factor(b).total_cmp(&factor(a)));
        list
    }

    /// Those that re-runs confirm.
    pub fn confirmed(&self, direction: Direction) -> impl Iterator<Item = &Speed> {
        self.speeds.iter().filter(move |s| s.direction == direction && s.measured().is_some())
    }

    /// The others.
    pub fn unconfirmed(&self) -> impl Iterator<Item = &Speed> {
        self.speeds.iter().filter(|s| s.measured().is_none())
    }

    /// Adds a run to its list; true if its times are compared.
    fn add(&mut self, change: Change) -> bool {
        let (old, new) = (change.old, change.new);
        let p = &mut self.pairs[change.pair];
        p.runs += 1;
        p.old_ok += u64::from(old.verdict() == Verdict::Ok);
        p.new_ok += u64::from(new.verdict() == Verdict::Ok);
        if change.is_explained(self.limits) {
            self.explained += 1;
            return false;
        }
        if let Some(direction) = change.past() {
            self.candidate(change, direction);
            return false;
        }
        let other = old.verdict() != new.verdict() || (old.kind != new.kind && new.verdict() != Verdict::Ok);
        match new.rank().cmp(&old.rank()) {
            std::cmp::Ordering::Greater => self.broken.push(change),
            std::cmp::Ordering::Less => self.fixed.push(change),
            std::cmp::Ordering::Equal if other => self.changed.push(change),
            std::cmp::Ordering::Equal => {
                let timed = change.is_timed();
                if let Some(direction) = change.direction().filter(|_| timed) {
                    self.candidate(change, direction);
                }
                return timed;
            }
        }
        false
    }

    fn candidate(&mut self, change: Change, direction: Direction) {
        self.speeds.push(Speed { change, direction, finding: Finding::NotRun(Reason::Unwanted) });
    }

    fn sort(&mut self) {
        let key = |c: &Change| (c.instance.clone(), c.pair, c.seed);
        self.broken
            .sort_by_cached_key(|c| (std::cmp::Reverse(c.new.rank()), c.old.rank(), c.new.verdict(), key(c)));
        self.fixed.sort_by_cached_key(|c| (std::cmp::Reverse(c.old.rank()), c.old.verdict(), key(c)));
        self.changed.sort_by_cached_key(key);
        let factor = |s: &Speed| s.direction.factor(s.change.ratio());
        self.speeds.sort_by(|a, b| {
            let by_size = || factor(b).total_cmp(&factor(a));
            a.direction.cmp(&b.direction).then_with(by_size).then_with(|| key(&a.change).cmp(&key(&b.change)))
        });
    }

    /// The comparison as JSON.
    pub fn json(&self) -> Value {
        let list = |changes: &[Change]| changes.iter().map(|c| self.change(c)).collect::<Vec<_>>();
        let confirmed = |d| self.confirmed(d).map(|s| self.speed(s)).collect::<Vec<_>>();
        json!({
            "version": env!("CARGO_PKG_VERSION"), "old": self.old, "new": self.new,
            "solvers": self.pairs.iter().map(|p| json!({
                "old": p.old, "new": p.new, "old_version": p.old_version, "new_version": p.new_version,
                "runs": p.runs, "old_ok": p.old_ok, "new_ok": p.new_ok, "timed": p.timed,
                "clock": p.times.clock.code(), "old_s": p.times.old.as_secs_f64(),
                "new_s": p.times.new.as_secs_f64(), "mean_ratio": p.times.mean_ratio,
            })).collect::<Vec<_>>(),
            "broken": list(&self.broken), "fixed": list(&self.fixed), "changed": list(&self.changed),
            "slower": confirmed(Direction::Slower), "faster": confirmed(Direction::Faster),
            "unconfirmed": self.unconfirmed().map(|s| self.speed(s)).collect::<Vec<_>>(),
            "added": self.added, "absent": self.absent, "different": self.different, "unmatched": self.unmatched,
            "old_time_limit_s": self.limits.0.as_secs_f64(), "new_time_limit_s": self.limits.1.as_secs_f64(),
            "explained_by_time_limits": self.explained,
        })
    }

    /// A candidate: the change, and `rerun`.
    fn speed(&self, speed: &Speed) -> Value {
        let mut value = self.change(&speed.change);
        value["rerun"] = speed.json();
        value
    }

    fn change(&self, c: &Change) -> Value {
        let was = |w: &Was| {
            json!({
                "verdict": w.verdict().code(), "kind": w.kind.code(), "answer": w.answer.code(),
                "wall_s": w.wall.as_secs_f64(), "cpu_s": w.cpu.map(|d| d.as_secs_f64()), "flaky": w.flaky,
            })
        };
        let p = &self.pairs[c.pair];
        json!({
            "instance": c.instance, "seed": c.seed, "old_solver": p.old, "new_solver": p.new,
            "old": was(&c.old), "new": was(&c.new),
        })
    }
}
