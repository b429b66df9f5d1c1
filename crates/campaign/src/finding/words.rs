//! Findings in words: titles as a person would write them.

use super::Finding;
use crate::clean::{listed, one_line, shorten};
use crate::outcome::Kind;
use rustc_hash::FxHashSet;
use smt::{Command, Head, Op, Pool, Script, Term};

/// Maximum number of operators in a title.
const MAX_OPERATORS: usize = 3;
/// Maximum number of characters of a message in a title.
const MAX_MESSAGE: usize = 60;

/// The title of an issue: `Wrong unsat: str.from_code inside ite (5.4.0)`.
pub fn title(f: &Finding) -> String {
    let subject = if is_crash(f.kind) { message(f).or_else(|| subject(f)) } else { subject(f) };
    let subject = subject.map_or_else(String::new, |s| format!(": {s}"));
    let version = version(f).map_or_else(String::new, |v| format!(" ({v})"));
    format!("{}{subject}{version}", failure(f.kind))
}

/// The failure in a few words.
pub fn failure(kind: Kind) -> &'static str {
    match kind {
        Kind::WrongUnsat => "Wrong unsat",
        Kind::WrongSat | Kind::OverApproximation => "Wrong sat",
        Kind::InvalidModel => "Invalid model",
        Kind::UnsoundCore => "Satisfiable unsat core",
        Kind::ForeignCore => "Unsat core with an unknown name",
        Kind::ImpreciseCore => "Unsat core that is not minimal",
        Kind::Crash => "Crash",
        Kind::CrashAfterAnswer => "Crash after the answer",
        Kind::OutOfMemory => "Out of memory",
        Kind::Rejected | Kind::Unsupported => "Well-sorted script rejected",
        Kind::Message => "Error message",
        Kind::Garbage | Kind::Silent => "No answer",
        Kind::Flood => "Endless output",
        Kind::Unknown => "Unknown",
        Kind::WallTime | Kind::CpuTime | Kind::OwnLimit => "Slow",
        Kind::NotStarted | Kind::NotAsked | Kind::NotSent => "Not run",
        Kind::ModelUndetermined | Kind::CoreUndetermined | Kind::Unlabelled | Kind::Disagreement => {
            "Undetermined"
        }
        Kind::ValidModel | Kind::CorrectSat | Kind::MinimalCore | Kind::CorrectUnsat => "Correct answer",
    }
}

/// The process failed, or printed an error in place of an answer.
pub fn is_crash(kind: Kind) -> bool {
    matches!(kind, Kind::Crash | Kind::CrashAfterAnswer | Kind::OutOfMemory | Kind::Message | Kind::Rejected)
}

/// The answer took too long, or never came.
pub fn is_slow(kind: Kind) -> bool {
    matches!(kind, Kind::WallTime | Kind::CpuTime | Kind::OwnLimit)
}

/// The version number of the solver; none if it is not known.
pub fn version(f: &Finding) -> Option<&str> {
    let number = |w: &&str| w.starts_with(|c: char| c.is_ascii_digit()) && w.contains('.');
    f.solver.version.split_whitespace().find(number)
}

/// The name of the solver as its developers write it.
pub fn solver(f: &Finding) -> String {
    match f.solver.profile.as_str() {
        "z3" => "Z3".into(),
        "z3str3" => "Z3 (Z3str3)".into(),
        "cvc4" => "CVC4".into(),
        "" => one_line(&f.solver.name),
        other => one_line(other),
    }
}

/// The solver with its version: `Z3 5.4.0`.
pub fn solver_and_version(f: &Finding) -> String {
    match version(f) {
        Some(version) => format!("{} {version}", solver(f)),
        None => solver(f),
    }
}

/// The first line of the message of a crash.
fn message(f: &Finding) -> Option<String> {
    let line = f.observed.message.as_deref()?.lines().find(|l| !l.trim().is_empty())?;
    Some(shorten(&one_line(line.trim()), MAX_MESSAGE))
}

/// The operators that a formula is about: one inside another, or up to three.
fn subject(f: &Finding) -> Option<String> {
    let mut pool = Pool::new();
    let parsed = smt::parse(f.reduced.script.as_bytes(), None, &mut pool);
    if let Some((inner, outer)) = nested(&pool, &parsed.script) {
        return Some(format!("{inner} inside {outer}"));
    }
    let special = |name: &&String| weight(name) == Weight::Special;
    let some = |name: &&String| weight(name) != Weight::Plain;
    let names = |wanted: &dyn Fn(&&String) -> bool| -> Vec<&String> {
        f.reduced.operators.iter().filter(wanted).take(MAX_OPERATORS).collect()
    };
    let mut found = names(&special);
    if found.is_empty() {
        found = names(&some);
    }
    (!found.is_empty()).then(|| listed(found))
}

/// How much an operator says about a formula.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Weight {
    /// Connectives, equality, arithmetic: in most formulas.
    Plain,
    /// In many formulas.
    Common,
    /// In few.
    Special,
}

fn weight(operator: &str) -> Weight {
    match operator {
        "ite" | "str.++" | "str.len" | "str.in_re" | "str.to_re" | "re.++" | "str.at" => Weight::Common,
        name if name.starts_with("str.") || name.starts_with("re.") || name.starts_with("seq.") => {
            Weight::Special
        }
        _ => Weight::Plain,
    }
}

/// The first special operator that is below another one, and that one.
fn nested(pool: &Pool, script: &Script) -> Option<(&'static str, &'static str)> {
    let asserted = script.commands().filter_map(|c| match c {
        Command::Assert(t) => Some((*t, None)),
        _ => None,
    });
    let mut stack: Vec<(Term, Option<Op>)> = asserted.collect();
    stack.reverse();
    let mut seen = FxHashSet::default();
    while let Some((t, above)) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        let mut below = above;
        if let Head::Op(op) | Head::Indexed(op, _) = pool.head(t)
            && weight(op.name()) != Weight::Plain
        {
            match above {
                Some(outer) if weight(op.name()) == Weight::Special && outer != op => {
                    return Some((op.name(), outer.name()));
                }
                _ => below = Some(op),
            }
        }
        stack.extend(pool.args(t).iter().rev().map(|&a| (a, below)));
    }
    None
}
