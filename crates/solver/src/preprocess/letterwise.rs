//! Recursive functions that are `str.to_lower` or `str.to_upper`: programs define them letter by letter.
//!
//! ```text
//! f(x) = (ite (= x "") "" (str.++ g(x) (f (substr x 1 (- (str.len x) 1)))))
//! ```
//!
//! where g uses `x` only as `(str.at x 0)`, is the string of the values of g at the letters of `x`. g is evaluated at all letters; if they are those of one
//! of the two operators, so is f, and its calls are replaced.

use crate::build;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::strings::MAX_CHAR;
use smallvec::SmallVec;
use smt::{Fun, Head, Op, Pool, PostOrder, Term};

/// Replaces calls of such functions in the assertions. True if there are any.
pub(super) fn replace(pool: &mut Pool, assertions: &mut [Term]) -> bool {
    let mut known: FxHashMap<Fun, Option<Op>> = FxHashMap::default();
    let mut map: FxHashMap<Term, Term> = FxHashMap::default();
    // A call inside the argument of another is replaced first.
    for call in calls(pool, assertions) {
        let Head::Fun(f) = pool.head(call) else { continue };
        if let Some(op) = *known.entry(f).or_insert_with(|| operator(pool, f)) {
            let argument = pool.replace(pool.args(call)[0], &mut map);
            map.insert(call, build::op(pool, op, &[argument]));
        }
    }
    let any = !map.is_empty();
    if any {
        assertions.iter_mut().for_each(|t| *t = pool.replace(*t, &mut map));
    }
    any
}

/// The calls of defined functions of one argument, inner ones first.
fn calls(pool: &Pool, assertions: &[Term]) -> Vec<Term> {
    let unary = |t: Term| matches!(pool.head(t), Head::Fun(f) if pool.fun(f).def.is_some() && pool.args(t).len() == 1);
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut walk = PostOrder::new(assertions.iter().copied());
    let mut out = Vec::new();
    while let Some(t) = walk.next(|t| seen.insert(t).then(|| pool.children(t))) {
        if unary(t) && !pool.has_var(t) {
            out.push(t);
        }
    }
    out
}

/// The operator that a function is.
fn operator(pool: &Pool, f: Fun) -> Option<Op> {
    let letter = Letter::of(pool, f)?;
    [Op::StrToLower, Op::StrToUpper].into_iter().find(|&op| {
        (0..=MAX_CHAR).all(|c| {
            let expected = match op {
                Op::StrToLower if (0x41..=0x5A).contains(&c) => c + 0x20,
                Op::StrToUpper if (0x61..=0x7A).contains(&c) => c - 0x20,
                _ => c,
            };
            letter.at(c) == Some(Value::Letter(expected))
        })
    })
}

/// A value of a part of g.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Int(i64),
    Bool(bool),
    Letter(u32),
}

/// A step of the evaluation of g; operands are earlier steps.
enum Step {
    Known(Value),
    Head,
    Apply(Op, Vec<usize>),
}

/// The function g.
struct Letter(Vec<Step>);

impl Letter {
    /// That of a function of the shape above.
    fn of(pool: &Pool, f: Fun) -> Option<Letter> {
        let definition = pool.fun(f).def.as_ref()?;
        let &[x] = &definition.vars[..] else { return None };
        let (test, empty, step) = build::three_of(pool, definition.body, Op::Ite)?;
        let &[first, rest] = pool.args(step) else { return None };
        let [tests_empty, ends, concatenates] = [
            is_empty_test(pool, test, x),
            build::is_empty(pool, empty),
            build::is(pool, step, Op::StrConcat),
        ];
        let calls = matches!(pool.head(rest), Head::Fun(g) if g == f);
        let goes_on = calls && is_rest(pool, pool.args(rest)[0], x);
        (tests_empty && ends && concatenates && goes_on).then(|| Letter::compile(pool, first, x))?
    }

    fn compile(pool: &Pool, g: Term, x: Term) -> Option<Letter> {
        let mut steps = Vec::new();
        let mut numbers: FxHashMap<Term, usize> = FxHashMap::default();
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut walk = PostOrder::new([g]);
        let below = |t: Term| if is_head(pool, t, x) { &[] } else { pool.args(t) };
        while let Some(t) = walk.next(|t| seen.insert(t).then(|| below(t).iter().copied())) {
            let step = match pool.head(t) {
                _ if is_head(pool, t, x) => Step::Head,
                Head::Op(op) => Step::Apply(op, pool.args(t).iter().map(|a| numbers[a]).collect()),
                Head::Int(_) => Step::Known(Value::Int(build::int(pool, t)?.to_i64()?)),
                Head::Str(_) => Step::Known(Value::Letter(single(build::word(pool, t)?)?)),
                _ => return None,
            };
            numbers.insert(t, steps.len());
            steps.push(step);
        }
        Some(Letter(steps))
    }

