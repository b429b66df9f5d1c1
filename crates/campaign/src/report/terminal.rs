//! Text for a terminal: colours, tables, wrapped lines.

use super::data::Conclusion;
use crate::outcome::Severity;
use comfy_table::{CellAlignment, ColumnConstraint, Width, presets};
use std::fmt::Write as _;

/// Escape codes, or none.
#[derive(Clone, Copy)]
pub(super) struct Style(pub(super) bool);

impl Style {
    pub(super) fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    pub(super) fn of(self, severity: Severity, text: &str) -> String {
        match severity {
            Severity::Unsound => self.with("1;31", text),
            Severity::Error => self.with("1;33", text),
            Severity::Imprecise => self.with("33", text),
            Severity::Fine => self.with("32", text),
            _ => text.to_owned(),
        }
    }

    /// Of less importance.
    pub(super) fn dim(self, text: &str) -> String {
        self.with("2", text)
    }

    /// As it is.
    pub(super) fn plain(self, text: &str) -> String {
        text.to_owned()
    }

    /// The line of the conclusion.
    pub(super) fn conclusion(self, conclusion: Conclusion, text: &str) -> String {
        match conclusion {
            Conclusion::Clean => self.with("1;32", text),
            Conclusion::Wrong => self.with("1;31", text),
            Conclusion::Unreadable | Conclusion::Undetermined => self.bold(text),
        }
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.0 { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// A table whose columns are numbers but the first.
pub(super) fn right_table(heads: Vec<String>) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    let n = heads.len();
    table.load_preset(presets::NOTHING).set_header(heads);
    for i in 0..n {
        let column = table.column_mut(i).expect("it has a header");
        column.set_padding(if i == 0 { (2, 1) } else { (2, 0) });
        if i > 0 {
            column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(5)));
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

pub(super) fn push_table(out: &mut String, table: &comfy_table::Table) {
    for line in table.lines() {
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// `parts` with `between`, on lines of at most `width` characters, indented by two.
pub(super) fn wrap(parts: &[String], between: &str, width: usize) -> String {
    let mut lines = vec![String::from("  ")];
    for part in parts {
        let line = lines.last_mut().expect("one at least");
        if line.len() > 2 && line.chars().count() + between.chars().count() + part.chars().count() > width {
            lines.push(format!("  {part}"));
        } else {
            if line.len() > 2 {
                line.push_str(between);
            }
            line.push_str(part);
        }
    }
    lines.join("\n")
}

/// Adds `text` on lines of at most 98 characters, each through `style`; further lines begin with `indent`.
pub(super) fn push_wrapped(out: &mut String, text: &str, indent: &str, style: impl Fn(&str) -> String) {
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > 98 {
            let _ = writeln!(out, "{}", style(&line));
            line = format!("{indent}{word}");
        } else {
            line.push_str(if line.is_empty() { "" } else { " " });
            line.push_str(word);
        }
    }
    let _ = writeln!(out, "{}", style(&line));
}
