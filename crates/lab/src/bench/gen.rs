//! The speed of generators compared with StringFuzz, whose figures were recorded on two shared cores; it is not run here.

use super::peers::Program;
use crate::{Host, Report};
use ::campaign::outcome::Ending;
use ::campaign::process::Cancel;
use ::synth::generators::bulk::{self, Frame, Maker};
use ::synth::generators::{self, Generator};
use anyhow::{Context as _, anyhow};
use serde_json::json;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Instances per second of StringFuzz in one process.
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

/// Generators that StringFuzz lacks.
const OWN: [&str; 2] = ["edits", "edits --length 8 --mode sat"];

/// Instances per second of CPU time of StringFuzz as a filter, one process per instance.
const RECORDED_FILTER: f64 = 18.0;

/// The least time of a measurement.
const TIME: Duration = Duration::from_millis(400);

/// Processes for the rate as a filter.
const PROCESSES: u32 = 100;

struct Row {
    name: String,
    how: &'static str,
    per_second: f64,
    /// None if StringFuzz lacks it.
    recorded: Option<f64>,
}

/// CPU time of this thread: on a shared machine, wall-clock time is unreliable.
fn cpu() -> anyhow::Result<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").context("CPU time is not available")?;
    let nanos = text.split_whitespace().next().and_then(|n| n.parse().ok());
    Ok(Duration::from_nanos(nanos.context("CPU time is not available")?))
}

/// Instances per second of CPU time, with their texts, on one thread; the fastest of several rounds.
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

/// Instances per second of wall-clock time, with their texts, on all threads; the fastest of several rounds.
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

/// Instances per second of CPU time, one process each.
fn as_filter(words: &str, cancel: &Cancel) -> anyhow::Result<f64> {
    let program = Program::own("gen")?;
    let mut cpu = Duration::ZERO;
    for seed in 0..PROCESSES {
        let seed = seed.to_string();
        let args: Vec<&str> = words.split_whitespace().chain(["--seed", &seed]).collect();
        let run = program.run(&args, cancel)?;
        anyhow::ensure!(run.ending == Ending::Exited(0), "`gen {words}` ended with {}", run.ending);
        cpu += run.cpu;
    }
    Ok(f64::from(PROCESSES) / cpu.as_secs_f64().max(1e-6))
}

/// Scripts per second of each generator.
pub struct Speeds(Vec<Row>);

/// Measures generators.
pub fn run(rounds: usize, host: &Host<'_>) -> anyhow::Result<Speeds> {
    let mut rows = Vec::new();
    let own = OWN.map(|words| (words, None));
    for (words, recorded) in RECORDED.map(|(words, n)| (words, Some(n))).into_iter().chain(own) {
        let generator = generators::from_words(words.split_whitespace()).map_err(|e| anyhow!(e))?;
        let mut row = |how, per_second| rows.push(Row { name: words.into(), how, per_second, recorded });
        row("one thread, CPU", on_one_thread(&*generator, rounds)?);
        row("all threads, clock", in_bulk(&*generator, rounds)?);
    }
    for words in ["concats", "regex"] {
        let (how, per_second) = ("a process each, CPU", as_filter(words, host.cancel)?);
        rows.push(Row { name: words.into(), how, per_second, recorded: Some(RECORDED_FILTER) });
    }
    Ok(Speeds(rows))
}

impl Report for Speeds {
    fn text(&self) -> String {
        let mut out =
            format!("{:<28} {:<20} {:>12} {:>12} {:>8}\n", "", "", "per second", "StringFuzz", "ratio");
        for r in &self.0 {
            let (recorded, ratio) = match r.recorded {
                Some(n) => (format!("{n:.0}"), format!("{:.0}×", r.per_second / n)),
                None => ("·".into(), "·".into()),
            };
            let _ = writeln!(
                out,
                "{:<28} {:<20} {:>12.0} {recorded:>12} {ratio:>8}",
                r.name, r.how, r.per_second
            );
        }
        out + "The figures of StringFuzz are recorded; it is not run here.\n"
    }

    fn json(&self) -> serde_json::Value {
        let row = |r: &Row| json!({ "name": r.name, "how": r.how, "per_second": r.per_second, "stringfuzz_recorded": r.recorded });
        json!({ "rows": self.0.iter().map(row).collect::<Vec<_>>() })
    }
}
