//! The search for an assignment within all bounds: updates, pivots and conflicts.

use std::cmp::{Ordering, Reverse};

use smt::Int;
use smt::work::spend;

use super::quotient::Q;
use super::{Side, Simplex, Tag, report};

/// Pivots of a check in which a variable leaves the basis again, before the entering variable is chosen
/// by Bland's rule (the smallest one), which terminates but is slow. The leaving variable is always the
/// smallest.
const MAX_REPEATED_PIVOTS: u64 = 1000;

impl Simplex {
    /// Decides whether the bounds have a rational solution, and moves to one.
    ///
    /// The error is the set of reasons of a conflict.
    pub(crate) fn check(&mut self) -> Result<(), Vec<Tag>> {
        self.check_within(u64::MAX).expect("the budget is unlimited").map_err(report)
    }

    /// Like [`Simplex::check`], with at most `budget` pivots; `None` if they do not suffice. The tags are
    /// neither sorted nor filtered.
    pub(super) fn check_within(&mut self, budget: u64) -> Option<Result<(), Vec<Tag>>> {
        let (mut pivots, mut repeated) = (0, 0);
        self.round += 1;
        while let Some(&Reverse(var)) = self.pending.peek() {
            let side = self.violated(var).filter(|_| self.tableau.is_basic(var));
            let Some(side) = side else {
                self.pending.pop();
                self.is_pending[var as usize] = false;
                continue;
            };
            if pivots >= budget {
                return None;
            }
            self.purge();
            match self.entering(var, side, repeated > MAX_REPEATED_PIVOTS) {
                None => return Some(Err(self.explain(var, side))),
                Some(entering) => {
                    let bound = self.bound(var, side).expect("the violated bound exists");
                    let target = Q::int(&bound.value);
                    self.exchange(var, entering, target);
                }
            }
            pivots += 1;
            let left = std::mem::replace(&mut self.left[var as usize], self.round);
            repeated += u64::from(left == self.round);
        }
        Some(Ok(()))
    }

    /// Sets the value of a non-basic variable, and updates the basic ones.
    pub(super) fn move_to(&mut self, var: u32, value: Q) {
        let delta = value.sub(&self.values[var as usize]);
        self.set_value(var, value);
        self.shift_dependents(var, &delta, None);
    }

    /// Updates the basic variables after a change of `var` by `delta`.
    fn shift_dependents(&mut self, var: u32, delta: &Q, except: Option<u32>) {
        for i in 0..self.tableau.column(var).len() {
            spend(1);
            let cell = self.tableau.column(var)[i];
            if except == Some(cell.row) {
                continue;
            }
            let base = self.tableau.base(cell.row);
            let slope = slope(self.tableau.coef(cell), self.tableau.base_coef(cell.row));
            let value = self.values[base as usize].add(&slope.mul(delta));
            self.set_value(base, value);
            if self.violated(base).is_some() {
                self.enqueue(base);
            }
        }
    }

    /// Sets a value. Values are changed only here.
    pub(super) fn set_value(&mut self, var: u32, value: Q) {
        let old = std::mem::replace(&mut self.values[var as usize], value);
        if let Some(journal) = &mut self.journal
            && !self.journalled[var as usize]
        {
            self.journalled[var as usize] = true;
            journal.push((var, old));
        }
    }

    /// Makes `entering` basic in place of `leaving`, which gets the value `target`.
    fn exchange(&mut self, leaving: u32, entering: u32, target: Q) {
        let row = self.tableau.row_of(leaving);
        let cell = self.cell(row, entering);
        let slope = slope(self.tableau.coef(cell), self.tableau.base_coef(row));
        let delta = target.sub(&self.values[leaving as usize]).div(&slope);
        let value = self.values[entering as usize].add(&delta);
        self.set_value(leaving, target);
        self.set_value(entering, value);
        self.shift_dependents(entering, &delta, Some(row));
        self.tableau.pivot(row, entering);
        if self.violated(entering).is_some() {
            self.enqueue(entering);
        } else if self.is_idle(entering) {
            self.idle.push(entering);
        }
    }

    /// The cell of a variable in a row where it occurs.
    pub(super) fn cell(&self, row: u32, var: u32) -> super::tableau::Cell {
        *self.tableau.column(var).iter().find(|cell| cell.row == row).expect("the variable is in the row")
    }

    /// A variable of the row of `leaving` that can move so that `leaving` moves to its bound: the one in
    /// rows of the fewest bounded variables, or the smallest.
    fn entering(&mut self, leaving: u32, side: Side, smallest: bool) -> Option<u32> {
        let row = self.tableau.row_of(leaving);
        spend(1 + self.tableau.entries(row).len());
        let up = (side == Side::Lower) != self.tableau.base_coef(row).is_negative();
        let mut best: Option<(usize, usize, u32)> = None;
        // A slack variable without bounds is best: its row can be removed.
        for entry in self.tableau.entries(row) {
            // Raising the basic variable lowers the sum of the others, coefficients included.
            if entry.var == leaving || !self.can_move(entry.var, up == entry.coef.is_negative()) {
                continue;
            }
            let column = self.tableau.column(entry.var);
            let cost = match (&best, smallest) {
                (_, true) => (0, 0, entry.var),
                _ if self.is_idle(entry.var) => (0, 0, entry.var),
                (Some(best), _) if column.len() > 4 * best.1.max(8) => continue,
                _ => (self.bounded(column), column.len(), entry.var),
            };
            if best.is_none_or(|best| cost < best) {
                best = Some(cost);
            }
        }
        best.map(|best| best.2)
    }

    /// The number of basic variables in the column that have a bound.
    fn bounded(&self, column: &[super::tableau::Cell]) -> usize {
        let has_bound = |cell: &&super::tableau::Cell| {
            let bounds = &self.bounds[self.tableau.base(cell.row) as usize];
            bounds[0].is_some() || bounds[1].is_some()
        };
        column.iter().filter(has_bound).count()
    }

    /// Whether the bounds of the variable allow it to increase (or decrease).
    fn can_move(&self, var: u32, up: bool) -> bool {
        let (side, limit) = if up { (Side::Upper, Ordering::Less) } else { (Side::Lower, Ordering::Greater) };
        self.bound(var, side).is_none_or(|bound| self.values[var as usize].cmp_int(&bound.value) == limit)
    }

    /// The bounds in conflict when `var` violates a bound and no variable of its row can move.
    fn explain(&self, var: u32, side: Side) -> Vec<Tag> {
        let row = self.tableau.row_of(var);
        let up = (side == Side::Lower) != self.tableau.base_coef(row).is_negative();
        let mut tags = vec![self.tag(var, side)];
        for entry in self.tableau.entries(row) {
            if entry.var != var {
                let upwards = up == entry.coef.is_negative();
                tags.push(self.tag(entry.var, if upwards { Side::Upper } else { Side::Lower }));
            }
        }
        tags
    }

    /// The reason of an existing bound.
    pub(super) fn tag(&self, var: u32, side: Side) -> Tag {
        self.bound(var, side).expect("the bound exists").tag
    }
}

/// The change of the basic variable, of coefficient `base`, per unit of the one with `coef`.
pub(super) fn slope(coef: &Int, base: &Int) -> Q {
    match base.to_i64() {
        Some(1) => Q::int(coef).neg(),
        Some(-1) => Q::int(coef),
        _ => Q::ratio(coef, base).neg(),
    }
}
