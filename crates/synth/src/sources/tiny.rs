//! All small formulas: every well-sorted Boolean term over few constants and literals, by size.
//!
//! Instance number *n* is the term number *n* in the order of sizes; the seed permutes the terms of a size, so that a hunt that ends within a size
//! has an even sample of it. Left out are terms that differ only in the order of a commutative operator or in the names of constants, and
//! those without constants.

use super::count::Count;
use super::grow::Grower;
use super::{Made, Material, Source, Truth};
use crate::dice::Dice;
use crate::mine::grammar::{OPERATORS, Operator};
use semantics::{Satisfaction, Str, Value};
use smt::{Fun, Head, Op, Sort, Term};

pub(super) static TINY: Source = Source {
    name: "tiny",
    about: "all formulas of a size over two strings, an integer and few literals, the smallest first",
    truth: "sat if one of some small values is a model, otherwise unknown",
    needs_corpus: false,
    make,
};

/// The size of the largest terms; there are more of them than any hunt asks about.
const LARGEST: usize = 9;
/// Models that are tried.
const TRIED: usize = 40;

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    let [seed, mut number] = dice.key();
    let mut g = Grower::new(dice, &material.shape);
    let operators: Vec<Operator> = OPERATORS.iter().copied().filter(|o| has(&g, o.op)).collect();
    let leaves = leaves(&mut g, ["x", "y"], &["i"], &["", "a", "b"], &[0, 1, -1]);
    let count = Count::new(&g, &operators, &leaves, LARGEST);
    for size in 2..=LARGEST {
        let terms = count.of(Sort::BOOL, size);
        if number < terms {
            let t = count.term(&mut g, Sort::BOOL, size, permuted(number, terms, seed))?;
            return is_first(&g, t).then(|| tried(g, &[t], TRIED));
        }
        number -= terms;
    }
    None
}

/// The solver has the operator.
pub(super) fn has(g: &Grower<'_>, op: Op) -> bool {
    !g.shape.weights.iter().any(|(name, weight)| *weight == 0 && name == op.name())
}

/// Constants, literals and plain languages.
pub(super) fn leaves(
    g: &mut Grower<'_>,
    strings: [&str; 2],
    ints: &[&str],
    words: &[&str],
    numbers: &[i64],
) -> Vec<Term> {
    let mut leaves: Vec<Term> = strings.iter().map(|name| constant(g, name, Sort::STRING)).collect();
    leaves.extend(ints.iter().map(|name| constant(g, name, Sort::INT)).collect::<Vec<_>>());
    leaves.extend(words.iter().map(|w| g.lit(w)).collect::<Vec<_>>());
    leaves.extend(numbers.iter().map(|&n| g.num(n)).collect::<Vec<_>>());
    for op in [Op::ReAllchar, Op::ReAll, Op::ReNone] {
        if has(g, op) {
            leaves.push(g.op(op, &[]));
        }
    }
    leaves
}

fn constant(g: &mut Grower<'_>, name: &str, sort: Sort) -> Term {
    let value = if sort == Sort::INT { Value::Int(0.into()) } else { Value::Str(Str::default()) };
    g.constant_named(name, sort, value)
}

/// A number below `all`, another one for each number: `number` times a factor that has no divisor in common with `all`.
fn permuted(number: u64, all: u64, seed: u64) -> u64 {
    let all = u128::from(all);
    let mut factor = (all * 618 / 1000).max(1);
    while gcd(factor, all) > 1 {
        factor += 1;
    }
    ((u128::from(number) * factor + u128::from(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15)) % all) as u64
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The first constant of its sort occurs, and before the others; some constant does.
fn is_first(g: &Grower<'_>, t: Term) -> bool {
    let mut seen: Vec<Fun> = Vec::new();
    let mut waiting = vec![t];
    while let Some(t) = waiting.pop() {
        match g.pool.head(t) {
            Head::Fun(f) if !seen.contains(&f) => seen.push(f),
            _ => waiting.extend(g.pool.args(t).iter().rev()),
        }
    }
    let strings: Vec<Fun> = seen.iter().copied().filter(|&f| g.pool.fun(f).ret == Sort::STRING).collect();
    !seen.is_empty()
        && strings.is_sorted_by_key(|f| f.0)
        && strings.first().is_none_or(|&f| Some(f) == g.fun(g.constants[0].0))
}

/// An instance that is satisfiable if one of some small models is accepted, and unlabelled otherwise.
pub(super) fn tried(mut g: Grower<'_>, assertions: &[Term], models: usize) -> Made {
    for _ in 0..models {
        for at in 0..g.constants.len() {
            let value = if g.pool.sort_of(g.constants[at].0) == Sort::INT {
                Value::Int(g.dice.int(-1, 3).into())
            } else {
                let word: Vec<u32> =
                    (0..g.dice.index(4)).map(|_| *g.dice.pick(&[97, 97, 98, 98, 48])).collect();
                Value::Str(Str::from(&word[..]))
            };
            g.reassign(at, value);
        }
        if assertions.iter().all(|&t| g.truth(t) == Satisfaction::Holds) {
            let truth = Truth::Sat(Box::new(g.model));
            return Made::new(g.pool, assertions, truth);
        }
    }
    Made::new(g.pool, assertions, Truth::Unknown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn numbers_are_permuted() {
        for (all, seed) in [(1, 0), (2, 9), (97, 1), (1000, 7), (4096, u64::MAX)] {
            let seen: BTreeSet<u64> = (0..all).map(|n| permuted(n, all, seed)).collect();
            assert!(seen.len() as u64 == all && seen.last() < Some(&all), "{all}");
        }
    }

    /// No formula comes twice, and the small ones come first. (The number −1 is two terms.)
    #[test]
    fn formulas_are_enumerated() {
        let material = Material::default();
        let mut seen = BTreeSet::new();
        let mut sizes = Vec::new();
        for number in 0..3000 {
            let Some(made) = make(&mut Dice::keyed([5, number, 0, 0]), &material) else { continue };
            let terms: Vec<Term> = made.instance.script.assertions().collect();
            sizes.push(made.instance.pool.subterms(terms).count());
            let text = made.text("tiny", "n");
            let asserted: String = text.lines().filter(|l| l.starts_with("(assert")).collect();
            assert!(seen.insert(asserted.clone()), "{asserted}");
        }
        assert!(sizes.len() > 500 && sizes[..100].iter().max() <= Some(&5), "{}", sizes.len());
    }
}
