//! The parts of an issue, which templates put in order.

use super::markdown::{block, clip, code, escape, without_paths};
use super::{Context, expected, origin, policy, versions};
use campaign::clean::{bytes, counted, listed, shorten, time};
use campaign::finding::reason::Reason;
use campaign::finding::{Argument, Finding, Modes, Stability, words};
use campaign::outcome::{Answer, Kind};
use campaign::provenance::VERSION;
use std::time::Duration;

/// Maximum number of bytes of a script within the text.
const MAX_SCRIPT: usize = 16_000;
/// Maximum number of lines of output.
const MAX_LINES: usize = 40;
/// Maximum number of characters of output.
const MAX_OUTPUT: usize = 4_000;
/// Maximum number of characters of a command line.
const MAX_COMMAND: usize = 500;

/// The parts, in Markdown unless stated otherwise.
pub(super) struct Parts {
    pub(super) kind: Kind,
    /// Plain text.
    pub(super) title: String,
    /// A sentence on what happens.
    pub(super) summary: String,
    /// Further sentences: how often, in which modes, with which options.
    pub(super) details: Vec<String>,
    /// The script that the solver reads.
    pub(super) script: String,
    /// The command line, plain text.
    pub(super) command: String,
    /// The right result, and why.
    pub(super) expected: String,
    /// The result, with the output.
    pub(super) actual: String,
    /// The solver with its version, plain text.
    pub(super) solver: String,
    /// How it was installed.
    pub(super) install: Option<String>,
    /// The platform, plain text.
    pub(super) platform: Option<String>,
    /// Versions that fail and versions that do not.
    pub(super) versions: Option<versions::Report>,
    /// How it was found.
    pub(super) footer: String,
}

impl Parts {
    pub(super) fn of(f: &Finding, context: &Context) -> Parts {
        let reason = Reason::of(f);
        let script = context.asked.script.as_deref().unwrap_or(&f.reduced.sent);
        let command = command(context.asked.command.as_deref().unwrap_or(&f.solver.command));
        Parts {
            kind: f.kind,
            title: words::title(f),
            summary: summary(f, &reason),
            details: details(f, &command),
            script: shown_script(script),
            expected: expected::section(f, &reason, &context.asked),
            actual: actual(f, context, &command),
            command,
            solver: version(f),
            install: origin::installed(f),
            platform: context.platform.clone(),
            versions: versions::report(f),
            footer: footer(f),
        }
    }
}

/// The same for the field of a form, which is not left out.
fn version(f: &Finding) -> String {
    match words::version(f) {
        Some(_) => words::solver_and_version(f),
        None => format!("{} (the version is not recorded)", words::solver(f)),
    }
}

/// The command line with the file that it reads.
fn command(line: &str) -> String {
    let command = without_paths(&shorten(line.trim(), MAX_COMMAND));
    match command.as_str() {
        "" => String::new(),
        c if c.contains("{file}") => c.replace("{file}", "bug.smt2"),
        c => format!("{c} < bug.smt2"),
    }
}

fn shown_script(script: &str) -> String {
    if script.len() > MAX_SCRIPT {
        return format!("The script is attached ({}).\n", bytes(script.len() as u64));
    }
    block("smt2", script)
}

