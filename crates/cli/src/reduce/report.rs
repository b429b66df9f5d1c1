//! The result of `stringent reduce`, for people and for programs.

use crate::Outcome;
use bugs::property::Passing;
use bugs::reduce::{Reduction, Seeds};
use campaign::clean::{count, counted, one_line, time};
use campaign::finding::reason::Reason;
use campaign::finding::{Finding, Stability};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;

/// A script that was reduced.
pub(super) struct Reduced {
    /// The failure in one line.
    pub(super) failure: String,
    /// How often the original fails.
    pub(super) rate: Stability,
    pub(super) reduction: Reduction,
    /// Without a solver there is none.
    pub(super) finding: Option<Finding>,
    pub(super) out: PathBuf,
}

impl Reduced {
    /// `1,932 → 118 bytes, 9 → 2 assertions, 143 runs, 3.1 s`
    fn numbers(&self) -> String {
        let (old, new) = (&self.reduction.start.doc, &self.reduction.doc);
        let bytes = self.reduction.bytes();
        format!(
            "{} → {} bytes, {} → {}, {}, {}",
            count(bytes.0 as u64),
            count(bytes.1 as u64),
            count(old.assertions() as u64),
            counted(new.assertions() as u64, "assertion"),
            counted(self.reduction.runs, "run"),
            time(self.reduction.time)
        )
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let Stability { runs, failed } = self.rate;
        if failed < runs {
            notes.push(format!("flaky: the original fails in {failed} of {runs} runs"));
        }
        match self.reduction.seeds {
            Seeds::One => {}
            Seeds::Any(n) => {
                notes.push(format!(
                    "it depends on the seed: each step was tried with {n}; the result fails with seed {}",
                    self.reduction.seed
                ));
            }
            Seeds::Every(n) => notes.push(format!("a smaller script does not fail with each of {n} seeds")),
        }
        if !self.reduction.verified {
            notes.push("the reduced script was not run again at the end".into());
        }
        if let Some(stopped) = &self.reduction.stopped {
            notes.push(format!("not complete: {}", one_line(&stopped.to_string())));
        }
        notes
    }
}

impl lab::Report for Reduced {
    fn text(&self) -> String {
        let mut out =
            format!("{}; {}\n\n{}", one_line(&self.failure), self.numbers(), self.reduction.doc.text());
        if let Some(finding) = &self.finding {
            out.push('\n');
            out.push_str(&why(&Reason::of(finding)));
        }
        for note in self.notes() {
            let _ = writeln!(out, "{note}");
        }
        let _ = writeln!(out, "\nwritten to {}", self.out.display());
        out
    }

    fn json(&self) -> Value {
        let r = &self.reduction;
        let (before, after) = r.bytes();
        json!({
            "result": "reduced",
            "failure": self.failure,
            "script": r.doc.text(),
            "bytes": after,
            "assertions": r.doc.assertions(),
            "original-bytes": before,
            "original-assertions": r.start.doc.assertions(),
            "runs": r.runs,
            "cached": r.cached,
            "answer-unknown": r.unknown,
            "seconds": r.time.as_secs_f64(),
            "cpu-seconds": r.work.as_secs_f64(),
            "seed": r.seed,
            "steps-fail-with": match r.seeds {
                Seeds::One => "one seed".to_owned(),
                Seeds::Any(n) => format!("any of {n} seeds"),
                Seeds::Every(n) => format!("each of {n} seeds"),
            },
            "complete": r.complete,
            "verified": r.verified,
            "stopped": r.stopped.as_ref().map(ToString::to_string),
            "original-runs": { "runs": self.rate.runs, "failed": self.rate.failed },
            "out": self.out.display().to_string(),
            "finding": self.finding,
        })
    }
}

/// Why the answer is wrong, with the values that show it.
fn why(reason: &Reason) -> String {
    let mut out = format!("{}\n", reason.sentence);
    for (name, value) in &reason.values {
        let _ = writeln!(out, "  {name} = {value}");
    }
    for note in &reason.notes {
        let _ = writeln!(out, "  {note}");
    }
    out
}

/// Why the search for the failure ended.
fn stopped(by_user: bool) -> &'static str {
    if by_user { "stopped before a failure was found" } else { "no failure was found within --budget" }
}

/// A script that is not reduced.
pub(super) enum Refused {
    /// It does not fail.
    Passing(Passing),
    /// It fails too rarely.
    Flaky { property: String, rate: Stability },
    /// The search for the failure was stopped, by the user or at the budget.
    Stopped { by_user: bool },
}

impl Refused {
    pub(super) fn outcome(&self) -> Outcome {
        match self {
            Refused::Passing(p) if p.judged => Outcome::Clean,
            Refused::Passing(_) | Refused::Flaky { .. } | Refused::Stopped { .. } => Outcome::Undetermined,
        }
    }
}

impl lab::Report for Refused {
    fn text(&self) -> String {
        match self {
            Refused::Passing(p) if self.outcome() == Outcome::Clean => {
                format!("does not fail: {}\n", one_line(&p.reason))
            }
            Refused::Passing(p) => format!("undetermined: {}\n", one_line(&p.reason)),
            Refused::Flaky { property, rate } => format!(
                "flaky: {} in {} of {} only; not reduced\nOther seeds (--seed) or more runs (--repeat) may tell more.\n",
                one_line(property),
                rate.failed,
                counted(u64::from(rate.runs), "run")
            ),
            Refused::Stopped { by_user } => format!("undetermined: {}\n", stopped(*by_user)),
        }
    }

    fn json(&self) -> Value {
        match self {
            Refused::Passing(p) => json!({
                "result": if self.outcome() == Outcome::Clean { "passes" } else { "undetermined" },
                "reason": p.reason,
                "observed": p.observed,
            }),
            Refused::Flaky { property, rate } => json!({
                "result": "flaky",
                "failure": property,
                "original-runs": { "runs": rate.runs, "failed": rate.failed },
            }),
            Refused::Stopped { by_user } => json!({ "result": "undetermined", "reason": stopped(*by_user) }),
        }
    }
}
