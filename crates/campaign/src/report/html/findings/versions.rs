//! The versions of a solver as a strip: a cell for each, with a mark that needs no colour, and a legend.

use super::super::super::findings::{by_cell, key, mark, meaning};
use crate::clean::{count, one_line};
use crate::finding::Versions;
use maud::{Markup, html};

/// The versions that were run, oldest first.
pub(super) fn strip(v: &Versions) -> Markup {
    html! {
        @if !v.tried.is_empty() {
            div.versions {
                h4 { "Versions, oldest first" }
                ol { @for t in &v.tried {
                    @let result = format!("{}: {}", meaning(t.cell), one_line(&t.detail));
                    li class={"v-" (key(t.cell))} title=(result.trim_end_matches(": ")) { b { (mark(t.cell)) } (one_line(&t.version)) }
                } }
                ul.legend { @for (cell, list) in by_cell(v) {
                    li { span class={"cell v-" (key(cell))} { (mark(cell)) } " " (meaning(cell)) " (" (count(list.len() as u64)) ")" }
                } }
            }
        }
    }
}
