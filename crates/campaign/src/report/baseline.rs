//! Known failures: a file that lists them, and what a campaign shows of them.
//!
//! A known failure does not fail the run. It is counted and shown as known, never left out; an entry whose failure is gone is
//! reported, so that the file shrinks.
//!
//! ```toml
//! [[known]]
//! solver = "z3-*"                              # a name in the tables; * stands for anything
//! instance = "full/core/str.replace/E12-0003"  # or mark, or operation
//! kind = "unsound-core"                        # or a verdict: "IC"
//! reason = "fixed in the next release"         # optional, as is link
//! ```

mod text;

use super::data::{Data, Instance, Run};
use crate::outcome::{Kind, Severity, Verdict};
use crate::toml_file::{self, FileError};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use toml::Spanned;

pub use text::baseline_text;

/// A list of known failures.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    file: String,
    entries: Vec<Entry>,
}

/// A known failure. Patterns may have `*`.
#[derive(Clone, Debug)]
struct Entry {
    solver: String,
    instance: Option<String>,
    mark: Option<u64>,
    operation: Option<String>,
    kind: Expected,
    /// Why it is not fixed.
    reason: Option<String>,
    /// Where it is discussed.
    link: Option<String>,
}

/// A verdict, or exactly one kind of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Kind(Kind),
    Verdict(Verdict),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    known: Vec<Written>,
}

/// An entry as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    solver: Spanned<String>,
    instance: Option<String>,
    mark: Option<Spanned<String>>,
    operation: Option<String>,
    kind: Spanned<String>,
    reason: Option<String>,
    link: Option<String>,
}

impl Baseline {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Baseline, FileError> {
        Baseline::parse(&path.display().to_string(), &toml_file::text(path)?)
    }

    /// Reads the text of the file `name`.
    pub fn parse(name: &str, text: &str) -> Result<Baseline, FileError> {
        let File { known } = toml_file::parse(name, text)?;
        let entries = known.into_iter().map(|w| w.entry(name, text)).collect::<Result<_, _>>()?;
        Ok(Baseline { file: name.to_owned(), entries })
    }

    /// Marks the known failures of a campaign, and adds what there is to say about the list.
    pub fn apply(&self, data: &mut Data) {
        let entry = |run: &Run| {
            let known = |e: &Entry| e.is_about(data, run) && e.expects(run.kind);
            self.entries.iter().position(known)
        };
        let runs = data.runs.iter().enumerate().filter(|(_, run)| is_failure(run));
        let runs: BTreeMap<usize, usize> = runs.filter_map(|(at, run)| Some((at, entry(run)?))).collect();
        let states: Vec<State> = (0..self.entries.len()).map(|n| self.state(n, data, &runs)).collect();
        data.remarks = self.summary(data, &runs, &states);
        data.known = runs.iter().map(|(&at, &entry)| (at, self.entries[entry].note())).collect();
    }

    fn state(&self, n: usize, data: &Data, runs: &BTreeMap<usize, usize>) -> State {
        if runs.values().any(|&entry| entry == n) {
            return State::Seen;
        }
        let mut about = data.runs.iter().filter(|run| self.entries[n].is_about(data, run)).peekable();
        if about.peek().is_none() {
            return State::NotRun;
        }
        let fine = |run: &Run| matches!(run.severity(), Severity::Fine | Severity::Imprecise);
        if about.all(fine) { State::Fixed } else { State::Changed }
    }
}

impl Written {
    fn entry(self, name: &str, text: &str) -> Result<Entry, FileError> {
        let bad = |span, message: String| Err(toml_file::mistake(name, text, span, message, None));
        let code = self.kind.get_ref();
        let kind = Kind::from_code(code).map(Expected::Kind);
        let Some(kind) = kind.or_else(|| Verdict::from_code(code).map(Expected::Verdict)) else {
            let known: Vec<&str> = Kind::ALL.iter().filter(|k| is_severe(**k)).map(|k| k.code()).collect();
            let message = format!("there is no kind `{code}`, only: {}", known.join(", "));
            return bad(self.kind.span(), message);
        };
        let mark = match &self.mark {
            None => None,
            Some(mark) => match u64::from_str_radix(mark.get_ref(), 16) {
                Ok(value) => Some(value),
                Err(_) => return bad(mark.span(), "a mark is a hexadecimal number".into()),
            },
        };
        if self.instance.is_none() && mark.is_none() && self.operation.is_none() {
            return bad(self.solver.span(), "an entry needs an instance, a mark or an operation".into());
        }
        Ok(Entry {
            solver: self.solver.into_inner(),
            instance: self.instance,
            mark,
            operation: self.operation,
            kind,
            reason: self.reason,
            link: self.link,
        })
    }
}

