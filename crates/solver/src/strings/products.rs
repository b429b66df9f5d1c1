//! Products of terms, linearised where the arithmetic model is wrong.
//!
//! Arithmetic takes a product `t = x * y` as a variable. If its value in the model is not the product of the values of
//! its factors, lemmas exclude the model:
//!
//! | the model | lemma |
//! |---|---|
//! | `x = a`, and `t != a * y` | `x = a => t = a * y`, the equality being decided first |
//! | `y != 0`, and the absolute value of `x` is greater than that of `t` | `y != 0 => abs x <= abs t` |
//! | `t < a * b` for `x = a`, `y = b` | `(x - a) * (y - b) >= 0` if both are on one side of the model |
//! | `t > a * b` | `(x - a) * (y - b) <= 0` if they are on different sides |
//! | `t = x * x`, and `x` is not an integer root of `t` | `t > (r - 1)^2 => abs x >= r`, `t < (r + 1)^2 => abs x <= r` |
//!
//! The first row decides products with a factor that has finitely many values. A product of more than two factors is
//! the product of the first and the rest.
//!
//! Example: `x * x = 2` with `x = 0` in the model gives `t <= 1 or x >= 2 or x <= -2`; with `x = 2` then
//! `t >= 4 or x <= 1`: a contradiction with the similar lemma for `-2`.

use super::round::Round;
use crate::builder::Builder;
use crate::calculus::{Calculus, Step, stop_if};
use crate::infer::Rule;
use crate::rewrite::Mode;
use smt::work::spend;
use smt::{Int, Op, Term};

/// A product and its factors, with their values in the arithmetic model.
struct Product {
    t: Term,
    x: Term,
    y: Term,
    value: Int,
    a: Int,
    b: Int,
}

/// Sends lemmas for products that are wrong in the arithmetic model.
pub(super) fn linearise(c: &mut Calculus<'_>, round: &Round) -> Step {
    let mut sent = false;
    c.in_mode(Mode::WithoutEntailment, |c| {
        for &t in &round.products {
            let p = product(c, t);
            if p.value == p.a.clone() * p.b.clone() {
                continue;
            }
            sent |= if p.x == p.y { root(c, &p) } else { values(c, &p) | magnitude(c, &p) | tangents(c, &p) };
        }
    });
    stop_if(sent)
}

fn product(c: &mut Calculus<'_>, t: Term) -> Product {
    let args = c.terms.pool.args(t).to_vec();
    let x = args[0];
    let y = match &args[1..] {
        [only] => *only,
        rest => c.mk(Op::Mul, rest),
    };
    let [value, a, b] = [t, x, y].map(|t| c.model_value(t).floor());
    Product { t, x, y, value, a, b }
}

fn clause(c: &mut Calculus<'_>, parts: &[Term]) -> bool {
    c.lemma(Rule::Product, &[], parts)
}

/// `x = a => t = a * y`, and with the factors exchanged.
fn values(c: &mut Calculus<'_>, p: &Product) -> bool {
    let mut sent = false;
    for (x, y, a) in [(p.x, p.y, &p.a), (p.y, p.x, &p.b)] {
        let a = c.terms.pool.int(a.clone());
        let multiple = c.mk(Op::Mul, &[a, y]);
        let (here, is) = (c.eq(x, a), c.eq(p.t, multiple));
        let elsewhere = c.not(here);
        sent |= clause(c, &[is, elsewhere]);
        sent |= c.split(Rule::Product, &[], here, true);
    }
    sent
}

/// `y = 0`, or the absolute value of `x` is at most that of `t`; and with the factors exchanged.
fn magnitude(c: &mut Calculus<'_>, p: &Product) -> bool {
    let mut sent = false;
    for (x, y, a, b) in [(p.x, p.y, &p.a, &p.b), (p.y, p.x, &p.b, &p.a)] {
        if b.is_zero() || a.abs() <= p.value.abs() {
            continue;
        }
        let zero = c.int(0);
        let (none, minus_x, minus_t) = (c.eq(y, zero), c.minus(zero, x), c.minus(zero, p.t));
        for side in [x, minus_x] {
            let (above, below) = (c.ge(p.t, side), c.ge(minus_t, side));
            sent |= clause(c, &[above, below, none]);
        }
    }
    sent
}

