//! Runs that end in the same way: the groups of reports.
//!
//! Groups are numbered over the whole campaign, worst first, so that a number means the same in every report on a store.

use super::{Instance, Run};
use crate::judge::Scope;
use crate::outcome::{Kind, Severity, Verdict};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Runs with the same solver, kind and operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its number, from 1.
    pub number: usize,
    /// The solver, by its place.
    pub solver: usize,
    /// The verdict.
    pub kind: Kind,
    /// The operation, or the category where there is none.
    pub operation: String,
    /// The runs by their places: those that hold under every reading of the standard first, then the smallest formula.
    pub runs: Vec<usize>,
    /// All runs of the group, also those that are not loaded.
    pub size: Size,
    /// If no runs are loaded: the key of the instance with the smallest formula.
    pub smallest: Option<i64>,
}

/// The runs of a group, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// All.
    pub runs: u64,
    /// Those that are flaky.
    pub flaky: u64,
    /// Those whose verdict depends on the reading of the standard, by what is known about it.
    pub scopes: BTreeMap<Scope, u64>,
}

impl Size {
    pub(super) fn add(&mut self, run: &Run) {
        self.runs += 1;
        self.flaky += u64::from(run.flaky);
        if let Some(scope) = run.scope {
            *self.scopes.entry(scope).or_default() += 1;
        }
    }
}

/// All runs that were asked and are not ok, in groups: failures first, the worst of them at the top.
pub(super) fn groups(
    runs: &[Run],
    instances: &[Instance],
    sizes: &mut BTreeMap<(usize, Kind, String), Size>,
) -> Vec<Group> {
    let mut map: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (at, run) in runs.iter().enumerate().filter(|(_, r)| is_grouped(r)) {
        let key = (order(run.kind), run.solver, run.kind, instances[run.instance].subject());
        map.entry(key).or_default().push(at);
    }
    let mut list: Vec<Group> = map
        .into_iter()
        .map(|((_, solver, kind, operation), mut members)| {
            members.sort_by_key(|&at| (is_disputed(&runs[at]), smallest_first(&runs[at], instances)));
            let operation = operation.to_owned();
            let size = sizes.remove(&(solver, kind, operation.clone())).unwrap_or_default();
            Group { number: 0, solver, kind, operation, runs: members, size, smallest: None }
        })
        .collect();
    // Stable: within a solver and kind the most frequent first, then by operation.
    list.sort_by_key(|g| (order(g.kind), g.solver, g.kind, Reverse(g.size.runs)));
    list.iter_mut().zip(1..).for_each(|(group, number)| group.number = number);
    list
}

pub(super) fn is_grouped(run: &Run) -> bool {
    !matches!(run.verdict(), Verdict::Ok | Verdict::NotApplicable)
}

/// The verdict holds under one reading of the standard only, as far as is known.
pub(super) fn is_disputed(run: &Run) -> bool {
    matches!(run.scope, Some(Scope::One | Scope::Open))
}

/// The key by which the smallest formula comes first.
pub(crate) fn smallest_first<'a>(run: &Run, instances: &'a [Instance]) -> (u64, &'a str, usize, u64) {
    let instance = &instances[run.instance];
    (instance.size, &instance.name, run.solver, run.seed)
}

/// The order of reports: the worst first, wrong answers before wrong evidence.
pub(crate) fn order(kind: Kind) -> (Severity, u8) {
    let place = match kind.verdict() {
        Verdict::WrongUnsat => 0,
        Verdict::WrongSat => 1,
        Verdict::InvalidModel => 2,
        Verdict::InvalidCore => 3,
        _ => 4,
    };
    (kind.severity(), place)
}
