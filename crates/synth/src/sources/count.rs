//! Terms by number: how many there are of a sort and size, and the one with a given number.
//!
//! The size of a term is the number of its operators, constants and literals.

use super::grow::Grower;
use crate::mine::grammar::{Operator, commutative};
use smt::{Head, Int, Op, Sort, Term};

/// The largest size.
pub(super) const LARGEST: usize = 14;

const SORTS: [Sort; 4] = [Sort::BOOL, Sort::INT, Sort::STRING, Sort::REGLAN];

fn place(sort: Sort) -> usize {
    SORTS.iter().position(|&s| s == sort).unwrap_or(0)
}

/// Operators and leaves, with the number of terms of each sort and size.
pub(super) struct Count {
    operators: [Vec<Operator>; 4],
    leaves: [Vec<Term>; 4],
    /// By sort and size.
    terms: [[u64; LARGEST + 1]; 4],
    /// The lists of `n` arguments, by operator and size of all: `rest[sort][operator][first argument][size]`.
    rest: [Vec<[[u64; LARGEST + 1]; 4]>; 4],
    largest: usize,
}

impl Count {
    /// Counts terms up to a size.
    pub(super) fn new(g: &Grower<'_>, operators: &[Operator], leaves: &[Term], largest: usize) -> Count {
        let mut count = Count {
            operators: Default::default(),
            leaves: Default::default(),
            terms: Default::default(),
            rest: Default::default(),
            largest: largest.min(LARGEST),
        };
        for &t in leaves {
            count.leaves[place(g.pool.sort_of(t))].push(t);
        }
        for &operator in operators {
            let at = place(operator.result());
            count.operators[at].push(operator);
            count.rest[at].push(Default::default());
        }
        for size in 1..=count.largest {
            count.layer(size);
        }
        count
    }

    /// The number of terms.
    pub(super) fn of(&self, sort: Sort, size: usize) -> u64 {
        self.terms[place(sort)][size.min(LARGEST)]
    }

    /// Terms of this size from smaller ones.
    fn layer(&mut self, size: usize) {
        for sort in 0..4 {
            let mut all = if size == 1 { self.leaves[sort].len() as u64 } else { 0 };
            for at in 0..self.operators[sort].len() {
                let args = self.operators[sort][at].args;
                for first in (0..args.len()).rev() {
                    self.rest[sort][at][first][size - 1] = self.lists(sort, at, first, size - 1);
                }
                all = all.saturating_add(self.rest[sort][at][0][size - 1]);
            }
            self.terms[sort][size] = all;
        }
    }

    /// The lists of arguments from the one at `first` on, of this size.
    fn lists(&self, sort: usize, at: usize, first: usize, size: usize) -> u64 {
        let args = self.operators[sort][at].args;
        let own = &self.terms[place(args[first])];
        if first + 1 == args.len() {
            return own[size];
        }
        let others = &self.rest[sort][at][first + 1];
        (1..size).fold(0, |n: u64, k| n.saturating_add(own[k].saturating_mul(others[size - k])))
    }

    /// The term with a number below [`Count::of`]; none if it differs from another one only in the order of a commutative operator, or is
    /// a double negation.
    pub(super) fn term(&self, g: &mut Grower<'_>, sort: Sort, size: usize, mut number: u64) -> Option<Term> {
        let sort = place(sort);
        if size == 1 {
            return self.leaves[sort].get(number as usize).copied();
        }
        let mut at = 0;
        while number >= self.rest[sort][at][0][size - 1] {
            number -= self.rest[sort][at][0][size - 1];
            at += 1;
        }
        let operator = self.operators[sort][at];
        let (mut args, mut left, mut keys) = (Vec::new(), size - 1, Vec::new());
        for first in 0..operator.args.len() {
            let own = operator.args[first];
            let (mut k, mut others) = (left, 1);
            if first + 1 < operator.args.len() {
                k = 1;
                loop {
                    others = self.rest[sort][at][first + 1][left - k];
                    let lists = self.of(own, k).saturating_mul(others);
                    if number < lists {
                        break;
                    }
                    number -= lists;
                    k += 1;
                }
            }
            keys.push((k, number / others));
            args.push(self.term(g, own, k, number / others)?);
            number %= others;
            left -= k;
        }
        let negated = operator.op == Op::Not && g.pool.head(args[0]) == Head::Op(Op::Not);
        if negated || (commutative(operator.op) && keys[0] >= keys[1]) {
            return None;
        }
        if operator.indices.is_empty() {
            return Some(g.op(operator.op, &args));
        }
        let indices: Vec<Int> = operator.indices.iter().map(|&n| Int::from(n)).collect();
        g.pool.indexed(operator.op, &indices, &args).ok()
    }

    /// A random term of a size, or of the next smaller one of which there are any.
    pub(super) fn draw(&self, g: &mut Grower<'_>, sort: Sort, size: usize) -> Option<Term> {
        let size = (1..=size.min(self.largest)).rev().find(|&n| self.of(sort, n) > 0)?;
        let number = ((g.dice.below(1 << 32) << 32) | g.dice.below(1 << 32)) % self.of(sort, size);
        self.term(g, sort, size, number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;
    use crate::mine::grammar::OPERATORS;
    use crate::sources::Shape;
    use std::collections::BTreeSet;

    /// Every number is another term, of the wanted size.
    #[test]
    fn numbers_are_terms() {
        let (mut dice, shape) = (Dice::keyed([0; 4]), Shape::default());
        let mut g = Grower::new(&mut dice, &shape);
        let leaves = [g.lit(""), g.lit("a"), g.num(0), g.op(Op::ReAllchar, &[])];
        let count = Count::new(&g, OPERATORS, &leaves, 5);
        assert_eq!([1, 2].map(|n| count.of(Sort::REGLAN, n)), [1, 2 + 6]);
        let mut all = BTreeSet::new();
        for size in 1..=4 {
            for sort in SORTS {
                for number in 0..count.of(sort, size) {
                    let Some(t) = count.term(&mut g, sort, size, number) else { continue };
                    assert!(all.insert(t), "{number}");
                    assert_eq!((g.pool.sort_of(t), nodes(&g, t)), (sort, size));
                }
            }
        }
        assert!(all.len() > 500, "{}", all.len());
    }

    fn nodes(g: &Grower<'_>, t: Term) -> usize {
        1 + g.pool.args(t).iter().map(|&a| nodes(g, a)).sum::<usize>()
    }
}
