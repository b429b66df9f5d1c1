//! Failures one by one: wrong results, then errors.

use super::super::data::{Data, Group};
use super::super::failure::{repro_command, short_show_command, show_command};
use super::super::options::Options;
use super::super::scope;
use super::super::tally::Column;
use super::super::terminal::Style;
use crate::clean::{bytes, counted, one_line, shorten, time};
use std::fmt::Write as _;

/// Maximum number of lines of evidence with a wrong result, beside its model.
const MAX_EVIDENCE_LINES: usize = 2;

pub(super) fn push(out: &mut String, data: &Data, options: &Options, style: Style) {
    if !data.findings.is_empty() && !options.all {
        return in_lines(out, data, options, style);
    }
    let (unsound, others): (Vec<&Group>, Vec<&Group>) =
        super::shown(data, options).into_iter().partition(|g| g.kind.is_unsound());
    unsound.iter().for_each(|group| one(out, data, group, options, style));
    for (i, group) in data.groups.iter().filter(|g| g.kind.is_unsound()).skip(unsound.len()).enumerate() {
        out.push_str(if i == 0 { "\n" } else { "" });
        let _ = writeln!(out, "{}", head(data, group, style));
    }
    others.iter().for_each(|group| one(out, data, group, options, style));
    let errors = data.groups.iter().filter(|g| g.kind.is_failure() && !g.kind.is_unsound());
    let hidden: Vec<&Group> = errors.skip(if options.all { usize::MAX } else { options.groups }).collect();
    if !hidden.is_empty() {
        let runs: u64 = hidden.iter().map(|g| g.size.runs).sum();
        let groups = counted(hidden.len() as u64, "more group");
        let _ = writeln!(out, "\n{groups} of errors ({}); --all shows them.", counted(runs, "run"));
    }
    let flaky = data.totals.flaky;
    if flaky > 0 {
        let _ =
            writeln!(out, "\n{} flaky: the answer differed on a re-run or by seed.", counted(flaky, "run"));
    }
}

/// A line for each group of wrong results, and for errors up to the limit, behind the findings.
fn in_lines(out: &mut String, data: &Data, options: &Options, style: Style) {
    let (unsound, errors): (Vec<&Group>, Vec<&Group>) =
        data.groups.iter().filter(|g| g.kind.is_failure()).partition(|g| g.kind.is_unsound());
    let shown: Vec<&&Group> = unsound.iter().chain(errors.iter().take(options.groups)).collect();
    let Some(first) = shown.first() else { return };
    let _ = writeln!(out, "\nFailing runs by solver, verdict and operation:");
    shown.iter().for_each(|group| {
        let _ = writeln!(out, "{}", head(data, group, style));
    });
    let more = errors.len().saturating_sub(options.groups) as u64;
    if more > 0 {
        let _ = writeln!(out, "    … and {} of errors; --all shows them.", counted(more, "more group"));
    }
    let _ = writeln!(out, "    {}", style.dim(&one_line(&short_show_command(data, first, options))));
}

fn one(out: &mut String, data: &Data, group: &Group, options: &Options, style: Style) {
    let _ = writeln!(out, "\n{}", head(data, group, style));
    let run = &data.runs[group.runs[0]];
    let instance = &data.instances[run.instance];
    let mut line = |text: &str| {
        let _ = writeln!(out, "    {}", shorten(text, 96));
    };
    let name = one_line(&instance.name);
    line(&format!("{name} ({}, {}, {})", instance.status, bytes(instance.size), time(run.wall)));
    let detail = data.details.get(&group.runs[0]);
    let evidence = detail.map_or("", |d| d.evidence.as_str());
    in_short(evidence, group.kind.is_unsound()).for_each(|l| line(&one_line(l.trim_end())));
    let (show, repro) = (short_show_command(data, group, options), repro_command(data, group, options));
    let _ = writeln!(out, "    {}", style.dim(&one_line(&format!("{show} · {repro}"))));
    if options.all {
        for &at in &group.runs[1..] {
            let _ = writeln!(out, "    also: {}", one_line(&show_command(data, &data.runs[at])));
        }
    }
}

/// The first lines, and with a wrong result the model.
fn in_short(evidence: &str, unsound: bool) -> impl Iterator<Item = &str> {
    let (most, models) = if unsound { (MAX_EVIDENCE_LINES, 1) } else { (1, 0) };
    let is_model = |l: &&str| l.starts_with("model: ");
    let first = evidence.lines().filter(|l| !l.trim().is_empty()).filter(move |l| !is_model(l)).take(most);
    first.chain(evidence.lines().filter(is_model).take(models))
}

/// ` 3  IC! unsound-core  z3-5.4.0  str.len, 2 runs, only under 2.6 semantics`
fn head(data: &Data, group: &Group, style: Style) -> String {
    let code = format!("{} {}", Column::of(group.kind).head(), group.kind);
    let mut about = vec![one_line(&group.operation), counted(group.size.runs, "run")];
    if group.size.flaky > 0 {
        about.push(format!("{} flaky", group.size.flaky));
    }
    about.push(scope::remark(data, group));
    if group.runs.iter().all(|at| data.known.contains_key(at)) {
        about.push("known".into());
    }
    about.retain(|part| !part.is_empty());
    format!(
        "{:>2}  {}  {}  {}",
        group.number,
        style.of(group.kind.severity(), &code),
        style.bold(&one_line(&data.solvers[group.solver].name)),
        about.join(", ")
    )
}
