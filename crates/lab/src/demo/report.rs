//! The result of the demonstration, as text and JSON.

use super::planted::{BUGS, NAME};
use super::wrong::Wrong;
use super::{FORMULAS, Tally};
use crate::Report;
use campaign::clean;
use campaign::outcome::{Kind, Severity, Verdict};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

/// The result of the demonstration.
pub struct Demo {
    pub(super) planted: bool,
    pub(super) reason: Option<String>,
    pub(super) stopped: bool,
    pub(super) tallies: Vec<Tally>,
    pub(super) wrong: Option<Wrong>,
    pub(super) file: Option<PathBuf>,
    pub(super) store: PathBuf,
    pub(super) spent: Duration,
}

impl Demo {
    /// It shows a wrong answer.
    pub fn is_shown(&self) -> bool {
        self.wrong.is_some()
    }

    /// The time of the runs.
    pub fn spent(&self) -> Duration {
        self.spent
    }

    fn heading(&self) -> String {
        let mut out = String::new();
        if let Some(reason) = &self.reason {
            let _ = writeln!(out, "No other solver could be fetched:\n{}.\n", clean::one_line(reason));
        }
        if self.planted {
            let _ = writeln!(out, "`{NAME}` is the built-in solver with three planted bugs: it reads");
            let bugs: Vec<String> = BUGS.iter().map(|(right, wrong)| format!("{right} as {wrong}")).collect();
            let _ = writeln!(out, "{}.\n", bugs.join(", "));
        }
        let _ = writeln!(out, "{FORMULAS} formulas with known answers, two solvers:\n");
        out
    }

    fn table(&self) -> String {
        let wide = self.tallies.iter().map(|t| t.name.len()).max().unwrap_or(0);
        let row = |t: &Tally| format!("  {:<wide$}  {}\n", t.name, t.text(wide + 4));
        self.tallies.iter().map(row).collect()
    }

    /// Why no wrong answer is shown.
    fn nothing(&self) -> String {
        match self.tallies.iter().map(Tally::wrong).sum() {
            0 => "No wrong answer was found.\n".into(),
            n => format!(
                "None of the {} is beyond dispute: `unsat`, a model under every\n\
                 reading of the standard, the other solver with a model, and all of it repeated.\n",
                clean::counted(n as u64, WRONG)
            ),
        }
    }

    fn files(&self) -> String {
        let store = clean::shell(&self.store.display().to_string());
        let mut out = String::new();
        if let Some(file) = &self.file {
            let _ = writeln!(out, "The formula:  {}", file.display());
        }
        let _ = writeln!(out, "All results:  stringent report {store}");
        out
    }
}

impl Tally {
    fn count(&self, is: impl Fn(Kind) -> bool) -> usize {
        self.kinds.iter().filter(|kind| is(**kind)).count()
    }

    /// The counts, with the words for them.
    fn counts(&self) -> [(&'static str, usize); 7] {
        let verdict = |v: Verdict| self.count(|kind| kind.verdict() == v);
        let severity = |s: Severity| self.count(|kind| kind.severity() == s);
        let wrong = verdict(Verdict::WrongSat) + verdict(Verdict::WrongUnsat);
        let [correct, error] = [Severity::Fine, Severity::Error].map(severity);
        [
            ("correct", correct),
            (WRONG, wrong),
            ("wrong model", verdict(Verdict::InvalidModel)),
            ("error", error),
            ("unknown or time limit", verdict(Verdict::Unknown) + verdict(Verdict::Timeout)),
            ("undetermined", verdict(Verdict::Undetermined)),
            ("not asked", verdict(Verdict::NotApplicable)),
        ]
    }

    /// Wrong answers.
    fn wrong(&self) -> usize {
        self.counts().into_iter().find(|(what, _)| *what == WRONG).map_or(0, |(_, n)| n)
    }

    /// The counts on lines of at most [`WIDTH`] columns, with `indent` before all but the first.
    fn text(&self, indent: usize) -> String {
        let (mut out, mut column) = (String::new(), indent);
        for (what, n) in self.counts().into_iter().filter(|(what, n)| *what == "correct" || *n > 0) {
            let is_plural = n != 1 && (what.starts_with("wrong") || what == "error");
            let text = format!("{n:>3} {what}{}", if is_plural { "s" } else { "" });
            if column + 2 + text.len() > WIDTH {
                out.push_str(&format!("\n{}", " ".repeat(indent)));
                column = indent;
            } else if column > indent {
                out.push_str("  ");
            }
            column += 2 + text.len();
            out.push_str(&if what.starts_with("wrong") { paint(RED, &text) } else { text });
        }
        out
    }

    fn json(&self) -> Value {
        let mut value = json!({ "name": self.name });
        for (what, n) in self.counts() {
            value[what.replace(' ', "-")] = n.into();
        }
        value
    }
}

impl Wrong {
    fn text(&self) -> String {
        let indented = |text: &str| text.lines().map(|l| format!("    {l}\n")).collect::<String>();
        let values =
            if self.model.is_empty() { "(there is nothing to choose)".into() } else { self.model.join(", ") };
        let Wrong { old, new, script, evaluation, .. } = self;
        let (unsat, sat, model) = (paint(RED, "unsat"), paint(GREEN, "sat"), paint(GREEN, &values));
        format!(
            "{}\n\n{}\n{old} answers {unsat}: no value satisfies it. But this one does:\n\n    {model}\n\n\
             {}\n  1. by evaluation, under every reading of the standard:\n{}  \
             2. by {new}, in a new process: {sat}, with a model that holds.\n\n\
             {old} repeats it in a new process; {new} does not have this bug.\n",
            paint(BOLD, "A wrong answer:"),
            indented(script),
            paint(BOLD, "Confirmed twice:"),
            indented(evaluation),
        )
    }

    fn json(&self) -> Value {
        json!({
            "instance": self.instance,
            "script": self.script,
            "solver": self.old,
            "answer": "unsat",
            "model": self.model,
            "evaluation": self.evaluation.lines().collect::<Vec<_>>(),
            "confirmed-by": ["evaluation", self.new],
            "fixed-in": self.new,
        })
    }
}

/// The last line: what to do next.
const YOURS: &str = "stringent test --solver mine='./mysolver {file}'";

/// Columns of a terminal.
const WIDTH: usize = 80;
/// The word for wrong answers.
const WRONG: &str = "wrong answer";

/// Styles of a terminal; they are removed where the output is none.
const BOLD: u8 = 1;
const RED: u8 = 31;
const GREEN: u8 = 32;

fn paint(style: u8, text: &str) -> String {
    format!("\x1b[{style}m{text}\x1b[0m")
}

impl Report for Demo {
    fn text(&self) -> String {
        if self.stopped {
            return "stopped\n".into();
        }
        let wrong = self.wrong.as_ref().map_or_else(|| self.nothing(), Wrong::text);
        let yours = format!("{}\n\n    {YOURS}\n", paint(BOLD, "Test your own solver:"));
        format!("{}{}\n{wrong}\n{}\n{yours}", self.heading(), self.table(), self.files())
    }

    fn json(&self) -> Value {
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "planted": self.planted,
            "reason": self.reason,
            "stopped": self.stopped,
            "formulas": FORMULAS,
            "solvers": self.tallies.iter().map(Tally::json).collect::<Vec<_>>(),
            "wrong": self.wrong.as_ref().map(Wrong::json),
            "file": self.file,
            "store": self.store,
        })
    }
}
