//! A comparison as text.

use super::super::options::Options;
use super::super::terminal::{Style, push_table, right_table};
use super::speed::{Direction, Finding, Measured, Speed};
use super::times::Was;
use super::{Change, Comparison, Pair};
use crate::clean::{counted, one_line, shell, shorten, time};
use std::fmt::Write as _;

/// The full comparison; `options.groups` limits each list.
pub fn render(c: &Comparison, options: &Options) -> String {
    let style = Style(options.styled);
    let mut out = String::new();
    let _ = writeln!(out, "old       {}", one_line(&c.old));
    let _ = writeln!(out, "new       {}", one_line(&c.new));
    if let Some(line) = limits(c) {
        let _ = writeln!(out, "          {line}");
    }
    out.push('\n');
    push_pairs(&mut out, c);
    let _ = writeln!(out, "\n  {}", summary(c));
    let verdicts = |change: &Change| {
        let now = style.of(change.new.kind.severity(), &was(&change.new));
        format!("{} → {now}", was(&change.old))
    };
    let broken = |change: &Change| format!("{}\n    show: {}", verdicts(change), show_command(c, change));
    list(&mut out, c, "Broken", &c.broken, options, &broken);
    list(&mut out, c, "Fixed", &c.fixed, options, &verdicts);
    list(&mut out, c, "Other changes", &c.changed, options, &verdicts);
    speeds(&mut out, c, options);
    names(&mut out, "New instances", &c.added, options, style);
    names(&mut out, "Removed instances", &c.absent, options, style);
    names(&mut out, "Not compared: same name, different formulas", &c.different, options, style);
    out
}

/// `the time limits differ: 0.05 s and 1 s`; none if they do not.
pub(in super::super) fn limits(c: &Comparison) -> Option<String> {
    let (old, new) = c.limits;
    let explained = match c.explained {
        0 => String::new(),
        n => format!("; they explain {}", counted(n, "time limit")),
    };
    (old != new).then(|| {
        format!("the time limits differ: {} s and {} s{explained}", old.as_secs_f64(), new.as_secs_f64())
    })
}

/// In one line.
pub fn summary(c: &Comparison) -> String {
    format!(
        "{} broken, {} fixed, {} changed otherwise; {} slower, {} faster{}; {} new, {} removed{}{}",
        c.broken.len(),
        c.fixed.len(),
        c.changed.len(),
        c.confirmed(Direction::Slower).count(),
        c.confirmed(Direction::Faster).count(),
        match c.unconfirmed().count() {
            0 => String::new(),
            n => format!(", {n} not confirmed"),
        },
        counted(c.added.len() as u64, "instance"),
        c.absent.len(),
        if c.different.is_empty() {
            String::new()
        } else {
            format!(", {} not comparable", c.different.len())
        },
        if c.unmatched == 0 {
            String::new()
        } else {
            format!("; {} without a counterpart", counted(c.unmatched, "run"))
        },
    )
}

/// The names of a pair: one if they are the same.
pub(in super::super) fn pair_name(c: &Comparison, pair: usize) -> String {
    let p = &c.pairs[pair];
    if p.old == p.new { one_line(&p.new) } else { one_line(&format!("{} → {}", p.old, p.new)) }
}

/// A verdict with its kind.
pub(in super::super) fn was(w: &Was) -> String {
    let flaky = if w.flaky { ", flaky" } else { "" };
    format!("{} {}{flaky}", w.verdict(), w.kind)
}

fn push_pairs(out: &mut String, c: &Comparison) {
    let heads =
        ["solver", "runs", "ok then", "ok now", "timed", "clock", "time then", "time now", "mean ratio"];
    let mut table = right_table(heads.map(str::to_owned).to_vec());
    for (at, p) in c.pairs.iter().enumerate() {
        table.add_row(vec![
            shorten(&pair_name(c, at), 40),
            p.runs.to_string(),
            p.old_ok.to_string(),
            p.new_ok.to_string(),
            p.timed.to_string(),
            p.times.clock.code().to_owned(),
            time(p.times.old),
            time(p.times.new),
            mean(p),
        ]);
    }
    push_table(out, &table);
    let _ = writeln!(out, "  ({TIMED})");
}

/// What times are compared on.
pub(in super::super) const TIMED: &str = "timed: the runs with the same answer and verdict in both campaigns; their recorded times,\n   \
     the geometric mean of new / old";

/// The mean ratio of a pair.
pub(in super::super) fn mean(p: &Pair) -> String {
    p.times.mean_ratio.map_or("·".into(), |ratio| format!("× {ratio:.2}"))
}

