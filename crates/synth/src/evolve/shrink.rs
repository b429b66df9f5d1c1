//! Smaller scripts that resemble a script: without one assertion, one operator or half a literal.

use super::{drop_unused, remove};
use crate::transformers::occurrences::{Occurrence, Survey};
use crate::transformers::{Effect, carry};
use rustc_hash::FxHashMap;
use semantics::instance::Instance;
use smt::{Head, Int, Op, Pool, Sort, Term};

/// A step that makes a script smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Remove the assertion with this number.
    Drop(usize),
    /// Replace a term by one of its arguments: numbers of the occurrence and of the argument.
    Hoist(usize, usize),
    /// Replace a term by a least term of its sort: number of the occurrence, and of the least term.
    Least(usize, usize),
    /// Keep one half of a literal: number of the occurrence, and the second half if it is 1.
    Halve(usize, usize),
}

/// The steps that make a script smaller, the largest first.
pub fn steps(instance: &Instance) -> Vec<Step> {
    let pool = &instance.pool;
    let survey = survey(instance);
    let mut out: Vec<Step> = (0..super::asserts(instance)).rev().map(Step::Drop).collect();
    for (i, o) in survey.all.iter().enumerate() {
        if !survey.is_movable(pool, o, true) || pool.has_binder(o.term) {
            continue;
        }
        let sort = pool.sort_of(o.term);
        let same = |a: &usize| pool.sort_of(pool.args(o.term)[*a]) == sort;
        out.extend((0..pool.args(o.term).len()).filter(same).map(|a| Step::Hoist(i, a)));
        let whole = o.index == 0 && sort == Sort::BOOL;
        if !whole && !is_least(pool, o.term) {
            out.extend((0..if sort == Sort::BOOL { 2 } else { 1 }).map(|n| Step::Least(i, n)));
        }
        if word(pool, o.term).is_some_and(|w| w.len() > 1) {
            out.extend([Step::Halve(i, 0), Step::Halve(i, 1)]);
        }
    }
    out
}

impl Step {
    /// The smaller script.
    pub fn apply(self, instance: &Instance) -> Instance {
        let mut out = instance.clone();
        match self {
            Step::Drop(i) => remove::remove_at(&mut out, i),
            Step::Hoist(i, a) => replace(&mut out, i, |pool, o| pool.args(o.term)[a]),
            Step::Least(i, n) => replace(&mut out, i, |pool, o| least(pool, o.term, n)),
            Step::Halve(i, half) => replace(&mut out, i, |pool, o| {
                let word = word(pool, o.term).unwrap_or_default().to_vec();
                let (first, second) = word.split_at(word.len() / 2);
                pool.string(if half == 0 { first } else { second })
            }),
        }
        drop_unused(&mut out);
        out
    }
}

fn survey(instance: &Instance) -> Survey {
    Survey::new(&instance.pool, &instance.script, u32::MAX)
}

fn replace(instance: &mut Instance, i: usize, with: impl FnOnce(&mut Pool, &Occurrence) -> Term) {
    let survey = survey(instance);
    let o = survey.all[i];
    let new = with(&mut instance.pool, &o);
    let map = FxHashMap::from_iter([((o.place, o.index), (new, o.end))]);
    survey.replace(&mut instance.pool, &mut instance.script, &map);
    carry::carry(instance, &Effect::UNKNOWN);
}

/// The value of a string literal.
fn word(pool: &Pool, t: Term) -> Option<&[u32]> {
    match pool.head(t) {
        Head::Str(id) => Some(pool.word(id)),
        _ => None,
    }
}

/// No smaller term can replace it.
fn is_least(pool: &Pool, t: Term) -> bool {
    match pool.head(t) {
        Head::Str(id) => pool.word(id).is_empty(),
        Head::Int(id) => pool.int_value(id).is_zero(),
        Head::Op(Op::StrToRe) => word(pool, pool.args(t)[0]).is_some_and(<[u32]>::is_empty),
        Head::Op(_) => pool.args(t).is_empty(),
        _ => false,
    }
}

/// The least term of the sort of `t`; of Booleans the one or the other.
fn least(pool: &mut Pool, t: Term, n: usize) -> Term {
    match pool.sort_of(t) {
        Sort::BOOL => pool.bool(n == 0),
        Sort::INT => pool.int(Int::from(0u64)),
        Sort::STRING => pool.string(&[]),
        Sort::REGLAN => {
            let empty = pool.string(&[]);
            pool.mk(Head::Op(Op::StrToRe), Sort::REGLAN, &[empty])
        }
        _ => t,
    }
}
