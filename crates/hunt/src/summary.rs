//! The result of a hunt: findings first, then the numbers.

use crate::arms::Arm;
use crate::state::State;
use crate::variant::pairs;
use campaign::clean::{count as grouped, counted, shell};
use campaign::finding::words::title;
use campaign::finding::{Examination, Finding};
use campaign::outcome::{Kind, Severity, Verdict};
use campaign::profile::Solver;
use campaign::store::{Examined, Store};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

/// False statements that are shown.
const MAX_REMARKS: usize = 3;

/// Verdicts of runs without an answer.
const NO_ANSWER: [Verdict; 3] = [Verdict::Error, Verdict::Timeout, Verdict::NotApplicable];

/// A summary.
#[derive(Debug)]
pub struct Summary {
    /// The store.
    pub store: PathBuf,
    /// The findings, those that matter most first.
    pub findings: Vec<Finding>,
    /// The state in the end.
    pub state: State,
    /// Legal pairs of operators that were seen, and all.
    pub pairs: (u64, u64),
    /// Failures that wait for triage.
    pub waiting: u64,
    /// Why triage has put failures into no group: they did not fail again, for example.
    pub refused: Vec<String>,
    /// It was stopped.
    pub stopped: bool,
}

impl Summary {
    /// The summary of the hunt in a store.
    pub fn read(store: &Store, stopped: bool) -> anyhow::Result<Summary> {
        let mut findings = store.findings()?;
        findings.sort_by(|a, b| a.rank().cmp(&b.rank()));
        let state = State::read(store)?.unwrap_or_default();
        let solvers: Result<Vec<Solver>, _> =
            store.solvers()?.iter().map(|row| row.solver(store.path())).collect();
        let pairs = pairs(&state.coverage, solvers?.iter());
        let examined = store.examinations()?;
        let waiting = store.run_keys()?.len().saturating_sub(examined.len()) as u64;
        let why = |e: Examined| match e.examination {
            Examination::Refused { why } => Some(why),
            _ => None,
        };
        let refused = examined.into_iter().filter_map(why).collect();
        Ok(Summary { store: store.path().to_owned(), findings, state, pairs, waiting, refused, stopped })
    }

    /// Solvers that have answered nothing.
    pub fn mute(&self) -> Vec<&str> {
        let answers = |kinds: &BTreeMap<Kind, u64>| by_verdict(kinds).keys().any(|v| !NO_ANSWER.contains(v));
        let all = self.state.kinds.iter().filter(|(_, kinds)| !kinds.is_empty() && !answers(kinds));
        all.map(|(solver, _)| solver.as_str()).collect()
    }

    /// All runs of a solver ended at a time limit.
    fn is_late(&self, solver: &str) -> bool {
        self.state.kinds[solver].keys().all(|kind| kind.verdict() == Verdict::Timeout)
    }

    /// For a terminal.
    pub fn text(&self) -> String {
        let mut out = format!("{}\n\n", self.verdict());
        for finding in &self.findings {
            let Finding { number, reduced, .. } = finding;
            let _ = writeln!(
                out,
                "{number:>3}  {}, {} bytes, {}",
                title(finding),
                reduced.bytes,
                counted(finding.members.len() as u64, "failure")
            );
        }
        if !self.findings.is_empty() {
            out.push('\n');
        }
        out.push_str(&self.numbers());
        out.push('\n');
        out.push_str(&self.answers());
        out.push('\n');
        out.push_str(&self.sources());
        out
    }

    /// The verdict in a sentence.
    pub fn verdict(&self) -> String {
        let n = self.state.instances();
        let mut verdict = match self.findings.len() as u64 {
            0 => format!("No bug found in {} instances.", grouped(n)),
            bugs => format!("{} found in {} instances.", counted(bugs, "bug"), grouped(n)),
        };
        if self.waiting > 0 {
            let _ = write!(verdict, " Not examined yet: {}.", counted(self.waiting, "failure"));
        }
        for solver in self.mute() {
            let why = match self.state.errors.get(solver) {
                Some(error) => format!("; its first error: {error}"),
                None if self.is_late(solver) => " in time; --time-limit sets another limit".to_owned(),
                None => String::new(),
            };
            let _ = write!(verdict, " {solver} has answered nothing{why}.");
        }
        verdict
    }

