//! A comparison as text.

use super::super::options::Options;
use super::super::terminal::{Style, push_table, right_table};
use super::{Change, Comparison, Was};
use crate::clean::{counted, one_line, shell, shorten, time};
use std::fmt::Write as _;

/// The full comparison; `options.groups` limits each list.
pub fn render(c: &Comparison, options: &Options) -> String {
    let style = Style(options.styled);
    let mut out = String::new();
    let _ = writeln!(out, "old       {}", one_line(&c.old));
    let _ = writeln!(out, "new       {}\n", one_line(&c.new));
    push_pairs(&mut out, c);
    let _ = writeln!(out, "\n  {}", summary(c));
    let verdicts = |change: &Change| {
        let now = style.of(change.new.kind.severity(), &was(&change.new));
        format!("{} → {now}", was(&change.old))
    };
    let times = |change: &Change| {
        format!("{} → {}, × {:.2}", time(change.old.wall), time(change.new.wall), change.ratio())
    };
    let broken = |change: &Change| format!("{}\n    show: {}", verdicts(change), show_command(c, change));
    list(&mut out, c, "Broken", &c.broken, options, &broken);
    list(&mut out, c, "Fixed", &c.fixed, options, &verdicts);
    list(&mut out, c, "Other changes", &c.changed, options, &verdicts);
    list(&mut out, c, "Slower", &c.slower, options, &times);
    list(&mut out, c, "Faster", &c.faster, options, &times);
    names(&mut out, "New instances", &c.added, options, style);
    names(&mut out, "Removed instances", &c.absent, options, style);
    names(&mut out, "Not compared: one name, two formulas", &c.different, options, style);
    out
}

/// In one line.
pub fn summary(c: &Comparison) -> String {
    format!(
        "{} broken, {} fixed, {} changed otherwise; {} slower, {} faster; {} new, {} removed{}{}",
        c.broken.len(),
        c.fixed.len(),
        c.changed.len(),
        c.slower.len(),
        c.faster.len(),
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
    let heads = ["solver", "runs", "ok then", "ok now", "time then", "time now", "mean ratio"];
    let mut table = right_table(heads.map(str::to_owned).to_vec());
    for (at, p) in c.pairs.iter().enumerate() {
        table.add_row(vec![
            shorten(&pair_name(c, at), 40),
            p.runs.to_string(),
            p.old_ok.to_string(),
            p.new_ok.to_string(),
            time(p.old_wall),
            time(p.new_wall),
            format!("× {:.2}", p.mean_ratio),
        ]);
    }
    push_table(out, &table);
    out.push_str("  (times of runs that are ok both times; the mean is geometric)\n");
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
