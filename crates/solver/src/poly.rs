//! Linear integer terms: sums of monomials with integer coefficients.
//!
//! All integer reasoning of the solver is based on this form. A monomial is any `Int` term that is not a sum, a
//! difference, a negation or a multiple by a constant.

use smt::work::spend;
use smt::{Head, Int, Op, Pool, Sort, Term};
use std::collections::BinaryHeap;

/// The bits of a product of constants, at most: repeated squaring is exponential. A larger product is a monomial.
pub(crate) const MAX_BITS: u64 = 1 << 22;

/// A linear sum: `Σ coefficient · monomial + constant`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Poly {
    /// The monomials, sorted by term, none with coefficient zero.
    pub(crate) terms: Vec<(Term, Int)>,
    /// The constant summand.
    pub(crate) constant: Int,
}

/// The value of an integer constant, a negated one included.
pub(crate) fn int_constant(pool: &Pool, t: Term) -> Option<Int> {
    match pool.head(t) {
        Head::Int(id) => Some(pool.int_value(id).clone()),
        Head::Op(Op::Neg) => match pool.head(pool.args(t)[0]) {
            Head::Int(id) => Some(-pool.int_value(id)),
            _ => None,
        },
        _ => None,
    }
}

/// A term as a linear function of its arguments.
pub(crate) enum Linear {
    /// The sum of these multiples.
    Parts(smallvec::SmallVec<[(Term, Int); 4]>),
    /// A constant.
    Constant(Int),
    /// Not linear.
    Monomial,
}

/// The linear function at the top of `t`.
pub(crate) fn linear(pool: &Pool, t: Term) -> Linear {
    if let Some(n) = int_constant(pool, t) {
        return Linear::Constant(n);
    }
    let Head::Op(op) = pool.head(t) else { return Linear::Monomial };
    if pool.sort_of(t) != Sort::INT {
        return Linear::Monomial;
    }
    let args = pool.args(t);
    match op {
        Op::Add => Linear::Parts(args.iter().map(|&a| (a, Int::ONE)).collect()),
        Op::Neg => Linear::Parts(args.iter().map(|&a| (a, Int::MINUS_ONE)).collect()),
        Op::Sub => {
            let sign = |i: usize| if i == 0 { Int::ONE } else { Int::MINUS_ONE };
            Linear::Parts(args.iter().enumerate().map(|(i, &a)| (a, sign(i))).collect())
        }
        Op::Mul => {
            let (mut factor, mut rest) = (Int::ONE, None);
            for &a in args {
                match int_constant(pool, a) {
                    Some(n) if factor.bits() + n.bits() > MAX_BITS => return Linear::Monomial,
                    Some(n) => factor = factor * n,
                    None if rest.is_none() => rest = Some(a),
                    None => return Linear::Monomial,
                }
            }
            match rest {
                Some(a) => Linear::Parts([(a, factor)].into_iter().collect()),
                None => Linear::Constant(factor),
            }
        }
        _ => Linear::Monomial,
    }
}

/// A sum with one coefficient per monomial, sorted, without zeros.
pub(crate) fn merge<K: Copy + Ord>(mut terms: Vec<(K, Int)>) -> Vec<(K, Int)> {
    spend(terms.len());
    terms.sort_unstable_by_key(|m| m.0);
    terms.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += &next.1;
        }
        same
    });
    terms.retain(|m| !m.1.is_zero());
    terms
}

impl Poly {
    /// The constant `n`.
    pub(crate) fn constant(n: impl Into<Int>) -> Poly {
        Poly { terms: Vec::new(), constant: n.into() }
    }

    /// The monomial `t`, which is not linear.
    pub(crate) fn monomial(t: Term) -> Poly {
        Poly { terms: vec![(t, Int::ONE)], constant: Int::ZERO }
    }

    /// The linear form of `t`. The time does not depend on sharing and nesting: a term comes after its arguments in the
    /// pool, so the heap visits each term of the sum once.
    pub(crate) fn of(pool: &Pool, t: Term) -> Poly {
        match linear(pool, t) {
            Linear::Monomial => Poly::monomial(t),
            Linear::Constant(n) => Poly::constant(n),
            Linear::Parts(_) => Poly::of_sum(pool, t),
        }
    }

    fn of_sum(pool: &Pool, t: Term) -> Poly {
        let mut poly = Poly::default();
        let mut heap = BinaryHeap::from([(t, Int::ONE)]);
        while let Some((t, mut k)) = heap.pop() {
            spend(1);
            while heap.peek().is_some_and(|(u, _)| *u == t) {
                let (_, more) = heap.pop().expect("there is one on top");
                k += &more;
            }
            if k.is_zero() {
                continue;
            }
            match linear(pool, t) {
                Linear::Monomial => poly.terms.push((t, k)),
                Linear::Constant(n) => poly.constant += &(k * n),
                Linear::Parts(parts) => heap.extend(parts.into_iter().map(|(u, n)| (u, n * &k))),
            }
        }
        poly.terms.reverse();
        poly
    }

