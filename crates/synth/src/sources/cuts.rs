//! Cuts out of a concatenation that equals a constant, at places that `str.indexof` finds; several cuts equal to one constant.
//!
//! One in eight instances has two cuts of one term that overlap, and equal one word, long now and then. If the second begins `d` characters after the first, each character of the word
//! equals the one `d` places before it: other words make it unsatisfiable, whatever the term is.
//!
//! ```text
//! (= (str.substr x 1 4) "abab")   (= (str.substr x 3 4) "abab")      sat: x is "?ababab"
//! (= (str.substr x 1 4) "abcb")   (= (str.substr x 3 4) "abcb")      unsat: character 3 of x is c and a
//! ```

use super::grow::Grower;
use super::{Made, Material, Source, spot};
use crate::dice::Dice;
use semantics::Value;
use semantics::instance::Truth;
use smt::{Int, Op, Sort, Term};

pub(super) static CUTS: Source = Source {
    name: "cuts",
    about: "str.substr at str.indexof inside concatenations that equal constants, two cuts equal to one constant",
    truth: "sat by the model drawn first; unsat where all constants are determined and a formula is false, or two characters of one place differ",
    needs_corpus: false,
    make,
};

/// One in so many instances has cuts that overlap.
const OVERLAPS: u64 = 8;

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    let g = Grower::with_constants(dice, &material.shape);
    if g.dice.one_in(OVERLAPS) { overlapping(g) } else { spot::instance(g, formula) }
}

/// Two cuts of one term that overlap, equal to one word.
fn overlapping(mut g: Grower<'_>) -> Option<Made> {
    let longest = if g.dice.one_in(3) { 60 } else { 8 };
    let (n, from) = (2 + g.dice.index(longest), g.dice.index(3));
    let by = 1 + g.dice.index(n - 1);
    let word = repeating(&mut g, by, n);
    let fits = (by..n).all(|i| word[i] == word[i - by]);
    let before = vec![u32::from('b'); from];
    let t = match g.dice.index(2) {
        _ if fits => g.holder(&[&before[..], &word[..by], &word].concat()),
        0 => g.pick(Sort::STRING),
        _ => joined(&mut g),
    };
    let v = g.pool.string(&word);
    let mut assertions = Vec::new();
    for from in [from, from + by] {
        let args = [t, g.num(from as i64), g.num(n as i64)];
        let cut = g.op(Op::StrSubstr, &args);
        assertions.push(g.eq(cut, v));
    }
    if g.dice.one_in(2) {
        let t = formula(&mut g);
        assertions.extend(t.and_then(|t| g.made_true(t)));
    }
    if fits {
        return g.satisfiable(&assertions);
    }
    Some(Made::new(g.pool, &assertions, Truth::Unsat(vec![0, 1])).with_recipe("two characters at one place"))
}

/// A word of `n` letters in which each equals the one `by` places before it, but for one letter in half of all cases.
fn repeating(g: &mut Grower<'_>, by: usize, n: usize) -> Vec<u32> {
    let mut word: Vec<u32> = (0..by).map(|_| *g.dice.pick(&[97, 98, 99])).collect();
    for i in by..n {
        word.push(word[i - by]);
    }
    if g.dice.one_in(2) {
        let at = g.dice.index(n);
        word[at] = u32::from('d');
    }
    word
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
