//! Equations in which variables occur again, solved by themselves ([`crate::weq`]).
//!
//! Splitting such equations may not end. So those that are open in a round are collected, with classes as variables, and
//! analysed as a system: if it has no solution, its forms are in conflict. Otherwise lengths of a solution that fit the
//! linear constraints are decided, one variable after the other; with fixed lengths, all other inferences end.
//!
//! Example: `x "ab" y = y "ba" x` and `|x| > 1000`. The graph of the equation has the loop `x := y "b" x`, …; a number of
//! rounds is computed for which `x` is long enough, and `|x| = 1001` is decided first.
//!
//! A system is analysed once. Only the refutation is a claim; lengths are decisions.

use super::form::{Form, compared};
use super::round::Round;
use crate::builder::Builder;
use crate::calculus::{Calculus, Step, stop_if};
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use crate::rewrite::Mode;
use crate::weq::{Analysis, Row, Symbol, System};
use rustc_hash::FxHashMap;
use smt::{Head, Int, Op, Sort, Term};
use std::rc::Rc;

/// Symbols of a system, at most.
const MAX_SYMBOLS: usize = 2_000;
/// Lengths that are decided, at most.
const MAX_LENGTH: u64 = 1 << 20;

/// Lengths that are decided for one system, at most.
const MAX_SUGGESTED: u32 = 60;
/// Analyses that are kept, at most.
const MAX_ANALYSES: usize = 1_000;

/// Two forms of one class.
type Pair = (Rc<Form>, Rc<Form>);

/// Equations that share variables.
struct Component {
    pairs: Vec<Pair>,
    system: System,
    /// The classes of its variables.
    classes: Vec<Node>,
}

/// Refutes the open equations.
pub(super) fn refute(c: &mut Calculus<'_>, round: &Round) -> Step {
    for component in components(c, round) {
        if analysis(c, &component.system).unsolvable {
            let premises: Vec<Premise> = component.pairs.iter().flat_map(|(a, b)| compared(a, b)).collect();
            return Err(c.conflict(Rule::Nielsen, &premises));
        }
    }
    Ok(())
}

/// Decides lengths of a solution of the open equations, for each system a limited number of times: other constraints may
/// refute one solution after the other.
pub(super) fn suggest(c: &mut Calculus<'_>, round: &Round) -> Step {
    for component in components(c, round) {
        let analysis = analysis(c, &component.system);
        if analysis.suggested.get() >= MAX_SUGGESTED {
            continue;
        }
        let rows = rows(c, round, &component.classes);
        if let Some(lengths) = analysis.lengths(&rows) {
            let step = decide(c, &component.classes, &lengths);
            analysis.suggested.set(analysis.suggested.get() + u32::from(step.is_err()));
            step?;
        }
    }
    Ok(())
}

fn analysis(c: &mut Calculus<'_>, system: &System) -> Rc<Analysis> {
    if let Some(known) = c.state.analyses.get(system) {
        return Rc::clone(known);
    }
    let analysis = Rc::new(system.analyse());
    if c.state.analyses.len() >= MAX_ANALYSES {
        c.state.analyses.clear();
    }
    c.state.analyses.insert(system.clone(), Rc::clone(&analysis));
    analysis
}

/// Decides the lengths of classes. Stops if one is undecided.
fn decide(c: &mut Calculus<'_>, classes: &[Node], lengths: &[u64]) -> Step {
    for (&x, &n) in classes.iter().zip(lengths) {
        let Some(n) = i64::try_from(n).ok().filter(|_| n <= MAX_LENGTH) else { return Ok(()) };
        let t = c.term(x);
        let sent = c.in_mode(Mode::WithoutEntailment, |c| {
            let (len, n) = (c.len(t), c.int(n));
            let atom = c.eq(len, n);
            c.split(Rule::Nielsen, &[], atom, true)
        });
        stop_if(sent)?;
    }
    Ok(())
}

