//! One pass over the runs of a campaign: the counts of all of them, and the runs that a report may show.
//!
//! Of a large campaign only some runs are kept: those that a triage examined, and of each group the smallest.

use super::super::takes::Distinct;
use super::groups::{Size, is_disputed, is_grouped};
use super::totals::Totals;
use super::unlabelled::{Opinion, Unlabelled};
use super::{Instance, Key, Run, SolverData};
use crate::finding::Examination;
use crate::judge::Scope;
use crate::outcome::{Kind, Status};
use crate::store::{Examined, RunRow, SECOND_OPINION};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};
use std::time::Duration;

/// Runs of a group that are kept of a large campaign.
const KEPT: usize = 200;

/// What a pass needs to know.
pub(super) struct Known<'a> {
    pub(super) solvers: &'a [SolverData],
    /// The place of each solver in the report; none if the report is not about it.
    pub(super) places: Vec<Option<usize>>,
    /// The solver of second opinions.
    pub(super) second: Option<i64>,
    pub(super) instances: &'a [Instance],
    pub(super) scopes: BTreeMap<Key, Scope>,
    pub(super) examined: BTreeMap<Key, Examined>,
    /// Only some runs are kept.
    pub(super) is_partial: bool,
    pub(super) limit: Duration,
}

/// The result of a pass.
pub(super) struct Seen {
    pub(super) totals: Totals,
    pub(super) unlabelled: Unlabelled,
    /// The sizes of groups, by solver, kind and operation.
    pub(super) sizes: BTreeMap<(usize, Kind, String), Size>,
    /// The instances that each solver was run on.
    pub(super) tried: Vec<Distinct>,
    /// The runs that are kept, by instance, solver, seed.
    pub(super) runs: Vec<Run>,
    /// The runs of the solver of second opinions.
    pub(super) second: Vec<Run>,
}

/// A pass.
pub(super) struct Pass<'a> {
    known: Known<'a>,
    seen: Seen,
    /// The instance of the last run, by its place.
    at: usize,
    /// The results on it, if its answer is not known.
    opinions: Vec<Opinion>,
    /// The smallest runs of each group.
    smallest: BTreeMap<(usize, Kind, String), BinaryHeap<Sized>>,
}

/// A run with the key by which the smallest is kept.
struct Sized((bool, u64, usize, u64), Run);

impl PartialEq for Sized {
    fn eq(&self, other: &Sized) -> bool {
        self.0 == other.0
    }
}

impl Eq for Sized {}

impl PartialOrd for Sized {
    fn partial_cmp(&self, other: &Sized) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Sized {
    fn cmp(&self, other: &Sized) -> Ordering {
        self.0.cmp(&other.0)
    }
}

impl<'a> Pass<'a> {
    pub(super) fn new(known: Known<'a>) -> Pass<'a> {
        let shown = known.places.iter().flatten().count();
        let seen = Seen {
            totals: Totals { is_rounded: known.is_partial, ..Totals::new(shown) },
            unlabelled: Unlabelled::default(),
            sizes: BTreeMap::new(),
            tried: vec![Distinct::default(); known.solvers.len()],
            runs: Vec::new(),
            second: Vec::new(),
        };
        Pass { known, seen, at: 0, opinions: Vec::new(), smallest: BTreeMap::new() }
    }

    /// Looks at a run. Runs come by instance, solver and seed.
    pub(super) fn see(&mut self, row: RunRow) {
        self.move_to(row.instance);
        let instances = self.known.instances;
        let Some(instance) = instances.get(self.at).filter(|i| i.id == row.instance) else { return };
        if Some(row.solver) == self.known.second {
            return self.see_second(row, instance);
        }
        let Some(solver) = self.known.solvers.iter().position(|s| s.id == row.solver) else { return };
        self.seen.tried[solver].add(row.instance);
        let scope = self.known.scopes.get(&row.key()).copied();
        if let Some(place) = self.known.places[solver] {
            self.seen.totals.add(&row, instance, place, scope, self.known.limit);
            self.opinion(&row, instance, &self.known.solvers[solver].name.clone());
        }
        let run = self.run(row, solver, scope);
        if is_grouped(&run) {
            let key = (solver, run.kind, instance.subject().to_owned());
            self.seen.sizes.entry(key.clone()).or_default().add(&run);
            if self.known.is_partial && run.finding.is_none() && run.refused.is_none() {
                return self.keep_smallest(key, run);
            }
        }
        if !self.known.is_partial || run.finding.is_some() || run.refused.is_some() {
            self.seen.runs.push(run);
        }
    }

    /// Moves to the instance of a run.
    fn move_to(&mut self, id: i64) {
        while self.known.instances.get(self.at).is_some_and(|i| i.id < id) {
            self.at += 1;
            if !self.opinions.is_empty() {
                self.seen.unlabelled.add(&std::mem::take(&mut self.opinions));
            }
        }
    }

    fn see_second(&mut self, row: RunRow, instance: &Instance) {
        self.opinion(&row, instance, SECOND_OPINION);
        if !self.known.is_partial {
            let run = self.run(row, 0, None);
            self.seen.second.push(run);
        }
    }

    fn opinion(&mut self, row: &RunRow, instance: &Instance, solver: &str) {
        if instance.status == Status::Unknown {
            let RunRow { kind, answer, model, .. } = *row;
            self.opinions.push(Opinion { solver: solver.to_owned(), kind, answer, model });
        }
    }

    fn run(&mut self, row: RunRow, solver: usize, scope: Option<Scope>) -> Run {
        let examined = self.known.examined.remove(&row.key());
        let finding = examined.as_ref().and_then(|e| e.finding);
        let refused = match examined.map(|e| e.examination) {
            Some(Examination::Refused { why }) => Some(why),
            _ => None,
        };
        Run { instance: self.at, solver, scope, group: None, finding, refused, row }
    }

    fn keep_smallest(&mut self, group: (usize, Kind, String), run: Run) {
        let key = (is_disputed(&run), self.known.instances[self.at].size, self.at, run.seed);
        let heap = self.smallest.entry(group).or_default();
        if heap.len() < KEPT {
            heap.push(Sized(key, run));
        } else if heap.peek().is_some_and(|largest| key < largest.0) {
            heap.pop();
            heap.push(Sized(key, run));
        }
    }

    /// The result.
    pub(super) fn finish(mut self) -> Seen {
        if !self.opinions.is_empty() {
            self.seen.unlabelled.add(&self.opinions);
        }
        self.seen.runs.extend(self.smallest.into_values().flatten().map(|kept| kept.1));
        self.seen.runs.sort_by_key(|run| (run.instance, run.solver, run.seed));
        self.seen.totals.finish();
        self.seen
    }
}