/// What happens, in a sentence.
fn summary(f: &Finding, reason: &Reason) -> String {
    let solver = escape(&words::solver_and_version(f));
    let to = nth(f.observed.check);
    let took = time(Duration::from_secs_f64(f.observed.seconds.clamp(0.0, 1e9)));
    match f.kind {
        Kind::WrongUnsat if reason.proved => {
            format!("{solver} answers `unsat`{to} for a satisfiable formula.")
        }
        Kind::WrongSat | Kind::OverApproximation if reason.proved => match &f.reduced.argument {
            Argument::Agreement { solvers, .. } => format!(
                "{solver} answers `sat`{to} for a formula to which {} other solvers answer `unsat`.",
                solvers.len()
            ),
            _ => format!("{solver} answers `sat`{to} for an unsatisfiable formula."),
        },
        Kind::WrongUnsat | Kind::WrongSat | Kind::OverApproximation => {
            format!("{solver} answers `{}`{to}, which seems to be wrong.", f.observed.answer)
        }
        Kind::InvalidModel => {
            format!("{solver} answers `sat`{to} with a model that does not satisfy the formula.")
        }
        Kind::UnsoundCore => {
            let is = if reason.proved { "is" } else { "seems to be" };
            format!("{solver} answers `unsat`{to} with an unsat core that {is} satisfiable.")
        }
        Kind::ForeignCore => {
            format!(
                "{solver} answers `unsat`{to} with an unsat core that names something that was not asserted."
            )
        }
        Kind::ImpreciseCore => {
            format!("{solver} answers `unsat`{to} with an unsat core that is not minimal.")
        }
        Kind::Crash => format!("{solver} crashes without an answer{to}: {}.", ending(&f.observed.ending)),
        Kind::CrashAfterAnswer => {
            let ending = ending(&f.observed.ending);
            format!("{solver} answers `{}`{to}, then crashes: {ending}.", f.observed.answer)
        }
        Kind::OutOfMemory => format!("{solver} runs out of memory{to}."),
        Kind::Rejected | Kind::Unsupported => format!("{solver} rejects a well-sorted script."),
        Kind::Message => format!("{solver} prints an error message in place of an answer{to}."),
        Kind::WallTime | Kind::CpuTime | Kind::OwnLimit => {
            format!("{solver} gives no answer{to} within {took}.")
        }
        Kind::Unknown => format!("{solver} answers `unknown`{to}."),
        Kind::Flood => format!("{solver} prints without end."),
        Kind::Garbage | Kind::Silent => format!("{solver} prints no answer{to}."),
        Kind::NotStarted
        | Kind::NotAsked
        | Kind::NotSent
        | Kind::ModelUndetermined
        | Kind::CoreUndetermined
        | Kind::Unlabelled
        | Kind::Disagreement
        | Kind::ValidModel
        | Kind::CorrectSat
        | Kind::MinimalCore
        | Kind::CorrectUnsat => match f.observed.answer {
            Answer::None => format!("{solver} gives no answer{to}."),
            answer => format!("{solver} answers `{answer}`{to} after {took}."),
        },
    }
}

/// ` to the second check-sat`; nothing for the first, of which there is often only one.
fn nth(check: usize) -> String {
    match check {
        0 | 1 => String::new(),
        2 => " to the second `check-sat`".into(),
        3 => " to the third `check-sat`".into(),
        n => format!(" to `check-sat` number {n}"),
    }
}

/// How a process ended, in words.
pub(super) fn ending(text: &str) -> String {
    match text.split_once(' ') {
        Some(("signal", number)) => match signal(number) {
            "" => format!("signal {}", escape(number)),
            name => format!("signal {} ({name})", escape(number)),
        },
        Some(("exit", code)) => format!("exit code {}", escape(code)),
        _ => escape(text),
    }
}

fn signal(number: &str) -> &'static str {
    match number {
        "4" => "SIGILL",
        "6" => "SIGABRT",
        "7" => "SIGBUS",
        "8" => "SIGFPE",
        "9" => "SIGKILL",
        "11" => "SIGSEGV",
        _ => "",
    }
}

fn details(f: &Finding, command: &str) -> Vec<String> {
    let known = f.known.iter().map(|k| {
        let title = if k.title.is_empty() { String::new() } else { format!(" ({})", escape(&k.title)) };
        format!("It may be the same as {}{title}.", escape(&k.issue))
    });
    let all = [f.stability.and_then(stability), f.modes.and_then(modes), options(f, command)];
    all.into_iter().flatten().chain(known).collect()
}

