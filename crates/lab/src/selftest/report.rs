//! The result: counts by operator and solver, and the disagreements.

use super::Options;
use super::case::{Case, Discarded};
use super::generate::Subject;
use super::support::Support;
use anyhow::Context as _;
use comfy_table::{CellAlignment, Table, presets};
use serde_json::json;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// Disagreements that are shown in full.
const SHOWN: usize = 20;

/// The cases of one operator and one solver.
#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
pub(super) struct Tally {
    /// Sent to the solver.
    pub(super) asked: u64,
    /// Of those: the solver's value is ours.
    pub(super) agree: u64,
    /// It is not, and the disagreement is known.
    pub(super) known: u64,
    /// It is not, and the disagreement is new.
    pub(super) new: u64,
    /// It has no opinion.
    pub(super) undecided: u64,
    /// Not sent to the solver, which does not support them.
    pub(super) not_applicable: u64,
    /// Not sent to the solver after many disagreements.
    pub(super) skipped: u64,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.asked += other.asked;
        self.agree += other.agree;
        self.known += other.known;
        self.new += other.new;
        self.undecided += other.undecided;
        self.not_applicable += other.not_applicable;
        self.skipped += other.skipped;
    }

    fn cells(&self) -> [u64; 6] {
        [self.asked, self.agree, self.known, self.new, self.undecided, self.not_applicable]
    }
}

/// A new disagreement.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    /// The index of the solver.
    pub(super) solver: usize,
    /// The case.
    pub(super) case: Case,
    /// The smallest similar case.
    pub(super) minimal: Case,
    /// The solver's value of the smallest case.
    pub(super) theirs: Option<String>,
}

/// The number of cases with a reason, and an example.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub(super) struct Times {
    count: u64,
    operator: &'static str,
    index: u64,
}

/// All results of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Report {
    /// By operator, then by solver.
    pub(super) tallies: BTreeMap<(usize, usize), Tally>,
    /// Applications that were not sent to any solver.
    pub(super) discarded: Discarded,
    /// Disagreements.
    pub(super) findings: Vec<Finding>,
    /// The reasons for cases without an opinion, by solver.
    pub(super) reasons: BTreeMap<(usize, String), Times>,
}

impl Report {
    /// Adds up.
    pub(super) fn merge(&mut self, other: Report) {
        for (key, tally) in &other.tallies {
            self.tallies.entry(*key).or_default().add(tally);
        }
        self.discarded.add(other.discarded);
        self.findings.extend(other.findings);
        for (reason, times) in other.reasons {
            self.reasons.entry(reason).and_modify(|t| t.count += times.count).or_insert(times);
        }
    }

    /// Notes why a solver has no opinion on a case.
    pub(super) fn note(&mut self, solver: usize, reason: String, case: &Case) {
        let first = Times { count: 0, operator: case.subject.label(), index: case.index };
        self.reasons.entry((solver, reason)).or_insert(first).count += 1;
    }

    /// Disagreements with different smallest terms.
    pub(super) fn distinct(&self) -> Vec<&Finding> {
        let mut seen = HashSet::new();
        self.findings.iter().filter(|&f| seen.insert((f.solver, f.minimal.text.as_str()))).collect()
    }

    /// The sum over all operators, for one solver.
    pub(super) fn total(&self, solver: usize) -> Tally {
        let mut total = Tally::default();
        for ((_, s), tally) in &self.tallies {
            if *s == solver {
                total.add(tally);
            }
        }
        total
    }
}

/// The result of a comparison.
pub struct Comparison {
    pub(super) subjects: Vec<Subject>,
    pub(super) solvers: Vec<Support>,
    pub(super) options: Options,
    /// It was stopped.
    pub(super) stopped: bool,
    pub(super) elapsed: Duration,
    pub(super) report: Report,
}

impl Comparison {
    /// Whether there is a new disagreement.
    pub fn has_findings(&self) -> bool {
        !self.report.findings.is_empty()
    }

