//! Two functions of one source that have the same values: their applications are equal.
//!
//! With `u = (str.to_lower x)` and `w = (str.to_lower u)`, both `u` and `w` are functions of `x`, which have the same value for every `x`: `u = w`. The
//! comparison reads both transducers side by side (`automata::compare`); it is made once for each pair of functions.

use super::functions::{Composition, Functions};
use super::round::Round;
use crate::calculus::{Calculus, equality};
use crate::egraph::Node;
use crate::engines::Engine;
use crate::infer::Rule;
use automata::Twin;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Head, Op};

/// Functions of one source that are compared, at most.
const MAX_TWINS: usize = 24;

/// Merges applications with equal values. True if there are any.
pub(super) fn merge(c: &mut Calculus<'_>, round: &Round) -> bool {
    if !c.has(Engine::Twin) {
        return false;
    }
    let functions = &Functions::new(c, round);
    let mut by_source: FxHashMap<Node, Vec<Composition>> = FxHashMap::default();
    let mut order = Vec::new();
    let inner = inner_applications(c, round, functions);
    for d in functions.all.iter().filter(|d| !inner.contains(&d.node)) {
        let Some(composition) = functions.composition(c, d) else { continue };
        let list = by_source.entry(composition.source).or_default();
        if list.is_empty() {
            order.push(composition.source);
        }
        if list.len() < MAX_TWINS {
            list.push(composition);
        }
    }
    let mut merged = false;
    for source in order {
        let (machines, _) = c.languages.machines();
        let itself =
            Composition { node: source, source, function: machines.identity(), premises: Vec::new() };
        let mut list = vec![itself];
        list.extend(by_source.remove(&source).into_iter().flatten());
        for (k, a) in list.iter().enumerate() {
            for b in &list[..k] {
                merged |= merge_pair(c, a, b);
            }
        }
    }
    merged
}

fn merge_pair(c: &mut Calculus<'_>, a: &Composition, b: &Composition) -> bool {
    if c.state.egraph.same(a.node, b.node) {
        return false;
    }
    c.inferences.tick(1);
    let (machines, _) = c.languages.machines();
    if machines.compare(a.function, b.function) != Some(&Twin::Equal) {
        return false;
    }
    let mut premises = a.premises.clone();
    premises.extend(&b.premises);
    premises.extend(equality(a.source, b.source));
    c.fact(Rule::Twin, a.node, b.node, &premises)
}

/// Applications that only other functions of this kind use: nested ones.
fn inner_applications(c: &Calculus<'_>, round: &Round, functions: &Functions) -> FxHashSet<Node> {
    let outer: FxHashSet<Node> = functions.all.iter().map(|d| d.node).collect();
    let mut inner: FxHashSet<Node> = FxHashSet::default();
    for d in &functions.all {
        let argument = c.state.egraph.args(d.node)[0];
        if outer.contains(&argument) && c.state.egraph.members(argument).count() == 1 {
            inner.insert(argument);
        }
    }
    let others = round.extended.iter().chain(round.concats.values().flatten());
    for &n in others.filter(|n| !outer.contains(n)) {
        if c.head(c.term(n)) != Head::Op(Op::StrLen) {
            for a in c.state.egraph.args(n) {
                inner.remove(a);
            }
        }
    }
    inner
}
