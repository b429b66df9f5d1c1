//! The runs of a campaign, filtered: by verdict, solver, operation, category, text.

use super::frame::{Frame, path};
use super::tables::badge;
use super::{Made, snapshot};
use crate::link::{Link, Query};
use crate::reply::page as reply;
use crate::search::{Found, Search};
use crate::watch::{Snapshot, Watched};
use ::campaign::clean::{count, counted, one_line, time};
use ::campaign::outcome::{Kind, Severity};
use ::campaign::report::Data;
use ::campaign::report::tally::Column;
use ::campaign::store::{Hit, RunKey, Wanted};
use hyper::StatusCode;
use maud::{Markup, html};
use std::collections::BTreeSet;

/// Runs of a page.
const PAGE: usize = 100;
/// The most operations and categories to choose from.
const MAX_CHOICES: usize = 500;

/// The verdicts to choose from, besides the columns of tables.
const SETS: [(&str, &str); 3] = [
    ("failures", "wrong results and errors"),
    ("unsound", "wrong results"),
    ("unsolved", "not solved, no failure"),
];

/// The filter of a request.
struct Filter<'a> {
    query: &'a Query,
    data: &'a Data,
}

impl Filter<'_> {
    fn kinds(&self) -> Vec<Kind> {
        let all = || Kind::ALL.iter().copied();
        if let Some(kind) = Kind::from_code(self.query.get("kind")) {
            return vec![kind];
        }
        match self.query.get("verdict") {
            "" => Vec::new(),
            "failures" => all().filter(|k| k.is_failure()).collect(),
            "unsound" => all().filter(|k| k.is_unsound()).collect(),
            "unsolved" => all().filter(|k| !k.is_failure() && k.severity() != Severity::Fine).collect(),
            key => all().filter(|k| Column::of(*k).key() == key).collect(),
        }
    }

    /// What to look for; none if no run can fit.
    fn search(&self) -> Option<Search> {
        let solver = self.query.get("solver");
        let id = self.data.solvers.iter().find(|s| s.name == solver).map(|s| s.id);
        let kinds = self.kinds();
        let is_empty = (!solver.is_empty() && id.is_none())
            || (!self.query.get("verdict").is_empty() && kinds.is_empty());
        let is_everywhere = self.query.get("in") == "all";
        let text = self.query.text("q");
        let wanted = Wanted {
            solver: id,
            kinds,
            category: self.query.text("category").map(|c| if c == "(none)" { String::new() } else { c }),
            operation: self.query.text("operation"),
            subject: self.query.text("subject"),
            flaky: !self.query.get("flaky").is_empty(),
            name: text.clone().filter(|_| !is_everywhere),
        };
        let text = text.filter(|_| is_everywhere);
        let search = Search { wanted, text, after: key(self.query.get("after")), limit: PAGE };
        (!is_empty).then_some(search)
    }

    fn link(&self, name: &str) -> Link {
        let fields = ["q", "in", "verdict", "kind", "solver", "operation", "category", "subject", "flaky"];
        fields.iter().fold(Link::of(name, "runs"), |link, field| link.with(field, self.query.get(field)))
    }
}

/// A key in an address: `12.3.0`.
fn key(text: &str) -> Option<RunKey> {
    let mut parts = text.split('.');
    let key = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    parts.next().is_none().then_some(key)
}

/// The page.
pub(super) fn page(watched: &Watched, query: &Query) -> Made {
    let snapshot = snapshot(watched);
    let data = super::data(&snapshot)?;
    let name = &*watched.name;
    let filter = Filter { query, data };
    let found = match filter.search() {
        Some(search) => watched.with_store(|store| search.page(store, &snapshot.ranges))?,
        None => Found::default(),
    };
    let content = html! {
        h1 { "Runs" }
        (form(name, &filter, true))
        p #found role="status" { (summary(&snapshot, &filter, &found)) }
        (table(name, data, &found.hits))
        nav.pages aria-label="Pages" {
            @if !query.get("after").is_empty() { a href=(filter.link(name)) { "First page" } }
            @if let Some((instance, solver, seed)) = found.next {
                a rel="next" href=(filter.link(name).with("after", format!("{instance}.{solver}.{seed}"))) {
                    @if found.is_cut { "Search on" } @else { "Next page" }
                }
            }
        }
    };
    Ok(reply(StatusCode::OK, Frame { title: "Runs", above: &path(name), events: None }.page(&content)))
}

/// `412 runs, 100 of them here`
fn summary(snapshot: &Snapshot, filter: &Filter<'_>, found: &Found) -> String {
    let here = found.hits.len() as u64;
    let known = filter.total().filter(|_| snapshot.is_whole());
    let all = match known {
        Some(all) if all != here => format!("{}, {} of them on this page.", counted(all, "run"), count(here)),
        Some(all) => format!("{}.", counted(all, "run")),
        None if found.next.is_some() || !filter.query.get("after").is_empty() => {
            format!("{} on this page.", counted(here, "run"))
        }
        None => format!("{}.", counted(here, "run")),
    };
    if found.is_cut { format!("{all} The search took too long for one page; it can go on.") } else { all }
}