    fn numbers(&self) -> String {
        let s = &self.state;
        let (seen, all) = self.pairs;
        let share = 100.0 * seen as f64 / all.max(1) as f64;
        let own = 100.0 * s.own / (s.own + s.asked).max(1e-9);
        let mut out = String::new();
        let parts = if s.parts > 0 { format!(", the sum of {} parts", s.parts) } else { String::new() };
        let _ = writeln!(out, "time            {:.0} s, of which triage {:.0} s{parts}", s.seconds, s.triage);
        let _ = writeln!(out, "CPU time        {}", cpu(s));
        let _ = writeln!(
            out,
            "in solvers      {:.0} s; our own work {:.0} s, {own:.0} % of both",
            s.asked, s.own
        );
        let _ = writeln!(out, "operator pairs  {seen} of {all}, {share:.1} %");
        let _ = writeln!(
            out,
            "failures        {} kept, {} like known findings and not examined",
            s.kept,
            s.skipped()
        );
        if let Some(first) = self.refused.first() {
            let _ = writeln!(
                out,
                "in no group     {} of those kept; the first: {first} (stringent triage {} lists them)",
                self.refused.len(),
                shell(&self.store.display().to_string())
            );
        }
        let imprecise = |(kind, _): &(&Kind, &u64)| kind.severity() == Severity::Imprecise;
        let imprecise: u64 = s.kinds.values().flatten().filter(imprecise).map(|(_, n)| n).sum();
        if imprecise > 0 {
            let _ = writeln!(
                out,
                "imprecise       {}, among the correct ones: a core that is not minimal, for example",
                counted(imprecise, "answer")
            );
        }
        out.push_str(&self.sessions());
        if s.false_statements > 0 {
            let _ = writeln!(
                out,
                "statements      {} values, simplified terms or assumptions are false, without a wrong answer; the first:",
                grouped(s.false_statements)
            );
            for words in s.remarks.iter().take(MAX_REMARKS) {
                let _ = writeln!(out, "                {}", words.replace('\n', "\n                "));
            }
        }
        if !s.mislabelled.is_empty() {
            let _ = writeln!(out, "wrong labels    {} (errors of stringent)", s.mislabelled.len());
        }
        out
    }

    /// Failures that need a session, and those that were not there again.
    fn sessions(&self) -> String {
        let s = &self.state;
        let mut out = String::new();
        if s.session_only > 0 {
            let _ = writeln!(
                out,
                "session only    {} after other instances in one process, and not alone; kept as incremental scripts",
                counted(s.session_only, "failure")
            );
        }
        let again: u64 = s.unrepeated.values().sum();
        if again > 0 {
            let reasons: Vec<String> = s.unrepeated.iter().map(|(why, n)| format!("{n} {why}")).collect();
            let _ = writeln!(
                out,
                "not repeated    {} not there again, {} of them kept as flaky: {}",
                counted(again, "failure"),
                s.flaky,
                reasons.join("; ")
            );
        }
        out
    }

    /// A table: answers by solver.
    fn answers(&self) -> String {
        let mut out = String::new();
        let wide = self.state.kinds.keys().map(String::len).max().unwrap_or(0).max(6);
        let tallies: Vec<(&String, BTreeMap<Verdict, u64>)> =
            self.state.kinds.iter().map(|(solver, kinds)| (solver, by_verdict(kinds))).collect();
        let used = |v: &&Verdict| tallies.iter().any(|(_, t)| t.contains_key(v));
        let columns: Vec<Verdict> = Verdict::ALL.iter().filter(used).copied().collect();
        let _ = write!(out, "{:<wide$}", "solver");
        for v in &columns {
            let _ = write!(out, "{v:>10}");
        }
        out.push('\n');
        for (solver, tally) in &tallies {
            let _ = write!(out, "{solver:<wide$}");
            for v in &columns {
                let _ = write!(out, "{:>10}", tally.get(v).map_or("·".to_owned(), |&n| grouped(n)));
            }
            out.push('\n');
        }
        out
    }

