//! Constants with few values each, so that trying all of them decides a formula both ways.
//!
//! Each constant has a domain, as a disjunction of equations, a range, the beginnings of a word or a finite language; then there are small assertions over few
//! operators ([`swarm`]). A solver has to split cases, and to evaluate and propagate in each.

use super::grow::Grower;
use super::swarm::Swarm;
use super::{Made, Material, Source, Truth};
use crate::dice::Dice;
use semantics::{Satisfaction, Str, Value};
use smt::{Op, Sort, Term};

pub(super) static DOMAINS: Source = Source {
    name: "domains",
    about: "constants with few values each, and small assertions over few operators",
    truth: "by trying all values",
    needs_corpus: false,
    make,
};

/// Words of domains.
const WORDS: &[&str] = &["", "", "a", "b", "ab", "ba", "aa", "0", "1", "10", "a0", "aba", "abb"];

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    let mut g = Grower::new(dice, &material.shape);
    let swarm = Swarm::new(&mut g);
    let mut assertions = swarm.assertions(&mut g, 3);
    let used: Vec<usize> = (0..g.constants.len())
        .filter(|&at| g.pool.subterms(assertions.iter().copied()).any(|t| t == g.constants[at].0))
        .collect();
    if used.is_empty() {
        return None;
    }
    let mut domains = Vec::new();
    for &at in &used {
        let x = g.constants[at].0;
        let (values, t) = if g.pool.sort_of(x) == Sort::INT { range(&mut g, x) } else { words(&mut g, x) };
        assertions.push(t);
        domains.push((at, values));
    }
    g.dice.shuffle(&mut assertions);
    decided(g, &assertions, &domains)
}

/// An integer between two others.
pub(super) fn range(g: &mut Grower<'_>, x: Term) -> (Vec<Value>, Term) {
    let low = if g.dice.one_in(6) { *g.dice.pick(&[9, 47, 96]) } else { g.dice.int(-2, 1) };
    let high = low + g.dice.int(0, 3);
    let args = [g.num(low), x, g.num(high)];
    let t = match g.dice.index(3) {
        0 => {
            let both = [g.op(Op::Le, &args[..2]), g.op(Op::Le, &args[1..])];
            g.all(&both)
        }
        1 => {
            let numbers: Vec<Term> = (low..=high).map(|n| g.num(n)).collect();
            let each: Vec<Term> = numbers.iter().map(|&n| g.eq(x, n)).collect();
            any(g, &each)
        }
        _ => g.op(Op::Le, &args),
    };
    ((low..=high).map(|n| Value::Int(n.into())).collect(), t)
}

/// A literal like those of domains.
pub(super) fn word(g: &mut Grower<'_>) -> Term {
    let word = *g.dice.pick(WORDS);
    g.lit(word)
}

/// One of few words.
pub(super) fn words(g: &mut Grower<'_>, x: Term) -> (Vec<Value>, Term) {
    if g.dice.one_in(5) {
        return beginnings(g, x);
    }
    let count = 1 + g.dice.index(3);
    let mut words: Vec<&str> = (0..count).map(|_| *g.dice.pick(WORDS)).collect();
    words.sort_unstable();
    words.dedup();
    let literals: Vec<Term> = words.iter().map(|w| g.lit(w)).collect();
    let t = if g.dice.one_in(3) {
        let each: Vec<Term> = literals.iter().map(|&w| g.op(Op::StrToRe, &[w])).collect();
        let r = if each.len() > 1 { g.op(Op::ReUnion, &each) } else { each[0] };
        g.op(Op::StrInRe, &[x, r])
    } else {
        let each: Vec<Term> = literals.iter().map(|&w| g.eq(x, w)).collect();
        any(g, &each)
    };
    let value = |w: &&str| Value::Str(Str::from(&w.chars().map(u32::from).collect::<Vec<_>>()[..]));
    (words.iter().map(value).collect(), t)
}

/// The beginnings of a word, or its ends.
fn beginnings(g: &mut Grower<'_>, x: Term) -> (Vec<Value>, Term) {
    let word: Vec<u32> = g.dice.pick(WORDS).chars().map(u32::from).collect();
    let first = g.dice.one_in(2);
    let part = |n: usize| Value::Str(Str::from(if first { &word[..n] } else { &word[n..] }));
    let values = (0..=word.len()).map(part).collect();
    let whole = g.spell(&Value::Str(Str::from(&word[..])));
    let op = if first { Op::StrPrefixof } else { Op::StrSuffixof };
    (values, g.op(op, &[x, whole]))
}

fn any(g: &mut Grower<'_>, terms: &[Term]) -> Term {
    if terms.len() > 1 { g.op(Op::Or, terms) } else { terms[0] }
}

/// Tries all values. `domains` has the places of constants with their values; one of `assertions` confines each of them to these.
pub(super) fn decided(
    mut g: Grower<'_>,
    assertions: &[Term],
    domains: &[(usize, Vec<Value>)],
) -> Option<Made> {
    let mut places = vec![0; domains.len()];
    loop {
        for ((at, values), &place) in domains.iter().zip(&places) {
            g.reassign(*at, values[place].clone());
        }
        let mut all = Satisfaction::Holds;
        for &t in assertions {
            match g.truth(t) {
                Satisfaction::Holds => {}
                Satisfaction::Fails => {
                    all = Satisfaction::Fails;
                    break;
                }
                undetermined => all = undetermined,
            }
        }
        match all {
            Satisfaction::Holds => {
                let truth = Truth::Sat(Box::new(g.model));
                return Some(Made::new(g.pool, assertions, truth));
            }
            Satisfaction::Fails => {}
            Satisfaction::Undetermined(_) => return None,
        }
        let Some(next) = (0..places.len()).find(|&i| places[i] + 1 < domains[i].1.len()) else {
            let core = (0..assertions.len()).collect();
            return Some(Made::new(g.pool, assertions, Truth::Unsat(core)));
        };
        places[next] += 1;
        places[..next].fill(0);
    }
}
