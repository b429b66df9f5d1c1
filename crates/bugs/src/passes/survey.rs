//! The occurrences of terms in a script, with their polarity.
//!
//! Assertions and bodies of definitions are surveyed, as trees; assumptions and requested values are edited as commands. The occurrences
//! of a term are numbered in the order of the text, so that those below an occurrence are the numbers up to its end. A term whose
//! tree is too large (it shares much) is left to the edits that replace a term wherever it occurs.

use super::edit::Site;
use super::order::{Order, Polarity};
use crate::doc::{Doc, defined};
use rustc_hash::FxHashSet;
use smt::symbol::Symbol;
use smt::{Command, Head, Pool, Term};

/// Trees of more nodes are not surveyed.
const LARGEST_TREE: usize = 1 << 20;

/// All surveyed trees together have at most this many nodes.
const LARGEST_SURVEY: usize = 1 << 22;

/// An occurrence of a term.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurrence {
    /// The term.
    pub(super) term: Term,
    /// The number after the last one below it.
    pub(super) end: u32,
    /// The occurrence of which it is an argument; itself at the root.
    pub(super) parent: u32,
    /// The number of that argument.
    pub(super) argument: u32,
    /// The innermost binder around it, as a number from 1.
    scope: u32,
    /// How the assertion depends on it.
    pub(super) polarity: Polarity,
    /// A variable where it is bound.
    pub(super) binding: bool,
}

/// The occurrences in one term, numbered from the root.
#[derive(Debug)]
pub(super) struct Tree {
    command: usize,
    body: usize,
    /// The root is the first.
    pub(super) all: Vec<Occurrence>,
}

/// The terms of a script.
pub(super) struct Survey<'d> {
    doc: &'d Doc,
    /// The names that terms are given by `:named` and used by.
    used: FxHashSet<Symbol>,
}

impl<'d> Survey<'d> {
    /// The survey of a script.
    pub(super) fn new(doc: &'d Doc) -> Survey<'d> {
        let constant = |t: Term| match doc.pool.head(t) {
            Head::Fun(f) => Some(doc.pool.fun(f).name),
            _ => None,
        };
        let used = doc.pool.subterms(doc.all_roots()).filter_map(constant).collect();
        Survey { doc, used }
    }

    /// The trees, in the order of the script.
    pub(super) fn trees(&self) -> impl Iterator<Item = Tree> + '_ {
        let mut left = LARGEST_SURVEY;
        let places = self.doc.script.commands().enumerate().flat_map(|(i, c)| {
            let bodies = match c {
                Command::Assert(_) => 1,
                c => defined(c).len(),
            };
            (0..bodies).map(move |body| (i, body))
        });
        places.filter_map(move |(command, body)| {
            let tree = self.tree(command, body)?;
            left = left.checked_sub(tree.all.len())?;
            Some(tree)
        })
    }

    /// The tree of an assertion, or of the body of a definition.
    pub(super) fn tree(&self, command: usize, body: usize) -> Option<Tree> {
        let c = &self.doc.script.entries[command].command;
        let root = self.doc.roots(c).nth(body)?;
        let polarity = match c {
            Command::Assert(_) => Polarity::Positive,
            _ => Polarity::Mixed,
        };
        let all = self.walk(root, polarity)?;
        Some(Tree { command, body, all })
    }

    fn walk(&self, root: Term, polarity: Polarity) -> Option<Vec<Occurrence>> {
        let pool = &self.doc.pool;
        let first =
            Occurrence { term: root, end: 0, parent: 0, argument: 0, scope: 0, polarity, binding: false };
        let (mut all, mut scopes): (Vec<Occurrence>, u32) = (Vec::new(), 0);
        let mut stack = vec![first];
        while let Some(o) = stack.pop() {
            if all.len() == LARGEST_TREE {
                return None;
            }
            let number = all.len() as u32;
            all.push(Occurrence { end: number + 1, ..o });
            let args = pool.args(o.term);
            let bound = pool.bound_vars(o.term).len();
            scopes += u32::from(bound > 0);
            let below = |(i, &term): (usize, &Term)| Occurrence {
                term,
                end: 0,
                parent: number,
                argument: i as u32,
                scope: if bound > 0 { scopes } else { o.scope },
                polarity: self.polarity(o, i),
                binding: i < bound,
            };
            stack.extend(args.iter().enumerate().map(below).rev());
        }
        for i in (1..all.len()).rev() {
            let (end, parent) = (all[i].end, all[i].parent as usize);
            all[parent].end = all[parent].end.max(end);
        }
        Some(all)
    }

    /// The name of the term is used.
    pub(super) fn uses_name_of(&self, t: Term) -> bool {
        self.doc.pool.given_name(t).is_some_and(|name| self.used.contains(&name))
    }

    /// The polarity of an argument. A term whose name is used elsewhere occurs there as well.
    fn polarity(&self, o: Occurrence, i: usize) -> Polarity {
        if self.uses_name_of(o.term) {
            return Polarity::Mixed;
        }
        o.polarity.of_argument(&self.doc.pool, o.term, i)
    }
}

impl Tree {
    /// The place of an occurrence.
    pub(super) fn site(&self, index: u32) -> Site {
        Site { command: self.command, body: self.body, index }
    }

    /// The number of nodes of an occurrence.
    pub(super) fn nodes(&self, index: u32) -> u32 {
        self.all[index as usize].end - index
    }

    /// The numbers of the occurrences that may be replaced.
    pub(super) fn sites(&self) -> impl Iterator<Item = (u32, Occurrence)> + '_ {
        (0u32..).zip(self.all.iter().copied()).filter(|(_, o)| !o.binding)
    }

    /// The variables of `below` are those that are known at `at`.
    pub(super) fn is_in_scope(&self, pool: &Pool, at: u32, below: u32) -> bool {
        let (at, below) = (&self.all[at as usize], &self.all[below as usize]);
        at.scope == below.scope || !pool.has_var(below.term)
    }

    /// The term at `below` compared with the one at `at`, above it.
    pub(super) fn order(&self, pool: &Pool, at: u32, below: u32) -> Order {
        let (mut order, mut i) = (Order::Equal, below);
        while i != at {
            let o = self.all[i as usize];
            order =
                order.then(Order::of_argument(pool, self.all[o.parent as usize].term, o.argument as usize));
            i = o.parent;
        }
        order
    }

    /// The numbers of the arguments of an occurrence.
    pub(super) fn arguments(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        let end = self.all[index as usize].end;
        let mut next = index + 1;
        std::iter::from_fn(move || {
            let this = next;
            (this < end).then(|| {
                next = self.all[this as usize].end;
                this
            })
        })
    }

    /// No binder is around the occurrence.
    pub(super) fn is_outermost(&self, index: u32) -> bool {
        self.all[index as usize].scope == 0
    }
}
