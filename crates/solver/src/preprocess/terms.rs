//! Traversals of terms as graphs.

use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Pool, Term};

/// `t` with terms replaced as in `done`, to which all visited terms are added. The replacements must not have free
/// variables that `t` binds.
pub(super) fn replace(pool: &mut Pool, t: Term, done: &mut FxHashMap<Term, Term>) -> Term {
    let (mut stack, mut args) = (vec![t], Vec::new());
    while let Some(&t) = stack.last() {
        if done.contains_key(&t) {
            stack.pop();
            continue;
        }
        let before = stack.len();
        stack.extend(pool.args(t).iter().filter(|a| !done.contains_key(a)));
        if stack.len() > before {
            continue;
        }
        stack.pop();
        args.clear();
        args.extend(pool.args(t).iter().map(|a| done[a]));
        let new = if args == pool.args(t) { t } else { rebuild(pool, t, &args) };
        done.insert(t, new);
    }
    done[&t]
}

/// `t` with other arguments.
pub(super) fn rebuild(pool: &mut Pool, t: Term, args: &[Term]) -> Term {
    let (head, sort) = (pool.head(t), pool.sort_of(t));
    pool.mk(head, sort, args)
}

/// The subterms of `t`, unless they are more than `limit`.
pub(super) fn parts(pool: &Pool, t: Term, limit: usize) -> Option<FxHashSet<Term>> {
    let (mut seen, mut stack) = (FxHashSet::default(), vec![t]);
    while let Some(t) = stack.pop() {
        if seen.insert(t) {
            if seen.len() > limit {
                return None;
            }
            stack.extend(pool.args(t));
        }
    }
    Some(seen)
}

/// The number of uses of each subterm of some assertions: as an assertion, or as an argument.
pub(super) struct Uses {
    count: FxHashMap<Term, u32>,
}

impl Uses {
    pub(super) fn new(pool: &Pool, assertions: &[Term]) -> Self {
        let mut count: FxHashMap<Term, u32> = FxHashMap::default();
        let mut stack = assertions.to_vec();
        while let Some(t) = stack.pop() {
            let n = count.entry(t).or_insert(0);
            *n += 1;
            if *n == 1 {
                stack.extend(pool.args(t));
            }
        }
        Uses { count }
    }

    pub(super) fn of(&self, t: Term) -> u32 {
        self.count.get(&t).copied().unwrap_or(0)
    }

    pub(super) fn len(&self) -> usize {
        self.count.len()
    }

    /// The subterms, arguments before the terms that have them.
    pub(super) fn in_order(&self) -> Vec<Term> {
        let mut all: Vec<Term> = self.count.keys().copied().collect();
        all.sort_unstable();
        all
    }
}
