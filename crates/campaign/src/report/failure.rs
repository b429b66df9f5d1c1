//! Failures: how bad a verdict is, which runs belong together, and how to see one again.

use super::clean::shell;
use super::data::{Data, Run};
use crate::compose::fill;
use crate::outcome::{Kind, Verdict};
use crate::profile::Input;
use std::collections::BTreeMap;

/// How bad a verdict is, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A wrong answer, a model that fails, a core that has a model.
    Unsound,
    /// A crash, an error message, no answer that can be read.
    Error,
    /// Right but coarse: a core that is too large, a `sat` of a solver that over-approximates.
    Imprecise,
    /// A time limit.
    Slow,
    /// `unknown`.
    Unknown,
    /// Nothing can be said.
    Untold,
    /// Nothing is wrong.
    Fine,
}

impl Severity {
    /// That of a verdict.
    pub fn of(verdict: Verdict, kind: Kind) -> Severity {
        match verdict {
            Verdict::Ok => Severity::Fine,
            v if v.unsound(kind) => Severity::Unsound,
            Verdict::Error => Severity::Error,
            Verdict::Timeout => Severity::Slow,
            Verdict::Unknown => Severity::Unknown,
            Verdict::Untold => Severity::Untold,
            _ => Severity::Imprecise,
        }
    }

    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Unsound => "unsound",
            Severity::Error => "error",
            Severity::Imprecise => "imprecise",
            Severity::Slow => "slow",
            Severity::Unknown => "unknown",
            Severity::Untold => "untold",
            Severity::Fine => "ok",
        }
    }

    /// The place in the order of soundness, by which campaigns are compared: 0 is right, 4 is wrong. No answer is no
    /// answer, whatever the reason.
    pub fn rank(self) -> u8 {
        match self {
            Severity::Fine => 0,
            Severity::Imprecise => 1,
            Severity::Slow | Severity::Unknown | Severity::Untold => 2,
            Severity::Error => 3,
            Severity::Unsound => 4,
        }
    }
}

/// Runs that fail in the same way: same solver, verdict, kind and operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The solver, by its place.
    pub solver: usize,
    /// How bad it is.
    pub severity: Severity,
    /// The verdict.
    pub verdict: Verdict,
    /// Its kind.
    pub kind: Kind,
    /// The operation, or the category where there is none.
    pub operation: String,
    /// The runs by their places, the smallest formula first.
    pub runs: Vec<usize>,
    /// How many of them are flaky.
    pub flaky: usize,
}

/// All that is not ok, in groups, worst first.
pub fn groups(data: &Data) -> Vec<Group> {
    let mut map: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (at, run) in data.runs.iter().enumerate().filter(|(_, r)| r.verdict != Verdict::Ok) {
        let key = (run.severity(), badness(run), run.solver, run.kind, subject(data, run));
        map.entry(key).or_default().push(at);
    }
    let mut list: Vec<Group> = map
        .into_iter()
        .map(|((severity, _, solver, kind, operation), mut runs)| {
            runs.sort_by_key(|&at| smallest_first(data, at));
            let flaky = runs.iter().filter(|&&at| data.runs[at].flaky).count();
            let verdict = data.runs[runs[0]].verdict;
            Group { solver, severity, verdict, kind, operation: operation.to_owned(), runs, flaky }
        })
        .collect();
    // Stable: within a solver and kind the most frequent first, then by operation.
    list.sort_by_key(|g| {
        (g.severity, badness_of(g.verdict), g.solver, g.kind, std::cmp::Reverse(g.runs.len()))
    });
    list
}

/// The places of all runs that are not ok, worst first, then the smallest.
pub fn failures(data: &Data) -> Vec<usize> {
    let mut list: Vec<usize> =
        (0..data.runs.len()).filter(|&at| data.runs[at].verdict != Verdict::Ok).collect();
    list.sort_by_cached_key(|&at| {
        let run = &data.runs[at];
        (run.severity(), badness(run), smallest_first(data, at))
    });
    list
}

fn smallest_first(data: &Data, at: usize) -> (u64, &str, usize, u64) {
    let run = &data.runs[at];
    let instance = &data.instances[run.instance];
    (instance.size, &instance.name, run.solver, run.seed)
}

/// What a run is about: the operation, or the category where there is none.
pub fn subject<'a>(data: &'a Data, run: &Run) -> &'a str {
    let instance = &data.instances[run.instance];
    if instance.operation.is_empty() { &instance.category } else { &instance.operation }
}

fn badness(run: &Run) -> u8 {
    badness_of(run.verdict)
}

/// Wrong answers before wrong evidence.
fn badness_of(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::WrongUnsat => 0,
        Verdict::WrongSat => 1,
        Verdict::InvalidModel => 2,
        Verdict::InvalidCore => 3,
        _ => 4,
    }
}

/// The command that shows a run again from the store.
pub fn show_command(data: &Data, run: &Run) -> String {
    format!("stringent report {} --show {}{}", shell(&data.store), name(data, run), which(data, run))
}

/// A line for a shell that puts the script to the solver itself.
///
/// `command` is the one that was run, if it is known.
pub fn solver_command(data: &Data, run: &Run, command: &str) -> String {
    let extract = format!(
        "stringent report {} --extract {}{} > x.smt2",
        shell(&data.store),
        name(data, run),
        which(data, run)
    );
    format!("{extract} && {}", direct(data, run, command))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severities_follow_soundness() {
        assert_eq!(Severity::of(Verdict::InvalidCore, Kind::ImpreciseCore), Severity::Imprecise);
        assert_eq!(Severity::of(Verdict::InvalidCore, Kind::UnsoundCore), Severity::Unsound);
        assert_eq!(Severity::of(Verdict::WrongSat, Kind::OverApproximation), Severity::Imprecise);
        assert_eq!(Severity::of(Verdict::WrongSat, Kind::WrongSat), Severity::Unsound);
        assert!(Severity::Unsound < Severity::Error && Severity::Error < Severity::Slow);
        assert!(Severity::Unsound.rank() > Severity::Error.rank());
        assert_eq!(Severity::Slow.rank(), Severity::Unknown.rank());
    }
}
