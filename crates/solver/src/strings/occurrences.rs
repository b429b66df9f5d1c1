//! First occurrences, from the forms of a class.
//!
//! - If a component of `s` starts at `n` and `t` occurs after it, nothing else of `s` matters for `(str.indexof s t n)`: with
//!   the form `x u t y` of `s` and `n = |x|`, it is `|x| + (str.indexof (str.++ u t) t 0)`.
//! - If `s` has the form `x t y` and `(str.indexof s t 0)` is `|x|`, then `(str.replace s t u)` is `x u y`.
//! - `(str.to_int s)` is not negative if and only if `s` is in `[0-9]+`; stated where `s` is in other languages.
//!
//! All forms of the class of `s` are tried, also while they differ.

use super::form::Form;
use super::normal::flat_forms;
use super::round::Round;
use crate::arith;
use crate::build::is_value;
use crate::builder::Builder;
use crate::calculus::{Calculus, Stop, equality, stop_if};
use crate::egraph::{Node, Premise};
use crate::entail::words::first_found;
use crate::infer::Rule;
use smt::{Head, Op, Sort, Term};

/// Derives indices and replacements. True if equalities were derived.
pub(super) fn occurrences(c: &mut Calculus<'_>, round: &Round) -> Result<bool, Stop> {
    let (mut derived, mut sent) = (false, false);
    for &n in &round.extended {
        match c.head(c.term(n)) {
            Head::Op(Op::StrIndexof) => derived |= shift(c, round, n),
            Head::Op(Op::StrReplace) => derived |= replace_first(c, round, n),
            Head::Op(Op::StrToInt) => sent |= numeral(c, n),
            _ => {}
        }
    }
    stop_if(sent)?;
    Ok(derived)
}

fn shift(c: &mut Calculus<'_>, round: &Round, n: Node) -> bool {
    let &[s, t, start] = c.state.egraph.args(n) else { return false };
    let Some(needle) = round.normal.get(&c.state.egraph.root(t)).cloned() else { return false };
    for hay in flat_forms(c, round, c.state.egraph.root(s)) {
        let Some((cut, reasons)) = component_at(c, &hay, start) else { continue };
        let Some((value, known)) = index_from(c, round, &hay.parts[cut..], t, &needle) else { continue };
        let mut premises: Vec<Premise> = hay.premises().chain(equality(s, hay.term)).chain(reasons).collect();
        premises.extend(needle.premises().chain(equality(t, needle.term)).chain(known));
        let from = c.term(start);
        let value = c.plus(from, value);
        let value = c.derived_node(value);
        if c.fact(Rule::IndexShift, n, value, &premises) {
            return true;
        }
    }
    false
}

