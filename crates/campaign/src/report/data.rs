//! The input of reports: the campaign as plain data, read from the store once.
//!
//! Counts are made in one pass over the runs. Runs come without their texts; the few whose texts are shown are fetched by
//! [`Data::load_details`]. Of a large campaign only the runs that a report may show are loaded.

mod groups;
mod pass;
mod some;
mod times;
mod totals;
mod unlabelled;

pub use groups::{Group, Size};
pub(crate) use groups::{order, order as group_order, smallest_first};
pub use times::Times;
pub use totals::{Cells, SolverTotals, Totals};
pub use unlabelled::Unlabelled;

use super::takes::{Declined, Distinct, Takes};
use crate::clean::one_line;
use crate::finding::Finding;
use crate::judge::{Scope, WRONG_STATUS};
use crate::outcome::{Severity, Status, Verdict};
use crate::profile::Profile;
use crate::settings::Wants;
use crate::store::{Campaign, Facts, RunRow, SolverRow, Store, StoreError, UnreadableRow};
use pass::{Known, Pass};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::time::Duration;

/// A campaign with more runs is large.
const LARGE: u64 = 1_000_000;

/// A campaign, ready to be rendered.
#[derive(Clone, Debug)]
pub struct Data {
    /// The store, as the user named it.
    pub store: String,
    /// The campaign.
    pub campaign: Campaign,
    /// The requests to the solvers.
    pub wants: Wants,
    /// The solvers, in the order they were given.
    pub solvers: Vec<SolverData>,
    /// The instances, in their order: all, or those of the runs that are loaded.
    pub instances: Vec<Instance>,
    /// The number of all instances.
    pub formulas: usize,
    /// Counts over all runs.
    pub totals: Totals,
    /// The instances without a known answer, counted.
    pub unlabelled: Unlabelled,
    /// The runs by instance, solver, seed: all, or those of a large campaign that a report may show.
    pub runs: Vec<Run>,
    /// Only some runs are loaded.
    pub is_partial: bool,
    /// The solver that was asked for second opinions, with its runs.
    pub second: Option<Second>,
    /// The files that could not be read, and so have no runs.
    pub unreadable: Vec<UnreadableRow>,
    /// The instances that state a wrong `:status`, by their places.
    pub wrong_status: Vec<usize>,
    /// The seeds that solvers were to be run with, in order.
    pub seeds: Vec<u64>,
    /// The findings of a triage, those that matter most first; empty if there was none.
    pub findings: Vec<Finding>,
    /// The runs that are not ok, in numbered groups, worst first.
    pub groups: Vec<Group>,
    /// How many instances each solver takes.
    pub takes: Vec<Takes>,
    /// The texts of some runs, by their place in `runs`.
    pub details: BTreeMap<usize, Detail>,
    /// The runs that are known failures, by their places, each with a note.
    pub known: BTreeMap<usize, String>,
    /// Lines about known failures.
    pub remarks: Vec<String>,
}

/// A solver.
#[derive(Clone, Debug)]
pub struct SolverData {
    /// Its key in the store.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// The program.
    pub program: String,
    /// The version that it reported.
    pub version: String,
    /// Its profile; none if this version of stringent cannot read it.
    pub profile: Option<Profile>,
}

/// The solver that was asked about the instances without a known answer.
#[derive(Clone, Debug)]
pub struct Second {
    /// Its version.
    pub version: String,
    /// Its program.
    pub program: String,
    /// Its runs, unless only some runs are loaded; their `solver` means nothing.
    pub runs: Vec<Run>,
}

/// An instance.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Its key in the store.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Its category.
    pub category: String,
    /// The operation that it tests, or nothing.
    pub operation: String,
    /// Its known answer.
    pub status: Status,
    /// Its size in bytes, without `set-info`.
    pub size: u64,
    /// A hash of its text, without `set-info`: equal hashes mean equal formulas.
    pub mark: u64,
    /// The property in which its suite grows, and its value, if it has one.
    pub scale: Option<(String, u64)>,
}

