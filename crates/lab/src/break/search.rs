//! The search: generations of children; the fittest survive.

use super::fitness::{Found, key};
use super::judge::{Bar, Judging};
use super::log::{Line, Log, Member};
use anyhow::{Context as _, bail};
use rayon::prelude::*;
use semantics::Instance;
use std::collections::{HashMap, HashSet};
use synth::Dice;
use synth::evolve::{self, Breeder};

/// The parameters of a run.
#[derive(Clone, Debug)]
pub(super) struct World {
    pub(super) breeder: Breeder,
    pub(super) seed: u64,
    pub(super) population: usize,
    pub(super) survivors: usize,
}

/// Measurements by script.
pub(super) type Cache = HashMap<String, Found>;

/// One run of the search.
pub(super) struct Search<'a> {
    world: &'a World,
    log: Log,
    /// All members, by id.
    pub(super) members: Vec<Member>,
    /// The survivors, the fittest first.
    alive: Vec<(usize, Instance)>,
    seen: HashSet<String>,
    next: u64,
    /// The last finished generation.
    pub(super) generation: u32,
    /// Children that were not run because of their size.
    pub(super) skipped: u64,
    /// The best score after each generation.
    pub(super) history: Vec<f64>,
}

/// A script that is not measured yet.
struct Newcomer {
    instance: Instance,
    parents: Vec<u64>,
    mutation: String,
    body: String,
    text: String,
}

/// Attempts at a new child.
const DRAWS: u64 = 6;

