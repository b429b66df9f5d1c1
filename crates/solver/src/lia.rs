//! Linear integer arithmetic: the general simplex method with backtrackable bounds.
//!
//! After Dutertre and de Moura, *A Fast Linear-Arithmetic Solver for DPLL(T)* (CAV 2006). Linear
//! sums are represented by slack variables, which are permanent ([`Simplex::row`]); bounds of single
//! variables are asserted and undone, each with a reason of the caller (a [`Tag`]). Conflicts are
//! sets of tags.
//!
//! Every variable is an integer. Sums are divided by the greatest common divisor of their
//! coefficients, so that a bound on a slack variable is an integer as well and is tight.
//! [`Simplex::check`] decides the rational relaxation. [`Simplex::check_int`] searches for integers:
//! divisibility tests, integer elimination on the equalities, moves of non-basic variables, and
//! then a cut or a branch for the caller.
//!
//! The invariant: the assignment satisfies all rows, and non-basic variables are within their
//! bounds. Undoing bounds preserves it, so the assignment is never undone.

mod cut;
mod equalities;
mod integer;
mod pivot;
mod query;
mod quotient;
mod tableau;
#[cfg(test)]
mod tests;

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;
use smt::{Int, Rat};

use crate::poly::merge;
use quotient::{Q, exact_div};
use tableau::Tableau;

/// A variable of the caller, or a slack variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct LVar(pub(crate) u32);

/// A reason of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Tag(pub(crate) u32);

impl Tag {
    /// The reason of permanent bounds; it is never reported.
    pub(crate) const NONE: Tag = Tag(u32::MAX);
    /// The reason of the temporary bound of a query; it is never reported, and the caller must
    /// not use it.
    const PROBE: Tag = Tag(u32::MAX - 1);
}

/// The result of [`Simplex::check_int`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum IntResult {
    /// All variables have integer values.
    Model,
    /// The bounds of these reasons have no integer solution.
    Conflict(Vec<Tag>),
    /// The value of the variable is strictly between the integer `n` and `n + 1`: the caller
    /// decides between `v <= n` and `v >= n + 1`.
    Branch(LVar, Int),
    /// The sum is at most the integer in every integer solution of the bounds with these reasons,
    /// but not under the current assignment.
    Cut(Vec<(Int, LVar)>, Int, Vec<Tag>),
}

/// A lower or upper bound with its reason.
#[derive(Clone, Debug)]
struct Bound {
    value: Int,
    tag: Tag,
}

/// A side of a variable's range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Lower,
    Upper,
}

impl Side {
    fn opposite(self) -> Side {
        match self {
            Side::Lower => Side::Upper,
            Side::Upper => Side::Lower,
        }
    }
}

/// A bound that was replaced.
#[derive(Debug)]
struct Undo {
    var: u32,
    side: Side,
    old: Option<Bound>,
}

/// A linear combination, sorted by variable, without zeros.
type Sum = Vec<(u32, Int)>;

/// A stored canonical sum.
type Key = Box<[(u32, Int)]>;

/// The state of the solver.
#[derive(Debug, Default)]
pub(crate) struct Simplex {
    tableau: Tableau,
    /// The bounds of each variable: lower, upper.
    bounds: Vec<[Option<Bound>; 2]>,
    values: Vec<Q>,
    /// The sum of each slack variable, over variables of the caller.
    sums: Vec<Option<Key>>,
    rows: FxHashMap<Key, u32>,
    /// The variable that is always zero, if there is one.
    zero: Option<u32>,
    /// The variable for sums of queries, in no row between queries.
    probe: Option<u32>,
    /// Slack variables whose row may be unnecessary.
    idle: Vec<u32>,
    trail: Vec<Undo>,
    levels: Vec<usize>,
    /// A superset of the basic variables out of their bounds, smallest first.
    pending: BinaryHeap<Reverse<u32>>,
    is_pending: Vec<bool>,
    /// Values changed since a query began, with their old values.
    journal: Option<Vec<(u32, Q)>>,
    journalled: Vec<bool>,
    /// Whether a non-basic variable may have a value that is not an integer.
    unsettled: bool,
    /// The number of the current check, and the check in which each variable last left the basis.
    round: u64,
    left: Vec<u64>,
    /// The number of calls of `check_int` that ended with a branch or a cut.
    splits: u64,
}

impl Simplex {
    /// A new variable without bounds. Variables survive [`Simplex::pop`].
    pub(crate) fn new_var(&mut self) -> LVar {
        let var = self.values.len() as u32;
        self.tableau.new_var();
        self.bounds.push([None, None]);
        self.values.push(Q::ZERO);
        self.sums.push(None);
        self.is_pending.push(false);
        self.left.push(0);
        self.journalled.push(false);
        LVar(var)
    }

