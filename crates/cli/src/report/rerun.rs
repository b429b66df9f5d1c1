//! Re-runs of the slowdowns and speed-ups of a comparison.

use super::Args;
use anyhow::Context as _;
use campaign::process::{Cancel, Watchdog};
use campaign::report::compare::Comparison;
use campaign::rerun::{self, Campaigns, Settings};
use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// Re-runs the candidates. After Ctrl-C, what was confirmed stays.
pub(super) fn run(campaigns: Campaigns<'_>, comparison: &mut Comparison, args: &Args) -> anyhow::Result<()> {
    if args.no_rerun || comparison.speeds.is_empty() {
        return Ok(());
    }
    let cancel = Cancel::new().context("cannot start")?;
    crate::signals::stop_on_signals(&cancel)?;
    let settings = Settings {
        time: Duration::try_from_secs_f64(args.rerun_time).context("the time for re-runs")?,
        watchdog: Watchdog::own_command(),
    };
    let bar = bar(comparison.speeds.len());
    let result = rerun::rerun(campaigns, comparison, &settings, &|| bar.inc(1), &cancel);
    bar.finish_and_clear();
    Ok(result?)
}

/// Only on a terminal.
fn bar(total: usize) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{wide_bar} {pos}/{len} slowdowns and speed-ups re-run, {elapsed} so far",
    );
    let bar = ProgressBar::new(total as u64);
    let bar = style.map_or(bar.clone(), |style| bar.with_style(style));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
