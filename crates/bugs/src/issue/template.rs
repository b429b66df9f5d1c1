//! The forms of trackers: the same parts, in the order and under the headings that each one asks for.
//!
//! Z3 has two forms, one for wrong results and crashes and one for performance; cvc5 has one. GitHub renders a form as headings with the
//! answers below them, which is what is written here.

use super::Issue;
use super::form::Template;
use super::markdown::{code, escape};
use super::parts::Parts;
use campaign::finding::words::is_slow;
use campaign::outcome::Kind;

impl Template {
    pub(super) fn fill(self, p: &Parts) -> Issue {
        match self {
            Template::Plain => Issue { title: p.title.clone(), body: plain(p) },
            Template::Z3 if is_slow(p.kind) => {
                Issue { title: format!("[Performance] {}", p.title), body: z3_performance(p) }
            }
            Template::Z3 => Issue { title: format!("[Bug] {}", p.title), body: z3_bug(p) },
            Template::Cvc5 => Issue { title: p.title.clone(), body: cvc5(p) },
        }
    }
}

/// Headings with texts; sections without a text are left out.
fn sections(list: &[(&str, String)]) -> String {
    let some = list.iter().filter(|(_, text)| !text.trim().is_empty());
    let all: Vec<String> = some.map(|(title, text)| format!("### {title}\n\n{}\n", text.trim())).collect();
    all.join("\n")
}

/// Paragraphs; empty ones are left out.
fn paragraphs(list: &[&str]) -> String {
    let some: Vec<&str> = list.iter().map(|t| t.trim()).filter(|t| !t.is_empty()).collect();
    some.join("\n\n")
}

impl Parts {
    fn description(&self) -> String {
        let mut all = vec![self.summary.clone()];
        all.extend(self.details.iter().cloned());
        all.join(" ")
    }

    fn history(&self) -> String {
        self.versions.as_ref().map_or_else(String::new, |v| paragraphs(&[&v.sentences, &v.table]))
    }

    fn options(&self) -> String {
        if self.command.is_empty() { String::new() } else { code(&self.command) }
    }

    fn platform(&self) -> String {
        escape(self.platform.as_deref().unwrap_or_default())
    }

    fn install(&self) -> String {
        self.install.clone().unwrap_or_default()
    }
}

fn plain(p: &Parts) -> String {
    let line = |name: &str, text: String| if text.is_empty() { text } else { format!("- {name}: {text}\n") };
    let facts = [
        line("Solver", escape(&p.solver)),
        line("Installed as", p.install()),
        line("Platform", p.platform()),
    ];
    let versions = paragraphs(&[&facts.concat(), &p.history()]);
    let body =
        sections(&[("Expected", p.expected.clone()), ("Actual", p.actual.clone()), ("Versions", versions)]);
    paragraphs(&[&p.description(), &p.script, &body, &p.footer]) + "\n"
}

fn z3_bug(p: &Parts) -> String {
    sections(&[
        ("Bug Category", category(p.kind).into()),
        ("Bug Description", p.description()),
        ("Minimal Reproduction", p.script.clone()),
        ("Expected Behavior", p.expected.clone()),
        ("Actual Behavior", p.actual.clone()),
        ("Z3 Version", escape(&p.solver)),
        ("Platform", p.platform()),
        ("Interface Used", "Command line (z3 executable)".into()),
        ("Installation Method", p.install()),
        ("Additional Context", paragraphs(&[&p.history(), &p.footer])),
        ("Regression Check", regression(p)),
    ])
}

fn category(kind: Kind) -> &'static str {
    match kind {
        Kind::Crash | Kind::CrashAfterAnswer => "Crash/Assertion failure",
        Kind::OutOfMemory => "Memory issue/leak",
        kind if kind.is_unsound() || kind == Kind::Unknown => "Incorrect result (SAT/UNSAT/Unknown)",
        _ => "Other",
    }
}

/// The boxes of the form; nothing if versions were not run.
fn regression(p: &Parts) -> String {
    let Some(v) = &p.versions else { return String::new() };
    let mark = |is: bool| if is { "x" } else { " " };
    let version = v.last_good.as_ref().map_or_else(String::new, |v| format!(": {v}"));
    format!(
        "- [{}] This worked in a previous version of Z3\n- [{}] I can provide the last working version{version}",
        mark(v.worked),
        mark(v.last_good.is_some())
    )
}

fn z3_performance(p: &Parts) -> String {
    let slower = match &p.versions {
        None => "I don't know",
        Some(v) if v.worked => "Yes, this is slower than a previous version",
        Some(_) => "I don't know",
    };
    let last = p.versions.as_ref().and_then(|v| v.last_good.clone()).unwrap_or_default();
    let system = match p.platform() {
        platform if platform.is_empty() => platform,
        platform => format!("System: {platform}"),
    };
    sections(&[
        ("Performance Issue Type", "Timeout/infinite loop".into()),
        ("Issue Description", paragraphs(&[&p.description(), &format!("Expected: {}", p.expected)])),
        ("Input Formula", p.script.clone()),
        ("Performance Measurements", paragraphs(&[&p.actual, &system])),
        ("Z3 Version", escape(&p.solver)),
        ("Is this a regression?", slower.into()),
        ("Last Working Version (if regression)", last),
        ("Primary Theory", "Strings".into()),
        ("Solver Configuration", p.options()),
        ("Additional Context", paragraphs(&[&p.history(), &p.install(), &p.footer])),
    ])
}

fn cvc5(p: &Parts) -> String {
    let line = |name: &str, text: String| {
        if text.is_empty() { text } else { format!("**{name}**: {text}  \n") }
    };
    let facts = [
        line("Command line arguments", p.options()),
        line("cvc5 version/commit", escape(&p.solver)),
        line("Operating system", p.platform()),
    ];
    let titled = |name: &str, text: &str| match text.trim() {
        "" => String::new(),
        text => format!("**{name}**\n\n{text}"),
    };
    let description = paragraphs(&[&p.description(), &p.script]);
    let configure = match p.install() {
        text if text.is_empty() => text,
        text => format!("Not built from source. {text}."),
    };
    paragraphs(&[
        &titled("Describe the bug", &description),
        &titled("Expected", &p.expected),
        &titled("Actual", &p.actual),
        &facts.concat(),
        &titled("`configure.sh` options", &configure),
        &titled("Other versions", &p.history()),
        &p.footer,
    ]) + "\n"
}