    /// A table: sources, over all solvers.
    fn sources(&self) -> String {
        let mut by_source: BTreeMap<&str, [u64; 3]> = BTreeMap::new();
        for Arm { source, instances, failures, findings, .. } in &self.state.arms.list {
            let sums = by_source.entry(source).or_default();
            for (sum, n) in sums.iter_mut().zip([instances, failures, findings]) {
                *sum += n;
            }
        }
        let mut out = format!("{:<16}{:>12}{:>10}{:>10}\n", "source", "instances", "failures", "findings");
        let (used, idle): (Vec<_>, Vec<_>) = by_source.into_iter().partition(|(_, sums)| sums[0] > 0);
        for (source, [instances, failures, findings]) in used {
            let _ = writeln!(
                out,
                "{source:<16}{:>12}{:>10}{:>10}",
                grouped(instances),
                grouped(failures),
                findings
            );
        }
        let idle: Vec<&str> = idle.into_iter().map(|(source, _)| source).collect();
        if !idle.is_empty() {
            let _ = writeln!(out, "no turn yet: {}", idle.join(", "));
        }
        out
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let kinds: BTreeMap<&String, BTreeMap<&str, u64>> = (self.state.kinds.iter())
            .map(|(solver, kinds)| (solver, kinds.iter().map(|(k, &n)| (k.code(), n)).collect()))
            .collect();
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "store": self.store,
            "instances": self.state.instances(),
            "parts": self.state.parts,
            "seconds": self.state.seconds,
            "seconds-in-solvers": self.state.asked,
            "seconds-own": self.state.own,
            "seconds-triage": self.state.triage,
            "cpu-seconds": { "own": self.state.cpu_own, "solvers": self.state.cpu_solvers },
            "operator-pairs": { "seen": self.pairs.0, "legal": self.pairs.1 },
            "failures": {
                "kept": self.state.kept,
                "waiting": self.waiting,
                "refused": self.refused,
                "skipped": self.state.skipped(),
                "session-only": self.state.session_only,
                "unrepeated": self.state.unrepeated,
            },
            "mute": self.mute(),
            "wrong-labels": self.state.mislabelled,
            "false-statements": { "count": self.state.false_statements, "first": self.state.remarks },
            "models-asserted-back": self.state.backed,
            "verdicts": kinds,
            "arms": self.state.arms.list,
            "findings": self.findings,
            "stopped": self.stopped,
        })
    }
}

/// The CPU time, as in `6.2 h, of which solvers 6.0 h`.
fn cpu(state: &State) -> String {
    let words = |seconds: f64| match seconds {
        s if s >= 3600.0 => format!("{:.1} h", s / 3600.0),
        s if s >= 600.0 => format!("{:.0} min", s / 60.0),
        s => format!("{s:.0} s"),
    };
    format!("{}, of which solvers {}", words(state.cpu_own + state.cpu_solvers), words(state.cpu_solvers))
}

/// The column of a kind in the table of answers: an imprecise result is not unsound, and stands with those that are right.
fn column(kind: Kind) -> Verdict {
    if kind.severity() == Severity::Imprecise { Verdict::Ok } else { kind.verdict() }
}

fn by_verdict(kinds: &BTreeMap<Kind, u64>) -> BTreeMap<Verdict, u64> {
    let mut tally = BTreeMap::new();
    for (kind, n) in kinds {
        *tally.entry(column(*kind)).or_default() += n;
    }
    tally
}
