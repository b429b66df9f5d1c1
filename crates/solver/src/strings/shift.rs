//! `(str.indexof s t n)` where a component of `s` starts at `n` and `t` occurs after it: nothing else of `s` matters.
//!
//! With the form `x u t y` of `s` and `n = |x|`, it is `|x| + (str.indexof (str.++ u t) t 0)`. All forms of the class of `s`
//! are tried, also while they differ.

use super::form::Form;
use super::normal::flat_forms;
use super::round::Round;
use crate::arith;
use crate::builder::Builder;
use crate::calculus::{Calculus, equality};
use crate::egraph::{Node, Premise};
use crate::entail::words::first_found;
use crate::infer::Rule;
use smt::{Head, Op, Term};

/// Moves the start of searches to a component. True if equalities were derived.
pub(super) fn indices(c: &mut Calculus<'_>, round: &Round) -> bool {
    let mut derived = false;
    for &n in &round.extended {
        if c.head(c.term(n)) == Head::Op(Op::StrIndexof) {
            derived |= shift(c, round, n);
        }
    }
    derived
}

fn shift(c: &mut Calculus<'_>, round: &Round, n: Node) -> bool {
    let &[s, t, start] = c.state.egraph.args(n) else { return false };
    let Some(needle) = round.normal.get(&c.state.egraph.root(t)).cloned() else { return false };
    for hay in flat_forms(c, round, c.state.egraph.root(s)) {
        let Some((cut, reasons)) = component_at(c, &hay, start) else { continue };
        let mut premises: Vec<Premise> = hay.premises().chain(equality(s, hay.term)).chain(reasons).collect();
        premises.extend(needle.premises().chain(equality(t, needle.term)));
        let Some(value) = index_from(c, &hay.parts[cut..], &needle.parts, start) else { continue };
        if c.fact(Rule::IndexShift, n, value, &premises) {
            return true;
        }
    }
    false
}

/// The index of a string in one that has it, and starts at a position of the whole.
fn index_from(c: &mut Calculus<'_>, hay: &[Node], needle: &[Node], start: Node) -> Option<Node> {
    let hay: Vec<Term> = hay.iter().map(|&p| c.term(p)).collect();
    let needle: Vec<Term> = needle.iter().map(|&p| c.term(p)).collect();
    let needle = c.concat(&needle);
    let n = first_found(c.terms.pool, &hay, needle)?;
    let (front, zero) = (c.concat(&hay[..n]), c.int(0));
    let index = c.mk(Op::StrIndexof, &[front, needle, zero]);
    let index = c.rewrite(index);
    let start = c.term(start);
    let value = c.plus(start, index);
    Some(c.derived_node(value))
}

/// The component at whose beginning a position is in every model, and the premises.
fn component_at(c: &mut Calculus<'_>, form: &Form, position: Node) -> Option<(usize, Vec<Premise>)> {
    let at = c.term(position);
    let mut before = c.int(0);
    for k in 0..form.parts.len() {
        if k > 0 {
            let part = c.term(form.parts[k - 1]);
            let len = c.len(part);
            before = c.plus(before, len);
        }
        let d = c.difference(at, before);
        c.state.register_monomials(c.terms.pool);
        if !c.state.arith.value_of(&d).is_zero() {
            continue;
        }
        let above = c.entails_nonneg(&d);
        let below = above.is_some().then(|| c.entails_nonneg(&arith::difference(&arith::Sum::default(), &d)));
        if let (Some(above), Some(Some(below))) = (above, below) {
            return Some((k, above.into_iter().chain(below).collect()));
        }
    }
    None
}
