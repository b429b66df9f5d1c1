//! The page of a group: runs that end in the same way, the smallest in full.

use super::frame::{Frame, path};
use super::tables::badge;
use super::{Made, Refusal, run, runs, snapshot};
use crate::link::{Link, Query};
use crate::reply::page as reply;
use crate::search::Search;
use crate::watch::{Snapshot, Watched};
use ::campaign::clean::{counted, one_line};
use ::campaign::outcome::Kind;
use ::campaign::report::data::Group;
use ::campaign::report::scope::remark;
use ::campaign::report::show::meaning;
use ::campaign::report::tally::Column;
use ::campaign::report::{Data, html as parts};
use ::campaign::store::{Hit, Store, StoreError, Wanted};
use hyper::StatusCode;
use maud::html;

/// Runs that are listed.
const LISTED: usize = 50;

/// The page.
pub(super) fn page(watched: &Watched, query: &Query) -> Made {
    let snapshot = snapshot(watched);
    let data = super::data(&snapshot)?;
    let name = &*watched.name;
    let (solver, subject) = (query.get("solver"), query.get("subject"));
    let kind = Kind::from_code(query.get("kind"));
    let fits =
        |g: &&Group| data.solvers[g.solver].name == solver && Some(g.kind) == kind && g.operation == subject;
    let group = data.groups.iter().find(fits);
    let group = group.ok_or_else(|| Refusal::Missing("The campaign has no such runs, or not yet.".into()))?;
    let (smallest, hits) = watched.with_store(|store| read(store, &snapshot, data, group))?;
    let remark = remark(data, group);
    let all = Link::of(name, "runs")
        .with("solver", solver)
        .with("kind", group.kind.code())
        .with("subject", subject);
    let title = format!("{} on {}: {}", one_line(solver), one_line(subject), group.kind);
    let content = html! {
        h1 { (title) }
        p.about {
            (badge(Column::of(group.kind))) " Group " (group.number) ", " (counted(group.size.runs, "run")) ": " (meaning(group.kind)) ". "
            @if !remark.is_empty() { (remark) ". " }
            @if let Some(version) = run::version(data, group.solver) { (one_line(solver)) " is " (version) "." }
        }
        @if let Some(one) = smallest.as_ref().filter(|d| !d.runs.is_empty()) {
            @let instance = &one.instances[one.runs[0].instance].name;
            section aria-labelledby="smallest" {
                h2 #smallest { "The smallest: " a.name href=(runs::link(name, instance, solver, one.runs[0].seed)) { (one_line(instance)) } }
                div.body.wide { (parts::run(one, 0)) }
            }
        }
        section aria-labelledby="runs" {
            h2 #runs { "Runs" }
            (runs::table(name, data, &hits))
            p { a href=(all) { "All runs of the group" } }
        }
    };
    Ok(reply(StatusCode::OK, Frame { title: &title, above: &path(name), events: None }.page(&content)))
}

/// The smallest run of a group with its texts, and the first runs.
fn read(
    store: &Store,
    snapshot: &Snapshot,
    data: &Data,
    group: &Group,
) -> Result<(Option<Data>, Vec<Hit>), StoreError> {
    let wanted = Wanted {
        solver: Some(data.solvers[group.solver].id),
        kinds: vec![group.kind],
        subject: Some(group.operation.clone()),
        ..Wanted::default()
    };
    let smallest = match group.smallest {
        Some(id) => store.find_runs(&wanted, (id, id), None, 1)?.pop(),
        None => None,
    };
    let smallest = smallest.map(|hit| Data::of_runs(store, &[hit.row.key()])).transpose()?;
    let search = Search { wanted, limit: LISTED, ..Search::default() };
    Ok((smallest, search.page(store, &snapshot.ranges)?.hits))
}
