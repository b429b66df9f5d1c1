//! The failures: groups, and a list that can be sorted, filtered and expanded; then the runs that are not solved.

use super::super::data::{Data, Detail, Group, Run};
use super::super::failure::{
    failures, others, repro_command, repro_run_command, short_show_command, show_command, solver_command,
};
use super::super::findings::places;
use super::super::options::Options;
use super::super::scope::{phrase, remark};
use super::super::show::{figures, marks};
use super::super::tally::Column;
use super::highlight;
use crate::clean::{bytes, count, counted, one_line, printable, time};
use crate::finding::words;
use maud::{Markup, PreEscaped, html};
use std::collections::BTreeSet;

/// Maximum number of bytes of a formula, an output or evidence that are shown.
const MAX_TEXT: usize = 8 << 10;
/// Maximum number of rows of the table of groups.
const MAX_GROUPS: usize = 200;

/// The runs in the lists: the worst of each solver, and the smallest of each finding and each group of wrong results.
pub(super) fn chosen(data: &Data, options: &Options) -> Vec<usize> {
    let mut left = vec![options.per_solver; data.solvers.len()];
    let mut smallest: BTreeSet<usize> =
        data.groups.iter().filter(|g| g.kind.is_unsound()).map(|g| g.runs[0]).collect();
    let places = places(data);
    smallest.extend(data.findings.iter().filter_map(|f| places.get(&f.members.first()?.key())));
    let take = |at: &usize| {
        let left = &mut left[data.runs[*at].solver];
        let room = *left > 0;
        *left = left.saturating_sub(1);
        room || smallest.contains(at)
    };
    failures(data).into_iter().chain(others(data)).filter(take).collect()
}

/// Wrong results and errors.
pub(super) fn section(data: &Data, options: &Options) -> Markup {
    let groups: Vec<&Group> = data.groups.iter().filter(|g| g.kind.is_failure()).collect();
    let all = groups.iter().map(|g| g.size.runs).sum::<u64>() as usize;
    let chosen: Vec<usize> =
        chosen(data, options).into_iter().filter(|&at| data.runs[at].kind.is_failure()).collect();
    html! {
        section id="failures" {
            h2 { "Failures" }
            @for line in &data.remarks { p.note { (one_line(line)) } }
            @if all == 0 { p { "None: no wrong result and no error." } }
            @else if data.findings.is_empty() { (raw(data, &groups, &chosen, all, options)) }
            @else { details.raw { summary { "All " (counted(all as u64, "failing run")) " behind the bugs" } (raw(data, &groups, &chosen, all, options)) } }
        }
    }
}

/// The groups, and the runs one by one.
fn raw(data: &Data, groups: &[&Group], chosen: &[usize], all: usize, options: &Options) -> Markup {
    html! {
        (group_table(data, groups))
        h3 { "One by one" }
        (omitted(data, chosen.len(), all, options))
        (controls(data, chosen))
        (list(data, chosen, options, true))
    }
}

/// Runs without a correct answer that are not failures.
pub(super) fn others_section(data: &Data, options: &Options) -> Markup {
    let all = data.groups.iter().filter(|g| !g.kind.is_failure()).map(|g| g.size.runs).sum::<u64>() as usize;
    let chosen: Vec<usize> =
        chosen(data, options).into_iter().filter(|&at| !data.runs[at].kind.is_failure()).collect();
    html! {
        section id="others" {
            h2 { "Not solved" }
            @if all == 0 { p { "Nothing else." } } @else {
                details {
                    summary { (counted(all as u64, "run")) " with a time limit, unknown, undetermined or imprecise" }
                    (omitted(data, chosen.len(), all, options))
                    (list(data, &chosen, options, false))
                }
            }
        }
    }
}

fn omitted(data: &Data, shown: usize, all: usize, options: &Options) -> Markup {
    html! {
        @if shown < all {
            p.note {
                "The list has the worst " (count(options.per_solver as u64)) " of each solver, "
                (count(shown as u64)) " of " (count(all as u64))
                " runs; the rest are in the counts, and in " code { (show_all(data)) } "."
            }
        }
    }
}

fn show_all(data: &Data) -> String {
    format!("stringent report {} --all", crate::clean::shell(&data.store))
}