/// The open equations of a round, by shared variables.
fn components(c: &Calculus<'_>, round: &Round) -> Vec<Component> {
    let mut groups: Vec<(Vec<Pair>, Vec<Node>)> = Vec::new();
    for pair in &round.differing {
        let mut variables: Vec<Node> = Vec::new();
        for &p in pair.0.parts.iter().chain(&pair.1.parts) {
            if c.word_of(p).is_none() && !variables.contains(&p) {
                variables.push(p);
            }
        }
        let mut pairs = Vec::new();
        let (same, other): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|(_, vs)| vs.iter().any(|v| variables.contains(v)));
        groups = other;
        let mut all: Vec<Node> = Vec::new();
        for (p, vs) in same {
            pairs.extend(p);
            all.extend(vs);
        }
        all.extend(variables.iter().filter(|v| !all.contains(v)).copied().collect::<Vec<_>>());
        pairs.push(pair.clone());
        groups.push((pairs, all));
    }
    let fits = |(pairs, classes): (Vec<Pair>, Vec<Node>)| component(c, pairs, classes);
    groups.into_iter().filter_map(fits).collect()
}

fn component(c: &Calculus<'_>, pairs: Vec<Pair>, classes: Vec<Node>) -> Option<Component> {
    let numbers: FxHashMap<Node, u32> = classes.iter().copied().zip(0..).collect();
    let side = |form: &Form| {
        let mut out: Vec<Symbol> = Vec::new();
        for &p in &form.parts {
            match c.word_of(p) {
                Some(w) => out.extend(w.iter().map(|&a| Symbol::Letter(a))),
                None => out.push(Symbol::Variable(numbers[&p])),
            }
        }
        out
    };
    let equations: Vec<_> = pairs.iter().map(|(a, b)| (side(a), side(b))).collect();
    let size: usize = equations.iter().map(|(l, r)| l.len() + r.len()).sum();
    let variables = u32::try_from(classes.len()).ok()?;
    let system = System { equations, variables };
    (size <= MAX_SYMBOLS).then_some(Component { pairs, system, classes })
}

/// The linear constraints in force that are about lengths of these classes only.
fn rows(c: &mut Calculus<'_>, round: &Round, classes: &[Node]) -> Vec<Row> {
    let numbers: FxHashMap<Node, u32> = classes.iter().copied().zip(0..).collect();
    let mut out = Vec::new();
    for k in 0..c.state.asserted.len() {
        let l = c.state.asserted[k];
        let Some(atom) = c.inferences.atom(l.var()) else { continue };
        let (Head::Op(op @ (Op::Ge | Op::Eq)), &[a, b]) = (c.head(atom), c.terms.pool.args(atom)) else {
            continue;
        };
        if c.sort(a) != Sort::INT {
            continue;
        }
        let Some((terms, constant)) = over_lengths(c, round, &numbers, a, b) else { continue };
        let negated = |constant: Int| Row { terms: terms.iter().map(|(x, n)| (*x, -n)).collect(), constant };
        match (op, l.is_positive()) {
            // a < b: b - a - 1 >= 0
            (Op::Ge, false) => out.push(negated(&-&constant - &Int::ONE)),
            (Op::Eq, false) => continue,
            (Op::Eq, true) => out.push(negated(-&constant)),
            _ => {}
        }
        if l.is_positive() {
            out.push(Row { terms, constant });
        }
    }
    out
}

/// `a - b` as a sum over the lengths of classes; none if it has other terms.
fn over_lengths(
    c: &mut Calculus<'_>,
    round: &Round,
    numbers: &FxHashMap<Node, u32>,
    a: Term,
    b: Term,
) -> Option<(Vec<(u32, Int)>, Int)> {
    let sum = c.difference(a, b);
    let mut counts: FxHashMap<u32, Int> = FxHashMap::default();
    let mut constant = sum.constant.clone();
    for (k, v) in &sum.terms {
        let t = c.state.arith.term(*v);
        let (Head::Op(Op::StrLen), &[s]) = (c.head(t), c.terms.pool.args(t)) else { return None };
        let node = c.node(s);
        let form = round.normal.get(&c.state.egraph.root(node))?;
        for &p in &form.parts {
            match c.word_of(p) {
                Some(w) => constant = &constant + &(k * &Int::from(w.len() as i64)),
                None => {
                    let entry = counts.entry(*numbers.get(&p)?).or_insert(Int::ZERO);
                    *entry = &*entry + k;
                }
            }
        }
    }
    let mut terms: Vec<(u32, Int)> = counts.into_iter().collect();
    terms.sort_unstable_by_key(|&(x, _)| x);
    Some((terms, constant))
}
