//! Disequalities that a candidate model falsifies.
//!
//! Free classes have different strings, but languages may leave no choice, and different concatenations may have one string. Then the place
//! is named where the two strings first differ: for `x != y`, both `"ab"` in the candidate, `x = y` or there is a `k` with
//! `x[0..k] = y[0..k]` and `x[k] != y[k]`. For single characters the lemma is about their codes.

use super::membership::Memberships;
use super::powers;
use super::round::Round;
use super::words::Words;
use crate::builder::Builder;
use crate::calculus::{Calculus, Step, stop_if};
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use crate::operators::Site;
use rustc_hash::FxHashMap;
use smt::Term;
use smt::work::spend;

/// Lemmas from one candidate model, at most.
const MAX_LEMMAS: usize = 20;

/// Sends where classes differ that have one string in the candidate model. Stops if one is new.
pub(super) fn separate(c: &mut Calculus<'_>, round: &Round, words: &Words) -> Step {
    let mut by_word: FxHashMap<&[u32], Vec<Node>> = FxHashMap::default();
    let mut pairs = Vec::new();
    for &root in &round.roots {
        let Some(word) = words.of_class(c, root) else { continue };
        let same = by_word.entry(word).or_default();
        for &other in same.iter() {
            spend(1);
            // The sides of the equation that is false, not their classes: with other members these would be new lemmas.
            if let Some(Premise::Eq(p, _)) =
                c.state.egraph.disequal(other, root).and_then(|list| list.first().copied())
                && let &[a, b] = c.state.egraph.args(p)
            {
                pairs.push((a, b, word.len()));
            }
        }
        same.push(root);
    }
    refute(c, round, &pairs)?;
    let mut sent = 0;
    for (a, b, length) in pairs {
        if sent >= MAX_LEMMAS {
            break;
        }
        let (s, t) = (c.term(a), c.term(b));
        let lemma = if length == 1 { codes_differ(c, s, t) } else { first_difference(c, s, t) };
        sent += usize::from(c.lemma(Rule::Differ, &[], &lemma));
    }
    stop_if(sent > 0)
}

/// Refutes pairs of terms that are powers of one word.
fn refute(c: &mut Calculus<'_>, round: &Round, pairs: &[(Node, Node, usize)]) -> Step {
    if pairs.is_empty() {
        return Ok(());
    }
    let Some(all) = Memberships::new(c, round, |_| false) else { return Ok(()) };
    for &(a, b, _) in pairs.iter().take(MAX_LEMMAS) {
        powers::refute(c, round, &all, a, b)?;
    }
    Ok(())
}

/// `s = t`, or they have one prefix of length `k` and differ after it.
fn first_difference(c: &mut Calculus<'_>, s: Term, t: Term) -> Vec<Term> {
    let (zero, one) = (c.int(0), c.int(1));
    let f = Site::first_difference(c);
    let witness = c.pool().apply(f, &[s, t, zero]);
    let k = c.skolem(witness);
    let (ls, lt) = (c.len(s), c.len(t));
    let (before_s, before_t) = (c.substr(s, zero, k), c.substr(t, zero, k));
    let (at_s, at_t) = (c.substr(s, k, one), c.substr(t, k, one));
    let same = c.eq(at_s, at_t);
    let parts = [c.ge(k, zero), c.ge(ls, k), c.ge(lt, k), c.eq(before_s, before_t), c.not(same)];
    vec![c.eq(s, t), c.and(&parts)]
}

/// `s = t`, or one of them is not a single character, or their codes differ.
fn codes_differ(c: &mut Calculus<'_>, s: Term, t: Term) -> Vec<Term> {
    let one = c.int(1);
    let mut out = vec![c.eq(s, t)];
    for x in [s, t] {
        let len = c.len(x);
        let single = c.eq(len, one);
        out.push(c.not(single));
    }
    let (cs, ct) = (c.code(s), c.code(t));
    let same = c.eq(cs, ct);
    out.push(c.not(same));
    out
}
