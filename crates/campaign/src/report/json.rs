//! The report as one JSON document: a summary, a record for each failure, and after a triage one for each finding.

use super::compare::Comparison;
use super::conclusion::line;
use super::data::{Conclusion, Data, Group, Run};
use super::failure::{failures, others, show_command, solver_command};
use super::findings::{Share, is_triaged};
use super::format::{Format, View};
use super::options::Options;
use super::scope::remark;
use super::takes::Takes;
use super::tally::{Column, Counts, Table, by_operation, timing};
use super::unlabelled;
use crate::finding::reason::Reason;
use crate::finding::{Finding, words};
use crate::judge::Scope;
use crate::store::UnreadableRow;
use serde_json::{Map, Value, json};
use std::io;

/// The report as one JSON document.
pub struct Json;

impl Format for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn about(&self) -> &'static str {
        "Write a summary and all runs that are not ok as one JSON document to this file (`-`: stdout)"
    }

    fn details(&self, data: &Data, _: &Options) -> Vec<usize> {
        let mut all = failures(data);
        all.extend(others(data));
        all
    }

    fn write(&self, view: &View<'_>, out: &mut dyn io::Write) -> io::Result<()> {
        let document = view.comparison.map_or_else(|| render(view.data), Comparison::json);
        writeln!(out, "{document:#}")
    }
}

/// The summary and a record for each failure.
pub fn render(data: &Data) -> Value {
    let table = Table::new(data);
    let rows: Vec<Value> = table
        .rows
        .iter()
        .map(|r| json!({"label": r.label, "kind": r.kind, "solvers": by_solver(data, &r.counts, counts)}))
        .collect();
    let mut document = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "store": data.store,
        "conclusion": conclusion(data.conclusion()),
        "summary": line(data, &table),
        "campaign": campaign(data),
        "solvers": data.solvers.iter().map(|s| json!({
            "name": s.name, "program": s.program, "version": s.version,
        })).collect::<Vec<_>>(),
        "unlabelled": unlabelled::document(data),
        "wrong_status": data.wrong_status.iter().map(|&at| data.instances[at].name.as_str()).collect::<Vec<_>>(),
        "unreadable": data.unreadable.iter().map(unreadable).collect::<Vec<_>>(),
        "table": rows,
        "operations": by_operation(data).iter().map(|r| json!({
            "category": r.category, "operation": r.operation, "solvers": by_solver(data, &r.counts, counts),
        })).collect::<Vec<_>>(),
        "takes": by_solver(data, &data.takes, takes),
        "times": times(data),
        "groups": group_values(data),
        "failures": failures(data).into_iter().map(|at| failure(data, at)).collect::<Vec<_>>(),
        "others": others(data).into_iter().map(|at| failure(data, at)).collect::<Vec<_>>(),
    });
    if is_triaged(data) {
        document["triage"] = triage(data);
        document["findings"] = data.findings.iter().map(finding).collect();
    }
    if !data.remarks.is_empty() {
        document["baseline"] = json!({"known_failures": data.known.len(), "remarks": data.remarks});
    }
    document
}

/// The verdict on all findings, and the failures that are in none.
fn triage(data: &Data) -> Value {
    let share = Share::of(data);
    let refused = share.refused.iter().map(|(why, n)| json!({"reason": why, "failures": n}));
    json!({
        "summary": share.verdict(data), "bugs": share.bugs, "failures": share.failures,
        "refused": refused.collect::<Vec<_>>(), "not_examined": share.left,
    })
}

/// A finding as in `bug.json`, with its title and the reason why it is a failure.
pub fn finding(f: &Finding) -> Value {
    let mut value = json!(f);
    let reason = Reason::of(f);
    let values = reason.values.iter().map(|(name, value)| json!({"name": name, "value": value}));
    value["title"] = words::title(f).into();
    value["reason"] = json!({
        "sentence": reason.sentence, "values": values.collect::<Vec<_>>(), "trace": reason.trace_text(),
        "notes": reason.notes,
    });
    value
}

/// A file that could not be read.
pub(super) fn unreadable(u: &UnreadableRow) -> Value {
    json!({"file": u.file, "line": u.line, "column": u.column, "message": u.message})
}

/// A conclusion in one word.
pub fn conclusion(c: Conclusion) -> &'static str {
    match c {
        Conclusion::Clean => "clean",
        Conclusion::Wrong => "wrong",
        Conclusion::Unreadable => "unreadable",
        Conclusion::Undetermined => "undetermined",
    }
}

