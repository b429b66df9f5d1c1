//! Models with small values, found by trying them.
//!
//! The inferences aim at refutations and at models that follow from lengths and languages. Functions that they treat only in part, such as `replace_re_all`
//! with variables, may still have a small model. So one time in a check, when it gives up or has become long, small values of the constants
//! are tried, in the order of their size: strings over the characters of the assertions and one other, integers near zero and near those of
//! the assertions. The referee decides; nothing is inferred when all are refused.
//!
//! Example: `(not (= x (str.replace_re_all x re.allchar x)))` holds for `x = "ab"`.

use crate::calculus::Calculus;
use crate::infer::Rule;
use crate::strings::model::{Problem, accepts};
use rustc_hash::FxHashSet;
use semantics::regex::RegexStore;
use semantics::{Config, Evaluator, Model, Satisfaction, Str, Value};
use smt::work::at_most;
use smt::{Fun, Head, Int, Sort, Term};

/// Constants that are tried together, at most.
const MAX_CONSTANTS: usize = 5;
/// Assignments, at most.
const MAX_TRIED: u64 = 4_000;
/// Intervals of work, at most.
const MAX_WORK: usize = 250;
/// Subterms of assertions, at most.
const MAX_TERMS: usize = 2_000;
/// Characters, at most; one of them does not occur in the assertions.
const MAX_CHARACTERS: usize = 5;
/// Values of a constant, at most.
const MAX_VALUES: usize = 2_000;
/// The longest string of the assertions that is tried.
const MAX_LITERAL: usize = 12;

/// A model with small values.
pub(super) fn model(c: &mut Calculus<'_>, problem: &Problem<'_>) -> Option<Box<Model>> {
    let given = Given::new(c, &problem.prepared.assertions)?;
    let values: Vec<Vec<Value>> = given.constants.iter().map(|&(_, sort)| given.values(sort)).collect();
    at_most(MAX_WORK, || search(c, problem, &given, &values)).flatten()
}

fn search(
    c: &mut Calculus<'_>,
    problem: &Problem<'_>,
    given: &Given,
    values: &[Vec<Value>],
) -> Option<Box<Model>> {
    let mut store = Some(RegexStore::new());
    let (mut choice, mut tried) = (vec![0; values.len()], 0);
    loop {
        tried += 1;
        if tried > MAX_TRIED || tried % 16 == 0 && c.interrupted() {
            return None;
        }
        c.inferences.tick(2);
        let mut model = Model::new();
        for (k, &(f, _)) in given.constants.iter().enumerate() {
            model.assign(f, values[k][choice[k]].clone());
        }
        let mut e =
            Evaluator::with(c.terms.pool, &model, Config::default(), store.take().unwrap_or_default());
        let holds = problem.prepared.assertions.iter().all(|&t| e.truth(t) == Satisfaction::Holds);
        store = Some(e.into_store());
        if holds
            && problem.prepared.carry_back(c.terms.pool, &mut model).is_ok()
            && accepts(c, problem, &model)
        {
            c.inferences.count(Rule::Small);
            return Some(Box::new(model));
        }
        if !advance(&mut choice, values) {
            return None;
        }
    }
}

/// The next choice in the order of the sums of its numbers. False after the last.
fn advance(choice: &mut [usize], values: &[Vec<Value>]) -> bool {
    let sum: usize = choice.iter().sum();
    // The next one with the same sum: the last number that can grow at the cost of those after it.
    for k in (0..choice.len().saturating_sub(1)).rev() {
        let after: usize = choice[k + 1..].iter().sum();
        if after > 0 && choice[k] + 1 < values[k].len() {
            choice[k] += 1;
            if spread(&mut choice[k + 1..], &values[k + 1..], after - 1) {
                return true;
            }
        }
    }
    spread(choice, values, sum + 1)
}

/// The least choice with this sum. False if there is none.
fn spread(choice: &mut [usize], values: &[Vec<Value>], mut sum: usize) -> bool {
    for k in (0..choice.len()).rev() {
        choice[k] = sum.min(values[k].len() - 1);
        sum -= choice[k];
    }
    sum == 0
}

/// What the assertions are made of.
struct Given {
    constants: Vec<(Fun, Sort)>,
    characters: Vec<u32>,
    strings: Vec<Vec<u32>>,
    integers: Vec<Int>,
}

