//! Cutting two forms of one class where their prefixes have equal length: then the prefixes are equal, and so are the rests.
//!
//! Two prefixes have equal length in every model if they have the same variables, each as often, and as many characters.
//! In `x "ab" y z = y "ba" x w` the prefixes up to `z` and `w` are such, so `x "ab" y = y "ba" x` and `z = w`. Each part
//! is a class of its own then: its characters are counted, its loops are found, and splits of one do not grow the other.

use super::form::Form;
use crate::builder::Builder;
use crate::calculus::Calculus;
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A place in a form: the components before it, and the characters of the next one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    part: usize,
    used: usize,
}

/// The places between one variable and the next one.
struct Gap {
    /// The component after the first variable.
    part: usize,
    /// The characters of the form before the gap, and those before its end.
    characters: (usize, usize),
    /// The variable before it.
    after: Option<Node>,
}

/// Cuts two forms that differ. True if equalities were derived. If they differ between two cuts only, common ends are all that
/// a cut removes, and comparing forms passes those anyway.
pub(super) fn cut(c: &mut Calculus<'_>, a: &Rc<Form>, b: &Rc<Form>) -> bool {
    let mut pieces = Vec::new();
    let mut start = (Place { part: 0, used: 0 }, Place { part: 0, used: 0 });
    for end in cuts(c, a, b) {
        let (s, t) = (piece(c, a, start.0, end.0), piece(c, b, start.1, end.1));
        start = end;
        if s != t {
            pieces.push((s, t, end));
        }
    }
    let mut merged = false;
    for (s, t, end) in pieces.iter().copied().filter(|_| pieces.len() > 1) {
        let premises = premises(a, b, end);
        let (s, t) = (c.derived_node(s), c.derived_node(t));
        merged |= c.fact(Rule::Balance, s, t, &premises);
    }
    merged
}

/// The places where both forms are cut, the end last; none if there is only that.
fn cuts(c: &Calculus<'_>, a: &Form, b: &Form) -> Vec<(Place, Place)> {
    let (left, right) = (gaps(c, a), gaps(c, b));
    let mut difference: FxHashMap<Node, i64> = FxHashMap::default();
    let mut open = 0_usize;
    let mut out: Vec<(Place, Place)> = Vec::new();
    for (x, y) in left.iter().zip(&right) {
        for (variable, sign) in [(x.after, 1), (y.after, -1)] {
            let Some(v) = variable else { continue };
            let count = difference.entry(v).or_default();
            open -= usize::from(*count != 0);
            *count += sign;
            open += usize::from(*count != 0);
        }
        let first = x.characters.0.max(y.characters.0);
        let last = x.characters.1.min(y.characters.1);
        if open > 0 || first > last {
            continue;
        }
        for n in [first, last] {
            let place = (place(c, a, x, n), place(c, b, y, n));
            if out.last() != Some(&place) && (place.0.part, place.0.used) != (0, 0) {
                out.push(place);
            }
        }
    }
    let ends = (Place { part: a.parts.len(), used: 0 }, Place { part: b.parts.len(), used: 0 });
    out.retain(|&p| p != ends);
    if !out.is_empty() {
        out.push(ends);
    }
    out
}

/// The gaps of a form: before its first variable, between variables, after the last one.
fn gaps(c: &Calculus<'_>, form: &Form) -> Vec<Gap> {
    let mut out = vec![Gap { part: 0, characters: (0, 0), after: None }];
    let mut count = 0;
    for (k, &p) in form.parts.iter().enumerate() {
        match c.word_of(p) {
            Some(w) => count += w.len(),
            None => out.push(Gap { part: k + 1, characters: (count, count), after: Some(p) }),
        }
        out.last_mut().expect("there is one").characters.1 = count;
    }
    out
}

/// The place in a gap with `n` characters of the form before it.
fn place(c: &Calculus<'_>, form: &Form, gap: &Gap, n: usize) -> Place {
    let (mut part, mut used) = (gap.part, n - gap.characters.0);
    while let Some(w) = form.parts.get(part).and_then(|&p| c.word_of(p)).filter(|w| w.len() <= used) {
        used -= w.len();
        part += 1;
    }
    Place { part, used }
}

/// The part of a form between two places as a term.
fn piece(c: &mut Calculus<'_>, form: &Form, from: Place, to: Place) -> smt::Term {
    let mut parts = Vec::new();
    for k in from.part..form.parts.len().min(to.part + 1) {
        let p = form.parts[k];
        let start = if k == from.part { from.used } else { 0 };
        let Some(w) = c.word_of(p) else {
            if k < to.part {
                parts.push(c.term(p));
            }
            continue;
        };
        let end = if k == to.part { to.used } else { w.len() };
        let word = w[start..end].to_vec();
        if !word.is_empty() {
            parts.push(c.terms.pool.string(&word));
        }
    }
    c.concat(&parts)
}

/// The premises for comparing two forms up to a place.
fn premises(a: &Form, b: &Form, end: (Place, Place)) -> Vec<Premise> {
    let mut out: Vec<Premise> = Vec::new();
    for (form, place) in [(a, end.0), (b, end.1)] {
        out.extend(form.dependencies.iter().filter(|d| d.start <= place.part).map(|d| d.premise));
    }
    out.extend(crate::calculus::equality(a.term, b.term));
    out
}
