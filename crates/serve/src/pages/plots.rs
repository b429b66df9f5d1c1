//! The data of plots. The script of the page draws them, with hover and zoom.

use super::{Made, Refusal, snapshot};
use crate::link::{Link, Query};
use crate::reply::json as reply;
use crate::watch::{Watched, locked};
use ::campaign::clean::{count, counted, one_line, time};
use ::campaign::outcome::{Answer, Kind, Severity, Status, Verdict};
use ::campaign::report::Data;
use ::campaign::store::{GrowthRow, PairRow, Store};
use maud::{Markup, html};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Points of a line.
const POINTS: usize = 300;
/// Pairs of runs that are read for a plot.
const PAIRS: u64 = 20_000;
/// The grid of dots, per power of ten.
const GRID: f64 = 60.0;
/// Plots are made again after this many times the time that they took, and after two seconds.
const SHARE: u32 = 20;
const FRESH: Duration = Duration::from_secs(2);
/// The most plots that are kept of a campaign.
const KEPT: usize = 64;

/// The section of all plots; the data of the first is a part that changes.
pub(super) fn section(name: &str, data: &Data, cactus: &Markup) -> Markup {
    let solvers = || data.solvers.iter();
    html! {
        section #s-plots aria-labelledby="h-plots" {
            h2 #h-plots { "Plots" }
            noscript { p.note { "Plots need scripts; the tables have the figures." } }
            figure.plot data-plot="cactus" {
                figcaption { "Runs solved within a time (dashed: the limit)" }
                (cactus)
            }
            @if data.solvers.len() > 1 {
                figure.plot data-plot="scatter" data-source=(Link::of(name, "scatter")) data-runs=(Link::of(name, "run")) {
                    figcaption { "Two solvers on the same instances: across the time of one, up that of the other" }
                    div.filter hidden {
                        label { "Across " select name="a" { @for s in solvers() { option value=(s.name) { (one_line(&s.name)) } } } }
                        label { "Up " select name="b" { @for (at, s) in solvers().enumerate() { option value=(s.name) selected[at == 1] { (one_line(&s.name)) } } } }
                    }
                }
            }
            figure.plot hidden data-plot="scaling" data-source=(Link::of(name, "scaling")) {
                figcaption { "Median time against the property that grows; a run without a correct answer counts as the limit" }
                div.filter hidden { label { "Suite " select name="curve" {} } }
            }
        }
    }
}

/// The data of the first plot: for each solver its name, and pairs of microseconds and runs solved.
pub(super) fn cactus(data: &Data) -> Markup {
    html! {
        div.series data-limit=(data.limit().as_micros()) {
            @for (solver, totals) in data.solvers.iter().zip(&data.totals.solvers) {
                @let words = totals.solved.last().map_or("none solved".into(), |last| format!("{} solved, the slowest in {}", counted(totals.solved.len(), "run"), time(last)));
                div.unseen data-name=(one_line(&solver.name)) data-points=(points(&totals.solved.points(POINTS))) { (one_line(&solver.name)) ": " (words) "." }
            }
        }
    }
}

fn points(list: &[(u64, u64)]) -> String {
    let mut out = String::new();
    for (us, runs) in list {
        let _ = write!(out, "{us},{runs} ");
    }
    out
}

/// Two solvers against each other.
pub(super) fn scatter(watched: &Watched, query: &Query) -> Made {
    let snapshot = snapshot(watched);
    let data = super::data(&snapshot)?;
    let find = |field: &str| {
        let found = data.solvers.iter().find(|s| s.name == query.get(field));
        found.ok_or_else(|| Refusal::Missing(format!("There is no solver `{}`.", one_line(query.get(field)))))
    };
    let (a, b) = (find("a")?, find("b")?);
    let step = (data.formulas as u64 * data.seeds.len().max(1) as u64).div_ceil(PAIRS).max(1);
    let made = kept(watched, snapshot.number, &format!("{} {}", a.id, b.id), || {
        watched.with_store(|store| {
            let pairs = store.pairs(a.id, b.id, step, PAIRS)?;
            let dots = dots(&pairs, data.limit());
            let names = |at: i64| store.instance(at).map(|i| i.map(|i| i.name).unwrap_or_default());
            let rows: Result<Vec<Value>, _> = dots
                .iter()
                .map(|d| Ok(json!([d.x, d.y, d.class, d.runs, names(d.instance)?, d.seed])))
                .collect();
            Ok(json!({
                "a": one_line(&a.name), "b": one_line(&b.name), "limit": data.limit().as_secs_f64(), "dots": rows?,
                "note": note(&pairs, step), "text": words(&pairs, &a.name, &b.name),
            }))
        })
    })?;
    Ok(reply(&made))
}

/// The plot of this key, made again if it is old.
fn kept(
    watched: &Watched,
    number: u64,
    key: &str,
    make: impl FnOnce() -> Result<Value, ::campaign::store::StoreError>,
) -> Result<Value, Refusal> {
    let mut plots = locked(&watched.plots);
    let is_fresh =
        |of: u64, at: Instant, cost: Duration| of == number || at.elapsed() < FRESH.max(cost * SHARE);
    if let Some((made, ..)) = plots.get(key).filter(|(_, of, at, cost)| is_fresh(*of, *at, *cost)) {
        return Ok(made.clone());
    }
    let start = Instant::now();
    let made = make()?;
    if plots.len() >= KEPT {
        plots.clear();
    }
    plots.insert(key.to_owned(), (made.clone(), number, Instant::now(), start.elapsed()));
    Ok(made)
}

