//! The runs of a search, one after the other.

use super::best::{Best, Finding};
use super::fitness::Fitness;
use super::folder::{Folder, write};
use super::judge::Judge;
use super::log::{self, Line, Log, Member};
use super::report::Outcome;
use super::search::{Cache, Search, World};
use super::{Options, Solvers, best, plot, show, shrink};
use crate::Host;
use anyhow::Context as _;
use campaign::measure::Meter;
use semantics::Instance;
use std::path::Path;
use std::time::{Duration, Instant};
use synth::Dice;
use synth::evolve::Breeder;

/// Scripts to start from before giving up.
const STARTS: u64 = 10;

/// All runs.
pub(super) fn all(folder: &Folder, solvers: Solvers, host: &Host<'_>) -> anyhow::Result<Outcome> {
    let scratch = tempfile::tempdir().context("cannot create a folder for scripts")?;
    let started = Instant::now();
    let options = &folder.options;
    let judge = judge(options, &solvers, scratch.path(), host)?;
    let mut runs = Runs { folder, judge, host, cache: Cache::new(), bugs: Vec::new() };
    let mut found = Vec::new();
    for run in 0..options.runs {
        found.extend(runs.run(run)?);
        if host.cancel.is_cancelled() {
            break;
        }
    }
    let spent = started.elapsed();
    let Runs { judge, bugs, .. } = runs;
    best::compare(&mut found, &solvers.compare, &judge);
    if !solvers.compare.is_empty() && !found.is_empty() {
        let svg = plot::best_scripts(&found, &solvers.target.name, options.time_limit);
        write(&folder.dir().join("best.svg"), &svg)?;
    }
    let stopped = host.cancel.is_cancelled();
    Ok(Outcome::new(folder, solvers, found, bugs, spent, stopped))
}

fn judge<'a>(
    options: &Options,
    solvers: &'a Solvers,
    scratch: &'a Path,
    host: &Host<'a>,
) -> anyhow::Result<Judge<'a>> {
    let statistic = match &options.fitness {
        Fitness::Statistic(name) => Some(name.clone()),
        Fitness::Time | Fitness::Memory | Fitness::Gap | Fitness::Unknown => None,
    };
    let meter = Meter {
        limit: Duration::try_from_secs_f64(options.time_limit).context("the time limit")?,
        wall: options.wall,
        memory: (options.memory_limit > 0).then_some(options.memory_limit << 20),
        statistic,
        seed: options.solver_seed,
    };
    Ok(Judge {
        solver: &solvers.target,
        against: solvers.against.as_ref(),
        fitness: options.fitness.clone(),
        meter,
        repeat: options.repeat,
        answer: options.answer,
        folder: scratch,
        cancel: host.cancel,
    })
}

/// State shared by all runs.
struct Runs<'a> {
    folder: &'a Folder,
    judge: Judge<'a>,
    host: &'a Host<'a>,
    cache: Cache,
    bugs: Vec<Finding>,
}

impl Runs<'_> {
    /// One run; its best script so far if it was stopped, none if that was before there was one.
    fn run(&mut self, run: usize) -> anyhow::Result<Option<Best>> {
        let options = &self.folder.options;
        let seed = options.seed.wrapping_add(run as u64);
        let breeder = Breeder {
            mutators: options.mutators.clone(),
            min_asserts: options.min_asserts(),
            max_asserts: usize::from(options.max_asserts),
        };
        let world = World { breeder, seed, population: options.population, survivors: options.survivors };
        let path = self.folder.dir().join(format!("run-{:02}.jsonl", run + 1));
        let lines = log::read(&path)?;
        let mut log = Log::append(&path)?;
        if lines.is_empty() {
            log.line(&self.first_line(seed))?;
        }
        let mut search = Search::new(&world, log, &lines, &mut self.cache)?;
        let finished = self.generations(&world, run, &mut search)?;
        if search.is_new() {
            return Ok(None);
        }
        let shrunk = if finished { self.shrunk(&lines, &mut search)? } else { None };
        for (m, bug) in search.members.iter().filter_map(|m| Some((m, m.found.bug.clone()?))) {
            self.bugs.push(best::keep_bug(self.folder.dir(), run, m, bug)?);
        }
        best::write_best(self.folder.dir(), run, &search, shrunk, &self.judge).map(Some)
    }

    fn first_line(&self, seed: u64) -> Line {
        Line::Run {
            version: env!("CARGO_PKG_VERSION").into(),
            command: self.folder.command.clone(),
            seed,
            solver: self.judge.solver.name.clone(),
        }
    }

    /// The generations that are left; false if it was stopped.
    fn generations(&mut self, world: &World, run: usize, search: &mut Search<'_>) -> anyhow::Result<bool> {
        let options = &self.folder.options;
        if search.is_new() {
            let starts = self.starts(world)?;
            if !search.start(starts, &self.judge, &mut self.cache)? {
                return Ok(false);
            }
        }
        while search.generation < options.generations {
            if !search.step(&self.judge, &mut self.cache)? {
                return Ok(false);
            }
            let state = || show::state(run, options.runs, search);
            self.host.progress.update(u64::from(search.generation), &state);
        }
        Ok(true)
    }

    /// Scripts to start from: the next one is for a solver that fails on those before it.
    fn starts(&self, world: &World) -> anyhow::Result<Vec<Instance>> {
        let start = |k: u64| {
            let mut dice = Dice::new(world.seed, 1 << 61 | k);
            Ok(match &self.folder.start {
                Some(given) => world.breeder.start(given, &mut dice)?,
                None => world.breeder.random(&mut dice),
            })
        };
        (0..STARTS).map(start).collect()
    }

    /// The shrunk best script, from the log or computed now, or none. Closes the log, unless it was stopped.
    fn shrunk(&self, lines: &[Line], search: &mut Search<'_>) -> anyhow::Result<Option<Member>> {
        let ended = lines.iter().find_map(|l| match l {
            Line::End { shrunk, .. } => Some(shrunk.clone()),
            Line::Run { .. } | Line::Member(_) | Line::Generation { .. } => None,
        });
        if let Some(shrunk) = ended {
            return Ok(shrunk);
        }
        let shrunk = self.smaller(search);
        if !self.judge.cancel.is_cancelled() {
            search.end(shrunk.clone())?;
        }
        Ok(shrunk)
    }

    /// The shrunk best script, if shrinking succeeds.
    fn smaller(&self, search: &Search<'_>) -> Option<Member> {
        let (best, instance) = search.best();
        // A script that is not slow at all would shrink to nothing.
        if best.found.score.rank == 0 || !self.judge.fitness.is_hit(&best.found) {
            return None;
        }
        let (done, budget) = (u64::from(search.generation), self.folder.options.shrink);
        let state = |tried: usize, size: usize| {
            format!("shrinking the best script: {size} bytes, {tried} of at most {budget} tried")
        };
        self.host.progress.stage(done, &|| state(0, best.size));
        let report = |tried: usize, size: usize| self.host.progress.update(done, &|| state(tried, size));
        let (small, found) = shrink::shrink(instance, best.found.score, &self.judge, budget, &report)?;
        Some(Member {
            id: best.id,
            generation: best.generation,
            parents: vec![best.id],
            mutation: "shrink".into(),
            size: synth::evolve::body(&small).len(),
            found,
            text: small.to_text(""),
        })
    }
}
