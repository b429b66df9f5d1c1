//! The failing runs of a store.

use super::Options;
use crate::doc::Doc;
use crate::fingerprint;
use crate::truth::Keeper;
use anyhow::bail;
use campaign::finding::Member;
use campaign::outcome::{Kind, Severity};
use campaign::profile::{self, Solver};
use campaign::settings::Settings;
use campaign::store::{RunKey, Store};
use std::collections::BTreeMap;
use std::time::Duration;

/// A failing run.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub(super) run: RunKey,
    pub(super) member: Member,
    pub(super) kind: Kind,
    /// It did not always fail.
    pub(super) flaky: bool,
    /// The place of its solver.
    pub(super) solver: usize,
    /// The text of its instance.
    pub(super) source: Vec<u8>,
    /// The formula up to names; none if it cannot be read.
    formula: Option<String>,
}

/// A solver of the campaign.
pub(super) struct Subject {
    pub(super) solver: Solver,
    /// Its specification.
    pub(super) spec: String,
    /// Keeps the truth of its failures.
    pub(super) keeper: Keeper,
    /// The time limit of the campaign.
    pub(super) limit: Duration,
    /// The memory limit.
    pub(super) memory: Option<u64>,
}

/// The failing runs that are examined, those that matter most first, then the smallest.
pub(super) struct Failures {
    pub(super) list: Vec<Failure>,
    pub(super) subjects: Vec<Subject>,
    pub(super) names: Names,
    /// The first failure with a solver, kind and formula.
    firsts: BTreeMap<(usize, Kind, String), usize>,
}

/// The names of runs.
pub(super) struct Names {
    /// The name of each instance, and the bytes of its text.
    instances: BTreeMap<i64, (String, u64)>,
    solvers: BTreeMap<i64, String>,
}

impl Names {
    fn read(store: &Store) -> anyhow::Result<Names> {
        let sizes: BTreeMap<i64, u64> = store.instance_sizes()?.into_iter().collect();
        let size = |id: i64| sizes.get(&id).copied().unwrap_or(0);
        let instances = store.instances(false)?.into_iter().map(|i| (i.id, (i.name, size(i.id)))).collect();
        let solvers = store.solvers()?.into_iter().map(|s| (s.id, s.name)).collect();
        Ok(Names { instances, solvers })
    }

    /// A run as a member, and the bytes of its instance.
    pub(super) fn member(&self, (instance, solver, seed): RunKey) -> Option<(Member, u64)> {
        let (instance, bytes) = self.instances.get(&instance)?.clone();
        let solver = self.solvers.get(&solver)?.clone();
        Some((Member { instance, solver, seed, reason: String::new() }, bytes))
    }
}

impl Failures {
    /// Reads the failures that are wanted.
    pub(super) fn read(store: &Store, options: &Options) -> anyhow::Result<Failures> {
        let names = Names::read(store)?;
        for name in &options.solvers {
            if !names.solvers.values().any(|s| s == name) {
                let all: Vec<&str> = names.solvers.values().map(String::as_str).collect();
                bail!("there is no solver `{name}` in {}; it has {}", store.path().display(), all.join(", "));
            }
        }
        let settings = store.campaign()?.settings;
        let mut found = Failures { list: Vec::new(), subjects: Vec::new(), names, firsts: BTreeMap::new() };
        for row in store.solvers()? {
            let solver = settings.origin.locate(row.solver(store.path())?);
            found.subjects.push(Subject::new(solver, &settings, options)?);
            if options.solvers.is_empty() || options.solvers.contains(&row.name) {
                found.add(store, row.id, options)?;
            }
        }
        found.sort();
        Ok(found)
    }

    /// Adds the failures of the last solver.
    fn add(&mut self, store: &Store, id: i64, options: &Options) -> anyhow::Result<()> {
        let at = self.subjects.len() - 1;
        let kinds: Vec<Kind> = Kind::ALL.iter().copied().filter(|kind| options.wants(*kind)).collect();
        for row in store.runs_of(id, &kinds)? {
            let Some((member, _)) = self.names.member(row.key()) else { continue };
            let source = store.instance(row.instance)?.map(|i| i.source).unwrap_or_default();
            let formula = Doc::from_text(&source).ok().map(|doc| fingerprint::formula(&doc));
            let (run, kind, flaky) = (row.key(), row.kind, row.flaky);
            self.list.push(Failure { run, member, kind, flaky, solver: at, source, formula });
        }
        Ok(())
    }

    fn sort(&mut self) {
        let key = |f: &Failure| (order(f.kind), f.flaky, f.source.len(), f.member.clone());
        self.list.sort_by_cached_key(key);
        for (at, f) in self.list.iter().enumerate() {
            if let Some(formula) = &f.formula {
                self.firsts.entry((f.solver, f.kind, formula.clone())).or_insert(at);
            }
        }
    }

    /// An earlier failure of the same solver and kind with the same formula, up to names.
    pub(super) fn twin(&self, at: usize) -> Option<usize> {
        let f = &self.list[at];
        let key = (f.solver, f.kind, f.formula.clone()?);
        self.firsts.get(&key).copied().filter(|&first| first != at)
    }
}

/// Wrong answers first.
fn order(kind: Kind) -> (Severity, Kind) {
    (kind.severity(), kind)
}

impl Subject {
    fn new(solver: Solver, settings: &Settings, options: &Options) -> anyhow::Result<Subject> {
        Ok(Subject {
            spec: spec(&solver, settings),
            keeper: Keeper::of(&solver, &options.seconds)?,
            limit: settings.limits.wall,
            memory: settings.limits.memory,
            solver,
        })
    }
}

/// The specification of a solver: its profile, version and sets of options, if that gives the same program and options; else as the campaign was started; else its program.
fn spec(solver: &Solver, settings: &Settings) -> String {
    let same = |spec: &String| {
        profile::resolve(spec).is_ok_and(|s| {
            s.program == solver.program
                && (&s.profile.args, &s.profile.prelude) == (&solver.profile.args, &solver.profile.prelude)
        })
    };
    let sets: String = solver.name.split('+').skip(1).map(|set| format!(" +{set}")).collect();
    let version = format!("{}@{}{sets}", solver.profile.name, solver.version);
    let words = &settings.origin.arguments;
    let after = words.windows(2).filter(|w| w[0] == "--solver" || w[0] == "-s").map(|w| w[1].clone());
    let joined = words.iter().filter_map(|w| w.strip_prefix("--solver=").map(str::to_owned));
    let named = (!solver.version.is_empty()).then_some(version);
    let mut all = named.into_iter().chain(after).chain(joined);
    all.find(same).unwrap_or_else(|| format!("{}={}", solver.profile.name, solver.program.display()))
}
