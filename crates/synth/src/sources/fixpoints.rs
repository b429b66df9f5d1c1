//! Constants that equal terms of themselves: `(= x (str.replace y "a" (str.substr x 1 3)))`, alone or in a ring of two.
//!
//! A solver that eliminates constants by their definitions must see the cycle, and one that unfolds it may miss solutions or never end. The
//! values are found by iteration: each constant becomes the value of its term, until nothing changes. If that does not come to an end, the answer is unknown.
//!
//! ```text
//! (= x (str.++ (str.substr x 0 2) "a"))     x = "", "a", "aa", "aaa", "aaa"
//! ```

use super::grow::Grower;
use super::languages::{Kit, letters};
use super::{Made, Material, Source, spot};
use crate::dice::Dice;
use semantics::Value;
use smt::{Op, Sort, Term};

pub(super) static FIXPOINTS: Source = Source {
    name: "fixpoints",
    about: "constants that equal terms in which they occur",
    truth: "sat if iteration finds values, otherwise unknown",
    needs_corpus: false,
    make,
};

const KIT: Kit = Kit { ops: &[Op::ReStar, Op::RePlus, Op::ReOpt, Op::ReConcat], leaf: letters, counter: 2 };

/// Steps of the iteration, and the longest word in it.
const STEPS: usize = 16;
const LONGEST: usize = 40;

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    let mut g = Grower::with_constants(dice, &material.shape);
    let definitions = definitions(&mut g);
    settle(&mut g, &definitions);
    let mut assertions = Vec::new();
    for &(at, t) in &definitions {
        let x = g.constants[at].0;
        assertions.push(if g.dice.one_in(3) { g.eq(t, x) } else { g.eq(x, t) });
    }
    for _ in 0..g.dice.index(material.shape.assertions.clamp(1, 3)) {
        assertions.extend(g.fact(2));
    }
    g.dice.shuffle(&mut assertions);
    Some(spot::labelled(g, &assertions))
}

/// Places of constants, with a term for each in which it, or the other one, occurs.
fn definitions(g: &mut Grower<'_>) -> Vec<(usize, Term)> {
    let is_string = |g: &Grower<'_>, at: usize| g.pool.sort_of(g.constants[at].0) == Sort::STRING;
    let strings: Vec<usize> = (0..g.constants.len()).filter(|&at| is_string(g, at)).collect();
    let depth = g.shape.depth.clamp(1, 3);
    let around = |g: &mut Grower<'_>, at: usize| {
        let x = g.constants[at].0;
        let layers = 1 + g.dice.index(depth);
        (0..layers).fold(x, |t, _| layer(g, t))
    };
    match *strings {
        [x, y, ..] if g.dice.one_in(4) => vec![(x, around(g, y)), (y, around(g, x))],
        _ => {
            let x = *g.dice.pick(&strings);
            vec![(x, around(g, x))]
        }
    }
}

/// A string term around another one.
fn layer(g: &mut Grower<'_>, t: Term) -> Term {
    match g.dice.index(10) {
        0 | 1 => {
            let (from, count) = (g.dice.int(-1, 3), g.extent());
            let from = if g.dice.one_in(3) { found(g, t) } else { g.num(from) };
            let args = [t, from, g.num(count)];
            g.op(Op::StrSubstr, &args)
        }
        2..=4 => replaced(g, t),
        5 | 6 => {
            let more = g.leaf(Sort::STRING);
            let parts = if g.dice.one_in(2) { [t, more] } else { [more, t] };
            g.concat(&parts)
        }
        7 => {
            let other = g.leaf(Sort::STRING);
            let args = [test(g, t), t, other];
            g.op(Op::Ite, &args)
        }
        8 => {
            let op = *g.dice.pick(&[Op::StrLen, Op::StrToInt]);
            let n = g.op(op, &[t]);
            g.op(Op::StrFromInt, &[n])
        }
        _ => {
            let args = [t, found(g, t)];
            g.op(Op::StrAt, &args)
        }
    }
}

/// A replacement in which the term is one of the three.
fn replaced(g: &mut Grower<'_>, t: Term) -> Term {
    let mut args = [part(g), part(g), part(g)];
    args[g.dice.index(3)] = t;
    if g.dice.one_in(6) {
        args[1] = g.language(&KIT, 1);
        args[0] = t;
        let op = *g.dice.pick(&[Op::StrReplaceRe, Op::StrReplaceReAll]);
        return g.op(op, &args);
    }
    let op = if g.dice.one_in(3) { Op::StrReplaceAll } else { Op::StrReplace };
    g.op(op, &args)
}

/// A short word, the empty one often, or a constant.
fn part(g: &mut Grower<'_>) -> Term {
    match g.dice.index(4) {
        0 => g.lit(""),
        1 => {
            let text = *g.dice.pick(&["a", "b", "ab", "aa", "0"]);
            g.lit(text)
        }
        _ => g.leaf(Sort::STRING),
    }
}

/// A position in a term.
fn found(g: &mut Grower<'_>, t: Term) -> Term {
    match g.dice.index(3) {
        0 => g.leaf(Sort::INT),
        1 => {
            let args = [g.len(t), g.num(-1)];
            g.op(Op::Add, &args)
        }
        _ => {
            let args = [t, part(g), g.num(0)];
            g.op(Op::StrIndexof, &args)
        }
    }
}

/// A condition on a term.
fn test(g: &mut Grower<'_>, t: Term) -> Term {
    let other = part(g);
    match g.dice.index(3) {
        0 => g.eq(t, other),
        1 => g.op(Op::StrPrefixof, &[other, t]),
        _ => g.op(Op::StrContains, &[t, other]),
    }
}

/// Gives the constants the values of their terms, until nothing changes.
fn settle(g: &mut Grower<'_>, definitions: &[(usize, Term)]) {
    for _ in 0..STEPS {
        let mut changed = false;
        for &(at, t) in definitions {
            let Some(value) = g.value_of(t) else { return };
            let fits = matches!(&value, Value::Str(w) if w.len() <= LONGEST);
            if !fits {
                return;
            }
            if g.constants[at].1 != value {
                g.reassign(at, value);
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}
