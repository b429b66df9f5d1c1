//! Failures: wrong results and errors, and commands that show and reproduce one.

use super::data::{Data, Group, Run, order, smallest_first};
use super::options::Options;
use crate::clean::shell;
use crate::compose::fill;
use crate::outcome::Verdict;
use crate::profile::Input;

/// The places of all wrong results and errors, worst first, then the smallest.
pub fn failures(data: &Data) -> Vec<usize> {
    worst_first(data, |run| run.kind.is_failure())
}

/// The places of all other runs that were asked and are not ok: imprecise, time limits, unknown, undetermined.
pub fn others(data: &Data) -> Vec<usize> {
    let open = |run: &Run| !matches!(run.verdict(), Verdict::Ok | Verdict::NotApplicable);
    worst_first(data, |run| open(run) && !run.kind.is_failure())
}

fn worst_first(data: &Data, is_wanted: impl Fn(&Run) -> bool) -> Vec<usize> {
    let mut list: Vec<usize> = (0..data.runs.len()).filter(|&at| is_wanted(&data.runs[at])).collect();
    list.sort_by_cached_key(|&at| {
        let run = &data.runs[at];
        (order(run.kind), smallest_first(run, &data.instances))
    });
    list
}

/// The command that explains a group: `stringent show 3`.
pub fn short_show_command(data: &Data, group: &Group, options: &Options) -> String {
    format!("stringent show {}{}", group.number, in_store(data, options))
}

/// The command that runs the smallest formula of a group again: `stringent repro 3`.
pub fn repro_command(data: &Data, group: &Group, options: &Options) -> String {
    format!("stringent repro {}{}", group.number, in_store(data, options))
}

/// ` --store FILE`, unless it is the default.
fn in_store(data: &Data, options: &Options) -> String {
    if options.newest { String::new() } else { format!(" --store {}", shell(&data.store)) }
}

/// The command that shows a run again from the store.
pub fn show_command(data: &Data, run: &Run) -> String {
    format!("stringent report {} --show {}{}", shell(&data.store), name(data, run), which(data, run))
}

/// The command that runs the instance of a run again: `stringent repro NAME --store FILE --solver z3`.
pub fn repro_run_command(data: &Data, run: &Run) -> String {
    format!("stringent repro {} --store {}{}", name(data, run), shell(&data.store), which(data, run))
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
