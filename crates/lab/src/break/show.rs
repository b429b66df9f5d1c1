//! Times, sparklines and tables.

use super::fitness::Found;
use super::log::Member;
use super::search::Search;
use campaign::clean;
use comfy_table::{CellAlignment, Table, presets};
use std::time::Duration;

/// The state of a run, for a progress bar.
pub(super) fn state(run: usize, runs: usize, search: &Search<'_>) -> String {
    let (best, _) = search.best();
    let which = if runs > 1 { format!("run {} of {runs}, ", run + 1) } else { String::new() };
    let noise = noise(search.members.iter());
    let noise = noise.map_or_else(String::new, |n| format!(", noise {:.0} %", n * 100.0));
    format!(
        "{which}generation {}, {} judged, best {} {} {}, {} bytes{noise}",
        search.generation,
        search.members.len(),
        spark(&search.history, 30),
        seconds(&best.found),
        best.found.answer,
        best.size,
    )
}

/// A time, or that it is at the limit.
pub(super) fn seconds(f: &Found) -> String {
    let time = clean::time(Duration::from_secs_f64(f.time.max(0.0)));
    if f.at_limit { format!("≥ {time}") } else { time }
}

/// About `width` of the numbers, evenly spaced, as a line of bars.
fn spark(values: &[f64], width: usize) -> String {
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

/// Half the median spread of the members that were measured several times.
pub(super) fn noise<'m>(members: impl Iterator<Item = &'m Member>) -> Option<f64> {
    let mut spreads: Vec<f64> = members.filter_map(|m| m.found.spread).collect();
    spreads.sort_by(f64::total_cmp);
    spreads.get(spreads.len() / 2).map(|s| s / 2.0)
}

/// A table without lines, aligned to the right.
pub(super) fn table(heading: &[String], rows: &[Vec<String>]) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header(heading).add_rows(rows);
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
        column.set_cell_alignment(CellAlignment::Right);
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
