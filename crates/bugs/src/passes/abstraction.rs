//! Constants for terms.
//!
//! `(str.replace x "a" (str.++ y z))` becomes a new constant wherever it occurs: every model stays one, with the value of the term for the constant. If `x` occurs only inside the
//! term, no new constant is needed, `x` takes its place; its old value was needed for nothing else.
//!
//! The terms that all occurrences of `x` are inside of are its dominators in the graph of terms.

use super::Pass;
use super::edit::{Edit, New, largest};
use super::facts;
use crate::doc::{Doc, Effect};
use rustc_hash::FxHashMap;
use smt::{Head, Pool, PostOrder, Sort, Term};

/// New constants for terms.
pub(super) struct Fresh;

/// A term of fewer nodes is hardly longer than the declaration of a constant.
const SMALLEST: u32 = 4;

impl Pass for Fresh {
    fn name(&self) -> &'static str {
        "fresh"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let (pool, effect) = (&doc.pool, facts::global(doc, Effect::Weaker));
        let sizes = facts::tree_sizes(pool, doc.all_roots());
        let large = |t: &Term| sizes[t] >= SMALLEST && is_replaceable(pool, *t);
        let all = pool.subterms(doc.all_roots()).filter(large);
        largest(all.map(|t| Edit::everywhere(effect, sizes[&t], t, New::Fresh(pool.sort_of(t)))))
    }
}

/// A closed term of a sort whose constants can be declared in any logic.
fn is_replaceable(pool: &Pool, t: Term) -> bool {
    let sort = pool.sort_of(t);
    let plain = matches!(sort, Sort::BOOL | Sort::INT | Sort::STRING) || pool.element_of(sort).is_some();
    plain && !pool.has_var(t) && !pool.has_opaque(t) && !matches!(pool.head(t), Head::Annot(_))
}

/// Constants of the script for the terms that they occur in.
pub(super) struct Own;

impl Pass for Own {
    fn name(&self) -> &'static str {
        "own"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let (pool, effect) = (&doc.pool, facts::global(doc, Effect::Weaker));
        let (above, sizes) = (Dominators::of(doc), facts::tree_sizes(pool, doc.all_roots()));
        let terms = facts::constant_terms(doc);
        let constants = facts::constants(doc).into_iter().filter_map(|f| Some((f, *terms.get(&f)?)));
        largest(constants.flat_map(|(f, x)| {
            let fits = |t: &Term| pool.sort_of(*t) == pool.sort_of(x) && is_replaceable(pool, *t);
            let edit =
                |t: Term| Edit::everywhere(effect, sizes.get(&t).copied().unwrap_or(1), t, New::Own(f));
            above.chain(x).filter(fits).map(edit).collect::<Vec<_>>()
        }))
    }
}

/// For each term, the lowest term that all its occurrences are inside of.
struct Dominators {
    above: FxHashMap<Term, Option<Term>>,
}

/// The most dominators of a term that are looked at.
const CHAIN: usize = 64;

/// A dominator, and the number of those above it; none is the script.
type Known = FxHashMap<Term, (Option<Term>, u32)>;

impl Dominators {
    /// A definition is inside of nothing.
    fn of(doc: &Doc) -> Dominators {
        let (pool, mut order) = (&doc.pool, Vec::new());
        let mut seen = rustc_hash::FxHashSet::default();
        let mut walk = PostOrder::new(doc.all_roots());
        while let Some(t) = walk.next(|t| (!seen.contains(&t)).then(|| pool.children(t))) {
            seen.insert(t);
            order.push(t);
        }
        let mut known: Known = doc.all_roots().map(|t| (t, (None, 1))).collect();
        for &t in order.iter().rev() {
            let depth = known.get(&t).map_or(1, |k| k.1);
            for a in pool.children(t) {
                let both = match known.get(&a) {
                    None => (Some(t), depth + 1),
                    Some(&(other, _)) => meet(&known, Some(t), other),
                };
                known.insert(a, both);
            }
        }
        Dominators { above: known.into_iter().map(|(t, (above, _))| (t, above)).collect() }
    }

    /// The dominators of a term, the lowest first.
    fn chain(&self, t: Term) -> impl Iterator<Item = Term> + '_ {
        let up = |t: &Term| self.above.get(t).copied().flatten();
        std::iter::successors(up(&t), move |t| up(t)).take(CHAIN)
    }
}

/// The lowest dominator of both, and the depth below it. Far apart, it is the script.
fn meet(known: &Known, mut a: Option<Term>, mut b: Option<Term>) -> (Option<Term>, u32) {
    let depth = |t: Option<Term>| t.map_or(0, |t| known.get(&t).map_or(1, |k| k.1));
    let up = |t: Option<Term>| t.and_then(|t| known.get(&t).and_then(|k| k.0));
    for _ in 0..2 * CHAIN {
        if a == b {
            return (a, depth(a) + 1);
        }
        if depth(a) >= depth(b) {
            a = up(a);
        } else {
            b = up(b);
        }
    }
    (None, 1)
}