impl<'a> Search<'a> {
    /// A search from the beginning, or from where its log ends.
    pub(super) fn new(
        world: &'a World,
        log: Log,
        lines: &[Line],
        cache: &mut Cache,
    ) -> anyhow::Result<Search<'a>> {
        let mut s = Search {
            world,
            log,
            members: Vec::new(),
            alive: Vec::new(),
            seen: HashSet::new(),
            next: 0,
            generation: 0,
            skipped: 0,
            history: Vec::new(),
        };
        lines.iter().try_for_each(|line| s.replay(line, cache))?;
        Ok(s)
    }

    /// Restores the state after a line of the log.
    fn replay(&mut self, line: &Line, cache: &mut Cache) -> anyhow::Result<()> {
        match line {
            Line::Member(m) => {
                let body = evolve::body(&read(&m.text)?);
                cache.insert(body.clone(), m.found.clone());
                self.seen.insert(body);
                self.next = self.next.max(m.id + 1);
                self.members.push(m.clone());
            }
            Line::Generation { number, survivors, skipped } => {
                (self.generation, self.skipped) = (*number, *skipped);
                self.alive.clear();
                for id in survivors {
                    let at = self.members.iter().position(|m| m.id == *id).context("the log is damaged")?;
                    let instance = read(&self.members[at].text)?;
                    self.alive.push((at, instance));
                }
                self.note_score();
            }
            Line::Run { .. } | Line::End { .. } => {}
        }
        Ok(())
    }

    /// The start is not measured yet.
    pub(super) fn is_new(&self) -> bool {
        self.alive.is_empty()
    }

    /// Measures the first start that the solver does not fail on, as generation 0; false if it was stopped.
    pub(super) fn start(
        &mut self,
        starts: Vec<Instance>,
        judge: &dyn Judging,
        cache: &mut Cache,
    ) -> anyhow::Result<bool> {
        let (mut tried, mut refusal) = (HashSet::new(), None);
        for start in starts {
            let body = evolve::body(&start);
            if !tried.insert(body.clone()) {
                continue;
            }
            let new = newcomer(start, body.clone(), Vec::new(), "start");
            let Some(found) = self.measure(std::slice::from_ref(&new), judge, cache) else {
                return Ok(false);
            };
            let found = found.into_iter().flatten().next().context("the start is not measured")?;
            match &found.unfit {
                Some(why) if found.failed && found.bug.is_none() => {
                    refusal.get_or_insert_with(|| format!("{why}\n{}", new.text));
                }
                _ => {
                    cache.insert(body, found);
                    return self.generation_of(vec![new], judge, cache, 0);
                }
            }
        }
        let which = if tried.len() > 1 {
            format!("all {} starts, the first with", tried.len())
        } else {
            "the start:".into()
        };
        bail!("the solver fails on {which} {}", refusal.unwrap_or_default())
    }

    /// Runs the next generation; false if it was stopped.
    pub(super) fn step(&mut self, judge: &dyn Judging, cache: &mut Cache) -> anyhow::Result<bool> {
        let number = self.generation + 1;
        let parents: Vec<&Instance> = self.alive.iter().map(|(_, i)| i).collect();
        let ids: Vec<u64> = self.alive.iter().map(|(at, _)| self.members[*at].id).collect();
        let mut children = Vec::new();
        let mut bodies = HashSet::new();
        for k in 0..self.world.population.saturating_sub(self.alive.len()).max(1) as u64 {
            for draw in 0..DRAWS {
                let stream = 1 << 62 | u64::from(number) << 24 | k << 4 | draw;
                let child = self.world.breeder.child(&parents, &mut Dice::new(self.world.seed, stream));
                let from = child.parents.iter().map(|&p| ids[p]).collect();
                let new = newcomer(child.instance, child.body, from, child.mutation);
                if !self.seen.contains(&new.body) && bodies.insert(new.body.clone()) {
                    children.push(new);
                    break;
                }
            }
        }
        self.generation_of(children, judge, cache, number)
    }

    /// The score and size that a new script has to beat.
    fn bar(&self) -> Option<Bar> {
        let last = self.alive.get(self.world.survivors.checked_sub(1)?)?;
        let m = &self.members[last.0];
        m.found.unfit.is_none().then_some(Bar { score: m.found.score, size: m.size })
    }

    /// Measures new scripts and keeps the fittest of all; false if it was stopped.
    fn generation_of(
        &mut self,
        newcomers: Vec<Newcomer>,
        judge: &dyn Judging,
        cache: &mut Cache,
        number: u32,
    ) -> anyhow::Result<bool> {
        let Some(measured) = self.measure(&newcomers, judge, cache) else { return Ok(false) };
        for (new, found) in newcomers.into_iter().zip(measured) {
            match found {
                Some(found) => {
                    cache.entry(new.body.clone()).or_insert_with(|| found.clone());
                    self.admit(new, found, number)?;
                }
                None => self.skipped += 1,
            }
        }
        self.select(number)?;
        Ok(true)
    }

    /// Measures new scripts; none for those that cannot survive. None at all if it was stopped.
    fn measure(
        &self,
        newcomers: &[Newcomer],
        judge: &dyn Judging,
        cache: &Cache,
    ) -> Option<Vec<Option<Found>>> {
        let (bar, first) = (self.bar(), self.next);
        let measure = |(k, new): (usize, &Newcomer)| match cache.get(&new.body) {
            Some(found) => Some(Some(found.clone())),
            None if judge.is_hopeless(new.body.len(), bar) => Some(None),
            None => judge.judge(&new.text, first + k as u64, bar).map(Some),
        };
        newcomers.par_iter().enumerate().map(measure).collect()
    }

    /// Logs a script as the next member.
    fn admit(&mut self, new: Newcomer, found: Found, generation: u32) -> anyhow::Result<()> {
        let Newcomer { instance, parents, mutation, body, text } = new;
        let member = Member { id: self.next, generation, parents, mutation, size: body.len(), found, text };
        self.next += 1;
        self.seen.insert(body);
        self.log.line(&Line::Member(member.clone()))?;
        self.alive.push((self.members.len(), instance));
        self.members.push(member);
        Ok(())
    }

    /// Keeps the fittest, and closes the generation in the log.
    fn select(&mut self, number: u32) -> anyhow::Result<()> {
        let members = &self.members;
        let fit = |at: usize| key(&members[at].found, members[at].size, members[at].id);
        self.alive.sort_by_key(|(at, _)| fit(*at));
        self.alive.truncate(self.world.survivors.max(1));
        for (at, instance) in &mut self.alive {
            if members[*at].generation == number {
                // As it is read from the log: children must not depend on other terms in the pool.
                *instance = read(&members[*at].text)?;
            }
        }
        self.generation = number;
        let survivors = self.alive.iter().map(|(at, _)| members[*at].id).collect();
        self.log.line(&Line::Generation { number, survivors, skipped: self.skipped })?;
        self.log.flush()?;
        self.note_score();
        Ok(())
    }

    fn note_score(&mut self) {
        let best = self.members[self.alive[0].0].found.score.rank as f64;
        self.history.push(best);
    }

    /// The seed of the run.
    pub(super) fn seed(&self) -> u64 {
        self.world.seed
    }

    /// The fittest member, and its script.
    pub(super) fn best(&self) -> (&Member, &Instance) {
        let (at, instance) = &self.alive[0];
        (&self.members[*at], instance)
    }

    /// The members from the start to `id`, by first parents.
    pub(super) fn lineage(&self, id: u64) -> Vec<&Member> {
        let mut out = Vec::new();
        let mut next = Some(id);
        while let Some(member) = next.and_then(|id| self.members.iter().find(|m| m.id == id)) {
            out.push(member);
            next = member.parents.first().copied();
        }
        out.reverse();
        out
    }

    /// Closes the log.
    pub(super) fn end(&mut self, shrunk: Option<Member>) -> anyhow::Result<()> {
        let best = self.best().0.id;
        self.log.line(&Line::End { best, shrunk })?;
        self.log.flush()
    }
}

fn newcomer(instance: Instance, body: String, parents: Vec<u64>, mutation: &str) -> Newcomer {
    let text = instance.to_text("");
    Newcomer { instance, parents, mutation: mutation.into(), body, text }
}

/// A script of the log.
fn read(text: &str) -> anyhow::Result<Instance> {
    let damaged = |d: Vec<smt::Diagnostic>| {
        anyhow::anyhow!("the log is damaged: {}", d.first().map_or("", |d| d.message.as_str()))
    };
    Instance::from_text(text.as_bytes(), None).map_err(damaged)
}

#[cfg(test)]
mod tests;
