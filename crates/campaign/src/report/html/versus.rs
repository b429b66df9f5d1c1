//! The comparison of two campaigns.

use super::super::compare::text::{pair_name, summary, was};
use super::super::compare::{Change, Comparison, Was};
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
            p class=(if c.broken.is_empty() { "conclusion good" } else { "conclusion bad" }) { (summary(c)) "." }
            (pairs(c))
            (changes(c, "Broken", &c.broken, Shown::Verdicts, true))
            (changes(c, "Fixed", &c.fixed, Shown::Verdicts, false))
            (changes(c, "Other changes", &c.changed, Shown::Verdicts, false))
            (changes(c, "Slower", &c.slower, Shown::Times, false))
            (changes(c, "Faster", &c.faster, Shown::Times, false))
            (names("New instances", &c.added))
            (names("Removed instances", &c.absent))
            (names("Not compared: one name, two formulas", &c.different))
        }
    }
}

fn pairs(c: &Comparison) -> Markup {
    html! {
        div.scroll { table.counts {
            caption { "By solver; times of the runs that are ok both times" }
            thead { tr { th scope="col" { "solver" } @for head in ["version then", "version now"] { th.version scope="col" { (head) } } @for head in ["runs", "ok then", "ok now", "time then", "time now", "geometric mean of now by then"] { th scope="col" { (head) } } } }
            tbody { @for (at, p) in c.pairs.iter().enumerate() {
                tr {
                    th scope="row" { (pair_name(c, at)) }
                    td.version { (one_line(&p.old_version)) }
                    td.version { (one_line(&p.new_version)) }
                    @for n in [p.runs, p.old_ok, p.new_ok] { td { (count(n)) } }
                    @for d in [p.old_wall, p.new_wall] { td { (time(d)) } }
                    td { (format!("× {:.2}", p.mean_ratio)) }
                }
            } }
        } }
    }
}

/// The columns of a list of changes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Verdicts,
    Times,
}

fn changes(c: &Comparison, title: &str, list: &[Change], shown: Shown, open: bool) -> Markup {
    let verdicts = shown == Shown::Verdicts;
    html! {
        @if !list.is_empty() {
            details open[open] {
                summary { (title) ": " (count(list.len() as u64)) }
                div.scroll { table.groups {
                    thead { tr { @for head in ["instance", "solver", "seed", "then", "now"] { th scope="col" { (head) } } @if !verdicts { th scope="col" { "ratio" } } } }
                    tbody { @for change in list.iter().take(MAX_ROWS) {
                        tr {
                            td.name { (one_line(&change.instance)) }
                            td { (pair_name(c, change.pair)) }
                            td.number { (change.seed) }
                            @for w in [&change.old, &change.new] { td { @if verdicts { (verdict(w)) } @else { (time(w.wall)) } } }
                            @if !verdicts { td.number { (format!("× {:.2}", change.ratio())) } }
                        }
                    } }
                } }
                @if list.len() > MAX_ROWS { p.note { "… and " (count((list.len() - MAX_ROWS) as u64)) " more." } }
            }
        }
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