fn group_table(data: &Data, groups: &[&Group]) -> Markup {
    let unsound = groups.iter().filter(|g| g.kind.is_unsound()).count();
    let shown = MAX_GROUPS.max(unsound);
    html! {
        details open {
            summary { "By solver, verdict and operation: " (counted(groups.len() as u64, "group")) }
            div.scroll { table.groups {
                thead { tr { @for head in ["", "verdict", "kind", "solver", "operation", "runs", "flaky", "smallest"] { th scope="col" { (head) } } } }
                tbody { @for g in groups.iter().take(shown) {
                    @let smallest = &data.runs[g.runs[0]];
                    @let remark = remark(data, g);
                    tr id={"group-" (g.number)} {
                        td.number { (g.number) }
                        td { (badge(smallest)) }
                        td { (g.kind) @if !remark.is_empty() { small { (remark) } }
                            @if g.runs.iter().all(|at| data.known.contains_key(at)) { small { "known failure" } } }
                        td { (one_line(&data.solvers[g.solver].name)) }
                        td { (one_line(&g.operation)) }
                        td.number { (count(g.size.runs)) }
                        td.number { @if g.size.flaky > 0 { (count(g.size.flaky)) } }
                        td.name { (one_line(&data.instances[smallest.instance].name)) }
                    }
                } }
            } }
            @if groups.len() > shown { p.note { "… and " (counted((groups.len() - shown) as u64, "more group")) "." } }
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

fn list(data: &Data, chosen: &[usize], options: &Options, sorted: bool) -> Markup {
    let mut room = options.bytes;
    let rows: Vec<Markup> =
        chosen.iter().enumerate().map(|(i, &at)| failure(data, i, at, &mut room)).collect();
    html! {
        div.list {
            @if sorted { div.heads { @for (name, key) in HEADS { button type="button" data-sort=(key) { (name) } } } }
            div id=[sorted.then_some("list")] { @for row in &rows { (row) } }
        }
    }
}

fn failure(data: &Data, place: usize, at: usize, room: &mut usize) -> Markup {
    let run = &data.runs[at];
    let instance = &data.instances[run.instance];
    let name = one_line(&instance.name);
    html! {
        details.failure id=[run.finding.map(|_| format!("run-{at}"))] data-i=(place) data-s=(run.solver) data-v=(Column::of(run.kind).key())
            data-t=(run.wall.as_micros()) data-f[run.flaky] {
            summary {
                span { @if let Some(n) = run.group { span.place { (n) } } (badge(run)) @if run.flaky { " " span.flaky { "flaky" } } }
                span { (run.kind) }
                span { (one_line(&data.solvers[run.solver].name)) }
                span { (one_line(instance.subject())) }
                span.name { (name) @if data.seeds.len() > 1 { " " small { "seed " (run.seed) } } }
                span.number { (time(run.wall)) }
            }
            div.body { (body(data, at, room, MAX_TEXT)) }
        }
    }
}

/// A run in full, with texts of at most `max` bytes.
pub(super) fn body(data: &Data, at: usize, room: &mut usize, max: usize) -> Markup {
    let run = &data.runs[at];
    let instance = &data.instances[run.instance];
    html! {
        p {
            "Known " b { (instance.status) } ", answered " b { (run.answer) } ", model " (run.model) ", core " (run.core)
            (marks(run)) @if let Some(s) = run.scope { "; " (phrase(data, run.kind, s)) } ". Ended: " (one_line(&run.ending)) "; " (figures(run)) "; formula " (bytes(instance.size)) "."
        }
        @if let Some(f) = data.finding_of(run) { p { a href={"#bug-" (f.number)} { "Bug " (f.number) } ": " (one_line(&words::title(f))) "." } }
        @if let Some(why) = &run.refused { p.note { "Not reduced: " (one_line(why)) "." } }
        @match data.details.get(&at) {
            Some(detail) => (texts(detail, room, max)),
            None => p.note { "Formula and output are only in the store." },
        }
        (commands(data, run, data.details.get(&at)))
    }
}

/// Evidence, output and formula, up to the size limit of the page.
fn texts(detail: &Detail, room: &mut usize, max: usize) -> Markup {
    let source = highlight(&printable(&detail.source, max));
    let output = printable(&detail.output, max);
    let evidence = printable(detail.evidence.as_bytes(), max);
    let size = source.len() + output.len() + evidence.len();
    if size > *room {
        return html! { p.note { "Formula and output are omitted: the page would be too large. The command below shows them." } };
    }
    *room -= size;
    html! {
        h4 { "Formula" }
        (copied(html! { pre.smt { (PreEscaped(source)) } }))
        @if !evidence.is_empty() { h4 { "Evidence" } pre { (evidence) } }
        h4 { "Output of the solver" }
        @if output.is_empty() { p.note { "Nothing." } } @else { (copied(html! { pre { (output) } })) }
    }
}

/// A text with a button that copies it; hidden without scripts.
pub(super) fn copied(text: Markup) -> Markup {
    html! { div.copied { (text) button.copy type="button" hidden { "copy" } } }
}

fn commands(data: &Data, run: &Run, detail: Option<&Detail>) -> Markup {
    let command = detail.map_or("", |d| d.command.as_str());
    let options = Options::default();
    let mut lines = Vec::new();
    // The number stands for the smallest of the group.
    match data.group_of(run).filter(|g| std::ptr::eq(&data.runs[g.runs[0]], run)) {
        Some(g) => lines.extend([short_show_command(data, g, &options), repro_command(data, g, &options)]),
        None => lines.extend([show_command(data, run), repro_run_command(data, run)]),
    }
    lines.extend(solver_command(data, run, command));
    html! {
        h4 { "Reproduce" }
        @for line in lines { (copied(html! { pre.command { (one_line(&line)) } })) }
        @if !command.is_empty() { h4 { "Command that was run" } pre.command { (one_line(command)) } }
    }
}
