//! Compares two campaigns: broken, fixed, slower.
//!
//! Runs are matched by the instance's name, the solver and the seed. Instances with the same name but different formulas are not
//! compared.

pub mod text;

use super::data::{Data, Run};
use crate::clean::one_line;
use crate::outcome::{Answer, Kind, Verdict};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// A run that takes this many times as long …
const RATIO: f64 = 2.0;
/// … and this much longer is slower.
const DIFFERENCE: Duration = Duration::from_millis(100);
/// The smallest time in the geometric mean: below is noise.
const FLOOR: f64 = 0.001;

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
    /// The same answer, but slower: worst first.
    pub slower: Vec<Change>,
    /// The same answer, but faster: best first.
    pub faster: Vec<Change>,
    /// Instances that are in the new store only.
    pub added: Vec<String>,
    /// Instances that are in the old store only.
    pub absent: Vec<String>,
    /// Instances of one name with different formulas: not compared.
    pub different: Vec<String>,
    /// Runs of common instances that only one of the stores has, or whose solver was asked only once.
    pub unmatched: u64,
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
    /// Runs ok both times, on which times are compared.
    pub both_ok: u64,
    /// Wall-clock time of those, before.
    pub old_wall: Duration,
    /// Wall-clock time of those, now.
    pub new_wall: Duration,
    /// The geometric mean of the ratios new time / old time; 1 if there are none.
    pub mean_ratio: f64,
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
    /// The place of the run in the new campaign.
    pub at: usize,
}

/// The result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the same as in RunRow")]
pub struct Was {
    pub kind: Kind,
    pub answer: Answer,
    pub wall: Duration,
    pub flaky: bool,
}

impl Was {
    fn of(run: &Run) -> Was {
        Was { kind: run.kind, answer: run.answer, wall: run.wall, flaky: run.flaky }
    }

    pub(crate) fn verdict(&self) -> Verdict {
        self.kind.verdict()
    }

    fn rank(&self) -> u8 {
        self.kind.severity().rank()
    }
}

impl Change {
    /// New time by old time.
    pub fn ratio(&self) -> f64 {
        self.new.wall.as_secs_f64() / self.old.wall.as_secs_f64().max(1e-6)
    }
}

/// Compares; `map` has pairs of solver names, old and new. Without it, solvers of the same name are matched, and if each
/// store has only one, those.
pub fn compare(old: &Data, new: &Data, map: &[(String, String)]) -> Result<Comparison, CompareError> {
    let pairs = pairs(old, new, map)?;
    let common = Common::find(old, new);
    let old_of: BTreeMap<usize, usize> = pairs.iter().enumerate().map(|(p, (o, _))| (*o, p)).collect();
    let new_of: BTreeMap<usize, usize> = pairs.iter().enumerate().map(|(p, (_, n))| (*n, p)).collect();
    let mut before: BTreeMap<(usize, usize, u64), &Run> = BTreeMap::new();
    for run in old.runs.iter().filter(|r| r.is_asked()) {
        if let (Some(&p), Some(&i)) = (old_of.get(&run.solver), common.new_place.get(&run.instance)) {
            before.insert((i, p, run.seed), run);
        }
    }
    let mut c = Comparison {
        old: old.store.clone(),
        new: new.store.clone(),
        pairs: pairs.iter().map(|&(o, n)| pair(old, new, o, n)).collect(),
        broken: Vec::new(),
        fixed: Vec::new(),
        changed: Vec::new(),
        slower: Vec::new(),
        faster: Vec::new(),
        added: common.added,
        absent: common.absent,
        different: common.different,
        unmatched: 0,
    };
    let is_common: std::collections::BTreeSet<usize> = common.new_place.values().copied().collect();
    for (at, run) in new.runs.iter().enumerate().filter(|(_, r)| r.is_asked()) {
        let Some(&p) = new_of.get(&run.solver) else { continue };
        match before.remove(&(run.instance, p, run.seed)) {
            Some(was) => c.add(Change {
                instance: new.instances[run.instance].name.clone(),
                pair: p,
                seed: run.seed,
                old: Was::of(was),
                new: Was::of(run),
                at,
            }),
            None => c.unmatched += u64::from(is_common.contains(&run.instance)),
        }
    }
    c.unmatched += before.len() as u64;
    c.finish();
    Ok(c)
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
        both_ok: 0,
        old_wall: Duration::ZERO,
        new_wall: Duration::ZERO,
        mean_ratio: 0.0,
    }
}

