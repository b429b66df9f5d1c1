//! Latency over one pipe, beside other solvers: `push`, `assert`, `check-sat`, `get-value`, `pop`, each query when the last one is answered.
//!
//! Two workloads: the queries of programs that work on strings, twelve shapes in turn with changing constants, and trivial ones, where only the
//! session is measured. All solvers get the same text.

use super::peers::Program;
use crate::{Host, Report};
use anyhow::{Context as _, bail};
use serde_json::json;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

/// What is measured.
pub struct Settings {
    /// Queries of each workload.
    pub queries: usize,
    /// The limit of each check, in seconds.
    pub limit: f64,
    /// The time of one solver on one workload, in seconds; then it is stopped and its rate counts.
    pub at_most: f64,
    /// `NAME=COMMAND`; if there are none, those of the environment.
    pub peers: Vec<String>,
}

/// What one solver did with one workload.
struct Row {
    workload: &'static str,
    name: String,
    queries: usize,
    /// Answered `sat` or `unsat`.
    decided: usize,
    wall: f64,
    /// CPU time, where the system tells.
    cpu: Option<f64>,
}

impl Row {
    fn rate(&self) -> f64 {
        self.queries as f64 / self.wall.max(1e-9)
    }
}

/// The rows of all solvers; in each workload the first is ours.
pub struct Latency {
    queries: usize,
    rows: Vec<Row>,
}

/// A workload: the assertions of query `i`, and the term whose value is requested.
type Workload = (&'static str, fn(usize) -> (String, &'static str));

const WORKLOADS: &[Workload] = &[("mixed", mixed), ("trivial", trivial)];

const DECLARATIONS: &str =
    "(set-logic ALL)(declare-const x String)(declare-const y String)(declare-const n Int)";

fn trivial(i: usize) -> (String, &'static str) {
    (format!("(assert (= x \"a{i}\"))"), "x")
}

fn mixed(i: usize) -> (String, &'static str) {
    let (k, c) = (i % 7 + 1, char::from(b'a' + (i % 23) as u8));
    match i % 12 {
        0 => (format!("(assert (= (str.++ x y) \"key{c}=value{i}\"))(assert (= (str.len x) {k}))"), "y"),
        1 => (
            format!(
                "(assert (str.in_re x ((_ re.^ {k}) (re.range \"a\" \"f\"))))(assert (str.contains x \"c\"))"
            ),
            "x",
        ),
        2 => (format!("(assert (= (str.to_int x) {i}))(assert (= (str.len x) 6))"), "x"),
        3 => (format!("(assert (= (str.indexof x \"{c}\" 0) {k}))(assert (= (str.len x) 9))"), "x"),
        4 => (
            format!(
                "(assert (str.prefixof \"/{c}/\" x))(assert (not (str.contains x \"..\")))(assert (> (str.len x) {k}))"
            ),
            "x",
        ),
        5 => (
            format!("(assert (= (str.replace x \"{c}\" \"<>\") \"a<>b\"))(assert (not (= x \"a<>b\")))"),
            "x",
        ),
        6 => (
            format!(
                "(assert (= (str.substr x 1 2) \"{c}{c}\"))(assert (str.suffixof \"z\" x))(assert (= n (str.len x)))"
            ),
            "n",
        ),
        7 => (format!("(assert (= (str.++ x \"{c}\") (str.++ \"{c}\" x)))(assert (= (str.len x) {k}))"), "x"),
        8 => (
            format!("(assert (str.in_re x (re.+ (re.range \"0\" \"9\"))))(assert (str.contains x \"{c}\"))"),
            "x",
        ),
        9 => (
            format!(
                "(assert (= n (+ (str.len x) (* 2 (str.len y)))))(assert (= n {k}))(assert (not (= x y)))"
            ),
            "n",
        ),
        10 => (
            format!(
                "(assert (= (str.at x {k}) \"{c}\"))(assert (str.in_re x (re.* (re.union (str.to_re \"{c}\") (str.to_re \"-\")))))"
            ),
            "x",
        ),
        _ => (format!("(assert (= (str.from_int n) x))(assert (> n {i}))(assert (= (str.len x) 5))"), "n"),
    }
}

/// Runs all solvers on both workloads.
///
/// # Errors
/// A solver cannot be started, or ends by itself.
pub fn run(settings: &Settings, host: &Host<'_>) -> anyhow::Result<Latency> {
    let mut rows = Vec::new();
    for &(workload, query) in WORKLOADS {
        for program in solvers(settings)? {
            if host.cancel.is_cancelled() {
                bail!("stopped");
            }
            host.progress.notice(&format!("{workload}: {} …", program.name));
            let mut row =
                Row { workload, name: program.name.clone(), queries: 0, decided: 0, wall: 0.0, cpu: None };
            drive(&program, settings, query, &mut row).with_context(|| program.name.clone())?;
            rows.push(row);
        }
    }
    Ok(Latency { queries: settings.queries, rows })
}

