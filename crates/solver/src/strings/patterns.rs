//! Regular expressions with variables: ground instances, at the strings that variables have or should have.
//!
//! `x ∈ R(v)` with `v = "a"` is `x ∈ R("a")`, a ground membership. If `v` has no constant, its string in the candidate model, or the empty string, is proposed:
//! a decision, not a claim. Example: in `x ∈ a* v b`, `v = ""` is tried first where nothing else constrains `v`.

use super::round::Round;
use super::words::Words;
use super::{factors, outline, reglan};
use crate::builder::Builder;
use crate::calculus::{Calculus, Step, equality, stop_if};
use crate::egraph::{Node, Premise};
use crate::engines::Engine;
use crate::infer::Rule;
use crate::languages::variables;
use crate::rewrite::Mode;
use rustc_hash::FxHashMap;
use smt::{Head, Op, Pool, Sort, Term};

/// Proposals in one check, at most.
const MAX_PROPOSALS: u64 = 500;
/// Proposals before other terms are expanded, at most.
const MAX_EARLY: u64 = 8;
/// Variables of one expression, at most.
const MAX_VARIABLES: usize = 8;

/// Sends instances of memberships that have a truth value, and proposes strings of their variables.
///
/// Except for the first few, strings are proposed at the `end` only, when all other extended terms have their values.
pub(super) fn instantiate(c: &mut Calculus<'_>, round: &Round, words: &Words, end: bool) -> Step {
    if !c.has(Engine::Pattern) {
        return Ok(());
    }
    reglan::instantiate(c)?;
    let mut sent = false;
    for &n in &round.extended {
        let t = c.term(n);
        let (Head::Op(Op::StrInRe), &[s, r]) = (c.head(t), c.terms.pool.args(t)) else { continue };
        if c.state.egraph.value(n).is_none() || c.languages.of(c.terms.pool, r).is_some() {
            continue;
        }
        let variables = variables(c.terms.pool, r);
        if !variables.is_empty() && variables.len() <= MAX_VARIABLES {
            sent |= outline::outline(c, n, [s, r])
                || approximate(c, n, [s, r])
                || factors::restrict(c, n, [s, r])
                || (end || c.languages.proposals < MAX_EARLY) && propose(c, words, &variables)
                || instance(c, n, [s, r], &variables);
        }
    }
    stop_if(sent)
}

/// `x ∈ R(v)` implies `x ∈ R(Σ*)`, and `x ∉ R(v)` implies `x ∉ R(∅)`; below complements the other way round.
fn approximate(c: &mut Calculus<'_>, n: Node, [s, r]: [Term; 2]) -> bool {
    let Some(truth) = c.state.egraph.value(n) else { return false };
    let holds = truth == c.state.truth;
    let Some(ground) = bound(c, r, holds) else { return false };
    let member = c.mk(Op::StrInRe, &[s, ground]);
    let conclusion = if holds { member } else { c.not(member) };
    let premises: Vec<Premise> = equality(n, truth).into_iter().collect();
    conclusion != c.term(c.state.truth) && c.lemma(Rule::Pattern, &premises, &[conclusion])
}

/// A ground expression that contains an expression for all values of its variables (`above`), or is contained in it.
fn bound(c: &mut Calculus<'_>, r: Term, above: bool) -> Option<Term> {
    let pool = &mut *c.terms.pool;
    let mut done: FxHashMap<(Term, bool), Term> = FxHashMap::default();
    let mut stack = vec![(r, above, false)];
    while let Some((t, above, built)) = stack.pop() {
        if done.contains_key(&(t, above)) {
            continue;
        }
        let (op, below) = match pool.head(t) {
            Head::Op(op) | Head::Indexed(op, _) => (op, pool.args(t).to_vec()),
            _ => return None,
        };
        // A complement turns the direction, as do all operands of a difference but the first.
        let turns = |k: usize| op == Op::ReComp || op == Op::ReDiff && k > 0;
        let result = match op {
            Op::StrToRe | Op::ReRange => {
                let ground = below.iter().all(|&a| matches!(pool.head(a), Head::Str(_)));
                match (ground, above, op) {
                    (true, ..) => t,
                    (false, false, _) => crate::build::op(pool, Op::ReNone, &[]),
                    (false, true, Op::ReRange) => crate::build::op(pool, Op::ReAllchar, &[]),
                    (false, true, _) => shape(pool, below[0]),
                }
            }
            _ if !built => {
                stack.push((t, above, true));
                stack.extend(below.iter().enumerate().map(|(k, &a)| (a, above != turns(k), false)));
                continue;
            }
            _ => {
                let side = |(k, &a): (usize, &Term)| done.get(&(a, above != turns(k))).copied();
                let args: Vec<Term> = below.iter().enumerate().map(side).collect::<Option<_>>()?;
                let head = pool.head(t);
                pool.mk(head, Sort::REGLAN, &args)
            }
        };
        done.insert((t, above), result);
    }
    done.get(&(r, above)).copied()
}

