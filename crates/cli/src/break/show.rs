//! Progress, tables, and the files that are left.

use super::fitness::Found;
use super::log::Member;
use super::search::Search;
use crate::render;
use campaign::report::clean;
use comfy_table::{CellAlignment, Table, presets};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

/// Shows how far the search is.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    quiet: bool,
    told: Instant,
}

/// Time between lines where there is no terminal.
const EVERY: Duration = Duration::from_secs(5);
/// Time between changes on a terminal.
const REDRAW: Duration = Duration::from_millis(150);

impl Progress {
    pub(crate) fn new(quiet: bool, generations: u64) -> Progress {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(Some(generations), ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{bar:20} {pos}/{len}  {msg}") {
                bar.set_style(style);
            }
            bar
        });
        Progress { bar, quiet, told: Instant::now() }
    }

    /// After a generation.
    pub(crate) fn tell(&mut self, run: usize, runs: usize, search: &Search<'_>) {
        let every = if self.bar.is_some() { REDRAW } else { EVERY };
        if self.quiet || self.told.elapsed() < every {
            return;
        }
        let (best, _) = search.champion();
        let noise = noise(search.members.iter());
        let which = if runs > 1 { format!("run {} of {runs}, ", run + 1) } else { String::new() };
        let noise = noise.map_or_else(String::new, |n| format!(", noise {:.0} %", n * 100.0));
        let text = format!(
            "{which}generation {}, {} judged, best {} {} {}, {} bytes{noise}",
            search.generation,
            search.members.len(),
            spark(&search.best, 30),
            seconds(&best.found),
            best.found.answer,
            best.size,
        );
        self.told = Instant::now();
        match &self.bar {
            Some(bar) => {
                bar.set_position(u64::from(search.generation));
                bar.set_message(text);
            }
            None => render::notice(&text),
        }
    }

    /// While a champion is made smaller.
    pub(crate) fn shrinking(&self, left: usize, size: usize) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!("shrinking the champion: {size} bytes, {left} tries left"));
        }
    }

    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A time, or that it is at the limit.
pub(crate) fn seconds(f: &Found) -> String {
    let time = clean::time(Duration::from_secs_f64(f.time.max(0.0)));
    if f.at_limit { format!("≥ {time}") } else { time }
}

/// The last `width` numbers as a line of bars.
pub(crate) fn spark(values: &[f64], width: usize) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let step = values.len().div_ceil(width).max(1);
    let high = values.iter().copied().fold(1.0, f64::max);
    let bar = |v: f64| BARS[((v / high * 7.0).round().clamp(0.0, 7.0)) as usize];
    let mut out: String = values.iter().step_by(step).map(|v| bar(*v)).collect();
    if !(values.len().max(1) - 1).is_multiple_of(step) {
        out.extend(values.last().map(|v| bar(*v)));
    }
    out
}

/// The median of the spreads of what was measured several times.
pub(crate) fn noise<'m>(members: impl Iterator<Item = &'m Member>) -> Option<f64> {
    let mut spreads: Vec<f64> = members.filter_map(|m| m.found.spread).collect();
    spreads.sort_by(f64::total_cmp);
    spreads.get(spreads.len() / 2).map(|s| s / 2.0)
}

/// A table without lines; numbers to the right from column `right` on.
pub(crate) fn table(heading: &[String], rows: &[Vec<String>], right: usize) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header(heading);
    rows.iter().for_each(|r| {
        table.add_row(r);
    });
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if i >= right {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.lines().map(|l| l.trim_end().to_owned() + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparklines() {
        assert_eq!(spark(&[], 10), "");
        assert_eq!(spark(&[0.0, 1.0, 7.0], 10), "▁▂█");
        assert_eq!(spark(&[0.0; 100], 10).chars().count(), 11);
        assert_eq!(spark(&[0.0, 0.0, 8.0, 8.0], 2), "▁██");
    }
}
