//! How long the transformers take on a file, from text to text in one process: processor time, the best and the median of
//! several runs. (On Linux; elsewhere wall-clock time.)
//!
//!     cargo run --release -p stringent-synth --example transform_speed FILE

#![allow(clippy::print_stdout, reason = "an example prints")]

use std::time::Instant;
use stringent_synth::transformers::text::{Form, transform};
use stringent_synth::transformers::{Chain, Flags, REGISTRY};

const RUNS: usize = 15;

/// The nanoseconds that this thread has been running.
fn processor() -> Option<f64> {
    std::fs::read_to_string("/proc/thread-self/schedstat").ok()?.split(' ').next()?.parse().ok()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("which file?")?;
    let src = std::fs::read(file)?;
    for name in REGISTRY.iter().map(|t| t.name) {
        let chain = Chain::new([name], &Flags::default())?;
        let mut times = Vec::new();
        for seed in 0..RUNS as u64 {
            let (start, wall) = (processor(), Instant::now());
            let made = transform(&src, &chain, seed, &Form::default())?;
            let wall = wall.elapsed().as_secs_f64() * 1e3;
            times.push(processor().zip(start).map_or(wall, |(end, start)| (end - start) / 1e6));
            drop(made);
        }
        times.sort_by(f64::total_cmp);
        println!("{name:16} best {:7.2} ms, median {:7.2} ms", times[0], times[RUNS / 2]);
    }
    Ok(())
}
