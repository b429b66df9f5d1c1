//! Loops between constants: `c w … = w d …` implies `c w = w d'` for the first `|c|` characters `d'` of `d`.
//!
//! That equation has a solution only if `c` is a rotation of `d'`: `c = p q` and `d' = q p`, `w` then being in
//! `(p q)* p`. So `"ab" w … = w "ba" …` may hold, `"ab" w … = w "bb" …` cannot, although both can be split without end.

use super::form::Alignment;
use crate::calculus::{Calculus, Step};
use crate::infer::Rule;
use crate::rewrite::loops::rotation;

/// Sends a conflict if the forms continue with a loop that has no solution, on either side.
pub(super) fn check(c: &mut Calculus<'_>, alignment: &Alignment) -> Step {
    check_side(c, alignment)?;
    check_side(c, &alignment.flipped())
}

/// The left form continues with `w d`, the right one with `c w`.
fn check_side(c: &mut Calculus<'_>, alignment: &Alignment) -> Step {
    let Alignment { left, right } = alignment;
    let (before, after) = right.constant(c);
    if before.is_empty() || left.used > 0 {
        return Ok(());
    }
    // The components of w, up to a constant on the left.
    let mut k = 0;
    while let Some(x) = left.part_at(left.part + k) {
        if c.word_of(x).is_some() {
            break;
        }
        if right.part_at(after + k) != Some(x) {
            return Ok(());
        }
        k += 1;
    }
    let next = left.at(left.part + k);
    let (behind, _) = next.constant(c);
    if k == 0 || behind.len() < before.len() {
        return Ok(());
    }
    let direction = alignment.direction();
    let behind = direction.first(&behind, before.len());
    let [first, second] = direction.ordered(&before[..], behind);
    if rotation(first, second).is_some() {
        return Ok(());
    }
    let touched = next.last_touched(c, before.len());
    let premises = alignment.premises_to(touched, after + k - 1);
    Err(c.conflict(Rule::Loop, &premises))
}
