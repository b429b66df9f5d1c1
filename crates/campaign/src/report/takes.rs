//! How much of a suite a solver takes: the instances that it was not asked, by reason.

use crate::clean::{count, one_line};
use crate::judge::NOT_SENT;
use crate::outcome::Verdict;
use crate::store::RunRow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The instances that a solver takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Takes {
    /// Instances that it takes.
    pub taken: u64,
    /// Instances that there are.
    pub of: u64,
    /// Why it does not take the others, with their number; the most frequent reason first.
    pub reasons: Vec<(String, u64)>,
}

impl Takes {
    /// Counts for a solver with runs on `of` instances; `rows` include those that were not asked, with their evidence.
    pub fn new<'r>(of: usize, rows: impl Iterator<Item = &'r RunRow>) -> Takes {
        let mut by_reason: BTreeMap<String, BTreeSet<i64>> = BTreeMap::new();
        let mut declined = BTreeSet::new();
        for row in rows.filter(|r| r.verdict() == Verdict::NotApplicable) {
            declined.insert(row.instance);
            by_reason.entry(reason(&row.evidence)).or_default().insert(row.instance);
        }
        let mut reasons: Vec<(String, u64)> =
            by_reason.into_iter().map(|(why, those)| (why, those.len() as u64)).collect();
        reasons.sort_by_key(|(_, n)| Reverse(*n));
        let of = of as u64;
        Takes { taken: of - declined.len() as u64, of, reasons }
    }

    /// It takes all.
    pub fn is_all(&self) -> bool {
        self.taken == self.of
    }

    /// `takes 8 of 10 instances (dialect 2.0 cannot express str.replace_all: 2)`; at most `most` reasons.
    pub fn describe(&self, most: usize) -> String {
        let mut reasons: Vec<String> =
            self.reasons.iter().take(most).map(|(why, n)| format!("{why}: {}", count(*n))).collect();
        if self.reasons.len() > most {
            reasons.push("…".into());
        }
        let reasons = if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join("; ")) };
        format!("takes {} of {} instances{reasons}", count(self.taken), count(self.of))
    }
}

/// The reason in the evidence of a run that was not asked.
fn reason(evidence: &str) -> String {
    let first = evidence.lines().next().unwrap_or_default();
    one_line(first.strip_prefix(NOT_SENT).unwrap_or(first)).replace('`', "")
}
