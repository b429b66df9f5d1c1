//! Random well-sorted terms over the operator table, by weights.
//!
//! Every operator of the table can occur, with a probability given by its weight among those with the same result
//! sort; so can every sort, where an operator is polymorphic. A term is built with an explicit stack, so that its depth
//! costs memory only.

mod weights;

pub use weights::Weights;

use super::Builder;
use crate::dice::Dice;
use smt::op::{S, Shape};
use smt::typing::builtin_sort;
use smt::{Head, Int, Op, Sort, Term};
use std::sync::LazyLock;

/// The number of nodes of a term after which only leaves follow.
const MAX_NODES: usize = 100_000;

/// Chainable by the standard, but neither z3 nor cvc5 reads a chain.
const BINARY: [Op; 2] = [Op::StrLt, Op::StrLe];

/// The shape of terms.
#[derive(Clone, Debug, PartialEq)]
pub struct Grammar {
    /// The weights of operators and sorts.
    pub weights: Weights,
    /// The maximal number of arguments of an operator that takes any number.
    pub max_terms: u64,
    /// The longest string literal.
    pub max_string: u64,
    /// The number of different letters in string literals; 0 for all.
    pub letters: u64,
    /// The greatest integer literal.
    pub max_int: u64,
    /// The probability that a leaf is a literal.
    pub literal_chance: f64,
    /// Only meaningful arguments: single characters in order as bounds of ranges, literals as regular expressions,
    /// divisors that are not 0, products with one unknown.
    pub meaningful: bool,
}

/// The variables of terms, by sort.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// By the number of the sort.
    vars: [Vec<Term>; SORTS],
}

const SORTS: usize = 6;

impl Scope {
    /// Adds a variable.
    pub fn add(&mut self, sort: Sort, v: Term) {
        self.vars[sort.0 as usize].push(v);
    }

    /// Those of a sort.
    pub fn of(&self, sort: Sort) -> &[Term] {
        &self.vars[sort.0 as usize]
    }
}

/// The operators with arguments by the number of their result's sort; those that take any sort are in all.
static BY_SORT: LazyLock<[Vec<Op>; SORTS]> = LazyLock::new(|| {
    std::array::from_fn(|i| {
        let fits = |s: S| match s {
            S::Any => i > 0,
            S::Num => [Sort::INT.0 as usize, Sort::REAL.0 as usize].contains(&i),
            s => sort(s).0 as usize == i,
        };
        Op::all().filter(|op| !op.row().params.is_empty() && fits(op.row().ret)).collect()
    })
});

/// The sort of a signature; none if it is polymorphic.
fn sort(s: S) -> Sort {
    builtin_sort(s).unwrap_or(Sort::OPAQUE)
}

/// A pending term.
#[derive(Clone, Copy)]
enum Task {
    /// A term of this sort and depth.
    Term(Sort, u64),
    /// A literal of this sort.
    Literal(Sort),
    /// A literal that is not 0.
    NonZero,
    /// An application to the last terms.
    Build(Head, Sort, usize),
}

/// Builds terms.
pub struct Terms<'t> {
    /// The shape of the terms.
    pub grammar: &'t Grammar,
    /// Their variables.
    pub scope: &'t Scope,
    /// Random choices.
    pub dice: &'t mut Dice,
}

