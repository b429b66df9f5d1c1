//! Real terms, and integers beside them, as sums over the variables of a simplex.
//!
//! As [`crate::arith`] is for integers. An integer below `to_real` is the variable of the integer; these are the shared ones.

mod simplex;

pub(crate) use simplex::{Equation, Simplex, Sum, Value, Var, rat};

use crate::operators;
use crate::poly::Poly;
use crate::rewrite::reals::RealSum;
use rustc_hash::FxHashMap;
use smt::{Head, Op, Pool, Rat, Sort, Term};

/// Reals of a check.
#[derive(Default)]
pub(crate) struct Reals {
    pub(crate) simplex: Simplex,
    pub(crate) vars: FxHashMap<Term, Var>,
    sums: FxHashMap<Term, Sum>,
    /// Integers in real terms.
    pub(crate) shared: Vec<(Term, Var)>,
    /// New monomials.
    pub(crate) fresh: Vec<Term>,
    /// Lemmas on products that were sent.
    pub(crate) lemmas: usize,
}

impl Reals {
    /// Reals, if a term has a real in it or a field of a datatype may.
    pub(crate) fn wanted(pool: &Pool, assertions: &[Term]) -> Option<Box<Reals>> {
        let field = |t: Term| match pool.datatype(pool.sort_of(t)) {
            Some(_) => pool.has_field(pool.sort_of(t), Sort::REAL),
            None => false,
        };
        let found =
            pool.subterms(assertions.iter().copied()).any(|t| pool.sort_of(t) == Sort::REAL || field(t));
        found.then(Box::default)
    }

    pub(crate) fn push(&mut self) {
        self.simplex.push();
    }

    pub(crate) fn pop(&mut self, levels: usize) {
        self.simplex.pop(levels);
    }

    fn var(&mut self, pool: &Pool, t: Term) -> Var {
        if let Some(&v) = self.vars.get(&t) {
            return v;
        }
        let v = self.simplex.new_var();
        self.vars.insert(t, v);
        self.fresh.push(t);
        if pool.sort_of(t) == Sort::INT {
            let (low, high) = operators::constant_bounds(pool, t);
            for (bound, sign) in [(low, 1), (high, -1)] {
                let Some(n) = bound else { continue };
                let mut sum = Sum { constant: Rat::from(n) * rat(-sign), ..Sum::default() };
                sum.add_var(&rat(sign), v);
                // Bounds by the operator: they never contradict each other, and need no premise.
                let _ = self.simplex.assert_positive(&sum, false, None);
            }
        }
        v
    }

    /// A number as a sum of monomials.
    pub(crate) fn sum(&mut self, pool: &mut Pool, t: Term) -> Sum {
        if let Some(sum) = self.sums.get(&t) {
            return sum.clone();
        }
        let mut out = Sum::default();
        if pool.sort_of(t) == Sort::INT {
            let poly = Poly::of(pool, t);
            out.constant = Rat::from(poly.constant);
            for (m, k) in poly.terms {
                let v = self.var(pool, m);
                out.add_var(&Rat::from(k), v);
            }
        } else {
            let real = RealSum::of(pool, t);
            out.constant = real.constant;
            for (m, k) in real.terms {
                let v = self.monomial(pool, m);
                out.add_var(&k, v);
            }
        }
        self.sums.insert(t, out.clone());
        out
    }

    /// A real monomial: that of `(to_real i)` is the integer.
    fn monomial(&mut self, pool: &Pool, m: Term) -> Var {
        if pool.head(m) != Head::Op(Op::ToReal) {
            return self.var(pool, m);
        }
        let i = pool.args(m)[0];
        let v = self.var(pool, i);
        if !self.shared.iter().any(|&(_, w)| w == v) {
            self.shared.push((i, v));
            self.fresh.push(m);
        }
        v
    }

    /// `a - b`
    pub(crate) fn difference(&mut self, pool: &mut Pool, a: Term, b: Term) -> Sum {
        let mut out = self.sum(pool, a);
        let b = self.sum(pool, b);
        out.add(&rat(-1), &b);
        out
    }
}
