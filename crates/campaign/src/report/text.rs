//! The report for a terminal: at most 100 columns, plain tables, failures worst first.

use super::compare;
use super::data::Data;
use super::failure::{Group, groups, show_command, solver_command};
use super::format::{Format, View};
use super::options::Options;
use super::tally::{Column, Counts, RowKind, Table, timing};
use super::terminal::{Style, push_table, right_table, wrap};
use super::unlabelled::Unlabelled;
use super::unreadable;
use crate::clean::{bytes, count, counted, one_line, shorten, time};
use crate::outcome::{Severity, Verdict};
use comfy_table::Cell;
use std::fmt::Write as _;
use std::io;

/// Maximum number of lines of evidence with a failure: enough for a core with its model.
const MAX_EVIDENCE_LINES: usize = 3;
/// Maximum number of rows of a table; the rest are summed up.
const MAX_ROWS: usize = 40;
/// Maximum number of characters of a row label.
const MAX_LABEL: usize = 22;

/// Maximum number of reasons why a solver was not asked.
const MAX_REASONS: usize = 4;

/// The report for a terminal.
pub struct Text;

impl Format for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn about(&self) -> &'static str {
        "Write the tables and failures as text to this file (`-`: stdout)"
    }

    fn details(&self, data: &Data, options: &Options) -> Vec<usize> {
        groups(data).iter().take(options.groups).map(|g| g.runs[0]).collect()
    }

    fn write(&self, view: &View<'_>, out: &mut dyn io::Write) -> io::Result<()> {
        let text = match view.comparison {
            Some(comparison) => compare::text::render(comparison, view.options),
            None => render(view.data, view.options),
        };
        out.write_all(text.as_bytes())
    }
}

/// The full report.
pub fn render(data: &Data, options: &Options) -> String {
    let mut out = String::new();
    let style = Style(options.styled);
    header(&mut out, data, style);
    let table = Table::new(data);
    if data.runs.is_empty() {
        out.push_str("\nNothing was run.\n");
        out.push_str(&unreadable::text(data, options));
        return out;
    }
    tables(&mut out, data, &table, style);
    times(&mut out, data, style);
    failures(&mut out, data, options, style);
    remarks(&mut out, data);
    let unlabelled = Unlabelled::of(data).phrases();
    if !unlabelled.is_empty() {
        let _ = writeln!(out, "\n{}", wrap(&unlabelled, ", ", 98));
    }
    out.push_str(&unreadable::text(data, options));
    out
}

/// What there is to say about known failures.
fn remarks(out: &mut String, data: &Data) {
    if !data.remarks.is_empty() {
        let _ = writeln!(out, "\n{}", data.remarks.join("\n"));
    }
}

fn header(out: &mut String, data: &Data, style: Style) {
    let c = &data.campaign;
    let _ = writeln!(out, "campaign  {}", style.bold(&one_line(&data.store)));
    let mut line = |key: &str, value: &str| {
        if !value.is_empty() {
            let _ = writeln!(out, "{key:<9} {}", one_line(value));
        }
    };
    line("command", &c.command);
    line("started", &format!("{}, stringent {}", c.created, c.version));
    line("finished", c.finished.as_deref().unwrap_or("no"));
    line("machine", &c.host);
    line("seed", &c.seed.to_string());
    let settings: Vec<String> = c.settings.shown().iter().map(|(k, v)| format!("{k} {v}")).collect();
    for (i, row) in wrap(&settings, " · ", 90).lines().enumerate() {
        line(if i == 0 { "settings" } else { "" }, row.trim());
    }
    let done = if data.runs.len() < data.expected() {
        format!(" of {}", count(data.expected() as u64))
    } else {
        String::new()
    };
    let seeds = if data.seeds.len() > 1 { counted(data.seeds.len() as u64, "seed") } else { String::new() };
    let parts = [
        counted(data.instances.len() as u64, "instance"),
        counted(data.solvers.len() as u64, "solver"),
        seeds,
        format!("{}{done} runs", count(data.runs.len() as u64)),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|p| !p.is_empty()).collect();
    line("size", &parts.join(" · "));
    for (i, s) in data.solvers.iter().enumerate() {
        let version = if s.version.is_empty() { "version unknown" } else { &s.version };
        let head = if i == 0 { "solvers" } else { "" };
        let name = shorten(&one_line(&s.name), MAX_LABEL);
        let version = shorten(&one_line(version), 70usize.saturating_sub(name.len().min(60)));
        let _ = writeln!(out, "{head:<9} {name} ({version})  {}", one_line(&s.program));
    }
}

fn tables(out: &mut String, data: &Data, table: &Table, style: Style) {
    let columns = table.columns();
    if data.solvers.len() > 1 {
        let _ = writeln!(out, "\n{}", style.bold("Solvers"));
        let mut shown = new_table("solver", &columns);
        for (s, counts) in table.total().counts.iter().enumerate() {
            shown.add_row(cells(&one_line(&data.solvers[s].name), counts, &columns, false));
        }
        push_table(out, &shown);
    }
    for (s, solver) in data.solvers.iter().enumerate() {
        let _ = writeln!(out, "\n{}", style.bold(&one_line(&solver.name)));
        push_table(out, &solver_table(table, s, &columns));
    }
    for (solver, takes) in data.solvers.iter().zip(&data.takes).filter(|(_, t)| !t.is_all()) {
        let line = format!("{} {}", one_line(&solver.name), takes.describe(MAX_REASONS));
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let _ = writeln!(out, "\n{}", wrap(&words, " ", 98));
    }
    let legend: Vec<String> = columns.iter().map(|c| format!("{} {}", c.head(), c.meaning())).collect();
    let _ = writeln!(out, "\n{}", wrap(&legend, " · ", 98));
}

