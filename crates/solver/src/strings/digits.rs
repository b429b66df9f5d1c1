//! Values of several numerals in languages, coupled by linear constraints.
//!
//! Collects the classes that are arguments of `str.to_int` and are in languages, and the linear constraints in force that are only about
//! their values or only about their lengths. [`crate::digits`] reads all numerals at once, digit by digit: if there are none, the constraints and
//! memberships are in conflict; otherwise the strings that it finds are decided, one after the other.
//!
//! Example: `x ∈ 1*`, `y ∈ 2*1`, `2·(str.to_int x) = (str.to_int y) + 1` and `|x| + |y| > 20`.
//!
//! Only the refutation is a claim. A system is searched once; other constraints may refute a limited number of solutions.

use super::membership::{Memberships, store};
use super::round::Round;
use crate::builder::Builder;
use crate::calculus::{Calculus, Step, equality, stop_if};
use crate::digits::{self, Known, Outcome, Row, System};
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use crate::rewrite::Mode;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::regex::Re;
use smt::{Head, Int, Op, Sort, Term};
use std::cell::Cell;
use std::rc::Rc;

/// Numerals of a system, at most.
const MAX_NUMERALS: usize = 6;
/// The longest numeral whose length is compared with its value.
const MAX_DIGITS: u32 = 24;
/// Rows of a system, at most.
const MAX_ROWS: usize = 12;
/// Solutions that are decided for one system, at most.
const MAX_SUGGESTED: u32 = 20;
/// Systems that are kept, and systems that are searched in a check, at most.
const MAX_SYSTEMS: usize = 200;

/// A constraint over classes.
struct Constraint {
    terms: Vec<(Node, i64)>,
    constant: Int,
    equal: bool,
    lengths: bool,
    premises: Vec<Premise>,
}

/// Refutes numerals, or decides which they are.
pub(super) fn decide(c: &mut Calculus<'_>, round: &Round, all: &Memberships) -> Step {
    let is_value = |c: &Calculus<'_>, n: Node| matches!(c.head(c.term(n)), Head::Op(Op::StrToInt));
    let applications: Vec<Node> = round.extended.iter().copied().filter(|&n| is_value(c, n)).collect();
    let mut short = false;
    for &n in &applications {
        short |= longer(c, n);
    }
    stop_if(short)?;
    let mut numerals: FxHashMap<Node, Node> = FxHashMap::default();
    for n in applications {
        let s = c.state.egraph.args(n)[0];
        if c.state.egraph.value(s).is_none() {
            numerals.entry(c.state.egraph.root(s)).or_insert(n);
        }
    }
    if !numerals.keys().any(|&root| all.of(root).is_some()) {
        return Ok(());
    }
    let constraints = constraints(c, &numerals);
    for group in groups(&constraints) {
        decide_group(c, &numerals, &group, all)?;
    }
    Ok(())
}

/// A numeral that is too short for its value in the arithmetic model: `(str.to_int s) >= 100` needs three digits. True if that is new.
fn longer(c: &mut Calculus<'_>, n: Node) -> bool {
    let s = c.state.egraph.args(n)[0];
    let digits = c.model_length_of(s);
    let t = c.term(n);
    let Some(power) = u32::try_from(digits).ok().filter(|&d| d <= MAX_DIGITS).map(|d| Int::from(10).pow(d))
    else {
        return false;
    };
    if c.model_value(t).floor() < power {
        return false;
    }
    let (s, least, more) = (c.term(s), c.terms.pool.int(power), c.int(digits as i64 + 1));
    let len = c.len(s);
    let (large, long) = (c.ge(t, least), c.ge(len, more));
    let small = c.not(large);
    let formula = c.or(&[small, long]);
    c.valid(Rule::Digits, formula)
}

/// Constraints that share numerals, with values among them.
fn groups(constraints: &[Constraint]) -> Vec<Vec<&Constraint>> {
    let mut groups: Vec<(Vec<&Constraint>, FxHashSet<Node>)> = Vec::new();
    for constraint in constraints {
        let mut all: FxHashSet<Node> = constraint.terms.iter().map(|&(x, _)| x).collect();
        let (same, other): (Vec<_>, Vec<_>) = groups.into_iter().partition(|(_, xs)| !xs.is_disjoint(&all));
        groups = other;
        let mut list = Vec::new();
        for (constraints, xs) in same {
            list.extend(constraints);
            all.extend(xs);
        }
        list.push(constraint);
        groups.push((list, all));
    }
    let fits = |(list, xs): &(Vec<&Constraint>, FxHashSet<Node>)| {
        xs.len() <= MAX_NUMERALS && list.len() <= MAX_ROWS && list.iter().any(|r| !r.lengths)
    };
    groups.into_iter().filter(fits).map(|(list, _)| list).collect()
}

