//! Combination of theories: equalities between shared terms.
//!
//! A theory gives its classes values without regard to functions and constructors over them. With `f(x) != f(y)`, and 3 as
//! the value of `x` and `y` in arithmetic but not in one class, the candidate model would give `f(3)` two values: then `x = y`
//! is decided. Pairs of applications of one function or constructor are compared, argument by argument, by the values that
//! the candidate model has for them.

use crate::build::may_divide_by_zero;
use crate::builder::Builder;
use crate::calculus::Calculus;
use crate::egraph::Node;
use crate::infer::Rule;
use crate::strings::words::{Words, nodes};
use smt::{Fun, Head, Op, Sort};
use std::collections::BTreeMap;

/// Pairs of applications that are compared, at most.
const MAX_PAIRS: usize = 200_000;

/// A function whose value the arguments do not determine: an uninterpreted one, or a division that may be by zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Fun(Fun),
    Op(Op),
}

fn name(c: &Calculus<'_>, n: Node) -> Option<Name> {
    let t = c.term(n);
    match c.head(t) {
        Head::Fun(f) if !c.state.egraph.args(n).is_empty() => Some(Name::Fun(f)),
        Head::Op(op) if may_divide_by_zero(c.terms.pool, t) => Some(Name::Op(op)),
        _ => None,
    }
}

/// Decides equalities between arguments of one function that have one value without being in one class.
pub(crate) fn decide_care_pairs(c: &mut Calculus<'_>, words: &Words) -> bool {
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
        let (s, t) = (c.term(x), c.term(y));
        let atom = c.eq(s, t);
        if c.split(Rule::CarePair, &[], atom, true) {
            return true;
        }
    }
    false
}

/// Two nodes of different classes have one value in the candidate model.
fn equal_values(c: &mut Calculus<'_>, words: &Words, x: Node, y: Node) -> bool {
    let (s, t) = (c.term(x), c.term(y));
    match c.sort(s) {
        Sort::INT => {
            let d = c.difference(s, t);
            c.state.arith.value_of(&d).is_zero()
        }
        Sort::REAL => super::reals::equal_values(c, s, t),
        Sort::BOOL => false,
        Sort::STRING => words.of(c, x).is_some() && words.of(c, x) == words.of(c, y),
        _ => {
            let (v, w) = (words.value_term(c, x), words.value_term(c, y));
            v.is_some() && v == w
        }
    }
}