impl Filter<'_> {
    /// The number of runs that fit, if the counts tell it.
    fn total(&self) -> Option<u64> {
        let plain = ["q", "flaky", "subject", "operation", "category"];
        if plain.iter().any(|field| !self.query.get(field).is_empty()) {
            return None;
        }
        let kinds = self.kinds();
        if self.query.get("solver").is_empty() {
            return Some(self.data.totals.of(|kind| kinds.is_empty() || kinds.contains(&kind)));
        }
        let at = self.data.solvers.iter().position(|s| s.name == self.query.get("solver"))?;
        if self.query.get("kind").is_empty() && SETS.iter().all(|(key, _)| *key != self.query.get("verdict"))
        {
            let counts = self.data.totals.categories.values().map(|counts| counts[at]);
            let verdict = self.query.get("verdict");
            let column = Column::ALL.into_iter().find(|c| c.key() == verdict);
            return Some(counts.map(|c| column.map_or_else(|| c.tests(), |column| c.get(column))).sum());
        }
        None
    }
}

/// A short form for the page of a campaign.
pub(super) fn search(name: &str, data: &Data) -> Markup {
    form(name, &Filter { query: &Query::default(), data }, false)
}

fn form(name: &str, filter: &Filter<'_>, is_long: bool) -> Markup {
    let (query, data) = (filter.query, filter.data);
    let chosen = |field: &str, value: &str| query.get(field) == value;
    let operations: BTreeSet<&str> = data.totals.operations.keys().map(|(_, o)| o.as_str()).collect();
    let categories: BTreeSet<&str> = data.totals.categories.keys().map(|(c, _)| c.as_str()).collect();
    html! {
        form.filter method="get" action=(Link::of(name, "runs")) role="search" aria-label="Runs" {
            label { "Text " input type="search" name="q" value=(query.get("q")) placeholder="name of an instance …"; }
            label { "Verdict " select name="verdict" {
                option value="" { "all" }
                @for (key, text) in SETS { option value=(key) selected[chosen("verdict", key)] { (text) } }
                @for c in Column::ALL { option value=(c.key()) selected[chosen("verdict", c.key())] { (c.head()) " " (c.meaning()) } }
            } }
            label { "Solver " select name="solver" {
                option value="" { "all" }
                @for s in &data.solvers { option value=(s.name) selected[chosen("solver", &s.name)] { (one_line(&s.name)) } }
            } }
            @if !operations.is_empty() { label { "Operation " select name="operation" {
                option value="" { "all" }
                @for o in operations.iter().take(MAX_CHOICES) { option value=(o) selected[chosen("operation", o)] { (one_line(o)) } }
            } } }
            @if is_long {
                @if categories.len() > 1 { label { "Category " select name="category" {
                    option value="" { "all" }
                    @for c in categories.iter().filter(|c| !c.is_empty()).take(MAX_CHOICES) { option value=(c) selected[chosen("category", c)] { (one_line(c)) } }
                } } }
                label { input type="checkbox" name="flaky" value="1" checked[!query.get("flaky").is_empty()]; " flaky only" }
                @for field in ["kind", "subject"] { @if !query.get(field).is_empty() {
                    label { input type="checkbox" name=(field) value=(query.get(field)) checked; " " (field) " " (one_line(query.get(field))) }
                } }
            }
            label { input type="checkbox" name="in" value="all" checked[chosen("in", "all")]; " also in formulas and outputs" }
            button type="submit" { "Find" }
        }
    }
}

/// Runs as rows.
pub(super) fn table(name: &str, data: &Data, hits: &[Hit]) -> Markup {
    html! { @if !hits.is_empty() {
        div.scroll { table.groups.runs {
            caption.unseen { "Runs" }
            thead { tr { @for head in ["verdict", "kind", "instance", "solver", "operation", "known", "answer", "time"] { th scope="col" { (head) } } } }
            tbody { @for hit in hits { (row(name, data, hit)) } }
        } }
    } }
}

fn row(name: &str, data: &Data, hit: &Hit) -> Markup {
    let solver = data.solvers.iter().find(|s| s.id == hit.row.solver).map_or("", |s| &s.name);
    html! { tr {
        td { (badge(Column::of(hit.row.kind))) @if hit.row.flaky { " " span.flaky { "flaky" } } }
        td { (hit.row.kind) }
        td.name { a href=(link(name, &hit.name, solver, hit.row.seed)) { (one_line(&hit.name)) } @if data.seeds.len() > 1 { " " small.inline { "seed " (hit.row.seed) } } }
        td { (one_line(solver)) }
        td { (one_line(if hit.operation.is_empty() { &hit.category } else { &hit.operation })) }
        td { (hit.status) }
        td { (hit.row.answer) }
        td.number { (time(hit.row.wall)) }
    } }
}

/// The page of a run.
pub(super) fn link(name: &str, instance: &str, solver: &str, seed: u64) -> Link {
    Link::of(name, "run").with("instance", instance).with("solver", solver).with("seed", seed.to_string())
}

#[cfg(test)]
mod tests {
    use super::key;

    #[test]
    fn keys() {
        assert_eq!(key("12.3.0"), Some((12, 3, 0)));
        for bad in ["", "1", "1.2", "1.2.3.4", "a.b.c", "1.2.-3", "99999999999999999999.1.1"] {
            assert_eq!(key(bad), None, "{bad}");
        }
    }
}
