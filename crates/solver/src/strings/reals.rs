//! Products of reals, and quotients by reals that are not constants, where the candidate model is wrong.
//!
//! Arithmetic takes them as variables. A value that does not fit is excluded:
//!
//! | the model | lemma |
//! |---|---|
//! | `q = x / y` and `y != 0`, and `q * y` is not `x` | `y = 0 or y * q = x` |
//! | `x > 0`, `y > 0`, and `t` is not positive | `x > 0 and y > 0 => t > 0`; and with other signs |
//! | `x = a`, and `t = x * y` is not `a * y` | `x = a => t = a * y`, the equality being decided first |
//! | `t = x * x` is the square of `a` | the same, and for `x = -a`; and `t = a * a => x = a or x = -a` |
//! | `t < a * b` for `x = a`, `y = b` | `(x - a) * (y - b) >= 0` if both are on one side of the model |
//! | `t > a * b` | `(x - a) * (y - b) <= 0` if they are on different sides |
//!
//! This finds models with rational values; `x * x = 2` stays open.

use super::products::square_root;
use super::words::{Words, nodes};
use crate::build::rational;
use crate::builder::Builder;
use crate::calculus::{Calculus, Step, stop_if};
use crate::infer::Rule;
use crate::lra::rat;
use crate::rewrite::Mode;
use smt::{Head, Int, Op, Rat, Sort, Term};
use std::cmp::Ordering;

/// Lemmas of one check, at most.
const MAX_LEMMAS: usize = 400;
/// Bits of values for which lemmas are sent.
const MAX_BITS: u64 = 256;

/// Sends lemmas for products and quotients that are wrong in the candidate model.
pub(super) fn linearise(c: &mut Calculus<'_>, words: &Words) -> Step {
    if c.state.reals.as_ref().is_none_or(|reals| reals.lemmas > MAX_LEMMAS) {
        return Ok(());
    }
    let terms: Vec<Term> = nodes(c).map(|n| c.term(n)).filter(|&t| c.sort(t) == Sort::REAL).collect();
    let sent: usize = c.in_mode(Mode::WithoutEntailment, |c| {
        terms.into_iter().map(|t| quotient(c, words, t) + product(c, words, t)).sum()
    });
    if let Some(reals) = &mut c.state.reals {
        reals.lemmas += sent;
    }
    stop_if(sent > 0)
}

fn real(c: &mut Calculus<'_>, op: Op, args: &[Term]) -> Term {
    let t = c.terms.pool.mk(Head::Op(op), Sort::REAL, args);
    c.rewrite(t)
}

fn clause(c: &mut Calculus<'_>, parts: &[Term]) -> usize {
    usize::from(c.lemma(Rule::Product, &[], parts))
}

/// `y = 0 or y * q = x` for `q = x / y`
fn quotient(c: &mut Calculus<'_>, words: &Words, q: Term) -> usize {
    let (Head::Op(Op::RealDiv), &[x, y]) = (c.head(q), c.terms.pool.args(q)) else { return 0 };
    if rational(c.terms.pool, y).is_some() {
        return 0;
    }
    let (Some(vq), Some(vx), Some(vy)) = (words.real(c, q), words.real(c, x), words.real(c, y)) else {
        return 0;
    };
    if vy.is_zero() || &vy * &vq == vx {
        return 0;
    }
    let zero = c.terms.pool.real(rat(0));
    let (none, whole) = (c.eq(y, zero), real(c, Op::Mul, &[y, q]));
    let is = c.eq(whole, x);
    clause(c, &[none, is])
}

