//! Word equations: many between concatenations of the same constants, quadratic ones, conjugates and powers.

use super::grow::Grower;
use super::{Made, Material, Source, spot};
use crate::dice::Dice;
use semantics::{Str, Value};
use smt::{Op, Sort, Term};

pub(super) static UNITS: Source = Source {
    name: "units",
    about: "equations between concatenations of the same constants, quadratic word equations",
    truth: "sat by the model drawn first; unsat where all constants are determined and a formula is false",
    needs_corpus: false,
    make,
};

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    let mut g = Grower::new(dice, &material.shape);
    // Powers of one word commute, so that most orders of them are equal.
    let mut root = g.word(2);
    if root.is_empty() {
        root.push(97);
    }
    for _ in 0..2 + g.dice.index(material.shape.constants.max(1)) {
        let word = if g.dice.one_in(3) { g.word(3) } else { root.repeat(g.dice.index(4)) };
        g.constant(Value::Str(Str::from(&word[..])));
    }
    spot::instance(g, formula)
}

pub(super) fn formula(g: &mut Grower<'_>) -> Option<Term> {
    match g.dice.index(6) {
        0 | 1 => Some(quadratic(g)),
        2 => {
            // The same word, cut elsewhere.
            let left = side(g);
            let word = g.word_of(left)?;
            let right = split(g, &word);
            Some(g.eq(left, right))
        }
        3 => {
            let (a, b) = (side(g), side(g));
            let sides = [g.len(a), g.len(b)];
            let op = *g.dice.pick(&[Op::Eq, Op::Lt, Op::Le]);
            Some(g.op(op, &sides))
        }
        _ => {
            let (a, b) = (side(g), side(g));
            Some(g.eq(a, b))
        }
    }
}

/// A few constants and letters.
fn side(g: &mut Grower<'_>) -> Term {
    let count = 2 + g.dice.index(3);
    let mut parts: Vec<Term> = (0..count).map(|_| g.pick(Sort::STRING)).collect();
    if g.dice.one_in(2) {
        let letter = *g.dice.pick(&["a", "b", "ab", "ba"]);
        let at = g.dice.index(parts.len() + 1);
        let letter = g.lit(letter);
        parts.insert(at, letter);
    }
    g.concat(&parts)
}

/// `xuy = yvx` with the same constants on both sides.
fn quadratic(g: &mut Grower<'_>) -> Term {
    let count = 2 + g.dice.index(2);
    let mut parts: Vec<Term> = (0..count).map(|_| g.pick(Sort::STRING)).collect();
    let letter = *g.dice.pick(&["", "a", "ab", "b"]);
    let letter = g.lit(letter);
    parts.push(letter);
    g.dice.shuffle(&mut parts);
    let left = g.concat(&parts);
    if g.dice.one_in(2) {
        parts.reverse();
    } else {
        parts.rotate_left(1);
    }
    let right = g.concat(&parts);
    g.eq(left, right)
}

/// A word as constants and literals in a row.
fn split(g: &mut Grower<'_>, word: &[u32]) -> Term {
    let (mut parts, mut at) = (Vec::new(), 0);
    while at < word.len() {
        let known: Vec<(Term, usize)> = g
            .constants
            .iter()
            .filter_map(|(t, v)| match v {
                Value::Str(w) if !w.is_empty() && word[at..].starts_with(w) => Some((*t, w.len())),
                _ => None,
            })
            .collect();
        if !known.is_empty() && !g.dice.one_in(4) {
            let (t, n) = *g.dice.pick(&known);
            parts.push(t);
            at += n;
        } else {
            parts.push(g.pool.string(&word[at..=at]));
            at += 1;
        }
    }
    g.concat(&parts)
}
