//! Ints and Reals by machine arithmetic.

use crate::universe::V;
use smt::Op;

/// `n/d` in lowest terms.
pub(crate) fn ratio(n: i128, d: i128) -> V {
    let gcd = gcd(n.abs(), d.abs()).max(1) * d.signum();
    V::Ratio(n / gcd, d / gcd)
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A number as a fraction.
fn parts(v: &V) -> (i128, i128) {
    match v {
        V::Int(n) => (*n, 1),
        V::Ratio(n, d) => (*n, *d),
        v => panic!("{v:?} is no number"),
    }
}

/// The value of an application, none if it divides by zero.
pub(crate) fn verdict(op: Op, indices: &[i128], args: &[V]) -> Option<V> {
    let chain = |holds: fn(i128, i128) -> bool| {
        let pair = |p: &[V]| {
            let ((a, b), (c, d)) = (parts(&p[0]), parts(&p[1]));
            holds(a * d, c * b)
        };
        Some(V::Bool(args.windows(2).all(pair)))
    };
    match op {
        Op::Le => chain(|x, y| x <= y),
        Op::Lt => chain(|x, y| x < y),
        Op::Ge => chain(|x, y| x >= y),
        Op::Gt => chain(|x, y| x > y),
        Op::Divisible => Some(V::Bool(args[0].int() % indices[0] == 0)),
        Op::ToReal => Some(ratio(args[0].int(), 1)),
        Op::ToInt => {
            let (n, d) = parts(&args[0]);
            Some(V::Int(n.div_euclid(d)))
        }
        Op::IsInt => Some(V::Bool(parts(&args[0]).1 == 1)),
        Op::Neg | Op::Abs => Some(unary(op, &args[0])),
        Op::Mod | Op::IntDiv => args[1..].iter().try_fold(args[0].clone(), |x, y| euclid(op, &x, y)),
        _ => args[1..].iter().try_fold(args[0].clone(), |x, y| binary(op, &x, y)),
    }
}

fn unary(op: Op, v: &V) -> V {
    let change = |n: i128| if op == Op::Neg { -n } else { n.abs() };
    match v {
        V::Ratio(n, d) => V::Ratio(change(*n), *d),
        v => V::Int(change(v.int())),
    }
}

/// "⟦div⟧ … integer division … such that m = n*q + r with 0 <= r < |n|" (theory Ints): `div_euclid`, `rem_euclid`.
fn euclid(op: Op, x: &V, y: &V) -> Option<V> {
    let (x, y) = (x.int(), y.int());
    let divide = if op == Op::Mod { i128::checked_rem_euclid } else { i128::checked_div_euclid };
    divide(x, y).map(V::Int)
}

fn binary(op: Op, x: &V, y: &V) -> Option<V> {
    let ((a, b), (c, d)) = (parts(x), parts(y));
    let result = match op {
        Op::Add => ratio(a * d + c * b, b * d),
        Op::Sub => ratio(a * d - c * b, b * d),
        Op::Mul => ratio(a * c, b * d),
        Op::RealDiv if c == 0 => return None,
        Op::RealDiv => ratio(a * d, b * c),
        op => unreachable!("{op:?} is not arithmetic"),
    };
    Some(match (x, result) {
        (V::Int(_), V::Ratio(n, _)) => V::Int(n),
        (_, q) => q,
    })
}
