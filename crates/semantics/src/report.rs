//! The report on one model: the referee in one call.
//!
//! [`judge`] takes a script and the output of a solver for it. The report has the truth of every assertion in force at the
//! check that the model answers, and for the first one that does not hold the subterms that decide it. Its `Display` is the text of
//! `stringent eval`.
//!
//! ```
//! use stringent_semantics::{Conclusion, Options, judge};
//!
//! let script = "(declare-const x String)\n(assert (= (str.len x) 2))\n(assert (str.prefixof \"a\" x))\n(check-sat)";
//! let report = judge(script, "sat\n((define-fun x () String \"abc\"))", Options::default())?;
//! assert_eq!(report.conclusion(), Conclusion::Fails);
//! assert_eq!(report.findings[0].line, 2);
//! assert_eq!(
//!     report.to_string(),
//!     r#"assertion 1  line 2  FAILS
//! assertion 2  line 3  holds
//!
//! assertion 1 (line 2) is false:
//!   (= (str.len x) 2)  →  false
//!     (str.len x)  →  3
//!       x  →  "abc"
//! "#
//! );
//! # Ok::<(), stringent_semantics::Refusal>(())
//! ```

use crate::explain::{self, Line};
use crate::referee::Judgement;
use crate::transcript::{Options, Transcript, Unusable};
use crate::value::Satisfaction;
use smt::answer::Verdict;
use smt::diag::Lines;
use smt::print::term_text;
use smt::{Diagnostic, Severity, Term};
use std::fmt;

/// Names of completed constants that are shown.
const MAX_COMPLETED: usize = 20;

/// Whether a model satisfies a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// Every assertion holds.
    Holds,
    /// An assertion is false, in every reading of the two texts.
    Fails,
    /// Neither could be shown.
    Undetermined,
}

/// An assertion or assumption, and its truth.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Its number and name: ``assertion 2 `sum` ``.
    pub label: String,
    /// The line of its command, from 1.
    pub line: usize,
    /// The term.
    pub term: Term,
    /// Its truth.
    pub truth: Satisfaction,
}

/// Why a finding is false or undetermined.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The index of the finding.
    pub finding: usize,
    /// The subterms that decide it.
    pub lines: Vec<Line>,
}

/// The report on a model.
#[derive(Debug)]
pub struct Report {
    /// The script, the check and the verdict of the solver.
    pub transcript: Transcript,
    /// The assertions in force, then the assumptions.
    pub findings: Vec<Finding>,
    /// Of the first finding that is false, else of the first that is undetermined.
    pub explanation: Option<Explanation>,
    /// Something is false, but this other reading of the two texts is possible.
    pub doubt: Option<String>,
    /// Constants and functions that the model lacks; they were given default values.
    pub completed: Vec<String>,
}

/// Why there is no report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The script has errors.
    Script(Vec<Diagnostic>),
    /// The output has no model to judge.
    Output(Unusable),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Script(all) => {
                let first = all.iter().find(|d| d.severity == Severity::Error);
                write!(f, "the script has errors: {}", first.map_or("", |d| &d.message))
            }
            Refusal::Output(why) => write!(f, "nothing to judge in the output: {why}"),
        }
    }
}

impl std::error::Error for Refusal {}

/// Judges the model in the output of a solver on a script.
pub fn judge(
    script: impl AsRef<[u8]>,
    output: impl AsRef<[u8]>,
    options: Options,
) -> Result<Report, Refusal> {
    let (script, output) = (script.as_ref(), output.as_ref());
    let mut transcript = Transcript::read(script, output, options);
    if !transcript.parsed.is_ok() {
        return Err(Refusal::Script(transcript.parsed.diagnostics));
    }
    transcript.choose().map_err(Refusal::Output)?;
    Ok(Report::of(transcript, script, output))
}

impl Report {
    /// The report on the model that `transcript` has chosen. It was read from `script` and `output`.
    pub fn of(transcript: Transcript, script: &[u8], output: &[u8]) -> Report {
        let mut e = transcript.evaluator();
        let judgement = Judgement::of(&transcript.check, &mut e);
        let findings = findings(&transcript, &judgement, &Lines::new(script));
        let explanation = first_not_holding(&findings).map(|finding| {
            let lines = explain::lines(&mut e, findings[finding].term, transcript.options().lines);
            Explanation { finding, lines }
        });
        let doubt = match judgement.overall() {
            Satisfaction::Fails => transcript.ambiguity(script, output),
            Satisfaction::Holds | Satisfaction::Undetermined(_) => None,
        };
        let completed = e.completed().iter().map(|&f| transcript.pool.fun_name(f).to_owned()).collect();
        drop(e);
        Report { transcript, findings, explanation, doubt, completed }
    }

