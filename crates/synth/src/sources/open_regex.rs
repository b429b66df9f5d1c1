//! Regular expressions over string *terms*: `(re.* (str.to_re (str.at x 0)))`, `(re.range x "z")`, and memberships of constants in them.
//!
//! The standard allows any string term in `str.to_re` and `re.range`; solvers expect literals there, and treat the rest as a special case.

use super::grow::Grower;
use super::languages::Kit;
use super::{Made, Material, Source, spot};
use crate::dice::Dice;
use smt::{Op, Sort, Term};

pub(super) static OPEN_REGEX: Source = Source {
    name: "open-regex",
    about: "memberships in regular expressions with string terms that are not literals",
    truth: "sat by the model drawn first; unsat where all constants are determined and a formula is false",
    needs_corpus: false,
    make,
};

const OPS: &[Op] = &[
    Op::ReStar,
    Op::ReStar,
    Op::RePlus,
    Op::RePlus,
    Op::ReOpt,
    Op::ReLoop,
    Op::RePower,
    Op::ReConcat,
    Op::ReConcat,
    Op::ReUnion,
    Op::ReInter,
    Op::ReComp,
    Op::ReDiff,
];

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    spot::instance(Grower::with_constants(dice, &material.shape), formula)
}

pub(super) fn formula(g: &mut Grower<'_>) -> Option<Term> {
    let depth = 1 + g.dice.index(g.shape.depth.clamp(1, 3));
    let r = g.language(&Kit { ops: OPS, leaf, counter: 3 }, depth);
    let word = g.candidate(r);
    let subject = match g.dice.index(4) {
        0 => g.any(Sort::STRING, 1),
        1 => g.holder(&word),
        _ => g.pool.string(&word),
    };
    Some(g.op(Op::StrInRe, &[subject, r]))
}

/// A language of string terms, one of them a literal now and then.
fn leaf(g: &mut Grower<'_>) -> Term {
    match g.dice.index(6) {
        0 => g.letters(),
        1 => {
            let mut ends = [open(g), open(g)];
            if g.dice.one_in(2) {
                let end = *g.dice.pick(&["a", "z", "0", "b"]);
                ends[usize::from(g.dice.one_in(2))] = g.lit(end);
            }
            g.op(Op::ReRange, &ends)
        }
        _ => {
            let t = open(g);
            g.op(Op::StrToRe, &[t])
        }
    }
}

/// A short string term.
fn open(g: &mut Grower<'_>) -> Term {
    let x = g.pick(Sort::STRING);
    match g.dice.index(8) {
        0 | 1 => x,
        2 | 3 => {
            let at = g.dice.int(-1, 3);
            let at = if g.dice.one_in(4) { g.any(Sort::INT, 1) } else { g.num(at) };
            g.op(Op::StrAt, &[x, at])
        }
        4 => {
            let code = if g.dice.one_in(2) { g.pick(Sort::INT) } else { g.op(Op::StrToCode, &[x]) };
            g.op(Op::StrFromCode, &[code])
        }
        5 => {
            let word = g.word(2);
            let more = g.pool.string(&word);
            g.concat(&[x, more])
        }
        6 => {
            let (from, count) = (g.dice.int(-1, 2), g.dice.int(0, 2));
            let args = [x, g.num(from), g.num(count)];
            g.op(Op::StrSubstr, &args)
        }
        _ => g.any(Sort::STRING, 2),
    }
}
