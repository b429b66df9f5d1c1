//! Code points: single characters with equal codes are equal.
//!
//! Only where the arithmetic model requires it: if it gives `(str.to_code x)` and `(str.to_code y)` the value 97, the
//! lemma is `code(x) = code(y) >= 0 => x = y`; if `"a"` is a term, also `code(x) = 97 => x = "a"`.

use super::round::Round;
use crate::builder::Builder;
use crate::calculus::{Calculus, Step, stop_if};
use crate::egraph::Node;
use crate::infer::Rule;
use crate::rewrite::Mode;
use rustc_hash::FxHashMap;
use semantics::regex::{Re, RegexStore};
use semantics::strings::MAX_CHAR;
use smt::{Head, Int, Op, Term};

/// Sends lemmas for classes with equal codes in the arithmetic model.
pub(super) fn equal_codes(c: &mut Calculus<'_>, round: &Round) -> Step {
    let sent = c.in_mode(Mode::WithoutEntailment, |c| {
        let mut by_code: FxHashMap<Int, (Node, Node)> = FxHashMap::default();
        let mut sent = false;
        for (n, value) in codes(c, round) {
            let string = c.state.egraph.args(n)[0];
            if value.is_negative() || c.state.egraph.value(string).is_some() {
                continue;
            }
            sent |= code_of_constant(c, n, string, &value);
            match by_code.get(&value) {
                None => {
                    by_code.insert(value, (n, string));
                }
                Some(&(other, first)) => sent |= same_code(c, (n, string), (other, first)),
            }
        }
        sent
    });
    stop_if(sent)
}

/// The characters that the arithmetic model gives to classes.
pub(super) fn characters(c: &mut Calculus<'_>, round: &Round) -> FxHashMap<Node, u32> {
    let mut out = FxHashMap::default();
    for (n, value) in codes(c, round) {
        if let Some(code) = character(&value) {
            out.insert(c.state.egraph.root(c.state.egraph.args(n)[0]), code);
        }
    }
    out
}

/// The applications of `str.to_code`, with their values in the arithmetic model.
fn codes(c: &mut Calculus<'_>, round: &Round) -> Vec<(Node, Int)> {
    let is_code = |c: &Calculus<'_>, n: Node| matches!(c.head(c.term(n)), Head::Op(Op::StrToCode));
    let nodes: Vec<Node> = round.extended.iter().copied().filter(|&n| is_code(c, n)).collect();
    nodes.into_iter().map(|n| (n, c.model_value(c.term(n)).floor())).collect()
}

fn character(value: &Int) -> Option<u32> {
    value.to_i64().and_then(|c| u32::try_from(c).ok()).filter(|&c| c <= MAX_CHAR)
}

/// The widest interval of characters around one for which a property of intervals holds; it holds for parts of intervals
/// for which it holds, and is assumed for the character itself.
pub(super) fn gap(code: u32, mut holds: impl FnMut(u32, u32) -> bool) -> (u32, u32) {
    let (mut least, mut lo) = (0, code);
    while least < lo {
        let middle = if lo == code && least == 0 { 0 } else { (least + lo) / 2 };
        if holds(middle, code) { lo = middle } else { least = middle + 1 }
    }
    let (mut greatest, mut hi) = (MAX_CHAR, code);
    while hi < greatest {
        let middle = if hi == code && greatest == MAX_CHAR { MAX_CHAR } else { (hi + greatest).div_ceil(2) };
        if holds(lo, middle) { hi = middle } else { greatest = middle - 1 }
    }
    (lo, hi)
}

/// All characters of an interval.
pub(super) fn between(store: &mut RegexStore, lo: u32, hi: u32) -> Re {
    store.range(&[lo], &[hi])
}

/// The code of a class is not in an interval: below it or above it, where there are characters.
pub(super) fn outside(c: &mut Calculus<'_>, x: Node, lo: u32, hi: u32) -> Vec<Term> {
    c.in_mode(Mode::WithoutEntailment, |c| {
        let t = c.term(x);
        let own = c.code(t);
        let (low, high) = (c.int(i64::from(lo)), c.int(i64::from(hi)));
        if lo == hi {
            let same = c.eq(own, low);
            return vec![c.not(same)];
        }
        vec![c.greater(low, own), c.greater(own, high)]
    })
}

/// Two strings with equal codes are equal; each comes as the application of `str.to_code` and its argument.
fn same_code(c: &mut Calculus<'_>, (n, string): (Node, Node), (other, first): (Node, Node)) -> bool {
    if c.state.egraph.same(first, string) {
        return false;
    }
    let (s, u) = (c.term(string), c.term(first));
    let (code, other) = (c.term(n), c.term(other));
    let zero = c.int(0);
    let (same_code, real, same) = (c.eq(code, other), c.ge(code, zero), c.eq(s, u));
    let both = c.and(&[same_code, real]);
    let formula = c.implies(both, same);
    c.valid(Rule::CodeInjective, formula)
}

/// If the constant with this code is a term, the string is equal to it or has another code.
fn code_of_constant(c: &mut Calculus<'_>, n: Node, string: Node, value: &Int) -> bool {
    let Some(code) = character(value) else { return false };
    let constant = c.terms.pool.string(&[code]);
    if c.state.egraph.node(constant).is_none() {
        return false;
    }
    let (t, s) = (c.term(n), c.term(string));
    let code = c.terms.pool.int(value.clone());
    let (has, is) = (c.eq(t, code), c.eq(s, constant));
    let formula = c.implies(has, is);
    c.valid(Rule::CodeInjective, formula)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_ends_at_the_next_characters() {
        let around =
            |code, allowed: &[u32]| gap(code, |lo, hi| !allowed.iter().any(|a| (lo..=hi).contains(a)));
        assert_eq!(around(7, &[]), (0, MAX_CHAR));
        assert_eq!(around(7, &[6, 8]), (7, 7));
        assert_eq!(around(7, &[3, 97]), (4, 96));
        assert_eq!(around(0, &[1]), (0, 0));
        assert_eq!(around(MAX_CHAR, &[0]), (1, MAX_CHAR));
        assert_eq!(around(500, &[0, MAX_CHAR]), (1, MAX_CHAR - 1));
    }
}
