//! Counts and findings, as text and JSON.

use super::Options;
use anyhow::Context as _;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;
use synth::random::Kind;

/// The kind of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    /// The built-in solver answered unsat, and there is a model.
    Unsat,
    /// It answered sat, and there is no model.
    Sat,
    /// Its model does not satisfy the formula.
    Model,
    /// Its core has a model.
    Core,
    /// An inference of it is false.
    Audit,
    /// It panicked.
    Panic,
    /// Another solver is wrong.
    Other,
    /// Another solver differs, and the referee cannot decide between them.
    Undetermined,
}

impl What {
    fn name(self) -> &'static str {
        match self {
            What::Unsat => "wrong unsat",
            What::Sat => "wrong sat",
            What::Model => "bad model",
            What::Core => "bad core",
            What::Audit => "false inference",
            What::Panic => "panic",
            What::Other => "other solver wrong",
            What::Undetermined => "undetermined difference",
        }
    }

    /// Whether it is an error of the built-in solver.
    fn is_fault(self) -> bool {
        !matches!(self, What::Other | What::Undetermined)
    }
}

/// A wrong answer.
pub(super) struct Finding {
    pub(super) index: u64,
    pub(super) what: What,
    pub(super) why: String,
    /// The other solver, if the finding is about one.
    pub(super) who: Option<String>,
    pub(super) script: String,
}

