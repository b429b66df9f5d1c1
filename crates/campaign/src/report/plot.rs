//! Plots as inline SVG: the parts that they share. Colours come from the page's style sheet, by class.

pub mod bars;
pub mod cactus;
pub mod scaling;
pub mod scatter;

use maud::{Markup, html};
use std::time::Duration;

/// The number of classes of lines: hues times dashes.
pub const SERIES: usize = 18;

/// The class of a solver's line.
pub fn series(solver: usize) -> String {
    format!("s{}", solver % SERIES)
}

/// A logarithmic axis of times from the left (or bottom) to the right (or top).
#[derive(Clone, Copy, Debug)]
pub(super) struct LogAxis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl LogAxis {
    /// An axis for times between `low` and `high` seconds, on pixels `from` to `to`; its ends are not rounded.
    pub(super) fn new(low: f64, high: f64, from: f64, to: f64) -> LogAxis {
        let low = low.max(1e-4);
        LogAxis { low, high: high.max(low * 10.0), from, to }
    }

    /// The pixel of a time; a time outside is put on the end.
    pub(super) fn at(&self, seconds: f64) -> f64 {
        let part = (seconds.max(self.low) / self.low).ln() / (self.high / self.low).ln();
        self.from + part.min(1.0) * (self.to - self.from)
    }

    /// The powers of ten on it, with their names.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let first = (self.low.log10() - 1e-9).ceil() as i32;
        let last = (self.high.log10() + 1e-9).floor() as i32;
        (first..=last).map(|e| (self.at(10f64.powi(e)), power(e))).collect()
    }
}

/// A power of ten of a second.
fn power(exponent: i32) -> String {
    match exponent {
        -4 => "0.1 ms".into(),
        -3 => "1 ms".into(),
        -2 => "10 ms".into(),
        -1 => "0.1 s".into(),
        0..=6 => format!("{} s", 10u64.pow(exponent.unsigned_abs())),
        e => format!("1e{e} s"),
    }
}

/// Round steps from 0 to at least `high`: at most about six.
pub(super) fn linear_ticks(high: u64) -> Vec<u64> {
    let mut step = 1;
    while high / step > 6 {
        let first: u64 = step.to_string()[..1].parse().unwrap_or(1);
        step = if first == 2 { step / 2 * 5 } else { step * 2 };
    }
    (0..=high.div_ceil(step)).map(|i| i * step).collect()
}

/// The times that an axis must hold: the shortest and the longest run, and the limit.
pub(super) fn span(times: impl Iterator<Item = Duration>, limit: Duration) -> (f64, f64) {
    let (mut low, mut high) = (f64::MAX, limit.as_secs_f64());
    for t in times {
        low = low.min(t.as_secs_f64());
        high = high.max(t.as_secs_f64());
    }
    if low > high {
        return (0.001, 1.0);
    }
    let low = 10f64.powf((low.max(1e-4).log10() * 2.0).floor() / 2.0);
    (low, high.max(low * 10.0))
}

/// A number for an SVG attribute, in short form.
pub(super) fn px(n: f64) -> String {
    let text = format!("{n:.1}");
    text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
}

/// The frame of an SVG, with a title and a description for screen readers.
pub(super) fn svg(
    id: &str,
    width: f64,
    height: f64,
    title: &str,
    description: &str,
    inner: &Markup,
) -> Markup {
    html! {
        svg role="img" viewBox={"0 0 " (px(width)) " " (px(height))} xmlns="http://www.w3.org/2000/svg"
            aria-labelledby={(id) "-t " (id) "-d"} style={"max-width:" (px(width)) "px"} {
            title id={(id) "-t"} { (title) }
            desc id={(id) "-d"} { (description) }
            (inner)
        }
    }
}

pub(super) fn line(class: &str, x1: f64, y1: f64, x2: f64, y2: f64) -> Markup {
    html! { path class=(class) d={"M" (px(x1)) " " (px(y1)) "L" (px(x2)) " " (px(y2))} {} }
}

pub(super) fn label(class: &str, x: f64, y: f64, text: &str) -> Markup {
    html! { text class=(class) x=(px(x)) y=(px(y)) { (text) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithmic_axes() {
        let axis = LogAxis::new(0.001, 10.0, 0.0, 400.0);
        assert_eq!(axis.at(0.001), 0.0);
        assert!((axis.at(0.1) - 200.0).abs() < 1e-9);
        assert_eq!(axis.at(99.0), 400.0);
        assert_eq!(axis.at(0.0), 0.0);
        let names: Vec<String> = axis.ticks().into_iter().map(|(_, n)| n).collect();
        assert_eq!(names, ["1 ms", "10 ms", "0.1 s", "1 s", "10 s"]);
    }

    #[test]
    fn linear_axes() {
        assert_eq!(linear_ticks(0), [0]);
        assert_eq!(linear_ticks(3), [0, 1, 2, 3]);
        assert_eq!(linear_ticks(4714), [0, 1000, 2000, 3000, 4000, 5000]);
        assert_eq!(linear_ticks(70), [0, 20, 40, 60, 80]);
    }

    #[test]
    fn spans() {
        assert_eq!(span(std::iter::empty(), Duration::from_secs(15)), (0.001, 1.0));
        let (low, high) = span([Duration::from_millis(5)].into_iter(), Duration::from_secs(15));
        assert!(low <= 0.005 && high == 15.0);
    }
}
