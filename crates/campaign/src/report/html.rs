//! The report as one HTML page: offline, no external resources, light and dark.
//!
//! Findings of a triage come first, then failures. Everything is in the page as plain HTML; the script only sorts, filters and copies. Texts come from solvers
//! and files: all of them are escaped by maud or [`highlight`], and the page's content policy forbids other resources.

mod failures;
mod findings;
mod highlight;
mod versus;

pub use highlight::highlight;

use super::compare::Comparison;
use super::conclusion;
use super::data::{Conclusion, Data};
use super::format::{Format, View};
use super::options::Options;
use super::plot::{bars, cactus, scaling, scatter, series};
use super::tally::{Column, Counts, RowKind, Table, timing};
use super::unreadable;
use super::wrong_status;
use crate::clean::{bytes, count, counted, one_line, time};
use crate::provenance::VERSION;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::io;

/// The style of the page.
pub const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");
/// The page may not load anything.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// Maximum number of reasons why a solver was not asked.
const MAX_REASONS: usize = 20;

/// The report as an HTML page.
pub struct Html;

impl Format for Html {
    fn name(&self) -> &'static str {
        "html"
    }

    fn about(&self) -> &'static str {
        "Write one self-contained HTML page to this file (`-`: stdout)"
    }

    fn details(&self, data: &Data, options: &Options) -> Vec<usize> {
        failures::chosen(data, options)
    }

    fn write(&self, view: &View<'_>, out: &mut dyn io::Write) -> io::Result<()> {
        out.write_all(render(view.data, view.comparison, view.options).as_bytes())
    }
}

/// Maximum number of bytes of a text on a page about one run.
const MAX_TEXT: usize = 1 << 20;

/// One run in full: known answer, formula, evidence, output, commands.
pub fn run(data: &Data, at: usize) -> Markup {
    let mut room = usize::MAX;
    failures::body(data, at, &mut room, MAX_TEXT)
}

/// One finding in full.
pub fn bug(data: &Data, finding: &crate::finding::Finding) -> Markup {
    findings::one(data, finding)
}

/// A comparison.
pub fn comparison(comparison: &Comparison) -> Markup {
    versus::section(comparison)
}

