//! The speed of synthesis: formulas with known answers, their certificates checked and their texts written.

use crate::Report;
use ::synth::constants::Constants;
use ::synth::suite::{Options, Preset, generate};
use ::synth::text::Category;
use serde_json::json;
use std::fmt::Write as _;
use std::time::Instant;

/// The time of the ICSE'20 tool for its suite, as recorded on its own machine; it is not run here.
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

/// Constant assignment on many constants: more than ten thousand formulas per operation.
fn bulk() -> Options {
    let mut options = Options::new(Preset::Icse20);
    let mut constants = Constants::icse20();
    constants.strings.extend((0..8).map(|n| format!("{:b}", 9 + n)));
    constants.ints.extend([1, 3, 10]);
    options.constants = Some(constants);
    options.only = vec![Category::Constant];
    options
}

/// Formulas per second.
pub struct Speeds {
    cores: usize,
    rounds: usize,
    rows: [(&'static str, Speed); 5],
}

/// Measures synthesis, the fastest of `rounds`.
pub fn run(rounds: usize) -> anyhow::Result<Speeds> {
    let cores = ::campaign::provenance::cores();
    let all = Options::new(Preset::Icse20);
    let mut sat = all.clone();
    sat.only = vec![Category::Operation, Category::Constant, Category::Term];
    let rows = [
        ("constant assignment in bulk, 1 thread", measure(&bulk(), 1, rounds)?),
        ("icse20, satisfiable, 1 thread", measure(&sat, 1, rounds)?),
        ("icse20, all, 1 thread", measure(&all, 1, rounds)?),
        (ALL, measure(&all, cores, rounds)?),
        ("full, all threads", measure(&Options::new(Preset::Full), cores, rounds)?),
    ];
    Ok(Speeds { cores, rounds, rows })
}

/// The row that is comparable with the tool of the paper.
const ALL: &str = "icse20, all, all threads";

impl Report for Speeds {
    fn text(&self) -> String {
        let mut out = String::new();
        for (name, s) in &self.rows {
            let (count, seconds, rate) = (s.count, s.seconds, s.rate());
            let _ = writeln!(out, "{name:<40} {count:>7} instances {seconds:>8.3} s {rate:>9.0} /s");
        }
        let ours: f64 = self.rows.iter().filter(|(name, _)| *name == ALL).map(|(_, s)| s.seconds).sum();
        let ratio = PAPER_SECONDS / ours;
        let _ = writeln!(
            out,
            "the tool of the paper, as recorded: about {PAPER_SECONDS} s for icse20, {ratio:.0} times as long"
        );
        out
    }

    fn json(&self) -> serde_json::Value {
        let row = |(name, s): &(&str, Speed)| json!({ "name": name, "instances": s.count, "seconds": s.seconds, "per_second": s.rate() });
        let rows: Vec<_> = self.rows.iter().map(row).collect();
        json!({ "cores": self.cores, "rounds": self.rounds, "rows": rows })
    }
}
