//! Characters as numbers: `str.from_code`, `str.to_code` and `str.is_digit` under `ite`, at the borders of the alphabet and of the digits.
//!
//! One in three instances is a *choice*: an `ite` between a word and a character of a code, compared with a word, over constants with few values. A solver splits
//! the condition, the values and the code:
//!
//! ```text
//! (or (= x "b") (= x "aa"))   (<= 1 i 3)   (= (ite (distinct "b" x "ab") x (str.from_code i)) x)
//! ```

use super::grow::Grower;
use super::{Made, Material, Source, domains, spot};
use crate::dice::Dice;
use semantics::{Str, Value};
use smt::{Int, Op, Sort, Term};

pub(super) static CODES: Source = Source {
    name: "codes",
    about: "str.from_code, str.to_code and str.is_digit under ite, at the borders 0, 48, 57, 196607, 196608",
    truth: "sat by the model drawn first; unsat where all constants are determined and a formula is false; choices by trying all values",
    needs_corpus: false,
    make,
};

/// One in so many instances is a choice.
const CHOICES: u64 = 3;

/// Codes at borders, and codes of none.
const CODES_AT_BORDERS: &[i64] =
    &[-1, 0, 1, 47, 48, 57, 58, 97, 127, 128, 255, 256, 65_535, 196_607, 196_608];

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    let mut g = Grower::new(dice, &material.shape);
    if g.dice.one_in(CHOICES) {
        return choices(g);
    }
    for _ in 0..1 + g.dice.index(material.shape.constants.max(1)) {
        let code = code(&mut g);
        let one = (0..196_608).contains(&code) && !g.dice.one_in(4);
        let word: Vec<u32> = if one { vec![code as u32] } else { g.word(2) };
        g.constant(Value::Str(Str::from(&word[..])));
        if g.dice.one_in(2) {
            let code = self::code(&mut g);
            g.constant(Value::Int(Int::from(code)));
        }
    }
    spot::instance(g, formula)
}

/// A choice or two over one to three constants with few values.
fn choices(mut g: Grower<'_>) -> Option<Made> {
    let strings = 1 + g.dice.index(2);
    let (mut assertions, mut values) = (Vec::new(), Vec::new());
    for at in 0..=strings {
        let (few, t) = if at < strings {
            let x = g.constant(Value::Str(Str::default()));
            domains::words(&mut g, x)
        } else {
            let i = g.constant(Value::Int(Int::from(0)));
            few_codes(&mut g, i)
        };
        assertions.push(t);
        values.push((at, few));
    }
    for _ in 0..1 + usize::from(g.dice.one_in(4)) {
        assertions.push(choice(&mut g));
    }
    g.dice.shuffle(&mut assertions);
    domains::decided(g, &assertions, &values)
}

/// Few codes, of characters in most cases.
fn few_codes(g: &mut Grower<'_>, i: Term) -> (Vec<Value>, Term) {
    if g.dice.one_in(4) {
        return domains::range(g, i);
    }
    let low = *g.dice.pick(&[0, 1, 1, 48, 97, 196_605]);
    let high = low + g.dice.int(0, 3);
    let args = [g.num(low), i, g.num(high)];
    ((low..=high).map(|n| Value::Int(Int::from(n))).collect(), g.op(Op::Le, &args))
}

/// A word or a character of a code, whichever a condition selects, equals a word: the same one in half of all cases.
fn choice(g: &mut Grower<'_>) -> Term {
    let condition = if g.dice.one_in(8) { test(g) } else { comparison(g) };
    let (word, i) = (g.leaf(Sort::STRING), g.pick(Sort::INT));
    let mut cases = [word, g.op(Op::StrFromCode, &[i])];
    g.dice.shuffle(&mut cases);
    let chosen = g.op(Op::Ite, &[condition, cases[0], cases[1]]);
    let other = match g.dice.index(8) {
        0 => character(g, 1),
        1..=3 => g.pick(Sort::STRING),
        _ => word,
    };
    g.eq(chosen, other)
}

