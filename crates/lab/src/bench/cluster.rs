//! A campaign of the size of a paper on a simulated cluster: what the driver costs.

use crate::{Host, Report};
use ::cluster::simulate::{Found, Setup, simulate};
use anyhow::Context as _;
use serde_json::{Value, json};
use std::time::Duration;

/// The result.
pub struct Simulated {
    setup: Setup,
    found: Found,
    memory_kib: u64,
}

/// Simulates a campaign; one of `sample` chunks is really written and merged.
pub fn run(runs: u64, sample: u64, seed: u64, host: &Host<'_>) -> anyhow::Result<Simulated> {
    let mean = Duration::from_secs(1);
    let setup = Setup { runs, slots: 2000, per_node: 16, losses: 1.0, mean, sample, seed };
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let found = simulate(&setup, folder.path(), host.cancel)?;
    Ok(Simulated { setup, found, memory_kib: peak_kib() })
}

/// Peak memory of this process.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.and_then(|l| l.split_ascii_whitespace().next()?.parse().ok()).unwrap_or(0)
}

impl Simulated {
    fn values(&self) -> Vec<(&'static str, f64)> {
        let (s, f) = (&self.setup, &self.found);
        let sampled = (f.tally.runs + f.tally.twins).max(1) as f64;
        vec![
            ("runs", s.runs as f64),
            ("slots", s.slots.into()),
            ("plan, MB", f.plan_bytes as f64 / 1e6),
            ("freezing the plan, s", f.freeze.as_secs_f64()),
            ("chunks", f.chunks as f64),
            ("arrays", f.counts.arrays as f64),
            ("tasks", f.counts.tasks as f64),
            ("chunks submitted again", f.counts.again as f64),
            ("nodes lost", f.lost as f64),
            ("shards", f.shards as f64),
            ("runs really merged", f.tally.runs as f64),
            ("runs merged twice", f.tally.twins as f64),
            ("bytes of a run in a shard", f.shard_bytes as f64 / sampled),
            ("runs merged per second", sampled / f.merging.as_secs_f64().max(1e-9)),
            ("simulated time, h", f.simulated.as_secs_f64() / 3600.0),
            ("time of the driver without merging, s", f.driving.as_secs_f64()),
            ("peak memory, MB", self.memory_kib as f64 / 1e3),
            ("runs missing", f.missing as f64),
        ]
    }
}

impl Report for Simulated {
    fn text(&self) -> String {
        self.values().iter().map(|(name, value)| format!("{name:<40} {value:>14.1}\n")).collect()
    }

    fn json(&self) -> Value {
        self.values().into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect()
    }
}
