//! *Operation* and *constant assignment*: fix some arguments and the result of a concrete evaluation, and replace the
//! others by variables.
//!
//! An evaluation `op(c₁, …, cₙ) = c` is a model of `op(x₁, …, xₙ) = res`, and of each formula in which some of these
//! variables are replaced by their constants. Many evaluations give the same formula; it is written once. The formula
//! with all positions fixed is a test too: the solver has to evaluate.

use super::{Batch, values};
use crate::constants::Constants;
use crate::operation::Operation;
use crate::substitute::{fresh_constant, name_of, substitute};
use crate::text::{Category, Member, model, script};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::instance::Truth;
use semantics::{Reading, Value};
use smt::print::term_text;
use smt::{Op, Pool, Sort, Term};

/// An evaluation of an operation on constants.
struct Run {
    /// Per hole, the index of the constant.
    at: Vec<usize>,
    value: Value,
}

/// The runs of an operation on all combinations of constants, at most `limit`: beyond that, evenly spread ones.
struct Runs {
    operation: Operation,
    /// Per hole, the constants.
    lists: Vec<Vec<Term>>,
    runs: Vec<Run>,
    result: Term,
}

fn runs(pool: &mut Pool, op: Op, constants: &Constants, limit: usize, reading: Reading) -> Runs {
    let operation = Operation::new(pool, op);
    let sorts: Vec<Sort> = operation.holes.iter().map(|&h| pool.sort_of(h)).collect();
    let lists: Vec<Vec<Term>> = sorts.iter().map(|&s| constants.of(pool, s)).collect();
    let total: usize = lists.iter().map(Vec::len).product();
    let wanted = total.min(limit);
    let mut positions = Vec::with_capacity(wanted);
    let mut terms = Vec::with_capacity(wanted);
    for k in 0..wanted {
        // Spread evenly; all of them if there are no more than the limit. The last hole turns fastest.
        let mut n = (k as u128 * total as u128 / wanted as u128) as usize;
        let mut at = vec![0; lists.len()];
        for (slot, list) in at.iter_mut().zip(&lists).rev() {
            *slot = n % list.len();
            n /= list.len();
        }
        let map = operation.holes.iter().zip(&at).zip(&lists).map(|((&h, &i), list)| (h, list[i])).collect();
        terms.push(substitute(pool, operation.term, &map));
        positions.push(at);
    }
    let (found, _) = values(pool, &terms, reading);
    let runs = positions.into_iter().zip(found);
    let runs = runs.filter_map(|(at, value)| Some(Run { at, value: value? })).collect();
    let mut taken: FxHashSet<Term> = operation.holes.iter().copied().collect();
    let result = fresh_constant(pool, &mut taken, "res", pool.sort_of(operation.term));
    Runs { operation, lists, runs, result }
}

/// The *operation* test: all arguments free.
pub fn operation(op: Op, constants: &Constants, reading: Reading) -> Batch {
    let mut pool = Pool::new();
    let runs = runs(&mut pool, op, constants, 1, reading);
    let first = runs.runs.first().map(|run| runs.member(&mut pool, run, 0, Category::Operation));
    Batch { pool, members: first.into_iter().collect() }.checked(reading)
}

/// The *constant assignment* tests of an operation, from at most `limit` evaluations.
pub fn constant(op: Op, constants: &Constants, limit: usize, reading: Reading) -> Batch {
    let mut pool = Pool::new();
    let runs = runs(&mut pool, op, constants, limit, reading);
    let positions = runs.lists.len() + 1;
    let mut seen: FxHashSet<(u32, Vec<usize>)> = FxHashSet::default();
    let mut results: FxHashMap<Value, usize> = FxHashMap::default();
    let mut members = Vec::new();
    for run in &runs.runs {
        let count = results.len();
        let result = *results.entry(run.value.clone()).or_insert(count);
        for mask in 1..1u32 << positions {
            if runs.frees_a_fixed_hole(mask) {
                continue;
            }
            let fixed = |i: &usize| mask >> i & 1 == 1;
            let all = run.at.iter().copied().chain([result]).enumerate();
            let key = all.filter(|(i, _)| fixed(i)).map(|(_, v)| v).collect();
            if seen.insert((mask, key)) {
                members.push(runs.member(&mut pool, run, mask, Category::Constant));
            }
        }
    }
    Batch { pool, members }.checked(reading)
}

