//! Stores united into one: the shards of a campaign, or campaigns of different solvers on the same instances.
//!
//! Instances are the same if name, text and known answer are; solvers if name, version and profile are; runs by their key.
//! What contradicts is an error. Instances keep the order of their keys, so that merged shards are in the order of
//! a campaign without shards. Verdicts that need all runs are decided again.

mod check;

use crate::closing;
use crate::folder::{FolderError, Lock};
use crate::outcome::{Answer, Status};
use crate::provenance;
use crate::selection::{Selection, Shard};
use crate::settings::{Origin, Settings};
use crate::store::{
    Campaign, Facts, InstanceRow, NewSolver, RunRow, SolverRow, Store, StoreError, UnreadableRow,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The number of rows in one transaction.
const CHUNK: usize = 500;

/// Reasons for not merging.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The new store is in use.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Its instances are not there yet.
    #[error("{}: stopped before its instances were stored; resume it first", _0.display())]
    Unplanned(PathBuf),
    /// Two stores contradict each other.
    #[error("{what} is {one} in {} and {other} in {}", one_in.display(), other_in.display())]
    Differs {
        /// The setting, solver, instance or run.
        what: String,
        /// Its value in a store.
        one: String,
        /// That store.
        one_in: PathBuf,
        /// Its value in another.
        other: String,
        /// The other store.
        other_in: PathBuf,
    },
}

/// A merged store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Its solvers.
    pub solvers: usize,
    /// Its instances.
    pub instances: usize,
    /// Its runs.
    pub runs: usize,
    /// The runs of a complete campaign with these solvers, instances and seeds.
    pub expected: usize,
    /// Runs that were in more than one store, with the same result.
    pub repeated: usize,
    /// Shards of which there is no store.
    pub missing: Vec<Shard>,
    /// Stores of campaigns that are not finished.
    pub unfinished: Vec<PathBuf>,
    /// Examined runs that were copied. They are in no finding until the next triage, which groups them without another reduction.
    pub examined: usize,
}

impl Merged {
    /// Nothing is missing.
    pub fn is_complete(&self) -> bool {
        self.missing.is_empty() && self.unfinished.is_empty() && self.runs == self.expected
    }
}

/// A store to merge.
struct Input {
    path: PathBuf,
    store: Store,
    campaign: Campaign,
}

/// Unites stores in a new one.
pub fn merge(out: &Path, paths: &[PathBuf]) -> Result<Merged, MergeError> {
    let inputs = paths.iter().map(|path| open(path)).collect::<Result<Vec<Input>, MergeError>>()?;
    check::settings(&inputs)?;
    check::campaigns(&inputs)?;
    let plan = Plan::new(&inputs)?;
    let lock = |path: &Path| Ok::<_, MergeError>(Lock::acquire(path)?);
    let (store, lock) = Store::create_locked(out, (&campaign(&inputs), &plan.joining(&inputs)?), lock)?;
    let merged = Target { store, plan, inputs: &inputs }.fill();
    drop(lock);
    if merged.is_err() {
        Store::remove(out);
    }
    merged
}

fn open(path: &Path) -> Result<Input, MergeError> {
    let store = Store::open_read_only(path)?;
    if !store.is_planned()? {
        return Err(MergeError::Unplanned(path.to_owned()));
    }
    Ok(Input { path: path.to_owned(), campaign: store.campaign()?, store })
}

/// The campaign that the merged store describes.
fn campaign(inputs: &[Input]) -> Campaign {
    let first = &inputs[0].campaign;
    let distinct = |part: fn(&Campaign) -> &str| {
        let mut seen = BTreeSet::new();
        let parts: Vec<&str> = inputs.iter().map(|i| part(&i.campaign)).filter(|p| seen.insert(*p)).collect();
        parts.join(" + ")
    };
    let limits: BTreeSet<_> = inputs.iter().map(|i| i.campaign.settings.selection.limit).collect();
    let limit = if limits.len() == 1 { first.settings.selection.limit } else { None };
    let seeds = inputs.iter().flat_map(|i| i.campaign.settings.seeds.iter().copied()).collect();
    let mut settings = Settings {
        seeds,
        selection: Selection { limit, shard: None },
        shards: held(inputs),
        origin: Origin { arguments: Vec::new(), directory: directory(inputs) },
        instances: distinct(|c| &c.settings.instances),
        ..first.settings.clone()
    };
    settings.seeds = settings.sorted_seeds();
    Campaign {
        created: inputs.iter().map(|i| i.campaign.created.clone()).min().unwrap_or_default(),
        version: distinct(|c| &c.version),
        command: provenance::command_line(),
        host: distinct(|c| &c.host),
        seed: first.seed,
        settings,
        finished: None,
    }
}

