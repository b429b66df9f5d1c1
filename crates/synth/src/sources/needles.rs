//! Parts that are empty, overlap themselves, or are the whole word, and offsets at and past its borders.
//!
//! `str.replace` of the empty word puts its replacement in front, `str.replace_all` of it changes nothing, `str.indexof` of it is the offset up to
//! the length and −1 after it: the corners of the standard.

use super::grow::Grower;
use super::{Made, Material, Source, spot};
use crate::dice::Dice;
use semantics::Value;
use smt::{Op, Sort, Term};

pub(super) static NEEDLES: Source = Source {
    name: "needles",
    about: "empty and overlapping parts and replacements; offsets at and past the borders",
    truth: "sat by the model drawn first; unsat where all constants are determined and a formula is false",
    needs_corpus: false,
    make,
};

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    spot::instance(Grower::with_constants(dice, &material.shape), formula)
}

pub(super) fn formula(g: &mut Grower<'_>) -> Option<Term> {
    let t = operation(g, 1);
    if g.pool.sort_of(t) == Sort::BOOL {
        return Some(t);
    }
    // Its value, or another operation.
    let value = g.value_of(t)?;
    let other = match g.dice.index(3) {
        0 => g.any(g.pool.sort_of(t), 1),
        1 => g.spell(&value),
        _ => g.worth(&value, 2),
    };
    let op = if matches!(value, Value::Int(_)) && g.dice.one_in(3) { Op::Le } else { Op::Eq };
    Some(g.op(op, &[t, other]))
}

fn operation(g: &mut Grower<'_>, nested: usize) -> Term {
    let word = subject(g, nested);
    let part = needle(g, word);
    match g.dice.index(8) {
        0 | 1 => {
            let new = needle(g, word);
            g.op(Op::StrReplace, &[word, part, new])
        }
        2 | 3 => {
            let new = needle(g, word);
            g.op(Op::StrReplaceAll, &[word, part, new])
        }
        4 | 5 => {
            let from = offset(g, word);
            g.op(Op::StrIndexof, &[word, part, from])
        }
        6 => g.op(Op::StrContains, &[word, part]),
        _ => {
            let op = *g.dice.pick(&[Op::StrPrefixof, Op::StrSuffixof]);
            g.op(op, &[part, word])
        }
    }
}

fn subject(g: &mut Grower<'_>, nested: usize) -> Term {
    match g.dice.index(6) {
        0 => {
            let text = *g.dice.pick(&["", "aa", "aaa", "abab", "aabaa", "ababa"]);
            g.lit(text)
        }
        1 if nested > 0 => {
            let t = operation(g, nested - 1);
            if g.pool.sort_of(t) == Sort::STRING { t } else { g.pick(Sort::STRING) }
        }
        2 => {
            let (x, y) = (g.pick(Sort::STRING), g.leaf(Sort::STRING));
            g.concat(&[x, y])
        }
        _ => g.pick(Sort::STRING),
    }
}

fn needle(g: &mut Grower<'_>, word: Term) -> Term {
    match g.dice.index(8) {
        0 | 1 => g.lit(""),
        2 => {
            let text = *g.dice.pick(&["a", "aa", "aba", "ab", "ba"]);
            g.lit(text)
        }
        3 => word,
        4 => {
            let (from, count) = (offset(g, word), g.dice.int(0, 2));
            let count = g.num(count);
            g.op(Op::StrSubstr, &[word, from, count])
        }
        5 => {
            let from = offset(g, word);
            g.op(Op::StrAt, &[word, from])
        }
        _ => g.leaf(Sort::STRING),
    }
}

/// At the borders of a word, or around them.
fn offset(g: &mut Grower<'_>, word: Term) -> Term {
    match g.dice.index(6) {
        0 => g.num(-1),
        1 => g.num(0),
        2 => g.len(word),
        3 => {
            let by = *g.dice.pick(&[-1, 1, 2]);
            let args = [g.len(word), g.num(by)];
            g.op(Op::Add, &args)
        }
        4 => g.leaf(Sort::INT),
        _ => {
            let n = g.dice.int(1, 4);
            g.num(n)
        }
    }
}
