//! Numbers in words: `str.to_int` of parts, leading zeros, `str.from_int`, addresses such as `10.0.0.1` that are split at their dots.

use super::grow::Grower;
use super::{Made, Material, Source, spot};
use crate::dice::Dice;
use semantics::{Str, Value};
use smt::{Op, Sort, Term};

pub(super) static DIGITS: Source = Source {
    name: "digits",
    about: "str.to_int of parts of words, leading zeros, str.from_int, addresses split at their dots",
    truth: "sat by the model drawn first; unsat where all constants are determined and a formula is false",
    needs_corpus: false,
    make,
};

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    let mut g = Grower::new(dice, &material.shape);
    for _ in 0..1 + g.dice.index(material.shape.constants.max(1)) {
        let text = if g.dice.one_in(2) { address(&mut g) } else { number(&mut g) };
        let word: Vec<u32> = text.chars().map(u32::from).collect();
        g.constant(Value::Str(Str::from(&word[..])));
    }
    if g.dice.one_in(2) {
        let n = g.int();
        g.constant(Value::Int(n));
    }
    spot::instance(g, formula)
}

fn number(g: &mut Grower<'_>) -> String {
    let n = *g.dice.pick(&[0, 1, 7, 9, 10, 42, 99, 100, 255, 256, 1000, 4_294_967_296_u64]);
    let zeros = *g.dice.pick(&["", "", "", "0", "00"]);
    let more = *g.dice.pick(&["", "", "", "", "a", "-", " "]);
    format!("{zeros}{n}{more}")
}

fn address(g: &mut Grower<'_>) -> String {
    let parts = 2 + g.dice.index(3);
    let parts: Vec<String> = (0..parts).map(|_| number(g)).collect();
    parts.join(".")
}

pub(super) fn formula(g: &mut Grower<'_>) -> Option<Term> {
    let t = match g.dice.index(6) {
        0 => {
            let x = part(g);
            return Some(rounded(g, x));
        }
        1 => {
            let n = value(g);
            let t = g.op(Op::StrFromInt, &[n]);
            let x = part(g);
            return Some(g.eq(t, x));
        }
        2 => {
            let (a, b) = (value(g), value(g));
            let op = *g.dice.pick(&[Op::Add, Op::Sub]);
            g.op(op, &[a, b])
        }
        _ => value(g),
    };
    Some(compared(g, t))
}

/// `(str.from_int (str.to_int x))` is `x`, up to leading zeros.
fn rounded(g: &mut Grower<'_>, x: Term) -> Term {
    let n = g.op(Op::StrToInt, &[x]);
    let back = g.op(Op::StrFromInt, &[n]);
    if g.dice.one_in(2) {
        let zero = g.lit("0");
        let more = g.concat(&[zero, back]);
        return g.eq(more, x);
    }
    g.eq(back, x)
}

/// With its own value, or a border.
fn compared(g: &mut Grower<'_>, t: Term) -> Term {
    let other = match (g.dice.index(3), g.value_of(t)) {
        (0, Some(v)) => g.spell(&v),
        (1, Some(v)) => g.worth(&v, 2),
        _ => {
            let n = *g.dice.pick(&[-1, 0, 9, 10, 255, 256]);
            g.num(n)
        }
    };
    let op = *g.dice.pick(&[Op::Eq, Op::Eq, Op::Le, Op::Lt, Op::Ge]);
    g.op(op, &[t, other])
}

/// The number in a part of a word.
fn value(g: &mut Grower<'_>) -> Term {
    let x = part(g);
    g.op(Op::StrToInt, &[x])
}

fn part(g: &mut Grower<'_>) -> Term {
    let x = g.pick(Sort::STRING);
    let zero = g.num(0);
    match g.dice.index(7) {
        0 => x,
        1 => {
            let at = g.dice.int(-1, 4);
            let at = g.num(at);
            g.op(Op::StrAt, &[x, at])
        }
        2 => {
            let (from, count) = (g.dice.int(0, 3), g.dice.int(0, 3));
            let args = [x, g.num(from), g.num(count)];
            g.op(Op::StrSubstr, &args)
        }
        3 => {
            let to = dot(g, x, zero);
            g.op(Op::StrSubstr, &[x, zero, to])
        }
        4 | 5 => {
            let (from, one) = (dot(g, x, zero), g.num(1));
            let from = g.op(Op::Add, &[from, one]);
            let end = if g.dice.one_in(2) { dot(g, x, from) } else { g.len(x) };
            let count = g.op(Op::Sub, &[end, from]);
            g.op(Op::StrSubstr, &[x, from, count])
        }
        _ => {
            let zeros = *g.dice.pick(&["0", "00", "1"]);
            let zeros = g.lit(zeros);
            g.concat(&[zeros, x])
        }
    }
}

/// The place of the next dot.
fn dot(g: &mut Grower<'_>, x: Term, from: Term) -> Term {
    let dot = g.lit(".");
    g.op(Op::StrIndexof, &[x, dot, from])
}