    /// It was stopped, or a solver agreed with nothing.
    pub fn is_undetermined(&self) -> bool {
        self.stopped
            || (0..self.solvers.len()).any(|s| {
                let total = self.report.total(s);
                total.asked > 0 && total.agree == 0
            })
    }

    /// Writes each disagreement as a script into `dir`; the number of scripts.
    pub fn write_cases(&self, dir: &Path) -> anyhow::Result<usize> {
        std::fs::create_dir_all(dir).with_context(|| format!("cannot create `{}`", dir.display()))?;
        let distinct = self.report.distinct();
        for finding in &distinct {
            let path = dir.join(self.file_name(finding));
            std::fs::write(&path, self.script(finding))
                .with_context(|| format!("cannot write `{}`", path.display()))?;
        }
        Ok(distinct.len())
    }

    /// The command that repeats one case.
    pub(super) fn command(&self, case: &Case) -> String {
        format!(
            "stringent selftest --seed {} --depth {} --operator '{}' --from {} --count 1",
            self.options.seed,
            self.options.depth,
            case.subject.label(),
            case.index
        )
    }

    fn table(&self) -> Table {
        let report = &self.report;
        let mut table = Table::new();
        table.load_preset(presets::UTF8_BORDERS_ONLY);
        table.set_header(["operator", "solver", "queries", "agree", "known", "NEW", "undecided", "n/a"]);
        for (o, subject) in self.subjects.iter().enumerate() {
            for (s, support) in self.solvers.iter().enumerate() {
                let tally = report.tallies.get(&(o, s)).copied().unwrap_or_default();
                let name = if s == 0 { subject.label() } else { "" };
                table.add_row(row(name, &support.solver.name, &tally));
            }
        }
        for (s, support) in self.solvers.iter().enumerate() {
            let name = if s == 0 { "all" } else { "" };
            table.add_row(row(name, &support.solver.name, &report.total(s)));
        }
        for column in table.column_iter_mut().skip(2) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table
    }

    fn solver(&self, out: &mut String, s: usize, support: &Support) {
        let report = &self.report;
        let command = support.command().join(" ");
        let _ = writeln!(out, "{} (`{command}`)", support.solver.name);
        for (what, why) in &support.missing {
            let _ = writeln!(out, "  n/a: {what}: {why}");
        }
        for ((_, reason), times) in report.reasons.iter().filter(|((solver, _), _)| *solver == s) {
            let Times { count, operator, index } = times;
            let _ = writeln!(out, "  {count} times: {reason} (as application {index} of {operator})");
        }
        let skipped = report.total(s).skipped;
        if skipped > 0 {
            let _ = writeln!(out, "  {skipped} skipped after many disagreements on their operators");
        }
    }

    fn finding(&self, out: &mut String, f: &Finding) {
        let support = &self.solvers[f.solver];
        let _ = writeln!(out, "\n{} disagrees: {}", support.solver.name, f.minimal.text);
        let _ = writeln!(out, "  ours: {}", f.minimal.value);
        let _ = writeln!(out, "  theirs: {}", f.theirs.as_deref().unwrap_or("another"));
        let _ = writeln!(out, "  found by: {}", self.command(&f.case));
    }

    fn finding_json(&self, f: &Finding) -> serde_json::Value {
        json!({ "solver": self.solvers[f.solver].solver.name, "operator": f.case.subject.label(),
                "index": f.case.index, "term": f.case.text, "minimal": f.minimal.text, "ours": f.minimal.value,
                "theirs": f.theirs, "command": self.command(&f.case) })
    }

    /// A disagreement as a script: `unsat` by the standard.
    pub(super) fn script(&self, f: &Finding) -> String {
        let support = &self.solvers[f.solver];
        let quoted = |text: &str| text.replace('\n', " ");
        format!(
            "; stringent {}: a disagreement with {}, run as `{}`\n; found by: {}\n; the term as found: {}\n\
             ; ours: {}\n; theirs: {}\n(set-logic ALL)\n(set-info :status unsat)\n(assert (not {}))\n(check-sat)\n",
            env!("CARGO_PKG_VERSION"),
            support.solver.name,
            support.command().join(" "),
            self.command(&f.case),
            quoted(&f.case.text),
            f.minimal.value,
            quoted(f.theirs.as_deref().unwrap_or("another")),
            support.claim(&f.minimal),
        )
    }