impl Runs {
    fn frees_a_fixed_hole(&self, mask: u32) -> bool {
        self.operation.fixed.iter().enumerate().any(|(i, &fixed)| fixed && mask >> i & 1 == 0)
    }

    /// The formula that fixes the positions of `mask`, the last of them the result.
    fn member(&self, pool: &mut Pool, run: &Run, mask: u32, category: Category) -> Member {
        let holes = &self.operation.holes;
        let constants: Vec<Term> = run.at.iter().zip(&self.lists).map(|(&i, list)| list[i]).collect();
        let fixed = |i: usize| mask >> i & 1 == 1 || self.operation.fixed.get(i) == Some(&true);
        let is_fixed: Vec<bool> = (0..=holes.len()).map(fixed).collect();
        let map = (0..holes.len()).filter(|&i| is_fixed[i]).map(|i| (holes[i], constants[i])).collect();
        let term = substitute(pool, self.operation.term, &map);
        let value = literal(pool, &run.value);
        let result = if is_fixed[holes.len()] { value } else { self.result };
        let assertion = pool.op(Op::Eq, &[term, result]).expect("the sort of the result");
        let mut values = Vec::new();
        for (i, &h) in holes.iter().enumerate().filter(|(i, _)| !is_fixed[*i]) {
            values.push((h, constant_value(pool, constants[i])));
        }
        if !is_fixed[holes.len()] {
            values.push((self.result, run.value.clone()));
        }
        // As the paper counts: a Boolean operation with the result false separately, unless result and arguments are free.
        let negative = run.value == Value::Bool(false)
            && (is_fixed[holes.len()] || is_fixed[..holes.len()].iter().all(|f| *f));
        let not = if negative && category == Category::Constant { "not " } else { "" };
        let free: Vec<Term> = values.iter().map(|(c, _)| *c).collect();
        Member {
            category,
            operation: format!("{not}{}", self.operation.name),
            rule: String::new(),
            recipe: self.recipe(pool, &constants, value, &is_fixed),
            script: script(pool, &free, &[assertion]),
            truth: Truth::Sat(Box::new(model(pool, values.into_iter()))),
            drops: Vec::new(),
        }
    }

    fn hole(&self, i: usize) -> Term {
        *self.operation.holes.get(i).unwrap_or(&self.result)
    }

    fn recipe(&self, pool: &Pool, constants: &[Term], value: Term, fixed: &[bool]) -> String {
        let mut out = format!("({}", self.operation.name);
        for &c in constants {
            out.push(' ');
            out.push_str(&term_text(pool, c));
        }
        out.push_str(") is ");
        out.push_str(&term_text(pool, value));
        out.push_str("; free:");
        for i in (0..fixed.len()).filter(|&i| !fixed[i]) {
            out.push(' ');
            out.push_str(name_of(pool, self.hole(i)));
        }
        out
    }
}

/// A value as a term.
pub(crate) fn literal(pool: &mut Pool, value: &Value) -> Term {
    match value {
        Value::Bool(b) => pool.bool(*b),
        Value::Int(n) => pool.int(n.clone()),
        Value::Str(s) => pool.string(s),
        other => unreachable!("operations have Booleans, integers and strings as results, not {other:?}"),
    }
}

/// The value of a constant.
pub(crate) fn constant_value(pool: &Pool, t: Term) -> Value {
    match pool.head(t) {
        smt::Head::Str(id) => Value::Str(semantics::Str::from(pool.word(id))),
        smt::Head::Int(id) => Value::Int(pool.int_value(id).clone()),
        smt::Head::Op(op) => Value::Bool(op == Op::True),
        head => unreachable!("not a constant: {head:?}"),
    }
}
