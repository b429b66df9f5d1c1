//! Changes of the whole script: terms replaced wherever they occur, definitions inlined, parameters removed.

use super::build::{Builder, Fresh, rebinds};
use super::edit::{Change, Edit};
use crate::doc::{Effect, defined};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::script::Entry;
use smt::{Command, Fun, Head, Pool, Sort, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Rebuilds all terms of the commands by `f`.
pub(super) fn each_root(
    pool: &mut Pool,
    entries: &mut [(Option<usize>, Entry)],
    mut f: impl FnMut(&mut Pool, Term) -> Term,
) {
    for (_, entry) in entries {
        match &mut entry.command {
            Command::Assert(t) => *t = f(pool, *t),
            Command::CheckSatAssuming(ts) | Command::GetValue(ts) => {
                ts.iter_mut().for_each(|t| *t = f(pool, *t));
            }
            c => {
                for &g in defined(c) {
                    let Some(body) = pool.fun(g).def.as_ref().map(|d| d.body) else { continue };
                    let body = f(pool, body);
                    redefine(pool, g, body);
                }
            }
        }
    }
}

/// Gives a function another body.
pub(super) fn redefine(pool: &mut Pool, f: Fun, body: Term) {
    let vars = pool.fun(f).def.as_ref().map_or_else(Box::default, |d| d.vars.clone());
    pool.define(f, vars, body);
}

/// Replacements of terms, by edits that do not meet.
#[derive(Default)]
pub(super) struct Replaced {
    /// Old terms with their new ones.
    pub(super) map: FxHashMap<Term, Term>,
    /// The parts of the new terms.
    inside: FxHashSet<Term>,
    /// The new constants.
    pub(super) fresh: Vec<Fresh>,
    /// The same: a constant takes the place of one term only.
    taken: FxHashSet<Fun>,
    /// The commands that are no longer needed.
    pub(super) dropped: Vec<usize>,
    /// The effects together.
    pub(super) effects: Vec<Effect>,
}

impl Replaced {
    /// The replacements of the edits. An edit that meets an earlier one is left out: its new term has a replaced one in it, its old term is
    /// in a new one, or its constant has the place of another term.
    pub(super) fn of(pool: &mut Pool, edits: &[Edit]) -> Option<Replaced> {
        let mut out = Replaced::default();
        for e in edits {
            if let Change::Everywhere(pairs, drop) = &e.change {
                let mut builder = Builder::new(pool);
                let new: Option<Vec<(Term, Term)>> =
                    pairs.iter().map(|(old, new)| Some((*old, builder.closed(new, *old)?))).collect();
                let fresh = builder.fresh();
                let new = new?;
                if fresh.iter().all(|(f, _)| !out.taken.contains(f)) && out.add(pool, new) {
                    out.taken.extend(fresh.iter().map(|(f, _)| *f));
                    out.fresh.extend(fresh);
                    out.dropped.extend(drop);
                    out.effects.push(e.effect);
                }
            }
        }
        Some(out)
    }

    fn add(&mut self, pool: &Pool, pairs: Vec<(Term, Term)>) -> bool {
        let parts: Vec<Term> = pool.subterms(pairs.iter().map(|p| p.1)).collect();
        let meets = parts.iter().any(|t| self.map.contains_key(t))
            || pairs.iter().any(|(old, _)| self.inside.contains(old) || self.map.contains_key(old));
        if !meets {
            self.map.extend(pairs);
            self.inside.extend(parts);
        }
        !meets
    }
}

/// The most steps of inlining.
const INLINING: usize = 2_000_000;

/// Definitions to be inlined: parameters and bodies, which call none of the others.
struct Inliner {
    bodies: FxHashMap<Fun, (Box<[Term]>, Term, usize)>,
    left: usize,
    failed: bool,
}

/// Replaces the calls of functions by their definitions. None if a variable would be captured, or if it is too much work.
pub(super) fn inline(
    pool: &mut Pool,
    entries: &mut [(Option<usize>, Entry)],
    funs: &BTreeSet<Fun>,
) -> Option<()> {
    let mut inliner = Inliner { bodies: FxHashMap::default(), left: INLINING, failed: false };
    for &f in funs {
        let def = pool.fun(f).def.clone()?;
        if inliner.failed || rebinds(pool, def.body, &def.vars) {
            return None;
        }
        let body = inliner.expand(pool, def.body, &mut FxHashMap::default());
        let nodes = pool.subterms([body]).count();
        inliner.bodies.insert(f, (def.vars, body, nodes));
    }
    let mut done = FxHashMap::default();
    each_root(pool, entries, |pool, t| inliner.expand(pool, t, &mut done));
    (!inliner.failed).then_some(())
}

impl Inliner {
    fn expand(&mut self, pool: &mut Pool, t: Term, done: &mut FxHashMap<Term, Term>) -> Term {
        pool.rebuild(t, done, |pool, t, children| match pool.head(t) {
            Head::Fun(f) if self.bodies.contains_key(&f) => {
                self.call(pool, f, children).unwrap_or_else(|| {
                    self.failed = true;
                    t
                })
            }
            _ => pool.with_children(t, children),
        })
    }

    fn call(&mut self, pool: &mut Pool, f: Fun, args: &[Term]) -> Option<Term> {
        let (vars, body, nodes) = self.bodies.get(&f)?;
        self.left = self.left.checked_sub(*nodes)?;
        if pool.has_binder(*body) && args.iter().any(|&a| pool.has_var(a)) {
            return None;
        }
        let mut map: FxHashMap<Term, Term> = vars.iter().copied().zip(args.iter().copied()).collect();
        Some(pool.replace(*body, &mut map))
    }
}

/// Removes parameters of functions. None if a function uses one for which there is no constant.
pub(super) fn parameters(
    pool: &mut Pool,
    entries: &mut [(Option<usize>, Entry)],
    gone: &BTreeMap<Fun, BTreeSet<usize>>,
) -> Option<()> {
    let new: FxHashMap<Fun, Fun> = gone.iter().map(|(&f, gone)| (f, narrowed(pool, f, gone))).collect();
    for (f, gone) in gone {
        define_narrowed(pool, *f, new[f], gone)?;
    }
    for (_, entry) in entries.iter_mut() {
        entry.command = exchanged(pool, &entry.command, &new);
    }
    let mut done = FxHashMap::default();
    each_root(pool, entries, |pool, t| {
        pool.rebuild(t, &mut done, |pool, t, children| match pool.head(t) {
            Head::Fun(f) if new.contains_key(&f) => {
                let kept: Vec<Term> = without(children, &gone[&f]).collect();
                pool.apply(new[&f], &kept)
            }
            _ => pool.with_children(t, children),
        })
    });
    Some(())
}

fn without<'a, T: Copy>(list: &'a [T], gone: &'a BTreeSet<usize>) -> impl Iterator<Item = T> + 'a {
    list.iter().enumerate().filter(|(i, _)| !gone.contains(i)).map(|(_, x)| *x)
}

/// A function with fewer parameters, and the same name.
fn narrowed(pool: &mut Pool, f: Fun, gone: &BTreeSet<usize>) -> Fun {
    let data = pool.fun(f);
    let (name, ret) = (data.name, data.ret);
    let params: Box<[Sort]> = without(&data.params, gone).collect();
    pool.declare(name, params, ret)
}

/// The definition of the new function: the removed parameters are constants.
fn define_narrowed(pool: &mut Pool, old: Fun, new: Fun, gone: &BTreeSet<usize>) -> Option<()> {
    let Some(def) = pool.fun(old).def.clone() else { return Some(()) };
    if rebinds(pool, def.body, &def.vars) {
        return None;
    }
    let mut values = FxHashMap::default();
    for &i in gone {
        let v = *def.vars.get(i)?;
        if pool.subterms([def.body]).any(|t| t == v) {
            values.insert(v, simplest(pool, pool.sort_of(v))?);
        }
    }
    let body = pool.replace(def.body, &mut values);
    let vars = without(&def.vars, gone).collect();
    pool.define(new, vars, body);
    Some(())
}

/// The simplest constant of a sort.
fn simplest(pool: &mut Pool, sort: Sort) -> Option<Term> {
    Some(match sort {
        Sort::BOOL => pool.bool(false),
        Sort::INT => pool.int(0),
        Sort::STRING => pool.string(&[]),
        Sort::REGLAN => return pool.op(smt::Op::ReNone, &[]).ok(),
        _ if pool.element_of(sort).is_some() => pool.empty_sequence(sort),
        _ => return None,
    })
}

/// The command that introduces a new function instead of the old one.
fn exchanged(pool: &Pool, c: &Command, new: &FxHashMap<Fun, Fun>) -> Command {
    let of = |f: &Fun| new.get(f).copied().unwrap_or(*f);
    match c {
        Command::DeclareFun(f) if new.contains_key(f) && pool.fun(of(f)).params.is_empty() => {
            Command::DeclareConst(of(f))
        }
        Command::DeclareFun(f) => Command::DeclareFun(of(f)),
        Command::DefineFun(f) => Command::DefineFun(of(f)),
        Command::DefineFunRec(f) => Command::DefineFunRec(of(f)),
        Command::DefineFunsRec(fs) => Command::DefineFunsRec(fs.iter().map(of).collect()),
        other => other.clone(),
    }
}
