//! The findings of a triage: the verdict, and one line for each, those that matter most first.

use super::super::data::Data;
use super::super::findings::{Share, column, commands, is_triaged, state};
use super::super::options::Options;
use super::super::terminal::{Style, push_table, push_wrapped};
use crate::clean::{count, one_line, shorten};
use crate::finding::{Finding, words};
use comfy_table::{CellAlignment, Table, presets};
use std::fmt::Write as _;

/// Maximum number of findings that have a line.
const MAX_ROWS: usize = 40;
/// Maximum number of characters of a title.
const MAX_TITLE: usize = 43;
/// Maximum number of characters of the name of a solver.
const MAX_SOLVER: usize = 14;
/// Maximum number of characters of the result of versions.
const MAX_STATE: usize = 24;

pub(super) fn push(out: &mut String, data: &Data, options: &Options, style: Style) {
    if !is_triaged(data) {
        return;
    }
    let share = Share::of(data);
    push_wrapped(out, &share.verdict(data), "", |line| style.conclusion(data.conclusion(), line));
    share.rest().iter().for_each(|line| push_wrapped(out, line, "  ", |line| style.plain(line)));
    if let Some(first) = data.findings.first() {
        out.push('\n');
        push_table(out, &table(data, if options.all { usize::MAX } else { MAX_ROWS }));
        let more = data.findings.len().saturating_sub(MAX_ROWS);
        if more > 0 && !options.all {
            let _ = writeln!(out, "  … and {} more; --all shows them.", count(more as u64));
        }
        let _ = writeln!(out, "  {}", style.dim(&commands(data, first, options).join(" · ")));
    }
    out.push('\n');
}

/// `3  U  Wrong unsat: str.from_code inside ite  z3-5.4.0  41  fails in 5.4.0`
fn table(data: &Data, rows: usize) -> Table {
    let states = data.findings.iter().any(|f| !news(f).is_empty());
    let mut heads = vec!["bug", "", "title", "solver", "runs"];
    heads.extend(states.then_some("versions"));
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header(heads);
    for f in data.findings.iter().take(rows) {
        let mut row = vec![
            f.number.to_string(),
            column(f).head().to_owned(),
            shorten(&title(f), MAX_TITLE),
            shorten(&one_line(&f.solver.name), MAX_SOLVER),
            count(f.members.len() as u64),
        ];
        row.extend(states.then(|| shorten(&news(f), MAX_STATE)));
        table.add_row(row);
    }
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_padding((2, 0));
        if matches!(i, 0 | 4) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// The title without the version, which the name of the solver has.
fn title(f: &Finding) -> String {
    let title = one_line(&words::title(f));
    let version = words::version(f).map(|v| format!(" ({})", one_line(v)));
    version.and_then(|v| title.strip_suffix(&v).map(str::to_owned)).unwrap_or(title)
}

/// Versions, and whether it is known.
fn news(f: &Finding) -> String {
    let known = if f.known.is_empty() { "" } else { "known" };
    let parts = [known.to_owned(), state(f)];
    parts.into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join(", ")
}
