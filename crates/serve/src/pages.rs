//! The pages, by their addresses.
//!
//! | address | page |
//! |---|---|
//! | `/` | all campaigns |
//! | `/c/NAME` | a campaign |
//! | `/c/NAME/runs` | its runs, filtered |
//! | `/c/NAME/group` | runs that end in the same way, the smallest in full |
//! | `/c/NAME/run` | one run in full |
//! | `/c/NAME/bug` | a finding of a triage |
//! | `/c/NAME/scatter`, `/c/NAME/scaling` | data of plots, as JSON |
//! | `/compare` | two campaigns |
//! | `/events`, `/c/NAME/events` | events: what has changed |

mod bug;
mod campaign;
mod compare;
mod frame;
mod group;
mod overview;
mod plots;
mod run;
mod runs;
mod status;
mod tables;

use crate::feed;
use crate::link::{Query, decoded};
use crate::reply::{Reply, asset as file, page, text};
use crate::site::Site;
use crate::watch::{Snapshot, Watched};
use ::campaign::report::Data;
use ::campaign::store::StoreError;
use hyper::StatusCode;
use maud::{Markup, html};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The longest wait for the first part of a campaign that was not read yet.
const FIRST: Duration = Duration::from_millis(900);

/// Why there is no page.
pub(crate) enum Refusal {
    /// There is nothing at this address.
    Missing(String),
    /// The request makes no sense.
    Bad(String),
    /// The store cannot be read.
    Store(StoreError),
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        Refusal::Store(error)
    }
}

/// A page, or why there is none.
type Made = Result<Reply, Refusal>;

/// A file of the program.
pub(crate) fn asset(path: &str) -> Option<Reply> {
    Some(match path {
        "/assets/style.css" => file("text/css; charset=utf-8", frame::STYLE),
        "/assets/report.css" => file("text/css; charset=utf-8", ::campaign::report::html::STYLE),
        "/assets/theme.js" => file("text/javascript; charset=utf-8", frame::THEME),
        "/assets/app.js" => file("text/javascript; charset=utf-8", frame::APP),
        "/assets/plot.js" => file("text/javascript; charset=utf-8", frame::PLOT),
        "/assets/icon.svg" | "/favicon.ico" => file("image/svg+xml", frame::ICON),
        _ => return None,
    })
}

/// A stream of events, if that is what the address is.
pub(crate) fn events(site: &Arc<Site>, path: &str) -> Option<Reply> {
    let watched = match path {
        "/events" => None,
        _ => Some(site.campaign(&decoded(path.strip_prefix("/c/")?.strip_suffix("/events")?))?),
    };
    let Some(open) = site.stream() else {
        return Some(text(StatusCode::SERVICE_UNAVAILABLE, "Too many pages are open."));
    };
    let (made, feed) = (site.clone(), site.feed(path));
    Some(match watched {
        None => feed::stream(feed, open, site.numbers(), move || overview::parts(&made)),
        Some(watched) => feed::stream(feed, open, watched.numbers(), move || campaign::parts(&watched)),
    })
}

/// The answer to a request.
pub(crate) fn answer(site: &Arc<Site>, path: &str, query: &str) -> Reply {
    let query = Query::parse(query);
    let made = match path {
        "/" => Ok(overview::page(site)),
        "/compare" => compare::page(site, &query),
        "/compare/changes" => compare::changes(site, &query),
        _ => of_campaign(site, path, &query),
    };
    made.unwrap_or_else(|refusal| match refusal {
        Refusal::Missing(what) => page(StatusCode::NOT_FOUND, frame::problem("Not found", &what)),
        Refusal::Bad(what) => page(StatusCode::BAD_REQUEST, frame::problem("Not a page", &what)),
        Refusal::Store(e) => page(StatusCode::INTERNAL_SERVER_ERROR, failed(&e.to_string())),
    })
}

fn of_campaign(site: &Site, path: &str, query: &Query) -> Made {
    let missing = || Refusal::Missing("There is no page at this address.".into());
    let rest = path.strip_prefix("/c/").ok_or_else(missing)?;
    let (name, page) = rest.split_once('/').unwrap_or((rest, ""));
    let watched = named(site, &decoded(name))?;
    match page {
        "" => campaign::page(&watched),
        "runs" => runs::page(&watched, query),
        "run" => run::page(&watched, query),
        "group" => group::page(&watched, query),
        "bug" => bug::page(&watched, query),
        "scatter" => plots::scatter(&watched, query),
        "scaling" => plots::scaling(&watched),
        _ => Err(missing()),
    }
}

/// The campaign with this name.
fn named(site: &Site, name: &str) -> Result<Arc<Watched>, Refusal> {
    let missing = || Refusal::Missing("There is no campaign of this name; it may have been removed.".into());
    let watched = site.campaign(name).ok_or_else(missing)?;
    watched.ask();
    Ok(watched)
}

/// The last snapshot of a campaign; waits a moment for the first.
fn snapshot(watched: &Watched) -> Arc<Snapshot> {
    watched.ask();
    let end = Instant::now() + FIRST;
    loop {
        let snapshot = watched.snapshot();
        if snapshot.is_whole() || snapshot.error.is_some() || Instant::now() > end {
            return snapshot;
        }
        std::thread::sleep(Duration::from_millis(15));
    }
}

/// The data of a snapshot.
fn data(snapshot: &Snapshot) -> Result<&Data, Refusal> {
    let missing = || match &snapshot.error {
        Some(error) => Refusal::Missing(error.clone()),
        None => Refusal::Missing("The campaign is being read; try again in a moment.".into()),
    };
    snapshot.data.as_ref().ok_or_else(missing)
}

/// The form for the token.
pub(crate) fn login(is_wrong: bool) -> Markup {
    frame::bare(
        "Token",
        &html! {
            h1 { "stringent" }
            form.login method="post" action="/login" {
                label for="token" { "Token" }
                input #token type="password" name="token" required autofocus autocomplete="current-password";
                button type="submit" { "Show campaigns" }
            }
            @if is_wrong { p.bad role="alert" { "This is not the token." } }
            p.note { "The program prints the token when it starts, or reads it from a file." }
        },
    )
}

/// The page about an error of ours.
pub(crate) fn failed(why: &str) -> Markup {
    frame::problem("The page cannot be made", why)
}
