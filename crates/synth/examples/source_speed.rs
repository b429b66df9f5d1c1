//! Instances per second of each source, with their text: `cargo run --release -p stringent-synth --example source_speed [FILE …]`.
//!
//! The files are the corpus of the sources that work on one.

#![allow(clippy::print_stdout, reason = "an example prints")]

use semantics::Instance;
use std::time::Instant;
use stringent_synth::sources::{Library, Material, REGISTRY, make};

/// The time for one source, in seconds.
const TIME: f64 = 1.0;

fn main() {
    let corpus = std::env::args().skip(1).filter_map(|file| {
        let text = std::fs::read(file).ok()?;
        Instance::from_text(&text, None).ok()
    });
    let material = Material { corpus: corpus.collect(), rules: Library::shipped(), ..Material::default() };
    println!(
        "{:12} {:>9} {:>7} {:>7} {:>7} {:>7}",
        "source", "/ second", "made %", "sat %", "unsat %", "bytes"
    );
    for source in REGISTRY {
        let (mut tried, mut made, mut sat, mut unsat, mut bytes) = (0u64, 0u64, 0u64, 0u64, 0);
        let start = Instant::now();
        while start.elapsed().as_secs_f64() < TIME {
            tried += 1;
            let Some(one) = make(source, &material, 1, tried) else { continue };
            bytes += one.text(source.name, "n").len();
            made += 1;
            sat += u64::from(one.status() == semantics::Status::Sat);
            unsat += u64::from(one.status() == semantics::Status::Unsat);
        }
        let rate = made as f64 / start.elapsed().as_secs_f64();
        let percent = |n: u64| 100 * n / made.max(1);
        let bytes = bytes as u64 / made.max(1);
        let all = 100 * made / tried.max(1);
        println!("{:12} {rate:9.0} {all:7} {:7} {:7} {bytes:7}", source.name, percent(sat), percent(unsat));
    }
}
