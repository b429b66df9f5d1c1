//! Time against the property in which a suite grows: one plot per category that has one, one line per solver.
//!
//! The line is the median at each value; a run without a correct answer counts as the limit, so that the line of a solver that
//! gives up rises instead of ending.

use super::{LogAxis, label, line, linear_ticks, px, series, span, svg};
use crate::clean::{one_line, shorten, time};
use crate::outcome::{Answer, Severity, Status, Verdict};
use crate::report::data::{Data, Run};
use maud::{Markup, html};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 58.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 44.0;

/// The runs of a solver by value: the time, and whether the answer is correct.
type Points = BTreeMap<u64, Vec<(Duration, bool)>>;

/// A category whose instances grow in one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Curve {
    /// The category.
    pub category: String,
    /// The property that grows.
    pub property: String,
    /// By solver.
    points: Vec<Points>,
}

/// The categories with a property that takes more than one value, in the order of instances.
pub fn curves(data: &Data) -> Vec<Curve> {
    let mut out: Vec<Curve> = Vec::new();
    let mut place: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for run in data.runs.iter().filter(|r| r.is_asked()) {
        let instance = &data.instances[run.instance];
        let Some((property, value)) = &instance.scale else { continue };
        let at = *place.entry((&instance.category, property)).or_insert_with(|| {
            let points = vec![BTreeMap::new(); data.solvers.len()];
            out.push(Curve { category: instance.category.clone(), property: property.clone(), points });
            out.len() - 1
        });
        out[at].points[run.solver].entry(*value).or_default().push(point(data, run));
    }
    out.retain(|c| c.values().nth(1).is_some());
    out
}

fn point(data: &Data, run: &Run) -> (Duration, bool) {
    if is_correct(data, run) { (run.wall, true) } else { (data.limit(), false) }
}

/// The answer is correct; a core that is not minimal or a model that cannot be checked does not matter here.
fn is_correct(data: &Data, run: &Run) -> bool {
    let same = matches!(
        (data.instances[run.instance].status, run.answer),
        (Status::Sat, Answer::Sat) | (Status::Unsat, Answer::Unsat)
    );
    run.verdict() == Verdict::Ok || same && run.severity() != Severity::Unsound
}

impl Curve {
    /// The values of the property.
    fn values(&self) -> impl Iterator<Item = u64> {
        let all: std::collections::BTreeSet<u64> =
            self.points.iter().flat_map(|p| p.keys().copied()).collect();
        all.into_iter()
    }

    fn times(&self) -> impl Iterator<Item = Duration> + '_ {
        self.points.iter().flat_map(BTreeMap::values).flatten().map(|(t, _)| *t)
    }
}

fn median(runs: &[(Duration, bool)]) -> Duration {
    let mut times: Vec<Duration> = runs.iter().map(|(t, _)| *t).collect();
    times.sort_unstable();
    times[(times.len() - 1) / 2]
}

/// The plot of a category, the `number`th on the page.
pub fn render(data: &Data, curve: &Curve, number: usize) -> Markup {
    let (low, high) = span(curve.times(), data.limit());
    let base = HEIGHT - BOTTOM;
    let limit = data.limit().as_secs_f64();
    let y = LogAxis::new(low, high, base, TOP);
    let ticks = linear_ticks(curve.values().last().unwrap_or(1));
    let most = *ticks.last().unwrap_or(&1) as f64;
    let x = |value: u64| LEFT + value as f64 / most.max(1.0) * (WIDTH - RIGHT - LEFT);
    let inner = html! {
        @for n in &ticks {
            (line("gridline", x(*n), TOP, x(*n), base))
            (label("tick mid", x(*n), base + 16.0, &n.to_string()))
        }
        @for (at, name) in y.ticks() {
            (line("gridline", LEFT, at, WIDTH - RIGHT, at))
            (label("tick end", LEFT - 6.0, at + 4.0, &name))
        }
        (line("limit", LEFT, y.at(limit), WIDTH - RIGHT, y.at(limit)))
        (label("axis mid", LEFT.midpoint(WIDTH - RIGHT), HEIGHT - 6.0, &shorten(&one_line(&curve.property), 50)))
        text class="axis mid" transform={"translate(12 " (px(TOP.midpoint(base))) ") rotate(-90)"} { "wall-clock time (logarithmic)" }
        @for (solver, points) in curve.points.iter().enumerate().filter(|(_, p)| !p.is_empty()) {
            path class={"line " (series(solver))} d=(path(points, x, y)) {
                title { (one_line(&data.solvers[solver].name)) }
            }
            path class={"marks " (series(solver))} d=(marks(points, x, y)) {}
        }
    };
    let title = format!("{}: time against {}", one_line(&curve.category), one_line(&curve.property));
    svg(&format!("scaling-{number}"), WIDTH, HEIGHT, &title, &describe(data, curve), &inner)
}

fn path(points: &Points, x: impl Fn(u64) -> f64, y: LogAxis) -> String {
    let mut out = String::new();
    for (i, (value, runs)) in points.iter().enumerate() {
        let letter = if i == 0 { 'M' } else { 'L' };
        let _ = write!(out, "{letter}{} {}", px(x(*value)), px(y.at(median(runs).as_secs_f64())));
    }
    out
}

/// A dot for each run with a correct answer, a cross for each without; equal ones once.
fn marks(points: &Points, x: impl Fn(u64) -> f64, y: LogAxis) -> String {
    let mut seen = std::collections::BTreeSet::new();
    let mut out = String::new();
    for (value, runs) in points {
        for (wall, right) in runs {
            let (at_x, at_y) = (px(x(*value)), px(y.at(wall.as_secs_f64())));
            if !seen.insert((at_x.clone(), at_y.clone(), *right)) {
                continue;
            }
            let _ = match right {
                true => write!(out, "M{at_x} {at_y}h0"),
                false => write!(out, "M{at_x} {at_y}m-3 -3l6 6m-6 0l6 -6"),
            };
        }
    }
    out
}

/// The plot in words: how far each solver gets, and its times at both ends.
pub fn describe(data: &Data, curve: &Curve) -> String {
    let one = |(solver, points): (usize, &Points)| {
        let (first, last) = (points.first_key_value()?, points.last_key_value()?);
        let name = one_line(&data.solvers[solver].name);
        let reached =
            points.iter().filter(|(_, runs)| runs.iter().any(|(_, correct)| *correct)).map(|(v, _)| *v).max();
        let reached = reached.map_or("solves none".into(), |v| format!("solves up to {v}"));
        Some(format!(
            "{name} {reached} ({} at {}, {} at {})",
            time(median(first.1)),
            first.0,
            time(median(last.1)),
            last.0
        ))
    };
    let parts: Vec<String> = curve.points.iter().enumerate().filter_map(one).collect();
    format!("{} to {} {}; {}", first(curve), last(curve), one_line(&curve.property), parts.join("; "))
}

fn first(curve: &Curve) -> u64 {
    curve.values().next().unwrap_or(0)
}

fn last(curve: &Curve) -> u64 {
    curve.values().last().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_marks() {
        let s = Duration::from_secs;
        assert_eq!(median(&[(s(3), true), (s(1), true), (s(15), false)]), s(3));
        let points = BTreeMap::from([(0, vec![(s(1), true), (s(1), true)]), (10, vec![(s(10), false)])]);
        let axis = LogAxis::new(1.0, 10.0, 100.0, 0.0);
        let x = |v: u64| v as f64;
        assert_eq!(path(&points, x, axis), "M0 100L10 0");
        assert_eq!(marks(&points, x, axis), "M0 100h0M10 0m-3 -3l6 6m-6 0l6 -6");
    }
}
