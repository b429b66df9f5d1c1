//! Selects the subterms to be named by `let`, and the scope of each.
//!
//! A subterm with several parents is named in the outermost scope in which its variables are bound: the root
//! term, or the body of a binder. Otherwise a term that is used both inside and outside of quantifiers would be
//! printed once for each path to it.

use super::*;
use crate::term::Walk;
use rustc_hash::FxHashSet;

/// A term with more free variables than this is named only if all its parents are in one scope.
const MAX_FREE: usize = 64;

const TOO_MANY: u32 = u32::MAX;

/// The free variables of subterms, as far as the root term binds them somewhere.
#[derive(Default)]
pub(super) struct FreeNames {
    /// Numbers of sets; terms without free variables are left out.
    of: FxHashMap<Term, u32>,
    sets: Vec<Box<[Symbol]>>,
    numbers: FxHashMap<Box<[Symbol]>, u32>,
}

impl FreeNames {
    pub(super) fn new(pool: &Pool, root: Term) -> FreeNames {
        let mut free = FreeNames::default();
        if !pool.has_binder(root) {
            return free;
        }
        let order = arguments_first(pool, root);
        let bound: FxHashSet<Symbol> = order.iter().flat_map(|&t| variables(pool, t)).collect();
        for t in order {
            let mut set = match pool.head(t) {
                Head::Var(name) if bound.contains(&name) => Some(free.number(vec![name])),
                Head::Opaque(name) if bound.contains(&name) => Some(free.number(vec![name])),
                // The text may contain any name.
                Head::Opaque(name) if pool.names.name(name).starts_with(['(', '|']) => Some(TOO_MANY),
                _ => None,
            };
            for a in pool.children(t) {
                set = free.union(set, free.of.get(&a).copied());
            }
            if pool.head(t).is_binder() {
                set = free.without(set, variables(pool, t).collect());
            }
            if let Some(set) = set {
                free.of.insert(t, set);
            }
        }
        free
    }

    /// The names, unless they are too many.
    fn get(&self, t: Term) -> Option<&[Symbol]> {
        match self.of.get(&t) {
            None => Some(&[]),
            Some(&TOO_MANY) => None,
            Some(&set) => Some(&self.sets[set as usize]),
        }
    }

    fn number(&mut self, names: Vec<Symbol>) -> u32 {
        if names.len() > MAX_FREE {
            return TOO_MANY;
        }
        let (sets, names) = (&mut self.sets, names.into_boxed_slice());
        *self.numbers.entry(names).or_insert_with_key(|names| {
            sets.push(names.clone());
            sets.len() as u32 - 1
        })
    }

    fn union(&mut self, a: Option<u32>, b: Option<u32>) -> Option<u32> {
        match (a, b) {
            (a, b) if a == b => a,
            (a, None) => a,
            (None, b) => b,
            (Some(TOO_MANY), _) | (_, Some(TOO_MANY)) => Some(TOO_MANY),
            (Some(a), Some(b)) => {
                let mut names = [&self.sets[a as usize][..], &self.sets[b as usize][..]].concat();
                names.sort_unstable();
                names.dedup();
                Some(self.number(names))
            }
        }
    }

    fn without(&mut self, set: Option<u32>, vars: FxHashSet<Symbol>) -> Option<u32> {
        let names = match set {
            None | Some(TOO_MANY) => return set,
            Some(set) => &self.sets[set as usize],
        };
        let left: Vec<Symbol> = names.iter().copied().filter(|n| !vars.contains(n)).collect();
        (!left.is_empty()).then(|| self.number(left))
    }
}

/// The terms below the root of a scope.
#[derive(Default)]
struct Region {
    /// Arguments first.
    order: Vec<Term>,
    /// Parents in the scope itself.
    near: FxHashMap<Term, u32>,
    /// Parents there and in the bodies of binders.
    all: FxHashMap<Term, u32>,
    /// The variables of those binders.
    inner: FxHashSet<Symbol>,
}

impl Region {
    /// Counts `t`, which is `near` or below a binder, as a parent of its arguments. Returns those to walk into: below a
    /// binder only what depends on the variables of the scope.
    fn enter(&mut self, pool: &Pool, t: Term, near: bool, depends: impl Fn(Term) -> bool) -> Vec<Term> {
        let binder = pool.head(t).is_binder();
        if binder && !depends(t) {
            return Vec::new();
        }
        let bound = pool.bound_vars(t).len();
        self.inner.extend(variables(pool, t));
        let (mut entered, near) = (Vec::new(), near && !binder);
        for &a in &pool.args(t)[bound..] {
            if near {
                *self.near.entry(a).or_default() += 1;
            }
            if near || depends(a) {
                *self.all.entry(a).or_default() += 1;
                entered.push(a);
            }
        }
        entered
    }
}

