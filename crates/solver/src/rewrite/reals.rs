//! Linear terms over reals.
//!
//! A comparison becomes `(>= sum c)`, its first coefficient 1 or -1; an equality `(= x sum)` of its first monomial. `(< x (+ y
//! 1.5))` is `(not (>= (+ x (* (- 1.0) y)) 1.5))`. Integers within are monomials `(to_real i)`.

use crate::build::{self, rational as constant};
use crate::poly::Poly;
use smt::work::spend;
use smt::{Head, Int, Op, Pool, Rat, Sort, Term};
use std::collections::BTreeMap;

/// Bits of coefficients, at most: repeated squaring is exponential.
const MAX_BITS: u64 = 1 << 16;

/// A linear sum of real monomials.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RealSum {
    pub(crate) terms: BTreeMap<Term, Rat>,
    pub(crate) constant: Rat,
}

fn one() -> Rat {
    Rat::from(Int::ONE)
}

fn bits(q: &Rat) -> u64 {
    q.numer().bits() + q.denom().bits()
}

/// The linear function at the top of a real term: multiples of its arguments; none if it is a monomial.
fn parts(pool: &Pool, t: Term) -> Option<Vec<(Term, Rat)>> {
    let Head::Op(op) = pool.head(t) else { return None };
    let args = pool.args(t);
    match op {
        Op::Add => Some(args.iter().map(|&a| (a, one())).collect()),
        Op::Neg => Some(vec![(args[0], -one())]),
        Op::Sub => {
            Some(args.iter().enumerate().map(|(i, &a)| (a, if i == 0 { one() } else { -one() })).collect())
        }
        Op::Mul => {
            let (mut factor, mut rest) = (one(), None);
            for &a in args {
                match constant(pool, a) {
                    Some(q) if bits(&q) + bits(&factor) > MAX_BITS => return None,
                    Some(q) => factor = factor * q,
                    None if rest.is_none() => rest = Some(a),
                    None => return None,
                }
            }
            // A product of constants is a multiple of its first factor.
            let Some(a) = rest else {
                let first = constant(pool, args[0])?;
                return if first.is_zero() {
                    Some(Vec::new())
                } else {
                    Some(vec![(args[0], factor.checked_div(&first)?)])
                };
            };
            Some(vec![(a, factor)])
        }
        Op::RealDiv => match args {
            &[a, k] => {
                let k = constant(pool, k).filter(|k| !k.is_zero() && bits(k) <= MAX_BITS)?;
                Some(vec![(a, one().checked_div(&k)?)])
            }
            _ => None,
        },
        _ => None,
    }
}

impl RealSum {
    /// The linear form of a real term. A term comes after its arguments in the pool, so that each is visited once.
    pub(crate) fn of(pool: &mut Pool, t: Term) -> RealSum {
        let mut sum = RealSum::default();
        let mut open: BTreeMap<Term, Rat> = BTreeMap::from([(t, one())]);
        while let Some((t, k)) = open.pop_last() {
            spend(1);
            if k.is_zero() {
                continue;
            }
            if let Some(q) = constant(pool, t) {
                sum.constant = &sum.constant + &(k * q);
            } else if let Some(parts) = parts(pool, t) {
                for (a, n) in parts {
                    let old = open.remove(&a).unwrap_or_default();
                    open.insert(a, &old + &(&k * &n));
                }
            } else if let Head::Op(Op::ToReal) = pool.head(t) {
                sum.add_integer(pool, t, &k);
            } else {
                sum.add(t, &k);
            }
        }
        sum
    }

    /// `k · (to_real sum)`
    fn add_integer(&mut self, pool: &mut Pool, t: Term, k: &Rat) {
        let poly = Poly::of(pool, pool.args(t)[0]);
        self.constant = &self.constant + &(k * &Rat::from(poly.constant));
        for (m, n) in poly.terms {
            let m = pool.mk(Head::Op(Op::ToReal), Sort::REAL, &[m]);
            self.add(m, &(k * &Rat::from(n)));
        }
    }

    fn add(&mut self, m: Term, k: &Rat) {
        let c = self.terms.entry(m).or_default();
        *c = &*c + k;
        if c.is_zero() {
            self.terms.remove(&m);
        }
    }

    pub(crate) fn minus(mut self, other: &RealSum) -> RealSum {
        self.constant = &self.constant - &other.constant;
        for (&m, k) in &other.terms {
            self.add(m, &-k);
        }
        self
    }

    pub(crate) fn divided(mut self, k: &Rat) -> RealSum {
        let quotient = |q: &Rat| q.checked_div(k).expect("a coefficient is not zero");
        self.constant = quotient(&self.constant);
        self.terms.values_mut().for_each(|c| *c = quotient(c));
        self
    }

