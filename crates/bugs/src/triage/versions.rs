//! Versions of failures: the representative of each group is bisected, and others of different shapes, so that versions tell causes apart.

use super::group::Group;
use super::item::{Item, finding};
use campaign::finding::Finding;
use std::collections::{BTreeMap, BTreeSet};

/// Failures of one group that are bisected, at most.
const PER_GROUP: usize = 3;

/// The places of the failures to bisect, representatives first.
pub(super) fn chosen(items: &[Item], groups: &[Group]) -> Vec<usize> {
    let places: BTreeMap<_, usize> = items.iter().enumerate().map(|(at, item)| (item.run, at)).collect();
    groups.iter().flat_map(|group| of_group(items, group, &places)).collect()
}

fn of_group(items: &[Item], group: &Group, places: &BTreeMap<campaign::store::RunKey, usize>) -> Vec<usize> {
    let members = group.runs.iter().filter_map(|run| places.get(run).copied());
    let mut reduced: Vec<(usize, &Finding)> =
        members.filter_map(|at| Some((at, finding(&items[at])?))).collect();
    reduced.sort_by(|a, b| a.1.rank().cmp(&b.1.rank()));
    let mut shapes = BTreeSet::new();
    reduced.retain(|(_, f)| shapes.insert(f.fingerprint.shape.as_str()));
    reduced.into_iter().take(PER_GROUP).map(|(at, _)| at).collect()
}