impl Instance {
    /// Its subject: the operation, or the category where there is none.
    pub fn subject(&self) -> &str {
        if self.operation.is_empty() { &self.category } else { &self.operation }
    }
}

/// A run: its row without texts; instance and solver by their places in [`Data`].
#[derive(Clone, Debug)]
pub struct Run {
    /// The instance, by its place.
    pub instance: usize,
    /// The solver, by its place.
    pub solver: usize,
    /// Whether a wrong result is proved under the other reading of the standard; none if readings do not differ on it.
    pub scope: Option<Scope>,
    /// The number of its group, if it is in one.
    pub group: Option<usize>,
    /// The number of its finding, if it has one.
    pub finding: Option<u32>,
    /// Why a triage refused to examine it, if it did.
    pub refused: Option<String>,
    /// The row, without texts.
    pub row: RunRow,
}

impl Deref for Run {
    type Target = RunRow;

    fn deref(&self) -> &RunRow {
        &self.row
    }
}

impl Run {
    /// It counts: in times, percentages and comparisons.
    pub fn is_asked(&self) -> bool {
        self.verdict() != Verdict::NotApplicable
    }
}

/// The texts of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// The instance.
    pub source: Vec<u8>,
    /// The solver's output.
    pub output: Vec<u8>,
    /// The reasons for the verdict.
    pub evidence: String,
    /// The command that was run.
    pub command: String,
}

impl SolverData {
    fn of(s: SolverRow) -> SolverData {
        SolverData { profile: s.profile(), id: s.id, name: s.name, program: s.program, version: s.version }
    }
}

impl Data {
    /// Reads a campaign. `only` names the solvers to look at; all if it is empty. Of a large campaign only the runs that a report may
    /// show are loaded.
    pub fn read(store: &Store, only: &[String]) -> Result<Data, StoreError> {
        Data::load(store, only, store.run_count()? > LARGE)
    }

    /// Reads a campaign with all its runs, for formats that list them.
    pub fn read_all(store: &Store, only: &[String]) -> Result<Data, StoreError> {
        Data::load(store, only, false)
    }

    fn load(store: &Store, only: &[String], is_partial: bool) -> Result<Data, StoreError> {
        let mut data = Data::all(store, only, is_partial)?;
        if !only.is_empty() {
            data.keep_solvers(only);
        }
        Ok(data)
    }

    fn all(store: &Store, only: &[String], is_partial: bool) -> Result<Data, StoreError> {
        let campaign = store.campaign()?;
        let solvers: Vec<SolverData> = store.solvers()?.into_iter().map(SolverData::of).collect();
        let second = store.second_solver()?;
        let instances = instances(store)?;
        let mut noted = Noted::read(store)?;
        let mut pass = Pass::new(Known {
            solvers: &solvers,
            places: places(&solvers, only),
            second: second.as_ref().map(|row| row.id),
            instances: &instances,
            scopes: std::mem::take(&mut noted.scopes),
            examined: store.examinations()?.into_iter().map(|e| (e.run, e)).collect(),
            is_partial,
            limit: campaign.settings.limits.wall,
        });
        store.each_run(false, |run| pass.see(run))?;
        let mut seen = pass.finish();
        let groups = groups::groups(&seen.runs, &instances, &mut seen.sizes);
        for group in &groups {
            group.runs.iter().for_each(|&at| seen.runs[at].group = Some(group.number));
        }
        let mut findings = store.findings()?;
        findings.sort_by(|a, b| a.rank().cmp(&b.rank()));
        Ok(Data {
            findings,
            store: store.path().display().to_string(),
            seeds: seen
                .totals
                .seeds
                .iter()
                .chain(&campaign.settings.seeds)
                .copied()
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect(),
            wants: campaign.settings.rules().wants,
            takes: noted.takes(&solvers, &seen.tried),
            wrong_status: (0..instances.len())
                .filter(|&at| noted.refuted.contains(&instances[at].id))
                .collect(),
            groups,
            campaign,
            solvers,
            formulas: instances.len(),
            instances,
            second: second.map(|row| Second::of(row, seen.second)),
            totals: seen.totals,
            unlabelled: seen.unlabelled,
            runs: seen.runs,
            is_partial,
            unreadable: store.unreadable()?,
            details: BTreeMap::new(),
            known: BTreeMap::new(),
            remarks: Vec::new(),
        })
    }