/// The index of `t` in a string that has it: a constant, or a term that is known already. A new term would be expanded, which
/// gives new forms, and so on.
fn index_from(
    c: &mut Calculus<'_>,
    round: &Round,
    hay: &[Node],
    t: Node,
    needle: &Form,
) -> Option<(Term, Vec<Premise>)> {
    let terms: Vec<Term> = hay.iter().map(|&p| c.term(p)).collect();
    let word: Vec<Term> = needle.parts.iter().map(|&p| c.term(p)).collect();
    let word = c.concat(&word);
    let n = first_found(c.terms.pool, &terms, word)?;
    let (front, zero) = (c.concat(&terms[..n]), c.int(0));
    let index = c.mk(Op::StrIndexof, &[front, word, zero]);
    let index = c.rewrite(index);
    if is_value(c.terms.pool, index) {
        return Some((index, Vec::new()));
    }
    let zero = c.node(zero);
    round.extended.iter().find_map(|&m| {
        let &[s, u, start] = c.state.egraph.args(m) else { return None };
        let egraph = &c.state.egraph;
        if c.head(c.term(m)) != Head::Op(Op::StrIndexof) || !egraph.same(u, t) || !egraph.same(start, zero) {
            return None;
        }
        let forms = flat_forms(c, round, egraph.root(s));
        let form = forms.iter().find(|form| form.parts == hay[..n])?;
        let pairs = [(s, form.term), (u, t), (start, zero)];
        let equal = pairs.iter().flat_map(|&(a, b)| equality(a, b));
        Some((c.term(m), form.premises().chain(equal).collect()))
    })
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

/// `(str.replace s t u)` at an occurrence that is known to be the first.
fn replace_first(c: &mut Calculus<'_>, round: &Round, n: Node) -> bool {
    let &[s, t, u] = c.state.egraph.args(n) else { return false };
    let Some(needle) = round.normal.get(&c.state.egraph.root(t)).cloned() else { return false };
    let Some(index) = index_of(c, round, s, t).filter(|_| !needle.parts.is_empty()) else { return false };
    for hay in flat_forms(c, round, c.state.egraph.root(s)) {
        let Some((cut, reasons)) = component_at(c, &hay, index) else { continue };
        let end = cut + needle.parts.len();
        if hay.parts.get(cut..end) != Some(&needle.parts[..]) {
            continue;
        }
        let before: Vec<Term> = hay.parts[..cut].iter().map(|&p| c.term(p)).collect();
        let after: Vec<Term> = hay.parts[end..].iter().map(|&p| c.term(p)).collect();
        let value = c.concat(&[&before[..], &[c.term(u)], &after[..]].concat());
        let value = c.rewrite(value);
        let value = c.derived_node(value);
        let (place, zero) = (c.state.egraph.args(index).to_vec(), c.int(0));
        let zero = c.node(zero);
        let pairs = [(place[0], s), (place[1], t), (place[2], zero), (s, hay.term), (t, needle.term)];
        let mut premises: Vec<Premise> = pairs.iter().flat_map(|&(a, b)| equality(a, b)).collect();
        premises.extend(hay.premises().chain(needle.premises()).chain(reasons));
        if c.fact(Rule::ReplaceFirst, n, value, &premises) {
            return true;
        }
    }
    false
}

/// A term `(str.indexof s t 0)`, up to equality of the arguments.
fn index_of(c: &mut Calculus<'_>, round: &Round, s: Node, t: Node) -> Option<Node> {
    let zero = c.int(0);
    let zero = c.node(zero);
    round.extended.iter().copied().find(|&n| {
        c.head(c.term(n)) == Head::Op(Op::StrIndexof)
            && std::iter::zip(c.state.egraph.args(n), [s, t, zero]).all(|(&a, b)| c.state.egraph.same(a, b))
    })
}

/// States which strings are numerals, if the argument of `n` is in a language.
fn numeral(c: &mut Calculus<'_>, n: Node) -> bool {
    let &[s] = c.state.egraph.args(n) else { return false };
    if !has_language(c, s) {
        return false;
    }
    let digits = ['0', '9'].map(|d| c.terms.pool.string(&[u32::from(d)]));
    let digit = c.terms.pool.mk(Head::Op(Op::ReRange), Sort::REGLAN, &digits);
    let language = c.terms.pool.mk(Head::Op(Op::RePlus), Sort::REGLAN, &[digit]);
    let (t, s, zero) = (c.term(n), c.term(s), c.int(0));
    let (number, numeral) = (c.ge(t, zero), c.mk(Op::StrInRe, &[s, language]));
    let same = c.eq(number, numeral);
    c.valid(Rule::Numeral, same)
}

/// Whether a membership of the class, or its negation, is asserted.
fn has_language(c: &Calculus<'_>, s: Node) -> bool {
    c.state.asserted.iter().filter_map(|l| c.inferences.atom(l.var())).any(|t| {
        c.head(t) == Head::Op(Op::StrInRe)
            && c.state.egraph.node(c.terms.pool.args(t)[0]).is_some_and(|a| c.state.egraph.same(a, s))
    })
}
