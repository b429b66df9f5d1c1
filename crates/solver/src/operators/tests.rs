//! Axioms and expansions hold for all small arguments, as evaluated by `semantics`, their skolems being equal to their
//! witnesses; and expansions are complete: no other value of the term satisfies them.

use super::*;
use crate::rewrite::Rewriter;
use crate::terms::{TermStore, Terms};
use semantics::{Evaluator, Model, Satisfaction, Str, Value};
use smt::Sort;

/// A site without a state: every term is known, nothing has a length.
struct Stateless<'a>(Terms<'a>);

impl Builder for Stateless<'_> {
    fn pool(&mut self) -> &mut Pool {
        self.0.pool
    }

    fn rewrite(&mut self, t: Term) -> Term {
        self.0.rewrite(t)
    }

    fn skolem(&mut self, witness: Term) -> Term {
        self.0.skolem(witness)
    }
}

impl Site for Stateless<'_> {
    fn is_node(&self, _: Term) -> bool {
        true
    }

    fn model_length(&mut self, _: Term) -> Option<i64> {
        Some(2)
    }

    fn word_lengths(&mut self, _: Term) -> Option<(u64, u64)> {
        None
    }

    fn regex_factors(&self, _: Term) -> Option<Vec<Term>> {
        None
    }

    fn first_difference(&mut self) -> Fun {
        self.0.skolems.first_difference(self.0.pool)
    }
}

/// All strings over two characters up to a length.
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

/// The values of a sort.
fn domain(sort: Sort, longest: usize) -> Vec<Value> {
    match sort {
        Sort::STRING => words(longest),
        Sort::BOOL => vec![Value::Bool(false), Value::Bool(true)],
        _ => numbers(),
    }
}

/// All lists of arguments.
fn arguments(params: &[Sort], longest: usize) -> Vec<Vec<Value>> {
    let mut out = vec![Vec::new()];
    for &sort in params {
        let values = domain(sort, longest);
        out = out
            .iter()
            .flat_map(|list| values.iter().map(move |v| [&list[..], std::slice::from_ref(v)].concat()))
            .collect();
    }
    out
}

fn value_term(pool: &mut Pool, value: &Value) -> Term {
    match value {
        Value::Str(w) => pool.string(w),
        Value::Int(n) => pool.int(n.clone()),
        _ => unreachable!("no other argument"),
    }
}

fn numbers() -> Vec<Value> {
    (-2..6).map(|n| Value::Int(Int::from(n))).collect()
}

fn constant(pool: &mut Pool, name: &str, sort: Sort) -> (Fun, Term) {
    let name = pool.names.intern(name);
    let f = pool.declare(name, Box::new([]), sort);
    (f, pool.apply(f, &[]))
}

/// Evaluates formulas about an application of `op` on all arguments. With `exact`, the term is also replaced by a constant
/// of each candidate value, and only the correct one may satisfy the formulas.
fn formulas_hold(op: Op, sort: Sort, params: &[Sort], longest: usize, exact: bool, build: Formulas) {
    let (mut pool, mut rw) = (Pool::new(), Rewriter::new());
    let names = ["x", "y", "z"];
    let inputs: Vec<(Fun, Term)> =
        params.iter().zip(names).map(|(&sort, name)| constant(&mut pool, name, sort)).collect();
    let args: Vec<Term> = inputs.iter().map(|&(_, t)| t).collect();
    let (result, named) = constant(&mut pool, "result", sort);
    let mut store = TermStore::new(&mut pool, &mut rw);
    // The formulas are about a constant in the place of the term, so that they cannot hold by rewriting the term.
    let formulas = build(&mut Stateless(store.builder()), named, &args);
    let skolems = store.skolems.all().to_vec();
    assert!(!formulas.is_empty());
    let meaning = pool.mk(Head::Op(op), sort, &args);
    let candidates = domain(sort, longest);
    for (case, values) in arguments(params, longest).into_iter().enumerate() {
        let mut model = Model::new();
        for (&(f, _), value) in inputs.iter().zip(values) {
            model.assign(f, value);
        }
        for &(f, witness) in &skolems {
            let value = Evaluator::new(&pool, &model).eval(witness).expect("a witness has a value");
            model.assign(f, value);
        }
        let correct = Evaluator::new(&pool, &model).eval(meaning).expect("a value");
        let mut holds = |value: &Value| {
            model.assign(result, value.clone());
            let mut e = Evaluator::new(&pool, &model);
            formulas.iter().all(|&f| e.truth(f) == Satisfaction::Holds)
        };
        assert!(holds(&correct), "{op:?}, case {case}: not true of {correct:?}");
        for value in candidates.iter().filter(|&v| exact && *v != correct) {
            assert!(!holds(value), "{op:?}, case {case}: true of {value:?}, but it is {correct:?}");
        }
    }
}

