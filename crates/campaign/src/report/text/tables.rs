//! Tables: solvers by verdicts, categories by verdicts, times.

use super::super::data::Data;
use super::super::tally::{Column, Counts, RowKind, Table, Timing, timing};
use super::super::terminal::{Style, push_table, right_table, wrap};
use crate::clean::{bytes, one_line, shorten, time};
use comfy_table::Cell;
use std::fmt::Write as _;

/// Maximum number of rows of a table; the rest are summed up.
const MAX_ROWS: usize = 40;
/// Maximum number of characters of a row label.
const MAX_LABEL: usize = 22;
/// Maximum number of columns of verdicts beside which all times fit.
const MAX_COLUMNS: usize = 7;

/// One row for each solver: verdicts that occur, and times.
pub(super) fn solvers(out: &mut String, data: &Data, table: &Table, style: Style) {
    let used = |c: &Column| *c == Column::Ok || table.total().counts.iter().any(|n| n.get(*c) > 0);
    let columns: Vec<Column> = Column::ALL.into_iter().filter(used).collect();
    let mut heads = vec!["solver".to_owned()];
    heads.extend(columns.iter().map(|c| c.head().to_owned()));
    heads.extend(time_heads(&columns).iter().map(|&h| h.to_owned()));
    let mut shown = right_table(heads);
    for ((solver, counts), t) in data.solvers.iter().zip(&table.total().counts).zip(timing(data)) {
        let mut row = vec![Cell::new(shorten(&one_line(&solver.name), MAX_LABEL))];
        row.extend(columns.iter().map(|c| Cell::new(figure(counts.get(*c)))));
        row.extend(times_of(&t, &columns).into_iter().map(Cell::new));
        shown.add_row(row);
    }
    out.push('\n');
    push_table(out, &shown);
    legend(out, &columns, style);
}

fn time_heads(columns: &[Column]) -> &'static [&'static str] {
    if columns.len() > MAX_COLUMNS { &["median", "PAR-2"] } else { &["median", "95 %", "slowest", "PAR-2"] }
}

fn times_of(t: &Timing, columns: &[Column]) -> Vec<String> {
    let par2 = t.par2.map_or("·".into(), time);
    if columns.len() > MAX_COLUMNS {
        return vec![solved(t, t.median), par2];
    }
    vec![solved(t, t.median), solved(t, t.p95), solved(t, t.slowest), par2]
}

fn solved(t: &Timing, d: std::time::Duration) -> String {
    if t.solved == 0 { "·".into() } else { time(d) }
}

/// The codes that are not words.
fn legend(out: &mut String, columns: &[Column], style: Style) {
    let parts: Vec<String> =
        columns.iter().skip(1).map(|c| format!("{} {}", c.head(), c.meaning())).collect();
    if !parts.is_empty() {
        for line in wrap(&parts, " · ", 96).lines() {
            let _ = writeln!(out, "{}", style.dim(line));
        }
    }
}

/// The table of the paper for each solver.
pub(super) fn categories(out: &mut String, data: &Data, table: &Table, style: Style) {
    let columns = table.columns();
    for (s, solver) in data.solvers.iter().enumerate() {
        let _ = writeln!(out, "\n{}", style.bold(&one_line(&solver.name)));
        push_table(out, &of_solver(table, s, &columns));
    }
}

/// Categories by verdicts of one solver.
fn of_solver(table: &Table, solver: usize, columns: &[Column]) -> comfy_table::Table {
    let mut heads = vec!["category".to_owned(), "tests".to_owned()];
    heads.extend(columns.iter().map(|c| c.head().to_owned()));
    let mut shown = right_table(heads);
    let mut seen = 0;
    let mut rest = (0, Counts::default());
    for row in &table.rows {
        let counts = &row.counts[solver];
        seen += usize::from(row.kind == RowKind::Category);
        if row.kind == RowKind::Category && seen > MAX_ROWS {
            rest.0 += 1;
            rest.1.add(counts);
            continue;
        }
        if rest.0 > 0 {
            shown.add_row(cells(&format!("({} more)", rest.0), &rest.1, columns, false));
            rest = (0, Counts::default());
        }
        shown.add_row(cells(&row.label, counts, columns, row.kind != RowKind::Category));
    }
    shown
}

fn cells(label: &str, counts: &Counts, columns: &[Column], sum: bool) -> Vec<Cell> {
    let label = shorten(label, MAX_LABEL);
    let label = if sum { format!("[{label}]") } else { label };
    let mut out = vec![Cell::new(label), Cell::new(figure(counts.tests()))];
    out.extend(columns.iter().map(|c| Cell::new(figure(counts.get(*c)))));
    out
}

fn figure(n: u64) -> String {
    if n == 0 { "·".into() } else { n.to_string() }
}

/// All times.
pub(super) fn times(out: &mut String, data: &Data, style: Style) {
    let about = "(wall-clock time; of the runs that are ok, unless stated)";
    let _ = writeln!(out, "\n{} {about}", style.bold("Times"));
    let heads = ["solver", "ok", "median", "95 %", "slowest", "all runs", "all CPU", "PAR-2", "peak memory"];
    let mut table = right_table(heads.map(str::to_owned).to_vec());
    for (solver, t) in data.solvers.iter().zip(timing(data)) {
        let known = |n: u64, text: String| if n == 0 { "·".to_owned() } else { text };
        table.add_row(vec![
            shorten(&one_line(&solver.name), MAX_LABEL),
            t.solved.to_string(),
            solved(&t, t.median),
            solved(&t, t.p95),
            solved(&t, t.slowest),
            time(t.wall),
            known(t.cpu.as_micros() as u64, time(t.cpu)),
            t.par2.map_or("·".into(), time),
            known(t.memory_kib, bytes(t.memory_kib * 1024)),
        ]);
    }
    push_table(out, &table);
}
