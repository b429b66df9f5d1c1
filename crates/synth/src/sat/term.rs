//! *Term synthesis*: operations applied to operations, constants forgotten.
//!
//! The pool has, for each operation, its applications to constants (and, past bound 1, to terms of the pool), one for
//! each value. The operation under test is applied to terms of the pool and equated with a term of each operation
//! that has the same value. Then every constant becomes a variable, the same constant the same variable; or, mixed
//! with constant assignment, only some do.

use super::constant::constant_value;
use super::{Batch, values};
use crate::constants::Constants;
use crate::operation::Operation;
use crate::suite::Dice;
use crate::text::{Category, Instance, Truth};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::{Reading, Value};
use smt::print::term_text;
use smt::{Head, Op, Pool, Sort, Term};

/// How terms are synthesised.
#[derive(Clone, Debug)]
pub struct TermOptions {
    /// How deep the terms of the pool are.
    pub bound: usize,
    /// As in the paper: one term of each operation as argument, the first of its pool. Otherwise any.
    pub first_only: bool,
    /// At most this many choices of arguments per operation.
    pub limit: usize,
    /// At most this many terms to equate each with, of operations chosen at random.
    pub results: usize,
    /// Forget only some of the constants.
    pub mix: bool,
    /// What random choices start from.
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
    let name = op_key(op);
    let mut dice = Dice::new(options.seed, name);
    let lists: Vec<Vec<Term>> = (0..subject.holes.len())
        .map(|i| arguments(&mut pool, &subject, i, constants, &shelves, options))
        .collect();
    let tuples = tuples(&lists, options.limit, &mut dice);
    let applications: Vec<Term> = tuples.iter().map(|args| apply(&mut pool, &subject, args)).collect();
    let (found, _) = values(&pool, &applications, reading);
    let sort = pool.sort_of(subject.term);
    let mut instances = Vec::new();
    let mut seen = FxHashSet::default();
    for (&application, value) in applications.iter().zip(found) {
        let Some(value) = value else { continue };
        let equal = operations.iter().zip(&shelves).filter(|(o, _)| pool.sort_of(o.term) == sort);
        let mut equal: Vec<Term> = equal.filter_map(|(_, shelf)| shelf.with_value(&value)).collect();
        while equal.len() > options.results {
            equal.remove(dice.below(equal.len() as u64) as usize);
        }
        for result in equal {
            let not = if value == Value::Bool(false) { "not " } else { "" };
            let instance = abstracted(
                &mut pool,
                application,
                result,
                format!("{not}{}", subject.name),
                options,
                &mut dice,
            );
            // The paper's suite repeats some formulas; so does its preset. Ours does not.
            if let Some(instance) = instance
                && (options.first_only || seen.insert(instance.assertions[0].1))
            {
                instances.push(instance);
            }
        }
    }
    let mut batch = Batch { pool, instances };
    batch.check(reading);
    batch
}

fn op_key(op: Op) -> u64 {
    op as u64
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

/// What may stand in a hole.
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
    crate::substitute::substitute(pool, operation.term, &map)
}

/// The equality with its constants forgotten; none if it has none to forget.
fn abstracted(
    pool: &mut Pool,
    left: Term,
    right: Term,
    operation: String,
    options: &TermOptions,
    dice: &mut Dice,
) -> Option<Instance> {
    let ground = pool.op(Op::Eq, &[left, right]).ok()?;
    let mut constants = constants_in(pool, ground);
    if options.mix {
        let keep = dice.below(constants.len().max(1) as u64) as usize;
        for _ in 0..keep {
            let i = dice.below(constants.len() as u64) as usize;
            constants.remove(i);
        }
    }
    if constants.is_empty() {
        return None;
    }
    let mut map: FxHashMap<Term, Term> = FxHashMap::default();
    let mut model = Vec::new();
    for (n, &c) in constants.iter().enumerate() {
        let base = if pool.sort_of(c) == Sort::INT { "int" } else { "str" };
        let name = pool.names.intern(&format!("tmp_{base}_{n}"));
        let v = pool.var(name, pool.sort_of(c));
        map.insert(c, v);
        model.push((v, constant_value(pool, c)));
    }
    let assertion = outside_languages(pool, ground, &map);
    Some(Instance {
        category: Category::Term,
        operation,
        rule: String::new(),
        recipe: format!("from {}", term_text(pool, ground)),
        vars: model.iter().map(|(v, _)| *v).collect(),
        assertions: vec![(None, assertion)],
        truth: Truth::Sat(model),
    })
}

/// The strings and integers in a term, other than in its regular expressions.
fn constants_in(pool: &Pool, t: Term) -> Vec<Term> {
    let (mut out, mut seen, mut stack) = (Vec::new(), FxHashSet::default(), vec![t]);
    while let Some(t) = stack.pop() {
        if pool.sort_of(t) == Sort::REGLAN || !seen.insert(t) {
            continue;
        }
        if matches!(pool.head(t), Head::Str(_) | Head::Int(_)) {
            out.push(t);
        }
        stack.extend(pool.args(t).iter().rev());
    }
    out
}

/// Replaces terms, but not in regular expressions.
fn outside_languages(pool: &mut Pool, t: Term, map: &FxHashMap<Term, Term>) -> Term {
    let mut map = map.clone();
    for t in crate::substitute::subterms(pool, t) {
        if pool.sort_of(t) == Sort::REGLAN {
            map.insert(t, t);
        }
    }
    crate::substitute::substitute(pool, t, &map)
}
