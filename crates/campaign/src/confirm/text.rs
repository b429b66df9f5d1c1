//! Second opinions as text: counts, then contradicted results in full, then those that are not confirmed.

use super::{Confirmation, Outcome};
use crate::clean::{counted, one_line, printable};
use crate::outcome::Kind;
use crate::report::Data;
use crate::report::failure::show_command;
use comfy_table::{Cell, CellAlignment, Table, presets};
use semantics::Reading;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Maximum number of bytes of a query or an output that are shown.
const MAX_SHOWN: usize = 4000;

/// Counts by outcome.
pub type Counts = BTreeMap<Outcome, u64>;

/// Counts by solver (its place in [`Data::solvers`]) and kind.
pub fn groups(data: &Data, found: &[Confirmation]) -> BTreeMap<(usize, Kind), Counts> {
    let mut groups: BTreeMap<_, Counts> = BTreeMap::new();
    for c in found {
        let run = &data.runs[c.run];
        *groups.entry((run.solver, run.kind)).or_default().entry(c.outcome()).or_default() += 1;
    }
    groups
}

/// The full report. The texts of contradicted runs must be loaded in `data`; `styled` adds escape codes.
pub fn render(data: &Data, found: &[Confirmation], styled: bool) -> String {
    let mut out = format!("{}: ", data.store);
    if found.is_empty() {
        out.push_str("no wrong results, so nothing to confirm.\n");
        return out;
    }
    let _ = writeln!(out, "second opinions on {}", counted(found.len() as u64, "wrong result"));
    if data.campaign.settings.rules.reading == Reading::Pre26 {
        out.push_str(
            "The campaign was judged by a semantics before SMT-LIB 2.6; second solvers may use another.\n",
        );
    }
    let _ = writeln!(out, "\n{}", table(data, found));
    let by = |outcome| found.iter().filter(move |c| c.outcome() == outcome);
    for c in by(Outcome::Contradicted) {
        contradicted(&mut out, data, c, styled);
    }
    list(&mut out, data, "Weakly confirmed", by(Outcome::Weak));
    list(&mut out, data, "No opinion", by(Outcome::NoOpinion));
    out
}

/// The runs whose texts [`render`] shows.
pub fn wanted(found: &[Confirmation]) -> Vec<usize> {
    found.iter().filter(|c| c.outcome() == Outcome::Contradicted).map(|c| c.run).collect()
}

fn table(data: &Data, found: &[Confirmation]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    let heads = ["solver", "verdict", "kind", "runs", "confirmed", "weakly", "contradicted", "no opinion"];
    table.set_header(heads);
    for ((solver, kind), counts) in groups(data, found) {
        let mut row = vec![
            Cell::new(&data.solvers[solver].name),
            Cell::new(kind.verdict().code()),
            Cell::new(kind.code()),
            Cell::new(counts.values().sum::<u64>()),
        ];
        row.extend(Outcome::ALL.iter().map(|o| Cell::new(counts.get(o).copied().unwrap_or(0))));
        table.add_row(row);
    }
    for column in table.column_iter_mut().skip(3) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// One line for a run: `icse20/constant/str.at/0001  z3-4.8.6  IM (invalid-model)`.
fn named(data: &Data, c: &Confirmation) -> String {
    let run = &data.runs[c.run];
    let (instance, solver) = (&data.instances[run.instance].name, &data.solvers[run.solver].name);
    let seed = if data.seeds.len() > 1 { format!("  seed {}", run.seed) } else { String::new() };
    format!("{}  {solver}{seed}  {} ({})", one_line(instance), run.verdict(), run.kind)
}

/// A contradicted verdict, in full.
fn contradicted(out: &mut String, data: &Data, c: &Confirmation, styled: bool) {
    let word = if styled { "\x1b[1;31mCONTRADICTED\x1b[0m" } else { "CONTRADICTED" };
    let _ = writeln!(out, "{word}  {}", named(data, c));
    let _ = writeln!(out, "  {}", show_command(data, &data.runs[c.run]));
    if let Some(detail) = data.details.get(&c.run) {
        block(out, "formula", &printable(&detail.source, MAX_SHOWN));
        block(out, "output", &printable(&detail.output, MAX_SHOWN));
        block(out, "evidence", &printable(detail.evidence.as_bytes(), MAX_SHOWN));
    }
    for o in &c.opinions {
        let why = if o.why.is_empty() { String::new() } else { format!(": {}", one_line(&o.why)) };
        let _ = writeln!(out, "  {}: {}{why}", o.by, o.outcome.code());
        if o.outcome == Outcome::Contradicted {
            block(out, "query", &printable(o.question.as_bytes(), MAX_SHOWN));
            block(out, "output", &o.printed);
        }
    }
    out.push('\n');
}

fn block(out: &mut String, head: &str, text: &str) {
    let _ = writeln!(out, "  {head}:");
    for line in text.trim_end().lines() {
        let _ = writeln!(out, "    {line}");
    }
}

fn list<'c>(out: &mut String, data: &Data, head: &str, all: impl Iterator<Item = &'c Confirmation>) {
    let mut all = all.peekable();
    if all.peek().is_none() {
        return;
    }
    let _ = writeln!(out, "{head}:");
    for c in all {
        let _ = writeln!(out, "  {}", named(data, c));
        for o in &c.opinions {
            let parts =
                [Some(o.outcome.code()).filter(|_| o.outcome != Outcome::NoOpinion), Some(o.why.as_str())];
            let parts: Vec<&str> = parts.into_iter().flatten().filter(|p| !p.is_empty()).collect();
            let _ = writeln!(out, "    {}: {}", o.by, one_line(&parts.join("; at first ")));
        }
    }
    out.push('\n');
}