fn stability(s: Stability) -> Option<String> {
    match (s.runs, s.failed) {
        (0, _) | (1, 1) => None,
        (runs, failed) if runs == failed => Some(format!("It fails with each of {runs} random seeds.")),
        (runs, failed) => Some(format!("It does not always fail: with {failed} of {runs} random seeds.")),
    }
}

fn modes(m: Modes) -> Option<String> {
    let text = match (m.fresh, m.incremental) {
        (true, true) => "It fails in a fresh process, and within `push` and `pop` after another check.",
        (true, false) => "It fails in a fresh process, but not within `push` and `pop` after another check.",
        (false, true) => "It fails only within `push` and `pop` after another check, not in a fresh process.",
        (false, false) => return None,
    };
    Some(text.into())
}

/// The options that it needs, and those that it does not.
fn options(f: &Finding, command: &str) -> Option<String> {
    let needed = f.options.as_ref()?;
    let codes = |list: &[String]| listed(list.iter().map(|o| code(o)));
    let spare: Vec<String> = policy::options_of_command(command)
        .into_iter()
        .filter(|o| !policy::is_plumbing(o) && !needed.contains(o))
        .collect();
    match (&needed[..], &spare[..]) {
        ([], []) => None,
        ([], spare) => Some(format!("It fails without {}, too.", codes(spare))),
        ([one], _) => Some(format!("The failure needs the option {}.", code(one))),
        (all, _) => Some(format!("The failure needs the options {}.", codes(all))),
    }
}

/// The command with its output, as in a terminal.
fn actual(f: &Finding, context: &Context, command: &str) -> String {
    let o = &f.observed;
    let stdout = context.asked.stdout.as_deref().unwrap_or(&o.stdout);
    let stderr = context.asked.stderr.as_deref().unwrap_or(&o.stderr);
    let mut shown = String::new();
    if !command.is_empty() {
        shown.push_str(&format!("$ {command}\n"));
    }
    for text in [stdout, stderr].into_iter().filter(|t| !t.trim().is_empty()) {
        let text = clip(&without_paths(text), MAX_LINES, MAX_OUTPUT);
        shown.push_str(text.trim_end());
        shown.push('\n');
    }
    let mut out = String::new();
    if !shown.is_empty() {
        out.push_str(&block("", &shown));
    }
    if let Some(note) = end_note(f) {
        out.push_str(&format!("{}{note}\n", if out.is_empty() { "" } else { "\n" }));
    }
    out
}

/// The end of the process, where it matters.
fn end_note(f: &Finding) -> Option<String> {
    let o = &f.observed;
    let took = time(Duration::from_secs_f64(o.seconds.clamp(0.0, 1e9)));
    match f.kind {
        Kind::Crash | Kind::CrashAfterAnswer => Some(format!("The process ends with {}.", ending(&o.ending))),
        Kind::OutOfMemory => Some(format!("The process ends at its memory limit after {took}.")),
        Kind::WallTime | Kind::CpuTime | Kind::OwnLimit => Some(format!("There is no answer after {took}.")),
        _ if o.stdout.trim().is_empty() && o.stderr.trim().is_empty() => {
            Some(format!("There is no output; the process ends with {}.", ending(&o.ending)))
        }
        _ => None,
    }
}

/// How it was found; the sizes only if something was reduced.
fn footer(f: &Finding) -> String {
    let r = &f.reduced;
    if r.runs == 0 || r.origin_bytes <= r.bytes {
        return format!("Found with stringent {VERSION}.");
    }
    let sizes = format!("from {} to {}", bytes(r.origin_bytes as u64), bytes(r.bytes as u64));
    let also = match f.members.len() {
        0 | 1 => String::new(),
        n => format!(" {} seem to have the same cause.", counted(n as u64, "failing formula")),
    };
    format!("Found with stringent {VERSION}, and reduced automatically {sizes}.{also}")
}
