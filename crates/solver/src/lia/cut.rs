//! Gomory cuts.
//!
//! For a row `b + sum c_j * t_j = v` over integers with `t_j >= 0` and a fractional value of `v`,
//! the mixed-integer cut of Gomory (in the form of Dutertre and de Moura) is
//! `sum f_j/f * t_j + sum (1-f_j)/(1-f) * t_j >= 1` with `f` and `f_j` the fractional parts of `v`
//! and `c_j`, the first sum over `f_j <= f` and the second over the others. Here `t_j` is the
//! distance of a non-basic variable to the bound that its value equals.

use smt::Int;

use super::pivot::slope;
use super::quotient::{Q, exact_div, floor_div};
use super::{IntResult, LVar, Side, Simplex, Tag, report};

/// Variables of a row from which a cut is computed, at most.
const MAX_LENGTH: usize = 60;
/// Bits of the numbers of a cut, at most.
const MAX_BITS: u64 = 40;

/// `sum terms >= rhs`, with the reasons.
struct Draft {
    terms: Vec<(u32, Q)>,
    rhs: Q,
    tags: Vec<Tag>,
}

impl Simplex {
    /// The cut of a row whose basic variable has a fractional value.
    pub(super) fn cut(&mut self, row: u32) -> Option<IntResult> {
        let draft = self.gomory(row)?;
        let scale = draft.terms.iter().fold(draft.rhs.denom(), |scale, (_, coef)| {
            let den = coef.denom();
            exact_div(&scale, &scale.gcd(&den)) * den
        });
        if scale.bits() > 2 * MAX_BITS {
            return None;
        }
        let scale = Q::int(&scale);
        let terms = draft.terms.into_iter().map(|(var, coef)| (var, -coef.mul(&scale).numer()));
        let mut sum = self.expand(terms);
        let mut bound = -draft.rhs.mul(&scale).numer();
        let content = sum.iter().fold(Int::ZERO, |content, (_, coef)| content.gcd(coef));
        let tags = report(draft.tags);
        if content.is_zero() {
            return bound.is_negative().then_some(IntResult::Conflict(tags));
        }
        for (_, coef) in &mut sum {
            *coef = exact_div(coef, &content);
        }
        bound = floor_div(&bound, &content);
        if bound.bits() > MAX_BITS || sum.iter().any(|(_, coef)| coef.bits() > MAX_BITS) {
            return None;
        }
        Some(IntResult::Cut(sum.into_iter().map(|(var, coef)| (coef, LVar(var))).collect(), bound, tags))
    }

    fn gomory(&self, row: u32) -> Option<Draft> {
        let entries = self.tableau.entries(row);
        if entries.len() > MAX_LENGTH {
            return None;
        }
        let base = self.tableau.base(row);
        let base_coef = self.tableau.base_coef(row);
        let one = Q::int(&Int::ONE);
        let fraction = self.values[base as usize].frac();
        let rest = one.sub(&fraction);
        let mut draft = Draft { terms: Vec::new(), rhs: one.clone(), tags: Vec::new() };
        for entry in entries.iter().filter(|entry| entry.var != base) {
            let slope = slope(&entry.coef, base_coef);
            if slope.is_int() {
                // An integer multiple of an integer does not change the fractional part.
                continue;
            }
            if self.fixed(entry.var).is_some() {
                draft.tags.extend([self.tag(entry.var, Side::Lower), self.tag(entry.var, Side::Upper)]);
                continue;
            }
            let side = self.bound_reached(entry.var)?;
            draft.tags.push(self.tag(entry.var, side));
            let part = if side == Side::Lower { slope.neg() } else { slope }.frac();
            let coef = if part <= fraction { part.div(&fraction) } else { one.sub(&part).div(&rest) };
            // The distance is x - lower or upper - x.
            let coef = if side == Side::Lower { coef } else { coef.neg() };
            draft.rhs = draft.rhs.add(&coef.mul(&self.values[entry.var as usize]));
            draft.terms.push((entry.var, coef));
        }
        Some(draft)
    }

    /// The bound that the value of the variable equals.
    fn bound_reached(&self, var: u32) -> Option<Side> {
        let value = &self.values[var as usize];
        let at = |side| self.bound(var, side).is_some_and(|bound| value.cmp_int(&bound.value).is_eq());
        [Side::Lower, Side::Upper].into_iter().find(|side| at(*side))
    }
}
