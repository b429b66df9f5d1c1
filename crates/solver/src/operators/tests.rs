//! Axioms and expansions hold for all small arguments, as evaluated by `semantics`, their skolems being equal to their
//! witnesses; and expansions are complete: no other value of the term satisfies them.

use super::*;
use crate::rewrite::Rewriter;
use crate::skolem::Skolems;
use crate::terms::{TermStore, Terms};
use semantics::{Evaluator, Model, Satisfaction, Str, Value, Why};
use smt::Sort;
use smt::op::S as Param;

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

    fn integer_value(&mut self, _: Term) -> Option<i64> {
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
    let mut store = TermStore::new(&mut pool, &mut rw, Skolems::default());
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

/// The sorts of an operator: of its result and of its arguments. None if one is neither strings, integers nor Booleans.
fn signature(op: Op) -> Option<(Sort, Vec<Sort>)> {
    let sort = |param: Param| match param {
        Param::Str | Param::Any => Some(S),
        Param::Int | Param::Num => Some(I),
        Param::Bool => Some(Sort::BOOL),
        Param::Re | Param::Real => None,
    };
    let params = op.row().params.iter().map(|&p| sort(p)).collect::<Option<_>>()?;
    Some((sort(op.row().ret)?, params))
}

/// The longest strings to try on an expansion, and whether it determines the value.
fn extent(op: Op) -> (usize, bool) {
    match op {
        Op::StrSubstr | Op::StrLe => (4, true),
        // Only what follows if it is true.
        Op::StrContains => (4, false),
        // Only for one length.
        Op::StrReplaceAll | Op::StrToInt | Op::StrToLower | Op::StrToUpper => (3, false),
        Op::StrFromInt => (1, false),
        _ => (3, true),
    }
}

/// Operators with regular expressions as arguments, whose expansions have tests of their own below.
const ON_LANGUAGES: [Op; 3] = [Op::StrIndexofRe, Op::StrReplaceRe, Op::StrReplaceReAll];

#[test]
fn expansions_hold() {
    for op in Op::all().filter(|op| !ON_LANGUAGES.contains(op)) {
        let Role::Extended { expansion: Some(expansion), .. } = of(op).role else { continue };
        let (sort, params) = signature(op).unwrap_or_else(|| panic!("{op:?} needs its own test"));
        let (longest, exact) = extent(op);
        formulas_hold(op, sort, &params, longest, exact, expansion);
    }
}

/// Operators with axioms only for constant divisors and regular expressions. The audit evaluates these.
const AUDITED_ONLY: [Op; 3] = [Op::IntDiv, Op::Mod, Op::StrInRe];

#[test]
fn axioms_hold() {
    for op in Op::all().filter(|op| !AUDITED_ONLY.contains(op)) {
        let Some((_, axioms)) = of(op).axioms else { continue };
        let (sort, params) = signature(op).unwrap_or_else(|| panic!("{op:?} needs its own test"));
        formulas_hold(op, sort, &params, 2, false, axioms);
    }
}

/// A regular expression as an argument of an operator with bounds.
fn language(pool: &mut Pool) -> Term {
    let word = pool.string(&[97]);
    pool.op(Op::StrToRe, &[word]).expect("a regular expression")
}

/// The arguments of an operator: all small values, and one regular expression.
fn terms(pool: &mut Pool, op: Op) -> Vec<Vec<Term>> {
    let mut out = vec![Vec::new()];
    for &param in op.row().params {
        let choices: Vec<Term> = match param {
            Param::Re => vec![language(pool)],
            Param::Str | Param::Any => words(2).iter().map(|v| value_term(pool, v)).collect(),
            Param::Int | Param::Num => numbers().iter().map(|v| value_term(pool, v)).collect(),
            Param::Bool | Param::Real => panic!("{op:?} needs its own test"),
        };
        out = out
            .iter()
            .flat_map(|list: &Vec<Term>| choices.iter().map(move |&t| [&list[..], &[t]].concat()))
            .collect();
    }
    out
}

/// Every bound in the table holds of the values of the operator on small arguments.
#[test]
fn constant_bounds_hold() {
    let mut pool = Pool::new();
    for op in Op::all().filter(|&op| !matches!(of(op).bounds, Bounds::None)) {
        for args in terms(&mut pool, op) {
            let t = pool.mk(Head::Op(op), I, &args);
            let (low, high) = constant_bounds(&pool, t);
            let model = Model::new();
            let n = match Evaluator::new(&pool, &model).eval(t) {
                Ok(Value::Int(n)) => n,
                Err(Why::DivisionByZero(_)) => continue,
                other => panic!("{op:?}: {other:?}"),
            };
            assert!(low.is_none_or(|low| low <= n) && high.is_none_or(|high| n <= high), "{op:?}: {n:?}");
        }
    }
}

/// The languages of the test of `indexof_re`: with and without the empty word, with matches that overlap.
fn some_languages(pool: &mut Pool) -> Vec<Term> {
    let [empty, a, b, aab] =
        ["", "a", "b", "aab"].map(|w| w.chars().map(u32::from).collect::<Vec<u32>>()).map(|w| {
            let word = pool.string(&w);
            pool.op(Op::StrToRe, &[word]).expect("a regular expression")
        });
    let none = pool.op(Op::ReNone, &[]).expect("a regular expression");
    let star = pool.op(Op::ReStar, &[a]).expect("a regular expression");
    let then = pool.op(Op::ReConcat, &[star, b]).expect("a regular expression");
    let either = pool.op(Op::ReUnion, &[aab, a]).expect("a regular expression");
    vec![none, empty, a, aab, then, either]
}

/// The expansion and all instances hold of the value of `indexof_re`, and of no other.
#[test]
fn indexof_re_is_defined() {
    let (mut pool, mut rw) = (Pool::new(), Rewriter::new());
    let (s, x) = constant(&mut pool, "x", S);
    let (i, k) = constant(&mut pool, "k", I);
    let (result, named) = constant(&mut pool, "result", I);
    for r in some_languages(&mut pool) {
        let args = [x, r, k];
        let mut store = TermStore::new(&mut pool, &mut rw, Skolems::default());
        let mut site = Stateless(store.builder());
        let mut formulas = indexof_re::expansion(&mut site, named, &args);
        formulas.extend((0..=3).map(|place| indexof_re::at_most(&mut site, named, &args, place)));
        let meaning = pool.mk(Head::Op(Op::StrIndexofRe), I, &args);
        for values in arguments(&[S, I], 3) {
            let mut model = Model::new();
            model.assign(s, values[0].clone());
            model.assign(i, values[1].clone());
            let correct = Evaluator::new(&pool, &model).eval(meaning).expect("a value");
            for value in numbers() {
                model.assign(result, value.clone());
                let mut e = Evaluator::new(&pool, &model);
                let holds = formulas.iter().all(|&f| e.truth(f) == Satisfaction::Holds);
                assert_eq!(holds, value == correct, "{values:?}: {value:?}, not {correct:?}");
            }
        }
    }
}

/// The expansions hold of the values of `replace_re` and `replace_re_all`, and of no others.
#[test]
fn replace_re_is_defined() {
    let (mut pool, mut rw) = (Pool::new(), Rewriter::new());
    let (s, x) = constant(&mut pool, "x", S);
    let (u, y) = constant(&mut pool, "y", S);
    let (result, named) = constant(&mut pool, "result", S);
    let languages = some_languages(&mut pool);
    for (r, all) in languages.into_iter().flat_map(|r| [(r, false), (r, true)]) {
        let args = [x, r, y];
        let mut store = TermStore::new(&mut pool, &mut rw, Skolems::default());
        let mut site = Stateless(store.builder());
        let (op, formulas) = match all {
            true => (Op::StrReplaceReAll, replace_re::all_expansion(&mut site, named, &args)),
            false => (Op::StrReplaceRe, replace_re::expansion(&mut site, named, &args)),
        };
        let skolems = store.skolems.all().to_vec();
        let meaning = pool.mk(Head::Op(op), S, &args);
        for values in arguments(&[S, S], 3) {
            let mut model = Model::new();
            model.assign(s, values[0].clone());
            model.assign(u, values[1].clone());
            for &(f, witness) in &skolems {
                let value = Evaluator::new(&pool, &model).eval(witness).expect("a witness has a value");
                model.assign(f, value);
            }
            let correct = Evaluator::new(&pool, &model).eval(meaning).expect("a value");
            for value in words(3).iter().chain([&correct]) {
                model.assign(result, value.clone());
                let mut e = Evaluator::new(&pool, &model);
                let holds = formulas.iter().all(|&f| e.truth(f) == Satisfaction::Holds);
                assert_eq!(holds, *value == correct, "{values:?}: {value:?}, not {correct:?}");
            }
        }
    }
}
