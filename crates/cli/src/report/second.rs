//! Second opinions on the wrong results of a campaign.

use super::Args;
use crate::render::Format;
use crate::{Outcome, campaign_args};
use anyhow::Context as _;
use campaign::confirm::{self, Confirmation, Settings, json, text};
use campaign::process::{Cancel, Limits, Watchdog};
use campaign::profile::MemoryLimit;
use campaign::provenance::cores;
use campaign::report::Data;
use campaign::store::Store;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal as _, Write as _};
use std::time::Duration;

/// Runs the solvers of --confirm and prints their opinions.
pub(super) fn run(store: &Store, data: &mut Data, args: &Args) -> anyhow::Result<Outcome> {
    let solvers = campaign_args::distinct(&args.confirm)?;
    let cancel = Cancel::new().context("cannot start")?;
    crate::signals::stop_on_signals(&cancel)?;
    let bar = bar(confirm::suspects(data).len());
    let found = confirm::confirm(store.path(), data, &solvers, &settings(args)?, &|| bar.inc(1), &cancel);
    bar.finish_and_clear();
    let found = found?;
    let mut out = anstream::stdout().lock();
    if args.format == Format::Json {
        writeln!(out, "{:#}", json::render(data, &found))?;
    } else {
        data.load_details(store, &text::wanted(&found))?;
        write!(out, "{}", text::render(data, &found, std::io::stdout().is_terminal()))?;
    }
    Ok(outcome(&found))
}

fn outcome(found: &[Confirmation]) -> Outcome {
    let any = |outcome| found.iter().any(|c| c.outcome() == outcome);
    if any(confirm::Outcome::Contradicted) {
        Outcome::Found
    } else if any(confirm::Outcome::NoOpinion) {
        Outcome::Undetermined
    } else {
        Outcome::Clean
    }
}

fn settings(args: &Args) -> anyhow::Result<Settings> {
    let limits = Limits {
        wall: Duration::try_from_secs_f64(args.confirm_time_limit).context("the time limit")?,
        cpu: None,
        idle: None,
        memory: Some(4096 << 20),
        memory_how: MemoryLimit::default(),
        output: 1 << 20,
    };
    Ok(Settings {
        limits,
        jobs: args.jobs.map_or_else(cores, usize::from),
        watchdog: Watchdog::own_command(),
    })
}

/// Only on a terminal.
fn bar(total: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} checked, {eta} left");
    let bar = ProgressBar::new(total as u64);
    style.map_or(bar.clone(), |style| bar.with_style(style))
}