impl Entry {
    /// The run is of the solver and the instance that the entry names.
    fn is_about(&self, data: &Data, run: &Run) -> bool {
        let Instance { name, mark, operation, .. } = &data.instances[run.instance];
        fits(&self.solver, &data.solvers[run.solver].name)
            && self.mark.is_none_or(|m| m == *mark)
            && self.instance.as_deref().is_none_or(|p| fits(p, name))
            && self.operation.as_deref().is_none_or(|p| fits(p, operation))
    }

    fn expects(&self, kind: Kind) -> bool {
        match self.kind {
            Expected::Kind(expected) => kind == expected,
            Expected::Verdict(expected) => kind.verdict() == expected,
        }
    }

    /// Reason and link, or nothing.
    fn note(&self) -> String {
        self.reason.iter().chain(&self.link).cloned().collect::<Vec<_>>().join(" ")
    }

    /// The entry in one line.
    fn line(&self) -> String {
        let kind = match self.kind {
            Expected::Kind(kind) => kind.code(),
            Expected::Verdict(verdict) => verdict.code(),
        };
        let subject = self.instance.as_ref().or(self.operation.as_ref()).cloned();
        let subject = subject.or_else(|| self.mark.map(|m| format!("{m:016x}"))).unwrap_or_default();
        format!("{} {subject} ({kind})", self.solver)
    }
}

/// The run counts for the exit code.
fn is_failure(run: &Run) -> bool {
    is_severe(run.kind)
}

fn is_severe(kind: Kind) -> bool {
    matches!(kind.severity(), Severity::Unsound | Severity::Error | Severity::Undetermined)
}

/// `text` fits a pattern in which `*` stands for anything.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or("");
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// An entry of a baseline in a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The failure is there.
    Seen,
    /// The solver gives a correct answer.
    Fixed,
    /// Neither: another verdict.
    Changed,
    /// The solver or the instance is not part of the campaign.
    NotRun,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, text, expected) in [
            ("z3", "z3", true),
            ("z3", "z3-5.4.0", false),
            ("z3-*", "z3-5.4.0", true),
            ("*", "", true),
            ("full/*/str.at/*", "full/core/str.at/0001", true),
            ("full/*/str.at/*", "full/core/str.len/0001", false),
            ("a*a", "a", false),
            ("a**b", "acb", true),
            ("*é", "é", true),
        ] {
            assert_eq!(fits(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn mistakes_have_a_place() {
        let wrong = |text: &str| Baseline::parse("known.toml", text).expect_err("refused").to_string();
        let entry = "[[known]]\nsolver = \"x\"\ninstance = \"a\"\n";
        let message = wrong(&format!("{entry}kind = \"wrong\"\n"));
        assert!(
            message.starts_with("known.toml:4:8: there is no kind `wrong`, only: invalid-model, "),
            "{message}"
        );
        let message = wrong(&format!("{entry}kind = \"U\"\nmark = \"xyz\"\n"));
        assert!(message.starts_with("known.toml:5:8: a mark is a hexadecimal number"), "{message}");
        let message = wrong(&format!("{entry}kind = \"U\"\nreasons = \"xyz\"\n"));
        assert!(message.starts_with("known.toml:5:1: unknown key `reasons`"), "{message}");
        assert!(message.contains("did you mean `reason`?"), "{message}");
        assert!(Baseline::parse("known.toml", &format!("{entry}kind = \"U\"\n")).is_ok());
        assert!(Baseline::parse("known.toml", "").is_ok());
    }
}
