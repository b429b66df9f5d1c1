//! The failures: counts by kind, and a list that can be sorted, filtered and expanded.

use super::super::data::{Data, Detail, Run};
use super::super::failure::{Group, failures, groups, show_command, solver_command, subject};
use super::super::options::Options;
use super::super::show::{figures, marks};
use super::super::tally::Column;
use super::highlight;
use crate::clean::{bytes, count, counted, one_line, printable, time};
use maud::{Markup, PreEscaped, html};

/// Maximum number of bytes of a formula, an output or evidence that are shown.
const MAX_TEXT: usize = 8 << 10;
/// Maximum number of rows of the table of groups.
const MAX_GROUPS: usize = 200;

/// The failures in the list: the worst of each solver.
pub(super) fn chosen(data: &Data, options: &Options) -> Vec<usize> {
    let mut left = vec![options.per_solver; data.solvers.len()];
    let take = |at: &usize| {
        let left = &mut left[data.runs[*at].solver];
        let room = *left > 0;
        *left = left.saturating_sub(1);
        room
    };
    failures(data).into_iter().filter(take).collect()
}

pub(super) fn section(data: &Data, options: &Options) -> Markup {
    let groups = groups(data);
    let all: usize = groups.iter().map(|g| g.runs.len()).sum();
    let chosen = chosen(data, options);
    html! {
        section id="failures" {
            h2 { "Failures" }
            @if all == 0 { p { "None: every run is ok." } } @else {
                (group_table(data, &groups))
                h3 { "One by one" }
                @if chosen.len() < all {
                    p.note {
                        "The list has the worst " (count(options.per_solver as u64)) " of each solver, "
                        (count(chosen.len() as u64)) " of " (count(all as u64))
                        " failures; the rest are in the counts above, and in "
                        code { (show_all(data)) } "."
                    }
                }
                (controls(data, &chosen))
                (list(data, &chosen, options))
            }
        }
    }
}

fn show_all(data: &Data) -> String {
    format!("stringent report {} --all", crate::clean::shell(&data.store))
}

fn group_table(data: &Data, groups: &[Group]) -> Markup {
    html! {
        details open[groups.len() <= 30] {
            summary { "By solver, verdict and operation: " (counted(groups.len() as u64, "group")) }
            div.scroll { table.groups {
                thead { tr { @for head in ["verdict", "kind", "solver", "operation", "runs", "flaky", "smallest"] { th scope="col" { (head) } } } }
                tbody { @for g in groups.iter().take(MAX_GROUPS) {
                    @let smallest = &data.runs[g.runs[0]];
                    tr {
                        td { (badge(smallest)) }
                        td { (g.kind) }
                        td { (one_line(&data.solvers[g.solver].name)) }
                        td { (one_line(&g.operation)) }
                        td.number { (count(g.runs.len() as u64)) }
                        td.number { @if g.flaky > 0 { (count(g.flaky as u64)) } }
                        td.name { (one_line(&data.instances[smallest.instance].name)) }
                    }
                } }
            } }
            @if groups.len() > MAX_GROUPS { p.note { "… and " (counted((groups.len() - MAX_GROUPS) as u64, "more group")) "." } }
        }
    }
}

fn badge(run: &Run) -> Markup {
    let column = Column::of(run.kind);
    html! { span class={"badge c-" (column.key())} title=(column.meaning()) { (column.head()) } }
}

/// The controls of script.js; hidden without scripts.
fn controls(data: &Data, chosen: &[usize]) -> Markup {
    let columns = Column::ALL.into_iter().skip(1);
    let used = |c: &Column| chosen.iter().any(|&at| Column::of(data.runs[at].kind) == *c);
    html! {
        form #filter hidden role="search" aria-label="Filter failures" {
            label { "Find " input type="search" name="text" placeholder="name, operation, kind …"; }
            label { "Solver " select name="solver" {
                option value="" { "all" }
                @for (i, s) in data.solvers.iter().enumerate() { option value=(i) { (one_line(&s.name)) } }
            } }
            label { "Verdict " select name="verdict" {
                option value="" { "all" }
                @for c in columns.filter(used) { option value=(c.key()) { (c.head()) " " (c.meaning()) } }
            } }
            label { input type="checkbox" name="flaky"; " flaky only" }
            output name="shown" aria-live="polite" { (counted(chosen.len() as u64, "failure")) }
        }
    }
}

/// The headings of the list, with their sort keys.
const HEADS: [(&str, &str); 6] =
    [("verdict", "i"), ("kind", "k"), ("solver", "s"), ("operation", "o"), ("instance", "n"), ("time", "t")];

fn list(data: &Data, chosen: &[usize], options: &Options) -> Markup {
    let mut room = options.bytes;
    let rows: Vec<Markup> =
        chosen.iter().enumerate().map(|(i, &at)| failure(data, i, at, &mut room)).collect();
    html! {
        div.list {
            div.heads { @for (name, key) in HEADS { button type="button" data-sort=(key) { (name) } } }
            div #list { @for row in &rows { (row) } }
        }
    }
}

fn failure(data: &Data, place: usize, at: usize, room: &mut usize) -> Markup {
    let run = &data.runs[at];
    let instance = &data.instances[run.instance];
    let name = one_line(&instance.name);
    html! {
        details.failure data-i=(place) data-s=(run.solver) data-v=(Column::of(run.kind).key())
            data-t=(run.wall.as_micros()) data-f[run.flaky] {
            summary {
                span { (badge(run)) @if run.flaky { " " span.flaky { "flaky" } } }
                span { (run.kind) }
                span { (one_line(&data.solvers[run.solver].name)) }
                span { (one_line(subject(data, run))) }
                span.name { (name) @if data.seeds.len() > 1 { " " small { "seed " (run.seed) } } }
                span.number { (time(run.wall)) }
            }
            div.body {
                p {
                    "Known " b { (instance.status) } ", answered " b { (run.answer) } ", model " (run.model) ", core " (run.core)
                    (marks(run)) ". Ended: " (one_line(&run.ending)) "; " (figures(run)) "; formula " (bytes(instance.size)) "."
                }
                @match data.details.get(&at) {
                    Some(detail) => (texts(detail, room)),
                    None => p.note { "Formula and output are only in the store." },
                }
                (commands(data, run, data.details.get(&at)))
            }
        }
    }
}

/// Evidence, output and formula, up to the size limit of the page.
fn texts(detail: &Detail, room: &mut usize) -> Markup {
    let source = highlight(&printable(&detail.source, MAX_TEXT));
    let output = printable(&detail.output, MAX_TEXT);
    let evidence = printable(detail.evidence.as_bytes(), MAX_TEXT);
    let size = source.len() + output.len() + evidence.len();
    if size > *room {
        return html! { p.note { "Formula and output are omitted: the page would be too large. The command below shows them." } };
    }
    *room -= size;
    html! {
        @if !evidence.is_empty() { h4 { "Evidence" } pre { (evidence) } }
        h4 { "Output of the solver" }
        @if output.is_empty() { p.note { "Nothing." } } @else { pre { (output) } }
        h4 { "Formula" }
        pre.smt { (PreEscaped(source)) }
    }
}

fn commands(data: &Data, run: &Run, detail: Option<&Detail>) -> Markup {
    let command = detail.map_or("", |d| d.command.as_str());
    html! {
        h4 { "Reproduce" }
        pre.command {
            (one_line(&show_command(data, run)))
            @if let Some(command) = solver_command(data, run, command) { "\n" (one_line(&command)) }
        }
        @if !command.is_empty() { h4 { "Command that was run" } pre.command { (one_line(command)) } }
    }
}
