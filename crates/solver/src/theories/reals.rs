//! Linear arithmetic over reals, and over integers and reals together.
//!
//! If the problem has reals, every comparison and equality of integers is asserted here as well. The integers of a model
//! come from [`crate::lia`]; those that occur in a real term, as `(to_real i)`, are tried here with these values. If the
//! bounds contradict some of them, one of those has another value: for `i = 0` and `(to_real i) = x`, `x > 1.5` the lemma is
//! `i < 0 or i > 0`.

use crate::builder::Builder;
use crate::calculus::{Calculus, Step, stop_if};
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use crate::lra::{Equation, Reals, Sum, Value, Var, rat};
use crate::poly::Poly;
use crate::rewrite::Mode;
use rustc_hash::{FxHashMap, FxHashSet};
use sat::Lit;
use smt::{Head, Int, Op, Rat, Sort, Term};
use std::collections::BTreeSet;

/// Runs a step on the reals, if there are any; sends a conflict. New monomials become nodes.
fn with(
    c: &mut Calculus<'_>,
    step: impl FnOnce(&mut Reals, &mut Calculus<'_>) -> Result<(), Vec<Premise>>,
) -> Step {
    let Some(mut reals) = c.state.reals.take() else { return Ok(()) };
    let result = step(&mut reals, c);
    let fresh = std::mem::take(&mut reals.fresh);
    c.state.reals = Some(reals);
    for t in fresh {
        c.node(t);
    }
    result.map_err(|premises| c.conflict(Rule::Reals, &premises))
}

/// Asserts the literal of a comparison or an equality of numbers.
pub(crate) fn assert_literal(c: &mut Calculus<'_>, t: Term, l: Lit) -> Step {
    if c.state.reals.is_none() {
        return Ok(());
    }
    let (head, &[a, b]) = (c.head(t), c.terms.pool.args(t)) else { return Ok(()) };
    let sort = c.sort(a);
    if !matches!(sort, Sort::INT | Sort::REAL) {
        return Ok(());
    }
    let why = Some(Premise::Lit(l));
    match head {
        Head::Op(Op::Ge) => with(c, |reals, c| {
            let sum = reals.difference(c.terms.pool, a, b);
            if l.is_positive() {
                return reals.simplex.assert_positive(&sum, false, why);
            }
            // Of integers, a < b is b - a - 1 >= 0.
            let mut negated = Sum::default();
            negated.add(&rat(-1), &sum);
            if sort == Sort::INT {
                negated.constant = negated.constant - rat(1);
            }
            reals.simplex.assert_positive(&negated, sort == Sort::REAL, why)
        }),
        Head::Op(Op::Eq) if l.is_positive() => with(c, |reals, c| {
            let sum = reals.difference(c.terms.pool, a, b);
            reals.simplex.assert_zero(&sum, why)
        }),
        _ => Ok(()),
    }
}

/// Numbers in one class are equal.
pub(crate) fn merged(c: &mut Calculus<'_>, a: Node, b: Node) -> Step {
    let (s, t) = (c.term(a), c.term(b));
    with(c, |reals, c| {
        let sum = reals.difference(c.terms.pool, s, t);
        reals.simplex.assert_zero(&sum, Some(Premise::Eq(a, b)))
    })
}

/// Finds values within the bounds.
pub(crate) fn close(c: &mut Calculus<'_>) -> Step {
    with(c, |reals, _| reals.simplex.check())
}

/// The final check: disequalities, and the values of integers.
pub(crate) fn check(c: &mut Calculus<'_>, terms: &[Term]) -> Step {
    if c.state.reals.is_none() {
        return Ok(());
    }
    for &t in terms {
        if c.sort(t) == Sort::REAL {
            let _ = value(c, t);
        }
    }
    close(c)?;
    axioms(c, terms)?;
    integer_equations(c)?;
    fix_integers(c)?;
    disequalities(c)
}

/// `(to_int x) <= x < (to_int x) + 1`
fn axioms(c: &mut Calculus<'_>, terms: &[Term]) -> Step {
    let mut sent = false;
    for &t in terms {
        if c.head(t) != Head::Op(Op::ToInt) {
            continue;
        }
        sent |= c.in_mode(Mode::WithoutEntailment, |c| {
            let x = c.terms.pool.args(t)[0];
            let floor = c.terms.pool.to_real(t);
            let one = c.terms.pool.real(rat(1));
            let next = c.terms.pool.mk(Head::Op(Op::Add), Sort::REAL, &[floor, one]);
            let above = c.ge(x, floor);
            let beyond = c.ge(x, next);
            let below = c.not(beyond);
            c.valid(Rule::RealFloor, above) | c.valid(Rule::RealFloor, below)
        });
    }
    stop_if(sent)
}

/// Equations between integers that follow from those with reals: from `(to_real i) = x` and `x = (to_real j) + 0.5` follows `i - j =
/// 0.5`, which has no solution. Others are sent if the values of the integers violate them.
fn integer_equations(c: &mut Calculus<'_>) -> Step {
    let Some(reals) = c.state.reals.as_ref().filter(|r| !r.shared.is_empty()) else { return Ok(()) };
    let mut terms: FxHashMap<Var, Term> = FxHashMap::default();
    let integers = reals.vars.iter().filter(|&(&t, _)| c.terms.pool.sort_of(t) == Sort::INT);
    terms.extend(integers.map(|(&t, &v)| (v, t)));
    let equations = reals.simplex.equations(|v| !terms.contains_key(&v));
    for Equation { sum, mut why } in equations {
        let scale = sum.terms.values().fold(Int::ONE, |n, k| lcm(&n, k.denom()));
        let scaled = |q: &Rat| q * &Rat::from(scale.clone());
        let gcd = sum.terms.values().fold(Int::ZERO, |n, k| n.gcd(scaled(k).numer()));
        let constant = scaled(&sum.constant);
        let mut seen: Vec<Premise> = Vec::new();
        why.retain(|p| {
            !seen.contains(p) && {
                seen.push(*p);
                true
            }
        });
        let solvable = constant.is_integer() && (gcd.is_zero() || constant.numer().divisible_by(&gcd));
        if !solvable || gcd.is_zero() && !constant.is_zero() {
            return Err(c.conflict(Rule::RealInteger, &why));
        }
        let mut poly = Poly::constant(constant.numer().clone());
        poly.terms = sum.terms.iter().map(|(v, k)| (terms[v], scaled(k).numer().clone())).collect();
        poly.terms.sort_by_key(|(t, _)| *t);
        let t = poly.to_term(c.terms.pool);
        if !c.model_value(t).is_zero() {
            let zero = c.int(0);
            let equal = c.in_mode(Mode::WithoutEntailment, |c| c.eq(t, zero));
            stop_if(c.lemma(Rule::RealInteger, &why, &[equal]))?;
        }
    }
    Ok(())
}

fn lcm(a: &Int, b: &Int) -> Int {
    (a * b).div_euclid_smt(&a.gcd(b)).expect("denominators are positive")
}

/// Tries the integers in real terms with the values of their own theory.
fn fix_integers(c: &mut Calculus<'_>) -> Step {
    let shared = c.state.reals.as_ref().map_or_else(Vec::new, |r| r.shared.clone());
    if shared.is_empty() {
        return Ok(());
    }
    let values: Vec<(Var, Rat)> =
        shared.iter().map(|&(i, v)| (v, Rat::from(c.model_value(i).floor()))).collect();
    let Some(reals) = &mut c.state.reals else { return Ok(()) };
    let Err((why, (sum, bound))) = reals.simplex.try_values(&values) else { return Ok(()) };
    if sum.is_empty() {
        return Err(c.conflict(Rule::Reals, &why));
    }
    // sum >= bound, or > with a positive multiple of δ
    let scale = sum.values().fold(Int::ONE, |n, k| lcm(&n, k.denom()));
    let scaled = |q: &Rat| q * &Rat::from(scale.clone());
    let least = scaled(&bound.standard);
    let least =
        if bound.delta > rat(0) || !least.is_integer() { least.floor() + Int::ONE } else { least.floor() };
    let term = |v: &Var| shared.iter().find(|(_, w)| w == v).map(|&(t, _)| t);
    let terms = sum.iter().filter_map(|(v, k)| Some((term(v)?, scaled(k).numer().clone()))).collect();
    let poly = Poly::gather(terms, Int::ZERO);
    let (t, least) = (poly.to_term(c.terms.pool), c.terms.pool.int(least));
    let atom = c.in_mode(Mode::WithoutEntailment, |c| c.ge(t, least));
    stop_if(c.lemma(Rule::RealInteger, &why, &[atom]))
}

/// `s != t` with equal values: one is greater.
fn disequalities(c: &mut Calculus<'_>) -> Step {
    let negative: Vec<Lit> = c.state.asserted.iter().copied().filter(|l| !l.is_positive()).collect();
    let mut sent = false;
    for l in negative {
        let Some(t) = c.inferences.atom(l.var()) else { continue };
        let (Head::Op(Op::Eq), &[a, b]) = (c.head(t), c.terms.pool.args(t)) else { continue };
        if c.sort(a) == Sort::REAL && equal_values(c, a, b) {
            sent |= differ(c, Premise::Lit(l), a, b);
        }
    }
    stop_if(sent)
}

/// `a != b => a > b or b > a`
fn differ(c: &mut Calculus<'_>, premise: Premise, a: Term, b: Term) -> bool {
    let (x, y) = (c.ge(a, b), c.ge(b, a));
    let (above, below) = (c.not(y), c.not(x));
    c.lemma(Rule::IntDisequal, &[premise], &[above, below])
}

/// The value of a real term.
fn value(c: &mut Calculus<'_>, t: Term) -> Option<Value> {
    let mut reals = c.state.reals.take()?;
    let sum = reals.sum(c.terms.pool, t);
    let value = reals.simplex.value(&sum);
    let fresh = std::mem::take(&mut reals.fresh);
    c.state.reals = Some(reals);
    for t in fresh {
        c.node(t);
    }
    Some(value)
}

/// Two real terms have one value.
pub(crate) fn equal_values(c: &mut Calculus<'_>, a: Term, b: Term) -> bool {
    value(c, a) == value(c, b)
}

/// The value of a real term in a model, for this number as δ.
pub(crate) fn model_value(c: &mut Calculus<'_>, t: Term, epsilon: &Rat) -> Option<Rat> {
    let v = value(c, t)?;
    Some(&v.standard + &(&v.delta * epsilon))
}

/// A number for δ under which different values of the terms stay different; none without reals.
pub(crate) fn epsilon(c: &mut Calculus<'_>, terms: &[Term]) -> Option<Rat> {
    let most = c.state.reals.as_ref()?.simplex.epsilon();
    let values: BTreeSet<Value> = terms.iter().filter_map(|&t| value(c, t)).collect();
    let separates = |epsilon: &Rat| {
        let mut seen: FxHashSet<Rat> = FxHashSet::default();
        values.iter().all(|v| seen.insert(&v.standard + &(&v.delta * epsilon)))
    };
    let mut tried =
        [2, 3, 5, 7, 11, 13, 17, 1_009, 10_007].into_iter().filter_map(|k| most.checked_div(&rat(k)));
    let last = most.checked_div(&rat(100_003));
    tried.find(separates).or(last)
}
