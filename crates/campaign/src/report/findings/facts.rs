//! The facts about a finding, in a few words each. A fact that was not checked is left out.

use super::cells::meaning;
use crate::clean::{bytes, count, counted, listed, one_line, time};
use crate::finding::{Argument, Cell, Finding, Modes, Versions, words};
use std::collections::BTreeMap;
use std::time::Duration;

/// The name of the fact about the number of versions.
pub(in super::super) const VERSIONS: &str = "versions";

/// The solver and its version: `Z3 4.8.0`.
pub(in super::super) fn name(f: &Finding) -> String {
    let version = version(f);
    let space = if version.is_empty() { "" } else { " " };
    format!("{}{space}{version}", one_line(&words::solver(f)))
}

/// The version of the solver; empty if it is not known.
fn version(f: &Finding) -> String {
    one_line(words::version(f).unwrap_or(&f.solver.version))
}

/// The most useful news about a finding, short: `fails in 5.4.0`, `fixed in 4.8.9`; empty if versions were not run.
pub(in super::super) fn state(f: &Finding) -> String {
    let Some(v) = &f.versions else { return String::new() };
    match (&v.newest, &v.fixed_in) {
        (Some(newest), _) if v.newest_fails => format!("fails in {}", one_line(newest)),
        (_, Some(fixed)) => with_cell(v, fixed, "fixed in "),
        (Some(newest), None) => with_cell(v, newest, "not in "),
        (None, None) => String::new(),
    }
}

/// All facts, with their names.
pub(in super::super) fn facts(f: &Finding) -> Vec<(&'static str, String)> {
    let mut out = vec![("solver", solver(f))];
    out.extend(f.versions.iter().flat_map(versions));
    out.extend(f.options.as_ref().map(|o| ("options", options(o))));
    out.extend(f.stability.map(|s| {
        let (failed, runs) = (count(s.failed.into()), counted(s.runs.into(), "run"));
        ("seeds", format!("fails in {failed} of {runs} with different seeds"))
    }));
    out.extend(f.modes.map(|m| ("mode", mode(m).to_owned())));
    out.extend(f.known.iter().map(|k| {
        let parts = [&k.issue, &k.title, &k.reason].map(|t| one_line(t));
        let parts: Vec<String> = parts.into_iter().filter(|t| !t.is_empty()).collect();
        ("known", parts.join(", "))
    }));
    out.extend(related(f));
    out.extend(source(f));
    out.push(("reduced", reduced(f)));
    out.push(("from", one_line(&f.reduced.origin)));
    out.extend(f.seen.as_ref().map(|s| ("last seen", one_line(s))));
    out.push(("id", one_line(&f.id)));
    out.retain(|(_, text)| !text.is_empty());
    out
}

fn solver(f: &Finding) -> String {
    let command = one_line(&f.solver.command);
    if command.is_empty() { name(f) } else { format!("{}, {command}", name(f)) }
}

fn versions(v: &Versions) -> Vec<(&'static str, String)> {
    let one = |version: &Option<String>| version.as_ref().map(|x| with_cell(v, x, ""));
    let mut out = Vec::new();
    out.extend(v.first_bad.as_ref().map(|x| ("first bad", one_line(x))));
    out.extend(one(&v.last_good).map(|x| ("last good", x)));
    out.extend(one(&v.fixed_in).map(|x| ("fixed in", x)));
    out.extend(v.newest.as_ref().map(|x| {
        let result = if v.newest_fails { "fails" } else { cell(v, x).map_or("does not fail", meaning) };
        ("newest", format!("{}, {result}", one_line(x)))
    }));
    let run = v.tried.iter().filter(|t| t.cell != Cell::Missing).count() as u64;
    let available = (v.available > 0).then(|| format!(" of {} that can be installed", v.available));
    if run > 0 {
        out.push((VERSIONS, format!("{} run{}", count(run), available.unwrap_or_default())));
    }
    out
}

fn cell(v: &Versions, version: &str) -> Option<Cell> {
    v.tried.iter().find(|t| t.version == version).map(|t| t.cell)
}

/// The version; with its result, if that is not the right answer.
fn with_cell(v: &Versions, version: &str, before: &str) -> String {
    let result = cell(v, version).filter(|c| *c != Cell::Right).map(meaning);
    let result = result.map_or_else(String::new, |r| format!(" ({r})"));
    format!("{before}{}{result}", one_line(version))
}

fn options(list: &[String]) -> String {
    if list.is_empty() { "none needed".into() } else { one_line(&list.join(" ")) }
}

fn mode(m: Modes) -> &'static str {
    match (m.fresh, m.incremental) {
        (true, true) => "fails in a fresh process and in an incremental session",
        (true, false) => "fails in a fresh process, not in an incremental session",
        (false, true) => "fails in an incremental session only",
        (false, false) => "failed neither in a fresh process nor in an incremental session",
    }
}

/// The findings that probably have the same cause, one line for each reason.
fn related(f: &Finding) -> Vec<(&'static str, String)> {
    let mut by_reason: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    f.related.iter().for_each(|r| by_reason.entry(&r.reason).or_default().push(r.number));
    let line = |(reason, numbers): (&str, Vec<u32>)| {
        let noun = if numbers.len() == 1 { "bug" } else { "bugs" };
        let numbers = listed(numbers.iter().map(u32::to_string));
        ("cause", format!("probably that of {noun} {numbers}: {}", one_line(reason)))
    };
    by_reason.into_iter().map(line).collect()
}

/// Where the model comes from that shows the answer to be wrong.
fn source(f: &Finding) -> Option<(&'static str, String)> {
    match &f.reduced.argument {
        Argument::Model { source, .. } => Some(("model by", one_line(source))),
        Argument::Construction { .. } | Argument::Agreement { .. } | Argument::NotNeeded => None,
    }
}

fn reduced(f: &Finding) -> String {
    let r = &f.reduced;
    let took = time(Duration::from_secs_f64(r.seconds.clamp(0.0, 1e9)));
    let size = format!("{} to {}", bytes(r.origin_bytes as u64), bytes(r.bytes as u64));
    let end = if r.complete { "no smaller step is left" } else { "a limit ended it" };
    format!("{size} in {} of the solver, {took}; {end}", counted(r.runs, "run"))
}
