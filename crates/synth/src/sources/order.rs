//! Chains of `str.<` and `str.<=` between words, their prefixes, single characters and cuts.

use super::grow::Grower;
use super::{Made, Material, Source, spot};
use crate::dice::Dice;
use smt::{Op, Sort, Term};

pub(super) static ORDER: Source = Source {
    name: "order",
    about: "chains of str.< and str.<= between words, prefixes and characters",
    truth: "sat by the model drawn first; unsat where all constants are determined and a formula is false",
    needs_corpus: false,
    make,
};

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    spot::instance(Grower::with_constants(dice, &material.shape), formula)
}

pub(super) fn formula(g: &mut Grower<'_>) -> Option<Term> {
    let op = *g.dice.pick(&[Op::StrLt, Op::StrLe]);
    match g.dice.index(4) {
        0 => {
            let count = 3 + g.dice.index(2);
            let mut links: Vec<(Term, Vec<u32>)> = Vec::new();
            for _ in 0..count {
                let t = link(g);
                links.push((t, g.word_of(t)?));
            }
            if g.dice.one_in(2) {
                links.sort_by(|a, b| a.1.cmp(&b.1));
            }
            let links: Vec<Term> = links.into_iter().map(|(t, _)| t).collect();
            Some(g.op(op, &links))
        }
        1 => {
            // Between a word and a longer one.
            let x = link(g);
            let word = g.word(2);
            let more = g.pool.string(&word);
            let longer = g.concat(&[x, more]);
            let y = link(g);
            Some(g.op(op, &[x, y, longer]))
        }
        2 => {
            let args = [link(g), link(g)];
            let less = g.op(op, &args);
            let test = g.any(Sort::BOOL, 1);
            let op = *g.dice.pick(&[Op::Eq, Op::Or, Op::Implies, Op::Xor]);
            Some(g.op(op, &[less, test]))
        }
        _ => {
            let args = [link(g), link(g)];
            Some(g.op(op, &args))
        }
    }
}

fn link(g: &mut Grower<'_>) -> Term {
    let x = g.pick(Sort::STRING);
    match g.dice.index(8) {
        0 | 1 => x,
        2 => {
            let code = *g.dice.pick(&[-1, 0, 48, 97, 98, 127, 256, 196_607, 196_608]);
            let code = if g.dice.one_in(3) { g.leaf(Sort::INT) } else { g.num(code) };
            g.op(Op::StrFromCode, &[code])
        }
        3 => {
            let n = g.dice.int(0, 3);
            let args = [x, g.num(0), g.num(n)];
            g.op(Op::StrSubstr, &args)
        }
        4 => {
            let at = g.dice.int(0, 2);
            let at = g.num(at);
            g.op(Op::StrAt, &[x, at])
        }
        5 => {
            let other = g.leaf(Sort::STRING);
            g.concat(&[x, other])
        }
        6 => g.literal(Sort::STRING),
        _ => g.any(Sort::STRING, 1),
    }
}
