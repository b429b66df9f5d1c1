//! Expansions hold for all small arguments, by the referee, their skolems being what their witnesses say; and they say
//! enough: no other value of the term satisfies them together with what the skolems are.

use super::*;
use crate::options::Options;
use crate::preprocess::Preprocessed;
use crate::rewrite::Rewriter;
use semantics::{Evaluator, Model, Satisfaction, Str, Value};
use smt::Pool;

/// All words over two letters up to a length.
fn words(longest: usize) -> Vec<Value> {
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..longest {
        let end = all.len();
        for i in from..end {
            for c in [97, 98] {
                let mut w = all[i].clone();
                w.push(c);
                all.push(w);
            }
        }
        from = end;
    }
    all.into_iter().map(|w| Value::Str(Str::from(w))).collect()
}

fn numbers() -> Vec<Value> {
    (-2..6).map(|n| Value::Int(Int::from(n))).collect()
}

fn constant(pool: &mut Pool, name: &str, sort: Sort) -> (Fun, Term) {
    let name = pool.names.intern(name);
    let f = pool.declare(name, Box::new([]), sort);
    (f, pool.apply(f, &[]))
}

type Expansion = fn(&mut Theory<'_>, Term, &[Term]) -> Vec<Term>;

/// Evaluates the expansion of `op` on all arguments. With `exact`, the term is also replaced by a constant of each
/// candidate value, and only the right one may satisfy the expansion.
fn expansion_holds(op: Op, sort: Sort, params: &[Sort], longest: usize, exact: bool, expand: Expansion) {
    let (mut pool, mut rw, options) = (Pool::new(), Rewriter::new(), Options::default());
    let names = ["x", "y", "z"];
    let inputs: Vec<(Fun, Term)> =
        params.iter().zip(names).map(|(&sort, name)| constant(&mut pool, name, sort)).collect();
    let args: Vec<Term> = inputs.iter().map(|&(_, t)| t).collect();
    let (result, named) = constant(&mut pool, "result", sort);
    let prepared = Preprocessed::default();
    let never = || false;
    let mut theory = Theory::new(&mut pool, &mut rw, &options, &never, &[], &prepared);
    // The formulas are about a constant in the place of the term, so that they cannot hold by rewriting the term.
    let formulas = expand(&mut theory, named, &args);
    let skolems = theory.skolems.all().to_vec();
    assert!(!formulas.is_empty());
    let meaning = pool.mk(Head::Op(op), sort, &args);
    let domain = |s: Sort| if s == Sort::STRING { words(longest) } else { numbers() };
    let domains: Vec<Vec<Value>> = params.iter().map(|&s| domain(s)).collect();
    let count: usize = domains.iter().map(Vec::len).product();
    let candidates = match sort {
        Sort::BOOL => vec![Value::Bool(false), Value::Bool(true)],
        _ => domain(sort),
    };
    for case in 0..count {
        let mut model = Model::new();
        let mut n = case;
        for (&(f, _), values) in inputs.iter().zip(&domains) {
            model.assign(f, values[n % values.len()].clone());
            n /= values.len();
        }
        for &(f, witness) in &skolems {
            let value = Evaluator::new(&pool, &model).eval(witness).expect("a witness has a value");
            model.assign(f, value);
        }
        let right = Evaluator::new(&pool, &model).eval(meaning).expect("a value");
        let mut holds = |value: &Value| {
            model.assign(result, value.clone());
            let mut e = Evaluator::new(&pool, &model);
            formulas.iter().all(|&f| e.truth(f) == Satisfaction::Holds)
        };
        assert!(holds(&right), "{op:?}, case {case}: not true of {right:?}");
        for value in candidates.iter().filter(|&v| exact && *v != right) {
            assert!(!holds(value), "{op:?}, case {case}: true of {value:?}, but it is {right:?}");
        }
    }
}

const S: Sort = Sort::STRING;
const I: Sort = Sort::INT;

#[test]
fn substr() {
    expansion_holds(Op::StrSubstr, S, &[S, I, I], 4, true, |th, t, a| th.expand_substr(t, a[0], a[1], a[2]));
}

#[test]
fn contains() {
    // Only what follows if it is true.
    expansion_holds(Op::StrContains, Sort::BOOL, &[S, S], 4, false, |th, t, a| {
        th.expand_contains(t, a[0], a[1])
    });
}

#[test]
fn indexof() {
    expansion_holds(Op::StrIndexof, I, &[S, S, I], 3, true, |th, t, a| {
        th.expand_indexof(t, a[0], a[1], a[2])
    });
}

#[test]
fn replace() {
    expansion_holds(Op::StrReplace, S, &[S, S, S], 3, true, |th, t, a| {
        th.expand_replace(t, a[0], a[1], a[2])
    });
}

#[test]
fn order() {
    expansion_holds(Op::StrLe, Sort::BOOL, &[S, S], 4, true, |th, t, a| th.expand_le(t, a[0], a[1]));
}

#[test]
fn digits() {
    expansion_holds(Op::StrFromInt, S, &[I], 1, false, |th, t, a| th.digit_by_digit(t, a[0]));
}
