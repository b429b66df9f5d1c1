//! One instance in full: its formula, its known answer, its runs with their evidence, and how to run them again.

pub mod finding;

use super::data::{Data, Run};
use super::failure::{repro_command, solver_command};
use super::layout::formula;
use super::options::Options;
use super::scope;
use crate::case::Case;
use crate::clean::{bytes, counted, one_line, printable, time};
use crate::compose::compose;
use crate::finding::words;
use crate::outcome::{Kind, Status};
use crate::store::{InstanceRow, SECOND_OPINION};
use std::fmt::Write as _;

/// Maximum number of other instances of a group that are named.
const MAX_ALSO: usize = 5;
/// Maximum number of bytes of a text that are shown.
const MAX_TEXT: usize = 1 << 20;

/// The script as it was sent to the solver of `run`, or the reason why there is none.
pub fn script(data: &Data, run: &Run, instance: &InstanceRow) -> Result<Vec<u8>, String> {
    let solver = &data.solvers[run.solver];
    let profile =
        solver.profile.as_ref().ok_or_else(|| format!("the profile of {} cannot be read", solver.name))?;
    let case = Case::read(instance).map_err(|e| e.to_string())?;
    compose(&case, profile, run.seed, &data.wants).map_err(|e| e.to_string())
}

/// The instance and these runs of it, in full.
pub fn render(data: &Data, runs: &[usize], options: &Options) -> String {
    let mut out = String::new();
    let Some(&first) = runs.first() else { return out };
    let instance = &data.instances[data.runs[first].instance];
    let _ = writeln!(out, "instance  {}", one_line(&instance.name));
    let about = [&instance.category, &instance.operation].map(|s| one_line(s));
    let mut about: Vec<String> = about.into_iter().filter(|s| !s.is_empty()).collect();
    about.push(bytes(instance.size));
    let _ = writeln!(out, "about     {}", about.join(", "));
    if let Some(detail) = data.details.get(&first) {
        let case = Case::from_text(&instance.name, &detail.source).ok();
        let wrong = data.wrong_status.contains(&data.runs[first].instance);
        let wrong = if wrong { ", which is wrong: a model satisfies it" } else { "" };
        let _ = writeln!(out, "known     {}{wrong}", known(instance.status, case.as_ref()));
        let formula = case.as_ref().and_then(formula).map(String::into_bytes);
        let formula = printable(formula.as_ref().unwrap_or(&detail.source), MAX_TEXT);
        let _ = writeln!(out, "\n{}", formula.trim_end());
    }
    for &at in runs {
        one_run(&mut out, data, at, options);
    }
    let at = data.runs[first].instance;
    if let Some(run) = data.second.iter().flat_map(|s| &s.runs).find(|r| r.instance == at) {
        let found = format!("{SECOND_OPINION}: {}, model {} ({})", run.answer, run.model, run.kind);
        let _ = writeln!(out, "\nsecond    {found}, {}", figures(run));
    }
    out
}

/// The known answer, and why it is known.
fn known(status: Status, case: Option<&Case>) -> String {
    let proved = case.filter(|c| c.certificate.is_proved());
    let recipe = proved.and_then(|c| c.attribute(":stringent-recipe")).map(|r| one_line(&r));
    match (status, proved) {
        (Status::Unknown, _) => "no answer".into(),
        (_, None) => format!("{status}, as the file states"),
        (_, Some(_)) => match recipe {
            Some(recipe) => format!("{status}, by construction: {recipe}"),
            None => format!("{status}, by construction"),
        },
    }
}

