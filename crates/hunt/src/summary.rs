//! The result of a hunt: findings first, then the numbers.

use crate::arms::Arm;
use crate::state::State;
use crate::variant::pairs;
use campaign::clean::count as grouped;
use campaign::finding::Finding;
use campaign::finding::words::title;
use campaign::outcome::{Kind, Verdict};
use campaign::profile::Solver;
use campaign::store::Store;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

/// False statements that are shown.
const MAX_REMARKS: usize = 3;

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
        Ok(Summary { store: store.path().to_owned(), findings, state, pairs, stopped })
    }

    /// For a terminal.
    pub fn text(&self) -> String {
        let mut out = format!("{}\n\n", self.verdict());
        for finding in &self.findings {
            let Finding { number, reduced, .. } = finding;
            let _ = writeln!(
                out,
                "{number:>3}  {}, {} bytes, {} failures",
                title(finding),
                reduced.bytes,
                finding.members.len()
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
        match self.findings.len() {
            0 => format!("No bug found in {} instances.", grouped(n)),
            1 => format!("1 bug found in {} instances.", grouped(n)),
            bugs => format!("{bugs} bugs found in {} instances.", grouped(n)),
        }
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
        if s.session_only > 0 {
            let _ = writeln!(
                out,
                "session only    {} failed after other instances, and not in a fresh process",
                s.session_only
            );
        }
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
        for (source, [instances, failures, findings]) in by_source {
            let _ = writeln!(
                out,
                "{source:<16}{:>12}{:>10}{:>10}",
                grouped(instances),
                grouped(failures),
                findings
            );
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
            "failures": { "kept": self.state.kept, "skipped": self.state.skipped(), "session-only": self.state.session_only },
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

fn by_verdict(kinds: &BTreeMap<Kind, u64>) -> BTreeMap<Verdict, u64> {
    let mut tally = BTreeMap::new();
    for (kind, n) in kinds {
        *tally.entry(kind.verdict()).or_default() += n;
    }
    tally
}
