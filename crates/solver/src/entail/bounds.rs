//! Bounds of lengths and other integer functions of strings.

use crate::build::{Terms, int, len, parts, three, three_of, word};
use crate::operators::constant_bounds;
use crate::poly::Poly;
use semantics::strings::MAX_CHAR;
use smallvec::SmallVec;
use smt::{Head, Int, Op, Pool, Term};

/// The depth of nested side conditions and replacements, at most.
const MAX_DEPTH: u32 = 6;
/// Sums visited per query, at most.
const MAX_SUMS: u32 = 120;

type Polys = SmallVec<[Poly; 4]>;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Lower,
    Upper,
}

/// A query with its budget.
pub(crate) struct Bounds<'a> {
    pool: &'a mut Pool,
    fuel: u32,
}

impl<'a> Bounds<'a> {
    pub(crate) fn new(pool: &'a mut Pool) -> Self {
        Bounds { pool, fuel: MAX_SUMS }
    }

    /// `p >= 0`. The recursion is bounded by [`MAX_DEPTH`].
    pub(crate) fn nonneg(&mut self, p: &Poly, depth: u32) -> bool {
        if let Some(n) = p.value() {
            return !n.is_negative();
        }
        if self.fuel == 0 {
            return false;
        }
        self.fuel -= 1;
        if self.nonneg_by_constants(p) {
            return true;
        }
        if depth >= MAX_DEPTH {
            return false;
        }
        // Monomials that need an upper bound first.
        for negative in [true, false] {
            for (m, k) in &p.terms {
                if k.is_negative() != negative {
                    continue;
                }
                let side = if negative { Side::Upper } else { Side::Lower };
                for bound in self.bounds(*m, side, depth + 1) {
                    let rest = p.plus(&Poly::monomial(*m), &-k).plus(&bound, k);
                    if self.nonneg(&rest, depth + 1) {
                        return true;
                    }
                    if self.fuel == 0 {
                        return false;
                    }
                }
            }
        }
        false
    }

    fn nonneg_by_constants(&self, p: &Poly) -> bool {
        let mut sum = p.constant.clone();
        for (m, k) in &p.terms {
            let side = if k.is_negative() { Side::Upper } else { Side::Lower };
            match self.constant_bound(*m, side, 0) {
                Some(n) => sum += &(n * k),
                None => return false,
            }
        }
        !sum.is_negative()
    }

    /// A constant bound by the operator alone.
    fn constant_bound(&self, m: Term, side: Side, depth: u32) -> Option<Int> {
        let pool = &*self.pool;
        let Head::Op(op) = pool.head(m) else { return None };
        let lower = side == Side::Lower;
        match op {
            Op::StrLen if !lower => self.longest(pool.args(m)[0]),
            Op::StrIndexof | Op::StrIndexofRe | Op::StrLastIndexof if !lower => {
                word(pool, pool.args(m)[0]).map(|w| Int::from(w.len()))
            }
            Op::Ite if depth < MAX_DEPTH => {
                let (_, a, b) = three(pool, m);
                let bound = |t: Term| match int(pool, t) {
                    Some(n) => Some(n.clone()),
                    None => self.constant_bound(t, side, depth + 1),
                };
                let (a, b) = (bound(a)?, bound(b)?);
                Some(if lower { a.min(b) } else { a.max(b) })
            }
            _ => {
                let (low, high) = constant_bounds(pool, m);
                if lower { low } else { high }
            }
        }
    }

