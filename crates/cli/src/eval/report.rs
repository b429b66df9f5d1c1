//! The report of `stringent eval`, as text and JSON.

use super::Args;
use crate::input::Input;
use semantics::explain::explain;
use semantics::referee::Judgement;
use semantics::transcript::Transcript;
use semantics::{Evaluator, Satisfaction};
use smt::Term;
use smt::answer::Verdict;
use smt::diag::Lines;
use smt::print::term_text;
use std::io::Write as _;

/// Names of completed constants that are shown.
const MAX_COMPLETED: usize = 20;

/// The subject of a report.
pub(super) struct Report<'a> {
    pub(super) args: &'a Args,
    pub(super) script: &'a Input,
    pub(super) answer: &'a Input,
    pub(super) case: &'a Transcript,
    pub(super) lines: Lines,
    /// Another reading under which nothing fails.
    pub(super) doubt: Option<&'a str>,
}

impl Report<'_> {
    fn line(&self, command: usize) -> usize {
        self.lines.of(self.case.parsed.script.entries[command].span.start as usize)
    }

    /// Each assertion and assumption: its label, its line, the term.
    fn rows(&self) -> Vec<(String, usize, Term)> {
        let asserted = self.case.check.assertions.iter().enumerate().map(|(i, &(command, t))| {
            let name = self.case.pool.given_name(t).map(|s| self.case.pool.names.name(s));
            let label =
                name.map_or_else(|| format!("assertion {}", i + 1), |n| format!("assertion {} `{n}`", i + 1));
            (label, self.line(command), t)
        });
        let line = self.case.check.command.map_or(0, |c| self.line(c));
        let assumed = self
            .case
            .check
            .assumptions
            .iter()
            .enumerate()
            .map(|(i, &t)| (format!("assumption {}", i + 1), line, t));
        asserted.chain(assumed).collect()
    }

    fn first_not_holding(&self, j: &Judgement) -> Option<(usize, Satisfaction)> {
        let all: Vec<Satisfaction> = j.assertions.iter().chain(&j.assumptions).copied().collect();
        let fails = all.iter().position(|t| *t == Satisfaction::Fails);
        let undetermined = all.iter().position(|t| *t != Satisfaction::Holds);
        fails.or(undetermined).map(|i| (i, all[i]))
    }

    pub(super) fn text(&self, j: &Judgement, e: &mut Evaluator<'_>) -> anyhow::Result<()> {
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        let rows = self.rows();
        let wide = rows.iter().map(|(label, ..)| label.chars().count()).max().unwrap_or(0);
        let digits = rows.iter().map(|(_, line, _)| line.to_string().len()).max().unwrap_or(0);
        for ((label, line, _), truth) in rows.iter().zip(j.assertions.iter().chain(&j.assumptions)) {
            let word = match truth {
                Satisfaction::Holds => "holds".to_owned(),
                Satisfaction::Fails => "FAILS".to_owned(),
                Satisfaction::Undetermined(why) => format!("undetermined: {}", why.reason()),
            };
            writeln!(out, "{label:<wide$}  line {line:>digits$}  {word}")?;
        }
        if let Some((i, truth)) = self.first_not_holding(j) {
            let (label, line, t) = &rows[i];
            let word = if truth == Satisfaction::Fails { "is false" } else { "is undetermined" };
            writeln!(out, "\n{label} (line {line}) {word}:")?;
            out.write_all(semantics::explain::text(e, *t, self.args.lines).as_bytes())?;
        }
        if self.case.verdict == Some(Verdict::Unknown) {
            writeln!(out, "\nthe solver answered unknown: its model is only a candidate")?;
        }
        if let Some(doubt) = self.doubt {
            writeln!(out, "\nundetermined: {doubt}")?;
        }
        let completed: Vec<&str> = e.completed().iter().map(|&f| self.case.pool.fun_name(f)).collect();
        if !completed.is_empty() {
            let more = completed.len().saturating_sub(MAX_COMPLETED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let some = completed.iter().take(MAX_COMPLETED).copied().collect::<Vec<_>>().join(", ");
            writeln!(out, "\nnot in the model, completed with defaults: {some}{more}")?;
        }
        out.flush()?;
        Ok(())
    }

    pub(super) fn json(&self, j: &Judgement, e: &mut Evaluator<'_>) -> anyhow::Result<()> {
        let rows = self.rows();
        let word = |t: &Satisfaction| match t {
            Satisfaction::Holds => "holds",
            Satisfaction::Fails => "fails",
            Satisfaction::Undetermined(_) => "undetermined",
        };
        let reason = |t: &Satisfaction| match t {
            Satisfaction::Undetermined(why) => Some(why.reason()),
            _ => None,
        };
        let truths = j.assertions.iter().chain(&j.assumptions);
        let assertions: Vec<_> = rows
            .iter()
            .zip(truths)
            .map(|((label, line, t), truth)| {
                serde_json::json!({ "what": label, "line": line, "term": term_text(&self.case.pool, *t),
                                    "truth": word(truth), "reason": reason(truth) })
            })
            .collect();
        let explanation = self.first_not_holding(j).map(|(i, _)| {
            let steps: Vec<_> = explain(e, rows[i].2, self.args.lines)
                .iter()
                .map(|s| {
                    serde_json::json!({ "depth": s.depth, "term": term_text(&self.case.pool, s.term),
                        "value": s.value.as_ref().ok().map(|v| v.to_smtlib(e.store())) })
                })
                .collect();
            serde_json::json!({ "what": rows[i].0, "steps": steps })
        });
        let completed: Vec<&str> = e.completed().iter().map(|&f| self.case.pool.fun_name(f)).collect();
        let doc = serde_json::json!({
            "version": env!("CARGO_PKG_VERSION"),
            "file": self.script.name,
            "model": self.answer.name,
            "check": self.case.number,
            "dialect": self.case.parsed.script.dialect.name(),
            "verdict": self.case.verdict.map(|v| match v {
                Verdict::Sat => "sat",
                Verdict::Unsat => "unsat",
                Verdict::Unknown => "unknown",
            }),
            "overall": if self.doubt.is_some() { "undetermined" } else { word(&j.overall()) },
            "doubt": self.doubt,
            "assertions": assertions,
            "explanation": explanation,
            "completed": completed,
        });
        writeln!(std::io::stdout().lock(), "{doc:#}")?;
        Ok(())
    }
}
