//! Nested `re.*`, `re.+` and `re.opt`, complements and intersections of them, and memberships of one word in several.

use super::grow::Grower;
use super::languages::{Kit, letters};
use super::{Made, Material, Source, spot};
use crate::dice::Dice;
use smt::{Op, Sort, Term};

pub(super) static STARS: Source = Source {
    name: "stars",
    about: "nested re.*, re.+, re.opt, re.comp and re.inter",
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
    Op::ReComp,
    Op::ReInter,
    Op::ReDiff,
    Op::ReConcat,
    Op::ReConcat,
    Op::ReConcat,
    Op::ReUnion,
];
const KIT: Kit = Kit { ops: OPS, leaf: letters, counter: 2 };

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    spot::instance(Grower::new(dice, &material.shape), formula)
}

pub(super) fn formula(g: &mut Grower<'_>) -> Option<Term> {
    let depth = 2 + g.dice.index(g.shape.depth.clamp(1, 3));
    let r = g.language(&KIT, depth);
    let word = g.candidate(r);
    let subject = match g.dice.index(4) {
        0 => g.pick(Sort::STRING),
        1 => {
            let at = g.dice.index(word.len() + 1);
            let parts = [g.holder(&word[..at]), g.holder(&word[at..])];
            g.concat(&parts)
        }
        _ => g.holder(&word),
    };
    Some(g.op(Op::StrInRe, &[subject, r]))
}