/// Runs at one place of a plot.
struct Dot {
    x: f64,
    y: f64,
    /// 0 both solve it, 1 one or both do not, 2 one or both are wrong.
    class: u8,
    runs: u64,
    instance: i64,
    seed: u64,
}

/// Dots on a logarithmic grid, in seconds; each with one of its instances.
fn dots(pairs: &[PairRow], limit: Duration) -> Vec<Dot> {
    let mut cells: BTreeMap<(u8, i64, i64), Dot> = BTreeMap::new();
    for pair in pairs.iter().filter(|p| is_asked(p.kinds.0) && is_asked(p.kinds.1)) {
        let (x, y) =
            (seconds(pair.kinds.0, pair.wall_us.0, limit), seconds(pair.kinds.1, pair.wall_us.1, limit));
        let cell = |s: f64| (s.log10() * GRID).round() as i64;
        let class = class(pair.kinds);
        let round = |s: f64| 10f64.powf(cell(s) as f64 / GRID);
        let (instance, seed) = (pair.instance, pair.seed);
        let dot = cells.entry((class, cell(x), cell(y))).or_insert(Dot {
            x: round(x),
            y: round(y),
            class,
            runs: 0,
            instance,
            seed,
        });
        dot.runs += 1;
    }
    cells.into_values().collect()
}

fn is_asked(kind: Kind) -> bool {
    kind.verdict() != Verdict::NotApplicable
}

fn class((a, b): (Kind, Kind)) -> u8 {
    let bad = |k: Kind| k.severity() == Severity::Unsound;
    let ok = |k: Kind| k.verdict() == Verdict::Ok;
    if bad(a) || bad(b) { 2 } else { u8::from(!ok(a) || !ok(b)) }
}

/// The place of a run: its time, the limit, or beyond it if there was no correct answer for another reason.
fn seconds(kind: Kind, wall_us: u64, limit: Duration) -> f64 {
    let limit = limit.as_secs_f64();
    match kind.verdict() {
        Verdict::Ok => (wall_us as f64 / 1e6).max(1e-4),
        Verdict::Timeout => limit,
        _ => limit * 2.0,
    }
}

fn note(pairs: &[PairRow], step: u64) -> String {
    let mut parts = vec![format!("{} compared", counted(pairs.len() as u64, "instance"))];
    if step > 1 {
        parts.push(format!("every {step}th instance"));
    }
    parts.join(", ")
}

fn words(pairs: &[PairRow], a: &str, b: &str) -> String {
    let ok = |k: Kind| k.verdict() == Verdict::Ok;
    let of = |first: bool, second: bool| {
        pairs.iter().filter(move |p| ok(p.kinds.0) == first && ok(p.kinds.1) == second)
    };
    let faster = of(true, true).filter(|p| p.wall_us.0 < p.wall_us.1).count();
    let n = |n: usize| count(n as u64);
    let (both, only_a, only_b, neither) =
        (of(true, true).count(), of(true, false).count(), of(false, true).count(), of(false, false).count());
    let (a, b) = (one_line(a), one_line(b));
    format!(
        "Both solve {} ({a} is faster on {}); only {a} {}; only {b} {}; neither {}.",
        n(both),
        n(faster),
        n(only_a),
        n(only_b),
        n(neither)
    )
}

/// Time against the property that grows.
pub(super) fn scaling(watched: &Watched) -> Made {
    let snapshot = snapshot(watched);
    let data = super::data(&snapshot)?;
    let made = kept(watched, snapshot.number, "scaling", || {
        let rows = watched.with_store(Store::growth)?;
        Ok(json!({"limit": data.limit().as_secs_f64(), "curves": curves(data, &rows)}))
    })?;
    Ok(reply(&made))
}

fn curves(data: &Data, rows: &[GrowthRow]) -> Vec<Value> {
    let same = |a: &GrowthRow, b: &GrowthRow| (&a.category, &a.property) == (&b.category, &b.property);
    let mut out = Vec::new();
    for curve in rows.chunk_by(same) {
        let of = |id: i64| -> Vec<&GrowthRow> {
            curve.iter().filter(|r| r.solver == id && is_asked(r.kind)).collect()
        };
        let lines: Vec<Value> = data
            .solvers
            .iter()
            .map(|s| json!({"name": one_line(&s.name), "points": medians(&of(s.id), data.limit())}))
            .collect();
        if curve.iter().any(|r| r.value != curve[0].value) {
            out.push(json!({"name": one_line(&curve[0].category), "property": one_line(&curve[0].property), "lines": lines}));
        }
    }
    out
}

/// The median time at each value.
fn medians(rows: &[&GrowthRow], limit: Duration) -> Vec<Value> {
    let value = |part: &[&GrowthRow]| {
        let mut times: Vec<(f64, u64)> = part.iter().map(|r| (growth_seconds(r, limit), r.runs)).collect();
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        let all: u64 = times.iter().map(|t| t.1).sum();
        let mut before = 0;
        let median = times.iter().find(|t| {
            before += t.1;
            before * 2 >= all
        });
        json!([part[0].value, median.map(|t| t.0), all])
    };
    rows.chunk_by(|a, b| a.value == b.value).map(value).collect()
}

/// The time of runs; without a correct answer the limit.
fn growth_seconds(row: &GrowthRow, limit: Duration) -> f64 {
    let same =
        matches!((row.status, row.answer), (Status::Sat, Answer::Sat) | (Status::Unsat, Answer::Unsat));
    let is_correct = row.kind.verdict() == Verdict::Ok || same && row.kind.severity() != Severity::Unsound;
    if is_correct { (row.wall_us as f64 / 1e6).max(1e-4) } else { limit.as_secs_f64() }
}
