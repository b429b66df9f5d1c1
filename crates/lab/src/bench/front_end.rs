//! Parsing and sort-checking a large script, compared with the parsers of other solvers.

use super::peers::{Program, Row};
use super::script;
use crate::{Host, Report};
use anyhow::Context as _;
use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Value, json};
use smt::Pool;
use std::path::PathBuf;
use std::time::Instant;

/// What to measure.
pub struct Options {
    /// Size of the script.
    pub megabytes: usize,
    /// Peers as `NAME=COMMAND`; if there are none, those of `STRINGENT_CVC5` and `STRINGENT_Z3`.
    pub peers: Vec<String>,
    /// Runs of each program; the fastest counts.
    pub runs: usize,
    /// Seed of the script.
    pub seed: u64,
    /// Where the script is kept.
    pub keep: Option<PathBuf>,
}

/// Rates of several parsers on one script.
pub struct Speed {
    title: String,
    megabytes: f64,
    /// The first one is ours.
    rows: Vec<Row>,
}

/// StringFuzz, as recorded on its own machine; it is not run here.
const STRINGFUZZ_MB_PER_S: f64 = 0.7;

/// Measures the front end.
pub fn run(options: &Options, host: &Host<'_>) -> anyhow::Result<Speed> {
    let text = script::large(options.seed, options.megabytes << 20);
    let megabytes = text.len() as f64 / 1e6;
    let dir = tempfile::tempdir().context("cannot create a temporary directory")?;
    let file = options.keep.clone().unwrap_or_else(|| dir.path().join("front-end.smt2"));
    std::fs::write(&file, &text).with_context(|| format!("cannot write `{}`", file.display()))?;
    let mut rows = vec![Program::own("check")?.measure(&file, options.runs, host.cancel)?];
    for peer in peers(&options.peers)? {
        host.progress.notice(&format!("running {} …", peer.name));
        rows.push(peer.measure(&file, options.runs, host.cancel)?);
    }
    rows.extend(in_process(&text, options.runs));
    rows.push(Row {
        name: "StringFuzz (recorded, 0.7 MB/s)".into(),
        seconds: megabytes / STRINGFUZZ_MB_PER_S,
        peak_mb: None,
        note: "not run here".into(),
    });
    let title = format!("front end on {megabytes:.1} MB, seed {}, fastest of {}", options.seed, options.runs);
    Ok(Speed { title, megabytes, rows })
}

fn peers(given: &[String]) -> anyhow::Result<Vec<Program>> {
    if !given.is_empty() {
        return given.iter().map(|p| Program::parse(p)).collect();
    }
    let cvc5 = Program::from_env("cvc5 --parse-only", "STRINGENT_CVC5", &["--parse-only", "--quiet"]);
    Ok(cvc5.into_iter().chain(Program::from_env("z3", "STRINGENT_Z3", &[])).collect())
}

/// Parsing and printing, without a process.
fn in_process(text: &str, runs: usize) -> [Row; 2] {
    let parse = fastest("in process: parse", runs, || {
        let mut pool = Pool::new();
        assert!(smt::parse(text.as_bytes(), None, &mut pool).is_ok(), "the generated script is well sorted");
    });
    let mut pool = Pool::new();
    let parsed = smt::parse(text.as_bytes(), None, &mut pool);
    let print = fastest("in process: print", runs, || {
        smt::print::script_text(&pool, &parsed.script, smt::Dialect::Smt26, None, None)
            .expect("every script can be written in 2.6");
    });
    [parse, print]
}

fn fastest(name: &str, runs: usize, mut work: impl FnMut()) -> Row {
    let mut best = f64::MAX;
    for _ in 0..runs.max(1) {
        let start = Instant::now();
        work();
        best = best.min(start.elapsed().as_secs_f64());
    }
    Row { name: name.into(), seconds: best, peak_mb: None, note: String::new() }
}

impl Report for Speed {
    fn text(&self) -> String {
        let (mb, ours) = (self.megabytes, self.rows[0].seconds);
        let mut table = Table::new();
        table.load_preset(presets::UTF8_BORDERS_ONLY);
        table.set_header(["", "seconds", "MB/s", "× our time", "peak MB", "peak / file", ""]);
        for r in &self.rows {
            table.add_row([
                r.name.clone(),
                format!("{:.3}", r.seconds),
                format!("{:.1}", mb / r.seconds),
                format!("{:.2}", r.seconds / ours),
                r.peak_mb.map_or_else(String::new, |p| format!("{p:.0}")),
                r.peak_mb.map_or_else(String::new, |p| format!("{:.1}", p / mb)),
                r.note.clone(),
            ]);
        }
        for column in table.column_iter_mut().skip(1).take(5) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        format!("{}\n{table}\n", self.title)
    }

    fn json(&self) -> Value {
        let ours = self.rows[0].seconds;
        let row = |r: &Row| {
            json!({ "name": r.name, "seconds": r.seconds, "mb_per_s": self.megabytes / r.seconds,
                "times_ours": r.seconds / ours, "peak_mb": r.peak_mb, "note": r.note })
        };
        let rows: Vec<_> = self.rows.iter().map(row).collect();
        json!({ "version": env!("CARGO_PKG_VERSION"), "title": self.title, "megabytes": self.megabytes, "rows": rows })
    }
}
