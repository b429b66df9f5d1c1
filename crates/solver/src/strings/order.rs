//! Cycles of the lexicographic order.
//!
//! Each `str.<=` with a truth value is an edge between classes: from `s` to `u` if `(str.<= s u)` is true, a strict one
//! from `u` to `s` if it is false. Constants are ordered by their values. A cycle with a strict edge is a conflict; in
//! a cycle without one, all classes are equal.
//!
//! Example: `x < y`, `y < z` and `z < x` contradict each other, whatever the strings; comparing characters would not
//! end.

use super::round::Round;
use crate::calculus::{Calculus, Stop, equality};
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use rustc_hash::FxHashMap;
use smt::work::spend;
use smt::{Head, Op};
use std::collections::VecDeque;

/// Edges of a graph that is searched, at most.
const MAX_EDGES: usize = 2_000;

/// `from <= to`, or `from < to`.
struct Edge {
    from: Node,
    to: Node,
    strict: bool,
    /// None between constants.
    premise: Option<Premise>,
}

/// Looks for cycles. True if classes were merged.
pub(super) fn cycles(c: &mut Calculus<'_>, round: &Round) -> Result<bool, Stop> {
    let mut edges = comparisons(c, round);
    if edges.is_empty() || edges.len() > MAX_EDGES {
        return Ok(false);
    }
    add_constants(c, &mut edges);
    let mut leaving: FxHashMap<Node, Vec<usize>> = FxHashMap::default();
    for (i, e) in edges.iter().enumerate() {
        leaving.entry(c.state.egraph.root(e.from)).or_default().push(i);
    }
    for first in 0..edges.len() {
        let e = &edges[first];
        if !e.strict && c.state.egraph.same(e.from, e.to) {
            continue;
        }
        let Some(cycle) = cycle(c, &edges, &leaving, first) else { continue };
        let premises = premises(&edges, &cycle);
        if cycle.iter().any(|&i| edges[i].strict) {
            return Err(c.conflict(Rule::Order, &premises));
        }
        return Ok(c.fact(Rule::Order, edges[first].from, edges[first].to, &premises));
    }
    Ok(false)
}

/// The comparisons that have a truth value.
fn comparisons(c: &Calculus<'_>, round: &Round) -> Vec<Edge> {
    let mut out = Vec::new();
    for &n in &round.extended {
        if c.head(c.term(n)) != Head::Op(Op::StrLe) {
            continue;
        }
        let (Some(value), &[s, u]) = (c.state.egraph.value(n), c.state.egraph.args(n)) else { continue };
        let premise = equality(n, value);
        out.push(match c.state.egraph.same(value, c.state.truth) {
            true => Edge { from: s, to: u, strict: false, premise },
            false => Edge { from: u, to: s, strict: true, premise },
        });
    }
    out
}

/// Adds the order of the constants in the classes that are compared.
fn add_constants(c: &Calculus<'_>, edges: &mut Vec<Edge>) {
    let values = edges.iter().flat_map(|e| [e.from, e.to]).filter_map(|n| c.state.egraph.value(n));
    let mut constants: Vec<Node> = values.filter(|&v| c.word_of(v).is_some()).collect();
    constants.sort_by_key(|&v| c.word_of(v));
    constants.dedup();
    let less = |pair: &[Node]| Edge { from: pair[0], to: pair[1], strict: true, premise: None };
    edges.extend(constants.windows(2).map(less));
}

/// A shortest cycle through an edge.
fn cycle(
    c: &Calculus<'_>,
    edges: &[Edge],
    leaving: &FxHashMap<Node, Vec<usize>>,
    first: usize,
) -> Option<Vec<usize>> {
    let root = |n: Node| c.state.egraph.root(n);
    let (start, end) = (root(edges[first].to), root(edges[first].from));
    let mut reached: FxHashMap<Node, Option<usize>> = FxHashMap::from_iter([(start, None)]);
    let mut queue = VecDeque::from([start]);
    while let Some(n) = queue.pop_front() {
        spend(1);
        if n == end {
            break;
        }
        for &i in leaving.get(&n).into_iter().flatten() {
            let to = root(edges[i].to);
            reached.entry(to).or_insert_with(|| {
                queue.push_back(to);
                Some(i)
            });
        }
    }
    let mut back = Vec::new();
    let mut at = end;
    while let Some(i) = *reached.get(&at)? {
        back.push(i);
        at = root(edges[i].from);
    }
    back.push(first);
    back.reverse();
    Some(back)
}

/// The comparisons of a cycle, and the equalities where one ends and the next starts.
fn premises(edges: &[Edge], cycle: &[usize]) -> Vec<Premise> {
    let next = cycle.iter().cycle().skip(1);
    let joint = |(&i, &j): (&usize, &usize)| equality(edges[i].to, edges[j].from);
    let joints = cycle.iter().zip(next).filter_map(joint);
    joints.chain(cycle.iter().filter_map(|&i| edges[i].premise)).collect()
}
