//! The built-in solver as a process compared with others: start-up, trivial formulas, and memory over many checks.

use super::peers::{Program, Row};
use crate::{Host, Report};
use anyhow::Context as _;
use serde_json::json;
use std::fmt::Write as _;

/// Trivial scripts, by name.
const TRIVIAL: &[(&str, &str)] = &[
    ("nothing asserted", "(check-sat)"),
    ("x = \"a\"", "(declare-const x String)(assert (= x \"a\"))(check-sat)"),
    (
        "word equation, sat",
        "(declare-const x String)(declare-const y String)(assert (= (str.++ x \"ab\" y) (str.++ \"a\" y \"bc\")))\
         (assert (= (str.len x) 2))(assert (not (= x y)))(check-sat)",
    ),
    (
        "lengths, unsat",
        "(declare-const x String)(declare-const y String)(assert (= (str.++ x x) (str.++ y \"a\")))\
         (assert (= (str.len y) (* 2 (str.len x))))(check-sat)",
    ),
    (
        "contains, indexof, replace",
        "(declare-const x String)(declare-const i Int)(assert (str.contains x \"key=\"))\
         (assert (= i (str.indexof x \"=\" 0)))(assert (> i 5))(assert (= (str.at x (+ i 1)) \"v\"))\
         (assert (not (= (str.replace x \"key\" \"\") x)))(check-sat)",
    ),
];

/// Times of programs on each script.
pub struct Times {
    runs: usize,
    /// The title of each script, and a row for each program; the first one is ours.
    tables: Vec<(String, Vec<Row>)>,
}

/// The least number of runs on trivial scripts.
const MIN_RUNS: usize = 20;

/// Measures solvers as processes. `peers` are `NAME=COMMAND`; if there are none, those of the environment.
pub fn run(runs: usize, peers: &[String], checks: usize, host: &Host<'_>) -> anyhow::Result<Times> {
    let dir = tempfile::tempdir().context("cannot create a temporary directory")?;
    let programs = programs(peers)?;
    let file = dir.path().join("script.smt2");
    let runs = runs.max(MIN_RUNS);
    let measure = |script: &str, runs: usize| -> anyhow::Result<Vec<Row>> {
        std::fs::write(&file, script).with_context(|| format!("cannot write `{}`", file.display()))?;
        programs.iter().map(|p| p.measure(&file, runs, host.cancel)).collect()
    };
    let mut tables = Vec::new();
    for (name, text) in TRIVIAL {
        tables.push(((*name).to_owned(), measure(&format!("(set-logic ALL)\n{text}\n"), runs)?));
    }
    for count in [checks / 100, checks] {
        host.progress.notice(&format!("{count} checks …"));
        tables.push((format!("{count} checks with push and pop"), measure(&session(count), 1)?));
    }
    Ok(Times { runs, tables })
}

fn programs(peers: &[String]) -> anyhow::Result<Vec<Program>> {
    let mut out = vec![Program::own("solve")?];
    if peers.is_empty() {
        out.extend(Program::from_env("z3", "STRINGENT_Z3", &[]));
        let cvc5 = ["--incremental", "--strings-exp", "--quiet"];
        out.extend(Program::from_env("cvc5", "STRINGENT_CVC5", &cvc5));
    }
    for peer in peers {
        out.push(Program::parse(peer)?);
    }
    Ok(out)
}

/// A session with `checks` checks, each on its own level.
fn session(checks: usize) -> String {
    let mut text = String::from("(set-logic ALL)\n(declare-const x String)\n(declare-const i Int)\n");
    for n in 0..checks {
        let _ = writeln!(
            text,
            "(push 1)(declare-const y String)(assert (= x (str.++ y \"w{}\")))(assert (> (str.len x) i {}))(check-sat)(pop 1)",
            n % 100,
            n % 7
        );
    }
    text
}

impl Report for Times {
    fn text(&self) -> String {
        let mut out = format!("complete processes, fastest of {} (sessions: one run)\n", self.runs);
        for (title, rows) in &self.tables {
            let _ = writeln!(out, "{title}");
            for r in rows {
                let _ = writeln!(
                    out,
                    "  {:<18} {:>10.2} ms {:>8.2} × our time {:>8.1} MB  {}",
                    r.name,
                    r.seconds * 1e3,
                    r.seconds / rows[0].seconds,
                    r.peak_mb.unwrap_or_default(),
                    r.note
                );
            }
        }
        out
    }

    fn json(&self) -> serde_json::Value {
        let row = |ours: f64, r: &Row| {
            json!({ "name": r.name, "milliseconds": r.seconds * 1e3, "times_ours": r.seconds / ours,
                "peak_mb": r.peak_mb, "note": r.note })
        };
        let table = |(title, rows): &(String, Vec<Row>)| {
            let rows: Vec<_> = rows.iter().map(|r| row(rows[0].seconds, r)).collect();
            json!({ "script": title, "rows": rows })
        };
        let tables: Vec<_> = self.tables.iter().map(table).collect();
        json!({ "version": env!("CARGO_PKG_VERSION"), "runs": self.runs, "tables": tables })
    }
}
