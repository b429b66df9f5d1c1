//! Numbers of findings: a group keeps the number that it had in the store, by its name, else by the members that it shares with a finding.
//!
//! A finding whose representative is the same also keeps the results of later steps.

use super::group::Group;
use campaign::finding::{Finding, Member};
use std::collections::BTreeSet;

/// Numbers the groups, which are sorted by rank.
pub(super) fn assign(groups: &mut [Group], old: &[Finding]) {
    let mut free: Vec<&Finding> = old.iter().collect();
    for by in [same_id, most_shared] {
        for group in groups.iter_mut().filter(|g| g.finding.number == 0) {
            if let Some(at) = by(&free, &group.finding) {
                group.finding.number = free.remove(at).number;
            }
        }
    }
    let mut next = old.iter().map(|f| f.number).max().unwrap_or(0);
    for group in groups.iter_mut().filter(|g| g.finding.number == 0) {
        next += 1;
        group.finding.number = next;
    }
    groups.iter_mut().for_each(|g| keep(&mut g.finding, old));
}

fn same_id(old: &[&Finding], new: &Finding) -> Option<usize> {
    old.iter().position(|f| f.id == new.id)
}

fn most_shared(old: &[&Finding], new: &Finding) -> Option<usize> {
    let members: BTreeSet<(&str, &str, u64)> = new.members.iter().map(Member::key).collect();
    let shared = |f: &Finding| f.members.iter().filter(|m| members.contains(&m.key())).count();
    let best = old
        .iter()
        .enumerate()
        .map(|(at, f)| (shared(f), at))
        .max_by_key(|&(n, at)| (n, std::cmp::Reverse(at)));
    best.filter(|&(n, _)| n > 0).map(|(_, at)| at)
}

/// Takes the results of later steps of a finding with the same script.
fn keep(new: &mut Finding, old: &[Finding]) {
    let same = |f: &&Finding| f.reduced.script == new.reduced.script && f.solver == new.solver;
    let Some(old) = old.iter().find(same).cloned() else { return };
    new.stability = new.stability.or(old.stability);
    new.modes = new.modes.or(old.modes);
    new.versions = new.versions.take().or(old.versions);
    new.options = new.options.take().or(old.options);
    new.seen = new.seen.take().max(old.seen);
}
