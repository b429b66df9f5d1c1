//! The page of two campaigns: their tables side by side at once, and the runs that differ when they were compared.

use super::frame::Frame;
use super::status::bar;
use super::{Made, Refusal, named, snapshot};
use crate::link::{Link, Query};
use crate::reply::{page as reply, text};
use crate::site::Site;
use crate::versus::{State, comparison};
use crate::watch::Watched;
use ::campaign::clean::{count, one_line, time};
use ::campaign::report::Data;
use ::campaign::report::tally::{Column, Counts, Table, timing};
use hyper::StatusCode;
use maud::{Markup, PreEscaped, html};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The page.
pub(super) fn page(site: &Arc<Site>, query: &Query) -> Made {
    let (old, new) = (query.get("old"), query.get("new"));
    let campaigns = site.campaigns();
    let both =
        if old.is_empty() || new.is_empty() { None } else { Some((named(site, old)?, named(site, new)?)) };
    let content = html! {
        h1 { "Compare two campaigns" }
        (form(&campaigns, old, new))
        @if let Some((then, now)) = &both {
            @if old == new { p { "This is one campaign; choose another one to compare it with." } }
            @else { (sides(then, now)?) (differences(site, then, now)) }
        }
    };
    Ok(reply(
        StatusCode::OK,
        Frame { title: "Compare", above: &[("Campaigns".into(), Link::to("/"))], events: None }
            .page(&content),
    ))
}

/// The choice of two campaigns.
pub(super) fn form(campaigns: &[Arc<Watched>], old: &str, new: &str) -> Markup {
    let choice = |label: &str, field: &str, chosen: &str, default: usize| {
        html! { label { (label) " " select name=(field) { @for (at, c) in campaigns.iter().enumerate() {
            option value=(c.name) selected[c.name == chosen || (chosen.is_empty() && at == default)] { (one_line(&c.name)) }
        } } } }
    };
    html! { form.filter method="get" action="/compare" aria-label="Two campaigns" {
        (choice("Then", "old", old, 0))
        (choice("Now", "new", new, campaigns.len().saturating_sub(1)))
        button type="submit" { "Compare" }
    } }
}

/// The counts of both.
fn sides(then: &Watched, now: &Watched) -> Result<Markup, Refusal> {
    let (then, now) = ((then, snapshot(then)), (now, snapshot(now)));
    let (old, new) = (super::data(&then.1)?, super::data(&now.1)?);
    let columns: BTreeSet<Column> = [old, new].iter().flat_map(|d| Table::new(d).columns()).collect();
    Ok(html! {
        section aria-labelledby="totals" {
            h2 #totals { "Totals" }
            div.scroll { table.counts {
                thead { tr {
                    th scope="col" { "campaign" } th.version scope="col" { "solver" } th.shares scope="col" { "shares" } th scope="col" { "tests" }
                    @for c in &columns { th scope="col" { abbr title=(c.meaning()) { (c.head()) } } }
                    th scope="col" { "median" } th scope="col" { "95 %" }
                } }
                tbody {
                    @for (name, data) in [(&then.0.name, old), (&now.0.name, new)] { (rows(name, data, &columns)) }
                }
            } }
        }
    })
}

fn rows(name: &str, data: &Data, columns: &BTreeSet<Column>) -> Markup {
    let table = Table::new(data);
    let all: Vec<(&Counts, _)> = table.total().counts.iter().zip(timing(data)).collect();
    html! { @for (solver, (counts, times)) in data.solvers.iter().zip(all) { tr {
        th scope="row" { a href=(Link::of(name, "")) { (one_line(name)) } }
        td.version { (one_line(&solver.name)) }
        td.shares { (bar(counts)) }
        td { (count(counts.tests())) }
        @for c in columns {
            @if counts.get(*c) == 0 { td.zero { "·" } } @else { td class={"hit h-" (c.key())} { (count(counts.get(*c))) } }
        }
        td { (time(times.median)) } td { (time(times.p95)) }
    } } }
}

/// The runs that differ, or the note that they are being looked for.
fn differences(site: &Arc<Site>, then: &Arc<Watched>, now: &Arc<Watched>) -> Markup {
    let address = Link::to("/compare/changes").with("old", &then.name).with("new", &now.name);
    html! {
        div #changes aria-live="polite" data-source=(address) {
            (state(&comparison(&site.comparisons, then, now)))
        }
    }
}

fn state(state: &State) -> Markup {
    match state {
        State::Busy => html! { p.note data-busy { "The campaigns are being compared run by run …" } },
        State::Done(page) => PreEscaped(page.to_string()),
        State::Failed(why) => html! { p.undetermined { (one_line(why)) } },
    }
}

/// The differences alone, for a page that waits for them.
pub(super) fn changes(site: &Arc<Site>, query: &Query) -> Made {
    let (then, now) = (named(site, query.get("old"))?, named(site, query.get("new"))?);
    Ok(match comparison(&site.comparisons, &then, &now) {
        State::Busy => text(StatusCode::ACCEPTED, "not yet"),
        done => reply(StatusCode::OK, state(&done)),
    })
}
