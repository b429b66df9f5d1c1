//! The versions of a solver, each installed when it is first needed, and what they do on scripts.

use super::Options;
use super::cell::{Failure, Question, modes, word};
use super::conclude::conclude;
use super::options::minimise;
use super::search::{everything, search};
use crate::truth::Keeper;
use anyhow::{Context as _, anyhow, bail};
use campaign::case::Case;
use campaign::finding::{Cell, Tried, Versions};
use campaign::host::Host;
use campaign::install::Line;
use campaign::outcome::Kind;
use campaign::profile::{Places, Profile, Solver, Version};
use campaign::settings::Wants;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use sha2::{Digest as _, Sha256};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Seeds of a flaky failure.
pub(super) const FLAKY_SEEDS: u64 = 5;

/// This seed, and others.
pub(super) fn seeds_from(first: u64, count: u64) -> Vec<u64> {
    let others = (0..count).filter(|&seed| seed != first);
    std::iter::once(first).chain(others).take(count as usize).collect()
}

/// The versions of a solver that are compared.
pub struct Bench<'h> {
    line: Line,
    options: Options,
    host: Host<'h>,
    keeper: Keeper,
    pool: rayon::ThreadPool,
    versions: Vec<Version>,
    /// By version; the error is the reason why it cannot be had.
    solvers: Vec<OnceLock<Result<Solver, String>>>,
    /// By question and version.
    cells: Mutex<FxHashMap<(String, usize), (Cell, String)>>,
    done: AtomicU64,
    note: Option<String>,
}

/// A script on all versions.
#[derive(Clone, Debug)]
pub struct Bisection {
    /// The name of the file or finding.
    pub name: String,
    /// The failure that was looked for.
    pub failure: Failure,
    /// The number of seeds of each run; several if the failure is flaky.
    pub seeds: usize,
    /// By version, oldest first; none if it was not run.
    pub cells: Vec<Option<Tried>>,
    /// The conclusion.
    pub versions: Versions,
    /// The options that the failure needs, and the version on which they were found.
    pub options: Option<(String, Vec<String>)>,
}

