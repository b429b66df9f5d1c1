//! Does edits: builds the new script, prints it, and reads it back.
//!
//! The result is the script that was read back, so that it is standard SMT-LIB, well sorted, and the very script that a solver gets. Edits
//! that lie inside a part that another edit removes have no effect; of several edits at one place the first counts.

use super::build::{Builder, Sites};
use super::edit::{Change, Edit};
use super::global::{self, Replaced, redefine};
use super::survey::Survey;
use super::{rename, tidy};
use crate::doc::{Doc, Effect, defined};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::script::Entry;
use smt::{Command, Dialect, Fun, Head, Op, Pool, Sort, Term};
use std::collections::{BTreeMap, BTreeSet};

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
        let dropped = self.everywhere(edits)?;
        self.inline(edits)?;
        self.parameters(edits)?;
        self.commands(edits, &dropped);
        Some(())
    }

    /// Replaces and removes occurrences.
    fn terms(&mut self, edits: &[Edit]) -> Option<()> {
        let mut sites = Sites::default();
        let mut touched = BTreeSet::new();
        for e in edits {
            let (site, counts) = match &e.change {
                Change::At(site, new) => (site, sites.replace(*site, new)),
                Change::Without(site) => (site, sites.without.insert(*site)),
                _ => continue,
            };
            if counts {
                touched.insert((site.command, site.body));
                self.effect = self.effect.then(e.effect);
            }
        }
        let survey = if touched.is_empty() { None } else { Some(Survey::new(self.doc)) };
        for (survey, (command, body)) in survey.iter().flat_map(|s| touched.iter().map(move |&t| (s, t))) {
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

    /// Replaces terms wherever they occur. Returns the commands that are no longer needed.
    fn everywhere(&mut self, edits: &[Edit]) -> Option<Vec<usize>> {
        let Replaced { mut map, fresh, dropped, effects, .. } = Replaced::of(&mut self.pool, edits)?;
        self.fresh.extend(fresh);
        self.effect = effects.into_iter().fold(self.effect, Effect::then);
        if !map.is_empty() {
            global::each_root(&mut self.pool, &mut self.entries, |pool, t| pool.replace(t, &mut map));
        }
        Some(dropped)
    }

    /// Replaces calls by definitions.
    fn inline(&mut self, edits: &[Edit]) -> Option<()> {
        let mut funs = BTreeSet::new();
        for e in edits {
            if let Change::Inline(f) = e.change {
                funs.insert(f);
                self.effect = self.effect.then(e.effect);
            }
        }
        if funs.is_empty() { Some(()) } else { global::inline(&mut self.pool, &mut self.entries, &funs) }
    }

    /// Removes parameters of functions.
    fn parameters(&mut self, edits: &[Edit]) -> Option<()> {
        let mut gone: BTreeMap<Fun, BTreeSet<usize>> = BTreeMap::new();
        for e in edits {
            if let Change::Parameters(f, these) = &e.change {
                gone.entry(*f).or_default().extend(these);
                self.effect = self.effect.then(e.effect);
            }
        }
        if gone.is_empty() { Some(()) } else { global::parameters(&mut self.pool, &mut self.entries, &gone) }
    }

    /// Replaces and removes commands, and records names.
    fn commands(&mut self, edits: &[Edit], dropped: &[usize]) {
        let mut instead: FxHashMap<usize, Vec<Command>> = dropped.iter().map(|&i| (i, Vec::new())).collect();
        for e in edits {
            match &e.change {
                Change::Drop(commands) => instead.extend(commands.iter().map(|&i| (i, Vec::new()))),
                Change::Commands(i, commands) => {
                    instead.entry(*i).or_insert_with(|| commands.clone());
                }
                Change::Conjuncts(i, parts) => {
                    let asserted = parts.iter().map(|&part| Command::Assert(negated(&mut self.pool, part)));
                    instead.insert(*i, asserted.collect());
                }
                Change::Logic(i, name) => {
                    let name = self.pool.names.intern(name);
                    instead.entry(*i).or_insert_with(|| vec![Command::SetLogic(name)]);
                }
                Change::Lets(i, on) => self.entries[*i].1.lets = *on,
                Change::Rename(old, new) => {
                    let old = self.pool.names.name(*old).to_owned();
                    self.renames.entry(old).or_insert_with(|| new.to_string());
                }
                Change::Assumption(..) => {}
                Change::At(..) | Change::Without(_) | Change::Everywhere(..) => continue,
                Change::Inline(_) | Change::Parameters(..) => continue,
            }
            self.effect = self.effect.then(e.effect);
        }
        self.assumptions(edits);
        if !instead.is_empty() {
            self.entries = std::mem::take(&mut self.entries)
                .into_iter()
                .flat_map(|(i, entry)| exchanged(i, entry, &instead))
                .collect();
        }
    }

    /// Removes assumptions.
    fn assumptions(&mut self, edits: &[Edit]) {
        let gone: FxHashSet<(usize, usize)> = edits
            .iter()
            .filter_map(|e| if let Change::Assumption(i, k) = e.change { Some((i, k)) } else { None })
            .collect();
        for (origin, entry) in self.entries.iter_mut().filter(|_| !gone.is_empty()) {
            let (Some(i), Command::CheckSatAssuming(ts)) = (*origin, &entry.command) else { continue };
            let left: Box<[Term]> =
                ts.iter().enumerate().filter(|(k, _)| !gone.contains(&(i, *k))).map(|(_, t)| *t).collect();
            entry.command = if left.is_empty() { Command::CheckSat } else { Command::CheckSatAssuming(left) };
        }
    }

    /// Assumptions that were literals are still literals, as the standard wants.
    fn assumptions_are_literals(&self) -> bool {
        let literals = |pool: &Pool, c: &Command| match c {
            Command::CheckSatAssuming(ts) => ts.iter().all(|&t| is_literal(pool, t)),
            _ => true,
        };
        self.entries.iter().all(|(origin, e)| {
            let old = origin.map(|i| &self.doc.script.entries[i].command);
            literals(&self.pool, &e.command) || old.is_some_and(|old| !literals(&self.doc.pool, old))
        })
    }

    fn finish(mut self) -> Option<Candidate> {
        if !self.assumptions_are_literals() {
            return None;
        }
        self.declare_fresh();
        self.effect = self.effect.then(tidy::tidy(&self.pool, &mut self.entries));
        let (origin, entries) = self.entries.into_iter().unzip();
        let script = smt::Script { entries, dialect: Dialect::Smt26 };
        let text = crate::doc::print(&self.pool, &script).0;
        let text = if self.renames.is_empty() { text } else { rename::renamed(&text, &self.renames) };
        let doc = Doc::read(text.as_bytes(), Some(Dialect::Smt26)).ok()?;
        let same = doc.text() == text && (self.doc.is_doubtful() || !doc.is_doubtful());
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
        let known = self.doc.pool.fun_count() as u32;
        let new = self.fresh.iter().filter(|(f, _)| f.0 >= known);
        let declarations = new.map(|&(f, _)| (None, entry(Command::DeclareConst(f))));
        self.entries.splice(at..at, declarations);
    }
}

/// A term, or its negation.
fn negated(pool: &mut Pool, (t, negated): (Term, bool)) -> Term {
    if negated { pool.mk(Head::Op(Op::Not), Sort::BOOL, &[t]) } else { t }
}

/// A Boolean constant or its negation.
fn is_literal(pool: &Pool, t: Term) -> bool {
    let is_constant =
        |t: Term| pool.args(t).is_empty() && !matches!(pool.head(t), Head::Opaque(_) | Head::Var(_));
    match pool.head(t) {
        Head::Op(Op::Not) => is_constant(pool.args(t)[0]),
        _ => is_constant(t),
    }
}

fn entry(command: Command) -> Entry {
    Entry { command, span: smt::Span::default(), trivia: smt::Span::default(), lets: false }
}

/// An entry, or the commands that replace it.
fn exchanged(
    origin: Option<usize>,
    old: Entry,
    instead: &FxHashMap<usize, Vec<Command>>,
) -> Vec<(Option<usize>, Entry)> {
    match origin.and_then(|i| instead.get(&i)) {
        Some(new) => new.iter().map(|c| (origin, Entry { lets: old.lets, ..entry(c.clone()) })).collect(),
        None => vec![(origin, old)],
    }
}
