//! Sessions of a concolic executor, beside other solvers: one process per session, the path kept on the stack, the negation
//! of each branch checked.
//!
//! The programs are parsers and validators (`programs`). Their runs on known inputs give the paths, so that a session
//! does not depend on the answers of a solver, and all solvers get the same one.

mod programs;
mod run;
mod script;

use super::peers::Program;
use crate::{Host, Report};
use anyhow::Context as _;
use serde_json::json;
use std::fmt::Write as _;

/// What is measured.
pub struct Settings {
    /// Sessions.
    pub sessions: usize,
    /// Checks in a session: from a fifth of this number up to it.
    pub checks: usize,
    /// The limit of each check, in seconds.
    pub limit: f64,
    /// The seed of the first session.
    pub seed: u64,
    /// Keeps the sessions in this folder.
    pub keep: Option<std::path::PathBuf>,
    /// `NAME=COMMAND`; if there are none, those of the environment.
    pub peers: Vec<String>,
}

/// What one solver did in all sessions.
#[derive(Default)]
struct Total {
    name: String,
    wall: f64,
    cpu: f64,
    sat: usize,
    unsat: usize,
    /// Unknown, or no answer.
    open: usize,
    peak_mb: f64,
    /// Checks with another answer than ours, where both have one.
    different: usize,
}

/// The totals of all solvers; the first one is ours.
pub struct Sessions {
    sessions: usize,
    checks: usize,
    limit: f64,
    totals: Vec<Total>,
}

/// Runs all solvers on all sessions.
pub fn run(settings: &Settings, host: &Host<'_>) -> anyhow::Result<Sessions> {
    let dir = tempfile::tempdir().context("cannot create a temporary directory")?;
    let folder = settings.keep.as_deref().unwrap_or(dir.path());
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
    let programs = solvers(settings)?;
    let total = |p: &Program| Total { name: p.name.clone(), ..Total::default() };
    let mut out = Sessions {
        sessions: 0,
        checks: 0,
        limit: settings.limit,
        totals: programs.iter().map(total).collect(),
    };
    for k in 0..settings.sessions {
        let least = settings.checks / 5;
        let wanted = least + (settings.checks - least) * k / settings.sessions.max(1);
        let (text, count) = script::session(settings.seed + k as u64, wanted.max(1));
        let file = folder.join(format!("session-{k:03}.smt2"));
        std::fs::write(&file, text).with_context(|| format!("cannot write `{}`", file.display()))?;
        host.progress.notice(&format!("session {} of {}: {count} checks …", k + 1, settings.sessions));
        let mut ours: Vec<String> = Vec::new();
        for (i, (program, total)) in programs.iter().zip(&mut out.totals).enumerate() {
            let run = program.run(&[&file.to_string_lossy()], host.cancel)?;
            let answers = answers(&run.output, count);
            total.wall += run.wall.as_secs_f64();
            total.cpu += run.cpu.as_secs_f64();
            total.peak_mb = total.peak_mb.max(run.peak_mb());
            total.count(&answers, &ours);
            if i == 0 {
                ours = answers;
            }
        }
        out.sessions += 1;
        out.checks += count;
    }
    Ok(out)
}

impl Total {
    fn count(&mut self, answers: &[String], ours: &[String]) {
        let number = |word: &str| answers.iter().filter(|a| *a == word).count();
        self.sat += number("sat");
        self.unsat += number("unsat");
        self.open += answers.len() - number("sat") - number("unsat");
        let differ = |(a, b): &(&String, &String)| {
            a != b && [a, b].iter().all(|t| matches!(t.as_str(), "sat" | "unsat"))
        };
        self.different += answers.iter().zip(ours).filter(differ).count();
    }
}

/// The answers to `count` checks; those that are missing are `none`.
fn answers(output: &str, count: usize) -> Vec<String> {
    let is_answer = |l: &&str| matches!(*l, "sat" | "unsat" | "unknown" | "timeout");
    let mut out: Vec<String> = output.lines().map(str::trim).filter(is_answer).map(str::to_owned).collect();
    out.resize(count, "none".to_owned());
    out
}

fn solvers(settings: &Settings) -> anyhow::Result<Vec<Program>> {
    let limit = format!("{}", settings.limit);
    let milliseconds = format!("{:.0}", settings.limit * 1e3);
    let ours = ["--time-limit", &limit];
    let mut out = vec![Program::own("solve")?.with(&ours)];
    if settings.peers.is_empty() {
        out.extend(Program::from_env("z3", "STRINGENT_Z3", &[&format!("-t:{milliseconds}")]));
        let cvc5 = ["--incremental", "--strings-exp", "--quiet", &format!("--tlimit-per={milliseconds}")];
        out.extend(Program::from_env("cvc5", "STRINGENT_CVC5", &cvc5));
    }
    for peer in &settings.peers {
        out.push(Program::parse(peer)?);
    }
    Ok(out)
}

impl Report for Sessions {
    fn text(&self) -> String {
        let mut out = format!(
            "{} sessions, {} checks, {} s each; complete processes\n",
            self.sessions, self.checks, self.limit
        );
        for t in &self.totals {
            let _ = writeln!(
                out,
                "  {:<18} {:>9.2} s wall {:>9.2} s CPU {:>6} sat {:>6} unsat {:>6} open {:>4} differ {:>8.1} MB",
                t.name, t.wall, t.cpu, t.sat, t.unsat, t.open, t.different, t.peak_mb
            );
        }
        out
    }

    fn json(&self) -> serde_json::Value {
        let row = |t: &Total| {
            json!({ "name": t.name, "wall_seconds": t.wall, "cpu_seconds": t.cpu, "sat": t.sat, "unsat": t.unsat,
                "open": t.open, "differ": t.different, "peak_mb": t.peak_mb })
        };
        let totals: Vec<_> = self.totals.iter().map(row).collect();
        json!({ "version": env!("CARGO_PKG_VERSION"), "sessions": self.sessions, "checks": self.checks,
            "seconds_per_check": self.limit, "solvers": totals })
    }
}
