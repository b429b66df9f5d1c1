//! Integer sums, comparisons and equalities.

use super::{Cx, Rule};
use crate::build::{eq, ge0, int, not, op, three_of, two};
use crate::entail;
use crate::poly::{MAX_BITS, Poly, int_constant};
use smt::{Head, Int, Op, Pool, Sort, Term};

/// The rule that flattens sums.
pub(super) const SUM: &str = "int-sum";

pub(super) static RULES: &[Rule] = &[
    Rule::new(SUM, &[Op::Add, Op::Sub, Op::Neg, Op::Mul], sum),
    Rule::new("int-product", &[Op::Mul], product),
    Rule::new("int-compare", &[Op::Le, Op::Lt, Op::Gt], compare),
    Rule::new("int-ge", &[Op::Ge], ge),
    Rule::entailment("int-ge-ite", &[Op::Ge], ge_ite),
    Rule::entailment("int-ge-entailed", &[Op::Ge], ge_entailed),
    Rule::new("int-eq", &[Op::Eq], int_eq),
    Rule::entailment("int-eq-entailed", &[Op::Eq], int_eq_entailed),
    Rule::new("int-div-chain", &[Op::IntDiv], div_chain),
    Rule::new("int-div-mod", &[Op::IntDiv, Op::Mod], div_mod),
    Rule::new("int-abs", &[Op::Abs], abs),
    Rule::new("int-divisible", &[Op::Divisible], divisible),
];

fn is_int(pool: &Pool, t: Term) -> bool {
    pool.sort_of(t) == Sort::INT
}

/// match: a sum, difference, negation or multiple
/// result: its canonical form
fn sum(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    is_int(cx.pool, t).then(|| Poly::of(cx.pool, t).to_term(cx.pool))
}

/// Factors of a flat product, at most: with sharing there can be exponentially many.
const MAX_FACTORS: usize = 1_000;

/// match: a product of several terms that are not constants, of moderate size
/// result: the constant factor first, the others flat and sorted
fn product(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    if !is_int(cx.pool, t) {
        return None;
    }
    let (mut factor, mut rest) = (Int::ONE, Vec::new());
    let mut todo = cx.pool.args(t).to_vec();
    while let Some(a) = todo.pop() {
        match int_constant(cx.pool, a) {
            Some(n) if factor.bits() + n.bits() > MAX_BITS => return None,
            Some(n) => factor = factor * n,
            None if todo.len() + rest.len() > MAX_FACTORS => return None,
            None if super::is(cx.pool, a, Op::Mul) => todo.extend_from_slice(cx.pool.args(a)),
            None => rest.push(a),
        }
    }
    rest.sort_unstable();
    let rest = match rest[..] {
        [] => cx.pool.int(1),
        [only] => only,
        _ => op(cx.pool, Op::Mul, &rest),
    };
    Some(Poly::of(cx.pool, rest).scale(&factor).to_term(cx.pool))
}

/// match: `(< a b)`, `(<= a b)`, `(> a b)`
/// result: `(not (>= a b))`, `(>= b a)`, `(not (>= b a))`
fn compare(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (a, b) = two(cx.pool, t)?;
    if !is_int(cx.pool, a) || !is_int(cx.pool, b) {
        return None;
    }
    match cx.pool.head(t) {
        Head::Op(Op::Lt) => {
            let ge = op(cx.pool, Op::Ge, &[a, b]);
            Some(not(cx.pool, ge))
        }
        Head::Op(Op::Le) => Some(op(cx.pool, Op::Ge, &[b, a])),
        _ => {
            let ge = op(cx.pool, Op::Ge, &[b, a]);
            Some(not(cx.pool, ge))
        }
    }
}

fn difference(pool: &Pool, t: Term) -> Option<Poly> {
    let (a, b) = two(pool, t)?;
    (is_int(pool, a) && is_int(pool, b)).then(|| Poly::of(pool, a).sub(&Poly::of(pool, b)))
}

