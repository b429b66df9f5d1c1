//! Verdicts by category: a bar per solver, its parts as shares of the runs.

use super::{label, px, svg};
use crate::clean::{count, shorten};
use crate::report::data::Data;
use crate::report::tally::{Column, Counts, Row, Table};
use maud::{Markup, html};

const WIDTH: f64 = 1000.0;
const LEFT: f64 = 190.0;
const RIGHT: f64 = 150.0;
const BAR: f64 = 14.0;
const GAP: f64 = 4.0;
const HEAD: f64 = 24.0;
/// The smallest width of a part: one wrong run of thousands must be visible.
const MIN_WIDTH: f64 = 2.5;
/// Maximum number of categories that are shown.
pub const SHOWN: usize = 24;

/// The plot; nothing if there are no runs. The largest categories, if there are many.
pub fn render(data: &Data, table: &Table) -> Option<Markup> {
    let rows = rows(table);
    if data.totals.runs == 0 || rows.is_empty() {
        return None;
    }
    let group = HEAD + data.solvers.len() as f64 * (BAR + GAP) + 6.0;
    let inner = html! {
        @for (i, row) in rows.iter().enumerate() {
            (label("head", 4.0, i as f64 * group + 16.0, &row.label))
            @for (solver, counts) in row.counts.iter().enumerate() {
                @let top = i as f64 * group + HEAD + solver as f64 * (BAR + GAP);
                (label("tick end", LEFT - 8.0, top + 11.0, &shorten(&data.solvers[solver].name, 26)))
                @if counts.tests() > 0 {
                    (bar(&data.solvers[solver].name, counts, top))
                    (label("tick", WIDTH - RIGHT + 8.0, top + 11.0, &share(counts)))
                }
            }
        }
    };
    let parts: Vec<String> = rows.iter().map(|r| describe(data, r)).collect();
    let height = rows.len() as f64 * group + 4.0;
    Some(svg("bars", WIDTH, height, "Verdicts by category and solver", &parts.join(". "), &inner))
}

/// The categories that are shown: all, or the largest in their order.
fn rows(table: &Table) -> Vec<&Row> {
    let mut rows: Vec<(usize, &Row)> = table.categories().enumerate().collect();
    let size = |row: &Row| row.counts.iter().map(Counts::tests).sum::<u64>();
    rows.sort_by_key(|(at, row)| (std::cmp::Reverse(size(row)), *at));
    rows.truncate(SHOWN);
    rows.sort_by_key(|(at, _)| *at);
    rows.into_iter().map(|(_, row)| row).collect()
}

fn bar(solver: &str, counts: &Counts, top: f64) -> Markup {
    html! {
        @for (column, from, width) in parts(counts, WIDTH - LEFT - RIGHT) {
            rect class={"c-" (column.key())} x=(px(LEFT + from)) y=(px(top)) width=(px(width)) height=(px(BAR)) {
                title { (solver) ": " (column.head()) " " (column.meaning()) ", " (count(counts.get(column))) }
            }
        }
    }
}

/// The parts of a bar: by their share, but none narrower than [`MIN_WIDTH`]; the others give way.
/// Each with its start and width.
fn parts(counts: &Counts, width: f64) -> Vec<(Column, f64, f64)> {
    let share = |c: Column| counts.get(c) as f64 / counts.tests() as f64 * width;
    let used: Vec<Column> = Column::ALL.into_iter().filter(|c| counts.get(*c) > 0).collect();
    let narrow = used.iter().filter(|c| share(**c) < MIN_WIDTH).count() as f64 * MIN_WIDTH;
    let wide: f64 = used.iter().map(|c| share(*c)).filter(|w| *w >= MIN_WIDTH).sum();
    let mut from = 0.0;
    let mut out = Vec::new();
    for column in used {
        let w = share(column);
        let w = if w < MIN_WIDTH { MIN_WIDTH } else { w * (width - narrow) / wide };
        out.push((column, from, w));
        from += w;
    }
    out
}

fn share(counts: &Counts) -> String {
    if counts.asked() == 0 {
        return Column::NotApplicable.head().into();
    }
    let ok = counts.get(Column::Ok) as f64 * 100.0 / counts.asked() as f64;
    let ok = if ok < 100.0 && ok > 99.9 { 99.9 } else { ok };
    format!("{ok:.1} % of {}", count(counts.asked()))
}

fn describe(data: &Data, row: &Row) -> String {
    let one = |(solver, counts): (usize, &Counts)| {
        let columns = Column::ALL.into_iter().filter(|c| counts.get(*c) > 0);
        let parts: Vec<String> = columns.map(|c| format!("{} {}", c.head(), counts.get(c))).collect();
        format!("{}: {}", data.solvers[solver].name, parts.join(" "))
    };
    let parts: Vec<String> = row.counts.iter().enumerate().map(one).collect();
    format!("{}: {}", row.label, parts.join(", "))
}