impl Comparison {
    /// Nothing could be compared.
    pub fn is_empty(&self) -> bool {
        self.pairs.iter().all(|p| p.runs == 0)
    }

    fn add(&mut self, change: Change) {
        let (old, new) = (change.old, change.new);
        let (was_ok, is_ok) = (old.verdict() == Verdict::Ok, new.verdict() == Verdict::Ok);
        let p = &mut self.pairs[change.pair];
        p.runs += 1;
        p.old_ok += u64::from(was_ok);
        p.new_ok += u64::from(is_ok);
        if was_ok && is_ok {
            p.both_ok += 1;
            p.old_wall += old.wall;
            p.new_wall += new.wall;
            p.mean_ratio += (new.wall.as_secs_f64().max(FLOOR) / old.wall.as_secs_f64().max(FLOOR)).ln();
        }
        let answered = |w: &Was| matches!(w.answer, Answer::Sat | Answer::Unsat);
        let ratio = change.ratio();
        let apart = new.wall.abs_diff(old.wall) >= DIFFERENCE;
        match new.rank().cmp(&old.rank()) {
            std::cmp::Ordering::Greater => self.broken.push(change),
            std::cmp::Ordering::Less => self.fixed.push(change),
            _ if old.verdict() != new.verdict() || (old.kind != new.kind && !is_ok) => {
                self.changed.push(change);
            }
            _ if !answered(&old) || old.answer != new.answer || !apart => {}
            _ if ratio >= RATIO => self.slower.push(change),
            _ if ratio <= 1.0 / RATIO => self.faster.push(change),
            _ => {}
        }
    }

    fn finish(&mut self) {
        for p in &mut self.pairs {
            p.mean_ratio = if p.both_ok == 0 { 1.0 } else { (p.mean_ratio / p.both_ok as f64).exp() };
        }
        let key = |c: &Change| (c.instance.clone(), c.pair, c.seed);
        self.broken
            .sort_by_cached_key(|c| (std::cmp::Reverse(c.new.rank()), c.old.rank(), c.new.verdict(), key(c)));
        self.fixed.sort_by_cached_key(|c| (std::cmp::Reverse(c.old.rank()), c.old.verdict(), key(c)));
        self.changed.sort_by_cached_key(key);
        self.slower.sort_by(|a, b| b.ratio().total_cmp(&a.ratio()).then_with(|| key(a).cmp(&key(b))));
        self.faster.sort_by(|a, b| a.ratio().total_cmp(&b.ratio()).then_with(|| key(a).cmp(&key(b))));
    }

    /// The comparison as JSON.
    pub fn json(&self) -> Value {
        let list = |changes: &[Change]| changes.iter().map(|c| self.change(c)).collect::<Vec<_>>();
        json!({
            "version": env!("CARGO_PKG_VERSION"), "old": self.old, "new": self.new,
            "solvers": self.pairs.iter().map(|p| json!({
                "old": p.old, "new": p.new, "old_version": p.old_version, "new_version": p.new_version,
                "runs": p.runs, "old_ok": p.old_ok, "new_ok": p.new_ok, "both_ok": p.both_ok,
                "old_wall_s": p.old_wall.as_secs_f64(), "new_wall_s": p.new_wall.as_secs_f64(),
                "mean_ratio": p.mean_ratio,
            })).collect::<Vec<_>>(),
            "broken": list(&self.broken), "fixed": list(&self.fixed), "changed": list(&self.changed),
            "slower": list(&self.slower), "faster": list(&self.faster),
            "added": self.added, "absent": self.absent, "different": self.different, "unmatched": self.unmatched,
        })
    }

    fn change(&self, c: &Change) -> Value {
        let was = |w: &Was| {
            json!({
                "verdict": w.verdict().code(), "kind": w.kind.code(), "answer": w.answer.code(),
                "wall_s": w.wall.as_secs_f64(), "flaky": w.flaky,
            })
        };
        let p = &self.pairs[c.pair];
        json!({
            "instance": c.instance, "seed": c.seed, "old_solver": p.old, "new_solver": p.new,
            "old": was(&c.old), "new": was(&c.new),
        })
    }
}
