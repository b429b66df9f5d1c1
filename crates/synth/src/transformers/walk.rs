//! Rewriting the terms of a script.
//!
//! [`map`] changes all occurrences of a term in the same way, in one pass over the pool: ids are in topological order, so
//! that arguments come before terms, and neither depth nor sharing costs anything. [`rewrite`] changes each occurrence
//! separately, as random changes require; a term whose tree is much larger than its graph is changed as a graph.

use rustc_hash::{FxHashMap, FxHashSet};
use smt::symbol::Symbol;
use smt::term::{AttrValue, Attribute, Definition};
use smt::{Command, Fun, Head, Pool, PostOrder, Script, Term};

/// A tree of at most this many nodes is always walked as a tree.
pub(super) const SMALL_TREE: u64 = 1 << 16;

/// A larger tree may have this many times the nodes of the graph.
const MAX_RATIO: u64 = 8;

/// The functions that a script defines by commands.
pub(super) fn defined(script: &Script) -> impl Iterator<Item = Fun> + '_ {
    script
        .commands()
        .flat_map(|c| match c {
            Command::DefineFun(f) | Command::DefineConst(f) | Command::DefineFunRec(f) => {
                std::slice::from_ref(f)
            }
            Command::DefineFunsRec(funs) => funs,
            _ => &[],
        })
        .copied()
}

fn definition(pool: &Pool, f: Fun) -> Option<&Definition> {
    pool.fun(f).def.as_ref()
}

/// Which terms of the pool belong to the script, by id.
pub(crate) fn live(pool: &Pool, script: &Script) -> Vec<bool> {
    let mut live = vec![false; pool.len()];
    for c in script.commands() {
        match c {
            Command::Assert(t) => live[t.0 as usize] = true,
            Command::CheckSatAssuming(ts) | Command::GetValue(ts) => {
                ts.iter().for_each(|t| live[t.0 as usize] = true);
            }
            _ => {}
        }
    }
    for def in defined(script).filter_map(|f| definition(pool, f)) {
        live[def.body.0 as usize] = true;
    }
    for i in (0..live.len()).rev() {
        if live[i] {
            pool.children(Term(i as u32)).for_each(|c| live[c.0 as usize] = true);
        }
    }
    live
}

/// The constants defined by `:named`, by name and term.
pub(crate) struct Named(FxHashMap<(Symbol, Term), Vec<Fun>>);

impl Named {
    pub(crate) fn of(pool: &Pool, live: &[bool]) -> Named {
        let terms = (0..live.len()).filter(|&i| live[i]).map(|i| Term(i as u32));
        let given: FxHashSet<Symbol> = terms.flat_map(|t| names_given(pool, t)).collect();
        let mut map: FxHashMap<(Symbol, Term), Vec<Fun>> = FxHashMap::default();
        if !given.is_empty() {
            for f in (0..pool.fun_count()).map(|i| Fun(i as u32)) {
                let data = pool.fun(f);
                if let Some(def) = &data.def
                    && def.vars.is_empty()
                    && given.contains(&data.name)
                {
                    map.entry((data.name, def.body)).or_default().push(f);
                }
            }
        }
        Named(map)
    }

    /// The constants that `t`, an annotation, gives a name to.
    pub(crate) fn funs(&self, pool: &Pool, t: Term) -> Vec<Fun> {
        let Some(&inner) = pool.args(t).first() else { return Vec::new() };
        names_given(pool, t).filter_map(|n| self.0.get(&(n, inner))).flatten().copied().collect()
    }
}

/// The names that the annotation `t` gives.
pub(super) fn names_given(pool: &Pool, t: Term) -> impl Iterator<Item = Symbol> + '_ {
    let attributes = match pool.head(t) {
        Head::Annot(id) => pool.attributes(id),
        _ => &[],
    };
    attributes.iter().filter_map(|a| match a.value {
        AttrValue::Symbol(s) if pool.names.name(a.key) == ":named" => Some(s),
        _ => None,
    })
}