/// The sign of `(x - a) * (y - b)` in two quadrants around the model.
fn tangents(c: &mut Calculus<'_>, p: &Product) -> bool {
    let [a, b, both] = [p.a.clone(), p.b.clone(), p.a.clone() * p.b.clone()].map(|n| c.terms.pool.int(n));
    let (ay, bx) = (c.mk(Op::Mul, &[a, p.y]), c.mk(Op::Mul, &[b, p.x]));
    let sum = c.plus(ay, bx);
    let plane = c.minus(sum, both);
    let above = p.value < p.a.clone() * p.b.clone();
    let bound = if above { c.ge(p.t, plane) } else { c.ge(plane, p.t) };
    let mut sent = false;
    for low in [true, false] {
        let side = |c: &mut Calculus<'_>, s: Term, n: Term, low: bool| match low {
            true => c.greater(n, s),
            false => c.greater(s, n),
        };
        let (x_off, y_off) = (side(c, p.x, a, low), side(c, p.y, b, low == above));
        sent |= clause(c, &[bound, x_off, y_off]);
    }
    sent
}

/// The values of `x` that fit the value of `t = x * x`.
fn root(c: &mut Calculus<'_>, p: &Product) -> bool {
    if p.value.is_negative() {
        let zero = c.int(0);
        let natural = c.ge(p.t, zero);
        return clause(c, &[natural]);
    }
    let r = square_root(&p.value);
    let exact = r.clone() * r.clone() == p.value;
    let (one, zero) = (Int::ONE, c.int(0));
    if p.a.abs() > r {
        // t < (r + 1)^2 => -r <= x <= r
        let next = &r + &one;
        let (end, r) = (c.terms.pool.int(next.clone() * next), c.terms.pool.int(r));
        let minus_x = c.minus(zero, p.x);
        let far = c.ge(p.t, end);
        let (low, high) = (c.ge(r, p.x), c.ge(r, minus_x));
        return clause(c, &[low, far]) | clause(c, &[high, far]);
    }
    // t > (r - 1)^2 => x >= r or x <= -r
    let r = if exact { r } else { &r + &one };
    let last = &r - &one;
    let (end, r) = (c.terms.pool.int(last.clone() * last), c.terms.pool.int(r));
    let minus_x = c.minus(zero, p.x);
    let (near, above, below) = (c.ge(end, p.t), c.ge(p.x, r), c.ge(minus_x, r));
    clause(c, &[above, below, near])
}

/// The greatest integer whose square is at most `n`, a natural number.
pub(super) fn square_root(n: &Int) -> Int {
    if n.is_zero() {
        return Int::ZERO;
    }
    let two = Int::from(2);
    let mut guess = two.pow(u32::try_from(n.bits() / 2 + 1).unwrap_or(u32::MAX));
    loop {
        spend(1 + usize::try_from(n.bits()).unwrap_or(usize::MAX) / 64);
        let quotient = n.div_euclid_smt(&guess).unwrap_or_default();
        let better = (&guess + &quotient).div_euclid_smt(&two).unwrap_or_default();
        if better >= guess {
            return guess;
        }
        guess = better;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots() {
        for n in 0..2000i64 {
            let r = square_root(&Int::from(n)).to_i64().expect("small");
            assert!(r * r <= n && n < (r + 1) * (r + 1), "{n}: {r}");
        }
        let big = Int::from(10).pow(60);
        assert_eq!(square_root(&big), Int::from(10).pow(30));
        assert_eq!(square_root(&(&big - &Int::ONE)), &Int::from(10).pow(30) - &Int::ONE);
    }
}