    /// The value at a letter; none if it is no letter, or not known.
    fn at(&self, c: u32) -> Option<Value> {
        let mut values: Vec<Option<Value>> = Vec::with_capacity(self.0.len());
        for step in &self.0 {
            values.push(match step {
                Step::Known(v) => Some(*v),
                Step::Head => Some(Value::Letter(c)),
                Step::Apply(Op::Ite, args) => match values[args[0]] {
                    // The other branch may have no value, as the code of no letter.
                    Some(Value::Bool(test)) => values[args[if test { 1 } else { 2 }]],
                    _ => None,
                },
                Step::Apply(op, args) => {
                    let args: Option<SmallVec<[Value; 4]>> = args.iter().map(|&k| values[k]).collect();
                    args.and_then(|args| apply(*op, &args))
                }
            });
        }
        values.last().copied()?
    }
}

fn apply(op: Op, args: &[Value]) -> Option<Value> {
    use Value::{Bool, Int, Letter};
    Some(match (op, args) {
        (Op::Not, &[Bool(a)]) => Bool(!a),
        (Op::And, &[Bool(a), Bool(b)]) => Bool(a && b),
        (Op::Or, &[Bool(a), Bool(b)]) => Bool(a || b),
        (Op::Le, &[Int(a), Int(b)]) => Bool(a <= b),
        (Op::Lt, &[Int(a), Int(b)]) => Bool(a < b),
        (Op::Ge, &[Int(a), Int(b)]) => Bool(a >= b),
        (Op::Gt, &[Int(a), Int(b)]) => Bool(a > b),
        (Op::Eq, &[a, b]) => Bool(a == b),
        (Op::StrLe, &[Letter(a), Letter(b)]) => Bool(a <= b),
        (Op::StrLt, &[Letter(a), Letter(b)]) => Bool(a < b),
        (Op::Add, &[Int(a), Int(b)]) => Int(a.checked_add(b)?),
        (Op::Sub, &[Int(a), Int(b)]) => Int(a.checked_sub(b)?),
        (Op::StrToCode, &[Letter(a)]) => Int(i64::from(a)),
        (Op::StrFromCode, &[Int(a)]) => Letter(u32::try_from(a).ok().filter(|&c| c <= MAX_CHAR)?),
        _ => return None,
    })
}

fn single(word: &[u32]) -> Option<u32> {
    if let &[c] = word { Some(c) } else { None }
}

fn is_int(pool: &Pool, t: Term, n: i64) -> bool {
    build::int(pool, t).and_then(smt::Int::to_i64) == Some(n)
}

/// `(= x "")`
fn is_empty_test(pool: &Pool, t: Term, x: Term) -> bool {
    let sides = if build::is(pool, t, Op::Eq) { build::two(pool, t) } else { None };
    sides.is_some_and(|(a, b)| a == x && build::is_empty(pool, b) || b == x && build::is_empty(pool, a))
}

/// `(str.at x 0)`, `(str.substr x 0 1)`
fn is_head(pool: &Pool, t: Term, x: Term) -> bool {
    match (pool.head(t), pool.args(t)) {
        (Head::Op(Op::StrAt), &[s, n]) => s == x && is_int(pool, n, 0),
        (Head::Op(Op::StrSubstr), &[s, n, m]) => s == x && is_int(pool, n, 0) && is_int(pool, m, 1),
        _ => false,
    }
}

/// `(str.substr x 1 (- (str.len x) 1))`, `(str.substr x 1 (str.len x))`
fn is_rest(pool: &Pool, t: Term, x: Term) -> bool {
    let Some((s, n, m)) = build::three_of(pool, t, Op::StrSubstr) else { return false };
    let is_len = |t: Term| build::is(pool, t, Op::StrLen) && pool.args(t) == [x];
    let one_less = match (pool.head(m), pool.args(m)) {
        (Head::Op(Op::Sub), &[a, b]) => is_len(a) && is_int(pool, b, 1),
        _ => false,
    };
    s == x && is_int(pool, n, 1) && (is_len(m) || one_less)
}
