//! Builds the new terms of edits, bottom-up and without recursion on the depth of the old ones.

use super::edit::{New, Site};
use super::survey::Tree;
use super::{arity, names};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Fun, Head, Op, Pool, Rat, Sort, Term};

/// A new constant, and the term whose place it takes.
pub(super) type Fresh = (Fun, Term);

/// Builds terms.
pub(super) struct Builder<'p> {
    pool: &'p mut Pool,
    fresh: Vec<Fresh>,
}

/// The edits of occurrences.
#[derive(Default)]
pub(super) struct Sites<'e> {
    /// Replaced ones.
    pub(super) new: FxHashMap<Site, &'e New>,
    /// Removed arguments.
    pub(super) without: FxHashSet<Site>,
}

impl<'e> Sites<'e> {
    /// Replaces an occurrence, unless an earlier edit does.
    pub(super) fn replace(&mut self, site: Site, new: &'e New) -> bool {
        let vacant = !self.new.contains_key(&site);
        self.new.entry(site).or_insert(new);
        vacant
    }
}

/// The context of a new term: the replaced one, and the rebuilt occurrences below it.
struct Place<'t> {
    old: Term,
    /// The rebuilt arguments.
    args: &'t [Term],
    /// A rebuilt occurrence, by its number.
    below: &'t dyn Fn(u32) -> Option<Term>,
}

impl<'p> Builder<'p> {
    /// A builder of terms in `pool`.
    pub(super) fn new(pool: &'p mut Pool) -> Builder<'p> {
        Builder { pool, fresh: Vec::new() }
    }

    /// The constants that it made.
    pub(super) fn fresh(self) -> Vec<Fresh> {
        self.fresh
    }

    /// The root of a tree after the edits at its sites. None if one of them is ill-sorted.
    pub(super) fn tree(&mut self, tree: &Tree, edits: &Sites<'_>) -> Option<Term> {
        let mut done: Vec<Term> = tree.all.iter().map(|o| o.term).collect();
        for i in (0..tree.all.len() as u32).rev() {
            done[i as usize] = self.occurrence(tree, i, edits, &done)?;
        }
        done.first().copied()
    }

    /// One occurrence after the edits; those below it are done.
    fn occurrence(&mut self, tree: &Tree, i: u32, edits: &Sites<'_>, done: &[Term]) -> Option<Term> {
        let old = tree.all[i as usize].term;
        let args: Vec<Term> = tree.arguments(i).map(|a| done[a as usize]).collect();
        if let Some(new) = edits.new.get(&tree.site(i)) {
            let below = |n: u32| done.get(n as usize).copied();
            return self.new_term(new, &Place { old, args: &args, below: &below });
        }
        if edits.without.is_empty() {
            return Some(self.with_args(old, &args));
        }
        let stays = |a: &u32| !edits.without.contains(&tree.site(*a));
        let left: Vec<Term> = tree.arguments(i).filter(stays).map(|a| done[a as usize]).collect();
        if left.len() == args.len() {
            Some(self.with_args(old, &args))
        } else {
            arity::with_fewer(self.pool, old, &left)
        }
    }

    /// A term that does not depend on the place of `old`.
    pub(super) fn closed(&mut self, new: &New, old: Term) -> Option<Term> {
        let args = self.pool.args(old).to_vec();
        self.new_term(new, &Place { old, args: &args, below: &|_| None })
    }

    fn with_args(&mut self, t: Term, args: &[Term]) -> Term {
        let patterns: Vec<Term> = self.pool.children(t).skip(args.len()).collect();
        let children: Vec<Term> = args.iter().copied().chain(patterns).collect();
        self.pool.with_children(t, &children)
    }

    /// Templates nest two or three levels deep, so this recursion is bounded.
    fn new_term(&mut self, new: &New, place: &Place<'_>) -> Option<Term> {
        match new {
            New::Arg(i) => place.args.get(*i).copied(),
            New::Below(n) => (place.below)(*n),
            New::Term(t) => Some(*t),
            New::Str(word) => Some(self.pool.string(word)),
            New::Int(n) if self.pool.sort_of(place.old) == Sort::REAL => {
                Some(self.pool.real(Rat::from(n.clone())))
            }
            New::Int(n) => Some(self.pool.int(n.clone())),
            New::Empty => {
                let sort = self.pool.sort_of(place.old);
                self.pool.element_of(sort).is_some().then(|| self.pool.empty_sequence(sort))
            }
            New::App(op, indices, args) => {
                let args: Option<Vec<Term>> = args.iter().map(|a| self.new_term(a, place)).collect();
                if indices.is_empty() {
                    self.pool.op(*op, &args?).ok()
                } else {
                    self.pool.indexed(*op, indices, &args?).ok()
                }
            }
            New::Fresh(sort) => Some(self.constant(*sort, place.old)),
            New::Own(f) => {
                self.fresh.push((*f, place.old));
                Some(self.pool.apply(*f, &[]))
            }
            New::Instance(values) => self.instance(values, place),
        }
    }

    fn constant(&mut self, sort: Sort, old: Term) -> Term {
        let name = names::unused(self.pool).next().expect("names do not run out");
        let name = self.pool.names.intern(&name);
        let f = self.pool.declare(name, Box::new([]), sort);
        self.fresh.push((f, old));
        self.pool.apply(f, &[])
    }

    /// The body of a binder; the variables without a value stay bound. None if a binder inside has one of the same name.
    fn instance(&mut self, values: &[Option<New>], place: &Place<'_>) -> Option<Term> {
        let (&body, vars) = place.args.split_last()?;
        if rebinds(self.pool, body, vars) {
            return None;
        }
        let (mut map, mut kept) = (FxHashMap::default(), Vec::new());
        for (&v, value) in vars.iter().zip(values) {
            match value {
                None => kept.push(v),
                Some(value) => {
                    let sort_of = Place { old: v, ..*place };
                    map.insert(v, self.new_term(value, &sort_of)?);
                }
            }
        }
        let body = self.pool.replace(body, &mut map);
        if kept.is_empty() {
            return Some(body);
        }
        kept.push(body);
        let (head, sort) = (self.pool.head(place.old), self.pool.sort_of(place.old));
        Some(self.pool.mk(head, sort, &kept))
    }
}

/// A binder in `t` binds one of the variables again.
pub(super) fn rebinds(pool: &Pool, t: Term, vars: &[Term]) -> bool {
    pool.has_binder(t) && pool.subterms([t]).any(|u| pool.bound_vars(u).iter().any(|v| vars.contains(v)))
}

/// A constant of an operator, such as `true`.
pub(super) fn is_constant(pool: &Pool, t: Term) -> bool {
    match pool.head(t) {
        Head::Str(_) | Head::Int(_) | Head::Real(_) => true,
        Head::Op(Op::StrToRe | Op::Neg) => is_literal(pool, pool.args(t)[0]),
        Head::Op(_) => pool.args(t).is_empty(),
        _ => false,
    }
}

fn is_literal(pool: &Pool, t: Term) -> bool {
    matches!(pool.head(t), Head::Str(_) | Head::Int(_) | Head::Real(_))
}
