//! Counted repetition: `re.^` and `re.loop`, nested, with empty ranges of counters, and with lengths coupled to them.

use super::grow::Grower;
use super::languages::{Kit, letters};
use super::{Made, Material, Source, spot};
use crate::dice::Dice;
use smt::{Op, Term};

pub(super) static COUNTERS: Source = Source {
    name: "counters",
    about: "re.loop and re.^ with counters up to 10,000, some up to 2^63, nested and empty, with lengths coupled",
    truth: "sat by the model drawn first; unsat where all constants are determined and a formula is false",
    needs_corpus: false,
    make,
};

const OPS: &[Op] = &[
    Op::ReLoop,
    Op::ReLoop,
    Op::ReLoop,
    Op::RePower,
    Op::RePower,
    Op::ReConcat,
    Op::ReUnion,
    Op::ReStar,
    Op::ReOpt,
    Op::ReComp,
    Op::ReInter,
];

/// Counters at the borders of machine words.
const HUGE: &[u64] = &[1_000_000, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32, i64::MAX as u64, 1 << 63];

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    spot::instance(Grower::new(dice, &material.shape), formula)
}

fn formula(g: &mut Grower<'_>) -> Option<Term> {
    let large = g.dice.one_in(12);
    let counter = match g.dice.index(8) {
        _ if large => 10_000,
        0 => 20,
        1 => 7,
        _ => 3,
    };
    let depth = if large { 1 } else { 1 + g.dice.index(3) };
    let kit = Kit { ops: OPS, leaf: letters, counter };
    let mut r = g.language(&kit, depth);
    if g.dice.one_in(16) {
        r = huge(g, r);
    }
    let word = g.candidate(r);
    let subject = g.holder(&word);
    let member = g.op(Op::StrInRe, &[subject, r]);
    if g.dice.one_in(2) {
        return Some(member);
    }
    Some(coupled(g, member, subject, word.len() as i64))
}

/// Repetition with a huge counter: of a language with short words, of the empty word, or of nothing.
fn huge(g: &mut Grower<'_>, r: Term) -> Term {
    let (many, few) = (*g.dice.pick(HUGE), g.dice.below(3));
    let word = g.lit("");
    let empty = g.op(Op::StrToRe, &[word]);
    match g.dice.index(6) {
        0 => g.indexed(Op::RePower, &[many], &[empty]),
        1 => {
            let star = g.op(Op::ReStar, &[r]);
            g.indexed(Op::RePower, &[many], &[star])
        }
        2 => g.indexed(Op::ReLoop, &[many, few], &[r]),
        3 => {
            let maybe = g.op(Op::ReOpt, &[r]);
            g.indexed(Op::ReLoop, &[many, many], &[maybe])
        }
        _ => g.indexed(Op::ReLoop, &[few, many], &[r]),
    }
}

/// The membership with the length of its word.
fn coupled(g: &mut Grower<'_>, member: Term, subject: Term, length: i64) -> Term {
    let n = length + *g.dice.pick(&[0, 0, 1, -1]);
    let args = [g.len(subject), g.num(n)];
    let op = *g.dice.pick(&[Op::Eq, Op::Le, Op::Ge, Op::Lt]);
    let bound = g.op(op, &args);
    let op = *g.dice.pick(&[Op::And, Op::And, Op::Or, Op::Implies, Op::Eq]);
    g.op(op, &[member, bound])
}
