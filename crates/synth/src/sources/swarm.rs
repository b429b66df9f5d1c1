//! Few features at a time: two to five operators, few constants and literals, and from these some small assertions.
//!
//! Random terms over all operators have most of them once. A bug that needs the same few operators several times, or in several assertions
//! about one constant, is rare among them. Each instance has a language of its own here, and its terms are drawn evenly from all of a size.

use super::count::Count;
use super::grow::Grower;
use super::tiny::{has, leaves, tried};
use super::{Made, Material, Source};
use crate::dice::Dice;
use crate::mine::grammar::{OPERATORS, Operator};
use smt::{Op, Sort, Term};

pub(super) static SWARM: Source = Source {
    name: "swarm",
    about: "one to four small assertions over two to five operators and few constants and literals",
    truth: "sat if one of some small values is a model, otherwise unknown",
    needs_corpus: false,
    make,
};

/// Models that are tried.
const TRIED: usize = 40;

/// Words and numbers to choose literals from.
const WORDS: &[&str] = &["", "", "a", "b", "ab", "ba", "aa", "bb", "0", "1", "10", "aba", "abab"];
const NUMBERS: &[i64] = &[0, 0, 1, 1, -1, 2, 3, 10, 97];

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    let mut g = Grower::new(dice, &material.shape);
    let swarm = Swarm::new(&mut g);
    let assertions = swarm.assertions(&mut g, material.shape.assertions.min(4));
    let some = assertions.iter().any(|&t| g.pool.subterms([t]).any(|t| g.fun(t).is_some()));
    some.then(|| tried(g, &assertions, TRIED))
}

/// A language of few features.
pub(super) struct Swarm {
    count: Count,
    largest: usize,
}

impl Swarm {
    /// Draws one, whose constants become those of the grower.
    pub(super) fn new(g: &mut Grower<'_>) -> Swarm {
        let (operators, leaves) = (operators(g), alphabet(g));
        let largest = 3 + g.dice.index(2 * g.shape.depth + 2);
        Swarm { count: Count::new(g, &operators, &leaves, largest), largest }
    }

    /// One assertion or more.
    pub(super) fn assertions(&self, g: &mut Grower<'_>, most: usize) -> Vec<Term> {
        let mut assertions = Vec::new();
        for _ in 0..1 + g.dice.index(most.max(1)) {
            let size = 3 + g.dice.index(self.largest - 2);
            assertions.extend(self.count.draw(g, Sort::BOOL, size));
        }
        assertions
    }
}

/// Two to five operators with a way to use them: equations, and what makes languages if there is something that takes them.
fn operators(g: &mut Grower<'_>) -> Vec<Operator> {
    let usable: Vec<Operator> = OPERATORS.iter().copied().filter(|o| has(g, o.op)).collect();
    let mut chosen: Vec<Operator> = Vec::new();
    let wanted = 2 + g.dice.index(4);
    while chosen.len() < wanted {
        let o = *g.dice.pick(&usable);
        chosen.push(o);
    }
    let is_language = |o: &Operator| o.result() == Sort::REGLAN || o.args.contains(&Sort::REGLAN);
    let ints = chosen.iter().any(|o| o.result() == Sort::INT);
    let base = usable.iter().filter(|o| match o.op {
        Op::StrInRe | Op::StrToRe => chosen.iter().any(is_language),
        Op::Eq => o.args[0] == Sort::STRING || (ints && o.args[0] == Sort::INT),
        Op::Not => true,
        _ => false,
    });
    let base: Vec<Operator> = base.copied().collect();
    chosen.extend(base);
    if g.dice.one_in(3) {
        let more = [Op::Or, Op::And, Op::Ite, Op::StrLen, Op::StrConcat];
        let op = *g.dice.pick(&more);
        chosen.extend(usable.iter().filter(|o| o.op == op));
    }
    let mut distinct: Vec<Operator> = Vec::new();
    for o in chosen {
        if !distinct.iter().any(|d| d.op == o.op && d.args == o.args) {
            distinct.push(o);
        }
    }
    distinct
}

/// Two strings, an integer perhaps, and few literals.
fn alphabet(g: &mut Grower<'_>) -> Vec<Term> {
    let words: Vec<&str> = (0..1 + g.dice.index(3)).map(|_| *g.dice.pick(WORDS)).collect();
    let numbers: Vec<i64> = (0..1 + g.dice.index(2)).map(|_| *g.dice.pick(NUMBERS)).collect();
    let ints: &[&str] = if g.dice.one_in(2) { &["i"] } else { &[] };
    let mut leaves = leaves(g, ["x", "y"], ints, &words, &numbers);
    leaves.sort_unstable();
    leaves.dedup();
    leaves
}
