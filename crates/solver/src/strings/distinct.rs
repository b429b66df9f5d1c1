//! `distinct` of many terms: one atom, expanded only where needed.
//!
//! The rewriter expands a `distinct` of few terms into disequalities of all pairs; for 2,000 terms these would be two
//! million atoms. A larger one is an atom that the e-graph does not see (it would be a node with as many arguments):
//!
//! - true, and two arguments are in one class: a conflict;
//! - true, and two arguments have one value in a candidate model: their disequality is sent as a lemma;
//! - false, and no two arguments are in one class: the equality of two of them is decided. If all are false, so is the
//!   clause of all pairs, which is sent then.
//!
//! Example: with `(distinct x y …)` and `x = ""`, `y = ""`, the conflict has these three premises.

use super::words::Words;
use crate::builder::Builder;
use crate::calculus::{Calculus, Step, Stop, stop_if};
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use rustc_hash::FxHashMap;
use sat::Lit;
use smt::work::spend;
use smt::{Head, Op, Sort, Term};

/// Lemmas from one candidate model, at most.
const MAX_LEMMAS: usize = 5_000;

/// Whether an atom is a `distinct`.
pub(crate) fn is_distinct(c: &Calculus<'_>, t: Term) -> bool {
    c.head(t) == Head::Op(Op::Distinct)
}

/// Compares the classes of the arguments of all `distinct` atoms.
pub(crate) fn check(c: &mut Calculus<'_>) -> Step {
    for (l, t) in atoms(c) {
        let pair = same_class(c, t);
        match (l.is_positive(), pair) {
            (true, Some((a, b))) => {
                return Err(c.conflict(Rule::Distinct, &[Premise::Lit(l), Premise::Eq(a, b)]));
            }
            (false, None) => equate(c, l, t)?,
            (true, None) | (false, Some(_)) => {}
        }
    }
    Ok(())
}

/// Sends disequalities of arguments that have one value in a candidate model.
pub(super) fn separate(c: &mut Calculus<'_>, words: &Words) -> Step {
    let mut sent = 0;
    for (l, t) in atoms(c) {
        if !l.is_positive() {
            continue;
        }
        let mut last: FxHashMap<Term, Term> = FxHashMap::default();
        for a in c.terms.pool.args(t).to_vec() {
            let n = c.node(a);
            let Some(value) = words.value_term(c, n) else { continue };
            if let Some(b) = last.insert(value, a)
                && sent < MAX_LEMMAS
            {
                sent += usize::from(disequal(c, l, b, a));
            }
        }
    }
    stop_if(sent > 0)
}

/// The `distinct` atoms that have a value.
fn atoms(c: &Calculus<'_>) -> Vec<(Lit, Term)> {
    let atom = |&l: &Lit| Some((l, c.inferences.atom(l.var())?));
    c.state.asserted.iter().filter_map(atom).filter(|&(_, t)| is_distinct(c, t)).collect()
}

/// Two arguments in one class.
fn same_class(c: &mut Calculus<'_>, t: Term) -> Option<(Node, Node)> {
    let mut seen: FxHashMap<Node, Node> = FxHashMap::default();
    for a in c.terms.pool.args(t).to_vec() {
        spend(1);
        let n = c.node(a);
        if let Some(m) = seen.insert(c.state.egraph.root(n), n) {
            return Some((m, n));
        }
    }
    None
}

/// `(distinct … a … b …) => a != b`; of integers, one is greater, the later one first.
fn disequal(c: &mut Calculus<'_>, l: Lit, a: Term, b: Term) -> bool {
    let premise = [Premise::Lit(l)];
    if c.sort(a) != Sort::INT {
        let same = c.eq(a, b);
        let differ = c.not(same);
        return c.lemma(Rule::Distinct, &premise, &[differ]);
    }
    let (above, below) = (c.greater(b, a), c.greater(a, b));
    let sent = c.lemma(Rule::Distinct, &premise, &[above, below]);
    c.set_phase(above, true);
    c.set_phase(below, false);
    sent
}

/// Decides the equality of two arguments of a `distinct` that is false.
fn equate(c: &mut Calculus<'_>, l: Lit, t: Term) -> Step {
    let args = c.terms.pool.args(t).to_vec();
    for (i, &a) in args.iter().enumerate() {
        for &b in &args[i + 1..] {
            spend(1);
            let (n, m) = (c.node(a), c.node(b));
            if c.state.egraph.disequal(n, m).is_some() {
                continue;
            }
            let atom = c.eq(a, b);
            if c.split(Rule::Distinct, &[Premise::Lit(l)], atom, true) {
                return Err(Stop);
            }
        }
    }
    let pairs = args.iter().enumerate().flat_map(|(i, &a)| args[i + 1..].iter().map(move |&b| (a, b)));
    let equal: Vec<Term> = pairs.map(|(a, b)| c.eq(a, b)).collect();
    stop_if(c.lemma(Rule::Distinct, &[Premise::Lit(l)], &equal))
}