    /// The place of an instance: by its name, or by its name as it is printed, without control characters.
    pub fn instance_named(&self, name: &str) -> Option<usize> {
        let exact = self.instances.iter().position(|i| i.name == name);
        let is_escaped = || name.contains("\\u{");
        exact.or_else(|| {
            is_escaped().then(|| self.instances.iter().position(|i| one_line(&i.name) == name)).flatten()
        })
    }

    /// Loads the runs of an instance, if they are not.
    pub fn include(&mut self, store: &Store, name: &str) -> Result<(), StoreError> {
        let Some(at) = self.instance_named(name).filter(|_| self.is_partial) else { return Ok(()) };
        for row in store.runs_of_instances(&[self.instances[at].id])? {
            let Some(solver) = self.solvers.iter().position(|s| s.id == row.solver) else { continue };
            let there = |r: &Run| (r.instance, r.solver, r.seed) == (at, solver, row.seed);
            if !self.runs.iter().any(there) {
                let run =
                    Run { instance: at, solver, scope: None, group: None, finding: None, refused: None, row };
                self.runs.push(run);
            }
        }
        Ok(())
    }

    /// Leaves out all other solvers; groups keep their numbers.
    fn keep_solvers(&mut self, only: &[String]) {
        let is_kept: Vec<bool> = self.solvers.iter().map(|s| only.contains(&s.name)).collect();
        let place = |at: usize| is_kept[..at].iter().filter(|kept| **kept).count();
        let mut run_places = BTreeMap::new();
        for (at, _) in self.runs.iter().enumerate().filter(|(_, r)| is_kept[r.solver]) {
            run_places.insert(at, run_places.len());
        }
        let mut kept = is_kept.iter();
        self.solvers.retain(|_| *kept.next().unwrap_or(&false));
        let mut kept = is_kept.iter();
        self.takes.retain(|_| *kept.next().unwrap_or(&false));
        self.runs.retain(|r| is_kept[r.solver]);
        self.runs.iter_mut().for_each(|r| r.solver = place(r.solver));
        let is_of = |f: &Finding| f.members.iter().any(|m| only.contains(&m.solver));
        self.findings.retain(|f| only.contains(&f.solver.name) || is_of(f));
        self.groups.retain(|g| is_kept[g.solver]);
        for group in &mut self.groups {
            group.solver = place(group.solver);
            group.runs.iter_mut().for_each(|at| *at = run_places[at]);
        }
    }

    /// The group of a run.
    pub fn group_of(&self, run: &Run) -> Option<&Group> {
        self.group(run.group?)
    }

    /// The group with this number.
    pub fn group(&self, number: usize) -> Option<&Group> {
        self.groups.iter().find(|g| g.number == number)
    }

    /// The finding of a run.
    pub fn finding_of(&self, run: &Run) -> Option<&Finding> {
        self.findings.iter().find(|f| Some(f.number) == run.finding)
    }

    /// Fetches the texts of these runs.
    pub fn load_details(&mut self, store: &Store, runs: &[usize]) -> Result<(), StoreError> {
        for &at in runs {
            if self.details.contains_key(&at) {
                continue;
            }
            let run = &self.runs[at];
            let (instance, solver) = (self.instances[run.instance].id, self.solvers[run.solver].id);
            let source = store.instance(instance)?.map(|i| i.source).unwrap_or_default();
            if let Some(row) = store.run(instance, solver, run.seed)? {
                let RunRow { output, evidence, command, .. } = row;
                self.details.insert(at, Detail { source, output, evidence, command });
            }
        }
        Ok(())
    }

