//! Two functions of one source that have one value: Post's correspondence problem.
//!
//! With `u = f(x)`, `u = g(x)` and languages of `x`, the inputs on which both agree are searched for (`automata::agree`), the shortest first. If
//! there are none, the memberships of `x` and the equation are in conflict. Otherwise it is decided that `x` is the one that was
//! found; if other constraints refute that, it is excluded from the language, and the next one is searched for.

use super::functions::{Composition, Functions};
use super::membership::{Memberships, intersection, premises, store};
use super::round::Round;
use crate::builder::Builder;
use crate::calculus::{Calculus, Step, equality, stop_if};
use crate::infer::Rule;
use crate::rewrite::Mode;
use automata::Agreement;

/// Searches in a check, at most.
const MAX_SEARCHES: u64 = 60;

/// Refutes functions with one value, or decides what their source is.
pub(super) fn decide(c: &mut Calculus<'_>, round: &Round, functions: &Functions, all: &Memberships) -> Step {
    for &root in &round.roots {
        if functions.of(root).count() < 2 || c.word_of(root).is_some() {
            continue;
        }
        let definitions: Vec<_> = functions.of(root).collect();
        let list: Vec<Composition> =
            definitions.into_iter().filter_map(|d| functions.composition(c, d)).collect();
        for (k, a) in list.iter().enumerate() {
            for b in &list[..k] {
                if a.source == b.source && a.function != b.function && round.is_free(a.source) {
                    decide_pair(c, a, b, all)?;
                }
            }
        }
    }
    Ok(())
}

fn decide_pair(c: &mut Calculus<'_>, a: &Composition, b: &Composition, all: &Memberships) -> Step {
    if c.languages.agreements >= MAX_SEARCHES {
        return Ok(());
    }
    let list = all.any(a.source);
    let language = if list.is_empty() { store(c).all() } else { intersection(c, list) };
    c.inferences.tick(20);
    let (machines, store) = c.languages.machines();
    match machines.agree(store, a.function, b.function, language).cloned() {
        None => Ok(()),
        Some(Agreement::Never) => {
            let mut reasons = premises(list);
            reasons.extend(a.premises.iter().chain(&b.premises).copied());
            reasons.extend(equality(a.node, b.node));
            Err(c.conflict(Rule::Agree, &reasons))
        }
        Some(Agreement::Word(word)) => {
            c.languages.agreements += 1;
            let t = c.term(a.source);
            let value = c.terms.pool.string(&word);
            stop_if(c.in_mode(Mode::WithoutEntailment, |c| {
                let atom = c.eq(t, value);
                c.split(Rule::Agree, &[], atom, true)
            }))
        }
    }
}
