//! *Remove*: removes a random assertion. Satisfiable scripts stay satisfiable.

use super::without;
use crate::dice::Dice;
use semantics::instance::{Instance, Truth};
use smt::Command;

/// Removes a random assertion; false if there is none.
pub(super) fn remove(instance: &mut Instance, dice: &mut Dice) -> bool {
    let all = places(instance);
    if all.is_empty() {
        return false;
    }
    let gone = dice.between(0, all.len() as u64 - 1) as usize;
    remove_at(instance, gone);
    true
}

/// Removes the assertion number `gone`.
pub(super) fn remove_at(instance: &mut Instance, gone: usize) {
    let at = places(instance)[gone];
    instance.script.entries.remove(at);
    without(instance, gone);
}

/// Keeps `most` random assertions. The truth is kept if all of a core are among them.
pub(super) fn keep(instance: &mut Instance, most: usize, dice: &mut Dice) {
    let count = instance.script.assertions().count();
    if count <= most {
        return;
    }
    let mut order: Vec<usize> = (0..count).collect();
    dice.shuffle(&mut order);
    let mut kept = order[..most].to_vec();
    kept.sort_unstable();
    let mut index = 0;
    instance.script.entries.retain(|e| {
        let is_assert = matches!(e.command, Command::Assert(_));
        index += usize::from(is_assert);
        !is_assert || kept.binary_search(&(index - 1)).is_ok()
    });
    if let Truth::Unsat(core) = &instance.truth {
        let places: Option<Vec<usize>> = core.iter().map(|i| kept.binary_search(i).ok()).collect();
        instance.truth = match places {
            Some(places) if !places.is_empty() => Truth::Unsat(places),
            _ => Truth::Unknown,
        };
    }
    instance.set_status(instance.truth.status());
}

/// The indices of the commands that assert.
fn places(instance: &Instance) -> Vec<usize> {
    let is_assert = |e: &smt::script::Entry| matches!(e.command, Command::Assert(_));
    (0..instance.script.entries.len()).filter(|&i| is_assert(&instance.script.entries[i])).collect()
}
