//! Processing of literals, before anything is decided: cheap, and to the fixpoint.
//!
//! Equalities and predicates go to the e-graph, comparisons to arithmetic. Merged integers are equal in arithmetic
//! (A-Prop); atoms in the class of a truth value are propagated; an application to constants is evaluated: with `x` and
//! `"ab"` in one class, `(str.at x 0)` is merged with `"a"`.

use crate::arith::Arith;
use crate::build::is_value;
use crate::calculus::{Calculus, Step, Stop, equality};
use crate::egraph::{Event, Node, Premise, Reason};
use crate::infer::Rule;
use crate::lia::Tag;
use crate::strings::distinct::is_distinct;
use crate::theories::reals;
use rustc_hash::FxHashSet;
use sat::Lit;
use smt::work::spend;
use smt::{Head, Op, Sort, Term};

/// Processes assigned literals; closes under congruence, evaluation and the bounds of arithmetic.
pub(super) fn assert_literals(c: &mut Calculus<'_>, lits: &[Lit]) -> Step {
    for &l in lits {
        assert_literal(c, l)?;
    }
    close(c)?;
    propagate_bounds(c, lits);
    Ok(())
}

/// Closes under congruence, evaluation and rational arithmetic.
pub(super) fn close(c: &mut Calculus<'_>) -> Step {
    loop {
        if let Err(premises) = c.state.egraph.propagate() {
            return Err(c.conflict(Rule::Equality, &premises));
        }
        let events = c.state.take_events();
        let mut valued: FxHashSet<Node> = FxHashSet::default();
        for &event in &events {
            handle(c, event, &mut valued)?;
        }
        let done = events.is_empty();
        c.state.return_events(events);
        if done {
            break;
        }
    }
    c.inferences.tick(1);
    let result = c.state.arith.lia.check();
    arith_result(c, result)?;
    reals::close(c)
}

/// A conflict of arithmetic is sent.
pub(super) fn arith_result(c: &mut Calculus<'_>, result: Result<(), Vec<Tag>>) -> Step {
    result.map_err(|tags| arith_conflict(c, &tags))
}

/// Sends a conflict between bounds.
pub(super) fn arith_conflict(c: &mut Calculus<'_>, tags: &[Tag]) -> Stop {
    let premises = c.state.arith.premises(tags);
    c.conflict(Rule::Arith, &premises)
}

fn assert_literal(c: &mut Calculus<'_>, l: Lit) -> Step {
    let Some(t) = c.inferences.atom(l.var()) else { return Ok(()) };
    c.state.asserted.push(l);
    reals::assert_literal(c, t, l)?;
    if matches!(c.head(t), Head::Op(Op::Ge)) && c.state.arith.knows(l) {
        let result = c.state.arith.assert_atom(l);
        return arith_result(c, result);
    }
    // A `distinct` has a node only as an argument of another term.
    let n = if is_distinct(c, t) { c.state.egraph.node(t) } else { Some(c.node(t)) };
    let Some(n) = n else { return Ok(()) };
    let value = if l.is_positive() { c.state.truth } else { c.state.falsity };
    c.state.egraph.merge(n, value, Reason::Lit(l));
    if l.is_positive() && matches!(c.head(t), Head::Op(Op::Eq)) {
        assert_integer_equality(c, t, l)?;
    }
    Ok(())
}

fn assert_integer_equality(c: &mut Calculus<'_>, t: Term, l: Lit) -> Step {
    let &[a, b] = c.terms.pool.args(t) else { return Ok(()) };
    if c.sort(a) != Sort::INT {
        return Ok(());
    }
    let d = c.difference(a, b);
    let result = c.state.arith.assert_zero(&d, Arith::tag(l));
    arith_result(c, result)
}

/// Handles a change of the e-graph; `valued` has the classes whose new members have their value.
fn handle(c: &mut Calculus<'_>, event: Event, valued: &mut FxHashSet<Node>) -> Step {
    match event {
        Event::Merged { kept, gone, a, b } => match c.sort(c.term(kept)) {
            Sort::INT => {
                merged_integers(c, a, b)?;
                reals::merged(c, a, b)?;
            }
            Sort::REAL => reals::merged(c, a, b)?,
            // The first merge of a class in a row sees the members of the later ones as well.
            Sort::BOOL if !valued.contains(&kept) && merged_formulas(c, kept, gone) => {
                valued.insert(kept);
            }
            _ => {}
        },
        Event::Ready(n) => evaluate(c, n),
        Event::Unequal(n) => {
            let &[a, b] = c.state.egraph.args(n) else { return Ok(()) };
            if let Some(premises) = c.state.egraph.disequal(a, b) {
                c.fact(Rule::Equality, n, c.state.falsity, &premises);
            }
        }
    }
    Ok(())
}

/// A-Prop: integers in one class are equal in arithmetic.
fn merged_integers(c: &mut Calculus<'_>, a: Node, b: Node) -> Step {
    let (s, t) = (c.term(a), c.term(b));
    let d = c.difference(s, t);
    let result = c.state.arith.assert_merged(&d, a, b);
    arith_result(c, result)
}

/// Propagates atoms in a class with a truth value. False if the class has none.
fn merged_formulas(c: &mut Calculus<'_>, kept: Node, gone: Node) -> bool {
    let egraph = &c.state.egraph;
    let Some(value) = egraph.value(kept) else { return false };
    let positive = egraph.same(value, c.state.truth);
    // The others had the value before, unless it came with these.
    let mut members: Vec<Node> = egraph.absorbed(kept, gone).collect();
    if members.contains(&value) {
        members = egraph.members(kept).collect();
    }
    spend(members.len());
    for m in members {
        let Some(l) = c.inferences.literal_of(c.term(m)) else { continue };
        let l = if positive { l } else { !l };
        if c.inferences.value(l).is_none() {
            c.propagate(Rule::Equality, l, &[Premise::Eq(m, value)]);
        }
    }
    true
}

/// Merges an application to constants with its value.
fn evaluate(c: &mut Calculus<'_>, n: Node) {
    let mut premises = Vec::new();
    let mut values = Vec::new();
    for &a in c.state.egraph.args(n) {
        let Some(v) = c.state.egraph.value(a) else { return };
        values.push(c.term(v));
        premises.extend(equality(a, v));
    }
    let t = c.term(n);
    let (head, sort) = (c.head(t), c.sort(t));
    let ground = c.terms.pool.mk(head, sort, &values);
    let value = c.terms.rewrite(ground);
    if is_value(c.terms.pool, value) {
        let v = c.node(value);
        c.fact(Rule::Evaluate, n, v, &premises);
    }
}

/// Propagates comparisons that the bounds of their variable imply.
fn propagate_bounds(c: &mut Calculus<'_>, lits: &[Lit]) {
    let mut implied = Vec::new();
    let mut seen = FxHashSet::default();
    for v in lits.iter().filter_map(|&l| c.state.arith.bounded_variable(l)) {
        if seen.insert(v) {
            c.state.arith.implied_by_bounds(v, &mut implied);
        }
    }
    for (l, tag) in implied {
        if c.inferences.value(l).is_none() {
            let premises = c.state.arith.premises(&[tag]);
            c.propagate(Rule::Arith, l, &premises);
        }
    }
}
