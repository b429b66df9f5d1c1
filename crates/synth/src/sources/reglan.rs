//! Equality, `distinct` and `ite` of regular expressions.
//!
//! `=`, `distinct` and `ite` exist for every sort, `RegLan` included. Two expressions of one language are made by laws (`r ∪ ∅ = r`,
//! `r** = r*`, `¬¬r = r`), others are drawn at random; the evaluator decides whether they are equivalent.

use super::grow::Grower;
use super::languages::Kit;
use super::{Made, Material, Source, spot};
use crate::dice::Dice;
use smt::{Op, Sort, Term};

pub(super) static REGLAN: Source = Source {
    name: "reglan",
    about: "equality, distinct and ite of regular expressions, re.none, re.comp",
    truth: "sat by the model drawn first, languages compared by the evaluator; unsat where all constants are determined and a formula is false",
    needs_corpus: false,
    make,
};

const OPS: &[Op] = &[
    Op::ReStar,
    Op::RePlus,
    Op::ReOpt,
    Op::ReConcat,
    Op::ReUnion,
    Op::ReInter,
    Op::ReComp,
    Op::ReDiff,
    Op::ReNone,
    Op::ReAll,
    Op::RePower,
    Op::ReLoop,
];
const KIT: Kit = Kit { ops: OPS, leaf, counter: 2 };

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    spot::instance(Grower::with_constants(dice, &material.shape), formula)
}

fn formula(g: &mut Grower<'_>) -> Option<Term> {
    let r = g.language(&KIT, 2);
    let other = if g.dice.one_in(3) { g.language(&KIT, 2) } else { alike(g, r) };
    Some(match g.dice.index(8) {
        0 => g.op(Op::Distinct, &[r, other]),
        1 => {
            let none = g.op(Op::ReNone, &[]);
            let both = g.op(Op::ReInter, &[r, other]);
            g.eq(both, none)
        }
        2 | 3 => {
            let chosen = choice(g, r, other);
            let word = g.candidate(r);
            let subject = g.holder(&word);
            g.op(Op::StrInRe, &[subject, chosen])
        }
        4 => {
            let chosen = choice(g, r, other);
            g.eq(chosen, r)
        }
        _ => g.eq(r, other),
    })
}

/// A closed leaf, or a choice of two.
fn leaf(g: &mut Grower<'_>) -> Term {
    let leaf = g.letters();
    if !g.dice.one_in(8) {
        return leaf;
    }
    let other = g.letters();
    choice(g, leaf, other)
}

/// `ite` of two languages.
fn choice(g: &mut Grower<'_>, a: Term, b: Term) -> Term {
    let test = g.any(Sort::BOOL, 1);
    g.op(Op::Ite, &[test, a, b])
}

/// Another expression, of the same language in most cases.
fn alike(g: &mut Grower<'_>, r: Term) -> Term {
    match g.dice.index(10) {
        0 => g.around(Op::ReUnion, Op::ReNone, r),
        1 => g.around(Op::ReInter, Op::ReAll, r),
        2 => g.around(Op::ReConcat, Op::ReNone, r),
        3 => {
            let empty = g.lit("");
            let empty = g.op(Op::StrToRe, &[empty]);
            g.op(Op::ReConcat, &[r, empty])
        }
        4 => g.twice(Op::ReComp, r),
        5 => g.twice(Op::ReStar, r),
        6 => {
            let star = g.op(Op::ReStar, &[r]);
            g.op(Op::ReConcat, &[r, star])
        }
        7 => {
            let other = g.language(&KIT, 1);
            let wide = g.op(Op::ReUnion, &[r, other]);
            g.op(Op::ReInter, &[wide, r])
        }
        8 => {
            let plus = g.op(Op::RePlus, &[r]);
            g.op(Op::ReOpt, &[plus])
        }
        _ => g.op(Op::ReUnion, &[r, r]),
    }
}

impl Grower<'_> {
    /// `r` with a constant language, on either side.
    fn around(&mut self, op: Op, constant: Op, r: Term) -> Term {
        let c = self.op(constant, &[]);
        let args = if self.dice.one_in(2) { [r, c] } else { [c, r] };
        self.op(op, &args)
    }

    fn twice(&mut self, op: Op, r: Term) -> Term {
        let once = self.op(op, &[r]);
        self.op(op, &[once])
    }
}
