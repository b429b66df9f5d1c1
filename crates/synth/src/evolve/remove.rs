//! *Remove*: a random assertion is taken out. What was satisfiable stays so.

use super::without;
use crate::generators::roll::Roll as _;
use crate::instance::Instance;
use crate::suite::Dice;
use smt::Command;

/// Takes a random assertion out; false if there is none.
pub(super) fn remove(instance: &mut Instance, dice: &mut Dice) -> bool {
    let all = places(instance);
    if all.is_empty() {
        return false;
    }
    let gone = dice.between(0, all.len() as u64 - 1) as usize;
    remove_at(instance, gone);
    true
}

/// Takes the assertion number `gone` out.
pub(super) fn remove_at(instance: &mut Instance, gone: usize) {
    let at = places(instance)[gone];
    instance.script.entries.remove(at);
    without(instance, gone);
}

/// Where the assertions stand.
fn places(instance: &Instance) -> Vec<usize> {
    let is_assert = |e: &smt::script::Entry| matches!(e.command, Command::Assert(_));
    (0..instance.script.entries.len()).filter(|&i| is_assert(&instance.script.entries[i])).collect()
}