/// The confirmed slowdowns and speed-ups, then the candidates that were not re-run.
fn speeds(out: &mut String, c: &Comparison, options: &Options) {
    for direction in Direction::ALL {
        let title = match direction {
            Direction::Slower => "Slower",
            Direction::Faster => "Faster",
        };
        let confirmed: Vec<&Speed> = c.confirmed(direction).collect();
        speed_list(out, c, title, &confirmed, options);
    }
    let open: Vec<&Speed> = c.unconfirmed().filter(|s| !matches!(s.finding, Finding::Refuted(_))).collect();
    speed_list(out, c, "Slower or faster by recorded times, not confirmed", &open, options);
    if let Some(line) = refuted(c) {
        let _ = writeln!(out, "\n{line}");
    }
}

/// The candidates that re-runs did not confirm, in one line.
pub(in super::super) fn refuted(c: &Comparison) -> Option<String> {
    let count = c.unconfirmed().filter(|s| matches!(s.finding, Finding::Refuted(_))).count() as u64;
    let runs = counted(count, "run");
    (count > 0)
        .then(|| format!("{runs} slower or faster by recorded times only: re-runs did not confirm it."))
}

/// The times of a candidate: of its re-runs, or as recorded.
pub(in super::super) fn times(speed: &Speed) -> String {
    if let Some(m) = speed.measured() {
        let sure = format!("{:.0} %", Measured::confidence() * 100.0);
        match (m.past, speed.direction) {
            (true, Direction::Slower) => {
                return format!("{} CPU → now past its time limit, {sure}", time(m.old));
            }
            (true, Direction::Faster) => {
                return format!("past its time limit → now {} CPU, {sure}", time(m.new));
            }
            (false, _) => {}
        }
        return format!("{} → {} CPU, {}", time(m.old), time(m.new), m.text());
    }
    let (old, new) = speed.change.times();
    let clock = speed.change.clock().code();
    if speed.change.old.verdict() != speed.change.new.verdict() {
        let [old, new] =
            [&speed.change.old, &speed.change.new].map(|w| format!("{} after {}", was(w), time(w.wall)));
        return format!("{old} → {new} as recorded");
    }
    format!("{} → {} {clock}, × {:.2} as recorded", time(old), time(new), speed.change.ratio())
}

/// Why a candidate is not confirmed.
pub(in super::super) fn why(speed: &Speed) -> Option<String> {
    match &speed.finding {
        Finding::NotRun(reason) => Some(format!("not confirmed: {}", one_line(&reason.text()))),
        Finding::Confirmed(_) | Finding::Refuted(_) => None,
    }
}

fn speed_list(out: &mut String, c: &Comparison, title: &str, speeds: &[&Speed], options: &Options) {
    if speeds.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{} ({})", Style(options.styled).bold(title), speeds.len());
    for speed in speeds.iter().take(options.groups) {
        let change = &speed.change;
        let (instance, solver) = (one_line(&change.instance), pair_name(c, change.pair));
        let _ = writeln!(out, "  {instance}  {solver}, seed {}  {}", change.seed, times(speed));
        if let Some(why) = why(speed) {
            let _ = writeln!(out, "    {why}");
        }
    }
    more(out, speeds.len(), options);
}

fn list(
    out: &mut String,
    c: &Comparison,
    title: &str,
    changes: &[Change],
    options: &Options,
    describe: &dyn Fn(&Change) -> String,
) {
    if changes.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{} ({})", Style(options.styled).bold(title), changes.len());
    for change in changes.iter().take(options.groups) {
        let (instance, solver) = (one_line(&change.instance), pair_name(c, change.pair));
        let _ = writeln!(out, "  {instance}  {solver}, seed {}  {}", change.seed, describe(change));
    }
    more(out, changes.len(), options);
}

fn show_command(c: &Comparison, change: &Change) -> String {
    one_line(&format!(
        "stringent report {} --show {} --solver {} --seed {}",
        shell(&c.new),
        shell(&change.instance),
        shell(&c.pairs[change.pair].new),
        change.seed
    ))
}

fn names(out: &mut String, title: &str, list: &[String], options: &Options, style: Style) {
    if list.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{} ({})", style.bold(title), list.len());
    for name in list.iter().take(options.groups) {
        let _ = writeln!(out, "  {}", one_line(name));
    }
    more(out, list.len(), options);
}

fn more(out: &mut String, all: usize, options: &Options) {
    if all > options.groups {
        let _ = writeln!(out, "  … and {} more; --all shows them", all - options.groups);
    }
}