/// match: `(>= a b)`
/// result: `(>= sum c)` or its negation: the sum has no constant, coprime coefficients, the first one positive
fn ge(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let p = difference(cx.pool, t)?;
    if let Some(n) = p.value() {
        return Some(cx.pool.bool(!n.is_negative()));
    }
    let g = p.content();
    // sum + c >= 0 iff sum / g >= -floor(c / g)
    let bound = -p.constant.div_euclid_smt(&g)?;
    let sum = p.divided(&g, Int::ZERO);
    let negative = sum.terms[0].1.is_negative();
    // sum >= b iff not (-sum >= 1 - b)
    let (sum, bound) = if negative { (sum.scale(&Int::MINUS_ONE), Int::ONE - bound) } else { (sum, bound) };
    let (sum, bound) = (sum.to_term(cx.pool), cx.pool.int(bound));
    let atom = op(cx.pool, Op::Ge, &[sum, bound]);
    Some(if negative { not(cx.pool, atom) } else { atom })
}

/// match: `(>= (ite c k l) m)` of constants
/// result: `c`, its negation, or a constant
fn ge_ite(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (a, b) = two(cx.pool, t)?;
    let (c, k, l) = three_of(cx.pool, a, Op::Ite)?;
    let (k, l, m) = (int(cx.pool, k)?, int(cx.pool, l)?, int(cx.pool, b)?);
    Some(match (k >= m, l >= m) {
        (true, false) => c,
        (false, true) => not(cx.pool, c),
        (same, _) => cx.pool.bool(same),
    })
}

/// match: `(>= a b)` that is entailed, or whose negation is
/// result: `true`, `false`
fn ge_entailed(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let p = difference(cx.pool, t)?;
    if entail::nonneg(cx.pool, &p) {
        return Some(cx.pool.bool(true));
    }
    let contrary = p.scale(&Int::MINUS_ONE).shift(-1);
    entail::nonneg(cx.pool, &contrary).then(|| cx.pool.bool(false))
}

/// match: `(= a b)` of integers
/// result: positive monomials left, the others and the constant right, coprime coefficients, the first monomial left
fn int_eq(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let p = difference(cx.pool, t)?;
    if let Some(n) = p.value() {
        return Some(cx.pool.bool(n.is_zero()));
    }
    let g = p.content();
    if !p.constant.divisible_by(&g) {
        return Some(cx.pool.bool(false));
    }
    let g = if p.terms[0].1.is_negative() { -g } else { g };
    let p = p.divided(&g, p.constant.div_euclid_smt(&g)?);
    let (mut left, mut right) = (Poly::default(), Poly::constant(-&p.constant));
    for (m, k) in p.terms {
        if k.is_negative() { right.terms.push((m, -k)) } else { left.terms.push((m, k)) }
    }
    let (left, right) = (left.to_term(cx.pool), right.to_term(cx.pool));
    Some(eq(cx.pool, left, right))
}

/// match: `(= a b)` of integers that are never equal
/// result: `false`
fn int_eq_entailed(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let p = difference(cx.pool, t)?;
    let never = entail::positive(cx.pool, &p) || entail::positive(cx.pool, &p.scale(&Int::MINUS_ONE));
    never.then(|| cx.pool.bool(false))
}

/// match: `(div a b c …)`
/// result: `(div (div a b) c) …`
fn div_chain(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let args = cx.pool.args(t).to_vec();
    if args.len() <= 2 {
        return None;
    }
    args.into_iter().reduce(|a, b| op(cx.pool, Op::IntDiv, &[a, b]))
}