/// Categories by verdicts of one solver.
fn solver_table(table: &Table, solver: usize, columns: &[Column]) -> comfy_table::Table {
    let mut shown = new_table("category", columns);
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

fn new_table(first: &str, columns: &[Column]) -> comfy_table::Table {
    let mut heads = vec![first.to_owned(), "tests".to_owned()];
    heads.extend(columns.iter().map(|c| c.head().to_owned()));
    right_table(heads)
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

fn times(out: &mut String, data: &Data, style: Style) {
    let _ =
        writeln!(out, "\n{} (wall-clock time; of the runs that are ok, unless stated)", style.bold("Times"));
    let heads = ["solver", "ok", "median", "95 %", "slowest", "all runs", "all CPU", "PAR-2", "peak memory"];
    let mut table = right_table(heads.map(str::to_owned).to_vec());
    for (solver, t) in data.solvers.iter().zip(timing(data)) {
        let known = |n: u64, text: String| if n == 0 { "·".to_owned() } else { text };
        table.add_row(vec![
            shorten(&one_line(&solver.name), 20),
            t.solved.to_string(),
            known(t.solved, time(t.median)),
            known(t.solved, time(t.p95)),
            known(t.solved, time(t.slowest)),
            time(t.wall),
            known(t.cpu.as_micros() as u64, time(t.cpu)),
            t.par2.map_or("·".into(), time),
            known(t.memory_kib, bytes(t.memory_kib * 1024)),
        ]);
    }
    push_table(out, &table);
}

fn failures(out: &mut String, data: &Data, options: &Options, style: Style) {
    let all = groups(data);
    let flaky = data.runs.iter().filter(|r| r.flaky).count();
    if flaky > 0 {
        let _ = writeln!(
            out,
            "\n{} flaky: the answer differed on a re-run or by seed.",
            counted(flaky as u64, "run")
        );
    }
    if all.is_empty() {
        let _ = writeln!(out, "\n{}", style.of(Severity::Fine, "No failures."));
        return;
    }
    let _ = writeln!(out, "\n{}, worst first", style.bold("Failures"));
    for group in all.iter().take(options.groups) {
        one_group(out, data, group, options, style);
    }
    if all.len() > options.groups {
        rest(out, &all[options.groups..]);
    }
}

fn one_group(out: &mut String, data: &Data, group: &Group, options: &Options, style: Style) {
    let run = &data.runs[group.runs[0]];
    let head = format!("{} {} ({})", group.kind.verdict(), group.kind, group.kind.severity());
    let flaky = if group.flaky > 0 { format!(", {} flaky", group.flaky) } else { String::new() };
    let _ = writeln!(
        out,
        "\n{}  {}  {}  {}{flaky}",
        style.of(group.kind.severity(), &head),
        style.bold(&one_line(&data.solvers[group.solver].name)),
        one_line(&group.operation),
        counted(group.runs.len() as u64, "run"),
    );
    let instance = &data.instances[run.instance];
    let _ = writeln!(
        out,
        "  smallest: {} ({}, {}, seed {}, {}, {})",
        one_line(&instance.name),
        instance.status,
        bytes(instance.size),
        run.seed,
        time(run.wall),
        one_line(&run.ending),
    );
    let detail = data.details.get(&group.runs[0]);
    let lines = detail.iter().flat_map(|d| d.evidence.lines()).filter(|l| !l.trim().is_empty());
    for line in lines.take(MAX_EVIDENCE_LINES) {
        let _ = writeln!(out, "  {}", shorten(&one_line(line.trim_end()), 98));
    }
    let _ = writeln!(out, "  show: {}", one_line(&show_command(data, run)));
    let command = detail.map_or("", |d| d.command.as_str());
    if let Some(command) = solver_command(data, run, command) {
        let _ = writeln!(out, "  run:  {}", one_line(&command));
    }
    if options.every_run {
        for &at in &group.runs[1..] {
            let _ = writeln!(out, "  also: {}", one_line(&show_command(data, &data.runs[at])));
        }
    }
}

/// The counts of groups that are not shown, by verdict.
fn rest(out: &mut String, groups: &[Group]) {
    let mut parts = Vec::new();
    for &verdict in Verdict::ALL {
        let runs: usize = groups.iter().filter(|g| g.kind.verdict() == verdict).map(|g| g.runs.len()).sum();
        if runs > 0 {
            parts.push(format!("{verdict} {}", count(runs as u64)));
        }
    }
    let n = counted(groups.len() as u64, "more group");
    let _ = writeln!(out, "\n{n} ({}); --failures N or --all shows them.", parts.join(", "));
}
