//! Clauses over few constants: equalities, lengths, parts and memberships, so that a solver guesses, runs into conflicts, and must explain them.
//!
//! An explanation that leaves out an assumption does no harm to a conjunction; in a search it excludes models. Each clause has a literal
//! that holds under the model drawn first, and others that do not, most of them before it.

use super::grow::Grower;
use super::languages::{Kit, letters};
use super::{Made, Material, Source, spot};
use crate::dice::Dice;
use semantics::{Satisfaction, Str, Value};
use smt::{Op, Sort, Term};

pub(super) static CLAUSES: Source = Source {
    name: "clauses",
    about: "clauses of equalities, lengths, parts and memberships over few constants",
    truth: "sat by the model drawn first; one in four unknown",
    needs_corpus: false,
    make,
};

const KIT: Kit = Kit { ops: &[Op::ReStar, Op::ReConcat, Op::ReUnion, Op::ReOpt], leaf: letters, counter: 2 };

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    let mut g = Grower::new(dice, &material.shape);
    let most = material.shape.constants.max(1);
    for _ in 0..2 + g.dice.index(most) {
        let word: Vec<u32> = (0..g.dice.index(4)).map(|_| 97 + g.dice.below(2) as u32).collect();
        // Equal values now and then.
        let known = g.constants.last().map(|(_, v)| v.clone()).filter(|_| g.dice.one_in(3));
        g.constant(known.unwrap_or_else(|| Value::Str(Str::from(&word[..]))));
    }
    if g.dice.one_in(2) {
        let n = g.dice.int(0, 3);
        g.constant(Value::Int(n.into()));
    }
    let known = !g.dice.one_in(4);
    let count = 2 + g.dice.index(2 * material.shape.assertions.max(1));
    let clauses: Vec<Term> = (0..count).filter_map(|_| clause(&mut g, known)).collect();
    if clauses.is_empty() {
        return None;
    }
    Some(spot::labelled(g, &clauses))
}

/// A clause, with a true literal if `known`.
fn clause(g: &mut Grower<'_>, known: bool) -> Option<Term> {
    let wanted = 1 + g.dice.index(3);
    let mut literals = Vec::new();
    while literals.len() < wanted {
        let t = atom(g);
        let last = literals.len() + 1 == wanted;
        let holds = match g.truth(t) {
            Satisfaction::Holds => true,
            Satisfaction::Fails => false,
            Satisfaction::Undetermined(_) => return None,
        };
        // Most of the others are false: the solver tries them first.
        let truth = if known { last || g.dice.one_in(6) } else { g.dice.one_in(2) };
        literals.push(if holds == truth { t } else { g.not(t) });
    }
    if g.dice.one_in(4) {
        g.dice.shuffle(&mut literals);
    }
    Some(if wanted == 1 { literals[0] } else { g.op(Op::Or, &literals) })
}

fn atom(g: &mut Grower<'_>) -> Term {
    let (x, y) = (g.pick(Sort::STRING), g.pick(Sort::STRING));
    match g.dice.index(12) {
        0..=2 => g.eq(x, y),
        3 | 4 => {
            let word = short(g);
            g.eq(x, word)
        }
        5 | 6 => {
            let n = if g.dice.one_in(3) {
                g.pick(Sort::INT)
            } else {
                let n = g.dice.int(0, 3);
                g.num(n)
            };
            let (len, op) = (g.len(x), *g.dice.pick(&[Op::Eq, Op::Eq, Op::Le, Op::Gt]));
            g.op(op, &[len, n])
        }
        7 => {
            let (a, b) = (g.len(x), g.len(y));
            let op = *g.dice.pick(&[Op::Eq, Op::Lt]);
            g.op(op, &[a, b])
        }
        8 => {
            let (z, word) = (g.pick(Sort::STRING), short(g));
            let parts = *g.dice.pick(&[[y, word], [word, y], [y, z]]);
            let t = g.concat(&parts);
            g.eq(x, t)
        }
        9 => {
            let word = short(g);
            let (op, part) = (*g.dice.pick(&[Op::StrPrefixof, Op::StrSuffixof]), *g.dice.pick(&[y, word]));
            g.op(op, &[part, x])
        }
        10 => {
            let i = g.dice.int(0, 2);
            let (i, word) = (g.num(i), short(g));
            let i = if g.dice.one_in(3) { g.pick(Sort::INT) } else { i };
            let t = g.op(Op::StrAt, &[x, i]);
            let other = *g.dice.pick(&[y, word]);
            g.eq(t, other)
        }
        _ => {
            let r = g.language(&KIT, 2);
            g.op(Op::StrInRe, &[x, r])
        }
    }
}

/// A word of at most two letters.
fn short(g: &mut Grower<'_>) -> Term {
    let text = *g.dice.pick(&["", "", "a", "b", "ab", "aa", "ba"]);
    g.lit(text)
}