/// match: `(div a k)`, `(mod a k)` of a constant `k` other than zero
/// result: with k > 0 and `a` = k·q + r, the coefficients and the constant of r between 0 and k - 1: `(+ q (div r k))`,
/// `(mod r k)`; `q`, `r` if 0 <= r < k
fn div_mod(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (a, k) = two(cx.pool, t)?;
    let k = int(cx.pool, k)?.clone();
    if k.is_zero() {
        return None;
    }
    let quotient = super::is(cx.pool, t, Op::IntDiv);
    let f = if quotient { Op::IntDiv } else { Op::Mod };
    if k.is_negative() {
        let k = cx.pool.int(-k);
        let positive = op(cx.pool, f, &[a, k]);
        let sign = if quotient { Int::MINUS_ONE } else { Int::ONE };
        return Some(Poly::monomial(positive).scale(&sign).to_term(cx.pool));
    }
    let p = if quotient { Poly::of(cx.pool, a) } else { without_mod(cx.pool, a, &k) };
    let (whole, rest) = divide(&p, &k)?;
    let high = rest.scale(&Int::MINUS_ONE).add(&Poly::constant(&k - &Int::ONE));
    if entail::nonneg(cx.pool, &rest) && entail::nonneg(cx.pool, &high) {
        return Some(if quotient { &whole } else { &rest }.to_term(cx.pool));
    }
    let (rest, k) = (rest.to_term(cx.pool), cx.pool.int(k));
    let rest = op(cx.pool, f, &[rest, k]);
    Some(if quotient { whole.add(&Poly::monomial(rest)).to_term(cx.pool) } else { rest })
}

/// `p = k · whole + rest` with coefficients of the rest between 0 and k - 1.
fn divide(p: &Poly, k: &Int) -> Option<(Poly, Poly)> {
    let constant = |n: Option<Int>| Poly::constant(n.unwrap_or_default());
    let mut whole = constant(p.constant.div_euclid_smt(k));
    let mut rest = constant(p.constant.mod_euclid_smt(k));
    for (m, n) in &p.terms {
        let (q, r) = (n.div_euclid_smt(k)?, n.mod_euclid_smt(k)?);
        if !q.is_zero() {
            whole.terms.push((*m, q));
        }
        if !r.is_zero() {
            rest.terms.push((*m, r));
        }
    }
    Some((whole, rest))
}

/// `a` with `b` for each `(mod b n)` where `k` divides `n`.
fn without_mod(pool: &Pool, a: Term, k: &Int) -> Poly {
    let p = Poly::of(pool, a);
    let mut sum = p.clone();
    for (m, n) in &p.terms {
        if super::is(pool, *m, Op::Mod)
            && let Some((b, c)) = two(pool, *m)
            && int(pool, c).is_some_and(|c| !c.is_zero() && c.divisible_by(k))
        {
            sum = sum.plus(&Poly::monomial(*m), &-n).plus(&Poly::of(pool, b), n);
        }
    }
    sum
}

/// match: `(abs a)` with an entailed sign of `a`
/// result: `a` or `(- a)`
fn abs(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let a = cx.pool.args(t)[0];
    if !is_int(cx.pool, a) {
        return None;
    }
    let p = Poly::of(cx.pool, a);
    if entail::nonneg(cx.pool, &p) {
        return Some(a);
    }
    let negated = p.scale(&Int::MINUS_ONE);
    entail::nonneg(cx.pool, &negated).then(|| negated.to_term(cx.pool))
}

/// match: `((_ divisible k) a)`
/// result: `(= (mod a k) 0)`, `(= a 0)` if `k` is zero
fn divisible(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let Head::Indexed(Op::Divisible, id) = cx.pool.head(t) else { return None };
    let k = cx.pool.index_values(id).first()?.clone();
    let a = cx.pool.args(t)[0];
    let zero = cx.pool.int(0);
    if k.is_zero() {
        return Some(eq(cx.pool, a, zero));
    }
    let k = cx.pool.int(k);
    let rest = op(cx.pool, Op::Mod, &[a, k]);
    Some(eq(cx.pool, rest, zero))
}

/// Whether `lo <= p <= hi` is entailed.
pub(super) fn between(pool: &mut Pool, p: &Poly, lo: i64, hi: i64) -> Term {
    let low = ge0(pool, &p.clone().shift(-lo));
    let high = ge0(pool, &p.scale(&Int::MINUS_ONE).shift(hi));
    op(pool, Op::And, &[low, high])
}