fn one_run(out: &mut String, data: &Data, at: usize, options: &Options) {
    let run = &data.runs[at];
    let group = data.group_of(run);
    out.push('\n');
    if let Some(g) = group {
        let word = if g.kind.is_failure() { "failure" } else { "group" };
        let (of, runs) = (one_line(&data.store), counted(g.size.runs, "run"));
        let _ = writeln!(out, "{word:<9} {} of {of}, {runs}", g.number);
    }
    if let Some(f) = data.finding_of(run) {
        let _ = writeln!(out, "bug       {}: {}", f.number, one_line(&words::title(f)));
    }
    let solver = &data.solvers[run.solver];
    let version =
        if solver.version.is_empty() { String::new() } else { format!(" ({})", one_line(&solver.version)) };
    let _ = writeln!(out, "solver    {}{version}, seed {}", one_line(&solver.name), run.seed);
    let _ = writeln!(out, "verdict   {} {}: {}", run.verdict(), run.kind, meaning(run.kind));
    if let Some(s) = run.scope {
        let _ = writeln!(out, "          {}", scope::phrase(data, run.kind, s));
    }
    let _ = writeln!(out, "answer    {}, model {}, core {}{}", run.answer, run.model, run.core, marks(run));
    let _ = writeln!(out, "ended     {}, {}", one_line(&run.ending), figures(run));
    let Some(detail) = data.details.get(&at) else { return };
    section(out, "evidence", detail.evidence.as_bytes());
    section(out, "output", &detail.output);
    if let Some(g) = group.filter(|g| g.runs[0] == at && run.kind.is_sent()) {
        let _ = writeln!(out, "again     {}", one_line(&repro_command(data, g, options)));
    }
    if let Some(command) = solver_command(data, run, &detail.command) {
        let _ = writeln!(out, "by hand   {}", one_line(&command));
    }
    for (i, &other) in
        group.iter().flat_map(|g| &g.runs).filter(|&&other| other != at).take(MAX_ALSO).enumerate()
    {
        let name = one_line(&data.instances[data.runs[other].instance].name);
        let _ = writeln!(out, "{:<9} {name}", if i == 0 { "also" } else { "" });
    }
}

/// A kind in a sentence.
pub fn meaning(kind: Kind) -> &'static str {
    match kind {
        Kind::ValidModel => "`sat` with a model that satisfies the formula",
        Kind::CorrectSat => "`sat` is correct",
        Kind::MinimalCore => "`unsat` with a minimal core",
        Kind::CorrectUnsat => "`unsat` is correct",
        Kind::InvalidModel => "`sat`, but its model falsifies the formula",
        Kind::UnsoundCore => "`unsat` is correct, but its core has a model",
        Kind::ForeignCore => "`unsat` is correct, but its core names something that was not asserted",
        Kind::ImpreciseCore => "`unsat` is correct, but its core is not minimal",
        Kind::WrongSat => "`sat`, but the formula is unsatisfiable",
        Kind::OverApproximation => "`sat` on an unsatisfiable formula; the solver over-approximates",
        Kind::WrongUnsat => "`unsat`, but the formula is satisfiable",
        Kind::Unknown => "`unknown`",
        Kind::WallTime => "no answer within the limit on wall-clock time",
        Kind::CpuTime => "no answer within the limit on CPU time",
        Kind::OwnLimit => "the solver gave up at its own limit",
        Kind::Crash => "the solver crashed without an answer",
        Kind::CrashAfterAnswer => "the solver crashed after its answer",
        Kind::OutOfMemory => "out of memory",
        Kind::Rejected => "the solver rejected the script",
        Kind::Message => "an error message",
        Kind::Garbage => "the output is not an answer",
        Kind::Silent => "the solver ended without output",
        Kind::Flood => "more output than the limit",
        Kind::NotStarted => "the solver could not be started",
        Kind::NotAsked => "not sent: the dialect of the solver cannot express it",
        Kind::Unsupported => "rejected for an operator that the profile lists as unsupported",
        Kind::NotSent => "not sent: the instance cannot be read",
        Kind::ModelUndetermined => "`sat`, but its model cannot be judged",
        Kind::CoreUndetermined => "`unsat` is correct, but its core cannot be judged",
        Kind::Unlabelled => "the answer of the formula is not known",
        Kind::Disagreement => "solvers disagree, and no proof decides",
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
