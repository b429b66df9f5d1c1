//! *Cross*: random assertions of one parent and random assertions of the other, about the same constants.

use super::{asserts, remove};
use crate::dice::Dice;
use crate::merge::{Mode, merge};
use semantics::instance::Instance;

/// About half of the assertions of each, at most `most`; none if they cannot be merged.
pub(super) fn cross(a: &Instance, b: &Instance, most: usize, dice: &mut Dice) -> Option<Instance> {
    let mut halves = [a.clone(), b.clone()];
    for half in &mut halves {
        for i in (0..asserts(half)).rev() {
            if dice.below(2) == 0 {
                remove::remove_at(half, i);
            }
        }
    }
    let mut child = merge(&halves, Mode::Intersecting).ok()?;
    while asserts(&child) > most {
        remove::remove(&mut child, dice);
    }
    (asserts(&child) > 0).then_some(child)
}
