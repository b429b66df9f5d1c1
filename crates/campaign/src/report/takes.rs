//! How much of a suite a solver takes: the instances that it was not asked, by reason.

use crate::clean::{count, one_line};
use crate::judge::NOT_SENT;
use crate::outcome::Verdict;
use crate::store::RunRow;
use std::cmp::Reverse;
use std::collections::BTreeMap;

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
    /// Of a solver with runs on `of` instances.
    pub fn new(of: u64, declined: Declined) -> Takes {
        let mut reasons: Vec<(String, u64)> =
            declined.by_reason.into_iter().map(|(why, those)| (why, those.count)).collect();
        reasons.sort_by_key(|(_, n)| Reverse(*n));
        Takes { taken: of - declined.all.count, of, reasons }
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

/// The instances that a solver was not asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declined {
    all: Distinct,
    by_reason: BTreeMap<String, Distinct>,
}

impl Declined {
    /// Adds a run with its evidence, if it was not asked. Runs come in the order of their instances.
    pub fn add(&mut self, row: &RunRow) {
        if row.verdict() == Verdict::NotApplicable {
            self.all.add(row.instance);
            self.by_reason.entry(reason(&row.evidence)).or_default().add(row.instance);
        }
    }
}

/// The number of different keys among keys that come in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Distinct {
    last: Option<i64>,
    /// Their number.
    pub count: u64,
}

impl Distinct {
    /// Adds a key that is not smaller than those before.
    pub fn add(&mut self, key: i64) {
        if self.last.replace(key) != Some(key) {
            self.count += 1;
        }
    }
}

/// The reason in the evidence of a run that was not asked.
fn reason(evidence: &str) -> String {
    let first = evidence.lines().next().unwrap_or_default();
    one_line(first.strip_prefix(NOT_SENT).unwrap_or(first)).replace('`', "")
}
