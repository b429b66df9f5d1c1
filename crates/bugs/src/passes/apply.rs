//! Does edits: builds the new script, prints it, and reads it back.
//!
//! The result is the script that was read back, so that it is standard SMT-LIB, well sorted, and the very script that a solver gets. Edits
//! that lie inside a part that another edit removes have no effect; of several edits at one place the first counts.

use super::build::{Builder, Fresh};
use super::edit::{Change, Edit, New, Site};
use super::survey::Survey;
use super::{rename, tidy};
use crate::doc::{Doc, Effect, defined};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::script::Entry;
use smt::{Command, Dialect, Fun, Pool, Term};
use std::collections::BTreeMap;

/// A script made by edits.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The script.
    pub doc: Doc,
    /// The effect of the edits together, on each check that is left.
    pub effect: Effect,
    /// For each of its commands, the index of the command of the old script that it comes from; of a new declaration none.
    pub origin: Vec<Option<usize>>,
    /// New names with the old ones.
    pub renamed: Vec<(String, String)>,
    /// New constants with the terms of the old script whose value they have in the models that stay.
    pub fresh: Vec<(String, Term)>,
}

/// The script after some edits that one pass offered on it. None if they do not fit together or give no well-sorted script that is
/// smaller.
pub fn apply(doc: &Doc, edits: &[Edit]) -> Option<Candidate> {
    let mut draft = Draft::new(doc);
    draft.make(edits)?;
    draft.finish()
}

/// A script being edited. Its commands carry the index of their origin.
struct Draft<'d> {
    doc: &'d Doc,
    pool: Pool,
    entries: Vec<(Option<usize>, Entry)>,
    effect: Effect,
    fresh: Vec<(Fun, Term)>,
    renames: BTreeMap<String, String>,
}

