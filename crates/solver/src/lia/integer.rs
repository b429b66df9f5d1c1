//! From a rational solution to an integer one: divisibility tests, patching of values, integer elimination, cuts and
//! branches.

use smt::Int;

use super::pivot::slope;
use super::quotient::Q;
use super::{IntResult, LVar, Side, Simplex, Tag, report};

/// One split in this many is a cut, if there is one with small numbers.
const CUT_EVERY: u64 = 3;

impl Simplex {
    /// Searches for integer values. To be called after [`Simplex::check`] succeeded and before bounds
    /// change.
    ///
    /// The assignment may change, but stays within all bounds.
    pub(crate) fn check_int(&mut self) -> IntResult {
        if let Err(tags) = self.settle() {
            return IntResult::Conflict(report(tags));
        }
        let mut broken = self.broken_rows();
        if broken.is_empty() {
            self.shrink();
            return IntResult::Model;
        }
        if let Some(tags) = broken.iter().find_map(|row| self.divisibility(*row)) {
            return IntResult::Conflict(report(tags));
        }
        self.patch(&mut broken);
        if broken.is_empty() {
            self.shrink();
            return IntResult::Model;
        }
        if let Some(answer) = self.solve_equalities() {
            if answer == IntResult::Model {
                self.shrink();
            }
            return answer;
        }
        self.splits += 1;
        if self.splits.is_multiple_of(CUT_EVERY)
            && let Some(cut) = broken.iter().find_map(|row| self.cut(*row))
        {
            return cut;
        }
        self.branch(&broken)
    }

    /// Rounds the values of all non-basic variables, and restores feasibility.
    fn settle(&mut self) -> Result<(), Vec<Tag>> {
        if self.unsettled {
            self.unsettled = false;
            for var in 0..self.values.len() as u32 {
                if !self.tableau.is_basic(var) && !self.values[var as usize].is_int() {
                    let floor = Q::int(&self.values[var as usize].floor());
                    self.move_to(var, floor);
                }
            }
        }
        self.check_within(u64::MAX).expect("the budget is unlimited")
    }

    /// The rows whose basic variable has a fractional value.
    fn broken_rows(&mut self) -> Vec<u32> {
        let rows = 0..self.tableau.row_count();
        rows.filter(|row| self.is_broken(*row)).collect()
    }

    pub(super) fn is_broken(&self, row: u32) -> bool {
        !self.tableau.entries(row).is_empty() && !self.values[self.tableau.base(row) as usize].is_int()
    }

    /// The reasons why the row has no integer solution, if the constant of its fixed variables is not
    /// a multiple of the greatest common divisor of the other coefficients.
    pub(super) fn divisibility(&self, row: u32) -> Option<Vec<Tag>> {
        let mut constant = Int::ZERO;
        let mut divisor = Int::ZERO;
        for entry in self.tableau.entries(row) {
            match self.fixed(entry.var) {
                Some(value) => constant += &(&entry.coef * value),
                None => {
                    divisor = divisor.gcd(&entry.coef);
                    if divisor == Int::ONE {
                        return None;
                    }
                }
            }
        }
        // Fixed variables whose coefficient is a multiple of the divisor are not needed.
        (!constant.divisible_by(&divisor)).then(|| {
            let entries = self.tableau.entries(row).iter();
            let matters = entries.filter(|e| !e.coef.divisible_by(&divisor));
            matters.flat_map(|e| [self.tag(e.var, Side::Lower), self.tag(e.var, Side::Upper)]).collect()
        })
    }

    /// Moves non-basic variables so that more basic ones have integer values.
    fn patch(&mut self, broken: &mut Vec<u32>) {
        for &row in broken.iter() {
            if !self.is_broken(row) {
                continue;
            }
            let count = self.tableau.entries(row).len();
            let moved = (0..count).find_map(|i| self.patch_by(row, i));
            if let Some((var, delta)) = moved {
                let value = self.values[var as usize].add(&Q::int(&delta));
                self.move_to(var, value);
            }
        }
        broken.retain(|row| self.is_broken(*row));
    }

