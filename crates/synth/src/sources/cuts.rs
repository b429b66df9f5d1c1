//! Cuts out of a concatenation that equals a constant, at places that `str.indexof` finds; several cuts equal to one constant.

use super::grow::Grower;
use super::{Made, Material, Source, spot};
use crate::dice::Dice;
use semantics::Value;
use smt::{Int, Op, Sort, Term};

pub(super) static CUTS: Source = Source {
    name: "cuts",
    about: "str.substr at str.indexof inside concatenations that equal constants, two cuts equal to one constant",
    truth: "sat by the model drawn first; unsat where all constants are determined and a formula is false",
    needs_corpus: false,
    make,
};

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    spot::instance(Grower::with_constants(dice, &material.shape), formula)
}

pub(super) fn formula(g: &mut Grower<'_>) -> Option<Term> {
    match g.dice.index(4) {
        0 => whole(g),
        1 => twins(g),
        _ => {
            let t = joined(g);
            let t = cut(g, t);
            let value = g.value_of(t)?;
            let other = if g.dice.one_in(3) { g.worth(&value, 2) } else { g.spell(&value) };
            Some(g.eq(t, other))
        }
    }
}

/// Constants and literals in a row.
fn joined(g: &mut Grower<'_>) -> Term {
    let count = 2 + g.dice.index(3);
    let parts: Vec<Term> = (0..count).map(|_| piece(g)).collect();
    g.concat(&parts)
}

fn piece(g: &mut Grower<'_>) -> Term {
    match g.dice.index(5) {
        0 | 1 => g.pick(Sort::STRING),
        2 => {
            let t = g.pick(Sort::STRING);
            cut(g, t)
        }
        3 => {
            // Replaced, the empty word perhaps.
            let (x, new) = (g.pick(Sort::STRING), g.leaf(Sort::STRING));
            let old = if g.dice.one_in(2) { g.lit("") } else { g.leaf(Sort::STRING) };
            g.op(Op::StrReplace, &[x, old, new])
        }
        _ => {
            let word = g.word(3);
            g.pool.string(&word)
        }
    }
}

/// A concatenation equal to its value.
fn whole(g: &mut Grower<'_>) -> Option<Term> {
    let t = joined(g);
    let word = g.word_of(t)?;
    let v = g.pool.string(&word);
    Some(g.eq(t, v))
}

/// Two cuts equal to one constant, out of one word or two, long now and then.
fn twins(g: &mut Grower<'_>) -> Option<Term> {
    let longest = if g.dice.one_in(4) { 40 } else { 5 };
    let word = g.word(longest);
    let v = g.pool.string(&word);
    let mut sides = Vec::new();
    for (x, from) in twice(g, &word) {
        let args = [x, count(g, from), count(g, word.len())];
        sides.push(g.op(Op::StrSubstr, &args));
    }
    let both = [g.eq(sides[0], v), g.eq(sides[1], v)];
    Some(if g.dice.one_in(2) { g.all(&both) } else { g.op(Op::Eq, &[sides[0], v, sides[1]]) })
}

/// Terms that have the word as a part, and where.
fn twice(g: &mut Grower<'_>, word: &[u32]) -> [(Term, usize); 2] {
    let (a, b, c) = (g.word(3), g.word(3), g.word(3));
    if g.dice.one_in(2) {
        let x = g.holder(&[&a[..], word, &b, word, &c].concat());
        return [(x, a.len()), (x, a.len() + word.len() + b.len())];
    }
    let first = g.holder(&[&a[..], word, &b].concat());
    let second = g.holder(&[&b[..], word, &c].concat());
    [(first, a.len()), (second, b.len())]
}

/// A number, or a term that has it as its value.
fn count(g: &mut Grower<'_>, n: usize) -> Term {
    let n = n as i64;
    if g.dice.one_in(3) { g.worth(&Value::Int(Int::from(n)), 1) } else { g.num(n) }
}

/// A cut at a place that is a number or found.
fn cut(g: &mut Grower<'_>, t: Term) -> Term {
    let from = place(g, t);
    match g.dice.index(5) {
        0 => g.op(Op::StrAt, &[t, from]),
        1 => {
            let length = g.len(t);
            g.op(Op::StrSubstr, &[t, from, length])
        }
        2 => {
            let to = place(g, t);
            let count = g.op(Op::Sub, &[to, from]);
            g.op(Op::StrSubstr, &[t, from, count])
        }
        _ => {
            let n = g.extent();
            let n = if g.dice.one_in(4) { place(g, t) } else { g.num(n) };
            g.op(Op::StrSubstr, &[t, from, n])
        }
    }
}

fn place(g: &mut Grower<'_>, t: Term) -> Term {
    match g.dice.index(6) {
        0 => {
            let n = g.dice.int(-1, 4);
            g.num(n)
        }
        1 => g.leaf(Sort::INT),
        _ => {
            let needle = match g.dice.index(4) {
                0 => g.leaf(Sort::STRING),
                1 => g.lit(""),
                _ => {
                    let text = *g.dice.pick(&["a", "b", "ab", "c", "-"]);
                    g.lit(text)
                }
            };
            let from = if g.dice.one_in(3) { g.leaf(Sort::INT) } else { g.num(0) };
            g.op(Op::StrIndexof, &[t, needle, from])
        }
    }
}