    /// A new variable with a permanent lower bound.
    pub(crate) fn new_var_from(&mut self, lower: &Int) -> LVar {
        let v = self.new_var();
        self.bounds[v.0 as usize][Side::Lower as usize] =
            Some(Bound { value: lower.clone(), tag: Tag::NONE });
        if lower.signum() > 0 {
            self.values[v.0 as usize] = Q::int(lower);
        }
        v
    }

    /// The variable `s` and the factor `f` with `sum = f * s`.
    ///
    /// Equal sums up to a factor share a variable. A multiple of one variable gives that variable;
    /// the empty sum gives a variable that is always zero. Rows survive [`Simplex::pop`].
    pub(crate) fn row(&mut self, sum: &[(Int, LVar)]) -> (LVar, Int) {
        let (sum, factor) = self.canonical(sum);
        if let Some(var) = self.find_row(&sum) {
            return (LVar(var), factor);
        }
        if sum.is_empty() {
            return (LVar(self.zero_var()), Int::ONE);
        }
        let LVar(var) = self.new_var();
        let sum = sum.into_boxed_slice();
        self.sums[var as usize] = Some(sum.clone());
        self.rows.insert(sum, var);
        (LVar(var), factor)
    }

    /// The variable of a canonical sum, if there is one.
    fn find_row(&self, sum: &Sum) -> Option<u32> {
        match sum.as_slice() {
            [] => self.zero,
            [(var, _)] => Some(*var),
            _ => self.rows.get(sum.as_slice()).copied(),
        }
    }

    /// Adds the row `var = sum` to the tableau.
    fn define(&mut self, var: u32, sum: &[(u32, Int)]) {
        self.tableau.add_row(var, sum);
        self.values[var as usize] = self.sum_value(sum);
    }

    /// The value of a sum over variables of the tableau.
    fn sum_value(&self, sum: &[(u32, Int)]) -> Q {
        let product = |(var, coef): &(u32, Int)| self.values[*var as usize].mul(&Q::int(coef));
        sum.iter().fold(Q::ZERO, |value, part| value.add(&product(part)))
    }

    /// The sum of a slack variable that is not in the tableau.
    ///
    /// Only slack variables with bounds need to be in it: other sums cost nothing when pivoting.
    fn absent(&self, var: u32) -> Option<&Key> {
        self.sums[var as usize].as_ref().filter(|_| self.tableau.column(var).is_empty())
    }

    /// Removes rows of slack variables that lost their bounds.
    fn purge(&mut self) {
        while let Some(var) = self.idle.pop() {
            if self.is_idle(var) && self.tableau.is_basic(var) {
                self.tableau.remove_row(var);
                self.values[var as usize] = Q::ZERO;
            }
        }
    }

    /// Whether the variable is a slack variable without bounds.
    fn is_idle(&self, var: u32) -> bool {
        self.sums[var as usize].is_some() && matches!(self.bounds[var as usize], [None, None])
    }

    fn zero_var(&mut self) -> u32 {
        if let Some(var) = self.zero {
            return var;
        }
        let LVar(var) = self.new_var();
        let bound = Bound { value: Int::ZERO, tag: Tag::NONE };
        self.bounds[var as usize] = [Some(bound.clone()), Some(bound)];
        self.zero = Some(var);
        var
    }

    /// The sum over variables of the caller, sorted.
    fn expand(&self, sum: impl IntoIterator<Item = (u32, Int)>) -> Sum {
        let mut parts = Vec::new();
        for (var, coef) in sum {
            match &self.sums[var as usize] {
                None => parts.push((var, coef)),
                Some(inner) => parts.extend(inner.iter().map(|(x, c)| (*x, c * &coef))),
            }
        }
        let mut sum = merge(parts);
        sum.retain(|part| Some(part.0) != self.zero);
        sum
    }

    /// The sum divided by the factor that makes its coefficients coprime and the first positive.
    fn canonical(&self, sum: &[(Int, LVar)]) -> (Sum, Int) {
        let mut sum = self.expand(sum.iter().map(|(coef, var)| (var.0, coef.clone())));
        let Some((_, first)) = sum.first() else { return (sum, Int::ONE) };
        let negative = first.is_negative();
        let content = sum.iter().fold(Int::ZERO, |content, (_, coef)| content.gcd(coef));
        let factor = if negative { -content } else { content };
        for (_, coef) in &mut sum {
            *coef = exact_div(coef, &factor);
        }
        (sum, factor)
    }

