//! The page of a campaign.

use super::frame::{Frame, above};
use super::{Made, data, plots, runs, snapshot, status, tables};
use crate::feed::Parts;
use crate::link::Link;
use crate::reply::page as reply;
use crate::watch::{Snapshot, Watched};
use campaign::clean::{counted, one_line};
use campaign::report::Data;
use campaign::report::tally::Table;
use hyper::StatusCode;
use maud::{Markup, PreEscaped, html};

/// The parts that change, in their order: id and heading. The first has no heading.
const SECTIONS: [(&str, &str); 6] = [
    ("status", ""),
    ("bugs", "Bugs"),
    ("failures", "Failures"),
    ("results", "Results"),
    ("times", "Times"),
    ("others", "Not solved"),
];

/// The page.
pub(super) fn page(watched: &Watched) -> Made {
    let snapshot = snapshot(watched);
    let data = data(&snapshot)?;
    let parts = parts_of(watched, &snapshot, data);
    let name = &*watched.name;
    let part = |id: &str| html! { div id=(id) { (PreEscaped(parts.get(id).map_or("", String::as_str))) } };
    let content = html! {
        h1 { (one_line(name)) }
        p.store { (one_line(&data.store)) }
        (part("status"))
        (settings(data))
        nav.sections aria-label="Sections" {
            @for (id, heading) in &SECTIONS[1..4] { @if is_shown(id, data) { a href={"#s-" (id)} { (heading) } } }
            a href="#s-plots" { "Plots" } a href="#s-times" { "Times" } a href="#s-others" { "Not solved" }
            a href=(Link::of(name, "runs")) { "All runs" }
        }
        @for (id, heading) in &SECTIONS[1..] {
            @if *id == "times" { (plots::section(name, data, &part("cactus"))) }
            @if is_shown(id, data) {
                section id={"s-" (id)} aria-labelledby={"h-" (id)} {
                    h2 id={"h-" (id)} { (heading) }
                    @if *id == "failures" { (runs::search(name, data)) }
                    (part(id))
                }
            }
        }
    };
    let frame = Frame { title: &one_line(name), above: &above(), events: Some(Link::of(name, "events")) };
    Ok(reply(StatusCode::OK, frame.page(&content)))
}

fn is_shown(section: &str, data: &Data) -> bool {
    section != "bugs" || !data.findings.is_empty()
}

/// The parts that change.
pub(super) fn parts(watched: &Watched) -> Parts {
    let snapshot = watched.snapshot();
    match &snapshot.data {
        Some(data) => parts_of(watched, &snapshot, data),
        None => {
            let why = snapshot.error.as_deref().unwrap_or("The store is being read.");
            [("status".to_owned(), html! { p.bad { (one_line(why)) } }.into_string())].into()
        }
    }
}

fn parts_of(watched: &Watched, snapshot: &Snapshot, data: &Data) -> Parts {
    let (name, table) = (&*watched.name, Table::new(data));
    let of = |id: &str| match id {
        "status" => html! { (status::line(data, &table)) (status::progress(snapshot, data)) },
        "bugs" => tables::bugs(name, data),
        "failures" => tables::groups(name, data, true),
        "results" => {
            html! { (tables::results(name, data, &table)) details { summary { "By category" } (tables::categories(name, data, &table)) } }
        }
        "times" => tables::times(data),
        "others" => tables::groups(name, data, false),
        _ => plots::cactus(data),
    };
    SECTIONS
        .iter()
        .map(|(id, _)| *id)
        .chain(["cactus"])
        .map(|id| (id.to_owned(), of(id).into_string()))
        .collect()
}

fn settings(data: &Data) -> Markup {
    let c = &data.campaign;
    let facts = [
        ("Command", c.command.clone()),
        ("Started", format!("{} with stringent {}", c.created, c.version)),
        ("Finished", c.finished.clone().unwrap_or_else(|| "no".into())),
        ("Machine", c.host.clone()),
        ("Seed", c.seed.to_string()),
        (
            "Settings",
            c.settings.shown().iter().map(|(k, v)| format!("{k} {v}")).collect::<Vec<_>>().join(" · "),
        ),
        (
            "Unreadable",
            if data.unreadable.is_empty() {
                String::new()
            } else {
                counted(data.unreadable.len() as u64, "file")
            },
        ),
    ];
    html! {
        details.settings {
            summary { "Settings and machine" }
            dl.facts { @for (name, value) in facts.iter().filter(|(_, v)| !v.is_empty()) { div { dt { (name) } dd { (one_line(value)) } } } }
        }
    }
}
