//! Flat forms and normal forms (F-Form, N-Form).
//!
//! The flat form of a concatenation is the sequence of the normal forms of its arguments. All flat forms of a class
//! must agree; then one of them is the normal form of the class. Classes are visited with contained ones first.
//!
//! Example: with `x = (str.++ y "c")` and `y = (str.++ "a" z)`, the normal form of `y` is `"a" z`, that of `x` is
//! `"a" z "c"`. If `z` contains `x` as well, everything else on the cycle is empty.

use super::align::{Comparison, align};
use super::balance;
use super::form::{Dependency, Direction, Form, Piece, pieces};
use super::parikh::compare_counts;
use super::round::Round;
use crate::calculus::{Calculus, Stop, equality};
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::work;
use std::rc::Rc;

/// An edge of the containment graph: a concatenation and one of its arguments.
type Edge = (Node, Node);

/// A class on the path of the search.
struct Visit {
    class: Node,
    /// The edges not yet followed.
    edges: Vec<Edge>,
    /// The edge by which the next class was entered.
    taken: Option<Edge>,
}

/// Merges each concatenation of which at most one argument is not empty with that argument.
pub(super) fn collapse(c: &mut Calculus<'_>, round: &Round) -> bool {
    let mut merged = false;
    let empty = c.state.empty;
    for &t in round.roots.iter().filter_map(|root| round.concats.get(root)).flatten() {
        let args = c.state.egraph.args(t).to_vec();
        let (none, rest): (Vec<Node>, Vec<Node>) =
            args.into_iter().partition(|&a| c.state.egraph.same(a, empty));
        if rest.len() > 1 {
            continue;
        }
        let premises: Vec<Premise> = none.iter().filter_map(|&a| equality(a, empty)).collect();
        let target = rest.first().copied().unwrap_or(empty);
        merged |= c.fact(Rule::EndEmpty, t, target, &premises);
    }
    merged
}

/// Computes normal forms as far as flat forms agree. True if equalities were derived.
pub(super) fn normal_forms(c: &mut Calculus<'_>, round: &mut Round) -> Result<bool, Stop> {
    let Some(order) = containment_order(c, round) else { return Ok(true) };
    let mut facts = false;
    for &root in &order {
        match normal_form(c, round, root)? {
            Some(normal) => {
                round.normal.insert(root, normal);
            }
            // The facts will change this class; others may have facts as well.
            None => facts = true,
        }
    }
    round.roots = order;
    Ok(facts)
}

/// Roots with contained classes first. None if a cycle led to equalities.
fn containment_order(c: &mut Calculus<'_>, round: &Round) -> Option<Vec<Node>> {
    let mut order = Vec::new();
    let mut done: FxHashSet<Node> = FxHashSet::default();
    let mut on_path: FxHashMap<Node, usize> = FxHashMap::default();
    for &start in &round.roots {
        let mut path: Vec<Visit> = Vec::new();
        if !done.contains(&start) {
            on_path.insert(start, 0);
            path.push(Visit { class: start, edges: edges(c, round, start), taken: None });
        }
        while let Some(visit) = path.last_mut() {
            let Some((concat, arg)) = visit.edges.pop() else {
                on_path.remove(&visit.class);
                done.insert(visit.class);
                order.push(visit.class);
                path.pop();
                continue;
            };
            visit.taken = Some((concat, arg));
            let child = c.state.egraph.root(arg);
            if let Some(&at) = on_path.get(&child) {
                let cycle: Vec<Edge> = path[at..].iter().filter_map(|v| v.taken).collect();
                if break_cycle(c, &cycle) {
                    return None;
                }
                continue;
            }
            if !done.contains(&child) {
                on_path.insert(child, path.len());
                path.push(Visit { class: child, edges: edges(c, round, child), taken: None });
            }
        }
    }
    Some(order)
}

/// The edges from a class, in reverse order.
fn edges(c: &Calculus<'_>, round: &Round, class: Node) -> Vec<Edge> {
    let mut out = Vec::new();
    for &t in round.concats.get(&class).into_iter().flatten() {
        if !is_collapsed(c, t) {
            out.extend(c.state.egraph.args(t).iter().map(|&a| (t, a)));
        }
    }
    out.reverse();
    out
}

/// At most one argument is not empty.
fn is_collapsed(c: &Calculus<'_>, t: Node) -> bool {
    let egraph = &c.state.egraph;
    egraph.args(t).iter().filter(|&&a| !egraph.same(a, c.state.empty)).count() <= 1
}

