//! The report for a terminal, at most 100 columns: the findings of a triage, the conclusion, a table, the failures, and a line
//! for each other verdict.
//!
//! Wrong results are always shown; errors up to a limit. With [`Options::all`]: settings, all tables, and every run.

mod failures;
mod findings;
mod header;
mod rest;
mod tables;

use super::compare;
use super::conclusion;
use super::data::{Data, Group};
use super::format::{Format, View};
use super::options::Options;
use super::tally::Table;
use super::terminal::{Style, push_wrapped, wrap};
use super::unreadable;
use super::wrong_status;
use crate::clean::{bytes, shell, time};
use std::io;

/// The report for a terminal.
pub struct Text;

impl Format for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn about(&self) -> &'static str {
        "Write the report as text to this file (`-`: stdout)"
    }

    fn details(&self, data: &Data, options: &Options) -> Vec<usize> {
        shown(data, options).iter().map(|g| g.runs[0]).collect()
    }

    fn write(&self, view: &View<'_>, out: &mut dyn io::Write) -> io::Result<()> {
        let text = match view.comparison {
            Some(comparison) => compare::text::render(comparison, view.options),
            None => render(view.data, view.options),
        };
        out.write_all(text.as_bytes())
    }
}

/// Maximum number of groups of wrong results that are shown in full; of the others one line each.
const MAX_FULL: usize = 10;

/// The groups that are shown in full: the first wrong results, and errors up to the limit.
fn shown<'d>(data: &'d Data, options: &Options) -> Vec<&'d Group> {
    let full = if options.all { usize::MAX } else { MAX_FULL };
    let unsound = data.groups.iter().filter(|g| g.kind.is_unsound()).take(full);
    let others = data.groups.iter().filter(|g| !g.kind.is_unsound() && (options.all || g.kind.is_failure()));
    unsound.chain(others.take(if options.all { usize::MAX } else { options.groups })).collect()
}

/// The full report.
pub fn render(data: &Data, options: &Options) -> String {
    let mut out = String::new();
    let style = Style(options.styled);
    let table = Table::new(data);
    if options.all {
        header::push(&mut out, data, style);
    }
    if data.totals.runs == 0 {
        out.push_str("Nothing was run.\n");
        out.push_str(&unreadable::text(data, options));
        return out;
    }
    findings::push(&mut out, data, options, style);
    let conclusion = conclusion::line(data, &table);
    push_wrapped(&mut out, &conclusion, "", |line| style.conclusion(data.conclusion(), line));
    remarks(&mut out, data);
    tables::solvers(&mut out, data, &table, style);
    if options.all || options.tables {
        tables::categories(&mut out, data, &table, style);
        tables::times(&mut out, data, style);
    }
    failures::push(&mut out, data, options, style);
    rest::push(&mut out, data, style);
    let unlabelled = data.unlabelled.phrases();
    if !unlabelled.is_empty() {
        out.push_str(&format!("\n{}\n", wrap(&unlabelled, " ", 98)));
    }
    if let Some(line) = wrong_status::line(data) {
        out.push('\n');
        push_wrapped(&mut out, &line, "  ", |line| style.bold(line));
    }
    out.push_str(&unreadable::text(data, options));
    footer(&mut out, data, options, style);
    out
}

/// What there is to say about known failures.
fn remarks(out: &mut String, data: &Data) {
    for line in &data.remarks {
        out.push_str(&format!("{}\n", crate::clean::one_line(line)));
    }
}

/// The limits, and how to see more.
fn footer(out: &mut String, data: &Data, options: &Options, style: Style) {
    let limits = &data.campaign.settings.limits;
    let memory = limits.memory.map(|m| format!(" and {}", bytes(m))).unwrap_or_default();
    let mut line = format!("Limits: {}{memory}.", time(limits.wall));
    if !options.all {
        line.push_str(&format!(
            " Tables, settings, every run: stringent report {} --all",
            shell(&data.store)
        ));
    }
    out.push_str(&format!("\n{}\n", style.dim(&crate::clean::one_line(&line))));
}