/// The shards that the inputs hold; none if one of them holds all instances.
fn held(inputs: &[Input]) -> Vec<Shard> {
    let mut held = BTreeSet::new();
    for settings in inputs.iter().map(|i| &i.campaign.settings) {
        if settings.shards.is_empty() && settings.selection.shard.is_none() {
            return Vec::new();
        }
        held.extend(settings.shards.iter().copied().chain(settings.selection.shard));
    }
    held.into_iter().collect()
}

/// The folder in which all were started, or nothing.
fn directory(inputs: &[Input]) -> String {
    let all: BTreeSet<&str> = inputs.iter().map(|i| &*i.campaign.settings.origin.directory).collect();
    if all.len() == 1 { all.into_iter().collect() } else { String::new() }
}

/// An instance of the new store: where its text is, and what identifies it.
struct Place {
    input: usize,
    id: i64,
    status: Status,
    mark: u64,
}

/// The solvers and instances of the new store, and the new keys of the old ones.
struct Plan {
    /// For each input, the keys of its solvers as places in `solvers`, from 1.
    solver_keys: Vec<BTreeMap<i64, i64>>,
    solvers: Vec<SolverRow>,
    /// For each input, the new keys of its instances.
    instance_keys: Vec<BTreeMap<i64, i64>>,
    /// The input and old key of each instance, in the new order.
    instances: Vec<(usize, i64)>,
}

impl Plan {
    fn new(inputs: &[Input]) -> Result<Plan, MergeError> {
        let (solvers, solver_keys) = solvers(inputs)?;
        let (instances, instance_keys) = instances(inputs)?;
        Ok(Plan { solver_keys, solvers, instance_keys, instances })
    }

    /// The solvers with the digests of their programs, those of the first store that has one.
    fn joining(&self, inputs: &[Input]) -> Result<Vec<NewSolver>, StoreError> {
        let new = |row: &SolverRow| NewSolver { row: row.clone(), fingerprint: None };
        let mut all: Vec<NewSolver> = self.solvers.iter().map(new).collect();
        for (input, keys) in inputs.iter().zip(&self.solver_keys) {
            for (&old, &new) in keys {
                let known = &mut all[new as usize - 1].fingerprint;
                *known = known.take().or(input.store.fingerprint(old)?);
            }
        }
        Ok(all)
    }
}

type Keys = Vec<BTreeMap<i64, i64>>;

fn solvers(inputs: &[Input]) -> Result<(Vec<SolverRow>, Keys), MergeError> {
    let (mut rows, mut from, mut keys) = (Vec::<SolverRow>::new(), Vec::new(), Keys::new());
    for (n, input) in inputs.iter().enumerate() {
        let mut mine = BTreeMap::new();
        for row in input.store.solvers()?.into_iter().chain(input.store.second_solver()?) {
            let at = rows.iter().position(|known| known.name == row.name);
            if let Some(at) = at {
                check::solver((&rows[at], &inputs[from[at]]), (&row, input))?;
            }
            mine.insert(row.id, at.unwrap_or(rows.len()) as i64 + 1);
            if at.is_none() {
                rows.push(row);
                from.push(n);
            }
        }
        keys.push(mine);
    }
    Ok((rows, keys))
}

fn instances(inputs: &[Input]) -> Result<(Vec<(usize, i64)>, Keys), MergeError> {
    let mut places: BTreeMap<String, Place> = BTreeMap::new();
    let mut names: Vec<BTreeMap<i64, String>> = Vec::new();
    for (n, input) in inputs.iter().enumerate() {
        let marks: BTreeMap<i64, Facts> = input.store.instance_facts()?.into_iter().collect();
        let mut mine = BTreeMap::new();
        for InstanceRow { id, name, status, .. } in input.store.instances(false)? {
            let place =
                Place { input: n, id, status, mark: marks.get(&id).map(|f| f.mark).unwrap_or_default() };
            match places.get(&name) {
                Some(known) => check::instance(&name, (known, inputs), &place)?,
                None => drop(places.insert(name.clone(), place)),
            }
            mine.insert(id, name);
        }
        names.push(mine);
    }
    let mut order: Vec<(&String, &Place)> = places.iter().collect();
    order.sort_by_key(|(_, place)| (place.id, place.input));
    let new: BTreeMap<&String, i64> = order.iter().zip(1..).map(|((name, _), key)| (*name, key)).collect();
    let keys = names.iter().map(|mine| mine.iter().map(|(id, name)| (*id, new[name])).collect()).collect();
    Ok((order.into_iter().map(|(_, place)| (place.input, place.id)).collect(), keys))
}

/// The new store while it is filled.
struct Target<'a> {
    store: Store,
    plan: Plan,
    inputs: &'a [Input],
}

/// The result of a run that was copied: where from, and what two copies must agree on.
struct Copied {
    input: usize,
    result: check::Finding,
}