const S: Sort = Sort::STRING;
const I: Sort = Sort::INT;

/// The expansion of an operator.
fn expansion(op: Op) -> Formulas {
    match of(op).role {
        Role::Extended { expansion: Some(f), .. } => f,
        _ => panic!("{op:?} has no expansion"),
    }
}

#[test]
fn substr_expansion() {
    formulas_hold(Op::StrSubstr, S, &[S, I, I], 4, true, expansion(Op::StrSubstr));
}

#[test]
fn contains_expansion() {
    // Only the consequences of the true case.
    formulas_hold(Op::StrContains, Sort::BOOL, &[S, S], 4, false, expansion(Op::StrContains));
}

#[test]
fn indexof_expansion() {
    formulas_hold(Op::StrIndexof, I, &[S, S, I], 3, true, expansion(Op::StrIndexof));
}

#[test]
fn replace_expansion() {
    formulas_hold(Op::StrReplace, S, &[S, S, S], 3, true, expansion(Op::StrReplace));
}

#[test]
fn replace_all_expansion() {
    formulas_hold(Op::StrReplaceAll, S, &[S, S, S], 3, false, expansion(Op::StrReplaceAll));
}

#[test]
fn order_expansion() {
    formulas_hold(Op::StrLe, Sort::BOOL, &[S, S], 4, true, expansion(Op::StrLe));
}

#[test]
fn numeral_expansions() {
    formulas_hold(Op::StrToInt, I, &[S], 3, false, expansion(Op::StrToInt));
    formulas_hold(Op::StrFromInt, S, &[I], 1, false, expansion(Op::StrFromInt));
}

#[test]
fn axioms_hold() {
    for (op, sort, params) in [
        (Op::Ite, S, &[Sort::BOOL, S, S][..]),
        (Op::Abs, I, &[I]),
        (Op::StrSubstr, S, &[S, I, I]),
        (Op::StrIndexof, I, &[S, S, I]),
        (Op::StrLe, Sort::BOOL, &[S, S]),
        (Op::StrToCode, I, &[S]),
        (Op::StrFromCode, S, &[I]),
        (Op::StrReplace, S, &[S, S, S]),
        (Op::StrToInt, I, &[S]),
        (Op::StrFromInt, S, &[I]),
    ] {
        let (_, axioms) = of(op).axioms.expect("it has axioms");
        formulas_hold(op, sort, params, 2, false, axioms);
    }
}

/// Every bound in the table holds of the values of the operator on small arguments.
#[test]
fn constant_bounds_hold() {
    let mut pool = Pool::new();
    for (op, params) in [
        (Op::StrLen, &[S][..]),
        (Op::Abs, &[I]),
        (Op::StrIndexof, &[S, S, I]),
        (Op::StrLastIndexof, &[S, S]),
        (Op::StrToInt, &[S]),
        (Op::StrToCode, &[S]),
    ] {
        for values in arguments(params, 2) {
            let args: Vec<Term> = values.iter().map(|v| value_term(&mut pool, v)).collect();
            let t = pool.mk(Head::Op(op), I, &args);
            let (low, high) = constant_bounds(&pool, t);
            let model = Model::new();
            let Ok(Value::Int(n)) = Evaluator::new(&pool, &model).eval(t) else {
                panic!("{op:?} has a value")
            };
            assert!(low.is_none_or(|low| low <= n) && high.is_none_or(|high| n <= high), "{op:?}: {n:?}");
        }
    }
}