/// A ground expression of all values of a string: numerals for `str.from_int`, at most one character for `str.at`.
fn shape(pool: &mut Pool, t: Term) -> Term {
    let parts = match pool.head(t) {
        Head::Op(Op::StrConcat) => pool.args(t).to_vec(),
        _ => vec![t],
    };
    let shapes: Vec<Term> = parts.into_iter().map(|p| shape_of_part(pool, p)).collect();
    if let [one] = shapes[..] { one } else { crate::build::op(pool, Op::ReConcat, &shapes) }
}

fn shape_of_part(pool: &mut Pool, t: Term) -> Term {
    let one = pool.int(1);
    match (pool.head(t), pool.args(t)) {
        (Head::Str(_), _) => crate::build::op(pool, Op::StrToRe, &[t]),
        (Head::Op(Op::StrFromInt), _) => {
            let digits = ['0', '9'].map(|d| pool.string(&[u32::from(d)]));
            let digit = crate::build::op(pool, Op::ReRange, &digits);
            crate::build::op(pool, Op::ReStar, &[digit])
        }
        (Head::Op(Op::StrAt | Op::StrFromCode), _) => at_most_one(pool),
        (Head::Op(Op::StrSubstr), &[_, _, m]) if m == one => at_most_one(pool),
        _ => crate::build::op(pool, Op::ReAll, &[]),
    }
}

fn at_most_one(pool: &mut Pool) -> Term {
    let any = crate::build::op(pool, Op::ReAllchar, &[]);
    crate::build::op(pool, Op::ReOpt, &[any])
}

/// Requests decisions on strings of variables that have no constant. True if there are any.
fn propose(c: &mut Calculus<'_>, words: &Words, variables: &[Term]) -> bool {
    let mut sent = false;
    for &v in variables {
        let node = c.state.egraph.node(v);
        if node.is_some_and(|n| c.state.egraph.value(n).is_some()) {
            continue;
        }
        // What was proposed before is proposed again until it is known to be false.
        sent |= match c.languages.proposed.get(&v).copied() {
            Some(word) => decide(c, v, word),
            None => false,
        };
        if sent || c.languages.proposals >= MAX_PROPOSALS {
            continue;
        }
        c.languages.proposals += 1;
        let word = node.and_then(|n| words.of(c, n)).map_or(Vec::new(), <[u32]>::to_vec);
        let word = c.terms.pool.string(&word);
        c.languages.proposed.insert(v, word);
        sent |= decide(c, v, word);
    }
    sent
}

fn decide(c: &mut Calculus<'_>, v: Term, word: Term) -> bool {
    c.in_mode(Mode::WithoutEntailment, |c| {
        let equation = c.eq(v, word);
        c.split(Rule::Pattern, &[], equation, true)
    })
}

/// If all variables have constants, the membership is that in the ground expression.
fn instance(c: &mut Calculus<'_>, n: Node, [s, r]: [Term; 2], variables: &[Term]) -> bool {
    let mut map: FxHashMap<Term, Term> = FxHashMap::default();
    let mut premises: Vec<Premise> = Vec::new();
    for &v in variables {
        let Some(node) = c.state.egraph.node(v) else { return false };
        let Some(value) = c.state.egraph.value(node) else { return false };
        premises.extend(equality(node, value));
        map.insert(v, c.term(value));
    }
    let Some(truth) = c.state.egraph.value(n) else { return false };
    premises.extend(equality(n, truth));
    let ground = c.terms.pool.replace(r, &mut map);
    let member = c.mk(Op::StrInRe, &[s, ground]);
    let conclusion = if truth == c.state.truth { member } else { c.not(member) };
    conclusion != c.term(c.state.truth) && c.lemma(Rule::Pattern, &premises, &[conclusion])
}
