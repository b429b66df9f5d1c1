//! `stringent stats`: the contents of scripts.

use crate::Outcome;
use crate::input::{self, Input};
use crate::render::{self, Format};
use comfy_table::{CellAlignment, Table, presets};
use smt::{Dialect, Pool, Severity};
use std::io::Write as _;
use std::path::PathBuf;
use synth::stats::{Stats, stats};

/// Count the contents of scripts: variables, literals, expressions, depths, lengths, operators, sorts.
///
/// Terms are counted as they would be written out in full, without `let`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  stringent stats problem.smt2\n  stringent stats benchmarks/\n  \
    cat problem.smt2 | stringent stats - --format json\n\nExit codes: 0 measured, 2 some rejected or unreadable.")]
pub(crate) struct Args {
    /// Scripts, directories of *.smt2 files, or `-` for stdin
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The dialect, instead of detecting it: 2.0, 2.5, 2.6, 2.7 or norn
    #[arg(long)]
    dialect: Option<Dialect>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut all: Vec<(String, Stats)> = Vec::new();
    let mut outcome = Outcome::Clean;
    for file in input::files(&args.files)? {
        match input::read(&file).map(|input| measure(args, &input).map(|s| (input.name, s))) {
            Ok(Some(measured)) => all.push(measured),
            Ok(None) => outcome = Outcome::BadInput,
            Err(e) => {
                render::error(&format!("{e:#}"));
                outcome = Outcome::BadInput;
            }
        }
    }
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    match (args.format, &all[..]) {
        (Format::Json, _) => {
            let files: Vec<_> = all.iter().map(|(name, s)| json(name, s)).collect();
            let doc = serde_json::json!({ "version": env!("CARGO_PKG_VERSION"), "files": files });
            writeln!(out, "{doc:#}")?;
        }
        (Format::Text, []) => {}
        (Format::Text, [(_, s)]) => writeln!(out, "{}", one(s))?,
        (Format::Text, _) => writeln!(out, "{}", many(&all))?,
    }
    out.flush()?;
    Ok(outcome)
}

fn measure(args: &Args, input: &Input) -> Option<Stats> {
    let mut pool = Pool::new();
    let parsed = smt::parse(&input.bytes, args.dialect, &mut pool);
    render::diagnostics(input, parsed.diagnostics.iter().filter(|d| d.severity == Severity::Error), 5);
    if !parsed.is_ok() {
        render::error(&format!("`{}` has {} error(s)", input.name, parsed.errors()));
        return None;
    }
    Some(stats(&pool, &parsed.script))
}

/// The figures that are numbers, by name.
fn figures(s: &Stats) -> [(&'static str, f64); 15] {
    let n = |n: u64| n as f64;
    [
        ("variables", n(s.variables)),
        ("literals", n(s.literals)),
        ("expressions", n(s.expressions)),
        ("max depth", n(s.max_depth)),
        ("median depth", s.median_depth),
        ("max literal length", n(s.max_literal)),
        ("median literal length", s.median_literal),
        ("average literal length", s.average_literal),
        ("concat nesting", n(s.concat_nesting)),
        ("assertions", n(s.assertions)),
        ("commands", n(s.commands)),
        ("checks", n(s.checks)),
        ("functions", n(s.functions)),
        ("definitions", n(s.definitions)),
        ("quantifiers", n(s.quantifiers)),
    ]
}

fn number(x: f64) -> String {
    if x.fract() == 0.0 { format!("{x:.0}") } else { format!("{x:.2}") }
}

fn plain() -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table
}

fn one(s: &Stats) -> Table {
    let mut table = plain();
    for (name, x) in figures(s) {
        table.add_row([name.to_owned(), number(x)]);
    }
    let mut operators: Vec<_> = s.operators.iter().collect();
    operators.sort_by_key(|(name, n)| (std::cmp::Reverse(**n), **name));
    for (name, n) in operators {
        table.add_row([format!("operator {name}"), n.to_string()]);
    }
    for (name, n) in &s.sorts {
        table.add_row([format!("sort {name}"), n.to_string()]);
    }
    right(&mut table);
    table
}

/// A row for each script, and the largest figures.
fn many(all: &[(String, Stats)]) -> Table {
    let mut table = plain();
    let shown = 10;
    let names =
        all.first().map(|(_, s)| figures(s)).into_iter().flatten().take(shown).map(|(n, _)| n.to_owned());
    table.set_header(["script".to_owned()].into_iter().chain(names));
    let mut max = vec![0.0f64; shown];
    for (name, s) in all {
        let row: Vec<f64> = figures(s).iter().take(shown).map(|(_, x)| *x).collect();
        max.iter_mut().zip(&row).for_each(|(m, x)| *m = m.max(*x));
        table.add_row([name.clone()].into_iter().chain(row.into_iter().map(number)));
    }
    table.add_row([format!("largest of {}", all.len())].into_iter().chain(max.into_iter().map(number)));
    right(&mut table);
    table
}

fn right(table: &mut Table) {
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}

fn json(name: &str, s: &Stats) -> serde_json::Value {
    serde_json::json!({
        "file": name,
        "commands": s.commands,
        "checks": s.checks,
        "assertions": s.assertions,
        "variables": s.variables,
        "functions": s.functions,
        "definitions": s.definitions,
        "quantifiers": s.quantifiers,
        "literals": s.literals,
        "expressions": s.expressions,
        "max_depth": s.max_depth,
        "median_depth": s.median_depth,
        "max_literal": s.max_literal,
        "median_literal": s.median_literal,
        "average_literal": s.average_literal,
        "concat_nesting": s.concat_nesting,
        "operators": s.operators,
        "sorts": s.sorts,
    })
}