    /// A move of the `i`-th variable of the row that makes the basic one an integer, and keeps all bounds
    /// and integers.
    fn patch_by(&mut self, row: u32, i: usize) -> Option<(u32, Int)> {
        let entry = &self.tableau.entries(row)[i];
        let (var, base) = (entry.var, self.tableau.base(row));
        if var == base || self.fixed(var).is_some() {
            return None;
        }
        let slope = slope(&entry.coef, self.tableau.base_coef(row));
        let (step, modulus) = step_to_integer(&self.values[base as usize], &slope)?;
        let other = &step - &modulus;
        let value = &self.values[var as usize];
        // The move towards zero first.
        let candidates = if value.signum() > 0 { [other, step] } else { [step, other] };
        candidates.into_iter().find(|delta| self.move_is_safe(var, delta)).map(|delta| (var, delta))
    }

    /// Whether adding `delta` to a non-basic variable keeps all bounds and all integers.
    fn move_is_safe(&mut self, var: u32, delta: &Int) -> bool {
        let delta = Q::int(delta);
        if !self.is_within(var, &self.values[var as usize].add(&delta)) {
            return false;
        }
        self.tableau.column(var).iter().all(|cell| {
            let base = self.tableau.base(cell.row);
            let old = &self.values[base as usize];
            let slope = slope(self.tableau.coef(*cell), self.tableau.base_coef(cell.row));
            let new = old.add(&slope.mul(&delta));
            (new.is_int() || !old.is_int()) && self.is_within(base, &new)
        })
    }

    fn is_within(&self, var: u32, value: &Q) -> bool {
        let [lower, upper] = &self.bounds[var as usize];
        lower.as_ref().is_none_or(|b| value.cmp_int(&b.value).is_ge())
            && upper.as_ref().is_none_or(|b| value.cmp_int(&b.value).is_le())
    }

    /// Moves non-basic variables of the caller towards zero where possible.
    fn shrink(&mut self) {
        for var in 0..self.values.len() as u32 {
            if self.tableau.is_basic(var) || self.sums[var as usize].is_some() {
                continue;
            }
            let goal = match &self.bounds[var as usize] {
                [Some(lower), _] if !lower.value.is_negative() => lower.value.clone(),
                [_, Some(upper)] if upper.value.is_negative() => upper.value.clone(),
                _ => Int::ZERO,
            };
            let delta = goal - self.values[var as usize].floor();
            if !delta.is_zero() && self.move_is_safe(var, &delta) {
                let value = self.values[var as usize].add(&Q::int(&delta));
                self.move_to(var, value);
            }
        }
    }

    /// The variable to branch on: variables of the caller before slack variables, then the smallest
    /// range, then the smallest value.
    fn branch(&self, broken: &[u32]) -> IntResult {
        let rank = |row: &&u32| {
            let var = self.tableau.base(**row);
            let range = match &self.bounds[var as usize] {
                [Some(lower), Some(upper)] => (&upper.value - &lower.value).bits(),
                _ => u64::MAX,
            };
            (self.sums[var as usize].is_some(), range, self.values[var as usize].floor().bits(), var)
        };
        let row = broken.iter().min_by_key(rank).expect("some value is fractional");
        let var = self.tableau.base(*row);
        IntResult::Branch(LVar(var), self.values[var as usize].floor())
    }
}

/// The least `step >= 0` with `value + slope * step` an integer, and the distance to the next one.
fn step_to_integer(value: &Q, slope: &Q) -> Option<(Int, Int)> {
    let modulus = slope.denom();
    let rest = value.mul(&Q::int(&modulus));
    if !rest.is_int() {
        return None;
    }
    // numer(slope) * step = -rest (mod modulus), and the two are coprime.
    let inverse = inverse(&slope.numer(), &modulus);
    let step = (-rest.numer() * &inverse).mod_euclid_smt(&modulus).expect("a denominator is not zero");
    Some((step, modulus))
}

/// The inverse of `a` modulo `m`, for coprime numbers and a positive `m`.
fn inverse(a: &Int, m: &Int) -> Int {
    let rem = |x: &Int, y: &Int| x.mod_euclid_smt(y).expect("a modulus is not zero");
    let (mut r0, mut r1) = (m.clone(), rem(a, m));
    let (mut t0, mut t1) = (Int::ZERO, Int::ONE);
    while !r1.is_zero() {
        let quotient = r0.div_euclid_smt(&r1).expect("a modulus is not zero");
        let r2 = &r0 - &(&quotient * &r1);
        let t2 = &t0 - &(&quotient * &t1);
        (r0, r1, t0, t1) = (r1, r2, t1, t2);
    }
    rem(&t0, m)
}