/// The page; with a comparison, that comes first.
pub fn render(data: &Data, comparison: Option<&Comparison>, options: &Options) -> String {
    let table = Table::new(data);
    let title = format!("stringent: {}", one_line(&data.store));
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (header(data, &table, comparison.is_some()))
                main {
                    @if let Some(c) = comparison { (versus::section(c)) }
                    @if data.totals.runs == 0 { p { "Nothing was run." } } @else {
                        (findings::section(data, options))
                        (failures::section(data, options))
                        (results(data, &table))
                        (plots(data, &table, options))
                        (times(data))
                        (failures::others_section(data, options))
                    }
                    (unreadable::section(data))
                }
                footer {
                    "stringent " (VERSION) ". Wall-clock times; a run is one instance on one \
                     solver with one seed."
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

fn header(data: &Data, table: &Table, compared: bool) -> Markup {
    let c = &data.campaign;
    let facts = [
        ("Command", c.command.clone()),
        ("Started", format!("{} with stringent {}", c.created, c.version)),
        ("Finished", c.finished.clone().unwrap_or_else(|| "no".into())),
        ("Machine", c.host.clone()),
        ("Seed", c.seed.to_string()),
        (
            "Settings",
            c.settings.shown().iter().map(|(k, v)| format!("{k} {v}")).collect::<Vec<_>>().join(" · "),
        ),
        ("Size", size(data)),
    ];
    html! {
        header {
            h1 { "stringent report" }
            p.store { (one_line(&data.store)) }
            @if let Some(line) = findings::verdict(data) { p class=(class(data)) { (line) } p { (conclusion::line(data, table)) } }
            @else if data.totals.runs > 0 { p class=(class(data)) { (conclusion::line(data, table)) } }
            @let unlabelled = data.unlabelled.phrases();
            @if !unlabelled.is_empty() { p.note { (unlabelled.join(" ")) } }
            @if let Some(line) = wrong_status::line(data) { p.note { (line) "." } }
            details.settings {
                summary { "Settings and machine" }
                dl.facts {
                    @for (name, value) in facts.iter().filter(|(_, v)| !v.is_empty()) {
                        div { dt { (name) } dd { (one_line(value)) } }
                    }
                }
            }
            nav aria-label="Sections" {
                @if compared { a href="#versus" { "Comparison" } }
                @if !data.findings.is_empty() { a href="#bugs" { "Bugs" } }
                a href="#failures" { "Failures" }
                a href="#results" { "Results" }
                a href="#plots" { "Plots" }
                a href="#times" { "Times" }
                a href="#others" { "Not solved" }
            }
        }
    }
}

fn size(data: &Data) -> String {
    let mut out = format!(
        "{} · {} · {}",
        counted(data.formulas as u64, "instance"),
        counted(data.solvers.len() as u64, "solver"),
        counted(data.totals.runs, "run")
    );
    if data.totals.runs < data.expected() as u64 {
        out.push_str(&format!(" of {}", count(data.expected() as u64)));
    }
    if data.seeds.len() > 1 {
        out.push_str(&format!(" · {}", counted(data.seeds.len() as u64, "solver seed")));
    }
    out
}

/// The class of the conclusion.
fn class(data: &Data) -> &'static str {
    match data.conclusion() {
        Conclusion::Clean => "conclusion good",
        Conclusion::Wrong => "conclusion bad",
        Conclusion::Unreadable | Conclusion::Undetermined => "conclusion undetermined",
    }
}

fn results(data: &Data, table: &Table) -> Markup {
    let columns = table.columns();
    html! {
        section id="results" {
            h2 { "Results" }
            div.scroll { table.counts {
                caption { "All runs, by solver" }
                thead { tr {
                    th scope="col" { "solver" } th.version scope="col" { "version" } (heads(&columns))
                } }
                tbody { @for (s, counts) in data.solvers.iter().zip(&table.total().counts) {
                    tr { th scope="row" { (one_line(&s.name)) } td.version title=(one_line(&s.program)) { (one_line(&s.version)) } (figures(counts, &columns)) }
                } }
            } }
            ul.legend { @for c in &columns { li { span class={"badge c-" (c.key())} { (c.head()) } " " (c.meaning()) } } }
            @for (s, takes) in data.solvers.iter().zip(&data.takes).filter(|(_, t)| !t.is_all()) {
                p.note { (one_line(&s.name)) " " (takes.describe(MAX_REASONS)) "." }
            }
            h3 { "By category" }
            div.grid { @for s in 0..data.solvers.len() { (categories(data, table, s, &columns)) } }
        }
    }
}

fn categories(data: &Data, table: &Table, solver: usize, columns: &[Column]) -> Markup {
    let used: Vec<Column> = columns
        .iter()
        .copied()
        .filter(|c| *c == Column::Ok || table.total().counts[solver].get(*c) > 0)
        .collect();
    html! {
        div.scroll { table.counts {
            caption { (one_line(&data.solvers[solver].name)) }
            thead { tr { th scope="col" { "category" } (heads(&used)) } }
            tbody { @for row in &table.rows {
                @let class = match row.kind { RowKind::Category => "", RowKind::Subtotal => "sub", RowKind::Total => "sum" };
                tr class=(class) { th scope="row" { (row.label) } (figures(&row.counts[solver], &used)) }
            } }
        } }
    }
}

fn heads(columns: &[Column]) -> Markup {
    html! {
        th scope="col" { "tests" }
        @for c in columns { th scope="col" { abbr title=(c.meaning()) { (c.head()) } } }
    }
}

fn figures(counts: &Counts, columns: &[Column]) -> Markup {
    html! {
        td { (count(counts.tests())) }
        @for c in columns {
            @let n = counts.get(*c);
            @if n == 0 { td.zero { "·" } }
            @else if *c == Column::Ok { td.h-ok { (count(n)) } }
            @else { td class={"hit h-" (c.key())} { (count(n)) } }
        }
    }
}

fn plots(data: &Data, table: &Table, options: &Options) -> Markup {
    let pairs = pairs(data, options);
    html! {
        section id="plots" {
            h2 { "Plots" }
            figure {
                figcaption { "Runs solved within a time" " (dashed: the limit)" }
                @match cactus::render(data) {
                    Some(svg) => div.scroll { (svg) },
                    None => p { "No run was solved." },
                }
                (solver_legend(data))
            }
            @if let Some(svg) = bars::render(data, table) {
                figure {
                    figcaption { "Verdicts by category, as shares; on the right the share that is ok" @if table.categories().count() > bars::SHOWN { " (the " (bars::SHOWN) " largest)" } }
                    div.scroll { (svg) }
                    ul.legend { @for c in table.columns() { li { span class={"key c-" (c.key())} {} " " (c.head()) " " (c.meaning()) } } }
                }
            }
            @if data.is_partial {
                p.note { "Plots of single runs are left out: there are too many." }
            } @else {
                (curves(data))
                @if !pairs.is_empty() { (scatters(data, &pairs)) }
            }
        }
    }
}

/// Time against the property that grows, for each category that has one.
fn curves(data: &Data) -> Markup {
    let curves = scaling::curves(data);
    html! {
        @if !curves.is_empty() {
            h3 { "Scaling" }
            p.note {
                "Across: the property that grows. Up: the median time of runs at that value, a run without a correct answer \
                 counts as the limit. Dots: single runs; crosses: those without a correct answer."
            }
            div.scatters { @for (i, curve) in curves.iter().enumerate() {
                figure {
                    (scaling::render(data, curve, i))
                    figcaption { (one_line(&curve.category)) ": " (scaling::describe(data, curve)) "." }
                }
            } }
            (solver_legend(data))
        }
    }
}

fn solver_legend(data: &Data) -> Markup {
    html! {
        ul.legend { @for (i, s) in data.solvers.iter().enumerate() {
            li {
                svg.swatch viewBox="0 0 28 8" aria-hidden="true" { path class={"line " (series(i))} d="M1 4H27" {} }
                " " (one_line(&s.name))
            }
        } }
    }
}

fn scatters(data: &Data, pairs: &[(usize, usize)]) -> Markup {
    html! {
        h3 { "Pairs of solvers" }
        p.note {
            "A dot per run of both: across the time of the one, up that of the other. Dashed: the limit; beyond \
             it, runs without a correct answer for another reason. "
            @if data.solvers.len() > 4 && pairs.len() == 6 { "The first four solvers; --pair A,B shows others." }
        }
        div.scatters { @for (a, b) in pairs {
            figure {
                (scatter::render(data, *a, *b))
                figcaption { (scatter::describe(data, *a, *b)) "." }
            }
        } }
        ul.legend {
            li { span."key k-ok" {} " both solve it" }
            li { span."key k-no" {} " one or both do not" }
            li { span."key k-bad" {} " one or both are wrong" }
        }
    }
}

fn pairs(data: &Data, options: &Options) -> Vec<(usize, usize)> {
    let place = |name: &str| data.solvers.iter().position(|s| s.name == name);
    if options.pairs.is_empty() {
        return scatter::default_pairs(data);
    }
    options.pairs.iter().filter_map(|(a, b)| Some((place(a)?, place(b)?))).collect()
}

fn times(data: &Data) -> Markup {
    let known = |n: u64, text: String| if n == 0 { "·".to_owned() } else { text };
    html! {
        section id="times" {
            h2 { "Times" }
            div.scroll { table.counts {
                caption { "Wall-clock time; of the runs that are ok, unless stated" }
                thead { tr {
                    @for head in ["solver", "ok", "median", "95 %", "slowest", "all runs", "all runs, CPU"] { th scope="col" { (head) } }
                    th scope="col" { abbr title="mean time, an unsolved run counts as twice the limit" { "PAR-2" } }
                    th scope="col" { "peak memory" }
                } }
                tbody { @for (s, t) in data.solvers.iter().zip(timing(data)) {
                    tr {
                        th scope="row" { (one_line(&s.name)) }
                        td { (count(t.solved)) }
                        @for d in [t.median, t.p95, t.slowest] { td { (known(t.solved, time(d))) } }
                        td { (time(t.wall)) }
                        td { (known(t.cpu.as_micros() as u64, time(t.cpu))) }
                        td { (t.par2.map_or("·".into(), time)) }
                        td { (known(t.memory_kib, bytes(t.memory_kib * 1024))) }
                    }
                } }
            } }
        }
    }
}
