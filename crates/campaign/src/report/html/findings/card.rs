//! The card of a finding: formula, reason, output, versions, facts, runs.

use super::super::super::data::Data;
use super::super::super::findings::{column, commands, facts, formula, name, output, sent, state};
use super::super::super::options::Options;
use super::super::failures::copied;
use super::super::highlight;
use super::{badge, versions};
use crate::clean::{count, counted, one_line, printable};
use crate::finding::reason::Reason;
use crate::finding::{Finding, Member, words};
use maud::{Markup, PreEscaped, html};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of runs of a finding that are listed.
const MAX_MEMBERS: usize = 100;
/// Maximum number of bytes of an evaluation.
const MAX_TRACE: usize = 8 << 10;

/// The runs that the page lists.
pub(super) struct Links<'a> {
    /// The campaign.
    pub(super) data: &'a Data,
    /// The runs in findings, by the keys of members.
    pub(super) places: &'a BTreeMap<(&'a str, &'a str, u64), usize>,
    /// The runs in the lists of the page.
    pub(super) listed: &'a BTreeSet<usize>,
}

/// The card; its texts are left out if there is no `room`.
pub(super) fn card(links: &Links<'_>, f: &Finding, open: bool, room: &mut usize) -> Markup {
    let class = format!("bug c-{}", column(f).key());
    html! {
        details class=(class) id={"bug-" (f.number)} open[open] {
            summary {
                span.place { (f.number) } (badge(f))
                h3 { (one_line(&words::title(f))) }
                span.about { (about(f)) }
                @if !f.known.is_empty() { span.tag { "known" } }
                @for r in &f.related { a.tag href={"#bug-" (r.number)} title=(one_line(&r.reason)) { "cause of " (r.number) "?" } }
            }
            div.body {
                div.main { (texts(f, room)) }
                div.side { (side(links, f)) }
                @if let Some(v) = &f.versions { (versions::strip(v)) }
                (members(links, f))
            }
        }
    }
}

/// `Z3 4.8.0 · 41 failures · fixed in 4.8.9`
fn about(f: &Finding) -> String {
    let members = f.members.len() as u64;
    let runs = if members > 0 { counted(members, "failure") } else { String::new() };
    let parts = [name(f), runs, state(f)];
    parts.into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// The formula, why the answer is wrong, and the output, up to the size limit of the page.
fn texts(f: &Finding, room: &mut usize) -> Markup {
    let formula = formula(f);
    let (sent, output) = (sent(f, &formula), output(f));
    let marked = highlight(&formula);
    let size = marked.len() + output.len() + sent.as_ref().map_or(0, String::len);
    if size > *room {
        return html! { p.note { "Formula and output are omitted: the page would be too large. The command shows them." } };
    }
    *room -= size;
    html! {
        h4 { "Formula" }
        (copied(html! { pre.smt { (PreEscaped(marked)) } }))
        h4 { "Why it is a failure" }
        (reason(&Reason::of(f)))
        h4 { "Output of the solver" }
        @if output.is_empty() { p.note { "Nothing." } } @else { (copied(html! { pre { (output) } })) }
        p.note { "Ended: " (one_line(&f.observed.ending)) "." }
        @if let Some(sent) = sent {
            details { summary { "Script as the solver reads it" } (copied(html! { pre.smt { (PreEscaped(highlight(&sent))) } })) }
        }
    }
}

fn reason(reason: &Reason) -> Markup {
    let trace = printable(reason.trace_text().trim_end().as_bytes(), MAX_TRACE);
    html! {
        p.why { (one_line(&reason.sentence)) }
        @if !reason.values.is_empty() {
            ul.values { @for (name, value) in &reason.values { li { code { (one_line(name)) " = " (one_line(value)) } } } }
        }
        @if !reason.notes.is_empty() { pre { (printable(reason.notes.join("\n").as_bytes(), MAX_TRACE)) } }
        @if !trace.is_empty() { details open { summary { "Evaluation, step by step" } pre { (trace) } } }
    }
}

fn side(links: &Links<'_>, f: &Finding) -> Markup {
    html! {
        dl.facts { @for (name, text) in facts(f) { div { dt { (name) } dd { (text) } } } }
        @for line in commands(links.data, f, &Options::default()) { (copied(html! { pre.command { (one_line(&line)) } })) }
    }
}

/// The runs, with links to those that the page lists.
fn members(links: &Links<'_>, f: &Finding) -> Markup {
    html! {
        @if !f.members.is_empty() {
            details.members {
                summary { (counted(f.members.len() as u64, "failing run")) }
                ul.names { @for m in f.members.iter().take(MAX_MEMBERS) { li { (member(links, m)) } } }
                @if f.members.len() > MAX_MEMBERS {
                    p.note { "… and " (count((f.members.len() - MAX_MEMBERS) as u64)) " more, in " code { (one_line(&commands(links.data, f, &Options::default())[0])) } "." }
                }
            }
        }
    }
}

fn member(links: &Links<'_>, m: &Member) -> Markup {
    let at = links.places.get(&m.key()).filter(|at| links.listed.contains(at));
    let name = one_line(&m.instance);
    let mut about = vec![one_line(&m.solver)];
    about.extend((links.data.seeds.len() > 1).then(|| format!("seed {}", m.seed)));
    about.push(one_line(&m.reason));
    about.retain(|t| !t.is_empty());
    html! {
        @match at { Some(at) => a.name href={"#run-" (at)} { (name) }, None => span.name { (name) } }
        " " small { (about.join(", ")) }
    }
}
