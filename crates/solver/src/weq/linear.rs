//! Small systems of linear inequalities over natural numbers.

use crate::lia::{IntResult, LVar, Simplex, Tag};
use smt::Int;
use smt::work::spend;

/// Branches, at most.
const MAX_BRANCHES: usize = 300;
/// Steps of the integer solver, at most.
const MAX_STEPS: usize = 2_000;
/// The reason of all bounds; conflicts are not explained.
const TAG: Tag = Tag(0);

/// `sum + constant >= 0` over numbered unknowns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) terms: Vec<(u32, Int)>,
    pub(crate) constant: Int,
}

/// Natural numbers for `0..count` that satisfy the rows, if some are found.
pub(super) fn solve(count: u32, rows: &[Row]) -> Option<Vec<Int>> {
    let mut lia = Simplex::default();
    let unknowns: Vec<LVar> = (0..count).map(|_| lia.new_var_from(&Int::ZERO)).collect();
    for row in rows {
        let sum: Vec<(Int, LVar)> = row
            .terms
            .iter()
            .filter(|(_, k)| !k.is_zero())
            .map(|(x, k)| (k.clone(), unknowns[*x as usize]))
            .collect();
        at_least(&mut lia, &sum, &-&row.constant)?;
    }
    search(&mut lia)?;
    Some(unknowns.iter().map(|&v| lia.value(v).floor()).collect())
}

/// Asserts `sum >= bound`. None if that is impossible at once.
fn at_least(lia: &mut Simplex, sum: &[(Int, LVar)], bound: &Int) -> Option<()> {
    if sum.is_empty() {
        return (bound <= &Int::ZERO).then_some(());
    }
    let (v, factor) = lia.row(sum);
    let result = if factor.is_negative() {
        // v <= floor(-bound / |factor|)
        let most = (-bound).div_euclid_smt(&factor.abs())?;
        lia.assert_upper(v, &most, TAG)
    } else {
        let least = -&(-bound).div_euclid_smt(&factor)?;
        lia.assert_lower(v, &least, TAG)
    };
    result.ok()
}

/// Searches depth first for integer values.
fn search(lia: &mut Simplex) -> Option<()> {
    // Open branches: the other bound of a variable.
    let mut open: Vec<(LVar, Int)> = Vec::new();
    let mut branches = 0;
    for _ in 0..MAX_STEPS {
        spend(10);
        let failed = lia.check().is_err()
            || match lia.check_int() {
                IntResult::Model => return Some(()),
                IntResult::Conflict(_) => true,
                IntResult::Branch(v, n) => {
                    branches += 1;
                    if branches > MAX_BRANCHES {
                        return None;
                    }
                    lia.push();
                    open.push((v, &n + &Int::ONE));
                    lia.assert_upper(v, &n, TAG).is_err()
                }
                IntResult::Cut(sum, bound, _) => {
                    let negated: Vec<(Int, LVar)> = sum.into_iter().map(|(k, v)| (-&k, v)).collect();
                    at_least(lia, &negated, &-&bound).is_none()
                }
            };
        if failed {
            back(lia, &mut open)?;
        }
    }
    None
}

/// Returns to the last open branch and takes its other side.
fn back(lia: &mut Simplex, open: &mut Vec<(LVar, Int)>) -> Option<()> {
    loop {
        let (v, n) = open.pop()?;
        lia.pop(1);
        if lia.assert_lower(v, &n, TAG).is_ok() {
            return Some(());
        }
    }
}
