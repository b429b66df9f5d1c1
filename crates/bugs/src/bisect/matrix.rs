//! The matrix of formulas and versions. Neighbouring versions with equal columns are one column, so that it stays readable.

use super::bench::{Bench, Bisection};
use super::cell::Failure;
use super::cell::word;
use super::conclude::range;
use campaign::clean::shorten;
use campaign::finding::Tried;
use comfy_table::{Table, presets};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The longest name of a row.
const MAX_NAME: usize = 32;
/// The widest table.
const WIDTH: usize = 100;

/// Formulas on versions.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// The solver.
    pub solver: String,
    /// The versions, oldest first.
    pub versions: Vec<String>,
    /// The formulas.
    pub rows: Vec<Row>,
}

/// A formula.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// The failure that was looked for.
    pub failure: Failure,
    /// By version; none if it was not run.
    pub cells: Vec<Option<Tried>>,
}

/// Below every matrix.
const LEGEND: &str = "FAILS: has the failure; other: fails in another way; -: cannot read the script;\nx: cannot be run here; blank: not run";

/// Versions with the same cells: the first, the last, and the words of all rows.
struct Column {
    first: String,
    last: String,
    words: Vec<&'static str>,
}

impl Column {
    fn width(&self) -> usize {
        let words = self.words.iter().map(|w| w.len()).max().unwrap_or(0);
        words.max(self.first.len()).max(if self.first == self.last { 0 } else { self.last.len() + 1 })
    }
}

impl Matrix {
    /// The matrix of bisections on a bench.
    pub fn of(bench: &Bench<'_>, bisections: &[Bisection]) -> Matrix {
        let row = |b: &Bisection| Row { name: b.name.clone(), failure: b.failure, cells: b.cells.clone() };
        Matrix {
            solver: bench.name().into(),
            versions: bench.versions().iter().map(ToString::to_string).collect(),
            rows: bisections.iter().map(row).collect(),
        }
    }

    /// The columns; versions that no row was run on are left out.
    fn columns(&self) -> Vec<Column> {
        let mut columns: Vec<Column> = Vec::new();
        for (i, version) in self.versions.iter().enumerate() {
            let cell = |r: &Row| r.cells[i].as_ref().map_or("", |t| word(t.cell));
            let words: Vec<&str> = self.rows.iter().map(cell).collect();
            if words.iter().all(|w| w.is_empty()) {
                continue;
            }
            match columns.last_mut() {
                Some(column) if column.words == words => column.last.clone_from(version),
                _ => columns.push(Column { first: version.clone(), last: version.clone(), words }),
            }
        }
        columns
    }

    /// The names of the rows, without folders if they differ without them.
    fn names(&self) -> Vec<&str> {
        let last = |r: &'_ Row| r.name.rfind('/').map_or(0, |at| at + 1);
        let short: Vec<&str> = self.rows.iter().map(|r| &r.name[last(r)..]).collect();
        let unique = short.iter().collect::<BTreeSet<_>>().len() == short.len();
        if unique { short } else { self.rows.iter().map(|r| r.name.as_str()).collect() }
    }

    /// As text, at most 100 columns wide: several tables, one below the other, if need be.
    pub fn text(&self) -> String {
        let names: Vec<String> = self.names().iter().map(|name| shorten(name, MAX_NAME)).collect();
        let name_width = names.iter().map(|n| n.chars().count()).max().unwrap_or(0).max(self.solver.len());
        let mut blocks: Vec<Vec<Column>> = Vec::new();
        let mut used = WIDTH;
        for column in self.columns() {
            if used + column.width() + 2 > WIDTH {
                blocks.push(Vec::new());
                used = name_width;
            }
            used += column.width() + 2;
            if let Some(block) = blocks.last_mut() {
                block.push(column);
            }
        }
        let tables: Vec<String> = blocks.iter().map(|block| self.block(&names, block)).collect();
        format!("{}\n{LEGEND}\n", tables.join("\n"))
    }

    /// One table; the range of versions takes two lines.
    fn block(&self, names: &[String], columns: &[Column]) -> String {
        let mut table = Table::new();
        table.load_preset(presets::NOTHING);
        let second = |c: &Column| if c.first == c.last { String::new() } else { format!("–{}", c.last) };
        table.add_row([self.solver.clone()].into_iter().chain(columns.iter().map(|c| c.first.clone())));
        if columns.iter().any(|c| c.first != c.last) {
            table.add_row([String::new()].into_iter().chain(columns.iter().map(second)));
        }
        for (i, name) in names.iter().enumerate() {
            table.add_row([name.as_str()].into_iter().chain(columns.iter().map(|c| c.words[i])));
        }
        // Each cell has a blank on both sides.
        let line = |l: &str| l.strip_prefix(' ').unwrap_or(l).trim_end().to_owned() + "\n";
        table.to_string().lines().map(line).collect()
    }

    /// As a table of Markdown.
    pub fn markdown(&self) -> String {
        let columns = self.columns();
        let heads: Vec<String> = columns.iter().map(|c| range(&c.first, &c.last)).collect();
        let mut out =
            format!("| {} | {} |\n|---|{}\n", self.solver, heads.join(" | "), "---|".repeat(heads.len()));
        for (i, name) in self.names().into_iter().enumerate() {
            let words: Vec<&str> = columns.iter().map(|c| c.words[i]).collect();
            let name = name.replace('|', "\\|");
            out.push_str(&format!("| {name} | {} |\n", words.join(" | ")));
        }
        format!("{out}\n{LEGEND}.\n")
    }

    /// As JSON: each version of each formula.
    pub fn json(&self) -> Value {
        let row = |r: &Row| {
            let cells: Vec<&Tried> = r.cells.iter().flatten().collect();
            json!({ "name": r.name, "failure": r.failure.name(), "cells": cells })
        };
        let rows: Vec<Value> = self.rows.iter().map(row).collect();
        json!({ "solver": self.solver, "versions": self.versions, "rows": rows })
    }
}
