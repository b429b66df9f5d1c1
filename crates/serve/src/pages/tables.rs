//! Tables of counts, each a link to the runs that it counts.

use crate::link::Link;
use campaign::clean::{bytes, count, counted, one_line, time};
use campaign::finding::words;
use campaign::report::Data;
use campaign::report::data::Group;
use campaign::report::scope::remark;
use campaign::report::tally::{Column, Counts, RowKind, Table, timing};
use maud::{Markup, html};

use super::status::bar;

/// The most groups that a table has; wrong results are always there.
const MAX_GROUPS: usize = 100;

/// All runs by solver.
pub(super) fn results(name: &str, data: &Data, table: &Table) -> Markup {
    let columns = table.columns();
    html! {
        div.scroll { table.counts {
            caption { "All runs, by solver" }
            thead { tr {
                th scope="col" { "solver" } th.version scope="col" { "version" } th.shares scope="col" { "shares" } (heads(&columns))
            } }
            tbody { @for (s, counts) in data.solvers.iter().zip(&table.total().counts) {
                tr {
                    th scope="row" { (one_line(&s.name)) }
                    td.version title=(one_line(&s.program)) { (one_line(&s.version)) }
                    td.shares { (bar(counts)) }
                    (figures(&Link::of(name, "runs").with("solver", &s.name), counts, &columns))
                }
            } }
        } }
        ul.legend { @for c in &columns { li { (badge(*c)) " " (c.meaning()) } } }
    }
}

/// Each solver by category.
pub(super) fn categories(name: &str, data: &Data, table: &Table) -> Markup {
    html! { div.grid { @for (at, solver) in data.solvers.iter().enumerate() {
        @let columns: Vec<Column> = table.columns().into_iter().filter(|c| *c == Column::Ok || table.total().counts[at].get(*c) > 0).collect();
        div.scroll { table.counts {
            caption { (one_line(&solver.name)) }
            thead { tr { th scope="col" { "category" } (heads(&columns)) } }
            tbody { @for row in &table.rows {
                @let class = match row.kind { RowKind::Category => "", RowKind::Subtotal => "sub", RowKind::Total => "sum" };
                @let link = Link::of(name, "runs").with("solver", &solver.name);
                @let link = if row.kind == RowKind::Category { link.with("category", &row.label) } else { link };
                tr class=(class) {
                    th scope="row" { (row.label) }
                    @if row.kind == RowKind::Subtotal { (plain(&row.counts[at], &columns)) } @else { (figures(&link, &row.counts[at], &columns)) }
                }
            } }
        } }
    } } }
}

fn heads(columns: &[Column]) -> Markup {
    html! {
        th scope="col" { "tests" }
        @for c in columns { th scope="col" { abbr title=(c.meaning()) { (c.head()) } } }
    }
}

/// Counts with links to their runs.
fn figures(runs: &Link, counts: &Counts, columns: &[Column]) -> Markup {
    html! {
        td { (count(counts.tests())) }
        @for c in columns {
            @let n = counts.get(*c);
            @if n == 0 { td.zero { "·" } }
            @else { td class={"hit h-" (c.key())} { a href=(runs.clone().with("verdict", c.key())) title=(c.meaning()) { (count(n)) } } }
        }
    }
}

/// Counts without links.
fn plain(counts: &Counts, columns: &[Column]) -> Markup {
    html! {
        td { (count(counts.tests())) }
        @for c in columns { td { @if counts.get(*c) == 0 { "·" } @else { (count(counts.get(*c))) } } }
    }
}

