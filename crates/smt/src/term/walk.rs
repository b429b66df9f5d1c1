//! Walks over terms: each shared subterm once, without recursion, in an order that depends on the term only.
//!
//! - [`Pool::subterms`] iterates over everything below some roots.
//! - [`Walk`] is the same walk for callers that choose the children of a term: nothing, to skip it, or the body
//!   of a definition.
//! - [`PostOrder`] yields arguments before the terms that have them, for functions computed bottom-up with a memo.
//! - [`Pool::rebuild`] and [`Pool::replace`] compute a new term bottom-up.

use super::{AttrValue, Attribute, Head, Pool, Term};
use crate::work::spend;
use rustc_hash::{FxHashMap, FxHashSet};

/// A walk from the roots down that yields each term once.
///
/// The caller decides on the children of a term: [`Walk::enter`] continues with its arguments; without that call the
/// walk skips them.
///
/// ```
/// # let mut pool = stringent_smt::Pool::new();
/// # let x = pool.names.intern("x");
/// # let v = pool.var(x, stringent_smt::Sort::BOOL);
/// # let t = pool.mk(stringent_smt::Head::Forall, stringent_smt::Sort::BOOL, &[v, v]);
/// let mut walk = stringent_smt::Walk::new([t]);
/// while let Some(t) = walk.next() {
///     if !pool.head(t).is_binder() {
///         walk.enter(&pool, t);
///     }
/// }
/// assert_eq!(walk.seen().len(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// The last one is visited next.
    stack: Vec<Term>,
    seen: FxHashSet<Term>,
}

impl Walk {
    /// A walk from `roots`, the first one first.
    pub fn new(roots: impl IntoIterator<Item = Term>) -> Walk {
        let mut stack: Vec<Term> = roots.into_iter().collect();
        stack.reverse();
        Walk { stack, seen: FxHashSet::default() }
    }

    /// The next term that was not visited yet.
    #[allow(clippy::should_implement_trait, reason = "callers change the walk between two terms")]
    pub fn next(&mut self) -> Option<Term> {
        loop {
            let t = self.stack.pop()?;
            spend(1);
            if self.seen.insert(t) {
                return Some(t);
            }
        }
    }

    /// Visits `t` next.
    pub fn push(&mut self, t: Term) {
        self.stack.push(t);
    }

    /// Visits the arguments of `t` next, from left to right.
    pub fn enter(&mut self, pool: &Pool, t: Term) {
        self.stack.extend(pool.args(t).iter().rev());
    }

    /// Visits the arguments of `t` and the patterns that annotate it next, from left to right.
    pub fn enter_children(&mut self, pool: &Pool, t: Term) {
        self.stack.extend(pool.children(t).rev());
    }

    /// The terms visited so far.
    pub fn seen(&self) -> &FxHashSet<Term> {
        &self.seen
    }

    /// The terms visited.
    pub fn into_seen(self) -> FxHashSet<Term> {
        self.seen
    }
}

/// Pushes terms; the last one is visited first.
impl Extend<Term> for Walk {
    fn extend<T: IntoIterator<Item = Term>>(&mut self, terms: T) {
        self.stack.extend(terms);
    }
}

/// A walk that yields arguments before the terms that have them. The caller records which terms are done.
///
/// ```
/// # let mut pool = stringent_smt::Pool::new();
/// # let a = pool.string(&[97]);
/// # let t = pool.mk(stringent_smt::Head::Op(stringent_smt::Op::StrConcat), stringent_smt::Sort::STRING, &[a, a]);
/// let mut depth = std::collections::HashMap::new();
/// let mut walk = stringent_smt::PostOrder::new([t]);
/// while let Some(t) = walk.next(|t| (!depth.contains_key(&t)).then(|| pool.children(t))) {
///     let below = pool.children(t).map(|a| depth[&a]).max();
///     depth.insert(t, below.map_or(0, |n: u32| n + 1));
/// }
/// assert_eq!(depth[&t], 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct PostOrder {
    /// A term, and whether it was entered already.
    stack: Vec<(Term, bool)>,
}

impl PostOrder {
    /// A walk from `roots`, the first one first.
    pub fn new(roots: impl IntoIterator<Item = Term>) -> PostOrder {
        let mut stack: Vec<(Term, bool)> = roots.into_iter().map(|t| (t, false)).collect();
        stack.reverse();
        PostOrder { stack }
    }

    /// The next term whose arguments are done. `below` returns the terms to be visited before a term, in this order, or
    /// nothing if the term itself is done.
    pub fn next<I>(&mut self, mut below: impl FnMut(Term) -> Option<I>) -> Option<Term>
    where
        I: IntoIterator<Item = Term, IntoIter: DoubleEndedIterator>,
    {
        while let Some((t, entered)) = self.stack.pop() {
            spend(1);
            if entered {
                return Some(t);
            }
            if let Some(first) = below(t) {
                self.stack.push((t, true));
                self.stack.extend(first.into_iter().rev().map(|t| (t, false)));
            }
        }
        None
    }
}

