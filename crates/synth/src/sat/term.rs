//! *Term synthesis*: operations applied to operations, with constants replaced by variables.
//!
//! The pool has, for each operation, its applications to constants (and, past bound 1, to terms of the pool), one for
//! each value. The operation under test is applied to terms of the pool and equated with a term of each operation
//! that has the same value. Then every constant becomes a variable, the same constant the same variable; or, mixed
//! with constant assignment, only some do.

use super::constant::constant_value;
use super::{Batch, values};
use crate::constants::Constants;
use crate::dice::Dice;
use crate::operation::Operation;
use crate::substitute::{constant, substitute};
use crate::text::{Category, Member, model, script};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::instance::Truth;
use semantics::{Reading, Value};
use smt::print::term_text;
use smt::{Head, Op, Pool, Sort, Term, Walk};

/// How terms are synthesised.
#[derive(Clone, Debug)]
pub struct TermOptions {
    /// The depth of the terms of the pool.
    pub bound: usize,
    /// As in the paper: one term of each operation as argument, the first of its pool. Otherwise any.
    pub first_only: bool,
    /// At most this many choices of arguments per operation.
    pub limit: usize,
    /// At most this many terms to equate each with, of operations chosen at random.
    pub results: usize,
    /// Replace only some of the constants by variables.
    pub mix: bool,
    /// The seed of random choices.
    pub seed: u64,
}

/// An operation's terms, one for each value, in the order they were found.
#[derive(Default)]
struct Shelf {
    terms: Vec<(Term, Value)>,
}

impl Shelf {
    fn with_value(&self, value: &Value) -> Option<Term> {
        self.terms.iter().find(|(_, v)| v == value).map(|(t, _)| *t)
    }
}

/// At most this many applications of one operation at one level of the pool.
const MAX_APPLICATIONS: usize = 4096;

/// The tests of `op`, with terms of all `ops`.
pub fn terms(op: Op, ops: &[Op], constants: &Constants, options: &TermOptions, reading: Reading) -> Batch {
    let mut pool = Pool::new();
    let operations: Vec<Operation> = ops.iter().map(|&o| Operation::new(&mut pool, o)).collect();
    let shelves = shelves(&mut pool, &operations, constants, options.bound, reading);
    let subject = Operation::new(&mut pool, op);
    let mut dice = Dice::new(options.seed, op as u64);
    let lists: Vec<Vec<Term>> = (0..subject.holes.len())
        .map(|i| arguments(&mut pool, &subject, i, constants, &shelves, options))
        .collect();
    let tuples = tuples(&lists, options.limit, &mut dice);
    let applications: Vec<Term> = tuples.iter().map(|args| apply(&mut pool, &subject, args)).collect();
    let (found, _) = values(&pool, &applications, reading);
    let sort = pool.sort_of(subject.term);
    let mut members = Vec::new();
    let (mut seen, mut free) = (FxHashSet::default(), Free::default());
    for (&application, value) in applications.iter().zip(found) {
        let Some(value) = value else { continue };
        let equal = operations.iter().zip(&shelves).filter(|(o, _)| pool.sort_of(o.term) == sort);
        let mut equal: Vec<Term> = equal.filter_map(|(_, shelf)| shelf.with_value(&value)).collect();
        while equal.len() > options.results {
            equal.remove(dice.index(equal.len()));
        }
        let not = if value == Value::Bool(false) { "not " } else { "" };
        for result in equal {
            let Ok(ground) = pool.op(Op::Eq, &[application, result]) else { continue };
            let forgotten = forgotten(&pool, ground, options.mix, &mut dice);
            if forgotten.is_empty() {
                continue;
            }
            let (assertion, values) = free.abstracted(&mut pool, ground, &forgotten);
            // The paper's suite repeats some formulas; so does its preset. Ours does not.
            if options.first_only || seen.insert(assertion) {
                let operation = format!("{not}{}", subject.name);
                members.push(member(&pool, operation, ground, assertion, values));
            }
        }
    }
    Batch { pool, members }.checked(reading)
}

/// The pool of terms.
fn shelves(
    pool: &mut Pool,
    operations: &[Operation],
    constants: &Constants,
    bound: usize,
    reading: Reading,
) -> Vec<Shelf> {
    let mut shelves: Vec<Shelf> = operations.iter().map(|_| Shelf::default()).collect();
    for level in 1..=bound.max(1) {
        let mut new = Vec::new();
        for operation in operations {
            let lists: Vec<Vec<Term>> = operation
                .holes
                .iter()
                .zip(&operation.fixed)
                .map(|(&h, &fixed)| {
                    let sort = pool.sort_of(h);
                    let mut list = constants.of(pool, sort);
                    if level > 1 && !fixed {
                        list.extend(
                            shelves
                                .iter()
                                .flat_map(|s| &s.terms)
                                .map(|(t, _)| *t)
                                .filter(|t| pool.sort_of(*t) == sort),
                        );
                    }
                    list
                })
                .collect();
            let tuples = tuples(&lists, MAX_APPLICATIONS, &mut Dice::new(0, level as u64));
            new.push(tuples.iter().map(|args| apply(pool, operation, args)).collect::<Vec<_>>());
        }
        let all: Vec<Term> = new.iter().flatten().copied().collect();
        let (found, _) = values(pool, &all, reading);
        let mut pairs = all.into_iter().zip(found);
        for (shelf, list) in shelves.iter_mut().zip(&new) {
            for (t, value) in pairs.by_ref().take(list.len()) {
                if let Some(value) = value
                    && shelf.with_value(&value).is_none()
                {
                    shelf.terms.push((t, value));
                }
            }
        }
    }
    shelves
}

