//! Makes a store with invented runs and reports on it, with times and peak memory:
//! `cargo run --release -p stringent-campaign --example large-store -- RUNS STORE…`. A store that is there is read. `RUNS/N` has N writers.

use std::path::Path;
use std::time::Instant;
use stringent_campaign::report::{self, Data, Options, html::Html, text::Text};
use stringent_campaign::store::Store;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let runs = words.next().ok_or("the number of runs")?;
    let (runs, writers) = runs.split_once('/').unwrap_or((&runs, "1"));
    let (runs, writers): (u64, usize) = (runs.parse()?, writers.parse()?);
    for place in words {
        let path = Path::new(&place);
        if Store::open_read_only(path).is_err() {
            let started = Instant::now();
            let store = Store::sample_by(path, (runs, writers), &mut |_| {})?;
            let (rows, seconds) = (store.run_count()?, started.elapsed().as_secs_f64());
            print(&format!(
                "{place}: {rows} runs, {:.0} runs/s, {} bytes",
                rows as f64 / seconds,
                store.size()?
            ));
        }
        let started = Instant::now();
        let store = Store::open_read_only(path)?;
        let mut data = Data::read(&store, &[])?;
        let mut text = Vec::new();
        report::write(&Text, &store, &mut data, None, &Options::default(), &mut text)?;
        print(&format!("report: {:.1} s, peak memory {}", started.elapsed().as_secs_f64(), peak()?));
        let mut page = Vec::new();
        let options = Options { per_solver: 500, ..Options::default() };
        report::write(&Html, &store, &mut data, None, &options, &mut page)?;
        print(&format!(
            "page: {:.1} s in all, {} bytes, peak memory {}",
            started.elapsed().as_secs_f64(),
            page.len(),
            peak()?
        ));
    }
    Ok(())
}

/// The peak memory of this process.
fn peak() -> std::io::Result<String> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    Ok(line.trim_start_matches("VmHWM:").trim().to_owned())
}

#[allow(clippy::print_stdout, reason = "an example")]
fn print(line: &str) {
    println!("{line}");
}