/// `x = ..y..` and `y = ..x..`: all other arguments are empty.
fn break_cycle(c: &mut Calculus<'_>, cycle: &[Edge]) -> bool {
    let mut premises = Vec::new();
    for (i, &(_, arg)) in cycle.iter().enumerate() {
        let (next, _) = cycle[(i + 1) % cycle.len()];
        premises.extend(equality(arg, next));
    }
    let mut merged = false;
    for &(concat, arg) in cycle {
        let mut skipped = false;
        for other in c.state.egraph.args(concat).to_vec() {
            if other == arg && !skipped {
                skipped = true;
                continue;
            }
            merged |= c.fact(Rule::Cycle, other, c.state.empty, &premises);
        }
    }
    merged
}

/// The normal form of a class whose contained classes have theirs; None if equalities were derived. Places where flat
/// forms differ are added to the splits of the round.
fn normal_form(c: &mut Calculus<'_>, round: &mut Round, root: Node) -> Result<Option<Rc<Form>>, Stop> {
    let forms = flat_forms(c, round, root);
    if forms.is_empty() {
        let form = Form { term: root, parts: vec![root], dependencies: Vec::new() };
        return Ok(Some(Rc::new(form)));
    }
    c.inferences.tick(forms.len() as u64);
    for i in 1..forms.len() {
        for j in 0..i {
            let mut differ = false;
            for direction in [Direction::Forward, Direction::Backward] {
                match align(c, &forms[j], &forms[i], direction)? {
                    Comparison::Equal => break,
                    Comparison::Facts => return Ok(None),
                    Comparison::Open(alignment) => round.splits.push(alignment),
                }
                differ = true;
            }
            compare_counts(c, &forms[j], &forms[i])?;
            if differ && balance::cut(c, &forms[j], &forms[i]) {
                return Ok(None);
            }
            if differ {
                round.differing.push((Rc::clone(&forms[j]), Rc::clone(&forms[i])));
            }
        }
    }
    Ok(forms.into_iter().min_by_key(|f| f.dependencies.len()))
}

/// The forms of a class: its constant, and the flat forms of its concatenations.
pub(super) fn flat_forms(c: &Calculus<'_>, round: &Round, root: Node) -> Vec<Rc<Form>> {
    let mut forms: Vec<Rc<Form>> = Vec::new();
    if let Some(value) = c.state.egraph.value(root) {
        let is_empty = c.state.egraph.same(value, c.state.empty);
        let parts = if is_empty { Vec::new() } else { vec![value] };
        forms.push(Rc::new(Form { term: value, parts, dependencies: Vec::new() }));
    }
    for &t in round.concats.get(&root).into_iter().flatten() {
        if !is_collapsed(c, t) {
            forms.push(Rc::new(flat_form(c, round, t)));
        }
    }
    forms
}

/// The flat form of a concatenation.
fn flat_form(c: &Calculus<'_>, round: &Round, t: Node) -> Form {
    let mut out = Form { term: t, parts: Vec::new(), dependencies: Vec::new() };
    for &arg in c.state.egraph.args(t) {
        let root = c.state.egraph.root(arg);
        let start = out.parts.len();
        let term = match round.normal.get(&root) {
            Some(n) => {
                work::spend(n.parts.len() + n.dependencies.len());
                let shifted =
                    |d: &Dependency| Dependency { start: d.start + start, end: d.end + start, ..*d };
                out.dependencies.extend(n.dependencies.iter().map(shifted));
                out.parts.extend(&n.parts);
                n.term
            }
            // A cycle that is not broken yet.
            None => {
                out.parts.push(root);
                root
            }
        };
        let end = out.parts.len();
        out.dependencies.extend(equality(arg, term).map(|premise| Dependency { premise, start, end }));
    }
    out
}

/// N-Form: merges classes with equal normal forms.
pub(super) fn equal_normal_forms(c: &mut Calculus<'_>, round: &Round) -> bool {
    let mut seen: FxHashMap<Vec<Piece>, Node> = FxHashMap::default();
    let mut merged = false;
    for &root in &round.roots {
        let Some(n) = round.normal.get(&root) else { continue };
        let key = pieces(c, n);
        match seen.get(&key) {
            None => {
                seen.insert(key, root);
            }
            Some(other) => {
                let m = &round.normal[other];
                let premises: Vec<Premise> = n.premises().chain(m.premises()).collect();
                merged |= c.fact(Rule::NormalEqual, n.term, m.term, &premises);
            }
        }
    }
    merged
}