/// The term like `t` with other arguments.
pub(super) fn with_args(pool: &mut Pool, t: Term, args: &[Term]) -> Term {
    match pool.head(t) {
        _ if args == pool.args(t) => t,
        Head::Annot(id) => {
            let attrs = pool.attributes(id).into();
            pool.annotate(args[0], attrs)
        }
        head => {
            let sort = pool.sort_of(t);
            pool.mk(head, sort, args)
        }
    }
}

/// The replacement of a term, given its rewritten arguments; none: only the arguments change.
pub(super) type Node<'a> = &'a mut dyn FnMut(&mut Pool, Term, &[Term]) -> Option<Term>;

/// Changes every term of the script by `node`, which gets a term and its rewritten arguments; terms
/// that it leaves are rebuilt. True if anything changed.
pub(super) fn map(pool: &mut Pool, script: &mut Script, node: Node<'_>) -> bool {
    let live = live(pool, script);
    let named = Named::of(pool, &live);
    let mut new: Vec<Term> = (0..live.len()).map(|i| Term(i as u32)).collect();
    let mut args = Vec::new();
    for i in (0..live.len()).filter(|&i| live[i]) {
        let t = Term(i as u32);
        args.clear();
        args.extend(pool.args(t).iter().map(|a| new[a.0 as usize]));
        new[i] = match node(pool, t, &args) {
            Some(t) => t,
            None => rebuilt(pool, t, &args, &new),
        };
    }
    for (&(_, body), funs) in &named.0 {
        for &f in funs {
            pool.define(f, Box::new([]), new[body.0 as usize]);
        }
    }
    replace_roots(pool, script, &|t| new[t.0 as usize])
}

/// `t` with new arguments, and new patterns.
fn rebuilt(pool: &mut Pool, t: Term, args: &[Term], new: &[Term]) -> Term {
    let Head::Annot(id) = pool.head(t) else { return with_args(pool, t, args) };
    let renew = |a: &Attribute| match &a.value {
        AttrValue::Terms(terms) => {
            let terms = terms.iter().map(|t| new[t.0 as usize]).collect();
            Attribute { key: a.key, value: AttrValue::Terms(terms) }
        }
        _ => a.clone(),
    };
    let attrs: Box<[Attribute]> = pool.attributes(id).iter().map(renew).collect();
    pool.annotate(args[0], attrs)
}

fn replace_roots(pool: &mut Pool, script: &mut Script, new: &dyn Fn(Term) -> Term) -> bool {
    let mut changed = false;
    let mut replace = |t: &mut Term| {
        let with = new(*t);
        changed |= with != *t;
        *t = with;
    };
    for entry in &mut script.entries {
        match &mut entry.command {
            Command::Assert(t) => replace(t),
            Command::CheckSatAssuming(ts) | Command::GetValue(ts) => ts.iter_mut().for_each(&mut replace),
            _ => {}
        }
    }
    let funs: Vec<Fun> = defined(script).collect();
    for f in funs {
        if let Some(def) = definition(pool, f).cloned() {
            let mut body = def.body;
            replace(&mut body);
            pool.define(f, def.vars, body);
        }
    }
    changed
}

/// The place of a root term: the command's index, and the function if it is the body of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) command: usize,
    pub(crate) fun: Option<Fun>,
}

/// The asserted terms and the bodies of definitions. Assumptions and `get-value` are not changed at random: the former
/// must stay literals, the latter must stay as requested.
pub(super) fn places(pool: &Pool, script: &Script) -> Vec<(Place, Term)> {
    let mut out = Vec::new();
    for (command, c) in script.commands().enumerate() {
        match c {
            Command::Assert(t) => out.push((Place { command, fun: None }, *t)),
            Command::DefineFun(f) | Command::DefineConst(f) | Command::DefineFunRec(f) => {
                out.extend(definition(pool, *f).map(|d| (Place { command, fun: Some(*f) }, d.body)));
            }
            Command::DefineFunsRec(funs) => {
                for &f in funs {
                    out.extend(definition(pool, f).map(|d| (Place { command, fun: Some(f) }, d.body)));
                }
            }
            _ => {}
        }
    }
    out
}