/// Runs that end in the same way.
pub(super) fn groups(name: &str, data: &Data, is_failure: bool) -> Markup {
    let groups: Vec<&Group> = data.groups.iter().filter(|g| g.kind.is_failure() == is_failure).collect();
    let is_flaky = groups.iter().any(|g| g.size.flaky > 0);
    let shown = MAX_GROUPS.max(groups.iter().filter(|g| g.kind.is_unsound()).count());
    html! {
        @if groups.is_empty() { p { @if is_failure { "None: no wrong result and no error." } @else { "None." } } }
        @else {
            div.scroll { table.groups {
                caption.unseen { @if is_failure { "Wrong results and errors" } @else { "Runs that are not solved" } }
                thead { tr {
                    @for head in ["", "verdict", "kind"] { th scope="col" { (head) } }
                    th.number scope="col" { "runs" }
                    @if is_flaky { th.number scope="col" { "flaky" } }
                    @for head in ["solver", "operation or category"] { th scope="col" { (head) } }
                } }
                tbody { @for g in groups.iter().take(shown) { (group(name, data, g, is_flaky)) } }
            } }
            @if groups.len() > shown { p.note { "… and " (counted((groups.len() - shown) as u64, "more group")) "." } }
        }
    }
}

fn group(name: &str, data: &Data, g: &Group, is_flaky: bool) -> Markup {
    let remark = remark(data, g);
    html! {
        tr {
            td.number { (g.number) }
            td { (badge(Column::of(g.kind))) }
            td { a href=(group_link(name, data, g)) { (g.kind) } @if !remark.is_empty() { small { (remark) } } }
            td.number { (count(g.size.runs)) }
            @if is_flaky { td.number { @if g.size.flaky > 0 { (count(g.size.flaky)) } } }
            td { (one_line(&data.solvers[g.solver].name)) }
            td { (one_line(&g.operation)) }
        }
    }
}

pub(super) fn group_link(name: &str, data: &Data, g: &Group) -> Link {
    let link = Link::of(name, "group").with("solver", &data.solvers[g.solver].name);
    link.with("kind", g.kind.code()).with("subject", &g.operation)
}

pub(super) fn badge(column: Column) -> Markup {
    html! { span class={"badge c-" (column.key())} title=(column.meaning()) { (column.head()) } }
}

/// Times by solver.
pub(super) fn times(data: &Data) -> Markup {
    let known = |n: u64, text: String| if n == 0 { "·".to_owned() } else { text };
    html! { div.scroll { table.counts {
        caption { "Wall-clock time; of the runs that are ok, unless stated" }
        thead { tr {
            @for head in ["solver", "ok", "median", "95 %", "slowest", "all runs", "all runs, CPU"] { th scope="col" { (head) } }
            th scope="col" { abbr title="mean time, an unsolved run counts as twice the limit" { "PAR-2" } }
            th scope="col" { "peak memory" }
        } }
        tbody { @for (s, t) in data.solvers.iter().zip(timing(data)) { tr {
            th scope="row" { (one_line(&s.name)) }
            td { (count(t.solved)) }
            @for d in [t.median, t.p95, t.slowest] { td { (known(t.solved, time(d))) } }
            td { (time(t.wall)) }
            td { (known(t.cpu.as_micros() as u64, time(t.cpu))) }
            td { (t.par2.map_or("·".into(), time)) }
            td { (known(t.memory_kib, bytes(t.memory_kib * 1024))) }
        } } }
    } } }
}

/// The findings of a triage.
pub(super) fn bugs(name: &str, data: &Data) -> Markup {
    html! { div.scroll { table.groups {
        caption.unseen { "Bugs" }
        thead { tr { @for head in ["bug", "verdict", "title", "solver"] { th scope="col" { (head) } }
            @for head in ["failures", "size"] { th.number scope="col" { (head) } } } }
        tbody { @for f in &data.findings { tr {
            td.number { (f.number) }
            td { (badge(Column::of(f.kind))) }
            td.title { a href=(Link::of(name, "bug").with("number", f.number.to_string())) { (one_line(&words::title(f))) } @if !f.known.is_empty() { " " span.tag { "known" } } }
            td { (one_line(&f.solver.name)) }
            td.number { (count(f.members.len() as u64)) }
            td.number { (bytes(f.reduced.bytes as u64)) }
        } } }
    } } }
}