impl Target<'_> {
    fn fill(mut self) -> Result<Merged, MergeError> {
        self.copy_unreadable()?;
        self.copy_instances()?;
        let repeated = self.copy_runs()?;
        let examined = self.copy_examinations()?;
        closing::close(&mut self.store)?;
        let merged = Merged { examined, ..self.summary(repeated)? };
        let last = self.inputs.iter().filter_map(|i| i.campaign.finished.clone()).max();
        if merged.is_complete() {
            self.store.set_finished(&last.unwrap_or_else(provenance::now))?;
        }
        Ok(merged)
    }

    /// The files that could not be read, each once.
    fn copy_unreadable(&mut self) -> Result<(), MergeError> {
        let mut all = Vec::new();
        for input in self.inputs {
            let known: BTreeSet<String> = all.iter().map(|u: &UnreadableRow| u.file.clone()).collect();
            all.extend(input.store.unreadable()?.into_iter().filter(|u| !known.contains(&u.file)));
        }
        Ok(self.store.set_unreadable(&all)?)
    }

    fn copy_instances(&mut self) -> Result<(), MergeError> {
        let keyed: Vec<(i64, (usize, i64))> = (1..).zip(self.plan.instances.iter().copied()).collect();
        for chunk in keyed.chunks(CHUNK) {
            let mut rows = Vec::with_capacity(chunk.len());
            for &(id, (input, old)) in chunk {
                rows.extend(self.inputs[input].store.instance(old)?.map(|row| InstanceRow { id, ..row }));
            }
            self.store.add_instances(&rows)?;
        }
        Ok(self.store.set_planned()?)
    }

    /// Copies all runs; returns how many were there already.
    fn copy_runs(&mut self) -> Result<usize, MergeError> {
        let mut copied: BTreeMap<(i64, i64, u64), Copied> = BTreeMap::new();
        let mut repeated = 0;
        for (n, input) in self.inputs.iter().enumerate() {
            for keys in input.store.run_keys()?.chunks(CHUNK) {
                let mut rows = Vec::with_capacity(keys.len());
                for &(instance, solver, seed) in keys {
                    let Some(row) = input.store.run(instance, solver, seed)? else { continue };
                    let row = self.rekeyed(n, row);
                    let (key, result) = ((row.instance, row.solver, row.seed), check::Finding::of(&row));
                    if let Some(known) = copied.get(&key) {
                        check::run(&self.name(&row)?, (known, self.inputs), (&result, input))?;
                        repeated += 1;
                        continue;
                    }
                    copied.insert(key, Copied { input: n, result });
                    rows.push(row);
                }
                self.store.add_runs(&rows, false)?;
            }
        }
        Ok(repeated)
    }

    /// Copies the examinations of failing runs, for each run that of the first store; findings depend on all runs and are made by the
    /// next triage. Returns their number.
    fn copy_examinations(&mut self) -> Result<usize, MergeError> {
        let mut copied = BTreeSet::new();
        for (n, input) in self.inputs.iter().enumerate() {
            for examined in input.store.examinations()? {
                let (instance, solver, seed) = examined.run;
                let run = (self.plan.instance_keys[n][&instance], self.plan.solver_keys[n][&solver], seed);
                if copied.insert(run) {
                    self.store.set_examination(run, &examined.examination)?;
                }
            }
        }
        Ok(copied.len())
    }

    fn rekeyed(&self, input: usize, row: RunRow) -> RunRow {
        let instance = self.plan.instance_keys[input][&row.instance];
        RunRow { instance, solver: self.plan.solver_keys[input][&row.solver], ..row }
    }

    /// A run in words.
    fn name(&self, row: &RunRow) -> Result<String, StoreError> {
        let instance = self.store.instance(row.instance)?.map(|i| i.name).unwrap_or_default();
        let solver = &self.plan.solvers[row.solver as usize - 1].name;
        Ok(format!("the result of {solver} on {instance} (seed {})", row.seed))
    }

    fn summary(&self, repeated: usize) -> Result<Merged, StoreError> {
        let second = self.store.second_solver()?.map(|row| row.id);
        let (solvers, instances) = (self.store.solvers()?.len(), self.plan.instances.len());
        let settings = self.store.campaign()?.settings;
        // A merged store without a shard is not finished, but nothing of what it holds is missing.
        let stopped =
            |i: &&Input| i.campaign.finished.is_none() && i.campaign.settings.missing_shards().is_empty();
        let unfinished = self.inputs.iter().filter(stopped);
        Ok(Merged {
            solvers,
            instances,
            runs: self.store.run_keys()?.iter().filter(|key| Some(key.1) != second).count(),
            expected: solvers * instances * settings.seeds.len(),
            repeated,
            missing: settings.missing_shards(),
            examined: 0,
            unfinished: unfinished.map(|i| i.path.clone()).collect(),
        })
    }
}
