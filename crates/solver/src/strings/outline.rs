//! The first and the last word of an expression with variables, and the least length.
//!
//! A string in `v+ … w` starts with `v`, ends with `w`, and has at least their lengths. A string in `v*` is empty, or starts and ends with `v`, which is not
//! empty then. Example: `x "b" ∈ v*` with `x ∈ a*` and `|v| = |x|` has no solution, since `v` would end in `b` and be a prefix of `x`.

use crate::builder::Builder;
use crate::calculus::{Calculus, equality};
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Head, Op, PostOrder, Sort, Term};

/// What all strings of an expression have in common.
#[derive(Clone, Copy, Default)]
struct Outline {
    first: Option<Term>,
    last: Option<Term>,
    /// The least length, as a term.
    least: Option<Term>,
}

/// Sends what a membership that holds says. True if that is new.
pub(super) fn outline(c: &mut Calculus<'_>, n: Node, [s, r]: [Term; 2]) -> bool {
    let Some(truth) = c.state.egraph.value(n).filter(|&v| v == c.state.truth) else { return false };
    let (inner, optional) = match (c.head(r), c.terms.pool.args(r)) {
        (Head::Op(Op::ReStar | Op::ReOpt), &[inner]) => (inner, true),
        _ => (r, false),
    };
    let all = outlines(c, inner);
    let empty = c.empty();
    let nothing = c.eq(s, empty);
    let premises: Vec<Premise> = equality(n, truth).into_iter().collect();
    let mut sent = false;
    for fact in facts(c, s, inner, all, optional) {
        let conclusion = if optional { vec![nothing, fact] } else { vec![fact] };
        sent |= fact != c.term(c.state.truth) && c.lemma(Rule::Pattern, &premises, &conclusion);
    }
    sent
}

/// What holds of `s` if it is in the expression, and not empty if that is optional.
fn facts(c: &mut Calculus<'_>, s: Term, inner: Term, all: Outline, optional: bool) -> Vec<Term> {
    let mut out = Vec::new();
    if let Some(v) = all.first {
        out.push(c.mk(Op::StrPrefixof, &[v, s]));
    }
    if let Some(v) = all.last {
        out.push(c.mk(Op::StrSuffixof, &[v, s]));
    }
    if let Some(least) = all.least {
        let len = c.len(s);
        out.push(c.ge(len, least));
    }
    if let (Head::Op(Op::StrToRe), &[v], true) = (c.head(inner), c.terms.pool.args(inner), optional) {
        let empty = c.empty();
        let none = c.eq(v, empty);
        out.push(c.not(none));
    }
    out
}

fn outlines(c: &mut Calculus<'_>, r: Term) -> Outline {
    let mut done: FxHashMap<Term, Outline> = FxHashMap::default();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut order = Vec::new();
    let pool = &*c.terms.pool;
    let below = |t: Term| if pool.sort_of(t) == Sort::REGLAN { pool.args(t) } else { &[] };
    let mut walk = PostOrder::new([r]);
    while let Some(t) = walk.next(|t| seen.insert(t).then(|| below(t).iter().rev().copied())) {
        order.push(t);
    }
    for t in order {
        let one = one(c, t, &done);
        done.insert(t, one);
    }
    done[&r]
}

/// The outline of an expression, from those of its arguments.
fn one(c: &mut Calculus<'_>, t: Term, done: &FxHashMap<Term, Outline>) -> Outline {
    let args = c.terms.pool.args(t).to_vec();
    match c.head(t) {
        Head::Op(Op::StrToRe) => {
            let length = c.len(args[0]);
            Outline { first: Some(args[0]), last: Some(args[0]), least: Some(c.rewrite(length)) }
        }
        Head::Op(Op::RePlus) => done[&args[0]],
        Head::Op(Op::ReConcat) => concatenation(c, &args, done),
        _ => Outline::default(),
    }
}

/// The outline of a concatenation; `r r*` has those of `r` at both ends.
fn concatenation(c: &mut Calculus<'_>, args: &[Term], done: &FxHashMap<Term, Outline>) -> Outline {
    let pool = &*c.terms.pool;
    let is_star = |s: Term, r: Term| pool.head(s) == Head::Op(Op::ReStar) && pool.args(s) == [r];
    let (first, last) = match args {
        [s, r, ..] if is_star(*s, *r) => (*r, args[args.len() - 1]),
        [.., r, s] if is_star(*s, *r) => (args[0], *r),
        _ => (args[0], args[args.len() - 1]),
    };
    let mut least = c.int(0);
    for length in args.iter().filter_map(|a| done[a].least) {
        least = c.plus(least, length);
    }
    Outline { first: done[&first].first, last: done[&last].last, least: Some(least) }
}
