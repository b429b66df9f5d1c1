//! Regular expressions that depend on a condition: `(str.in_re x (re.++ r (ite c s t)))` is
//! `(ite c (str.in_re x (re.++ r s)) (str.in_re x (re.++ r t)))`.
//!
//! All later steps treat languages that are known; this one makes them so. A condition with variables of a quantifier stays.

use crate::build;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Head, Op, Pool, PostOrder, Sort, Term};

/// Conditions in one term that are decided, at most: each doubles it.
const MAX_CONDITIONS: usize = 6;

/// Moves the choices between regular expressions outwards, in each assertion.
pub(super) fn lift(pool: &mut Pool, assertions: &mut [Term]) {
    if !assertions_choose(pool, assertions) {
        return;
    }
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    for t in assertions {
        *t = pool.rebuild(*t, &mut done, |pool, t, children| {
            let t = pool.with_children(t, children);
            if pool.sort_of(t) == Sort::REGLAN { t } else { split(pool, t, MAX_CONDITIONS) }
        });
    }
}

fn assertions_choose(pool: &Pool, assertions: &[Term]) -> bool {
    pool.subterms(assertions.iter().copied()).any(|t| is_choice(pool, t))
}

fn is_choice(pool: &Pool, t: Term) -> bool {
    pool.head(t) == Head::Op(Op::Ite) && pool.sort_of(t) == Sort::REGLAN
}

/// A term by the cases of the conditions in its regular expressions.
fn split(pool: &mut Pool, t: Term, most: usize) -> Term {
    let Some(condition) = condition(pool, t).filter(|_| most > 0) else { return t };
    let [then, other] = [1, 2].map(|branch| {
        let mut done = FxHashMap::default();
        let chosen = pool.rebuild(t, &mut done, |pool, t, children| {
            let here = is_choice(pool, t) && children[0] == condition;
            if here { children[branch] } else { pool.with_children(t, children) }
        });
        split(pool, chosen, most - 1)
    });
    build::op(pool, Op::Ite, &[condition, then, other])
}

/// The first condition in the regular expressions below a term.
fn condition(pool: &Pool, t: Term) -> Option<Term> {
    let languages = |t: Term| pool.args(t).iter().copied().filter(|&a| pool.sort_of(a) == Sort::REGLAN);
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut walk = PostOrder::new(languages(t));
    while let Some(r) = walk.next(|r| seen.insert(r).then(|| languages(r).rev())) {
        if is_choice(pool, r) && !pool.has_var(pool.args(r)[0]) {
            return Some(pool.args(r)[0]);
        }
    }
    None
}
