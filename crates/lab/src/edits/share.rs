//! The share of formulas that solvers solve, by distance.

use campaign::clean::{one_line, shorten};
use campaign::report::Data;
use campaign::report::tally::{Column, by_operation};
use std::fmt::Write as _;

/// A table of the share of formulas with the correct answer: a line for each answer and distance, a column for each solver.
pub fn table(data: &Data) -> String {
    let rows = by_operation(data);
    if rows.is_empty() {
        return String::new();
    }
    let names: Vec<String> = data.solvers.iter().map(|s| shorten(&one_line(&s.name), 16)).collect();
    let mut out = String::from("\nSolved share by distance\n  ");
    let _ = write!(out, "{:<18}{:>7}", "", "tests");
    for name in &names {
        let _ = write!(out, "  {name:>8}");
    }
    out.push('\n');
    for row in rows {
        let tests = row.counts.iter().map(campaign::report::tally::Counts::tests).max().unwrap_or(0);
        let _ = write!(out, "  {:<18}{tests:>7}", format!("{} {}", row.category, row.operation));
        for (name, counts) in names.iter().zip(&row.counts) {
            let width = name.chars().count().max(8);
            let _ = write!(out, "  {:>width$}", percent(counts.get(Column::Ok), counts.tests()));
        }
        out.push('\n');
    }
    out
}

/// A share as a percentage that is 100 only if all are in it, and 0 only if none is.
fn percent(part: u64, all: u64) -> String {
    match part * 1000 / all.max(1) {
        _ if all == 0 => "·".into(),
        0 if part > 0 => "0.1 %".into(),
        tenths => format!("{}.{} %", tenths / 10, tenths % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn shares() {
        assert_eq!(percent(0, 0), "·");
        assert_eq!(percent(0, 5), "0.0 %");
        assert_eq!(percent(1, 100_000), "0.1 %");
        assert_eq!(percent(99_999, 100_000), "99.9 %");
        assert_eq!(percent(2, 3), "66.6 %");
        assert_eq!(percent(7, 7), "100.0 %");
    }
}
