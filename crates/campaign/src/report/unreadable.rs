//! Files that could not be read: they have no runs, but every report names them.

use super::data::Data;
use super::options::Options;
use super::terminal::Style;
use crate::clean::{counted, one_line};
use maud::{Markup, html};
use std::fmt::Write as _;

/// Maximum number of files in a text or on a page; the rest are counted.
const MAX_FILES: usize = 20;

fn title(data: &Data) -> String {
    format!("{} could not be read", counted(data.unreadable.len() as u64, "file"))
}

/// As text; empty if all files could be read.
pub(super) fn text(data: &Data, options: &Options) -> String {
    if data.unreadable.is_empty() {
        return String::new();
    }
    let mut out = format!("\n{}\n", Style(options.styled).bold(&title(data)));
    let shown = if options.all { usize::MAX } else { MAX_FILES };
    for file in data.unreadable.iter().take(shown) {
        let _ = writeln!(out, "  {}", one_line(&file.to_string()));
    }
    if data.unreadable.len() > shown {
        let _ = writeln!(out, "  … and {} more; --all shows them", data.unreadable.len() - shown);
    }
    out
}

/// As a section of a page; empty if all files could be read.
pub(super) fn section(data: &Data) -> Markup {
    html! {
        @if !data.unreadable.is_empty() {
            section id="unreadable" {
                h2 { (title(data)) }
                ul.names { @for file in data.unreadable.iter().take(MAX_FILES) { li { (one_line(&file.to_string())) } } }
                @if data.unreadable.len() > MAX_FILES { p.note { "… and " (data.unreadable.len() - MAX_FILES) " more." } }
            }
        }
    }
}
