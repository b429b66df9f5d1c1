//! Long words, of 50 to 300 characters, in replacements, searches and cuts.

use super::grow::Grower;
use super::{Made, Material, Source, spot};
use crate::dice::Dice;
use semantics::{Str, Value};
use smt::{Op, Sort, Term};

pub(super) static LONG: Source = Source {
    name: "long",
    about: "words of 50 to 300 characters with str.replace_all, str.contains, str.indexof, str.substr",
    truth: "sat by the model drawn first; unsat where all constants are determined and a formula is false",
    needs_corpus: false,
    make,
};

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    let mut g = Grower::new(dice, &material.shape);
    for _ in 0..1 + g.dice.index(material.shape.constants.clamp(1, 2)) {
        let word = word(&mut g);
        g.constant(Value::Str(Str::from(&word[..])));
    }
    spot::instance(g, formula)
}

/// A period, repeated and disturbed.
fn word(g: &mut Grower<'_>) -> Vec<u32> {
    let length = 50 + g.dice.index(251);
    let mut period = g.word(4);
    if period.is_empty() {
        period.push(97);
    }
    let mut word: Vec<u32> = period.iter().copied().cycle().take(length).collect();
    for _ in 0..g.dice.index(3) {
        let at = g.dice.index(length);
        word[at] = 97 + g.dice.below(4) as u32;
    }
    word
}

fn formula(g: &mut Grower<'_>) -> Option<Term> {
    let x = g.pick(Sort::STRING);
    let word = g.word_of(x)?;
    let part = part(g, &word);
    match g.dice.index(7) {
        0 => Some(g.op(Op::StrContains, &[x, part])),
        1 => {
            let from = g.dice.index(word.len() + 1) as i64;
            let args = [x, part, g.num(from)];
            let t = g.op(Op::StrIndexof, &args);
            valued(g, t)
        }
        2 | 3 => {
            let new = g.word(2);
            let new = g.pool.string(&new);
            let op = *g.dice.pick(&[Op::StrReplaceAll, Op::StrReplaceAll, Op::StrReplace]);
            let t = g.op(op, &[x, part, new]);
            let t = if g.dice.one_in(2) { g.len(t) } else { t };
            valued(g, t)
        }
        4 => {
            let (from, count) = (g.dice.int(-1, word.len() as i64), g.dice.int(0, word.len() as i64));
            let args = [x, g.num(from), g.num(count)];
            let t = g.op(Op::StrSubstr, &args);
            valued(g, t)
        }
        5 => Some(halves(g, x, &word)),
        _ => {
            let t = g.len(x);
            valued(g, t)
        }
    }
}

/// A part of the word, or a word that is not.
fn part(g: &mut Grower<'_>, word: &[u32]) -> Term {
    let from = g.dice.index(word.len().max(1));
    let to = (from + 1 + g.dice.index(30)).min(word.len());
    let mut part = word[from..to].to_vec();
    if g.dice.one_in(4) {
        part.push(122);
    }
    if g.dice.one_in(2) {
        part.truncate(2);
    }
    g.pool.string(&part)
}

/// The word as two parts.
fn halves(g: &mut Grower<'_>, x: Term, word: &[u32]) -> Term {
    let at = g.dice.index(word.len() + 1);
    let parts = [g.holder(&word[..at]), g.holder(&word[at..])];
    let whole = g.concat(&parts);
    g.eq(x, whole)
}

fn valued(g: &mut Grower<'_>, t: Term) -> Option<Term> {
    let value = g.value_of(t)?;
    let v = g.spell(&value);
    Some(g.eq(t, v))
}