fn product(c: &mut Calculus<'_>, words: &Words, t: Term) -> usize {
    let args = c.terms.pool.args(t).to_vec();
    let open = args.iter().filter(|&&a| rational(c.terms.pool, a).is_none()).count();
    if c.head(t) != Head::Op(Op::Mul) || open < 2 {
        return 0;
    }
    let x = args[0];
    let y = match &args[1..] {
        [only] => *only,
        rest => real(c, Op::Mul, rest),
    };
    let (Some(value), Some(a), Some(b)) = (words.real(c, t), words.real(c, x), words.real(c, y)) else {
        return 0;
    };
    let long = |q: &Rat| q.numer().bits() + q.denom().bits() > MAX_BITS;
    if value == &a * &b || [&value, &a, &b].into_iter().any(long) {
        return 0;
    }
    let signed = signs(c, [(t, &value), (x, &a), (y, &b)]);
    if signed > 0 {
        return signed;
    }
    let mut sent = tangents(c, t, (x, &a), (y, &b), &value);
    if x == y
        && let Some(root) = root(&value)
    {
        return sent + square(c, t, x, &value, &root) + case(c, t, x, y, &root) + case(c, t, x, y, &-root);
    }
    sent += case(c, t, x, y, &a);
    if x == y { sent } else { sent + case(c, t, y, x, &b) }
}

/// `x * x = a * a => x = a or x = -a`
fn square(c: &mut Calculus<'_>, t: Term, x: Term, value: &Rat, a: &Rat) -> usize {
    let [value, plus, minus] = [value.clone(), a.clone(), -a].map(|q| c.terms.pool.real(q));
    let (is, plus, minus) = (c.eq(t, value), c.eq(x, plus), c.eq(x, minus));
    let other = c.not(is);
    clause(c, &[plus, minus, other])
}

/// `x = a => t = a * y`
fn case(c: &mut Calculus<'_>, t: Term, x: Term, y: Term, a: &Rat) -> usize {
    let a = c.terms.pool.real(a.clone());
    let multiple = real(c, Op::Mul, &[a, y]);
    let (here, is) = (c.eq(x, a), c.eq(t, multiple));
    let elsewhere = c.not(here);
    clause(c, &[is, elsewhere]) + usize::from(c.split(Rule::Product, &[], here, true))
}

/// The signs of the factors, if they are not zero, determine that of the product.
fn signs(c: &mut Calculus<'_>, [(t, value), (x, a), (y, b)]: [(Term, &Rat); 3]) -> usize {
    let zero = rat(0);
    let sign = |q: &Rat| q.cmp(&zero);
    let positive = sign(a) == sign(b);
    if a.is_zero() || b.is_zero() || sign(value) == if positive { Ordering::Greater } else { Ordering::Less }
    {
        return 0;
    }
    let zero = c.terms.pool.real(zero.clone());
    let mut has = |s: Term, positive: bool| {
        let other = if positive { c.ge(zero, s) } else { c.ge(s, zero) };
        (c.not(other), other)
    };
    let ((fits, _), (_, x_off), (_, y_off)) =
        (has(t, positive), has(x, !a.is_negative()), has(y, !b.is_negative()));
    clause(c, &[fits, x_off, y_off])
}

/// The sign of `(x - a) * (y - b)` in two quadrants around the model.
fn tangents(c: &mut Calculus<'_>, t: Term, (x, a): (Term, &Rat), (y, b): (Term, &Rat), value: &Rat) -> usize {
    let below = *value < a * b;
    let both = c.terms.pool.real(a * b);
    let [a, b] = [a, b].map(|q| c.terms.pool.real(q.clone()));
    let (ay, bx) = (real(c, Op::Mul, &[a, y]), real(c, Op::Mul, &[b, x]));
    let sum = real(c, Op::Add, &[ay, bx]);
    let plane = real(c, Op::Sub, &[sum, both]);
    let bound = if below { c.ge(t, plane) } else { c.ge(plane, t) };
    let mut sent = 0;
    for low in [true, false] {
        // `x` is not on this side of `a`.
        let off = |c: &mut Calculus<'_>, s: Term, n: Term, low: bool| {
            let on = if low { c.ge(n, s) } else { c.ge(s, n) };
            c.not(on)
        };
        let (x_off, y_off) = (off(c, x, a, low), off(c, y, b, low == below));
        sent += clause(c, &[bound, x_off, y_off]);
    }
    sent
}

/// The square root of a number, if it is rational.
fn root(q: &Rat) -> Option<Rat> {
    let exact = |n: &Int| {
        let r = square_root(n);
        (r.clone() * r.clone() == *n).then_some(r)
    };
    if q.is_negative() {
        return None;
    }
    Rat::from(exact(q.numer())?).checked_div(&Rat::from(exact(q.denom())?))
}
