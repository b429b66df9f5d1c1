//! A constant in a regular expression with one variable: the variable is one of the constant's factors, or it does not matter.
//!
//! Whether w is in R(v) depends on `(str.to_re v)` only at factors of w, below complements as well. So for a `v` that is no factor of w, it is the same as for
//! the empty language in its place. Example: `"abab" ∈ (re.* (str.to_re v))` holds for the factors `ab` and `abab`, and not for the empty language; so `v`
//! is one of the two. The lemma is complete: it states for which strings the membership has its truth value.

use crate::builder::Builder;
use crate::calculus::{Calculus, equality};
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use crate::languages::{Factors, variables};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Head, Op, Term};
use std::rc::Rc;

/// Factors that are tried, at most.
const MAX_FACTORS: usize = 20_000;
/// Factors in a lemma, at most.
const MAX_NAMED: usize = 500;
/// Steps of the regular expression engine for all factors.
const BUDGET: u64 = 3_000_000;

/// Sends what a membership of a constant says about the only variable of its expression that has no constant value. True if that is new.
pub(super) fn restrict(c: &mut Calculus<'_>, n: Node, [s, r]: [Term; 2]) -> bool {
    let Some(open) = open_membership(c, n, [s, r]) else { return false };
    let key = (open.word, open.expression);
    if !c.languages.factored.contains_key(&key) {
        let factors = sorted(c, &open).map(Rc::new);
        c.languages.factored.insert(key, factors);
    }
    let Some(factors) = c.languages.factored[&key].clone() else { return false };
    let otherwise = factors.otherwise == open.truth;
    let named = if otherwise == open.truth { &factors.outside } else { &factors.inside };
    if named.len() > MAX_NAMED || otherwise && named.is_empty() {
        return false;
    }
    let words: Vec<Term> = named.iter().map(|w| c.terms.pool.string(w)).collect();
    let equations: Vec<Term> = words.into_iter().map(|w| c.eq(open.variable, w)).collect();
    if otherwise {
        let mut sent = false;
        for equation in equations {
            let not = c.not(equation);
            sent |= c.lemma(Rule::Pattern, &open.premises, &[not]);
        }
        return sent;
    }
    c.lemma(Rule::Pattern, &open.premises, &equations)
}

/// A membership of a constant in an expression with one variable.
struct Open {
    word: Term,
    variable: Term,
    /// The expression; variables with constant values are replaced.
    expression: Term,
    truth: bool,
    premises: Vec<Premise>,
}

fn open_membership(c: &mut Calculus<'_>, n: Node, [s, r]: [Term; 2]) -> Option<Open> {
    let truth = c.state.egraph.value(n)?;
    let string = c.state.egraph.node(s)?;
    let word = c.state.egraph.value(string)?;
    let mut premises: Vec<Premise> = equality(n, truth).into_iter().chain(equality(string, word)).collect();
    let mut map: FxHashMap<Term, Term> = FxHashMap::default();
    let mut open = None;
    for v in variables(c.terms.pool, r) {
        match c.state.egraph.node(v).and_then(|n| Some((n, c.state.egraph.value(n)?))) {
            Some((node, value)) => {
                premises.extend(equality(node, value));
                map.insert(v, c.term(value));
            }
            None if open.is_none() => open = Some(v),
            None => return None,
        }
    }
    let expression = c.terms.pool.replace(r, &mut map);
    let truth = truth == c.state.truth;
    let open = Open { word: c.term(word), variable: open?, expression, truth, premises };
    only_as_word(c, &open).then_some(open)
}

/// Whether the variable is only an argument of `str.to_re`.
fn only_as_word(c: &Calculus<'_>, open: &Open) -> bool {
    let pool = &*c.terms.pool;
    let ranges =
        |t: Term| matches!(pool.head(t), Head::Op(Op::ReRange)) && pool.args(t).contains(&open.variable);
    !pool.subterms([open.expression]).any(ranges)
}

fn sorted(c: &mut Calculus<'_>, open: &Open) -> Option<Factors> {
    let word = crate::build::word(c.terms.pool, open.word)?.to_vec();
    let as_word = crate::build::op(c.terms.pool, Op::StrToRe, &[open.variable]);
    let nothing = crate::build::op(c.terms.pool, Op::ReNone, &[]);
    let otherwise = holds(c, open, (as_word, nothing), &word, BUDGET)?;
    let mut out = Factors { inside: Vec::new(), outside: Vec::new(), otherwise };
    let factors = factors(&word)?;
    let budget = (BUDGET / factors.len() as u64).max(10_000);
    for factor in factors {
        let value = c.terms.pool.string(factor);
        let inside = holds(c, open, (open.variable, value), &word, budget)?;
        if inside { &mut out.inside } else { &mut out.outside }.push(factor.to_vec());
    }
    Some(out)
}

/// The factors of a word, each once; none if they are too many.
fn factors(word: &[u32]) -> Option<Vec<&[u32]>> {
    let mut all: FxHashSet<&[u32]> = FxHashSet::default();
    for from in 0..=word.len() {
        all.extend((from..=word.len()).map(|to| &word[from..to]));
        if all.len() > MAX_FACTORS {
            return None;
        }
    }
    let mut all: Vec<&[u32]> = all.into_iter().collect();
    all.sort_unstable_by_key(|w| (w.len(), *w));
    Some(all)
}

/// Whether the word is in the expression with one term replaced by another; none if that is not known.
fn holds(c: &mut Calculus<'_>, open: &Open, by: (Term, Term), word: &[u32], budget: u64) -> Option<bool> {
    let mut map = FxHashMap::from_iter([by]);
    let ground = c.terms.pool.replace(open.expression, &mut map);
    let language = c.languages.of(c.terms.pool, ground)?;
    c.languages.store().try_matches(language, word, budget)
}
