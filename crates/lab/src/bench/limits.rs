//! The time that the built-in solver takes beyond its limit, on scripts that are hard to stop.
//!
//! Each script of [`inputs`] is solved by a process of its own with a time limit. The overrun is the wall-clock time of the
//! process, from its start to its end, minus the limit: reading the file, the check, and freeing memory are included.
//! At most a tenth of the limit and 100 ms are allowed. On a machine that does other work, part of the overrun is waiting for a
//! core, so the table also has the CPU time.
//!
//! This measures; `tests/limits.rs` tests without a clock that the time is looked at often enough.

pub mod inputs;

use super::peers::Program;
use crate::{Host, Report};
use anyhow::Context as _;
use inputs::INPUTS;
use serde_json::json;
use std::fmt::Write as _;

/// The result of one script.
struct Row {
    name: &'static str,
    bytes: usize,
    answer: String,
    wall: f64,
    cpu: f64,
    peak_mb: f64,
}

/// Overruns of all scripts.
pub struct Overruns {
    limit: f64,
    rows: Vec<Row>,
}

/// Solves all scripts with a limit, in seconds. The shortest of `runs` runs counts.
pub fn run(limit: f64, runs: usize, host: &Host<'_>) -> anyhow::Result<Overruns> {
    let dir = tempfile::tempdir().context("cannot create a temporary directory")?;
    let program = Program::own("solve")?.with(&["--time-limit", &limit.to_string()]);
    let mut rows = Vec::new();
    for &(name, text) in INPUTS {
        host.progress.notice(&format!("{name} …"));
        let file = dir.path().join(format!("{name}.smt2"));
        let text = text();
        std::fs::write(&file, &text).with_context(|| format!("cannot write `{}`", file.display()))?;
        let mut best: Option<Row> = None;
        for _ in 0..runs.max(1) {
            let run = program.run(&[&file.to_string_lossy()], host.cancel)?;
            let answer = run.output.lines().next().unwrap_or_default().to_owned();
            let (wall, cpu) = (run.wall.as_secs_f64(), run.cpu.as_secs_f64());
            let row = Row { name, bytes: text.len(), answer, wall, cpu, peak_mb: run.peak_mb() };
            best = best.filter(|b| b.wall <= row.wall).or(Some(row));
        }
        rows.extend(best);
    }
    Ok(Overruns { limit, rows })
}

impl Overruns {
    fn overrun(&self, row: &Row) -> f64 {
        (row.wall - self.limit).max(0.0)
    }

    fn allowed(&self) -> f64 {
        self.limit / 10.0 + 0.1
    }

    fn too_late(&self) -> usize {
        self.rows.iter().filter(|r| self.overrun(r) > self.allowed()).count()
    }

    fn sorted(&self) -> Vec<f64> {
        let mut all: Vec<f64> = self.rows.iter().map(|r| self.overrun(r)).collect();
        all.sort_by(f64::total_cmp);
        all
    }
}

impl Report for Overruns {
    fn text(&self) -> String {
        let (all, limit) = (self.sorted(), self.limit);
        let mut out = format!("built-in solver, limit {limit} s, complete processes\n");
        for r in &self.rows {
            let over = self.overrun(r);
            let mark = if over > self.allowed() { "  too late" } else { "" };
            let _ = writeln!(
                out,
                "  {:<22} {:>8} KB {:<8} {:>7.2} s {:>7.2} s CPU {:>6.0} MB  + {:>5.0} ms{mark}",
                r.name,
                r.bytes / 1000,
                r.answer,
                r.wall,
                r.cpu,
                r.peak_mb,
                1e3 * over
            );
        }
        let _ = writeln!(
            out,
            "overrun: median {:.0} ms, worst {:.0} ms; allowed {:.0} ms; {} of {} too late",
            1e3 * all[all.len() / 2],
            1e3 * all[all.len() - 1],
            1e3 * self.allowed(),
            self.too_late(),
            all.len()
        );
        out
    }

    fn json(&self) -> serde_json::Value {
        let row = |r: &Row| {
            json!({ "script": r.name, "bytes": r.bytes, "answer": r.answer, "seconds": r.wall, "cpu": r.cpu,
                "peak_mb": r.peak_mb, "overrun": self.overrun(r) })
        };
        let all = self.sorted();
        json!({ "version": env!("CARGO_PKG_VERSION"), "limit": self.limit, "allowed": self.allowed(),
            "median": all[all.len() / 2], "worst": all[all.len() - 1], "too_late": self.too_late(),
            "rows": self.rows.iter().map(row).collect::<Vec<_>>() })
    }
}
