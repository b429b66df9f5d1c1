//! Failures: groups of runs that fail in the same way, and commands that reproduce one.

use super::data::{Data, Run};
use crate::clean::shell;
use crate::compose::fill;
use crate::outcome::{Kind, Severity, Verdict};
use crate::profile::Input;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Runs that fail in the same way: same solver, verdict, kind and operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The solver, by its place.
    pub solver: usize,
    /// The verdict.
    pub kind: Kind,
    /// The operation, or the category where there is none.
    pub operation: String,
    /// The runs by their places, the smallest formula first.
    pub runs: Vec<usize>,
    /// How many of them are flaky.
    pub flaky: usize,
}

/// All failures, in groups, worst first.
pub fn groups(data: &Data) -> Vec<Group> {
    let mut map: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (at, run) in data.runs.iter().enumerate().filter(|(_, r)| is_failure(r)) {
        let key = (order(run.kind), run.solver, run.kind, subject(data, run));
        map.entry(key).or_default().push(at);
    }
    let mut list: Vec<Group> = map
        .into_iter()
        .map(|((_, solver, kind, operation), mut runs)| {
            runs.sort_by_key(|&at| smallest_first(data, at));
            let flaky = runs.iter().filter(|&&at| data.runs[at].flaky).count();
            Group { solver, kind, operation: operation.to_owned(), runs, flaky }
        })
        .collect();
    // Stable: within a solver and kind the most frequent first, then by operation.
    list.sort_by_key(|g| (order(g.kind), g.solver, g.kind, Reverse(g.runs.len())));
    list
}

/// The places of all runs that are not ok, worst first, then the smallest.
pub fn failures(data: &Data) -> Vec<usize> {
    let mut list: Vec<usize> = (0..data.runs.len()).filter(|&at| is_failure(&data.runs[at])).collect();
    list.sort_by_cached_key(|&at| {
        let run = &data.runs[at];
        (order(run.kind), smallest_first(data, at))
    });
    list
}

/// It was asked, and is not ok; an answer to a formula whose answer is not known is no failure.
fn is_failure(run: &Run) -> bool {
    !matches!(run.verdict(), Verdict::Ok | Verdict::NotApplicable) && run.kind != Kind::Unlabelled
}

fn smallest_first(data: &Data, at: usize) -> (u64, &str, usize, u64) {
    let run = &data.runs[at];
    let instance = &data.instances[run.instance];
    (instance.size, &instance.name, run.solver, run.seed)
}

/// The subject of a run: the operation, or the category where there is none.
pub fn subject<'a>(data: &'a Data, run: &Run) -> &'a str {
    let instance = &data.instances[run.instance];
    if instance.operation.is_empty() { &instance.category } else { &instance.operation }
}

/// The order of reports: the worst first, wrong answers before wrong evidence.
fn order(kind: Kind) -> (Severity, u8) {
    let place = match kind.verdict() {
        Verdict::WrongUnsat => 0,
        Verdict::WrongSat => 1,
        Verdict::InvalidModel => 2,
        Verdict::InvalidCore => 3,
        _ => 4,
    };
    (kind.severity(), place)
}

/// The command that shows a run again from the store.
pub fn show_command(data: &Data, run: &Run) -> String {
    format!("stringent report {} --show {}{}", shell(&data.store), name(data, run), which(data, run))
}

/// A shell command that runs the solver on the script; none if the script was not sent.
///
/// `command` is the one that was run, if it is known.
pub fn solver_command(data: &Data, run: &Run, command: &str) -> Option<String> {
    if !run.kind.is_sent() {
        return None;
    }
    let extract = format!(
        "stringent report {} --extract {}{} > x.smt2",
        shell(&data.store),
        name(data, run),
        which(data, run)
    );
    Some(format!("{extract} && {}", direct(data, run, command)))
}

fn direct(data: &Data, run: &Run, command: &str) -> String {
    let solver = &data.solvers[run.solver];
    let Some(profile) = &solver.profile else {
        let program = if command.is_empty() { shell(&solver.program) } else { command.to_owned() };
        return format!("{program} < x.smt2");
    };
    if profile.input == Input::Stdin && !command.is_empty() {
        return format!("{command} < x.smt2");
    }
    let mut words = vec![shell(&solver.program)];
    words.extend(
        profile.args.iter().map(|arg| shell(&fill(arg, run.seed, &data.wants).replace("{file}", "x.smt2"))),
    );
    let line = words.join(" ");
    if profile.input == Input::Stdin { format!("{line} < x.smt2") } else { line }
}

fn name(data: &Data, run: &Run) -> String {
    shell(&data.instances[run.instance].name)
}

/// The options that pick a run: only those that are needed.
fn which(data: &Data, run: &Run) -> String {
    let mut out = format!(" --solver {}", shell(&data.solvers[run.solver].name));
    if data.seeds.len() > 1 {
        out.push_str(&format!(" --seed {}", run.seed));
    }
    out
}
