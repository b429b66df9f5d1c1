//! The search: generations of children, judged, of which the fittest survive.

use super::fitness::{Found, key};
use super::judge::Bar;
use super::log::{Line, Log, Member};
use anyhow::{Context as _, bail};
use rayon::prelude::*;
use semantics::Instance;
use std::collections::{HashMap, HashSet};
use synth::Dice;
use synth::evolve::{self, Breeder};

/// How the population is kept.
#[derive(Clone, Debug)]
pub(super) struct World {
    pub(super) breeder: Breeder,
    pub(super) seed: u64,
    pub(super) population: usize,
    pub(super) survivors: usize,
}

/// Judges scripts; several at a time.
pub(super) trait Judging: Sync {
    /// It need not be judged.
    fn hopeless(&self, size: usize, bar: Option<Bar>) -> bool;
    /// What is found about a text, `number` being different for all; none if it was stopped.
    fn judge(&self, text: &str, number: u64, bar: Option<Bar>) -> Option<Found>;
}

impl Judging for super::judge::Judge<'_> {
    fn hopeless(&self, size: usize, bar: Option<Bar>) -> bool {
        self.is_hopeless(size, bar)
    }

    fn judge(&self, text: &str, number: u64, bar: Option<Bar>) -> Option<Found> {
        super::judge::Judge::judge(self, text, number, bar)
    }
}

/// Results by content.
pub(super) type Cache = HashMap<String, Found>;

/// One run of the search.
pub(super) struct Search<'a> {
    world: &'a World,
    log: Log,
    /// All that were judged, by id.
    pub(super) members: Vec<Member>,
    /// The survivors, the fittest first.
    alive: Vec<(usize, Instance)>,
    seen: HashSet<String>,
    next: u64,
    /// The generation that was finished last.
    pub(super) generation: u32,
    /// Children that were not run, from their size.
    pub(super) skipped: u64,
    /// The best score after each generation.
    pub(super) history: Vec<f64>,
}

struct Newcomer {
    instance: Instance,
    parents: Vec<u64>,
    mutation: String,
    body: String,
    text: String,
}

/// Draws for a child that was not there before.
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
        for line in lines {
            match line {
                Line::Member(m) => {
                    let instance = read(&m.text)?;
                    let body = evolve::body(&instance);
                    cache.insert(body.clone(), m.found.clone());
                    s.seen.insert(body);
                    s.next = s.next.max(m.id + 1);
                    s.members.push(m.clone());
                }
                Line::Generation { number, survivors, skipped } => {
                    (s.generation, s.skipped) = (*number, *skipped);
                    s.alive.clear();
                    for id in survivors {
                        let at = s.members.iter().position(|m| m.id == *id).context("the log is damaged")?;
                        let instance = read(&s.members[at].text)?;
                        s.alive.push((at, instance));
                    }
                    s.note_score();
                }
                Line::Run { .. } | Line::End { .. } => {}
            }
        }
        Ok(s)
    }

    /// The start is not judged yet.
    pub(super) fn is_new(&self) -> bool {
        self.alive.is_empty()
    }

    /// Judges the start: generation 0. False if it was stopped.
    pub(super) fn start(
        &mut self,
        start: Instance,
        judge: &dyn Judging,
        cache: &mut Cache,
    ) -> anyhow::Result<bool> {
        let body = evolve::body(&start);
        let newcomer = newcomer(start, body, Vec::new(), "start");
        if !self.generation_of(vec![newcomer], judge, cache, 0)? {
            return Ok(false);
        }
        let first = &self.members[0].found;
        match &first.unfit {
            Some(why) if first.failed && first.bug.is_none() => {
                bail!("the start cannot be used: {why}\n{}", self.members[0].text)
            }
            _ => Ok(true),
        }
    }

    /// The next generation. False if it was stopped.
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

    /// What a newcomer has to beat.
    fn bar(&self) -> Option<Bar> {
        let last = self.alive.get(self.world.survivors.checked_sub(1)?)?;
        let m = &self.members[last.0];
        m.found.unfit.is_none().then_some(Bar { score: m.found.score, size: m.size })
    }

    fn generation_of(
        &mut self,
        newcomers: Vec<Newcomer>,
        judge: &dyn Judging,
        cache: &mut Cache,
        number: u32,
    ) -> anyhow::Result<bool> {
        let bar = self.bar();
        let first = self.next;
        let known: &Cache = cache;
        let judged: Vec<Option<Option<Found>>> = newcomers
            .par_iter()
            .enumerate()
            .map(|(k, new)| {
                if let Some(found) = known.get(&new.body) {
                    return Some(Some(found.clone()));
                }
                if judge.hopeless(new.body.len(), bar) {
                    return Some(None);
                }
                judge.judge(&new.text, first + k as u64, bar).map(Some)
            })
            .collect();
        if judged.iter().any(Option::is_none) {
            return Ok(false);
        }
        for (new, found) in newcomers.into_iter().zip(judged) {
            let Some(found) = found.flatten() else {
                self.skipped += 1;
                continue;
            };
            cache.entry(new.body.clone()).or_insert_with(|| found.clone());
            let member = Member {
                id: self.next,
                generation: number,
                parents: new.parents,
                mutation: new.mutation,
                size: new.body.len(),
                found,
                text: new.text,
            };
            self.next += 1;
            self.seen.insert(new.body);
            self.log.line(&Line::Member(member.clone()))?;
            self.alive.push((self.members.len(), new.instance));
            self.members.push(member);
        }
        let members = &self.members;
        let fit = |at: usize| key(&members[at].found, members[at].size, members[at].id);
        self.alive.sort_by_key(|(at, _)| fit(*at));
        self.alive.truncate(self.world.survivors.max(1));
        for (at, instance) in &mut self.alive {
            if members[*at].generation == number {
                // As it will be when the log is read: children must not depend on what else a pool holds.
                *instance = read(&members[*at].text)?;
            }
        }
        self.generation = number;
        let survivors = self.alive.iter().map(|(at, _)| members[*at].id).collect();
        self.log.line(&Line::Generation { number, survivors, skipped: self.skipped })?;
        self.log.flush()?;
        self.note_score();
        Ok(true)
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
    let trouble = |d: Vec<smt::Diagnostic>| {
        anyhow::anyhow!("the log is damaged: {}", d.first().map_or("", |d| d.message.as_str()))
    };
    Instance::from_text(text.as_bytes(), None).map_err(trouble)
}

#[cfg(test)]
mod tests;
