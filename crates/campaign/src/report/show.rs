//! One instance in full: its formula, its runs, and the script that a solver got.

use super::data::{Data, Run};
use super::failure::solver_command;
use crate::case::Case;
use crate::clean::{bytes, one_line, printable, time};
use crate::compose::compose;
use crate::store::{InstanceRow, SECOND_OPINION};
use std::fmt::Write as _;

/// The places of the runs of the instance called `name`, all or with one seed.
pub fn runs_of(data: &Data, name: &str, seed: Option<u64>) -> Vec<usize> {
    let Some(at) = data.instances.iter().position(|i| i.name == name) else { return Vec::new() };
    let runs = data.runs.iter().enumerate();
    runs.filter(|(_, r)| r.instance == at && seed.is_none_or(|s| r.seed == s)).map(|(i, _)| i).collect()
}

/// Names similar to `name`.
pub fn similar<'a>(data: &'a Data, name: &str) -> Vec<&'a str> {
    let last = name.rsplit('/').next().unwrap_or(name);
    let names = data.instances.iter().map(|i| i.name.as_str());
    names.filter(|n| n.contains(name) || (!last.is_empty() && n.ends_with(last))).take(5).collect()
}

/// The script as it was sent to the solver of `run`, or the reason why there is none.
pub fn script(data: &Data, run: &Run, instance: &InstanceRow) -> Result<Vec<u8>, String> {
    let solver = &data.solvers[run.solver];
    let profile =
        solver.profile.as_ref().ok_or_else(|| format!("the profile of {} cannot be read", solver.name))?;
    let case = Case::read(instance).map_err(|e| e.to_string())?;
    compose(&case, profile, run.seed, &data.wants).map_err(|e| e.to_string())
}

/// The instance and these runs of it, in full.
pub fn render(data: &Data, runs: &[usize]) -> String {
    let mut out = String::new();
    let Some(&first) = runs.first() else { return out };
    let instance = &data.instances[data.runs[first].instance];
    let _ = writeln!(out, "instance  {}", one_line(&instance.name));
    let about = [&instance.category, &instance.operation].map(|s| one_line(s));
    let about: Vec<&str> = about.iter().map(String::as_str).filter(|s| !s.is_empty()).collect();
    let _ = writeln!(out, "about     {}, {}", about.join(", "), instance.status);
    if let Some(detail) = data.details.get(&first) {
        let _ = writeln!(out, "\n{}", printable(&detail.source, 1 << 20).trim_end());
    }
    for &at in runs {
        one_run(&mut out, data, at);
    }
    let at = data.runs[first].instance;
    if let Some(run) = data.second.iter().flat_map(|s| &s.runs).find(|r| r.instance == at) {
        let found = format!("{SECOND_OPINION}: {}, model {} ({})", run.answer, run.model, run.kind);
        let _ = writeln!(out, "\nsecond    {found}, {}", figures(run));
    }
    out
}

fn one_run(out: &mut String, data: &Data, at: usize) {
    let run = &data.runs[at];
    let _ = writeln!(out, "\nsolver    {}, seed {}", one_line(&data.solvers[run.solver].name), run.seed);
    let _ = writeln!(out, "verdict   {} {} ({})", run.verdict(), run.kind, run.severity().code());
    let _ = writeln!(out, "answer    {}, model {}, core {}{}", run.answer, run.model, run.core, marks(run));
    let _ = writeln!(out, "ended     {}, {}", one_line(&run.ending), figures(run));
    let Some(detail) = data.details.get(&at) else { return };
    section(out, "evidence", detail.evidence.as_bytes());
    section(out, "output", &detail.output);
    if !detail.command.is_empty() {
        let _ = writeln!(out, "command   {}", one_line(&detail.command));
    }
    if let Some(command) = solver_command(data, run, &detail.command) {
        let _ = writeln!(out, "run       {}", one_line(&command));
    }
}

/// Times and memory of a run.
pub fn figures(run: &Run) -> String {
    let mut out = format!("wall {}", time(run.wall));
    if !run.cpu.is_zero() {
        let _ = write!(out, ", CPU {}", time(run.cpu));
    }
    if run.memory_kib > 0 {
        let _ = write!(out, ", memory {}", bytes(run.memory_kib * 1024));
    }
    out
}

/// Further properties of a run.
pub fn marks(run: &Run) -> String {
    let mut out = String::new();
    if run.flaky {
        out.push_str(", flaky");
    }
    if run.batched {
        out.push_str(", in batch mode");
    }
    out
}

fn section(out: &mut String, name: &str, text: &[u8]) {
    if text.is_empty() {
        return;
    }
    let _ = writeln!(out, "{name}");
    for line in printable(text, 1 << 20).lines() {
        let _ = writeln!(out, "  {line}");
    }
}