/// The possible arguments of a hole.
fn arguments(
    pool: &mut Pool,
    subject: &Operation,
    hole: usize,
    constants: &Constants,
    shelves: &[Shelf],
    options: &TermOptions,
) -> Vec<Term> {
    let sort = pool.sort_of(subject.holes[hole]);
    if subject.fixed[hole] {
        return constants.of(pool, sort);
    }
    let take = if options.first_only { 1 } else { usize::MAX };
    let of_shelf = |s: &Shelf| s.terms.iter().take(take).map(|(t, _)| *t).collect::<Vec<_>>();
    shelves.iter().flat_map(of_shelf).filter(|&t| pool.sort_of(t) == sort).collect()
}

/// All combinations of one of each list; a random choice of `limit` of them if there are more.
fn tuples(lists: &[Vec<Term>], limit: usize, dice: &mut Dice) -> Vec<Vec<Term>> {
    let total = lists.iter().map(|l| l.len() as u128).product::<u128>();
    let nth = |mut n: u128| {
        let mut tuple = vec![Term(0); lists.len()];
        for (slot, list) in tuple.iter_mut().zip(lists).rev() {
            *slot = list[(n % list.len() as u128) as usize];
            n /= list.len() as u128;
        }
        tuple
    };
    if total <= limit as u128 {
        return (0..total).map(nth).collect();
    }
    let mut chosen = std::collections::BTreeSet::new();
    while chosen.len() < limit {
        chosen.insert(u128::from(dice.below(u64::try_from(total).unwrap_or(u64::MAX))));
    }
    chosen.into_iter().map(nth).collect()
}

fn apply(pool: &mut Pool, operation: &Operation, args: &[Term]) -> Term {
    let map = operation.holes.iter().copied().zip(args.iter().copied()).collect();
    substitute(pool, operation.term, &map)
}

/// The literals of a term to forget: all of them, or a random choice if `mix`.
fn forgotten(pool: &Pool, ground: Term, mix: bool, dice: &mut Dice) -> Vec<Term> {
    let mut literals = literals_in(pool, ground);
    if mix {
        let keep = dice.below(literals.len().max(1) as u64);
        for _ in 0..keep {
            literals.remove(dice.index(literals.len()));
        }
    }
    literals
}

/// The constants that replace forgotten literals, by number and sort. All formulas of a pool share them, so that equal
/// formulas are equal terms.
#[derive(Default)]
struct Free(FxHashMap<(usize, Sort), Term>);

impl Free {
    fn constant(&mut self, pool: &mut Pool, number: usize, sort: Sort) -> Term {
        *self.0.entry((number, sort)).or_insert_with(|| {
            let base = if sort == Sort::INT { "int" } else { "str" };
            let name = pool.names.intern(&format!("tmp_{base}_{number}"));
            constant(pool, name, sort)
        })
    }

    /// `ground` with constants for these literals, and their values.
    fn abstracted(&mut self, pool: &mut Pool, ground: Term, literals: &[Term]) -> (Term, Vec<(Term, Value)>) {
        let mut map: FxHashMap<Term, Term> = FxHashMap::default();
        let mut values = Vec::new();
        for (n, &literal) in literals.iter().enumerate() {
            let c = self.constant(pool, n, pool.sort_of(literal));
            map.insert(literal, c);
            values.push((c, constant_value(pool, literal)));
        }
        (outside_languages(pool, ground, &map), values)
    }
}

fn member(
    pool: &Pool,
    operation: String,
    ground: Term,
    assertion: Term,
    values: Vec<(Term, Value)>,
) -> Member {
    let constants: Vec<Term> = values.iter().map(|(c, _)| *c).collect();
    Member {
        category: Category::Term,
        operation,
        rule: String::new(),
        recipe: format!("from {}", term_text(pool, ground)),
        script: script(pool, &constants, &[assertion]),
        truth: Truth::Sat(Box::new(model(pool, values.into_iter()))),
        drops: Vec::new(),
    }
}

/// The strings and integers in a term, other than in its regular expressions.
fn literals_in(pool: &Pool, t: Term) -> Vec<Term> {
    let (mut out, mut walk) = (Vec::new(), Walk::new([t]));
    while let Some(t) = walk.next() {
        if pool.sort_of(t) == Sort::REGLAN {
            continue;
        }
        if matches!(pool.head(t), Head::Str(_) | Head::Int(_)) {
            out.push(t);
        }
        walk.enter(pool, t);
    }
    out
}

/// Replaces terms, but not in regular expressions.
fn outside_languages(pool: &mut Pool, t: Term, map: &FxHashMap<Term, Term>) -> Term {
    let mut map = map.clone();
    let languages = pool.subterms([t]).filter(|&t| pool.sort_of(t) == Sort::REGLAN);
    map.extend(languages.map(|t| (t, t)));
    pool.replace(t, &mut map)
}
