//! Instances solved against time: the number of runs solved within each time, one line per solver.

use super::{LogAxis, label, line, linear_ticks, px, series, span, svg};
use crate::clean::{counted, time};
use crate::report::data::{Data, Times};
use maud::{Markup, html};
use std::fmt::Write as _;

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 46.0;
/// Maximum number of points of a line.
const MAX_POINTS: u64 = 240;

/// The plot; nothing if nothing was solved.
pub fn render(data: &Data) -> Option<Markup> {
    let times: Vec<&Times> = data.totals.solvers.iter().map(|s| &s.solved).collect();
    let most = times.iter().map(|t| t.len()).max().unwrap_or(0);
    if most == 0 {
        return None;
    }
    let (low, high) = span(times.iter().flat_map(|t| [t.first(), t.last()]).flatten(), data.limit());
    let x = LogAxis::new(low, high, LEFT, WIDTH - RIGHT);
    let ticks = linear_ticks(most);
    let top = *ticks.last().unwrap_or(&1) as f64;
    let y = |n: u64| HEIGHT - BOTTOM - n as f64 / top.max(1.0) * (HEIGHT - BOTTOM - TOP);
    let base = HEIGHT - BOTTOM;
    let limit = data.limit().as_secs_f64();
    let inner = html! {
        @for (at, name) in x.ticks() {
            (line("gridline", at, TOP, at, base))
            (label("tick mid", at, base + 17.0, &name))
        }
        @for n in &ticks {
            (line("gridline", LEFT, y(*n), WIDTH - RIGHT, y(*n)))
            (label("tick end", LEFT - 7.0, y(*n) + 4.0, &n.to_string()))
        }
        (line("limit", x.at(limit), TOP, x.at(limit), base))
        (label("axis mid", LEFT.midpoint(WIDTH - RIGHT), HEIGHT - 6.0, "wall-clock time of a run (logarithmic)"))
        text class="axis mid" transform={"translate(13 " (px(TOP.midpoint(base))) ") rotate(-90)"} { "runs solved" }
        @for (solver, times) in times.iter().enumerate().filter(|(_, t)| !t.is_empty()) {
            path class={"line " (series(solver))} d=(path(times, x, y, x.at(high))) {
                title { (data.solvers[solver].name) ": " (counted(times.len(), "run")) " solved" }
            }
        }
    };
    let parts: Vec<String> =
        times.iter().enumerate().map(|(s, t)| describe(&data.solvers[s].name, t)).collect();
    Some(svg("cactus", WIDTH, HEIGHT, "Runs solved against time", &parts.join("; "), &inner))
}

fn describe(name: &str, times: &Times) -> String {
    match times.last() {
        Some(last) => format!("{name}: {} solved, the slowest in {}", times.len(), time(last)),
        None => format!("{name}: none solved"),
    }
}

/// Steps up at each time; to the right end, since no more are solved by then.
fn path(times: &Times, x: LogAxis, y: impl Fn(u64) -> f64, end: f64) -> String {
    let mut out = format!("M{} {}", px(x.at(times.at(1).as_secs_f64())), px(y(0)));
    let points = times.len().min(MAX_POINTS);
    let mut last = None;
    for p in 1..=points {
        let n = p * times.len() / points;
        let at = (px(x.at(times.at(n).as_secs_f64())), px(y(n)));
        if last.as_ref() != Some(&at) {
            let _ = write!(out, "L{} {}", at.0, at.1);
        }
        last = Some(at);
    }
    let _ = write!(out, "H{}", px(end));
    out
}