/// Replaces the root term of a place by `t`.
pub(super) fn put(pool: &mut Pool, script: &mut Script, place: Place, t: Term) {
    match place.fun {
        Some(f) => {
            let vars = definition(pool, f).map_or_else(Box::default, |d| d.vars.clone());
            pool.define(f, vars, t);
        }
        None => script.entries[place.command].command = Command::Assert(t),
    }
}

/// As a tree it has at most [`SMALL_TREE`] nodes.
fn is_small(pool: &Pool, t: Term) -> bool {
    let (mut nodes, mut stack) = (0, vec![t]);
    while let Some(t) = stack.pop() {
        nodes += 1;
        if nodes > SMALL_TREE {
            return false;
        }
        stack.extend_from_slice(pool.args(t));
    }
    true
}

/// It has at most `limit` nodes as a tree.
pub(super) fn is_within(pool: &Pool, t: Term, limit: u64) -> bool {
    is_small(pool, t) || sizes(pool, t).0 <= limit
}

/// Nodes of `t` as a tree (saturating) and as a graph.
fn sizes(pool: &Pool, t: Term) -> (u64, u64) {
    let mut size: FxHashMap<Term, u64> = FxHashMap::default();
    let mut walk = PostOrder::new([t]);
    while let Some(t) = walk.next(|t| (!size.contains_key(&t)).then(|| pool.args(t).iter().copied())) {
        let n = pool.args(t).iter().fold(1u64, |n, a| n.saturating_add(size[a]));
        size.insert(t, n);
    }
    (size[&t], size.len() as u64)
}

/// A rewriting of occurrences.
pub(super) trait Rewrite {
    /// Whether to rewrite below `t`.
    fn enters(&self, pool: &Pool, t: Term) -> bool;

    /// The replacement of an occurrence of `t` with rewritten arguments `args`.
    fn node(&mut self, pool: &mut Pool, t: Term, args: &[Term]) -> Term;
}

/// Changes each occurrence in asserted terms and definitions separately. True if anything changed.
pub(super) fn rewrite(pool: &mut Pool, script: &mut Script, how: &mut dyn Rewrite) -> bool {
    let named = Named::of(pool, &live(pool, script));
    let mut changed = false;
    for (place, t) in places(pool, script) {
        let new = rewrite_term(pool, t, &named, how);
        changed |= new != t;
        put(pool, script, place, new);
    }
    changed
}

fn rewrite_term(pool: &mut Pool, root: Term, named: &Named, how: &mut dyn Rewrite) -> Term {
    let as_graph = !is_small(pool, root) && {
        let (tree, graph) = sizes(pool, root);
        tree / MAX_RATIO > graph
    };
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    let mut stack = vec![(root, false)];
    let mut out: Vec<Term> = Vec::new();
    let mut args = Vec::new();
    while let Some((t, ready)) = stack.pop() {
        if !ready {
            if let Some(&new) = done.get(&t) {
                out.push(new);
            } else if how.enters(pool, t) {
                stack.push((t, true));
                stack.extend(pool.args(t).iter().rev().map(|&a| (a, false)));
            } else {
                out.push(t);
            }
            continue;
        }
        args.clear();
        args.extend(out.drain(out.len() - pool.args(t).len()..));
        let new = match pool.head(t) {
            Head::Annot(_) => {
                let new = with_args(pool, t, &args);
                let funs = named.funs(pool, t);
                for &f in &funs {
                    pool.define(f, Box::new([]), args[0]);
                }
                // A name is given once, however many paths lead to it.
                if !funs.is_empty() {
                    done.insert(t, new);
                }
                new
            }
            Head::Forall | Head::Exists | Head::Lambda => {
                let vars = pool.args(t).len() - 1;
                let mut all = pool.args(t)[..vars].to_vec();
                all.extend(args.last());
                with_args(pool, t, &all)
            }
            Head::Opaque(_) => with_args(pool, t, &args),
            _ => how.node(pool, t, &args),
        };
        if as_graph {
            done.insert(t, new);
        }
        out.push(new);
    }
    out.pop().expect("the root was walked")
}
