//! `stringent bench`: speed, as ratios against peers in one run.

mod campaign;
pub(crate) mod echo;
mod r#gen;
mod solver;
mod synth;

use crate::Outcome;
use crate::render::{self, Format};
use anyhow::{Context as _, bail};
use comfy_table::{CellAlignment, Table, presets};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};
use semantics::{Evaluator, Model, Str, Value};
use smt::Pool;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;
use wait4::Wait4 as _;

/// Measure speed beside peers.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  stringent bench front-end\n  \
    stringent bench front-end --peer 'cvc5=cvc5 --parse-only' --peer z3=z3 --megabytes 20\n  stringent bench evaluator\n  \
    stringent bench campaign\n  stringent bench synth\n  stringent bench gen\n  stringent bench solver --checks 100000")]
pub(crate) struct Args {
    /// What to measure
    #[arg(value_enum)]
    what: What,
    /// Size of the generated script
    #[arg(long, default_value_t = 20)]
    megabytes: usize,
    /// A peer as NAME=COMMAND, run on the script (default: $STRINGENT_CVC5 and $STRINGENT_Z3, where set; front-end: the
    /// first with --parse-only)
    #[arg(long)]
    peer: Vec<String>,
    /// Runs of each; the fastest counts
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Checks in one session (solver)
    #[arg(long, default_value_t = 100_000)]
    checks: usize,
    /// Seed of the generated script
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Keep the generated script here
    #[arg(long)]
    keep: Option<std::path::PathBuf>,
    /// Output form
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum What {
    /// Parse and sort-check a large script
    FrontEnd,
    /// Operator applications per second on short strings
    Evaluator,
    /// What the campaign runner adds to starting a solver, and its speed in batch mode
    Campaign,
    /// Formulas with known answers per second
    Synth,
    /// Scripts of generators per second, in bulk and as a filter
    Gen,
    /// The built-in solver's process on trivial formulas, and its memory over many checks
    Solver,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    match args.what {
        What::FrontEnd => front_end(args)?,
        What::Evaluator => evaluator(args)?,
        What::Campaign => campaign::run(args.format, args.runs)?,
        What::Synth => synth::run(args.format, args.runs)?,
        What::Gen => r#gen::run(args.format, args.runs)?,
        What::Solver => solver::run(args.format, args.runs, &args.peer, args.checks)?,
    }
    Ok(Outcome::Clean)
}

/// One measured program.
struct Row {
    name: String,
    seconds: f64,
    peak_mb: Option<f64>,
    note: String,
}

/// StringFuzz, as recorded on its own machine: it is not run here.
const STRINGFUZZ_MB_PER_S: f64 = 0.7;

fn front_end(args: &Args) -> anyhow::Result<()> {
    let text = script(args.seed, args.megabytes << 20);
    let mb = text.len() as f64 / 1e6;
    let dir = tempfile::tempdir().context("cannot create a temporary directory")?;
    let file = args.keep.clone().unwrap_or_else(|| dir.path().join("front-end.smt2"));
    std::fs::write(&file, &text).with_context(|| format!("cannot write `{}`", file.display()))?;
    let me = std::env::current_exe().context("cannot find this binary")?;
    let mut rows = vec![measure("stringent check", &[me.as_os_str(), "check".as_ref()], &file, args.runs)?];
    for (name, command) in peers(args)? {
        render::notice(&format!("running {name} …"));
        let words: Vec<&std::ffi::OsStr> = command.split_whitespace().map(AsRef::as_ref).collect();
        rows.push(measure(&name, &words, &file, args.runs)?);
    }
    rows.push(in_process("in process: parse", args.runs, || {
        let mut pool = Pool::new();
        assert!(smt::parse(text.as_bytes(), None, &mut pool).is_ok(), "the generated script is well sorted");
    }));
    let mut pool = Pool::new();
    let parsed = smt::parse(text.as_bytes(), None, &mut pool);
    rows.push(in_process("in process: print", args.runs, || {
        smt::print::script_text(&pool, &parsed.script, smt::Dialect::Smt26, None, None)
            .expect("2.6 says all");
    }));
    rows.push(Row {
        name: "StringFuzz (recorded, 0.7 MB/s)".into(),
        seconds: mb / STRINGFUZZ_MB_PER_S,
        peak_mb: None,
        note: "not run here".into(),
    });
    show(args, &format!("front end on {mb:.1} MB, seed {}, fastest of {}", args.seed, args.runs), mb, &rows)
}

fn peers(args: &Args) -> anyhow::Result<Vec<(String, String)>> {
    if args.peer.is_empty() {
        let env = |name: &str| std::env::var(name).ok();
        let cvc5 =
            env("STRINGENT_CVC5").map(|c| ("cvc5 --parse-only".into(), format!("{c} --parse-only --quiet")));
        let z3 = env("STRINGENT_Z3").map(|c| ("z3".into(), c));
        return Ok(cvc5.into_iter().chain(z3).collect());
    }
    args.peer
        .iter()
        .map(|p| match p.split_once('=') {
            Some((name, command)) => Ok((name.to_owned(), command.to_owned())),
            None => bail!("`{p}`: a peer is NAME=COMMAND"),
        })
        .collect()
}

/// Runs `command FILE`; the fastest wall time and the largest resident set.
fn measure(name: &str, command: &[&std::ffi::OsStr], file: &Path, runs: usize) -> anyhow::Result<Row> {
    let (mut best, mut peak, mut note) = (f64::MAX, 0.0f64, String::new());
    for _ in 0..runs.max(1) {
        let start = Instant::now();
        let mut child = Command::new(command[0])
            .args(&command[1..])
            .arg(file)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot run {name}"))?;
        let used = child.wait4().with_context(|| format!("cannot wait for {name}"))?;
        best = best.min(start.elapsed().as_secs_f64());
        peak = peak.max(used.rusage.maxrss as f64 / 1e6);
        if !used.status.success() {
            note = format!("ended with {}", used.status);
        }
    }
    Ok(Row { name: name.into(), seconds: best, peak_mb: Some(peak), note })
}

fn in_process(name: &str, runs: usize, mut work: impl FnMut()) -> Row {
    let mut best = f64::MAX;
    for _ in 0..runs.max(1) {
        let start = Instant::now();
        work();
        best = best.min(start.elapsed().as_secs_f64());
    }
    Row { name: name.into(), seconds: best, peak_mb: None, note: String::new() }
}

fn show(args: &Args, title: &str, mb: f64, rows: &[Row]) -> anyhow::Result<()> {
    let ours = rows[0].seconds;
    let mut out = std::io::stdout().lock();
    if args.format == Format::Json {
        let list: Vec<_> = rows
            .iter()
            .map(|r| {
                serde_json::json!({ "name": r.name, "seconds": r.seconds, "mb_per_s": mb / r.seconds,
                    "times_ours": r.seconds / ours, "peak_mb": r.peak_mb, "note": r.note })
            })
            .collect();
        let doc = serde_json::json!({ "version": env!("CARGO_PKG_VERSION"), "title": title, "megabytes": mb, "rows": list });
        writeln!(out, "{doc:#}")?;
        return Ok(());
    }
    let mut table = Table::new();
    table.load_preset(presets::UTF8_BORDERS_ONLY);
    table.set_header(["", "seconds", "MB/s", "× our time", "peak MB", "peak / file", ""]);
    for r in rows {
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
    writeln!(out, "{title}\n{table}")?;
    Ok(())
}

/// Evaluates a mix of string operators over short words, each application once per model.
fn evaluator(args: &Args) -> anyhow::Result<()> {
    const MODELS: usize = 400;
    let mut text = String::new();
    let mut g = Generator { rng: ChaCha8Rng::seed_from_u64(args.seed), out: String::new() };
    for i in 0..8 {
        let _ = writeln!(text, "(declare-const s{i} String)(declare-const n{i} Int)");
    }
    for _ in 0..1500 {
        g.assertion(8, 8);
    }
    text += &g.out;
    let mut pool = Pool::new();
    let parsed = smt::parse(text.as_bytes(), None, &mut pool);
    assert!(parsed.is_ok(), "the generated script is well sorted");
    let terms: Vec<smt::Term> = parsed.script.assertions().collect();
    let models = models(&parsed.script, &mut g, MODELS);
    let mut applications = 0u64;
    let mut holds = 0u64;
    let mut best = f64::MAX;
    for _ in 0..args.runs.max(1) {
        (applications, holds) = (0, 0);
        let start = Instant::now();
        let mut e = Evaluator::new(&pool, &models[0]);
        for model in &models {
            e.set_model(model);
            for &t in &terms {
                holds += u64::from(e.eval(t) == Ok(Value::Bool(true)));
            }
            applications += e.applications();
            e.reset_applications();
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    let rate = applications as f64 / best;
    let mut out = std::io::stdout().lock();
    match args.format {
        Format::Json => {
            let doc = serde_json::json!({ "version": env!("CARGO_PKG_VERSION"), "applications": applications,
                "seconds": best, "per_second": rate, "models": MODELS, "assertions": terms.len(), "true": holds });
            writeln!(out, "{doc:#}")?;
        }
        Format::Text => writeln!(
            out,
            "evaluator: {applications} operator applications ({} assertions × {MODELS} models) in {best:.3} s: \
             {:.1} million per second",
            terms.len(),
            rate / 1e6
        )?,
    }
    Ok(())
}

fn models(script: &smt::Script, g: &mut Generator, count: usize) -> Vec<Model> {
    (0..count)
        .map(|_| {
            let mut model = Model::new();
            for (i, command) in script.commands().enumerate() {
                let smt::Command::DeclareConst(f) = command else { continue };
                model.assign(
                    *f,
                    if i % 2 == 0 {
                        let word: Vec<u32> = (0..g.below(7)).map(|_| 97 + g.below(3) as u32).collect();
                        Value::Str(Str::from(word))
                    } else {
                        Value::Int(smt::Int::from(g.below(9) as i64 - 2))
                    },
                );
            }
            model
        })
        .collect()
}

/// A large script with strings of every kind: words with escapes, regular expressions, `ite`, `let`, names.
fn script(seed: u64, size: usize) -> String {
    let mut g = Generator { rng: ChaCha8Rng::seed_from_u64(seed), out: String::with_capacity(size + 4096) };
    g.out.push_str("; generated by stringent bench\n(set-logic QF_SLIA)\n");
    for i in 0..2000 {
        let _ = writeln!(g.out, "(declare-fun s{i} () String)\n(declare-fun n{i} () Int)");
    }
    while g.out.len() < size {
        g.assertion(2000, 2000);
    }
    g.out
}

struct Generator {
    rng: ChaCha8Rng,
    out: String,
}

impl Generator {
    fn below(&mut self, n: u64) -> u64 {
        self.rng.next_u64() % n
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn assertion(&mut self, strings: u64, ints: u64) {
        self.push("(assert ");
        self.boolean(3, strings, ints);
        self.push(")\n");
    }

    fn boolean(&mut self, depth: u32, s: u64, n: u64) {
        match if depth == 0 { 4 + self.below(5) } else { self.below(9) } {
            0 => self.call("and", depth, &[Self::boolean, Self::boolean, Self::boolean], s, n),
            1 => self.call("or", depth, &[Self::boolean, Self::boolean], s, n),
            2 => self.call("not", depth, &[Self::boolean], s, n),
            3 => self.call("=", depth, &[Self::string, Self::string], s, n),
            4 => self.call("str.contains", depth, &[Self::string, Self::string], s, n),
            5 => self.call("str.prefixof", depth, &[Self::string, Self::string], s, n),
            6 => self.call("<=", depth, &[Self::int, Self::int], s, n),
            7 => self.call("=", depth, &[Self::int, Self::int], s, n),
            _ => self.call("str.in_re", depth, &[Self::string, Self::regex], s, n),
        }
    }

    fn call(&mut self, op: &str, depth: u32, args: &[fn(&mut Self, u32, u64, u64)], s: u64, n: u64) {
        self.out.push('(');
        self.push(op);
        for arg in args {
            self.out.push(' ');
            arg(self, depth.saturating_sub(1), s, n);
        }
        self.out.push(')');
    }

    fn string(&mut self, depth: u32, s: u64, n: u64) {
        match if depth == 0 { self.below(3) } else { self.below(9) } {
            0 | 1 => {
                let v = self.below(s);
                let _ = write!(self.out, "s{v}");
            }
            2 => self.literal(),
            3 | 4 => self.call("str.++", depth, &[Self::string, Self::string, Self::string], s, n),
            5 => self.call("str.substr", depth, &[Self::string, Self::int, Self::int], s, n),
            6 => self.call("str.replace", depth, &[Self::string, Self::string, Self::string], s, n),
            7 => self.call("str.at", depth, &[Self::string, Self::int], s, n),
            _ => self.call("ite", depth, &[Self::boolean, Self::string, Self::string], s, n),
        }
    }

    fn literal(&mut self) {
        self.out.push('"');
        for _ in 0..self.below(12) {
            match self.below(20) {
                0 => self.push("\\u{e9}"),
                1 => self.push("\"\""),
                k => self.out.push((b'a' + k as u8) as char),
            }
        }
        self.out.push('"');
    }

    fn int(&mut self, depth: u32, s: u64, n: u64) {
        match if depth == 0 { self.below(3) } else { self.below(7) } {
            0 => {
                let v = self.below(n);
                let _ = write!(self.out, "n{v}");
            }
            1 | 2 => {
                let v = self.below(10);
                let _ = write!(self.out, "{v}");
            }
            3 | 4 => self.call("str.len", depth, &[Self::string], s, n),
            5 => self.call("str.indexof", depth, &[Self::string, Self::string, Self::int], s, n),
            _ => self.call("+", depth, &[Self::int, Self::int], s, n),
        }
    }

    fn regex(&mut self, depth: u32, s: u64, n: u64) {
        match if depth == 0 { self.below(2) } else { self.below(6) } {
            0 => {
                self.push("(str.to_re ");
                self.literal();
                self.push(")");
            }
            1 => self.push("(re.range \"a\" \"z\")"),
            2 => self.call("re.*", depth, &[Self::regex], s, n),
            3 => self.call("re.++", depth, &[Self::regex, Self::regex], s, n),
            4 => self.call("re.union", depth, &[Self::regex, Self::regex], s, n),
            _ => self.call("(_ re.loop 1 3)", depth, &[Self::regex], s, n),
        }
    }
}