    /// A constant upper bound of the length of a part.
    fn longest(&self, s: Term) -> Option<Int> {
        let pool = &*self.pool;
        match pool.head(s) {
            Head::Op(Op::StrSubstr) => {
                let (u, _, m) = three(pool, s);
                let own = word(pool, u).map(|w| Int::from(w.len()));
                let asked = int(pool, m).map(|m| m.clone().max(Int::ZERO));
                match (own, asked) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                }
            }
            Head::Op(Op::StrFromCode) => Some(Int::ONE),
            Head::Op(Op::Ite) => {
                let (_, a, b) = three(pool, s);
                let size = |t: Term| word(pool, t).map(|w| Int::from(w.len()));
                Some(size(a)?.max(size(b)?))
            }
            _ => None,
        }
    }

    /// The length of `s` as a sum; exact.
    pub(crate) fn length(&mut self, s: Term, depth: u32) -> Poly {
        let list: Terms = parts(self.pool, s);
        if let [only] = list[..]
            && word(self.pool, only).is_none()
        {
            return self.part_length(only, depth);
        }
        let (mut terms, mut constant) = (Vec::with_capacity(list.len()), Int::ZERO);
        for part in list {
            if let Some(w) = word(self.pool, part) {
                constant += &Int::from(w.len());
                continue;
            }
            let p = self.part_length(part, depth);
            constant += &p.constant;
            terms.extend(p.terms);
        }
        Poly::gather(terms, constant)
    }

    fn part_length(&mut self, s: Term, depth: u32) -> Poly {
        let known = if depth < MAX_DEPTH { self.known_length(s, depth + 1) } else { None };
        known.unwrap_or_else(|| Poly::monomial(len(self.pool, s)))
    }

    fn known_length(&mut self, s: Term, depth: u32) -> Option<Poly> {
        let Head::Op(op) = self.pool.head(s) else { return None };
        match op {
            Op::StrSubstr => self.substr_length(s, depth),
            Op::StrReplace | Op::StrReplaceAll => {
                let (u, v, w) = three(self.pool, s);
                let (v, w) = (self.length(v, depth), self.length(w, depth));
                (v == w).then(|| self.length(u, depth))
            }
            Op::StrRev | Op::StrToLower | Op::StrToUpper | Op::StrUpdate => {
                let u = self.pool.args(s)[0];
                Some(self.length(u, depth))
            }
            Op::StrFromCode => {
                let n = Poly::of(self.pool, self.pool.args(s)[0]);
                self.between(&n, i64::from(MAX_CHAR), depth).then(|| Poly::constant(1))
            }
            Op::StrFromInt => {
                let n = Poly::of(self.pool, self.pool.args(s)[0]);
                self.between(&n, 9, depth).then(|| Poly::constant(1))
            }
            Op::Ite => {
                let (_, a, b) = three(self.pool, s);
                let (a, b) = (self.length(a, depth), self.length(b, depth));
                (a == b).then_some(a)
            }
            _ => None,
        }
    }

    /// `0 <= p <= hi`
    fn between(&mut self, p: &Poly, hi: i64, depth: u32) -> bool {
        self.nonneg(p, depth) && self.nonneg(&p.scale(&Int::MINUS_ONE).shift(hi), depth)
    }

    fn substr_length(&mut self, s: Term, depth: u32) -> Option<Poly> {
        let (u, n, m) = three(self.pool, s);
        let (n, m) = (Poly::of(self.pool, n), Poly::of(self.pool, m));
        if !self.nonneg(&n, depth) {
            return None;
        }
        let rest = self.length(u, depth).sub(&n);
        if self.nonneg(&m, depth) && self.nonneg(&rest.sub(&m), depth) {
            return Some(m);
        }
        (self.nonneg(&rest, depth) && self.nonneg(&m.sub(&rest), depth)).then_some(rest)
    }

    /// Bounds of a monomial that are sums themselves.
    fn bounds(&mut self, m: Term, side: Side, depth: u32) -> Polys {
        let mut out = Polys::new();
        let Head::Op(op) = self.pool.head(m) else { return out };
        match op {
            Op::StrLen => {
                let s = self.pool.args(m)[0];
                self.length_bounds(s, side, depth, &mut out);
            }
            Op::StrIndexof => self.indexof_bounds(m, side, depth, &mut out),
            Op::StrLastIndexof if side == Side::Upper => {
                let s = self.pool.args(m)[0];
                out.push(self.length(s, depth));
            }
            Op::Abs if side == Side::Lower => {
                let p = Poly::of(self.pool, self.pool.args(m)[0]);
                out.push(p.scale(&Int::MINUS_ONE));
                out.push(p);
            }
            Op::Mod | Op::IntDiv => {
                let a = Poly::of(self.pool, self.pool.args(m)[0]);
                let positive = int(self.pool, self.pool.args(m)[1]).is_some_and(|k| k.signum() > 0);
                // 0 <= a: both are between 0 and a.
                if positive && self.nonneg(&a, depth) {
                    out.push(if side == Side::Lower { Poly::default() } else { a });
                }
            }
            _ => {}
        }
        // Constants are not needed: `nonneg_by_constants` uses them for the remaining monomials.
        out
    }

    fn length_bounds(&mut self, s: Term, side: Side, depth: u32, out: &mut Polys) {
        if let Some(p) = self.known_length(s, depth) {
            return out.push(p);
        }
        let Head::Op(op) = self.pool.head(s) else { return };
        match (op, side) {
            (Op::StrSubstr, _) => self.substr_bounds(s, side, depth, out),
            (Op::StrReplace, _) => self.replace_bounds(s, side, depth, out),
            (Op::StrReplaceAll, _) => {
                let (u, v, w) = three(self.pool, s);
                let growth = self.length(w, depth).sub(&self.length(v, depth));
                let sign = if side == Side::Lower { Int::ONE } else { Int::MINUS_ONE };
                if self.nonneg(&growth.scale(&sign), depth) {
                    out.push(self.length(u, depth));
                }
            }
            (Op::StrFromInt, _) => {
                let n = Poly::of(self.pool, self.pool.args(s)[0]);
                match side {
                    Side::Lower if self.nonneg(&n, depth) => out.push(Poly::constant(1)),
                    Side::Upper if self.nonneg(&n.clone().shift(1), depth) => out.push(n.shift(1)),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn substr_bounds(&mut self, s: Term, side: Side, depth: u32, out: &mut Polys) {
        let (u, n, m) = three(self.pool, s);
        let (n, m) = (Poly::of(self.pool, n), Poly::of(self.pool, m));
        let whole = self.length(u, depth);
        let rest = whole.sub(&n);
        if side == Side::Upper {
            if self.nonneg(&m, depth) {
                out.push(m);
            } else if self.nonneg(&m.clone().shift(1), depth) {
                out.push(m.shift(1));
            }
            if self.nonneg(&rest, depth) {
                out.push(rest);
            }
            out.push(whole);
        } else if self.nonneg(&n, depth) {
            // The length is at least min(m, |u| - n).
            let spare = rest.sub(&m);
            if self.nonneg(&spare, depth) {
                out.push(m);
            } else if self.nonneg(&spare.scale(&Int::MINUS_ONE), depth) {
                out.push(rest);
            }
        }
    }

    fn replace_bounds(&mut self, s: Term, side: Side, depth: u32, out: &mut Polys) {
        let (u, v, w) = three(self.pool, s);
        let [u, v, w] = [u, v, w].map(|t| self.length(t, depth));
        let growth = w.sub(&v);
        if side == Side::Upper {
            if self.nonneg(&growth.scale(&Int::MINUS_ONE), depth) {
                out.push(u.clone());
            }
            out.push(u.add(&w));
        } else {
            if self.nonneg(&growth, depth) || self.nonneg(&w.sub(&u), depth) {
                out.push(u.clone());
            }
            out.push(u.sub(&v));
        }
    }

    fn indexof_bounds(&mut self, m: Term, side: Side, depth: u32, out: &mut Polys) {
        let Some((s, t, n)) = three_of(self.pool, m, Op::StrIndexof) else { return };
        if side == Side::Upper {
            let whole = self.length(s, depth);
            let last = whole.sub(&self.length(t, depth));
            // An upper bound of -1, too, if it is at least that.
            if self.nonneg(&last.clone().shift(1), depth) {
                out.push(last);
            }
            out.push(whole);
        } else if int(self.pool, n).is_some_and(Int::is_zero)
            && super::words::always_contains(self.pool, s, t)
        {
            out.push(Poly::default());
        }
    }
}
