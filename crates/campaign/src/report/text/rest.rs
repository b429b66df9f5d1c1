//! One line for each verdict that is not a failure: time limits, `unknown`, not asked, undetermined, imprecise.

use super::super::conclusion::noun;
use super::super::data::Data;
use super::super::tally::Column;
use super::super::terminal::{Style, push_wrapped};
use crate::clean::{count, one_line};
use std::collections::BTreeMap;

/// Maximum number of operations, kinds or reasons of a solver.
const MAX_PARTS: usize = 3;

pub(super) fn push(out: &mut String, data: &Data, style: Style) {
    let mut first = true;
    for column in Column::UNSOLVED {
        let Some(line) = line(data, column) else { continue };
        out.push_str(if std::mem::take(&mut first) { "\n" } else { "" });
        push_wrapped(out, &format!("{:<4} {line}", column.head()), "     ", |line| style.plain(line));
    }
}

fn line(data: &Data, column: Column) -> Option<String> {
    let solvers = (0..data.solvers.len()).filter_map(|s| of_solver(data, column, s));
    let solvers: Vec<String> = solvers.collect();
    let total = data.totals.of(|kind| Column::of(kind) == column);
    Some(format!("{}: {}", noun(column, total)?, solvers.join("; ")))
}

/// `z3-5.4.0 27 (str.indexof 10, str.to_int 8, …)`
fn of_solver(data: &Data, column: Column, solver: usize) -> Option<String> {
    let name = one_line(&data.solvers[solver].name);
    if column == Column::NotApplicable {
        let takes = &data.takes[solver];
        return (!takes.is_all()).then(|| format!("{name} {}", takes.describe(MAX_PARTS)));
    }
    let mut parts: BTreeMap<String, u64> = BTreeMap::new();
    let groups = data.groups.iter().filter(|g| g.solver == solver && Column::of(g.kind) == column);
    for group in groups {
        let part =
            if column == Column::Undetermined { group.kind.to_string() } else { one_line(&group.operation) };
        *parts.entry(part).or_default() += group.size.runs;
    }
    let total: u64 = parts.values().sum();
    let mut parts: Vec<(String, u64)> = parts.into_iter().collect();
    parts.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let mut shown: Vec<String> =
        parts.iter().take(MAX_PARTS).map(|(what, n)| format!("{what} {}", count(*n))).collect();
    if parts.len() > MAX_PARTS {
        shown.push("…".into());
    }
    (total > 0).then(|| format!("{name} {} ({})", count(total), shown.join(", ")))
}
