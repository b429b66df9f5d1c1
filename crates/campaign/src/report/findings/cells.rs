//! The results of versions: a mark, a word and a key for each.

use crate::clean::one_line;
use crate::finding::{Cell, Versions};

/// The order of legends.
const ALL: [Cell; 7] =
    [Cell::Fails, Cell::Right, Cell::Other, Cell::Slow, Cell::Unknown, Cell::CannotRead, Cell::Missing];

/// The mark of a result, which needs no colour.
pub(in super::super) fn mark(cell: Cell) -> &'static str {
    match cell {
        Cell::Fails => "✗",
        Cell::Right => "✓",
        Cell::Other => "!",
        Cell::Slow => "…",
        Cell::Unknown => "?",
        Cell::CannotRead => "–",
        Cell::Missing => "·",
    }
}

/// A result in words.
pub(in super::super) fn meaning(cell: Cell) -> &'static str {
    match cell {
        Cell::Fails => "fails",
        Cell::Right => "right",
        Cell::Other => "fails in another way",
        Cell::Slow => "time limit",
        Cell::Unknown => "unknown",
        Cell::CannotRead => "cannot read it",
        Cell::Missing => "not available",
    }
}

/// The key of a result in CSS.
pub(in super::super) fn key(cell: Cell) -> &'static str {
    match cell {
        Cell::Fails => "fails",
        Cell::Right => "right",
        Cell::Other => "other",
        Cell::Slow => "slow",
        Cell::Unknown => "unknown",
        Cell::CannotRead => "unread",
        Cell::Missing => "missing",
    }
}

/// The versions by their results; results without versions are left out.
pub(in super::super) fn by_cell(versions: &Versions) -> Vec<(Cell, Vec<String>)> {
    let of = |cell: Cell| -> Vec<String> {
        versions.tried.iter().filter(|t| t.cell == cell).map(|t| one_line(&t.version)).collect()
    };
    ALL.into_iter().map(|cell| (cell, of(cell))).filter(|(_, list)| !list.is_empty()).collect()
}