    pub(crate) fn to_term(&self, pool: &mut Pool) -> Term {
        let mut out = Vec::new();
        for (&m, k) in &self.terms {
            out.push(if *k == one() {
                m
            } else {
                let k = pool.real(k.clone());
                pool.mk(Head::Op(Op::Mul), Sort::REAL, &[k, m])
            });
        }
        if !self.constant.is_zero() || out.is_empty() {
            out.push(pool.real(self.constant.clone()));
        }
        if let [only] = out[..] { only } else { pool.mk(Head::Op(Op::Add), Sort::REAL, &out) }
    }
}

fn is_real(pool: &Pool, t: Term) -> bool {
    pool.sort_of(t) == Sort::REAL
}

/// A step towards the normal form of an application with reals, its arguments being in normal form.
pub(super) fn step(pool: &mut Pool, op: Op, t: Term) -> Option<Term> {
    let args = pool.args(t).to_vec();
    let first = *args.first()?;
    let out = match (op, &args[..]) {
        (Op::Add | Op::Sub | Op::Neg | Op::Mul | Op::RealDiv, _) if is_real(pool, t) => {
            normal(pool, op, t, &args)?
        }
        (Op::ToReal, _) => RealSum::of(pool, t).to_term(pool),
        (Op::Abs, _) if is_real(pool, first) => {
            let zero = pool.real(Rat::ZERO);
            let (positive, negated) =
                (build::op(pool, Op::Ge, &[first, zero]), pool.mk(Head::Op(Op::Neg), Sort::REAL, &[first]));
            pool.mk(Head::Op(Op::Ite), Sort::REAL, &[positive, first, negated])
        }
        (Op::ToInt, _) => to_int(pool, first)?,
        (Op::IsInt, _) => {
            let whole = pool.mk(Head::Op(Op::ToInt), Sort::INT, &[first]);
            let whole = pool.to_real(whole);
            build::eq(pool, first, whole)
        }
        (Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq, &[a, b]) if is_real(pool, a) && is_real(pool, b) => {
            compare(pool, op, a, b)
        }
        _ => return None,
    };
    (out != t).then_some(out)
}

fn normal(pool: &mut Pool, op: Op, t: Term, args: &[Term]) -> Option<Term> {
    if op == Op::RealDiv && args.len() > 2 {
        let divide = |a, b| pool.mk(Head::Op(Op::RealDiv), Sort::REAL, &[a, b]);
        return args.iter().copied().reduce(divide);
    }
    if op == Op::Mul && parts(pool, t).is_none() {
        return product(pool, args);
    }
    Some(RealSum::of(pool, t).to_term(pool))
}

/// A product of several monomials: the constant outside, the factors flat and sorted.
fn product(pool: &mut Pool, args: &[Term]) -> Option<Term> {
    let (mut factor, mut rest) = (one(), Vec::new());
    for &a in args {
        match constant(pool, a) {
            Some(q) if bits(&q) + bits(&factor) > MAX_BITS => return None,
            Some(q) => factor = factor * q,
            None => rest.push(a),
        }
    }
    rest.sort_unstable();
    let m = pool.mk(Head::Op(Op::Mul), Sort::REAL, &rest);
    let mut sum = RealSum::default();
    sum.add(m, &factor);
    Some(sum.to_term(pool))
}

fn to_int(pool: &mut Pool, a: Term) -> Option<Term> {
    if let Some(q) = constant(pool, a) {
        return Some(pool.int(q.floor()));
    }
    (pool.head(a) == Head::Op(Op::ToReal)).then(|| pool.args(a)[0])
}

fn compare(pool: &mut Pool, op: Op, a: Term, b: Term) -> Term {
    match op {
        Op::Lt => {
            let ge = build::op(pool, Op::Ge, &[a, b]);
            return build::not(pool, ge);
        }
        Op::Gt => {
            let ge = build::op(pool, Op::Ge, &[b, a]);
            return build::not(pool, ge);
        }
        Op::Le => return build::op(pool, Op::Ge, &[b, a]),
        _ => {}
    }
    let right = RealSum::of(pool, b);
    let difference = RealSum::of(pool, a).minus(&right);
    let Some((&lead, k)) = difference.terms.iter().next() else {
        let c = &difference.constant;
        return pool.bool(if op == Op::Eq { c.is_zero() } else { !c.is_negative() });
    };
    let k = k.clone();
    if op == Op::Eq {
        let mut rest = RealSum::default().minus(&difference.divided(&k));
        rest.terms.remove(&lead);
        let rest = rest.to_term(pool);
        return build::eq(pool, lead, rest);
    }
    let mut sum = difference.divided(&if k.is_negative() { -k } else { k });
    let bound = pool.real(-std::mem::take(&mut sum.constant));
    let sum = sum.to_term(pool);
    build::op(pool, Op::Ge, &[sum, bound])
}