    /// Whether the model satisfies the script.
    pub fn conclusion(&self) -> Conclusion {
        match first_not_holding(&self.findings).map(|i| self.findings[i].truth) {
            None => Conclusion::Holds,
            Some(Satisfaction::Fails) if self.doubt.is_none() => Conclusion::Fails,
            Some(_) => Conclusion::Undetermined,
        }
    }

    /// The text of a term of the script.
    pub fn text_of(&self, t: Term) -> String {
        term_text(&self.transcript.pool, t)
    }
}

fn findings(transcript: &Transcript, judgement: &Judgement, lines: &Lines) -> Vec<Finding> {
    let (pool, check) = (&transcript.pool, &transcript.check);
    let line = |command: usize| lines.of(transcript.parsed.script.entries[command].span.start as usize);
    let asserted = check.assertions.iter().zip(&judgement.assertions).enumerate();
    let asserted = asserted.map(|(i, (&(command, term), &truth))| {
        let name = pool.given_name(term).map(|s| pool.names.name(s));
        let name = name.map_or_else(String::new, |n| format!(" `{n}`"));
        Finding { label: format!("assertion {}{name}", i + 1), line: line(command), term, truth }
    });
    let at = check.command.map_or(0, line);
    let assumed = check.assumptions.iter().zip(&judgement.assumptions).enumerate();
    let assumed = assumed.map(|(i, (&term, &truth))| Finding {
        label: format!("assumption {}", i + 1),
        line: at,
        term,
        truth,
    });
    asserted.chain(assumed).collect()
}

/// The first false finding, else the first undetermined one.
fn first_not_holding(findings: &[Finding]) -> Option<usize> {
    let fails = findings.iter().position(|f| f.truth == Satisfaction::Fails);
    fails.or_else(|| findings.iter().position(|f| f.truth != Satisfaction::Holds))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table(f)?;
        if let Some(Explanation { finding, lines }) = &self.explanation {
            let Finding { label, line, truth, .. } = &self.findings[*finding];
            let word = if *truth == Satisfaction::Fails { "is false" } else { "is undetermined" };
            writeln!(f, "\n{label} (line {line}) {word}:")?;
            lines.iter().try_for_each(|line| writeln!(f, "{line}"))?;
        }
        if self.transcript.verdict == Some(Verdict::Unknown) {
            writeln!(f, "\nthe solver answered unknown: its model is only a candidate")?;
        }
        if let Some(doubt) = &self.doubt {
            writeln!(f, "\nundetermined: {doubt}")?;
        }
        self.completed(f)
    }
}

impl Report {
    fn table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wide = self.findings.iter().map(|f| f.label.chars().count()).max().unwrap_or(0);
        let digits = self.findings.iter().map(|f| f.line.to_string().len()).max().unwrap_or(0);
        for Finding { label, line, truth, .. } in &self.findings {
            write!(f, "{label:<wide$}  line {line:>digits$}  ")?;
            match truth {
                Satisfaction::Holds => writeln!(f, "holds")?,
                Satisfaction::Fails => writeln!(f, "FAILS")?,
                Satisfaction::Undetermined(why) => writeln!(f, "undetermined: {}", why.reason())?,
            }
        }
        Ok(())
    }

    fn completed(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.completed.is_empty() {
            return Ok(());
        }
        let some =
            self.completed.iter().take(MAX_COMPLETED).map(String::as_str).collect::<Vec<_>>().join(", ");
        write!(f, "\nnot in the model, completed with defaults: {some}")?;
        match self.completed.len().saturating_sub(MAX_COMPLETED) {
            0 => writeln!(f),
            more => writeln!(f, " and {more} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "(declare-const x String)\n(assert (= x \"\\x41\"))\n(check-sat)\n";

    #[test]
    fn refusals_say_which_text_is_at_fault() {
        let of = |script: &str, output: &str| {
            judge(script, output, Options::default()).map(|_| ()).expect_err("no report").to_string()
        };
        assert_eq!(of("(assert x)", "sat"), "the script has errors: unknown symbol `x`");
        assert_eq!(
            of(SCRIPT, "unsat"),
            "nothing to judge in the output: the solver answered unsat to check-sat 1"
        );
    }

    #[test]
    fn a_model_with_two_readings_is_undetermined() {
        let script = "(declare-const x String)\n(assert (= (str.len x) 1))\n(check-sat)\n";
        let report = judge(script, "sat\n((x \"\\x41\"))", Options::default()).expect("a report");
        assert_eq!(report.conclusion(), Conclusion::Undetermined);
        assert!(report.to_string().contains("--model-dialect 2.5"), "{report}");
    }

    #[test]
    fn a_model_that_holds_needs_no_explanation() {
        let report =
            judge("(declare-const x Int)(assert (= x 0))", "()", Options::default()).expect("a report");
        assert_eq!((report.conclusion(), report.explanation.is_none()), (Conclusion::Holds, true));
        assert_eq!(report.completed, ["x"]);
    }
}
