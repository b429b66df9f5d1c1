//! Consequences of the bounds: intervals of sums, and entailed inequalities.

use smt::Int;

use super::quotient::{Q, ceil_div, floor_div};
use super::tableau::NO_ROW;
use super::{LVar, Side, Simplex, Sum, Tag, report};
use crate::poly::merge;

/// A bound of a sum, if there is one, with its reasons.
type Limit = Option<(Int, Vec<Tag>)>;

impl Simplex {
    /// The lower and the upper bound of a sum, by interval arithmetic over the bounds of the
    /// variables and by the row for this sum, if there is one.
    pub(crate) fn bounds_of(&mut self, sum: &[(Int, LVar)]) -> (Limit, Limit) {
        let given = merge(sum.iter().map(|(coef, var)| (var.0, coef.clone())).collect());
        let (own, factor) = self.canonical(sum);
        let limit = |side: Side| {
            let flipped = if factor.is_negative() { side.opposite() } else { side };
            let scaled = |(bound, tags): (Int, Vec<Tag>)| (bound * &factor, tags);
            let row = self.find_row(&own).and_then(|var| self.interval(&[(var, Int::ONE)], flipped));
            let mut best: Limit = self.interval(&given, side);
            for other in [self.interval(&own, flipped).map(scaled), row.map(scaled)].into_iter().flatten() {
                let better = best.as_ref().is_none_or(|(bound, _)| super::is_stricter(bound, &other.0, side));
                if better {
                    best = Some(other);
                }
            }
            best.map(|(bound, tags)| (bound, report(tags)))
        };
        (limit(Side::Lower), limit(Side::Upper))
    }

    /// The bound of a sum by the bounds of its variables.
    fn interval(&self, sum: &[(u32, Int)], side: Side) -> Limit {
        let mut total = Int::ZERO;
        let mut tags = Vec::with_capacity(sum.len());
        for (var, coef) in sum {
            let side = if coef.is_negative() { side.opposite() } else { side };
            let bound = self.bound(*var, side)?;
            total += &(&bound.value * coef);
            tags.push(bound.tag);
        }
        Some((total, tags))
    }

    /// The reasons why `sum >= c`, if its negation is refuted within `budget` pivots.
    ///
    /// Bounds and values are restored (if the bounds had been checked; otherwise they are checked
    /// first, within the same budget). If the bounds are in conflict, its reasons are returned.
    pub(crate) fn entails_ge(&mut self, sum: &[(Int, LVar)], c: &Int, budget: u64) -> Option<Vec<Tag>> {
        let (own, factor) = self.canonical(sum);
        if own.is_empty() {
            return (*c <= Int::ZERO).then(Vec::new);
        }
        if let Some((bound, tags)) = self.bounds_of(sum).0
            && bound >= *c
        {
            return Some(tags);
        }
        if let Err(tags) = self.check_within(budget)? {
            return Some(report(tags));
        }
        // The negation: factor * s <= c - 1.
        let most = c - &Int::ONE;
        let (side, bound) = if factor.is_negative() {
            (Side::Lower, ceil_div(&most, &factor))
        } else {
            (Side::Upper, floor_div(&most, &factor))
        };
        self.refute(&own, side, &bound, budget).map(report)
    }

    /// The reasons why the canonical sum violates the bound, if it does in every solution.
    fn refute(&mut self, sum: &Sum, side: Side, bound: &Int, budget: u64) -> Option<Vec<Tag>> {
        self.push();
        self.journal = Some(Vec::new());
        let known = self.find_row(sum);
        let var = known.unwrap_or_else(|| self.probe_for(sum));
        let answer = match self.assert_bound(var, side, bound, Tag::PROBE) {
            Err(tags) => Some(Err(tags)),
            Ok(()) => self.check_within(budget),
        };
        self.pop(1);
        self.restore();
        if known.is_none() {
            self.retire(var);
        }
        answer?.err()
    }

    /// The variable for queries, defined as the sum.
    fn probe_for(&mut self, sum: &Sum) -> u32 {
        let var = self.probe.take().unwrap_or_else(|| self.new_var().0);
        self.probe = Some(var);
        self.define(var, sum);
        var
    }

    /// Removes the variable for queries from the tableau, without changing any value.
    fn retire(&mut self, var: u32) {
        if self.tableau.row_of(var) == NO_ROW {
            let rows = self.tableau.column(var).iter().map(|cell| cell.row);
            let row = rows.min_by_key(|row| (self.tableau.entries(*row).len(), *row));
            let row = row.expect("a slack variable is in some row");
            let leaving = self.tableau.base(row);
            self.unsettled |= !self.values[leaving as usize].is_int();
            self.tableau.pivot(row, var);
        }
        self.tableau.remove_row(var);
        self.values[var as usize] = Q::ZERO;
    }

    /// Restores all values changed since the journal began.
    pub(super) fn restore(&mut self) {
        for (var, value) in self.journal.take().unwrap_or_default() {
            self.journalled[var as usize] = false;
            self.unsettled |= !value.is_int();
            self.values[var as usize] = value;
        }
    }
}
