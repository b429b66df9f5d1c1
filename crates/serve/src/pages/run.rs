//! The page of a run: formula, output, evidence, commands, and what other solvers say.

use super::frame::{Frame, path};
use super::tables::badge;
use super::{Made, Refusal, runs};
use crate::link::Query;
use crate::reply::page as reply;
use crate::watch::Watched;
use ::campaign::clean::{counted, one_line, time};
use ::campaign::report::show::meaning;
use ::campaign::report::tally::Column;
use ::campaign::report::{Data, html as parts};
use ::campaign::store::{RunRow, Store, StoreError};
use hyper::StatusCode;
use maud::{Markup, html};

/// The most other runs that are listed.
const MAX_OTHERS: usize = 200;

/// The page.
pub(super) fn page(watched: &Watched, query: &Query) -> Made {
    let (instance, solver) = (query.get("instance"), query.get("solver"));
    let seed = query.number("seed").unwrap_or(0);
    let found = watched.with_store(|store| read(store, instance, solver, seed))?;
    let Some((data, others)) = found else {
        return Err(Refusal::Missing(format!(
            "There is no run of `{}` on `{}` with seed {seed}.",
            one_line(instance),
            one_line(solver)
        )));
    };
    let name = &*watched.name;
    let run = &data.runs[0];
    let content = html! {
        h1.name { (one_line(instance)) }
        p.about {
            (badge(Column::of(run.kind))) " " b { (run.kind) } ": " (meaning(run.kind)) ". "
            (one_line(solver)) @if let Some(s) = version(&data, run.solver) { " (" (s) ")" } ", seed " (seed) "."
        }
        div.body.wide { (parts::run(&data, 0)) }
        (siblings(name, &data, instance, &others))
    };
    Ok(reply(
        StatusCode::OK,
        Frame { title: &one_line(instance), above: &path(name), events: None }.page(&content),
    ))
}

/// The version of a solver, if it is known.
pub(super) fn version(data: &Data, solver: usize) -> Option<String> {
    let version = one_line(&data.solvers[solver].version);
    (!version.is_empty()).then_some(version)
}

/// The run, and all runs of its instance.
fn read(
    store: &Store,
    instance: &str,
    solver: &str,
    seed: u64,
) -> Result<Option<(Data, Vec<RunRow>)>, StoreError> {
    let Some(id) = store.instance_named(instance)? else { return Ok(None) };
    let Some(solver) = store.solvers()?.into_iter().find(|s| s.name == solver) else { return Ok(None) };
    let data = Data::of_runs(store, &[(id, solver.id, seed)])?;
    if data.runs.is_empty() {
        return Ok(None);
    }
    Ok(Some((data, store.runs_of_instances(&[id])?)))
}

fn siblings(name: &str, data: &Data, instance: &str, rows: &[RunRow]) -> Markup {
    let named = |id: i64| data.solvers.iter().find(|s| s.id == id).map(|s| s.name.as_str());
    let rows: Vec<(&str, &RunRow)> = rows.iter().filter_map(|row| Some((named(row.solver)?, row))).collect();
    html! { @if rows.len() > 1 {
        section aria-labelledby="others" {
            h2 #others { "All runs of this instance" }
            div.scroll { table.groups {
                caption.unseen { "All runs of this instance" }
                thead { tr { @for head in ["verdict", "kind", "solver", "answer", "time"] { th scope="col" { (head) } } } }
                tbody { @for (solver, row) in rows.iter().take(MAX_OTHERS) { tr {
                    td { (badge(Column::of(row.kind))) }
                    td { (row.kind) }
                    td { a href=(runs::link(name, instance, solver, row.seed)) { (one_line(solver)) @if data.seeds.len() > 1 { ", seed " (row.seed) } } }
                    td { (row.answer) }
                    td.number { (time(row.wall)) }
                } } }
            } }
            @if rows.len() > MAX_OTHERS { p.note { "… and " (counted((rows.len() - MAX_OTHERS) as u64, "more run")) "." } }
        }
    } }
}
