//! The finding of a reduction.

use super::Reduction;
use crate::doc::Doc;
use crate::fingerprint::{fingerprint, id, operators};
use crate::truth::Label;
use campaign::case::Case;
use campaign::clean::shell;
use campaign::compose::{compose, fill};
use campaign::finding::{Finding, Reduced, Subject};
use campaign::outcome::Kind;
use campaign::profile::{Input, Solver};
use campaign::provenance::now;
use campaign::settings::Wants;
use std::path::Path;

/// The finding of a reduction, of one file: the caller adds members, stability, versions. `spec` is the specification of the solver.
pub fn finding_of(reduction: &Reduction, solver: &Solver, spec: &str) -> Finding {
    let observed = reduction.observed.clone();
    let fingerprint =
        fingerprint(&reduction.doc, &solver.profile.name, observed.kind, observed.message.as_deref());
    Finding {
        number: 0,
        id: id(&fingerprint),
        solver: subject(solver, spec, reduction.seed),
        kind: observed.kind,
        reduced: reduced(reduction, solver),
        observed,
        fingerprint,
        members: Vec::new(),
        stability: None,
        modes: None,
        versions: None,
        options: None,
        known: Vec::new(),
        related: Vec::new(),
        seen: Some(now()),
    }
}

fn subject(solver: &Solver, spec: &str, seed: u64) -> Subject {
    Subject {
        spec: spec.to_owned(),
        name: solver.name.clone(),
        profile: solver.profile.name.clone(),
        version: solver.version.clone(),
        command: command(solver, seed),
    }
}

/// The command line without local paths: files are named without their folders.
fn command(solver: &Solver, seed: u64) -> String {
    let wants = Wants::default();
    let program = solver.program.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let mut words = vec![program];
    for arg in &solver.profile.args {
        words.push(without_folders(&fill(arg, seed, &wants).replace("{file}", "bug.smt2")));
    }
    if solver.profile.input == Input::File && !solver.profile.args.iter().any(|a| a.contains("{file}")) {
        words.push("bug.smt2".into());
    }
    words.iter().map(|w| shell(w)).collect::<Vec<_>>().join(" ")
}

fn without_folders(word: &str) -> String {
    let (option, value) = match word.split_once('=') {
        Some((option, value)) => (format!("{option}="), value),
        None => (String::new(), word),
    };
    let path = Path::new(value);
    match path.file_name() {
        Some(name) if path.is_absolute() => format!("{option}{}", name.to_string_lossy()),
        _ => word.to_owned(),
    }
}

fn reduced(reduction: &Reduction, solver: &Solver) -> Reduced {
    let Reduction { doc, label, observed, start, .. } = reduction;
    Reduced {
        script: super::script(doc, label),
        sent: reduction
            .sent
            .clone()
            .unwrap_or_else(|| sent(doc, label, solver, reduction.seed, observed.kind)),
        bytes: bytes(doc),
        assertions: doc.assertions(),
        operators: operators(doc).into_iter().map(|op| op.name().to_owned()).collect(),
        origin: start.name.clone(),
        origin_bytes: bytes(&start.doc),
        runs: reduction.runs,
        seconds: reduction.work.as_secs_f64(),
        complete: reduction.complete,
        argument: label.check(observed.check.saturating_sub(1)).argument,
    }
}

/// Bytes of the formula: without `set-info` and options.
pub(super) fn bytes(doc: &Doc) -> usize {
    doc.text().len() - doc.size().settings
}

/// The text that a solver gets; the script, if its dialect cannot express it.
fn sent(doc: &Doc, label: &Label, solver: &Solver, seed: u64, kind: Kind) -> String {
    let core = matches!(kind, Kind::UnsoundCore | Kind::ForeignCore | Kind::ImpreciseCore);
    let model = kind == Kind::InvalidModel;
    let wants = Wants { core, named: core, model, ..Wants::default() };
    let text = Case::from_text("", super::script(doc, label).as_bytes())
        .ok()
        .and_then(|case| compose(&case, &solver.profile, seed, &wants).ok());
    text.and_then(|t| String::from_utf8(t).ok()).unwrap_or_else(|| doc.to_text())
}

#[cfg(test)]
mod tests {
    use super::*;
    use campaign::profile::Profile;

    #[test]
    fn commands_have_no_local_paths() {
        let args = ["-in", "smt.random_seed={seed}", "/home/me/x.cfg", "--conf=/home/me/y.cfg", "{file}"];
        let profile = Profile { args: args.map(str::to_owned).to_vec(), ..Profile::default() };
        let solver =
            Solver { name: "z3".into(), profile, program: "/opt/z3/bin/z3".into(), version: String::new() };
        assert_eq!(command(&solver, 7), "z3 -in smt.random_seed=7 x.cfg --conf=y.cfg bug.smt2");
    }
}
