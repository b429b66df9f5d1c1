//! Context-dependent simplification (section 3.2 of the paper): Ext-Simplify, Ext-Simplify-Pred, Ext-Eq.
//!
//! Each argument of an extended term is replaced by the constant of its class or, after normal forms, by the
//! concatenation of its components. If the result rewrites to a basic term, the term is equal to that. With
//! `x = (str.++ "ab" y)`, `(str.at x 0)` is `(str.at (str.++ "ab" y) 0)`, which rewrites to `"a"`. Only replacements
//! that were needed are cited: each is dropped if the rewriting has the same result without it.

use super::round::Round;
use super::unfold::is_call;
use crate::build::is_value;
use crate::builder::Builder;
use crate::calculus::{Calculus, Stop, equality};
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use rustc_hash::FxHashMap;
use smt::{Head, Op, Sort, Term};

/// An argument and its replacement.
#[derive(Clone, Debug)]
struct Replacement {
    original: Term,
    term: Term,
    premises: Vec<Premise>,
}

/// Simplified terms with the first node that became them, and the premises.
type Seen = FxHashMap<Term, (Node, Vec<Premise>)>;

/// Simplifies every extended term in the current context. True if equalities were derived.
pub(super) fn simplify(c: &mut Calculus<'_>, round: &Round) -> Result<bool, Stop> {
    let mut facts = false;
    let mut seen = Seen::default();
    for &n in &round.extended {
        c.inferences.tick(2);
        if is_call(c.terms.pool, c.term(n)) {
            continue;
        }
        facts |= simplify_term(c, round, n, &mut seen)?;
    }
    Ok(facts)
}

fn simplify_term(c: &mut Calculus<'_>, round: &Round, n: Node, seen: &mut Seen) -> Result<bool, Stop> {
    let arguments = replacements(c, round, n);
    if arguments.iter().all(|r| r.original == r.term) {
        let plain = c.rewrite(c.term(n));
        seen.entry(plain).or_insert((n, Vec::new()));
        return Ok(false);
    }
    let result = rewritten(c, n, &arguments);
    if is_basic(c, result)
        && let Some(target) = target(c, n, result)
    {
        if c.state.egraph.same(n, target) {
            return Ok(false);
        }
        let premises = needed(c, n, &arguments, result);
        return Ok(c.fact(Rule::ExtSimplify, n, target, &premises));
    }
    if refute(c, n, &arguments, result)? {
        return Ok(true);
    }
    let premises = all_premises(&arguments);
    match seen.get(&result) {
        None => {
            seen.insert(result, (n, premises));
            Ok(false)
        }
        Some((other, reasons)) => {
            let reasons: Vec<Premise> = reasons.iter().copied().chain(premises).collect();
            Ok(c.fact(Rule::ExtEq, n, *other, &reasons))
        }
    }
}

fn all_premises(arguments: &[Replacement]) -> Vec<Premise> {
    arguments.iter().flat_map(|r| r.premises.iter().copied()).collect()
}

fn replacements(c: &mut Calculus<'_>, round: &Round, n: Node) -> Vec<Replacement> {
    let args = c.state.egraph.args(n).to_vec();
    args.into_iter().map(|a| replacement(c, round, a)).collect()
}

fn replacement(c: &mut Calculus<'_>, round: &Round, a: Node) -> Replacement {
    let original = c.term(a);
    if let Some(v) = c.state.egraph.value(a) {
        return Replacement { original, term: c.term(v), premises: equality(a, v).into_iter().collect() };
    }
    let root = c.state.egraph.root(a);
    if let Some(n) = round.normal.get(&root) {
        let parts: Vec<Term> = n.parts.iter().map(|&p| c.term(p)).collect();
        let term = c.concat(&parts);
        return Replacement { original, term, premises: n.premises().chain(equality(a, n.term)).collect() };
    }
    Replacement { original, term: original, premises: Vec::new() }
}

fn rewritten(c: &mut Calculus<'_>, n: Node, arguments: &[Replacement]) -> Term {
    let t = c.term(n);
    let args: Vec<Term> = arguments.iter().map(|r| r.term).collect();
    let (head, sort) = (c.head(t), c.sort(t));
    let applied = c.terms.pool.mk(head, sort, &args);
    c.rewrite(applied)
}

/// A constant, or a concatenation of constants and terms that are not extended.
fn is_basic(c: &Calculus<'_>, t: Term) -> bool {
    let leaf = |t: Term| c.terms.pool.args(t).is_empty() || matches!(c.head(t), Head::Fun(_));
    match c.head(t) {
        Head::Op(Op::StrConcat) => c.terms.pool.args(t).iter().all(|&a| leaf(a)),
        Head::Op(Op::True | Op::False) => true,
        _ => leaf(t),
    }
}

fn target(c: &mut Calculus<'_>, n: Node, result: Term) -> Option<Node> {
    if c.sort(result) == Sort::BOOL && !is_value(c.terms.pool, result) {
        return None;
    }
    if c.term(n) == result {
        return None;
    }
    Some(c.derived_node(result))
}

/// The premises of the replacements without which the rewriting has another result.
fn needed(c: &mut Calculus<'_>, n: Node, arguments: &[Replacement], result: Term) -> Vec<Premise> {
    let mut kept: Vec<Replacement> = arguments.to_vec();
    for k in 0..kept.len() {
        if kept[k].original == kept[k].term {
            continue;
        }
        let replaced = kept[k].clone();
        kept[k].term = replaced.original;
        if rewritten(c, n, &kept) == result {
            kept[k].premises.clear();
        } else {
            kept[k] = replaced;
        }
    }
    all_premises(&kept)
}

/// Ext-Simplify-Pred, only if it ends here: the class of the term has a value that the simplified term cannot have, or
/// only if equalities between basic terms hold.
fn refute(c: &mut Calculus<'_>, n: Node, arguments: &[Replacement], result: Term) -> Result<bool, Stop> {
    let Some(value) = c.state.egraph.value(n) else { return Ok(false) };
    let v = c.term(value);
    let equation = c.terms.rewrite_eq(result, v);
    let mut premises = all_premises(arguments);
    premises.extend(equality(n, value));
    if equation == c.term(c.state.falsity) {
        return Err(c.conflict(Rule::ExtPred, &premises));
    }
    let mut facts = false;
    for part in conjuncts(c, equation) {
        if let (Head::Op(Op::Eq), &[a, b]) = (c.head(part), c.terms.pool.args(part))
            && c.sort(a) == Sort::STRING
            && is_basic(c, a)
            && is_basic(c, b)
        {
            let (a, b) = (c.derived_node(a), c.derived_node(b));
            facts |= c.fact(Rule::ExtPred, a, b, &premises);
        }
    }
    Ok(facts)
}

fn conjuncts(c: &Calculus<'_>, t: Term) -> Vec<Term> {
    match c.head(t) {
        Head::Op(Op::And) => c.terms.pool.args(t).to_vec(),
        _ => vec![t],
    }
}
