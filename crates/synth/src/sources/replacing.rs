//! Replacements: by regular expressions, of numbers, and inside one another.

use super::grow::Grower;
use super::languages::{Kit, letters};
use super::{Made, Material, Source, spot};
use crate::dice::Dice;
use semantics::Value;
use smt::{Op, Sort, Term};

pub(super) static REPLACING: Source = Source {
    name: "replacing",
    about: "str.replace_re, str.replace_re_all, str.replace with str.from_int, nested replacements",
    truth: "sat by the model drawn first; unsat where all constants are determined and a formula is false",
    needs_corpus: false,
    make,
};

const OPS: &[Op] =
    &[Op::ReStar, Op::RePlus, Op::ReOpt, Op::ReConcat, Op::ReUnion, Op::ReComp, Op::ReInter, Op::ReLoop];
const KIT: Kit = Kit { ops: OPS, leaf: letters, counter: 3 };

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    spot::instance(Grower::with_constants(dice, &material.shape), formula)
}

pub(super) fn formula(g: &mut Grower<'_>) -> Option<Term> {
    let depth = 1 + g.dice.index(2);
    let t = replaced(g, depth);
    let value = g.value_of(t)?;
    match g.dice.index(6) {
        0 => {
            let other = replaced(g, 1);
            Some(g.eq(t, other))
        }
        1 => {
            let other = g.leaf(Sort::STRING);
            Some(g.op(Op::StrContains, &[t, other]))
        }
        2 => {
            let Value::Str(w) = value else { return None };
            let args = [g.len(t), g.num(w.len() as i64)];
            let op = *g.dice.pick(&[Op::Eq, Op::Le, Op::Gt]);
            Some(g.op(op, &args))
        }
        3 => {
            let other = g.worth(&value, 2);
            Some(g.eq(t, other))
        }
        4 => {
            let r = g.language(&KIT, 2);
            Some(g.op(Op::StrInRe, &[t, r]))
        }
        _ => {
            let v = g.spell(&value);
            Some(g.eq(t, v))
        }
    }
}

/// A replacement in a word.
fn replaced(g: &mut Grower<'_>, depth: usize) -> Term {
    let x = part(g, depth);
    let new = part(g, depth);
    if g.dice.one_in(2) {
        let r = g.language(&KIT, 2);
        let op = *g.dice.pick(&[Op::StrReplaceRe, Op::StrReplaceReAll]);
        return g.op(op, &[x, r, new]);
    }
    let old = part(g, 0);
    let op = *g.dice.pick(&[Op::StrReplace, Op::StrReplaceAll]);
    g.op(op, &[x, old, new])
}

fn part(g: &mut Grower<'_>, depth: usize) -> Term {
    match g.dice.index(7) {
        0 | 1 if depth > 0 => replaced(g, depth - 1),
        2 => {
            let n = if g.dice.one_in(3) { g.any(Sort::INT, 1) } else { g.leaf(Sort::INT) };
            g.op(Op::StrFromInt, &[n])
        }
        3 => {
            let args = [g.pick(Sort::STRING), g.leaf(Sort::STRING)];
            g.concat(&args)
        }
        4 => {
            let text = *g.dice.pick(&["", "a", "aa", "0", "ab"]);
            g.lit(text)
        }
        _ => g.leaf(Sort::STRING),
    }
}
