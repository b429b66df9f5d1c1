//! One finding in full: the formula, why the answer is wrong, the versions, and all its runs.

use super::super::data::Data;
use super::super::findings::{VERSIONS, by_cell, column, facts, formula, meaning, output, sent};
use super::super::options::Options;
use super::super::terminal::push_wrapped;
use super::section;
use crate::clean::{counted, one_line, shell};
use crate::finding::reason::Reason;
use crate::finding::{Finding, words};
use std::fmt::Write as _;

/// The finding in full.
pub fn render(data: &Data, f: &Finding, options: &Options) -> String {
    let mut out = String::new();
    let of = format!("{} of {}", f.number, one_line(&data.store));
    let _ = writeln!(out, "bug       {of}, {}", counted(f.members.len() as u64, "run"));
    let _ = writeln!(out, "title     {}", one_line(&words::title(f)));
    let _ = writeln!(out, "verdict   {} {}: {}", column(f).head(), f.kind, super::meaning(f.kind));
    let formula = formula(f);
    let _ = writeln!(out, "\n{formula}\n");
    reason(&mut out, &Reason::of(f));
    let _ = writeln!(out, "answer    {}, {}", f.observed.answer, one_line(&f.observed.ending));
    section(&mut out, "output", output(f).as_bytes());
    if let Some(sent) = sent(f, &formula) {
        section(&mut out, "sent", sent.as_bytes());
    }
    out.push('\n');
    for (name, text) in facts(f) {
        push_wrapped(&mut out, &format!("{name:<9} {text}"), "          ", str::to_owned);
        if name == VERSIONS {
            versions(&mut out, f);
        }
    }
    members(&mut out, f);
    let store = if options.newest { String::new() } else { format!(" --store {}", shell(&data.store)) };
    let _ = writeln!(out, "\nfile it   {}", one_line(&format!("stringent file {}{store}", f.number)));
    out
}

fn reason(out: &mut String, reason: &Reason) {
    push_wrapped(out, &format!("why       {}", reason.sentence), "          ", str::to_owned);
    let values: Vec<String> =
        reason.values.iter().map(|(name, value)| one_line(&format!("{name} = {value}"))).collect();
    section(out, "model", values.join("\n").as_bytes());
    section(out, "trace", reason.trace_text().as_bytes());
    section(out, "evidence", reason.notes.join("\n").as_bytes());
}

fn versions(out: &mut String, f: &Finding) {
    for (cell, list) in f.versions.iter().flat_map(by_cell) {
        let line = format!("{:<20} {}", meaning(cell), list.join(" "));
        push_wrapped(out, &line, &" ".repeat(21), |line| format!("          {line}"));
    }
}

fn members(out: &mut String, f: &Finding) {
    if f.members.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nruns");
    for m in &f.members {
        let seed = if m.seed == 0 { String::new() } else { format!(", seed {}", m.seed) };
        let reason = if m.reason.is_empty() { String::new() } else { format!(": {}", m.reason) };
        let line = format!("{} ({}{seed}){reason}", m.instance, m.solver);
        let _ = writeln!(out, "  {}", one_line(&line));
    }
}
