//! How fast formulas with known answers are made, their certificates checked and their texts written.

use crate::render::Format;
use ::synth::constants::Constants;
use ::synth::suite::{Options, Preset, generate};
use ::synth::text::Category;
use std::io::Write as _;
use std::time::Instant;

/// The time of the ICSE'20 tool for its suite, as recorded on its own machine: it is not run here.
const PAPER_SECONDS: f64 = 60.0;

/// Instances and seconds.
#[derive(Clone, Copy)]
struct Speed {
    count: usize,
    seconds: f64,
}

impl Speed {
    fn rate(self) -> f64 {
        self.count as f64 / self.seconds
    }
}

fn measure(options: &Options, threads: usize, rounds: usize) -> anyhow::Result<Speed> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let mut best = Speed { count: 0, seconds: f64::INFINITY };
    for _ in 0..rounds.max(1) {
        let started = Instant::now();
        let mut count = 0;
        pool.install(|| {
            generate(options, &mut |_| {
                count += 1;
                true
            })
        })?;
        let seconds = started.elapsed().as_secs_f64();
        if seconds < best.seconds {
            best = Speed { count, seconds };
        }
    }
    Ok(best)
}

/// Constant assignment on many constants: more than ten thousand formulas an operation.
fn bulk() -> Options {
    let mut options = Options::new(Preset::Icse20);
    let mut constants = Constants::icse20();
    constants.strings.extend((0..8).map(|n| format!("{:b}", 9 + n)));
    constants.ints.extend([1, 3, 10]);
    options.constants = Some(constants);
    options.only = vec![Category::Constant];
    options
}

pub(super) fn run(format: Format, rounds: usize) -> anyhow::Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let whole = Options::new(Preset::Icse20);
    let mut sat = whole.clone();
    sat.only = vec![Category::Operation, Category::Constant, Category::Term];
    let rows = [
        ("constant assignment in bulk, 1 thread", measure(&bulk(), 1, rounds)?),
        ("icse20, satisfiable, 1 thread", measure(&sat, 1, rounds)?),
        ("icse20, all, 1 thread", measure(&whole, 1, rounds)?),
        ("icse20, all, all threads", measure(&whole, cores, rounds)?),
        ("full, all threads", measure(&Options::new(Preset::Full), cores, rounds)?),
    ];
    let mut out = std::io::stdout().lock();
    if format == Format::Json {
        let row = |(name, s): &(&str, Speed)| serde_json::json!({ "name": name, "instances": s.count, "seconds": s.seconds, "per_second": s.rate() });
        let rows: Vec<_> = rows.iter().map(row).collect();
        writeln!(out, "{:#}", serde_json::json!({ "cores": cores, "rounds": rounds, "rows": rows }))?;
        return Ok(());
    }
    for (name, s) in rows {
        writeln!(out, "{name:<40} {:>7} instances {:>8.3} s {:>9.0} /s", s.count, s.seconds, s.rate())?;
    }
    let ratio = PAPER_SECONDS / rows_seconds(&rows);
    writeln!(
        out,
        "the paper's tool, as recorded: about {PAPER_SECONDS} s for icse20, {ratio:.0} times as long"
    )?;
    Ok(())
}

fn rows_seconds(rows: &[(&str, Speed)]) -> f64 {
    rows[3].1.seconds
}
