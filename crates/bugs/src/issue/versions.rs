//! Versions that fail and versions that do not, in words and as a table.

use super::markdown::escape;
use campaign::finding::{Cell, Finding, Tried, Versions};

/// Maximum number of rows of the table.
const MAX_ROWS: usize = 12;

/// The versions of a finding.
pub(super) struct Report {
    /// A few sentences.
    pub(super) sentences: String,
    /// The table; empty if it says no more, or is long.
    pub(super) table: String,
    /// The last version that does not fail, before the first that does.
    pub(super) last_good: Option<String>,
    /// Some version that was run does not fail.
    pub(super) worked: bool,
}

/// The versions, if any were run.
pub(super) fn report(f: &Finding) -> Option<Report> {
    let v = f.versions.as_ref().filter(|v| !v.tried.is_empty())?;
    Some(Report {
        sentences: sentences(v),
        table: table(&v.tried),
        last_good: v.last_good.as_deref().map(escape),
        worked: v.last_good.is_some() || v.tried.iter().any(|t| t.cell == Cell::Right),
    })
}

fn sentences(v: &Versions) -> String {
    let mut out = vec![first_bad(v)];
    out.extend(v.fixed_in.as_deref().map(|fixed| format!("{} does not fail any more.", escape(fixed))));
    out.extend(newest(v));
    out.retain(|s| !s.is_empty());
    out.join(" ")
}

fn first_bad(v: &Versions) -> String {
    match (v.first_bad.as_deref().map(escape), v.last_good.as_deref().map(escape)) {
        (Some(bad), Some(good)) => {
            format!("First bad version: {bad}; the one before it, {good}, does not fail.")
        }
        (Some(bad), None) => {
            format!("The oldest version that fails is {bad}; no older one that was run is right.")
        }
        (None, _) => String::new(),
    }
}

fn newest(v: &Versions) -> Option<String> {
    let newest = escape(v.newest.as_deref()?);
    let fails = if v.newest_fails { "fails" } else { "does not fail" };
    Some(format!("The newest version that was run, {newest}, {fails}."))
}

/// A stretch of versions with the same result.
struct Stretch<'a> {
    first: &'a Tried,
    last: &'a Tried,
    count: usize,
}

/// Stretches of versions, oldest first. Versions that were not run are not in it.
fn table(tried: &[Tried]) -> String {
    let rows = stretches(tried);
    if rows.len() < 2 || rows.len() > MAX_ROWS {
        return String::new();
    }
    let mut out = String::from("| version | result |\n|---|---|\n");
    for row in rows {
        let versions = match row.count {
            1 => escape(&row.first.version),
            n => format!("{} to {} ({n} run)", escape(&row.first.version), escape(&row.last.version)),
        };
        out.push_str(&format!("| {versions} | {} |\n", result(row.first)));
    }
    out
}

fn stretches(tried: &[Tried]) -> Vec<Stretch<'_>> {
    let mut out: Vec<Stretch<'_>> = Vec::new();
    for t in tried.iter().filter(|t| t.cell != Cell::Missing) {
        match out.last_mut() {
            Some(row) if result(row.first) == result(t) => {
                row.last = t;
                row.count += 1;
            }
            _ => out.push(Stretch { first: t, last: t, count: 1 }),
        }
    }
    out
}

fn result(t: &Tried) -> String {
    let word = match t.cell {
        Cell::Fails => "fails",
        Cell::Right => "right",
        Cell::Other => "fails in another way",
        Cell::Slow => "time limit",
        Cell::Unknown => "unknown",
        Cell::CannotRead => "cannot read the script",
        Cell::Missing => "not run",
    };
    // The answer, without its evidence.
    match t.detail.split(':').next().map(str::trim) {
        Some(answer @ ("sat" | "unsat" | "unknown")) if answer != word => format!("{word}: {answer}"),
        _ => word.into(),
    }
}
