//! Combination of theories: equalities between shared terms.
//!
//! A theory gives its classes values without regard to functions and constructors over them. With `f(x) != f(y)`, and 3 as
//! the value of `x` and `y` in arithmetic but not in one class, the candidate model would give `f(3)` two values: then `x = y`
//! is decided. Pairs of applications of one function or constructor are compared, argument by argument, by the values that
//! the candidate model has for them.

use super::words::{Words, nodes};
use crate::build::may_divide_by_zero;
use crate::builder::Builder;
use crate::calculus::Calculus;
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use crate::theories::reals;
use smt::term::SetOp;
use smt::{Fun, Head, Op, Sort, Term};
use std::collections::BTreeMap;

/// Pairs of applications that are compared, at most.
const MAX_PAIRS: usize = 200_000;

/// A function whose value the arguments do not determine: an uninterpreted one, membership in a set, or a division that may be by zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Fun(Fun),
    Op(Op),
    /// Membership in sets of this sort.
    Member(Sort),
}

fn name(c: &Calculus<'_>, n: Node) -> Option<Name> {
    let t = c.term(n);
    match c.head(t) {
        Head::Fun(f) if !c.state.egraph.args(n).is_empty() => Some(Name::Fun(f)),
        Head::Op(op) if may_divide_by_zero(c.terms.pool, t) => Some(Name::Op(op)),
        Head::Opaque(_) if c.terms.pool.set_op(t) == Some(SetOp::Member) => {
            Some(Name::Member(c.sort(c.terms.pool.args(t)[1])))
        }
        _ => None,
    }
}

/// Decides equalities between arguments of one function that have one value without being in one class.
pub(super) fn decide_care_pairs(c: &mut Calculus<'_>, words: &Words) -> bool {
    let mut groups: BTreeMap<Name, Vec<Node>> = BTreeMap::new();
    for n in nodes(c) {
        if let Some(name) = name(c, n) {
            groups.entry(name).or_default().push(n);
        }
    }
    let (mut sent, mut pairs) = (false, 0);
    for applications in groups.values() {
        for (i, &a) in applications.iter().enumerate() {
            for &b in &applications[..i] {
                pairs += 1;
                if pairs > MAX_PAIRS {
                    return sent;
                }
                sent |= !c.state.egraph.same(a, b) && decide_care_pair(c, words, a, b);
            }
        }
    }
    sent
}

fn decide_care_pair(c: &mut Calculus<'_>, words: &Words, a: Node, b: Node) -> bool {
    let (left, right) = (c.state.egraph.args(a).to_vec(), c.state.egraph.args(b).to_vec());
    let mut open = Vec::new();
    for (x, y) in left.into_iter().zip(right) {
        smt::work::spend(1);
        if c.state.egraph.same(x, y) {
            continue;
        }
        if !equal_values(c, words, x, y) {
            return false;
        }
        open.push((x, y));
    }
    for (x, y) in open {
        if decide_equality(c, x, y) {
            return true;
        }
    }
    false
}

/// Decides whether two nodes are equal. If the equality holds in its normal form, they are merged.
fn decide_equality(c: &mut Calculus<'_>, x: Node, y: Node) -> bool {
    let (s, t) = (c.term(x), c.term(y));
    let atom = c.eq(s, t);
    if atom == c.term(c.state.truth) {
        return c.fact(Rule::CarePair, x, y, &[]);
    }
    match c.inferences.literal_of(atom).map(|l| (l, c.inferences.value(l))) {
        Some((l, Some(true))) => c.fact(Rule::CarePair, x, y, &[Premise::Lit(l)]),
        Some((_, Some(false))) => false,
        _ => c.split(Rule::CarePair, &[], atom, true),
    }
}

/// Decides the formulas that are arguments of functions and constructors and have no value.
pub(crate) fn decide_formulas(c: &mut Calculus<'_>, terms: &[Term]) -> bool {
    let mut sent = false;
    for &t in terms {
        if !matches!(c.head(t), Head::Fun(_)) && c.terms.pool.set_op(t).is_none() {
            continue;
        }
        let pool = &*c.terms.pool;
        let formulas: Vec<Term> =
            pool.args(t).iter().copied().filter(|&a| pool.sort_of(a) == Sort::BOOL).collect();
        for a in formulas {
            sent |= assert_formula(c, a) || decide_formula(c, a);
        }
    }
    sent
}

/// A formula whose class has a truth value has this value as a literal.
fn assert_formula(c: &mut Calculus<'_>, formula: Term) -> bool {
    let n = c.node(formula);
    let Some(value) = c.state.egraph.value(n) else { return false };
    let connective = matches!(c.head(formula), Head::Op(_)) && !c.terms.pool.args(formula).is_empty();
    let known = c.inferences.literal_of(formula).and_then(|l| c.inferences.value(l));
    if !connective || known.is_some() || n == value {
        return false;
    }
    let holds = c.state.egraph.same(value, c.state.truth);
    let conclusion = if holds { formula } else { c.not(formula) };
    c.lemma(Rule::CarePair, &[Premise::Eq(n, value)], &[conclusion])
}

/// Decides the atoms of a formula without value.
fn decide_formula(c: &mut Calculus<'_>, formula: Term) -> bool {
    let (mut todo, mut sent) = (vec![formula], false);
    while let Some(t) = todo.pop() {
        smt::work::spend(1);
        let n = c.node(t);
        if c.state.egraph.value(n).is_some() {
            continue;
        }
        let args = c.terms.pool.args(t);
        let connective = matches!(c.head(t), Head::Op(op) if op != Op::Distinct)
            && !args.is_empty()
            && args.iter().all(|&a| c.sort(a) == Sort::BOOL);
        if connective {
            todo.extend_from_slice(args);
        } else if let Some(l) = c.inferences.literal_of(t)
            && let Some(holds) = c.inferences.value(l)
        {
            // A comparison of integers, which arithmetic has and the e-graph does not.
            let (value, premise) = if holds { (c.state.truth, l) } else { (c.state.falsity, !l) };
            sent |= c.fact(Rule::CarePair, n, value, &[Premise::Lit(premise)]);
        } else {
            sent |= c.split(Rule::CarePair, &[], t, false);
        }
    }
    sent
}

/// Two nodes of different classes have one value in the candidate model.
fn equal_values(c: &mut Calculus<'_>, words: &Words, x: Node, y: Node) -> bool {
    let (s, t) = (c.term(x), c.term(y));
    match c.sort(s) {
        Sort::INT => {
            let d = c.difference(s, t);
            c.state.arith.value_of(&d).is_zero()
        }
        Sort::REAL => reals::equal_values(c, s, t),
        Sort::BOOL => false,
        Sort::STRING => words.of(c, x).is_some() && words.of(c, x) == words.of(c, y),
        _ => {
            let (v, w) = (words.value_term(c, x), words.value_term(c, y));
            v.is_some() && v == w
        }
    }
}