fn decide_group(
    c: &mut Calculus<'_>,
    numerals: &FxHashMap<Node, Node>,
    group: &[&Constraint],
    all: &Memberships,
) -> Step {
    let mut classes: Vec<Node> = group.iter().flat_map(|r| r.terms.iter().map(|&(x, _)| x)).collect();
    classes.sort_unstable();
    classes.dedup();
    if !classes.iter().any(|&root| all.of(root).is_some()) {
        return Ok(());
    }
    let mut premises: Vec<Premise> = group.iter().flat_map(|r| r.premises.iter().copied()).collect();
    let mut languages = Vec::new();
    for &root in &classes {
        let Some((language, reasons)) = language(c, numerals[&root], root, all) else { return Ok(()) };
        languages.push(language);
        premises.extend(reasons);
    }
    let place = |x: Node| classes.binary_search(&x).expect("one of the classes");
    let row = |r: &&Constraint| Row {
        terms: r.terms.iter().map(|&(x, k)| (place(x), k)).collect(),
        constant: r.constant.clone(),
        equal: r.equal,
        lengths: r.lengths,
    };
    let mut rows: Vec<Row> = group.iter().map(row).collect();
    rows.sort_unstable_by(|a, b| (&a.terms, a.lengths, a.equal).cmp(&(&b.terms, b.lengths, b.equal)));
    rows.dedup();
    let Some(known) = search(c, System { languages, rows }) else { return Ok(()) };
    match &known.outcome {
        Outcome::Impossible => Err(c.conflict(Rule::Digits, &premises)),
        Outcome::Words(words) if known.suggested.get() < MAX_SUGGESTED => {
            for (&x, word) in classes.iter().zip(words) {
                let t = c.term(x);
                let value = c.terms.pool.string(word);
                let sent = c.in_mode(Mode::WithoutEntailment, |c| {
                    let atom = c.eq(t, value);
                    c.split(Rule::Digits, &[], atom, true)
                });
                if sent {
                    known.suggested.set(known.suggested.get() + 1);
                }
                stop_if(sent)?;
            }
            Ok(())
        }
        Outcome::Words(_) | Outcome::Open => Ok(()),
    }
}

/// What a search finds, or has found.
fn search(c: &mut Calculus<'_>, system: System) -> Option<Rc<Known>> {
    if let Some(known) = c.state.searched.get(&system) {
        return Some(Rc::clone(known));
    }
    if c.state.searched.len() >= MAX_SYSTEMS {
        return None;
    }
    let (outcome, states) = system.solve(store(c));
    c.inferences.tick(states as u64);
    let known = Rc::new(Known { outcome, suggested: Cell::new(0) });
    c.state.searched.insert(system, Rc::clone(&known));
    Some(known)
}

/// The language of a numeral, and the premises by which it is one; none if it may be another string.
fn language(
    c: &mut Calculus<'_>,
    application: Node,
    root: Node,
    all: &Memberships,
) -> Option<(Re, Vec<Premise>)> {
    let value = c.term(application);
    let sum = c.sum(value);
    let mut premises = c.entails_nonneg(&sum)?;
    premises.extend(equality(c.state.egraph.args(application)[0], root));
    let digit = store(c).range(&[u32::from('0')], &[u32::from('9')]);
    let mut languages = vec![store(c).plus(digit)];
    for m in all.any(root) {
        languages.push(m.language);
        premises.extend(m.premises.iter().copied());
    }
    Some((store(c).inter(&languages), premises))
}

/// The linear constraints in force that are about values of numerals only, or about their lengths only.
fn constraints(c: &mut Calculus<'_>, numerals: &FxHashMap<Node, Node>) -> Vec<Constraint> {
    let mut out: Vec<Constraint> = Vec::new();
    for k in 0..c.state.asserted.len() {
        let l = c.state.asserted[k];
        let Some(atom) = c.inferences.atom(l.var()) else { continue };
        let (Head::Op(op @ (Op::Ge | Op::Eq)), &[a, b]) = (c.head(atom), c.terms.pool.args(atom)) else {
            continue;
        };
        if c.sort(a) != Sort::INT || op == Op::Eq && !l.is_positive() {
            continue;
        }
        let Some(mut constraint) = constraint(c, numerals, a, b) else { continue };
        constraint.premises.push(Premise::Lit(l));
        constraint.equal = op == Op::Eq;
        if !l.is_positive() {
            // a < b: b - a - 1 >= 0
            constraint.terms.iter_mut().for_each(|(_, k)| *k = -*k);
            constraint.constant = &-&constraint.constant - &Int::ONE;
        }
        let row = Row {
            terms: constraint.terms.iter().map(|&(_, k)| (0, k)).collect(),
            constant: constraint.constant.clone(),
            equal: constraint.equal,
            lengths: constraint.lengths,
        };
        if digits::fits(&row) {
            out.push(constraint);
        }
    }
    out
}

/// `a - b` over values or lengths of numerals; none if it has other terms without value.
fn constraint(
    c: &mut Calculus<'_>,
    numerals: &FxHashMap<Node, Node>,
    a: Term,
    b: Term,
) -> Option<Constraint> {
    let sum = c.difference(a, b);
    let mut terms: Vec<(Node, i64)> = Vec::new();
    let (mut constant, mut premises) = (sum.constant.clone(), Vec::new());
    let mut kind: Option<bool> = None;
    for (k, v) in &sum.terms {
        let t = c.state.arith.term(*v);
        let node = c.node(t);
        if let Some(value) = c.state.egraph.value(node) {
            let n = crate::build::int(c.terms.pool, c.term(value))?.clone();
            constant = &constant + &(k * &n);
            premises.extend(equality(node, value));
            continue;
        }
        let lengths = match c.head(t) {
            Head::Op(Op::StrToInt) => false,
            Head::Op(Op::StrLen) => true,
            _ => return None,
        };
        if *kind.get_or_insert(lengths) != lengths {
            return None;
        }
        let s = c.node(c.terms.pool.args(t)[0]);
        let root = c.state.egraph.root(s);
        if !numerals.contains_key(&root) {
            return None;
        }
        premises.extend(equality(s, root));
        let k = k.to_i64()?;
        match terms.iter_mut().find(|(x, _)| *x == root) {
            Some((_, sum)) => *sum = sum.checked_add(k)?,
            None => terms.push((root, k)),
        }
    }
    terms.retain(|&(_, k)| k != 0);
    terms.sort_unstable();
    let lengths = kind?;
    (!terms.is_empty()).then_some(Constraint { terms, constant, equal: false, lengths, premises })
}