impl<'h> Bench<'h> {
    /// The versions of the solver `spec`.
    pub fn open(spec: &str, options: &Options, host: &Host<'h>) -> anyhow::Result<Bench<'h>> {
        Bench::open_in(spec, &Places::from_env(), options, host)
    }

    /// The same in given places.
    pub fn open_in(
        spec: &str,
        places: &Places,
        options: &Options,
        host: &Host<'h>,
    ) -> anyhow::Result<Bench<'h>> {
        let line = Line::of(spec, places)?;
        let available = line.available(options.offline, &mut |text| host.progress.notice(text));
        if let Some(note) = &available.note {
            host.progress.notice(note);
        }
        let versions = options.select(line.name(), available.versions)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs.max(1)).build()?;
        let profile = Profile { name: line.name().into(), ..Profile::default() };
        let subject = Solver { name: String::new(), profile, program: "".into(), version: String::new() };
        Ok(Bench {
            keeper: Keeper::of(&subject, &[])?,
            options: options.clone(),
            host: *host,
            pool,
            solvers: versions.iter().map(|_| OnceLock::new()).collect(),
            versions,
            cells: Mutex::default(),
            done: AtomicU64::new(0),
            note: available.note,
            line,
        })
    }

    /// The name of the profile.
    pub fn name(&self) -> &str {
        self.line.name()
    }

    /// The versions, oldest first.
    pub fn versions(&self) -> &[Version] {
        &self.versions
    }

    /// A bisection was over as many versions as there are now. If there may be more than are listed, it is kept.
    pub(super) fn is_current(&self, known: &Versions) -> bool {
        known.available == self.versions.len() || self.note.is_some()
    }

    /// Why there may be more versions, for people.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// Keeps the answers of scripts; its second solvers are of other families.
    pub fn keeper(&self) -> &Keeper {
        &self.keeper
    }

    /// The version that the solver was named with; an error if it is not among those that are compared.
    pub fn named(&self) -> anyhow::Result<Option<usize>> {
        let Some(version) = self.line.named() else { return Ok(None) };
        let place = self.place(version.as_str());
        place.map(Some).ok_or_else(|| {
            let all = (self.versions.first(), self.versions.last());
            let range = all.0.zip(all.1).map_or_else(String::new, |(a, b)| format!(" ({a} to {b})"));
            anyhow!("{} {version} is not among the versions that are compared{range}", self.name())
        })
    }

    /// The place of a version.
    pub fn place(&self, version: &str) -> Option<usize> {
        let version = Version::parse(version)?;
        self.versions.iter().position(|v| *v == version)
    }

    /// The solver of a version, which is installed if need be.
    fn solver(&self, i: usize) -> &Result<Solver, String> {
        self.solvers[i].get_or_init(|| {
            let mut say = |text: &str| self.host.progress.notice(text);
            let found = self.line.solver(&self.versions[i], self.options.offline, &mut say);
            found.map_err(|e| {
                let why = e.to_string().lines().next().unwrap_or("").to_owned();
                self.host.progress.notice(&format!("{} {}: {why}", self.name(), self.versions[i]));
                why
            })
        })
    }

    /// A script, and the failure to look for; by default that of the version at `given`, else any. Finds the requests under which that
    /// version fails, and whether it is flaky. `seed` is the first that is tried.
    pub fn question(
        &self,
        name: &str,
        script: &str,
        failure: Option<Failure>,
        given: Option<usize>,
        seed: u64,
    ) -> anyhow::Result<Question> {
        let case = Case::from_text(name, script.as_bytes())?;
        let memory_mib = self.options.memory.map_or(Wants::default().memory_mib, |bytes| bytes >> 20);
        let mut question = Question {
            case,
            failure: failure.unwrap_or(Failure::Any),
            wants: Wants { time: self.options.time, memory_mib, ..Wants::default() },
            seeds: vec![seed],
            time: self.options.time,
            memory: self.options.memory,
            message: None,
        };
        let newest = || (0..self.versions.len()).rev().find(|&i| self.solver(i).is_ok());
        if let Some(Ok(solver)) = given.or_else(newest).map(|i| self.solver(i)) {
            self.tune(&mut question, solver, failure.is_none())?;
        }
        Ok(question)
    }

    /// Looks for requests and seeds under which a solver fails. Requests under which it is slow are not tried with further seeds.
    fn tune(&self, question: &mut Question, solver: &Solver, any: bool) -> anyhow::Result<()> {
        let repeat = u64::from(self.options.repeat.max(1));
        let (usual, given) = (question.wants, question.seeds[0]);
        for wants in modes(&question.case, usual) {
            question.wants = wants;
            let mut runs = Vec::new();
            for seed in seeds_from(given, repeat) {
                let seen = question.run(solver, seed, &self.keeper, self.host.cancel).ok_or_else(stopped)?;
                let slow = matches!(seen.kind, Kind::WallTime | Kind::CpuTime);
                let in_vain = slow && !question.failure.is(seen.kind);
                runs.push(seen);
                if in_vain {
                    break;
                }
            }
            let Some(first) = runs.iter().find(|r| question.failure.is(r.kind)) else { continue };
            if any {
                question.failure = Failure::of(first.kind).unwrap_or(Failure::Any);
            }
            question.message.clone_from(&first.message);
            if runs.iter().any(|r| !question.failure.is(r.kind)) {
                question.seeds = seeds_from(given, FLAKY_SEEDS);
            }
            return Ok(());
        }
        question.wants = usual;
        Ok(())
    }

    /// Searches the versions; all of them, if the options say so. `given` is the place of a version that should fail.
    pub fn bisect(&self, question: &Question, given: Option<usize>) -> anyhow::Result<Bisection> {
        let key = key(question);
        let mut tried: Vec<Option<Tried>> = vec![None; self.versions.len()];
        let mut run = |places: &[usize]| {
            let new = self.run(question, &key, places)?;
            let cells = new.iter().map(|t| t.cell).collect();
            for (i, t) in places.iter().zip(new) {
                tried[*i] = Some(t);
            }
            Ok(cells)
        };
        if self.options.all {
            everything(self.versions.len(), &mut run)?;
        } else {
            search(self.versions.len(), given, &mut run)?;
        }
        let versions = conclude(&tried);
        let options = if self.options.minimise { self.options_of(question, &tried, given)? } else { None };
        Ok(Bisection {
            name: question.case.name.clone(),
            failure: question.failure,
            seeds: question.seeds.len(),
            cells: tried,
            versions,
            options,
        })
    }

    /// Runs a question on versions.
    fn run(&self, question: &Question, key: &str, places: &[usize]) -> anyhow::Result<Vec<Tried>> {
        // Installations show their progress one after the other.
        places.iter().take_while(|_| !self.host.cancel.is_cancelled()).for_each(|&i| {
            self.solver(i);
        });
        self.pool.install(|| places.par_iter().map(|&i| self.cell(question, key, i)).collect())
    }

    fn cell(&self, question: &Question, key: &str, i: usize) -> anyhow::Result<Tried> {
        let known =
            self.cells.lock().unwrap_or_else(PoisonError::into_inner).get(&(key.to_owned(), i)).cloned();
        let (cell, detail) = match (known, self.solver(i)) {
            (Some(known), _) => known,
            (None, Err(why)) => (Cell::Missing, why.clone()),
            (None, Ok(solver)) => {
                question.cell(solver, &self.keeper, self.host.cancel).ok_or_else(stopped)?
            }
        };
        let mut cells = self.cells.lock().unwrap_or_else(PoisonError::into_inner);
        cells.insert((key.to_owned(), i), (cell, detail.clone()));
        drop(cells);
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let state = || format!("{}: {} {} {}", question.case.name, self.name(), self.versions[i], word(cell));
        self.host.progress.stage(done, &state);
        Ok(Tried { version: self.versions[i].to_string(), cell, detail })
    }

    /// The options that the failure needs on the given version, or else on the newest one that fails.
    fn options_of(
        &self,
        question: &Question,
        tried: &[Option<Tried>],
        given: Option<usize>,
    ) -> anyhow::Result<Option<(String, Vec<String>)>> {
        let fails = |i: &usize| tried[*i].as_ref().is_some_and(|t| t.cell == Cell::Fails);
        let place = given.filter(fails).or_else(|| (0..tried.len()).rev().find(fails));
        let Some((i, Ok(solver))) = place.map(|i| (i, self.solver(i))) else { return Ok(None) };
        let mut fails = |profile: &Profile, question: &Question| {
            let solver = Solver { profile: profile.clone(), ..solver.clone() };
            let (cell, _) = question.cell(&solver, &self.keeper, self.host.cancel)?;
            Some(cell == Cell::Fails)
        };
        let needed = minimise(&solver.profile, question, &mut fails).ok_or_else(stopped)?;
        Ok(Some((self.versions[i].to_string(), needed)))
    }

    /// Runs work on the threads of the bench.
    pub(super) fn in_pool<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }
}

