//! The page of all campaigns.

use super::frame::Frame;
use super::status::{bar, progress, state};
use crate::feed::Parts;
use crate::link::Link;
use crate::reply::{Reply, page as reply};
use crate::site::Site;
use crate::watch::{Snapshot, Watched};
use campaign::clean::{counted, one_line};
use campaign::report::tally::{Column, Counts, Table};
use campaign::report::{Data, conclusion};
use hyper::StatusCode;
use maud::{Markup, html};
use std::sync::Arc;

/// The page.
pub(super) fn page(site: &Site) -> Reply {
    site.ask();
    let campaigns = site.campaigns();
    let content = html! {
        h1 { "Campaigns" }
        div #campaigns { (list(&campaigns)) }
        @if campaigns.len() > 1 { (compare(&campaigns)) }
    };
    reply(
        StatusCode::OK,
        Frame { title: "Campaigns", above: &[], events: Some(Link::to("/events")) }.page(&content),
    )
}

/// The parts that change.
pub(super) fn parts(site: &Site) -> Parts {
    [("campaigns".to_owned(), list(&site.campaigns()).into_string())].into()
}

fn list(campaigns: &[Arc<Watched>]) -> Markup {
    html! {
        @if campaigns.is_empty() {
            p { "There are no stores yet. A campaign of " code { "stringent test" } " or " code { "stringent run" } " appears here when it starts." }
        }
        ul.cards { @for watched in campaigns { (card(watched, &watched.snapshot())) } }
    }
}

fn card(watched: &Watched, snapshot: &Snapshot) -> Markup {
    html! {
        li.card id={"campaign-" (watched.name)} {
            h2 { a href=(Link::of(&watched.name, "")) { (one_line(&watched.name)) } }
            @match (&snapshot.data, &snapshot.error) {
                (Some(data), _) => (content(snapshot, data)),
                (None, Some(error)) => p.bad { (one_line(error)) },
                (None, None) => p.note { span class={"state " (state(snapshot).1)} { (state(snapshot).0) } },
            }
        }
    }
}

fn content(snapshot: &Snapshot, data: &Data) -> Markup {
    let mut total = Counts::default();
    Table::new(data).total().counts.iter().for_each(|counts| total.add(counts));
    let wrong = Column::ALL
        .into_iter()
        .filter(|c| *c != Column::Ok)
        .filter_map(|c| Some((c, conclusion::noun(c, total.get(c))?)));
    html! {
        (progress(snapshot, data))
        (bar(&total))
        ul.counts-line {
            @if let Some(text) = conclusion::noun(Column::Ok, total.get(Column::Ok)) { li { (text) } }
            @for (column, text) in wrong { li class={"h-" (column.key())} { (text) } }
            @if !data.findings.is_empty() { li.h-error { (counted(data.findings.len() as u64, "bug")) } }
        }
        p.note.command-line { (conclusion::size(data)) " · started " (one_line(&data.campaign.created)) @if !data.campaign.command.is_empty() { " · " code { (one_line(&data.campaign.command)) } } }
    }
}

fn compare(campaigns: &[Arc<Watched>]) -> Markup {
    html! {
        section aria-labelledby="compare" {
            h2 #compare { "Compare two campaigns" }
            (super::compare::form(campaigns, "", ""))
        }
    }
}