/// Counts and findings.
pub struct Report {
    seed: u64,
    from: u64,
    pub(super) elapsed: Duration,
    /// By kind, known answer and given answer.
    counts: BTreeMap<(Kind, Option<bool>, &'static str), u64>,
    reasons: BTreeMap<String, u64>,
    others: BTreeMap<(usize, &'static str), u64>,
    names: Vec<String>,
    pub(super) findings: Vec<Finding>,
}

/// Findings that are shown in full.
const SHOWN: usize = 10;

impl Report {
    /// An empty report; `names` are the other solvers.
    pub(super) fn new(options: &Options, names: Vec<String>) -> Report {
        Report {
            seed: options.seed,
            from: options.from,
            elapsed: Duration::ZERO,
            counts: BTreeMap::new(),
            reasons: BTreeMap::new(),
            others: BTreeMap::new(),
            names,
            findings: Vec::new(),
        }
    }

    pub(super) fn count(&mut self, kind: Kind, truth: Option<bool>, answer: &'static str) {
        *self.counts.entry((kind, truth, answer)).or_default() += 1;
    }

    pub(super) fn reason(&mut self, why: &str) {
        *self.reasons.entry(why.to_owned()).or_default() += 1;
    }

    pub(super) fn other(&mut self, solver: usize, answer: &'static str) {
        *self.others.entry((solver, answer)).or_default() += 1;
    }

    pub(super) fn merge(&mut self, other: Report) {
        for (key, n) in other.counts {
            *self.counts.entry(key).or_default() += n;
        }
        for (key, n) in other.reasons {
            *self.reasons.entry(key).or_default() += n;
        }
        for (key, n) in other.others {
            *self.others.entry(key).or_default() += n;
        }
        self.findings.extend(other.findings);
    }

    pub(super) fn sort(&mut self) {
        self.findings.sort_by_key(|f| (f.what, f.index));
    }

    /// The built-in solver is wrong.
    pub fn has_faults(&self) -> bool {
        self.findings.iter().any(|f| f.what.is_fault())
    }

    fn answered(&self, answer: &str) -> u64 {
        self.counts.iter().filter(|((_, _, a), _)| *a == answer).map(|(_, n)| n).sum()
    }

    /// Writes a script for each finding into `dir`.
    pub fn write_cases(&self, dir: &Path) -> anyhow::Result<()> {
        std::fs::create_dir_all(dir).with_context(|| format!("cannot create `{}`", dir.display()))?;
        for f in &self.findings {
            let who = f.who.as_deref().map_or_else(String::new, |who| format!("-{who}"));
            let name = format!("{}{who}-{}-{}.smt2", f.what.name().replace(' ', "-"), self.seed, f.index);
            let comment: String = f.why.lines().map(|l| format!("; {l}\n")).collect();
            let path = dir.join(name);
            std::fs::write(&path, format!("{comment}{}(check-sat)\n", f.script))
                .with_context(|| format!("cannot write `{}`", path.display()))?;
        }
        Ok(())
    }
}

impl crate::Report for Report {
    fn text(&self) -> String {
        let mut out = String::new();
        let answers = ["sat", "unsat", "unknown", "failed"];
        let _ =
            writeln!(out, "{:<24}{:>10}{:>10}{:>10}{:>10}", "formulas", "sat", "unsat", "unknown", "failed");
        let mut rows: Vec<(Kind, Option<bool>)> = self.counts.keys().map(|k| (k.0, k.1)).collect();
        rows.dedup();
        for (kind, truth) in rows {
            let truth_name = match truth {
                Some(true) => "sat",
                Some(false) => "unsat",
                None => "unknown truth",
            };
            let _ = write!(out, "{:<24}", format!("{}, {truth_name}", kind.name()));
            for answer in answers {
                let _ = write!(out, "{:>10}", self.counts.get(&(kind, truth, answer)).copied().unwrap_or(0));
            }
            let _ = writeln!(out);
        }
        let total: u64 = self.counts.values().sum();
        let unknown = self.answered("unknown");
        let share = unknown as f64 * 100.0 / total.max(1) as f64;
        let rate = total as f64 / self.elapsed.as_secs_f64().max(1e-9);
        let _ = writeln!(out, "\n{total} formulas, {unknown} unknown ({share:.2} %), {rate:.0} formulas/s");
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(why, n)| (std::cmp::Reverse(**n), (*why).clone()));
        for (why, n) in reasons.iter().take(SHOWN) {
            let _ = writeln!(out, "  {n:>8}  {why}");
        }
        for (i, name) in self.names.iter().enumerate() {
            let _ = write!(out, "{name}:");
            for ((_, answer), n) in self.others.iter().filter(|((s, _), _)| *s == i) {
                let _ = write!(out, "  {answer} {n}");
            }
            let _ = writeln!(out);
        }
        for f in self.findings.iter().take(SHOWN) {
            let who = f.who.as_deref().map_or_else(String::new, |who| format!(" ({who})"));
            let _ = writeln!(out, "\n{}{who}: formula {} of seed {}", f.what.name(), f.index, self.seed);
            let _ = writeln!(out, "{}\n{}(check-sat)", indented(&f.why), f.script);
        }
        if self.findings.len() > SHOWN {
            let _ = writeln!(out, "\n{} more findings; --cases DIR writes all", self.findings.len() - SHOWN);
        }
        out
    }

    fn json(&self) -> serde_json::Value {
        let counts: Vec<_> = self
            .counts
            .iter()
            .map(|((kind, truth, answer), n)| {
                json!({ "kind": kind.name(), "satisfiable": truth, "answer": answer, "count": n })
            })
            .collect();
        let findings: Vec<_> = self
            .findings
            .iter()
            .map(|f| {
                json!({ "index": f.index, "what": f.what.name(), "why": f.why, "solver": f.who, "script": f.script })
            })
            .collect();
        let others: Vec<_> = self
            .others
            .iter()
            .map(|((s, answer), n)| json!({ "solver": self.names.get(*s), "answer": answer, "count": n }))
            .collect();
        json!({
            "version": env!("CARGO_PKG_VERSION"), "seed": self.seed, "from": self.from,
            "counts": counts, "reasons": self.reasons, "others": others, "findings": findings,
            "seconds": self.elapsed.as_secs_f64(),
        })
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|l| format!("  {l}")).collect::<Vec<_>>().join("\n")
}
