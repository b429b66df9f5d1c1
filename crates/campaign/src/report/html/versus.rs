//! The comparison of two campaigns.

use super::super::compare::speed::{Direction, Finding, Speed};
use super::super::compare::text::{TIMED, limits, mean, pair_name, refuted, summary, times, was, why};
use super::super::compare::times::Was;
use super::super::compare::{Change, Comparison};
use super::super::tally::Column;
use crate::clean::{count, one_line, time};
use maud::{Markup, html};

/// Maximum number of rows of a list; the rest are counted.
const MAX_ROWS: usize = 500;

pub(super) fn section(c: &Comparison) -> Markup {
    html! {
        section id="versus" {
            h2 { "Comparison" }
            p { "Then: " code { (one_line(&c.old)) } ". Now: " code { (one_line(&c.new)) } "." }
            @if let Some(line) = limits(c) { p.note { (line) "." } }
            p class=(if c.broken.is_empty() { "conclusion good" } else { "conclusion bad" }) { (summary(c)) "." }
            (pairs(c))
            (changes(c, "Broken", &c.broken, true))
            (changes(c, "Fixed", &c.fixed, false))
            (changes(c, "Other changes", &c.changed, false))
            (speeds(c, "Slower", &c.confirmed(Direction::Slower).collect::<Vec<_>>(), true))
            (speeds(c, "Faster", &c.confirmed(Direction::Faster).collect::<Vec<_>>(), false))
            (speeds(c, "Slower or faster by recorded times, not confirmed", &not_run(c), false))
            @if let Some(line) = refuted(c) { p.note { (line) } }
            (names("New instances", &c.added))
            (names("Removed instances", &c.absent))
            (names("Not compared: same name, different formulas", &c.different))
        }
    }
}

fn pairs(c: &Comparison) -> Markup {
    html! {
        div.scroll { table.counts {
            caption { "By solver; " (TIMED) }
            thead { tr { th scope="col" { "solver" } @for head in ["old version", "new version"] { th.version scope="col" { (head) } } @for head in ["runs", "ok then", "ok now", "timed", "clock", "time then", "time now", "geometric mean of new/old"] { th scope="col" { (head) } } } }
            tbody { @for (at, p) in c.pairs.iter().enumerate() {
                tr {
                    th scope="row" { (pair_name(c, at)) }
                    td.version { (one_line(&p.old_version)) }
                    td.version { (one_line(&p.new_version)) }
                    @for n in [p.runs, p.old_ok, p.new_ok, p.timed] { td { (count(n)) } }
                    td { (p.times.clock.code()) }
                    @for d in [p.times.old, p.times.new] { td { (time(d)) } }
                    td { (mean(p)) }
                }
            } }
        } }
    }
}

fn changes(c: &Comparison, title: &str, list: &[Change], open: bool) -> Markup {
    html! {
        @if !list.is_empty() {
            details open[open] {
                summary { (title) ": " (count(list.len() as u64)) }
                div.scroll { table.groups {
                    thead { tr { @for head in ["instance", "solver", "seed", "then", "now"] { th scope="col" { (head) } } } }
                    tbody { @for change in list.iter().take(MAX_ROWS) {
                        tr { (subject(c, change)) @for w in [&change.old, &change.new] { td { (verdict(w)) } } }
                    } }
                } }
                @if list.len() > MAX_ROWS { p.note { "… and " (count((list.len() - MAX_ROWS) as u64)) " more." } }
            }
        }
    }
}

/// The candidates that were not re-run.
fn not_run(c: &Comparison) -> Vec<&Speed> {
    c.unconfirmed().filter(|s| matches!(s.finding, Finding::NotRun(_))).collect()
}

fn speeds(c: &Comparison, title: &str, list: &[&Speed], open: bool) -> Markup {
    html! {
        @if !list.is_empty() {
            details open[open] {
                summary { (title) ": " (count(list.len() as u64)) }
                div.scroll { table.groups {
                    thead { tr { @for head in ["instance", "solver", "seed", "times"] { th scope="col" { (head) } } } }
                    tbody { @for speed in list.iter().take(MAX_ROWS) {
                        tr { (subject(c, &speed.change)) td { (times(speed)) @if let Some(why) = why(speed) { br; small { (why) } } } }
                    } }
                } }
                @if list.len() > MAX_ROWS { p.note { "… and " (count((list.len() - MAX_ROWS) as u64)) " more." } }
            }
        }
    }
}

/// The first cells of a row.
fn subject(c: &Comparison, change: &Change) -> Markup {
    html! {
        td.name { (one_line(&change.instance)) }
        td { (pair_name(c, change.pair)) }
        td.number { (change.seed) }
    }
}

fn verdict(w: &Was) -> Markup {
    let column = Column::of(w.kind);
    html! { span class={"badge c-" (column.key())} { (column.head()) } " " (was(w).split_once(' ').map_or("", |x| x.1)) " " small { (time(w.wall)) } }
}

fn names(title: &str, list: &[String]) -> Markup {
    html! {
        @if !list.is_empty() {
            details {
                summary { (title) ": " (count(list.len() as u64)) }
                ul.names { @for name in list.iter().take(MAX_ROWS) { li { (one_line(name)) } } }
                @if list.len() > MAX_ROWS { p.note { "… and " (count((list.len() - MAX_ROWS) as u64)) " more." } }
            }
        }
    }
}