impl<'d> Draft<'d> {
    fn new(doc: &'d Doc) -> Draft<'d> {
        let entries = doc.script.entries.iter().cloned().enumerate().map(|(i, e)| (Some(i), e)).collect();
        Draft {
            doc,
            pool: doc.pool.clone(),
            entries,
            effect: Effect::Equivalent,
            fresh: Vec::new(),
            renames: BTreeMap::new(),
        }
    }

    fn make(&mut self, edits: &[Edit]) -> Option<()> {
        self.terms(edits)?;
        self.everywhere(edits)?;
        self.parameters(edits);
        self.commands(edits);
        Some(())
    }

    /// Replaces occurrences.
    fn terms(&mut self, edits: &[Edit]) -> Option<()> {
        let mut sites: FxHashMap<Site, &New> = FxHashMap::default();
        let mut touched = Vec::new();
        for e in edits {
            let Change::At(site, new) = &e.change else { continue };
            if let std::collections::hash_map::Entry::Vacant(slot) = sites.entry(*site) {
                slot.insert(new);
                touched.push((site.command, site.body));
                self.effect = self.effect.then(e.effect);
            }
        }
        touched.sort_unstable();
        touched.dedup();
        let survey = Survey::new(self.doc);
        for (command, body) in touched {
            let tree = survey.tree(command, body)?;
            let mut builder = Builder::new(&mut self.pool);
            let root = builder.tree(&tree, &sites)?;
            self.fresh.extend(builder.fresh());
            self.put(command, body, root);
        }
        Some(())
    }

    /// Replaces the root of a term.
    fn put(&mut self, command: usize, body: usize, root: Term) {
        let c = &mut self.entries[command].1.command;
        match defined(c).get(body) {
            Some(&f) => redefine(&mut self.pool, f, root),
            None => *c = Command::Assert(root),
        }
    }

    /// Replaces terms wherever they occur. An edit that meets an earlier one is left out: its new term has a replaced one in it, or its
    /// old term is in a new one.
    fn everywhere(&mut self, edits: &[Edit]) -> Option<()> {
        let mut map: FxHashMap<Term, Term> = FxHashMap::default();
        let mut inside: FxHashSet<Term> = FxHashSet::default();
        for e in edits {
            let Change::Everywhere(old, new) = &e.change else { continue };
            let mut builder = Builder::new(&mut self.pool);
            let new = builder.closed(new, *old)?;
            let fresh = builder.fresh();
            let parts: Vec<Term> = self.pool.subterms([new]).collect();
            let meets = parts.iter().any(|t| map.contains_key(t)) || inside.contains(old);
            if !meets && !map.contains_key(old) {
                map.insert(*old, new);
                inside.extend(parts);
                self.fresh.extend(fresh);
                self.effect = self.effect.then(e.effect);
            }
        }
        if !map.is_empty() {
            self.replace(map);
        }
        Some(())
    }

    fn replace(&mut self, mut map: FxHashMap<Term, Term>) {
        let pool = &mut self.pool;
        for (_, entry) in &mut self.entries {
            match &mut entry.command {
                Command::Assert(t) => *t = pool.replace(*t, &mut map),
                Command::CheckSatAssuming(ts) | Command::GetValue(ts) => {
                    ts.iter_mut().for_each(|t| *t = pool.replace(*t, &mut map));
                }
                c => {
                    for &f in defined(c) {
                        let Some(body) = pool.fun(f).def.as_ref().map(|d| d.body) else { continue };
                        let body = pool.replace(body, &mut map);
                        redefine(pool, f, body);
                    }
                }
            }
        }
    }

    /// Removes parameters of functions.
    fn parameters(&mut self, _edits: &[Edit]) {}

    /// Replaces and removes commands, and records names.
    fn commands(&mut self, edits: &[Edit]) {
        let mut instead: FxHashMap<usize, &[Command]> = FxHashMap::default();
        let mut lets: FxHashMap<usize, bool> = FxHashMap::default();
        for e in edits {
            match &e.change {
                Change::Drop(commands) => {
                    for &i in commands {
                        instead.entry(i).or_insert(&[]);
                    }
                }
                Change::Commands(i, commands) => {
                    instead.entry(*i).or_insert(commands);
                }
                Change::Lets(i, on) => {
                    lets.insert(*i, *on);
                }
                Change::Rename(old, new) => {
                    let old = self.pool.names.name(*old).to_owned();
                    self.renames.entry(old).or_insert_with(|| new.to_string());
                }
                Change::At(..) | Change::Everywhere(..) | Change::Parameter(..) => continue,
            }
            self.effect = self.effect.then(e.effect);
        }
        for (i, on) in lets {
            self.entries[i].1.lets = on;
        }
        if !instead.is_empty() {
            self.entries = std::mem::take(&mut self.entries)
                .into_iter()
                .flat_map(|(i, entry)| exchanged(i, entry, &instead))
                .collect();
        }
    }

    fn finish(mut self) -> Option<Candidate> {
        self.declare_fresh();
        self.effect = self.effect.then(tidy::tidy(&self.pool, &mut self.entries));
        let (origin, entries) = self.entries.into_iter().unzip();
        let script = smt::Script { entries, dialect: Dialect::Smt26 };
        let text = crate::doc::print(&self.pool, &script).0;
        let text = if self.renames.is_empty() { text } else { rename::renamed(&text, &self.renames) };
        let doc = Doc::read(text.as_bytes(), Some(Dialect::Smt26)).ok()?;
        let same = doc.text() == text && !(doc.is_doubtful() && !self.doc.is_doubtful());
        (same && doc.size() < self.doc.size()).then(|| Candidate {
            doc,
            effect: if self.doc.is_doubtful() { Effect::Any } else { self.effect },
            origin,
            renamed: self.renames.into_iter().map(|(old, new)| (new, old)).collect(),
            fresh: self.fresh.iter().map(|&(f, t)| (self.pool.fun_name(f).to_owned(), t)).collect(),
        })
    }

    /// Declares new constants before the first command that is neither a setting nor a sort.
    fn declare_fresh(&mut self) {
        let heading = |c: &Command| {
            matches!(c, Command::SetLogic(_) | Command::SetInfo(..) | Command::SetOption(..))
                || matches!(c, Command::DeclareSort(..) | Command::DefineSort(..) | Command::Other(_))
        };
        let at = self.entries.iter().position(|(_, e)| !heading(&e.command)).unwrap_or(self.entries.len());
        let declare = |&(f, _): &Fresh| (None, entry(Command::DeclareConst(f)));
        self.entries.splice(at..at, self.fresh.iter().map(declare));
    }
}

fn redefine(pool: &mut Pool, f: Fun, body: Term) {
    let vars = pool.fun(f).def.as_ref().map_or_else(Box::default, |d| d.vars.clone());
    pool.define(f, vars, body);
}

fn entry(command: Command) -> Entry {
    Entry { command, span: smt::Span::default(), trivia: smt::Span::default(), lets: false }
}

/// An entry, or the commands that replace it.
fn exchanged(
    origin: Option<usize>,
    old: Entry,
    instead: &FxHashMap<usize, &[Command]>,
) -> Vec<(Option<usize>, Entry)> {
    match origin.and_then(|i| instead.get(&i)) {
        Some(new) => new.iter().map(|c| (origin, Entry { lets: old.lets, ..entry(c.clone()) })).collect(),
        None => vec![(origin, old)],
    }
}