impl Terms<'_> {
    /// A term of this sort and at most this depth.
    pub fn term(&mut self, b: &mut Builder, sort: Sort, depth: u64) -> Term {
        let mut tasks = vec![Task::Term(sort, depth)];
        let mut made: Vec<Term> = Vec::new();
        let mut nodes = 0;
        while let Some(task) = tasks.pop() {
            match task {
                Task::Term(sort, depth) => {
                    nodes += 1;
                    let op = if depth == 0 || nodes > MAX_NODES { None } else { self.operator(sort) };
                    match op {
                        Some(op) => self.application(b, op, sort, depth, &mut tasks, &mut made),
                        None => made.push(self.leaf(b, sort)),
                    }
                }
                Task::Literal(sort) => made.push(self.literal(b, sort)),
                Task::NonZero => {
                    let n = self.dice.between(1, self.grammar.max_int.max(1));
                    made.push(b.int(n));
                }
                Task::Build(head, sort, count) => {
                    let args = made.split_off(made.len() - count);
                    made.push(b.pool().mk(head, sort, &args));
                }
            }
        }
        made.pop().expect("a term was made")
    }

    /// An operator with this result, by weight; none if all weights are 0.
    fn operator(&mut self, sort: Sort) -> Option<Op> {
        let list = &BY_SORT[sort.0 as usize];
        let weights = &self.grammar.weights;
        // One that takes any sort takes this only if the sort has a weight: cvc5 has no `ite` of regular expressions.
        let taken = |op: Op| op.row().ret != S::Any || weights.of_sort(sort) > 0;
        let weight = |op: Op| if taken(op) { u64::from(weights.of(op)) } else { 0 };
        let total: u64 = list.iter().map(|op| weight(*op)).sum();
        if total == 0 {
            return None;
        }
        let mut left = self.dice.below(total);
        list.iter().copied().find(|op| {
            let w = weight(*op);
            let here = left < w;
            left = left.saturating_sub(w);
            here
        })
    }

    /// A sort for a polymorphic operator.
    fn any_sort(&mut self, among: &[Sort]) -> Sort {
        let weight = |s: &Sort| u64::from(self.grammar.weights.of_sort(*s));
        let total: u64 = among.iter().map(weight).sum();
        if total == 0 {
            return among[0];
        }
        let mut left = self.dice.below(total);
        for s in among {
            let w = u64::from(self.grammar.weights.of_sort(*s));
            if left < w {
                return *s;
            }
            left -= w;
        }
        among[0]
    }

    fn application(
        &mut self,
        b: &mut Builder,
        op: Op,
        result: Sort,
        depth: u64,
        tasks: &mut Vec<Task>,
        made: &mut Vec<Term>,
    ) {
        if op == Op::ReRange && self.grammar.meaningful {
            return made.push(self.range(b));
        }
        let row = op.row();
        // The sort of polymorphic parameters.
        let any = match row.ret {
            S::Any | S::Num => result,
            _ if row.params.contains(&S::Any) => {
                self.any_sort(&[Sort::STRING, Sort::INT, Sort::BOOL, Sort::REGLAN, Sort::REAL])
            }
            _ if row.params.contains(&S::Num) => self.any_sort(&[Sort::INT, Sort::REAL]),
            _ => Sort::OPAQUE,
        };
        let count = if row.shape == Shape::Fixed || BINARY.contains(&op) {
            row.params.len()
        } else {
            self.dice.between(2, self.grammar.max_terms) as usize
        };
        let head = self.head(b, op);
        tasks.push(Task::Build(head, result, count));
        let start = tasks.len();
        for i in 0..count {
            let param = row.params[i.min(row.params.len() - 1)];
            let sort = if matches!(param, S::Any | S::Num) { any } else { sort(param) };
            tasks.push(self.argument(op, i, sort, depth));
        }
        tasks[start..].reverse();
    }

    fn argument(&mut self, op: Op, i: usize, sort: Sort, depth: u64) -> Task {
        if op == Op::ReRange {
            // cvc5 accepts no others.
            return Task::Literal(sort);
        }
        if self.grammar.meaningful {
            match op {
                Op::StrToRe => return Task::Literal(sort),
                Op::IntDiv | Op::Mod if i > 0 => return Task::NonZero,
                Op::Mul | Op::RealDiv if i > 0 => return Task::Literal(sort),
                _ => {}
            }
        }
        Task::Term(sort, self.dice.below(depth))
    }

    /// The operator with its indices.
    fn head(&mut self, b: &mut Builder, op: Op) -> Head {
        let most = self.grammar.max_int.max(1);
        let index = match op {
            Op::Divisible => vec![self.dice.between(1, most)],
            Op::RePower => vec![self.dice.between(0, most)],
            Op::ReLoop => {
                let (a, z) = (self.dice.between(0, most), self.dice.between(0, most));
                if self.grammar.meaningful { vec![a.min(z), a.max(z)] } else { vec![a, z] }
            }
            _ => return Head::Op(op),
        };
        let index: Vec<Int> = index.into_iter().map(Int::from).collect();
        Head::Indexed(op, b.pool().index(&index))
    }

    fn range(&mut self, b: &mut Builder) -> Term {
        let (x, y) = (self.letter(), self.letter());
        let (low, high) = (b.string(&[x.min(y)]), b.string(&[x.max(y)]));
        b.mk(Op::ReRange, Sort::REGLAN, &[low, high])
    }

    fn leaf(&mut self, b: &mut Builder, sort: Sort) -> Term {
        let vars = self.scope.of(sort);
        if vars.is_empty() || self.dice.chance(self.grammar.literal_chance) {
            return self.literal(b, sort);
        }
        *self.dice.pick(vars)
    }

    /// A letter; one of the first if their number is limited.
    fn letter(&mut self) -> u32 {
        match self.grammar.letters {
            0 => self.dice.letter(),
            n => b'a' as u32 + self.dice.below(n.min(26)) as u32,
        }
    }

    /// A literal; of regular expressions, one of those without arguments or a word.
    pub fn literal(&mut self, b: &mut Builder, sort: Sort) -> Term {
        match sort {
            Sort::BOOL => {
                let value = self.dice.below(2) == 0;
                b.pool().bool(value)
            }
            Sort::INT => {
                let n = self.dice.between(0, self.grammar.max_int);
                b.int(n)
            }
            Sort::REAL => {
                let n = self.dice.between(0, self.grammar.max_int);
                b.pool().real(Int::from(n).into())
            }
            Sort::STRING => {
                let length = self.dice.between(0, self.grammar.max_string);
                let word: Vec<u32> = (0..length).map(|_| self.letter()).collect();
                b.string(&word)
            }
            _ => self.language(b),
        }
    }

    fn language(&mut self, b: &mut Builder) -> Term {
        let among = [Op::StrToRe, Op::ReNone, Op::ReAll, Op::ReAllchar];
        let weights = among.map(|op| u64::from(self.grammar.weights.of(op)));
        let mut left = self.dice.below(weights.iter().sum::<u64>().max(1));
        for (op, w) in among.into_iter().zip(weights) {
            if left < w && op != Op::StrToRe {
                return b.mk(op, Sort::REGLAN, &[]);
            }
            if left < w {
                break;
            }
            left -= w;
        }
        let literal = self.literal(b, Sort::STRING);
        b.mk(Op::StrToRe, Sort::REGLAN, &[literal])
    }
}
