//! Instances per second of CPU time of each source, with their text, and of all in equal parts: `cargo run --release -p stringent-synth --example source_speed [FILE …]`.
//!
//! The files are the corpus of the sources that work on one.

#![allow(clippy::print_stdout, reason = "an example prints")]

use semantics::Instance;
use std::sync::Arc;
use std::time::Instant;
use stringent_synth::sources::{Library, Material, REGISTRY, make};

/// The time for one source, in seconds.
const TIME: f64 = 1.0;

/// CPU time of this process where the system tells it, otherwise wall-clock time.
struct Clock(Instant, Option<f64>);

impl Clock {
    fn start() -> Clock {
        Clock(Instant::now(), cpu())
    }

    fn seconds(&self) -> f64 {
        match (self.1, cpu()) {
            (Some(then), Some(now)) => now - then,
            _ => self.0.elapsed().as_secs_f64(),
        }
    }
}

fn cpu() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}

fn main() {
    let corpus = std::env::args().skip(1).filter_map(|file| {
        let text = std::fs::read(file).ok()?;
        Instance::from_text(&text, None).ok()
    });
    let material = Material {
        corpus: Arc::new(corpus.collect()),
        rules: Arc::new(Library::shipped()),
        ..Material::default()
    };
    println!(
        "{:12} {:>9} {:>7} {:>7} {:>7} {:>7}",
        "source", "/ second", "made %", "sat %", "unsat %", "bytes"
    );
    let (mut seconds, mut sources) = (0.0, 0.0);
    for source in REGISTRY {
        let (mut tried, mut made, mut sat, mut unsat, mut bytes) = (0u64, 0u64, 0u64, 0u64, 0);
        let start = Clock::start();
        while start.seconds() < TIME {
            for _ in 0..100 {
                tried += 1;
                let Some(one) = make(source, &material, 1, tried) else { continue };
                bytes += one.text(source.name, "n").len();
                made += 1;
                sat += u64::from(one.status() == semantics::Status::Sat);
                unsat += u64::from(one.status() == semantics::Status::Unsat);
            }
        }
        let rate = made as f64 / start.seconds();
        let percent = |n: u64| 100 * n / made.max(1);
        let bytes = bytes as u64 / made.max(1);
        let all = 100 * made / tried.max(1);
        if made > 0 {
            seconds += rate.recip();
            sources += 1.0;
        }
        println!("{:12} {rate:9.0} {all:7} {:7} {:7} {bytes:7}", source.name, percent(sat), percent(unsat));
    }
    println!("{:12} {:9.0}", "all", sources / seconds);
}
