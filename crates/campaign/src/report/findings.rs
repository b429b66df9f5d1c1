//! Findings in reports: the verdict on all of them, and each of them in words.
//!
//! A store that was triaged has findings: groups of failures with one cause, as far as is known. Reports show them before the failures. A field
//! of a finding that is `None` was not checked, and nothing is said about it.

mod cells;
mod facts;
mod share;

pub(super) use cells::{by_cell, key, mark, meaning};
pub(super) use facts::{VERSIONS, facts, name, state};
pub use share::Share;

use super::data::Data;
use super::layout;
use super::options::Options;
use super::tally::Column;
use crate::case::Case;
use crate::clean::{printable, shell};
use crate::finding::Finding;
use std::collections::BTreeMap;

/// Maximum number of bytes of a text of a finding.
const MAX_TEXT: usize = 8 << 10;

/// Whether the campaign was triaged.
pub fn is_triaged(data: &Data) -> bool {
    !data.findings.is_empty() || data.runs.iter().any(|r| r.refused.is_some())
}

/// The column of the kind of a finding.
pub(super) fn column(f: &Finding) -> Column {
    Column::of(f.kind)
}

/// The reduced formula, laid out, without its certificate.
pub(super) fn formula(f: &Finding) -> String {
    let case = Case::from_text(&f.reduced.origin, f.reduced.script.as_bytes()).ok();
    let laid = case.as_ref().and_then(layout::formula);
    printable(laid.as_ref().unwrap_or(&f.reduced.script).trim_end().as_bytes(), MAX_TEXT)
}

/// The text that the solver reads; none if the formula says the same.
pub(super) fn sent(f: &Finding, formula: &str) -> Option<String> {
    let words = |text: &str| text.split_whitespace().collect::<String>();
    let sent = printable(f.reduced.sent.trim_end().as_bytes(), MAX_TEXT);
    (!sent.is_empty() && words(&sent) != words(formula)).then_some(sent)
}

/// The output of the solver, then its standard error.
pub(super) fn output(f: &Finding) -> String {
    let part = |text: &str| printable(text.trim_end().as_bytes(), MAX_TEXT);
    match (part(&f.observed.stdout), part(&f.observed.stderr)) {
        (out, err) if err.is_empty() => out,
        (out, err) if out.is_empty() => format!("[stderr]\n{err}"),
        (out, err) => format!("{out}\n[stderr]\n{err}"),
    }
}

/// The places of the runs in findings, by the keys of members.
pub(super) fn places(data: &Data) -> BTreeMap<(&str, &str, u64), usize> {
    let key = |at: usize| {
        let run = &data.runs[at];
        (data.instances[run.instance].name.as_str(), data.solvers[run.solver].name.as_str(), run.seed)
    };
    (0..data.runs.len()).filter(|&at| data.runs[at].finding.is_some()).map(|at| (key(at), at)).collect()
}

/// The commands that show a finding and write its issue.
pub(super) fn commands(data: &Data, f: &Finding, options: &Options) -> [String; 2] {
    let store = if options.newest { String::new() } else { format!(" --store {}", shell(&data.store)) };
    [format!("stringent show --bug {}{store}", f.number), format!("stringent file {}{store}", f.number)]
}
