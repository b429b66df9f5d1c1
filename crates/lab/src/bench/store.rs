//! Stores with invented runs: how fast they are written, and their size.

use crate::Report;
use anyhow::Context as _;
use campaign::clean::{bytes, count};
use campaign::host::Host;
use campaign::store::Store;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A store that was written.
#[derive(Clone, Debug)]
struct Written {
    store: String,
    runs: u64,
    time: Duration,
    bytes: u64,
}

/// The measurement.
#[derive(Clone, Debug)]
pub struct Stores(Vec<Written>);

/// Writes stores with at least this number of runs, by a number of writers at once: those that are named, which are kept, or a file that is removed.
pub fn run((runs, writers): (u64, usize), stores: &[PathBuf], host: &Host<'_>) -> anyhow::Result<Stores> {
    let dir = tempfile::tempdir().context("cannot create a temporary folder")?;
    let default = [dir.path().join("bench.store")];
    let stores = if stores.is_empty() { &default[..] } else { stores };
    let mut all = Vec::new();
    for path in stores {
        let started = Instant::now();
        let mut progress = |done| host.progress.update(done, &|| format!("{} runs", count(done)));
        let store = Store::sample_by(path, (runs, writers), &mut progress)?;
        let time = started.elapsed();
        all.push(Written {
            store: path.display().to_string(),
            runs: store.run_count()?,
            time,
            bytes: store.size()?,
        });
    }
    Ok(Stores(all))
}

impl Written {
    fn rate(&self) -> f64 {
        self.runs as f64 / self.time.as_secs_f64()
    }

    fn each(&self) -> f64 {
        self.bytes as f64 / self.runs as f64
    }
}

impl Report for Stores {
    fn text(&self) -> String {
        let line = |w: &Written| {
            let (runs, rate, size) = (count(w.runs), count(w.rate() as u64), bytes(w.bytes));
            format!("{}: {runs} runs, {rate} runs/s, {size}, {:.0} bytes per run\n", w.store, w.each())
        };
        self.0.iter().map(line).collect()
    }

    fn json(&self) -> Value {
        let one = |w: &Written| {
            json!({
                "store": w.store, "runs": w.runs, "seconds": w.time.as_secs_f64(), "runs_per_second": w.rate(),
                "bytes": w.bytes, "bytes_per_run": w.each(),
            })
        };
        json!({"stores": self.0.iter().map(one).collect::<Vec<_>>()})
    }
}
