//! The findings of a triage, before the failures they consist of: an overview, and a card for each.

mod card;
mod versions;

use super::super::data::Data;
use super::super::findings::{Share, column, is_triaged, name, places, state};
use super::super::options::Options;
use super::super::tally::Column;
use super::failures;
use crate::clean::{bytes, count, one_line};
use crate::finding::{Finding, words};
use maud::{Markup, html};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of cards that are open at first.
const MAX_OPEN: usize = 10;

/// The verdict on all findings, as the first line of the page; nothing if there was no triage.
pub(super) fn verdict(data: &Data) -> Option<String> {
    is_triaged(data).then(|| Share::of(data).verdict(data))
}

/// The findings; nothing if there was no triage.
pub(super) fn section(data: &Data, options: &Options) -> Markup {
    if !is_triaged(data) {
        return Markup::default();
    }
    let places = places(data);
    let listed: BTreeSet<usize> = failures::chosen(data, options).into_iter().collect();
    let mut room = options.bytes;
    let mut cards = Vec::new();
    for (i, f) in data.findings.iter().enumerate() {
        let links = card::Links { data, places: &places, listed: &listed };
        cards.push(card::card(&links, f, i < MAX_OPEN, &mut room));
    }
    html! {
        section id="bugs" {
            h2 { "Bugs" }
            @let rest = Share::of(data).rest();
            @if !rest.is_empty() { p.note { (rest.join(" ")) } }
            @if data.findings.is_empty() { p { "None." } } @else { (overview(data)) }
            @for card in &cards { (card) }
        }
    }
}

/// One finding, open.
pub(super) fn one(data: &Data, f: &Finding) -> Markup {
    let (places, listed, mut room) = (BTreeMap::new(), BTreeSet::new(), usize::MAX);
    card::card(&card::Links { data, places: &places, listed: &listed }, f, true, &mut room)
}

/// One row for each finding, those that matter most first.
fn overview(data: &Data) -> Markup {
    html! {
        div.scroll { table.groups {
            thead { tr { @for head in ["bug", "verdict", "title", "solver", "failures", "size", "versions"] { th scope="col" { (head) } } } }
            tbody { @for f in &data.findings {
                tr {
                    td.number { (f.number) }
                    td { (badge(f)) }
                    td.title { a href={"#bug-" (f.number)} { (one_line(&words::title(f))) } @if !f.known.is_empty() { " " span.tag { "known" } } }
                    td { (name(f)) }
                    td.number { (count(f.members.len() as u64)) }
                    td.number { (bytes(f.reduced.bytes as u64)) }
                    td { (state(f)) }
                }
            } }
        } }
    }
}

fn badge(f: &Finding) -> Markup {
    let column: Column = column(f);
    html! { span class={"badge c-" (column.key())} title=(column.meaning()) { (column.head()) } }
}
