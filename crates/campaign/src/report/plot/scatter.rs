//! Two solvers compared: a dot per instance and seed, with its times on both.
//!
//! Unsolved runs are outside: on the line of the limit for a timeout, beyond it if there was no correct answer for another reason.
//! Dots are put on a grid and drawn once, so that the size of the plot does not grow with the campaign.

use super::{LogAxis, label, line, px, span, svg};
use crate::clean::{count, shorten};
use crate::outcome::{Severity, Verdict};
use crate::report::data::{Data, Run};
use maud::{Markup, html};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

const SIZE: f64 = 330.0;
const LEFT: f64 = 56.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 44.0;
/// The distance of unsolved runs from the last time.
const BEYOND: f64 = 16.0;
const END: f64 = SIZE - 6.0;
/// The grid that dots are put on, in pixels.
const GRID: f64 = 1.5;

/// The default pairs of solvers: all pairs of the first four.
pub fn default_pairs(data: &Data) -> Vec<(usize, usize)> {
    let n = data.solvers.len().min(4);
    (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect()
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Dot {
    Solved,
    Unsolved,
    Unsound,
}

/// The plot of `a` (across) against `b` (up).
pub fn render(data: &Data, a: usize, b: usize) -> Markup {
    let (low, high) = span(data.runs.iter().map(|r| r.wall), data.limit());
    let x = LogAxis::new(low, high, LEFT, END - 2.0 * BEYOND);
    let y = LogAxis::new(low, high, SIZE - BOTTOM, TOP + 2.0 * BEYOND);
    let dots = dots(data, a, b, x, y);
    let base = SIZE - BOTTOM;
    let (name_a, name_b) = (&data.solvers[a].name, &data.solvers[b].name);
    let limit = data.limit().as_secs_f64();
    let inner = html! {
        @for (at, name) in x.ticks().iter().filter(|t| t.0 <= END - BEYOND) {
            (line("gridline", *at, TOP, *at, base))
            (label("tick mid", *at, base + 15.0, name))
        }
        @for (at, name) in y.ticks() {
            (line("gridline", LEFT, at, END, at))
            (label("tick end", LEFT - 5.0, at + 4.0, &name))
        }
        (line("diagonal", x.at(low), y.at(low), x.at(high), y.at(high)))
        (line("limit", x.at(limit), TOP, x.at(limit), base))
        (line("limit", LEFT, y.at(limit), END, y.at(limit)))
        (label("axis mid", LEFT.midpoint(END), SIZE - 8.0, &shorten(name_a, 40)))
        text class="axis mid" transform={"translate(11 " (px(TOP.midpoint(base))) ") rotate(-90)"} { (shorten(name_b, 40)) }
        @for (kind, class) in [(Dot::Solved, "dot d-ok"), (Dot::Unsolved, "dot d-no"), (Dot::Unsound, "dot d-bad")] {
            @if let Some(cells) = dots.cells.get(&kind) {
                path class=(class) d=(path(cells)) {}
            }
        }
    };
    let title = format!("{name_a} against {name_b}");
    svg(&format!("scatter-{a}-{b}"), SIZE, SIZE, &title, &dots.describe(name_a, name_b), &inner)
}

#[derive(Default)]
struct Dots {
    cells: BTreeMap<Dot, BTreeSet<(i32, i32)>>,
    both: u64,
    a_faster: u64,
    b_faster: u64,
    a_only: u64,
    b_only: u64,
    neither: u64,
}

fn dots(data: &Data, a: usize, b: usize, x: LogAxis, y: LogAxis) -> Dots {
    let other: BTreeMap<(usize, u64), &Run> = data
        .runs
        .iter()
        .filter(|r| r.solver == b && r.is_asked())
        .map(|r| ((r.instance, r.seed), r))
        .collect();
    let mut out = Dots::default();
    for run in data.runs.iter().filter(|r| r.solver == a && r.is_asked()) {
        let Some(against) = other.get(&(run.instance, run.seed)) else { continue };
        let bad = |r: &Run| r.severity() == Severity::Unsound;
        let ok = |r: &Run| r.verdict() == Verdict::Ok;
        let dot = match (ok(run), ok(against)) {
            _ if bad(run) || bad(against) => Dot::Unsound,
            (true, true) => Dot::Solved,
            _ => Dot::Unsolved,
        };
        out.tally(run, against);
        let cell = |p: f64| (p / GRID).round() as i32;
        let at = (cell(place(run, x, data, BEYOND)), cell(place(against, y, data, -BEYOND)));
        out.cells.entry(dot).or_default().insert(at);
    }
    out
}

/// The position of a run on its axis.
fn place(run: &Run, axis: LogAxis, data: &Data, beyond: f64) -> f64 {
    match run.verdict() {
        Verdict::Ok => axis.at(run.wall.as_secs_f64()),
        Verdict::Timeout => axis.at(data.limit().as_secs_f64()),
        _ => axis.to + beyond,
    }
}

impl Dots {
    fn tally(&mut self, a: &Run, b: &Run) {
        match (a.verdict() == Verdict::Ok, b.verdict() == Verdict::Ok) {
            (true, true) => {
                self.both += 1;
                self.a_faster += u64::from(a.wall < b.wall);
                self.b_faster += u64::from(b.wall < a.wall);
            }
            (true, false) => self.a_only += 1,
            (false, true) => self.b_only += 1,
            (false, false) => self.neither += 1,
        }
    }

    fn describe(&self, a: &str, b: &str) -> String {
        format!(
            "Both solve {} ({a} faster on {}, {b} on {}); only {a} {}; only {b} {}; neither {}",
            count(self.both),
            count(self.a_faster),
            count(self.b_faster),
            count(self.a_only),
            count(self.b_only),
            count(self.neither)
        )
    }
}

/// The plot in words.
pub fn describe(data: &Data, a: usize, b: usize) -> String {
    let axis = LogAxis::new(0.001, 1.0, 0.0, 1.0);
    dots(data, a, b, axis, axis).describe(&data.solvers[a].name, &data.solvers[b].name)
}

/// All dots as one path of empty lines with round ends: a few bytes each.
fn path(cells: &BTreeSet<(i32, i32)>) -> String {
    let mut out = String::with_capacity(cells.len() * 12);
    for (x, y) in cells {
        let _ = write!(out, "M{} {}h0", px(f64::from(*x) * GRID), px(f64::from(*y) * GRID));
    }
    out
}