impl Printer<'_> {
    /// The terms to name in the scope of `root`, the body of `binder` if there is one; arguments first.
    pub(super) fn shared(&self, root: Term, binder: Option<Term>) -> Vec<Term> {
        let region = self.region(root, binder);
        let used = self.names_used(root, &region.order);
        let several = |parents: &FxHashMap<Term, u32>, t: Term| parents.get(&t).is_some_and(|&n| n > 1);
        let known =
            |t: Term| self.free.get(t).is_some_and(|names| !names.iter().any(|n| region.inner.contains(n)));
        let misplaced = |t: Term| used.iter().any(|&n| self.pool.mentions(t, n) && !self.names(t, n));
        region
            .order
            .iter()
            .copied()
            .filter(|&t| {
                t != root
                    && !self.pool.args(t).is_empty()
                    && (several(&region.near, t) || several(&region.all, t) && known(t))
                    && !misplaced(t)
            })
            .collect()
    }

    /// Walks the scope, and below nested binders the terms that depend on its variables.
    fn region(&self, root: Term, binder: Option<Term>) -> Region {
        let pool = self.pool;
        let own: Option<FxHashSet<Symbol>> = binder.map(|b| variables(pool, b).collect());
        let depends = |t: Term| match (&own, self.free.get(t)) {
            (None, _) => true,
            (Some(own), names) => names.is_some_and(|names| names.iter().any(|n| own.contains(n))),
        };
        let near = self.near(root);
        let (mut region, mut seen) = (Region::default(), FxHashSet::default());
        let mut walk = PostOrder::new([root]);
        while let Some(t) = walk.next(|t| {
            let named = t != root && self.let_names.contains_key(&t);
            let fresh = !named && seen.insert(t);
            fresh.then(|| region.enter(pool, t, near.seen().contains(&t), depends))
        }) {
            region.order.push(t);
        }
        region
    }

    /// The subterms in the scope of `root`: not below binders, not below named terms.
    fn near(&self, root: Term) -> Walk {
        let mut walk = Walk::new([root]);
        while let Some(t) = walk.next() {
            let named = t != root && self.let_names.contains_key(&t);
            if !named && !self.pool.head(t).is_binder() {
                walk.enter(self.pool, t);
            }
        }
        walk
    }

    /// The names that `:named` gives to one of `terms`, the subterms of `root`, and that another one uses. The user
    /// must be printed after the definition.
    fn names_used(&self, root: Term, terms: &[Term]) -> Vec<Symbol> {
        let mut given: Vec<Symbol> = terms.iter().flat_map(|&t| self.names_given(t)).collect();
        if !given.is_empty() {
            let constant = |t: Term| match self.pool.head(t) {
                Head::Fun(f) => Some(self.pool.fun(f).name),
                _ => None,
            };
            let constants: FxHashSet<Symbol> =
                arguments_first(self.pool, root).into_iter().filter_map(constant).collect();
            given.retain(|name| constants.contains(name));
        }
        given
    }

    fn names_given(&self, t: Term) -> impl Iterator<Item = Symbol> + use<'_> {
        let attributes = match self.pool.head(t) {
            Head::Annot(id) => self.pool.attributes(id),
            _ => &[],
        };
        attributes.iter().filter_map(move |a| match a.value {
            AttrValue::Symbol(s) if self.pool.names.name(a.key) == ":named" => Some(s),
            _ => None,
        })
    }

    /// `:named` gives `name` to a subterm of `t`.
    fn names(&self, t: Term, name: Symbol) -> bool {
        let mut walk = Walk::new([t]);
        while let Some(u) = walk.next() {
            if self.names_given(u).any(|n| n == name) {
                return true;
            }
            if !self.pool.head(u).is_binder() {
                walk.enter(self.pool, u);
            }
        }
        false
    }
}

/// The subterms of `root`, patterns included, arguments before the terms that have them.
fn arguments_first(pool: &Pool, root: Term) -> Vec<Term> {
    let mut seen = FxHashSet::default();
    let mut walk = PostOrder::new([root]);
    std::iter::from_fn(|| walk.next(|t| seen.insert(t).then(|| pool.children(t)))).collect()
}

/// The names that a binder binds.
pub(super) fn variables(pool: &Pool, binder: Term) -> impl Iterator<Item = Symbol> + '_ {
    pool.bound_vars(binder).iter().filter_map(|&v| match pool.head(v) {
        Head::Var(name) => Some(name),
        _ => None,
    })
}