    /// Asserts `v >= bound`. On a conflict with the upper bound nothing changes.
    pub(crate) fn assert_lower(&mut self, v: LVar, bound: &Int, tag: Tag) -> Result<(), Vec<Tag>> {
        self.assert_bound(v.0, Side::Lower, bound, tag)
    }

    /// Asserts `v <= bound`. On a conflict with the lower bound nothing changes.
    pub(crate) fn assert_upper(&mut self, v: LVar, bound: &Int, tag: Tag) -> Result<(), Vec<Tag>> {
        self.assert_bound(v.0, Side::Upper, bound, tag)
    }

    fn assert_bound(&mut self, var: u32, side: Side, value: &Int, tag: Tag) -> Result<(), Vec<Tag>> {
        if self.bound(var, side).is_some_and(|old| !is_stricter(&old.value, value, side)) {
            return Ok(());
        }
        if let Some(other) = self.bound(var, side.opposite())
            && is_stricter(&other.value, value, side)
        {
            return Err(report(vec![tag, other.tag]));
        }
        if let Some(sum) = self.absent(var).cloned() {
            self.define(var, &sum);
        }
        let new = Some(Bound { value: value.clone(), tag });
        let old = std::mem::replace(&mut self.bounds[var as usize][side as usize], new);
        self.trail.push(Undo { var, side, old });
        if self.violated(var) == Some(side) {
            if self.tableau.is_basic(var) {
                self.enqueue(var);
            } else {
                self.move_to(var, Q::int(value));
            }
        }
        Ok(())
    }

    fn bound(&self, var: u32, side: Side) -> Option<&Bound> {
        self.bounds[var as usize][side as usize].as_ref()
    }

    /// The value of a variable whose bounds coincide.
    fn fixed(&self, var: u32) -> Option<&Int> {
        match &self.bounds[var as usize] {
            [Some(lower), Some(upper)] if lower.value == upper.value => Some(&lower.value),
            _ => None,
        }
    }

    /// The bound that the value of the variable violates.
    fn violated(&self, var: u32) -> Option<Side> {
        let value = &self.values[var as usize];
        match &self.bounds[var as usize] {
            [Some(lower), _] if value.cmp_int(&lower.value) == Ordering::Less => Some(Side::Lower),
            [_, Some(upper)] if value.cmp_int(&upper.value) == Ordering::Greater => Some(Side::Upper),
            _ => None,
        }
    }

    fn enqueue(&mut self, var: u32) {
        if !self.is_pending[var as usize] {
            self.is_pending[var as usize] = true;
            self.pending.push(Reverse(var));
        }
    }

    /// Opens a level.
    pub(crate) fn push(&mut self) {
        self.levels.push(self.trail.len());
    }

    /// Closes the last `levels` levels and undoes their bounds.
    pub(crate) fn pop(&mut self, levels: usize) {
        let keep = self.levels.len().saturating_sub(levels);
        if let Some(&mark) = self.levels.get(keep) {
            self.levels.truncate(keep);
            while self.trail.len() > mark {
                let Some(undo) = self.trail.pop() else { break };
                self.bounds[undo.var as usize][undo.side as usize] = undo.old;
                if self.is_idle(undo.var) {
                    self.idle.push(undo.var);
                }
            }
        }
    }

    /// The value of the variable under the current assignment.
    pub(crate) fn value(&self, v: LVar) -> Rat {
        match self.absent(v.0) {
            Some(sum) => self.sum_value(sum).to_rat(),
            None => self.values[v.0 as usize].to_rat(),
        }
    }

    /// The lower bound of the variable and its reason.
    pub(crate) fn lower(&self, v: LVar) -> Option<(Int, Tag)> {
        self.bound(v.0, Side::Lower).map(|bound| (bound.value.clone(), bound.tag))
    }

    /// The upper bound of the variable and its reason.
    pub(crate) fn upper(&self, v: LVar) -> Option<(Int, Tag)> {
        self.bound(v.0, Side::Upper).map(|bound| (bound.value.clone(), bound.tag))
    }
}

/// Whether the bound `b` is stricter than the bound `a` on this side.
fn is_stricter(a: &Int, b: &Int, side: Side) -> bool {
    match side {
        Side::Lower => a < b,
        Side::Upper => a > b,
    }
}

/// The reasons to report: sorted, without duplicates, [`Tag::NONE`] and [`Tag::PROBE`].
fn report(mut tags: Vec<Tag>) -> Vec<Tag> {
    tags.retain(|tag| *tag != Tag::NONE && *tag != Tag::PROBE);
    tags.sort_unstable();
    tags.dedup();
    tags
}