/// Two or three words are different, or two are equal.
fn comparison(g: &mut Grower<'_>) -> Term {
    let mut words = vec![g.pick(Sort::STRING)];
    for _ in 0..1 + g.dice.index(2) {
        let word = if g.dice.one_in(2) { g.pick(Sort::STRING) } else { domains::word(g) };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    if words.len() == 1 {
        words.push(domains::word(g));
    }
    g.dice.shuffle(&mut words);
    if g.dice.one_in(4) { g.eq(words[0], words[1]) } else { g.op(Op::Distinct, &words) }
}

fn code(g: &mut Grower<'_>) -> i64 {
    *g.dice.pick(CODES_AT_BORDERS)
}

pub(super) fn formula(g: &mut Grower<'_>) -> Option<Term> {
    match g.dice.index(5) {
        0 => {
            let n = number(g, 2);
            let other = if g.dice.one_in(2) { number(g, 1) } else { border(g) };
            let op = *g.dice.pick(&[Op::Eq, Op::Le, Op::Lt, Op::Ge, Op::Gt]);
            Some(g.op(op, &[n, other]))
        }
        1 => {
            let n = number(g, 2);
            let args = [g.num(0), n, g.num(196_607)];
            Some(g.op(Op::Le, &args))
        }
        2 => Some(test(g)),
        _ => {
            let t = character(g, 2);
            let value = g.value_of(t)?;
            let other = match g.dice.index(3) {
                0 => character(g, 1),
                1 => g.spell(&value),
                _ => g.worth(&value, 2),
            };
            Some(g.eq(t, other))
        }
    }
}

fn border(g: &mut Grower<'_>) -> Term {
    let n = code(g);
    g.num(n)
}

/// A string term of one character or none.
fn character(g: &mut Grower<'_>, depth: usize) -> Term {
    if depth == 0 {
        return g.pick(Sort::STRING);
    }
    match g.dice.index(6) {
        0 | 1 => {
            let n = number(g, depth - 1);
            g.op(Op::StrFromCode, &[n])
        }
        2 | 3 => {
            let args = [test(g), character(g, depth - 1), character(g, depth - 1)];
            g.op(Op::Ite, &args)
        }
        4 => {
            let at = g.dice.int(-1, 1);
            let args = [g.pick(Sort::STRING), g.num(at)];
            g.op(Op::StrAt, &args)
        }
        _ => g.pick(Sort::STRING),
    }
}

/// An integer term, a code in most cases.
fn number(g: &mut Grower<'_>, depth: usize) -> Term {
    if depth == 0 {
        return if g.dice.one_in(2) { border(g) } else { g.pick(Sort::INT) };
    }
    match g.dice.index(5) {
        0 | 1 => {
            let t = character(g, depth - 1);
            g.op(Op::StrToCode, &[t])
        }
        2 => {
            let args = [test(g), number(g, depth - 1), number(g, depth - 1)];
            g.op(Op::Ite, &args)
        }
        3 => {
            let by = *g.dice.pick(&[1, -1, 32, -32]);
            let args = [number(g, depth - 1), g.num(by)];
            g.op(Op::Add, &args)
        }
        _ => number(g, 0),
    }
}

fn test(g: &mut Grower<'_>) -> Term {
    let x = character(g, 1);
    match g.dice.index(6) {
        // Of two terms or three: not the same for a solver.
        4 | 5 => {
            let mut args = vec![x, character(g, 1)];
            if g.dice.one_in(2) {
                args.push(g.leaf(Sort::STRING));
            }
            g.dice.shuffle(&mut args);
            g.op(Op::Distinct, &args)
        }
        0 => g.op(Op::StrIsDigit, &[x]),
        1 => {
            let args = [number(g, 1), border(g)];
            let op = *g.dice.pick(&[Op::Le, Op::Lt, Op::Eq]);
            g.op(op, &args)
        }
        2 => {
            let length = g.len(x);
            let one = g.num(1);
            g.eq(length, one)
        }
        _ => {
            let other = character(g, 1);
            g.eq(x, other)
        }
    }
}