    /// The limit on the wall-clock time of a run.
    pub fn limit(&self) -> Duration {
        self.campaign.settings.limits.wall
    }

    /// The runs of a campaign that went through: every instance on every solver with every seed.
    pub fn expected(&self) -> usize {
        self.formulas * self.solvers.len() * self.seeds.len().max(1)
    }

    /// The conclusion of the report. Known failures do not count.
    pub fn conclusion(&self) -> Conclusion {
        let any = |wanted: &[Severity]| {
            let all = self.totals.of(|kind| wanted.contains(&kind.severity()));
            let known = self.known.keys().filter(|at| wanted.contains(&self.runs[**at].severity()));
            all > known.count() as u64
        };
        if any(&[Severity::Unsound, Severity::Error]) {
            Conclusion::Wrong
        } else if !self.unreadable.is_empty() {
            Conclusion::Unreadable
        } else if any(&[Severity::Undetermined]) || self.campaign.finished.is_none() {
            Conclusion::Undetermined
        } else {
            Conclusion::Clean
        }
    }
}

/// The conclusion of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// No solver was wrong or failed.
    Clean,
    /// A wrong result, or an error.
    Wrong,
    /// Neither, but some files could not be read.
    Unreadable,
    /// Neither, but some verdicts are undetermined, or the campaign is not finished.
    Undetermined,
}

fn instances(store: &Store) -> Result<Vec<Instance>, StoreError> {
    let mut facts: BTreeMap<i64, Facts> = store.instance_facts()?.into_iter().collect();
    Ok(store
        .instances(false)?
        .into_iter()
        .map(|i| {
            let Facts { size, mark, scale } = facts.remove(&i.id).unwrap_or_default();
            Instance {
                size,
                mark,
                scale,
                id: i.id,
                name: i.name,
                category: i.category,
                operation: i.operation,
                status: i.status,
            }
        })
        .collect())
}

impl Second {
    fn of(row: SolverRow, runs: Vec<Run>) -> Second {
        Second { version: row.version, program: row.program, runs }
    }
}

/// The place of each solver among those that are named; all if none is.
fn places(solvers: &[SolverData], only: &[String]) -> Vec<Option<usize>> {
    let mut next = 0..;
    solvers
        .iter()
        .map(|s| (only.is_empty() || only.contains(&s.name)).then(|| next.next()).flatten())
        .collect()
}

/// The key of a run in the store.
type Key = (i64, i64, u64);

/// The facts that are in the evidence of runs.
#[derive(Default)]
struct Noted {
    /// The wrong results that depend on the reading of the standard.
    scopes: BTreeMap<Key, Scope>,
    /// The instances whose status a model refutes.
    refuted: BTreeSet<i64>,
    /// The instances that were not asked, by the keys of solvers.
    declined: BTreeMap<i64, Declined>,
}

impl Noted {
    fn read(store: &Store) -> Result<Noted, StoreError> {
        let mut noted = Noted::default();
        store.each_run_with_evidence(|run| noted.add(&run))?;
        Ok(noted)
    }

    fn add(&mut self, run: &RunRow) {
        if run.kind.is_unsound() {
            self.scopes.extend(Scope::of(&run.evidence).map(|scope| (run.key(), scope)));
        }
        if run.evidence.contains(WRONG_STATUS) {
            self.refuted.insert(run.instance);
        }
        self.declined.entry(run.solver).or_default().add(run);
    }

    /// How many instances each solver takes of those that it was run on.
    fn takes(&mut self, solvers: &[SolverData], tried: &[Distinct]) -> Vec<Takes> {
        let of = |(solver, tried): (&SolverData, &Distinct)| {
            Takes::new(tried.count, self.declined.remove(&solver.id).unwrap_or_default())
        };
        solvers.iter().zip(tried).map(of).collect()
    }
}