impl Given {
    /// None if there are too many terms or constants, or some of other sorts, or functions.
    fn new(c: &Calculus<'_>, assertions: &[Term]) -> Option<Given> {
        let pool = &*c.terms.pool;
        let mut out = Given {
            constants: Vec::new(),
            characters: Vec::new(),
            strings: Vec::new(),
            integers: Vec::new(),
        };
        let mut integers: FxHashSet<Int> = FxHashSet::default();
        for (k, t) in pool.subterms(assertions.iter().copied()).enumerate() {
            match pool.head(t) {
                _ if k > MAX_TERMS => return None,
                Head::Fun(f) if pool.fun(f).def.is_none() => {
                    let sort = pool.sort_of(t);
                    let simple =
                        [Sort::BOOL, Sort::INT, Sort::STRING].contains(&sort) && pool.args(t).is_empty();
                    if !simple || out.constants.len() == MAX_CONSTANTS {
                        return None;
                    }
                    out.constants.push((f, sort));
                }
                Head::Str(_) => out.strings.extend(crate::build::word(pool, t).map(<[u32]>::to_vec)),
                Head::Int(n) => {
                    integers.insert(pool.int_value(n).clone());
                }
                _ => {}
            }
        }
        let letters: FxHashSet<u32> = out.strings.iter().flatten().copied().collect();
        out.characters = letters.iter().copied().collect();
        out.characters.sort_unstable();
        out.characters.truncate(MAX_CHARACTERS - 1);
        out.characters.extend((0x61..0x7f).find(|k| !letters.contains(k)));
        out.strings.retain(|w| (1..=MAX_LITERAL).contains(&w.len()));
        out.strings.sort_by_key(|w| w.len());
        out.strings.dedup();
        out.integers = integers.into_iter().collect();
        out.integers.sort();
        Some(out)
    }

    fn values(&self, sort: Sort) -> Vec<Value> {
        match sort {
            Sort::BOOL => vec![Value::Bool(false), Value::Bool(true)],
            Sort::INT => self.numbers().into_iter().map(Value::Int).collect(),
            _ => self.words().into_iter().map(|w| Value::Str(Str::from(w))).collect(),
        }
    }

    /// Integers near zero, then those near the ones of the assertions.
    fn numbers(&self) -> Vec<Int> {
        let near = |n: &Int| [n.clone(), n + &Int::ONE, n - &Int::ONE];
        let small = [0, 1, -1, 2, -2, 3, 4, 5].map(|n: i64| Int::from(n));
        let mut seen: FxHashSet<Int> = FxHashSet::default();
        let all = small.into_iter().chain(self.integers.iter().flat_map(near));
        all.filter(|n| seen.insert(n.clone())).take(MAX_VALUES).collect()
    }

    /// The empty string, single characters, the strings of the assertions, then all others by their length.
    fn words(&self) -> Vec<Vec<u32>> {
        let mut seen: FxHashSet<Vec<u32>> = FxHashSet::default();
        let mut out: Vec<Vec<u32>> = vec![Vec::new()];
        out.extend(self.characters.iter().map(|&k| vec![k]));
        out.extend(self.strings.iter().cloned());
        out.retain(|w| seen.insert(w.clone()));
        let mut last: Vec<Vec<u32>> = vec![Vec::new()];
        while out.len() < MAX_VALUES {
            let longer = last.iter().flat_map(|w| self.characters.iter().map(|&k| [&w[..], &[k]].concat()));
            last = longer.take(MAX_VALUES).collect();
            out.extend(last.iter().filter(|w| seen.insert((*w).clone())).cloned());
        }
        out.truncate(MAX_VALUES);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_comes_once_in_the_order_of_its_sum() {
        let sizes = [3, 2, 4];
        let values: Vec<Vec<Value>> = sizes.iter().map(|&n| vec![Value::Bool(true); n]).collect();
        let mut choice = vec![0; sizes.len()];
        let mut all = vec![choice.clone()];
        while advance(&mut choice, &values) {
            all.push(choice.clone());
        }
        assert!(all.is_sorted_by_key(|c| c.iter().sum::<usize>()));
        let different: FxHashSet<&Vec<usize>> = all.iter().collect();
        assert_eq!((all.len(), different.len()), (24, 24));
    }
}
