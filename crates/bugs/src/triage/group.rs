//! Groups of examined failures.
//!
//! The reduced failures are taken in the order of their rank, so that the representative of a group, its first failure, has the worst kind and the
//! smallest script. Each joins the group whose representative gives the strongest [reason](super::cause) and also fails on its solver, or starts one. A failure is
//! compared with representatives only: that two failures are similar to a third one does not put them together.

use super::cause::{Rule, same};
use super::item::{Item, Joined, Refused, finding};
use super::members::Places;
use crate::fingerprint::{exact_id, id};
use campaign::finding::{Finding, Member};
use campaign::store::RunKey;
use std::collections::BTreeSet;

/// A group, as a finding with its members.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) finding: Finding,
    /// The keys of its members.
    pub(super) runs: Vec<RunKey>,
}

/// Whether a representative fails on the solver of another failure ([`super::elsewhere`]).
pub(super) type Fails<'a> = &'a dyn Fn(&Finding, &Member) -> bool;

/// The reason of the first member of a group.
pub(super) const REPRESENTATIVE: &str = "the representative";

/// The groups, by rank, and the failures that are in none.
pub(super) fn groups(items: &[Item], elsewhere: Fails<'_>) -> (Vec<Group>, Refused) {
    let mut built = reduced(items, elsewhere);
    let refused = Places::new(items, &built).place(items, &mut built);
    let mut groups: Vec<Group> = built.into_iter().map(|joined| finish(items, joined)).collect();
    name(&mut groups);
    groups.sort_by(|a, b| a.finding.rank().cmp(&b.finding.rank()));
    (groups, refused)
}

/// The groups of the reduced failures. The first one of each is its representative.
fn reduced(items: &[Item], elsewhere: Fails<'_>) -> Vec<Joined> {
    let mut order: Vec<(usize, &Finding)> =
        items.iter().enumerate().filter_map(|(at, item)| Some((at, finding(item)?))).collect();
    order.sort_by(|a, b| (a.1.rank(), &items[a.0].member).cmp(&(b.1.rank(), &items[b.0].member)));
    let mut built: Vec<Joined> = Vec::new();
    let mut firsts: Vec<&Finding> = Vec::new();
    for (at, one) in order {
        let reasons = firsts.iter().enumerate().filter_map(|(g, first)| Some((same(first, one)?, g)));
        let mut reasons: Vec<((Rule, String), usize)> = reasons.collect();
        reasons.sort_by_key(|((rule, _), g)| (*rule, *g));
        let best = reasons.into_iter().find(|&(_, g)| elsewhere(firsts[g], &items[at].member));
        match best {
            Some(((_, why), g)) => built[g].push((at, why)),
            None => {
                built.push(vec![(at, REPRESENTATIVE.into())]);
                firsts.push(one);
            }
        }
    }
    built
}

fn finish(items: &[Item], joined: Joined) -> Group {
    let first = finding(&items[joined[0].0]).expect("the first one was reduced");
    let mut finding = Finding { id: id(&first.fingerprint), ..first.clone() };
    let mut list: Vec<(u64, Member, RunKey)> = joined
        .into_iter()
        .map(|(at, reason)| (items[at].bytes, Member { reason, ..items[at].member.clone() }, items[at].run))
        .collect();
    list.sort();
    let runs = list.iter().map(|(_, _, run)| *run).collect();
    finding.members = list.into_iter().map(|(_, member, _)| member).collect();
    Group { finding, runs }
}

/// Gives the groups different names: those with the key of an earlier one are named by all their features, then by number.
fn name(groups: &mut [Group]) {
    let mut seen = BTreeSet::new();
    for group in groups {
        let f = &mut group.finding;
        if seen.contains(&f.id) {
            f.id = exact_id(&f.fingerprint);
        }
        let base = f.id.clone();
        for n in 2.. {
            if seen.insert(f.id.clone()) {
                break;
            }
            f.id = format!("{base}-{n}");
        }
    }
}
