//! The page of a finding of a triage.

use super::frame::{Frame, path};
use super::{Made, Refusal, runs};
use crate::link::Query;
use crate::reply::page as reply;
use crate::watch::Watched;
use ::campaign::clean::one_line;
use ::campaign::finding::words;
use ::campaign::report::{Data, html as parts};
use hyper::StatusCode;
use maud::html;

/// The most runs that are linked.
const MAX_MEMBERS: usize = 100;

/// The page.
pub(super) fn page(watched: &Watched, query: &Query) -> Made {
    let number =
        query.number("number").ok_or_else(|| Refusal::Bad("The number of a bug is missing.".into()))?;
    let data = watched.with_store(Data::without_runs)?;
    let found = data.findings.iter().find(|f| u64::from(f.number) == number);
    let found = found.ok_or_else(|| Refusal::Missing(format!("There is no bug {number}.")))?;
    let name = &*watched.name;
    let title = format!("Bug {number}: {}", one_line(&words::title(found)));
    let content = html! {
        h1 { (title) }
        (parts::bug(&data, found))
        @if !found.members.is_empty() {
            section aria-labelledby="runs" {
                h2 #runs { "Runs" }
                ul.names { @for m in found.members.iter().take(MAX_MEMBERS) {
                    li { a href=(runs::link(name, &m.instance, &m.solver, m.seed)) { (one_line(&m.instance)) } " " small { (one_line(&m.solver)) } }
                } }
            }
        }
    };
    Ok(reply(StatusCode::OK, Frame { title: &title, above: &path(name), events: None }.page(&content)))
}
