//! The share of the failures that findings explain: `205 failures are 7 bugs`.

use super::super::conclusion::noun;
use super::super::data::Data;
use super::super::tally::Column;
use crate::clean::{count, counted, one_line};
use crate::finding::{Cell, Versions, causes};
use crate::outcome::Kind;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of reasons in a line.
const MAX_REASONS: usize = 4;
/// The order of kinds in the verdict.
const ORDER: [Column; 12] = [
    Column::WrongUnsat,
    Column::WrongSat,
    Column::InvalidModel,
    Column::UnsoundCore,
    Column::Error,
    Column::Timeout,
    Column::Unknown,
    Column::OverApproximation,
    Column::ImpreciseCore,
    Column::NotApplicable,
    Column::Undetermined,
    Column::Ok,
];

/// How many runs are in findings, were refused, or are neither.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// The findings.
    pub bugs: u64,
    /// The runs in findings.
    pub failures: u64,
    /// The failures that were refused, by reason, the most frequent first.
    pub refused: Vec<(String, u64)>,
    /// The failures that were not examined.
    pub left: u64,
}

impl Share {
    /// Counts the runs of a campaign.
    pub fn of(data: &Data) -> Share {
        let numbers: BTreeSet<u32> = data.findings.iter().map(|f| f.number).collect();
        let mut share = Share { bugs: data.findings.len() as u64, ..Share::default() };
        let (mut refused, mut examined) = (BTreeMap::<String, u64>::new(), 0);
        for run in &data.runs {
            match (&run.refused, run.finding.is_some_and(|n| numbers.contains(&n))) {
                (_, true) => share.failures += 1,
                (Some(why), _) => *refused.entry(one_line(why)).or_default() += 1,
                (None, false) => continue,
            }
            examined += u64::from(run.kind.is_failure());
        }
        share.left = data.totals.of(Kind::is_failure) - examined;
        share.refused = refused.into_iter().collect();
        share.refused.sort_by_key(|(_, n)| Reverse(*n));
        share
    }

    /// `205 failures are 7 bugs: 4 wrong unsat, 3 errors. The newest version has 2 of them. 1 is a known issue.`
    pub fn verdict(&self, data: &Data) -> String {
        if self.bugs == 0 {
            return "No failure was confirmed as a bug.".into();
        }
        let kinds: Vec<String> = ORDER.into_iter().filter_map(|c| noun(c, of_column(data, c))).collect();
        let is = if self.failures == 1 { "is" } else { "are" };
        let (failures, bugs) = (counted(self.failures, "failure"), counted(self.bugs, "bug"));
        let causes = match causes(&data.findings) as u64 {
            n if n == self.bugs => String::new(),
            n => format!(", probably of {}", counted(n, "cause")),
        };
        format!("{failures} {is} {bugs}{causes}: {}.{}", kinds.join(", "), standing(data))
    }

    /// Sentences about the failures that are in no finding.
    pub fn rest(&self) -> Vec<String> {
        let mut out = Vec::new();
        let refused: u64 = self.refused.iter().map(|(_, n)| n).sum();
        if refused > 0 {
            let was = if refused == 1 { "was" } else { "were" };
            out.push(format!("{} {was} refused: {}.", counted(refused, "failure"), self.reasons()));
        }
        if self.left > 0 {
            let was = if self.left == 1 { "was" } else { "were" };
            out.push(format!("{} {was} not examined.", counted(self.left, "failure")));
        }
        out
    }

    fn reasons(&self) -> String {
        let one = |(why, n): &(String, u64)| format!("{} ({})", why.trim_end_matches('.'), count(*n));
        let mut parts: Vec<String> = self.refused.iter().take(MAX_REASONS).map(one).collect();
        let more: u64 = self.refused.iter().skip(MAX_REASONS).map(|(_, n)| n).sum();
        if more > 0 {
            parts.push(format!("other reasons ({})", count(more)));
        }
        parts.join("; ")
    }
}

fn of_column(data: &Data, column: Column) -> u64 {
    data.findings.iter().filter(|f| super::column(f) == column).count() as u64
}

/// How many fail in the newest version, and how many are known; nothing that was not checked.
fn standing(data: &Data) -> String {
    let mut out = newest(data).map_or_else(String::new, |line| format!(" {line}"));
    let known = data.findings.iter().filter(|f| !f.known.is_empty()).count() as u64;
    if known > 0 {
        let verb = if known == 1 { "matches a known issue" } else { "match known issues" };
        out.push_str(&format!(" {} {verb}.", count(known)));
    }
    out
}

/// How many fail in the newest version; that none does only if its answers are right.
fn newest(data: &Data) -> Option<String> {
    let versions = data.findings.iter().filter_map(|f| f.versions.as_ref());
    let versions: Vec<&Versions> = versions.filter(|v| v.newest.is_some()).collect();
    let fail = versions.iter().filter(|v| v.newest_fails).count() as u64;
    let all = versions.len() == data.findings.len();
    let of = if all { String::new() } else { format!(" of {} that were bisected", versions.len()) };
    match fail {
        0 if all && versions.iter().all(|v| is_right(v)) => Some("None fails in the newest version.".into()),
        0 => None,
        1 => Some(format!("1{of} fails in the newest version.")),
        n => Some(format!("{}{of} fail in the newest version.", count(n))),
    }
}

fn is_right(v: &Versions) -> bool {
    v.tried.iter().any(|t| Some(&t.version) == v.newest.as_ref() && t.cell == Cell::Right)
}