    /// The sum of monomials in any order, with repetitions.
    pub(crate) fn gather(terms: Vec<(Term, Int)>, constant: Int) -> Poly {
        Poly { terms: merge(terms), constant }
    }

    /// The canonical term of this sum: `(+ (* k t) … c)`.
    pub(crate) fn to_term(&self, pool: &mut Pool) -> Term {
        if self.terms.is_empty() {
            return pool.int(self.constant.clone());
        }
        let mut parts: smallvec::SmallVec<[Term; 8]> = smallvec::SmallVec::new();
        for (t, k) in &self.terms {
            parts.push(if *k == Int::ONE {
                *t
            } else {
                let k = pool.int(k.clone());
                pool.mk(Head::Op(Op::Mul), Sort::INT, &[k, *t])
            });
        }
        if !self.constant.is_zero() {
            parts.push(pool.int(self.constant.clone()));
        }
        match parts[..] {
            [only] => only,
            _ => pool.mk(Head::Op(Op::Add), Sort::INT, &parts),
        }
    }

    /// `self + other`
    #[must_use]
    pub(crate) fn add(&self, other: &Poly) -> Poly {
        self.plus(other, &Int::ONE)
    }

    /// `self - other`
    #[must_use]
    pub(crate) fn sub(&self, other: &Poly) -> Poly {
        self.plus(other, &Int::MINUS_ONE)
    }

    /// `self + k · other`
    #[must_use]
    pub(crate) fn plus(&self, other: &Poly, k: &Int) -> Poly {
        if k.is_zero() {
            return self.clone();
        }
        spend(self.terms.len() + other.terms.len());
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut i, mut j) = (0, 0);
        while i < self.terms.len() && j < other.terms.len() {
            let (a, b) = (&self.terms[i], &other.terms[j]);
            if a.0 < b.0 {
                terms.push(a.clone());
                i += 1;
            } else if b.0 < a.0 {
                terms.push((b.0, &b.1 * k));
                j += 1;
            } else {
                let sum = &a.1 + &(&b.1 * k);
                if !sum.is_zero() {
                    terms.push((a.0, sum));
                }
                i += 1;
                j += 1;
            }
        }
        terms.extend_from_slice(&self.terms[i..]);
        terms.extend(other.terms[j..].iter().map(|(t, n)| (*t, n * k)));
        Poly { terms, constant: &self.constant + &(&other.constant * k) }
    }

    /// `k · self`
    #[must_use]
    pub(crate) fn scale(&self, k: &Int) -> Poly {
        if k.is_zero() {
            return Poly::default();
        }
        let terms = self.terms.iter().map(|(t, n)| (*t, n * k)).collect();
        Poly { terms, constant: &self.constant * k }
    }

    /// `self + n`
    #[must_use]
    pub(crate) fn shift(mut self, n: impl Into<Int>) -> Poly {
        self.constant += &n.into();
        self
    }

    /// Whether there are no monomials.
    pub(crate) fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    /// The value of a constant.
    pub(crate) fn value(&self) -> Option<&Int> {
        self.terms.is_empty().then_some(&self.constant)
    }

    /// The greatest common divisor of the coefficients, the constant not included; zero if there are none.
    pub(crate) fn content(&self) -> Int {
        self.terms.iter().fold(Int::ZERO, |g, (_, k)| g.gcd(k))
    }

    /// The sum with coefficients divided by `g`, a common divisor, and another constant.
    #[must_use]
    pub(crate) fn divided(&self, g: &Int, constant: Int) -> Poly {
        let quotient = |k: &Int| k.div_euclid_smt(g).expect("a content is not zero");
        Poly { terms: self.terms.iter().map(|(t, k)| (*t, quotient(k))).collect(), constant }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup() -> (Pool, Term, Term) {
        let mut p = Pool::new();
        let [x, y] = ["x", "y"].map(|n| {
            let n = p.names.intern(n);
            let f = p.declare(n, Box::new([]), Sort::INT);
            p.apply(f, &[])
        });
        (p, x, y)
    }

    #[test]
    fn sums_are_canonical() {
        let (mut p, x, y) = setup();
        let two = p.int(2);
        let twice = p.op(Op::Mul, &[y, two]).unwrap();
        let t = p.op(Op::Sub, &[twice, x, two]).unwrap();
        let t = p.op(Op::Add, &[t, x, x]).unwrap();
        let poly = Poly::of(&p, t);
        assert_eq!(poly.terms, [(x, Int::ONE), (y, Int::from(2))]);
        assert_eq!(poly.constant, Int::from(-2));
        let u = poly.to_term(&mut p);
        assert_eq!(Poly::of(&p, u), poly);
        assert_eq!(poly.sub(&poly), Poly::default());
        assert_eq!(poly.add(&poly), poly.scale(&Int::from(2)));
        assert_eq!(poly.terms[1], (y, Int::from(2)));
    }

    #[test]
    fn shared_sums_are_visited_once() {
        let (mut p, x, _) = setup();
        let mut t = x;
        for _ in 0..100 {
            t = p.op(Op::Add, &[t, t]).unwrap();
        }
        assert_eq!(Poly::of(&p, t).terms, [(x, Int::from(2).pow(100))]);
    }
}