impl Options {
    /// The versions that are compared.
    fn select(&self, name: &str, mut all: Vec<Version>) -> anyhow::Result<Vec<Version>> {
        if let Some(odd) = self.only.iter().find(|v| !all.contains(v)) {
            bail!("{name} {odd} is not installed and not known to the package registries");
        }
        let listed = |v: &Version| self.only.is_empty() || self.only.contains(v);
        let after = |v: &Version| self.from.as_ref().is_none_or(|from| from <= v);
        let before = |v: &Version| self.to.as_ref().is_none_or(|to| v <= to);
        all.retain(|v| listed(v) && after(v) && before(v));
        if all.is_empty() {
            bail!("there is no version of {name} to compare");
        }
        Ok(all)
    }
}

fn stopped() -> anyhow::Error {
    anyhow!("stopped")
}

/// The script and all that its cells depend on, except the version.
fn key(question: &Question) -> String {
    let case = &question.case;
    let text = smt::print::script_text(&case.pool, &case.script, smt::Dialect::Smt26, None, None);
    let Question { failure, wants, seeds, time, memory, message, .. } = question;
    let rest = (failure, wants, seeds, time, memory, message);
    let all = format!("{}\n{rest:?}", text.unwrap_or_default());
    Sha256::digest(all.as_bytes()).iter().map(|b| format!("{b:02x}")).collect()
}

/// The failure of a finding, for [`Bench::question`].
pub(super) fn failure_of(kind: Kind) -> anyhow::Result<Failure> {
    Failure::of(kind).with_context(|| format!("`{kind}` is no failure of which versions can be compared"))
}
