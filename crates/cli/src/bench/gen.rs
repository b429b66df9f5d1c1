//! How fast generators are beside StringFuzz, whose figures were recorded on two shared cores: it is not run here.

use crate::render::Format;
use ::synth::generators::bulk::{self, Frame, Maker};
use ::synth::generators::{self, Generator};
use anyhow::{Context as _, anyhow};
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4 as _;

/// What StringFuzz makes in one process, instances a second.
const RECORDED: [(&str, f64); 8] = [
    ("concats", 18_900.0),
    ("concats --depth 100", 1_190.0),
    ("lengths", 13_000.0),
    ("lengths --num-vars 100", 695.0),
    ("overlaps", 28_800.0),
    ("equality", 10_400.0),
    ("regex", 26_200.0),
    ("random-ast", 4_150.0),
];

/// Generators that StringFuzz does not have.
const OWN: [&str; 2] = ["edits", "edits --length 8 --mode sat"];

/// What it makes as a filter, one process an instance, a second of processor time.
const RECORDED_FILTER: f64 = 18.0;

/// How long each is measured, at least.
const TIME: Duration = Duration::from_millis(400);

/// Processes to start for the rate as a filter.
const PROCESSES: u32 = 100;

struct Row {
    name: String,
    how: &'static str,
    per_second: f64,
    /// None if StringFuzz has nothing like it.
    recorded: Option<f64>,
}

/// Processor time of this thread, as the system counts it; on a machine that others use, too, the clock says little.
fn cpu() -> anyhow::Result<Duration> {
    let text =
        std::fs::read_to_string("/proc/thread-self/schedstat").context("no processor time to be had")?;
    let nanos = text.split_whitespace().next().and_then(|n| n.parse().ok());
    Ok(Duration::from_nanos(nanos.context("no processor time to be had")?))
}

/// Instances a second of processor time, text written, on one thread; the fastest of some rounds.
fn on_one_thread(generator: &dyn Generator, rounds: usize) -> anyhow::Result<f64> {
    let (frame, mut maker, mut out) = (Frame::default(), Maker::default(), String::new());
    let mut best = 0f64;
    for round in 0..rounds.max(1) as u64 {
        let (mut count, started, started_cpu) = (0u64, Instant::now(), cpu()?);
        while started.elapsed() < TIME {
            for _ in 0..256 {
                out.clear();
                maker
                    .make(generator, (round << 32) + count, &frame, &mut out)
                    .map_err(|e| anyhow!("{}: {e}", generator.info().name))?;
                count += 1;
            }
        }
        best = best.max(count as f64 / (cpu()? - started_cpu).as_secs_f64());
    }
    Ok(best)
}

/// Instances a second by the clock, text written, on all threads; the fastest of some rounds.
fn in_bulk(generator: &dyn Generator, rounds: usize) -> anyhow::Result<f64> {
    let frame = Frame::default();
    let mut best = 0f64;
    for round in 0..rounds.max(1) as u64 {
        let (mut count, mut bytes, started) = (0u64, 0usize, Instant::now());
        while started.elapsed() < TIME {
            let part = 4096;
            let mut sink = |text: &str| {
                bytes += text.len();
                true
            };
            bulk::stream(generator, (round << 32) + count, part, &frame, false, &mut sink)
                .map_err(|e| anyhow!("{}: {e}", generator.info().name))?;
            count += part;
        }
        anyhow::ensure!(bytes > 0, "nothing was written");
        best = best.max(count as f64 / started.elapsed().as_secs_f64());
    }
    Ok(best)
}

/// Instances a second of processor time, one process each.
fn as_filter(words: &str) -> anyhow::Result<f64> {
    let me = std::env::current_exe().context("cannot find this binary")?;
    let mut cpu = Duration::ZERO;
    for seed in 0..PROCESSES {
        let mut command = Command::new(&me);
        command.arg("gen").args(words.split_whitespace()).args(["--seed", &seed.to_string()]);
        let mut child = command.stdout(Stdio::null()).spawn().context("cannot start")?;
        let used = child.wait4()?;
        anyhow::ensure!(used.status.success(), "it failed");
        cpu += used.rusage.utime + used.rusage.stime;
    }
    Ok(f64::from(PROCESSES) / cpu.as_secs_f64().max(1e-6))
}

pub(super) fn run(format: Format, rounds: usize) -> anyhow::Result<()> {
    let mut rows = Vec::new();
    let own = OWN.map(|words| (words, None));
    for (words, recorded) in RECORDED.map(|(words, n)| (words, Some(n))).into_iter().chain(own) {
        let generator = generators::from_words(words.split_whitespace()).map_err(|e| anyhow!(e))?;
        let mut row = |how, per_second| rows.push(Row { name: words.into(), how, per_second, recorded });
        row("one thread, CPU", on_one_thread(&*generator, rounds)?);
        row("all threads, clock", in_bulk(&*generator, rounds)?);
    }
    for words in ["concats", "regex"] {
        let (how, per_second) = ("a process each, CPU", as_filter(words)?);
        rows.push(Row { name: words.into(), how, per_second, recorded: Some(RECORDED_FILTER) });
    }
    show(format, &rows)
}

fn show(format: Format, rows: &[Row]) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    if format == Format::Json {
        let row = |r: &Row| serde_json::json!({ "name": r.name, "how": r.how, "per_second": r.per_second, "stringfuzz_recorded": r.recorded });
        let rows: Vec<_> = rows.iter().map(row).collect();
        writeln!(out, "{:#}", serde_json::json!({ "rows": rows }))?;
        return Ok(());
    }
    writeln!(out, "{:<28} {:<20} {:>12} {:>12} {:>8}", "", "", "per second", "StringFuzz", "ratio")?;
    for r in rows {
        let (recorded, ratio) = match r.recorded {
            Some(n) => (format!("{n:.0}"), format!("{:.0}×", r.per_second / n)),
            None => ("·".into(), "·".into()),
        };
        writeln!(out, "{:<28} {:<20} {:>12.0} {recorded:>12} {ratio:>8}", r.name, r.how, r.per_second)?;
    }
    writeln!(out, "StringFuzz's figures are recorded ones; it is not run here.")?;
    Ok(())
}