/// The campaign.
pub(super) fn campaign(data: &Data) -> Value {
    let c = &data.campaign;
    json!({
        "command": c.command, "created": c.created, "finished": c.finished, "version": c.version, "host": c.host,
        "seed": c.seed,
        "settings": c.settings,
        "instances": data.formulas, "runs": data.totals.runs, "expected": data.expected(),
        "solver_seeds": data.seeds,
    })
}

fn by_solver<T>(data: &Data, list: &[T], value: impl Fn(&T) -> Value) -> Value {
    data.solvers.iter().zip(list).map(|(s, t)| (s.name.clone(), value(t))).collect::<Map<_, _>>().into()
}

fn counts(c: &Counts) -> Value {
    let mut map = Map::new();
    map.insert("tests".into(), c.tests().into());
    for column in Column::ALL {
        map.insert(column.key().into(), c.get(column).into());
    }
    map.into()
}

fn takes(t: &Takes) -> Value {
    let reasons = t.reasons.iter().map(|(reason, n)| json!({"reason": reason, "instances": n}));
    json!({"instances": t.of, "taken": t.taken, "not_taken": reasons.collect::<Vec<_>>()})
}

fn times(data: &Data) -> Value {
    by_solver(data, &timing(data), |t| {
        json!({
            "runs": t.runs, "ok": t.solved, "median_s": t.median.as_secs_f64(), "p95_s": t.p95.as_secs_f64(),
            "slowest_s": t.slowest.as_secs_f64(), "wall_s": t.wall.as_secs_f64(), "cpu_s": t.cpu.as_secs_f64(),
            "par2_s": t.par2.map(|d| d.as_secs_f64()), "peak_memory_kib": t.memory_kib,
        })
    })
}

fn group_values(data: &Data) -> Vec<Value> {
    let value = |g: &Group| {
        json!({
            "number": g.number, "failure": g.kind.is_failure(), "remark": remark(data, g), "solver": data.solvers[g.solver].name, "severity": g.kind.severity().code(), "verdict": g.kind.verdict().code(),
            "kind": g.kind.code(), "operation": g.operation, "runs": g.size.runs, "flaky": g.size.flaky,
            "smallest": data.instances[data.runs[g.runs[0]].instance].name,
        })
    };
    data.groups.iter().map(value).collect()
}

/// One instance and these runs of it, with their texts.
pub fn show(data: &Data, runs: &[usize]) -> Value {
    json!({
        "version": env!("CARGO_PKG_VERSION"), "store": data.store,
        "runs": runs.iter().map(|&at| failure(data, at)).collect::<Vec<_>>(),
    })
}

/// The plain fields of a run.
pub(super) fn fields(data: &Data, run: &Run) -> Map<String, Value> {
    let instance = &data.instances[run.instance];
    let value = json!({
        "instance": instance.name, "category": instance.category, "operation": instance.operation,
        "status": instance.status.code(), "size": instance.size,
        "solver": data.solvers[run.solver].name, "seed": run.seed,
        "verdict": run.verdict().code(), "kind": run.kind.code(), "severity": run.severity().code(),
        "answer": run.answer.code(), "model": run.model.code(), "core": run.core.code(), "ending": run.ending,
        "wall_s": run.wall.as_secs_f64(), "cpu_s": run.cpu.as_secs_f64(), "memory_kib": run.memory_kib,
        "batched": run.batched, "flaky": run.flaky, "semantics": run.scope.map(Scope::code),
    });
    let Value::Object(mut map) = value else { unreachable!("the value is an object") };
    if is_triaged(data) {
        map.insert("finding".into(), run.finding.into());
    }
    map
}

fn failure(data: &Data, at: usize) -> Value {
    let run = &data.runs[at];
    let mut map = fields(data, run);
    map.insert("group".into(), run.group.into());
    let detail = data.details.get(&at);
    if let Some(d) = detail {
        map.insert("evidence".into(), d.evidence.as_str().into());
        map.insert("output".into(), String::from_utf8_lossy(&d.output).into());
        map.insert("output_is_utf8".into(), std::str::from_utf8(&d.output).is_ok().into());
        map.insert("source".into(), String::from_utf8_lossy(&d.source).into());
        map.insert("command".into(), d.command.as_str().into());
    }
    if let Some(note) = data.known.get(&at) {
        map.insert("known_failure".into(), note.as_str().into());
    }
    if let Some(why) = &run.refused {
        map.insert("refused".into(), why.as_str().into());
    }
    map.insert("show".into(), show_command(data, run).into());
    map.insert("run".into(), solver_command(data, run, detail.map_or("", |d| &d.command)).into());
    map.into()
}