    /// The name of its file.
    pub(super) fn file_name(&self, f: &Finding) -> String {
        let safe = |c: char| {
            if c.is_ascii_alphanumeric() || c == '_' || c == '.' { c } else { '-' }
        };
        let (solver, operator) = (&self.solvers[f.solver].solver.name, f.case.subject.label());
        let text = format!("{solver}_{operator}");
        let text: String = text.chars().map(safe).collect();
        // `re.+` and `re.*` would be the same file.
        let code: u32 = operator.bytes().fold(0, |n: u32, b| n.wrapping_mul(31).wrapping_add(b.into()));
        format!("{text}_{:04x}_{}.smt2", code & 0xffff, f.case.index)
    }
}

impl crate::Report for Comparison {
    fn text(&self) -> String {
        let mut out = format!("{}\n", self.table());
        for (s, support) in self.solvers.iter().enumerate() {
            self.solver(&mut out, s, support);
        }
        let d = self.report.discarded;
        let _ = writeln!(
            out,
            "discarded before asking: {} for a division by zero, {} too large, {} too hard for the evaluator",
            d.division_by_zero, d.too_large, d.too_hard
        );
        let asked: u64 = (0..self.solvers.len()).map(|s| self.report.total(s).asked).sum();
        let seconds = self.elapsed.as_secs_f64();
        let rate = asked as f64 / seconds.max(1e-3);
        let _ = writeln!(out, "{asked} queries in {seconds:.1} s, {rate:.0} per second");
        let distinct = self.report.distinct();
        for finding in distinct.iter().take(SHOWN) {
            self.finding(&mut out, finding);
        }
        if distinct.len() > SHOWN {
            let more = distinct.len() - SHOWN;
            let _ = writeln!(out, "\nand {more} more disagreements (--cases writes all of them)");
        }
        out
    }

    fn json(&self) -> serde_json::Value {
        let report = &self.report;
        let solvers: Vec<_> = self
            .solvers
            .iter()
            .enumerate()
            .map(|(s, p)| {
                let reasons: BTreeMap<&str, Times> = report
                    .reasons
                    .iter()
                    .filter(|((solver, _), _)| *solver == s)
                    .map(|((_, reason), times)| (reason.as_str(), *times))
                    .collect();
                json!({ "name": p.solver.name, "version": p.solver.version, "command": p.command(),
                        "missing": p.missing, "reasons": reasons, "total": report.total(s) })
            })
            .collect();
        let operators: Vec<_> = self
            .subjects
            .iter()
            .enumerate()
            .map(|(o, subject)| {
                let by_solver: serde_json::Map<String, serde_json::Value> = self
                    .solvers
                    .iter()
                    .enumerate()
                    .map(|(s, p)| {
                        let tally = report.tallies.get(&(o, s)).copied().unwrap_or_default();
                        (p.solver.name.clone(), json!(tally))
                    })
                    .collect();
                json!({ "operator": subject.label(), "solvers": by_solver })
            })
            .collect();
        let disagreements: Vec<_> = report.findings.iter().map(|f| self.finding_json(f)).collect();
        json!({
            "version": env!("CARGO_PKG_VERSION"), "seed": self.options.seed, "from": self.options.from, "count": self.options.count,
            "depth": self.options.depth, "seconds": self.elapsed.as_secs_f64(), "solvers": solvers,
            "operators": operators, "discarded": report.discarded, "disagreements": disagreements,
        })
    }
}

fn row(operator: &str, solver: &str, tally: &Tally) -> Vec<String> {
    let cells = tally.cells().map(|n| if n == 0 { "·".to_owned() } else { n.to_string() });
    [operator.to_owned(), solver.to_owned()].into_iter().chain(cells).collect()
}