impl Pool {
    /// The subterms of `roots`, these included, each once, parents first and from left to right. Patterns are left
    /// out.
    pub fn subterms(&self, roots: impl IntoIterator<Item = Term>) -> impl Iterator<Item = Term> + '_ {
        let mut walk = Walk::new(roots);
        std::iter::from_fn(move || {
            let t = walk.next()?;
            walk.enter(self, t);
            Some(t)
        })
    }

    /// Rebuilds `t` bottom-up: `node` gets a subterm and its new children (see [`Pool::children`]), once for each
    /// shared subterm, and returns the new term. `done` maps subterms to their new terms: its keys are not entered, and
    /// all results are added to it.
    pub fn rebuild(
        &mut self,
        t: Term,
        done: &mut FxHashMap<Term, Term>,
        mut node: impl FnMut(&mut Pool, Term, &[Term]) -> Term,
    ) -> Term {
        let (mut walk, mut children) = (PostOrder::new([t]), Vec::new());
        while let Some(t) = walk.next(|t| (!done.contains_key(&t)).then(|| self.children(t).rev())) {
            children.clear();
            children.extend(self.children(t).map(|c| done[&c]));
            let new = node(self, t, &children);
            done.insert(t, new);
        }
        done[&t]
    }

    /// `t` with terms replaced: `done` maps terms to their replacements, and gets all results. The replacements must not
    /// have free variables that a binder in `t` captures.
    pub fn replace(&mut self, t: Term, done: &mut FxHashMap<Term, Term>) -> Term {
        self.rebuild(t, done, Pool::with_children)
    }

    /// The term like `t` with other children: arguments, then the patterns that annotate it.
    pub fn with_children(&mut self, t: Term, children: &[Term]) -> Term {
        if self.children(t).eq(children.iter().copied()) {
            return t;
        }
        let (args, patterns) = children.split_at(self.args(t).len());
        match self.head(t) {
            Head::Annot(id) => {
                let mut rest = patterns.iter();
                let attributes = self.attributes(id).iter().map(|a| a.with_terms(&mut rest)).collect();
                self.annotate(args[0], attributes)
            }
            head => {
                let sort = self.sort_of(t);
                self.mk(head, sort, args)
            }
        }
    }

    /// The variables that `t` binds; empty if it is not a binder.
    pub fn bound_vars(&self, t: Term) -> &[Term] {
        if !self.head(t).is_binder() {
            return &[];
        }
        self.args(t).split_last().map_or(&[], |(_, vars)| vars)
    }
}

impl Head {
    /// A quantifier or `lambda`: the arguments are the variables, then the body.
    pub fn is_binder(self) -> bool {
        matches!(self, Head::Forall | Head::Exists | Head::Lambda)
    }
}

impl Attribute {
    /// The attribute with its terms taken from `terms`.
    fn with_terms<'a>(&self, terms: &mut impl Iterator<Item = &'a Term>) -> Attribute {
        let value = match &self.value {
            AttrValue::Terms(old) => AttrValue::Terms(terms.take(old.len()).copied().collect()),
            other => other.clone(),
        };
        Attribute { key: self.key, value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::Op;
    use crate::term::Sort;

    /// `(str.++ (str.++ a b) (str.++ a b) a)`
    fn shared(p: &mut Pool) -> (Term, Term, Term, Term) {
        let (a, b) = (p.string(&[97]), p.string(&[98]));
        let ab = p.mk(Head::Op(Op::StrConcat), Sort::STRING, &[a, b]);
        let top = p.mk(Head::Op(Op::StrConcat), Sort::STRING, &[ab, ab, a]);
        (a, b, ab, top)
    }

    #[test]
    fn subterms_occur_once_in_text_order() {
        let mut p = Pool::new();
        let (a, b, ab, top) = shared(&mut p);
        assert_eq!(p.subterms([top]).collect::<Vec<_>>(), [top, ab, a, b]);
        assert_eq!(p.subterms([b, top]).collect::<Vec<_>>(), [b, top, ab, a]);
    }

    #[test]
    fn a_walk_skips_terms_that_are_not_entered() {
        let mut p = Pool::new();
        let (a, _, ab, top) = shared(&mut p);
        let (mut walk, mut order) = (Walk::new([top]), Vec::new());
        while let Some(t) = walk.next() {
            order.push(t);
            if t != ab {
                walk.enter(&p, t);
            }
        }
        assert_eq!(order, [top, ab, a]);
    }

    #[test]
    fn arguments_come_before_terms() {
        let mut p = Pool::new();
        let (a, b, ab, top) = shared(&mut p);
        let (mut walk, mut order) = (PostOrder::new([top]), Vec::new());
        while let Some(t) = walk.next(|t| (!order.contains(&t)).then(|| p.children(t))) {
            order.push(t);
        }
        assert_eq!(order, [a, b, ab, top]);
    }

    #[test]
    fn terms_are_replaced_in_patterns_too() {
        let mut p = Pool::new();
        let (a, b, ab, top) = shared(&mut p);
        let key = p.names.intern(":pattern");
        let note = |terms: Box<[Term]>| Box::new([Attribute { key, value: AttrValue::Terms(terms) }]);
        let t = p.annotate(top, note(Box::new([ab, b])));
        let new = p.replace(t, &mut FxHashMap::from_iter([(ab, a)]));
        let inner = p.mk(Head::Op(Op::StrConcat), Sort::STRING, &[a, a, a]);
        assert_eq!(new, p.annotate(inner, note(Box::new([a, b]))));
    }

    #[test]
    fn unchanged_terms_are_shared() {
        let mut p = Pool::new();
        let (.., top) = shared(&mut p);
        let size = p.len();
        assert_eq!(p.replace(top, &mut FxHashMap::default()), top);
        assert_eq!(p.len(), size);
    }
}