fn drive(
    program: &Program,
    settings: &Settings,
    query: fn(usize) -> (String, &'static str),
    row: &mut Row,
) -> anyhow::Result<()> {
    let mut session = Session::start(program)?;
    session.send(DECLARATIONS)?;
    let (start, end) = (Instant::now(), Duration::from_secs_f64(settings.at_most));
    while row.queries < settings.queries && start.elapsed() < end {
        let (assertions, value) = query(row.queries);
        session.send(&format!("(push 1){assertions}(check-sat)"))?;
        let answer = session.line()?;
        if answer == "sat" {
            session.send(&format!("(get-value ({value}))(echo \"end\")"))?;
            while session.line()?.trim_matches('"') != "end" {}
        }
        session.send("(pop 1)")?;
        row.queries += 1;
        row.decided += usize::from(matches!(answer.as_str(), "sat" | "unsat"));
    }
    row.wall = start.elapsed().as_secs_f64();
    row.cpu = session.cpu();
    Ok(())
}

/// A solver at the end of a pipe; killed when it is dropped.
struct Session {
    child: Child,
    requests: ChildStdin,
    responses: BufReader<ChildStdout>,
}

impl Session {
    fn start(program: &Program) -> anyhow::Result<Session> {
        let mut command = program.command();
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let (requests, responses) = (child.stdin.take(), child.stdout.take());
        let (requests, responses) = (requests.context("no pipe")?, responses.context("no pipe")?);
        Ok(Session { child, requests, responses: BufReader::new(responses) })
    }

    fn send(&mut self, text: &str) -> std::io::Result<()> {
        self.requests.write_all(text.as_bytes())?;
        self.requests.write_all(b"\n")?;
        self.requests.flush()
    }

    fn line(&mut self) -> anyhow::Result<String> {
        let mut line = String::new();
        if self.responses.read_line(&mut line)? == 0 {
            bail!("it ended during the session");
        }
        Ok(line.trim().to_owned())
    }

    /// CPU time so far: user and system time in hundredths of a second, as Linux has them.
    fn cpu(&self) -> Option<f64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks = |i: usize| fields.get(i)?.parse::<f64>().ok();
        Some((ticks(11)? + ticks(12)?) / 100.0)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn solvers(settings: &Settings) -> anyhow::Result<Vec<Program>> {
    let limit = format!("{}", settings.limit);
    let milliseconds = format!("{:.0}", settings.limit * 1e3);
    let mut out = vec![Program::own("solve")?.with(&["--time-limit", &limit])];
    if settings.peers.is_empty() {
        out.extend(Program::from_env("z3", "STRINGENT_Z3", &["-in", &format!("-t:{milliseconds}")]));
        let per_check = format!("--tlimit-per={milliseconds}");
        let cvc5 = ["--incremental", "--strings-exp", "--produce-models", &per_check, "-"];
        out.extend(Program::from_env("cvc5", "STRINGENT_CVC5", &cvc5));
    }
    for peer in &settings.peers {
        out.push(Program::parse(peer)?);
    }
    Ok(out)
}

impl Latency {
    /// The rate of ours in a workload.
    fn ours(&self, workload: &str) -> f64 {
        self.rows.iter().find(|r| r.workload == workload).map_or(0.0, Row::rate)
    }
}

impl Report for Latency {
    fn text(&self) -> String {
        let mut out =
            format!("push, assert, check-sat, get-value, pop: {} queries over one pipe\n", self.queries);
        for r in &self.rows {
            let cpu = r.cpu.map_or_else(String::new, |s| {
                format!("{:>9.2} ms CPU each", 1e3 * s / r.queries.max(1) as f64)
            });
            let _ = writeln!(
                out,
                "  {:<8} {:<16} {:>6} queries {:>8.2} s {:>9.0} queries/s {cpu} {:>6} open   ours is {:.1} × as fast",
                r.workload,
                r.name,
                r.queries,
                r.wall,
                r.rate(),
                r.queries - r.decided,
                self.ours(r.workload) / r.rate().max(1e-9)
            );
        }
        out
    }

    fn json(&self) -> serde_json::Value {
        let row = |r: &Row| {
            json!({ "workload": r.workload, "name": r.name, "queries": r.queries, "decided": r.decided, "wall_seconds": r.wall,
                "cpu_seconds": r.cpu, "ratio": self.ours(r.workload) / r.rate().max(1e-9) })
        };
        let rows: Vec<_> = self.rows.iter().map(row).collect();
        json!({ "version": env!("CARGO_PKG_VERSION"), "queries": self.queries, "solvers": rows })
    }
}

#[cfg(test)]
mod tests {
    use super::{DECLARATIONS, WORKLOADS};

    #[test]
    fn every_query_can_be_read() {
        for (name, query) in WORKLOADS {
            for i in 0..40 {
                let (assertions, value) = query(i);
                let text = format!("{DECLARATIONS}{assertions}(check-sat)(get-value ({value}))");
                let mut pool = smt::Pool::new();
                assert!(
                    smt::parse(text.as_bytes(), Some(smt::Dialect::Smt26), &mut pool).is_ok(),
                    "{name} {i}: {text}"
                );
            }
        }
    }
}
