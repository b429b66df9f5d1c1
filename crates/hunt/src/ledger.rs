//! Failures that are like known findings do not eat time again.
//!
//! A failure is like a finding if it is of the same profile and kind, and its formula has all special operators of the finding. Of the failures
//! like one finding, fewer and fewer are examined: the first three, then every second, fourth, … up to every 64th; the others are counted.

use bugs::fingerprint::key_operators;
use campaign::finding::Finding;
use campaign::outcome::Kind;
use serde::{Deserialize, Serialize};
use smt::Op;
use std::collections::{BTreeMap, BTreeSet};

/// Failures of every kind that are always examined.
const FIRST: u64 = 3;

/// The known findings, and the failures like them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Ledger {
    /// By the number of the finding: failures like it.
    like: BTreeMap<u32, u64>,
    /// Failures that were not examined, by the finding that they are like.
    pub(crate) skipped: BTreeMap<u32, u64>,
    #[serde(skip)]
    known: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    number: u32,
    profile: String,
    kind: Kind,
    operators: BTreeSet<String>,
}

impl Ledger {
    /// Takes the findings of the last triage.
    pub(crate) fn learn(&mut self, findings: &[Finding]) {
        let entry = |f: &Finding| Entry {
            number: f.number,
            profile: f.solver.profile.clone(),
            kind: f.kind,
            operators: key_operators(&f.reduced.operators).into_iter().map(str::to_owned).collect(),
        };
        self.known = findings.iter().map(entry).collect();
    }

    /// Adds the failures of another hunt that were not examined. They are like findings that have other numbers here, or none: 0.
    pub(crate) fn absorb(&mut self, other: &Ledger) {
        *self.skipped.entry(0).or_default() += other.skipped.values().sum::<u64>();
    }

    /// Whether a failure is to be examined; counts it. `true` in the second place if it is like no known finding.
    pub(crate) fn admit(&mut self, profile: &str, kind: Kind, operators: &BTreeSet<Op>) -> (bool, bool) {
        let has = |name: &String| operators.iter().any(|op| op.name() == name);
        let like = |e: &&Entry| e.profile == profile && e.kind == kind && e.operators.iter().all(has);
        let Some(number) = self.known.iter().find(like).map(|e| e.number) else { return (true, true) };
        let count = self.like.entry(number).or_default();
        *count += 1;
        let step = 1 << (count.ilog2().saturating_sub(1)).min(6);
        let examined = *count <= FIRST || count.is_multiple_of(step);
        if !examined {
            *self.skipped.entry(number).or_default() += 1;
        }
        (examined, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_and_fewer_failures_like_a_known_one_are_examined() {
        let operators = BTreeSet::from(["str.replace".to_owned()]);
        let known = vec![Entry { number: 1, profile: "z3".into(), kind: Kind::WrongUnsat, operators }];
        let mut ledger = Ledger { known, ..Ledger::default() };
        let with = BTreeSet::from([Op::StrReplace, Op::Eq]);
        let examined = (0..1000).filter(|_| ledger.admit("z3", Kind::WrongUnsat, &with).0).count();
        assert!((10..40).contains(&examined), "{examined}");
        assert_eq!(ledger.skipped[&1], 1000 - examined as u64);
        assert_eq!(ledger.admit("z3", Kind::InvalidModel, &with), (true, true));
        assert_eq!(ledger.admit("cvc5", Kind::WrongUnsat, &with), (true, true));
        assert_eq!(ledger.admit("z3", Kind::WrongUnsat, &BTreeSet::from([Op::Eq])), (true, true));
    }
}
