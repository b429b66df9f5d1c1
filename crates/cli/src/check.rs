//! `stringent check`: parse and sort-check.

use crate::Outcome;
use crate::input::{self, Input};
use crate::render::{self, Format};
use smt::trip::{Trip, round_trips};
use smt::{Dialect, Pool, Severity};
use std::io::Write as _;
use std::path::PathBuf;

/// Parse and sort-check scripts.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stringent check problem.smt2\n  stringent check benchmarks/ --quiet\n  \
    cat problem.smt2 | stringent check - --format json\n\nExit codes: 0 all accepted, 2 some rejected or unreadable."
)]
pub(crate) struct Args {
    /// Scripts, directories of *.smt2 files, or `-` for stdin
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The dialect, instead of detecting it: 2.0, 2.5, 2.6, 2.7 or norn
    #[arg(long)]
    dialect: Option<Dialect>,
    /// Also write each script in every dialect that can express it, read it back, and compare the terms
    #[arg(long)]
    round_trip: bool,
    /// Only report rejected scripts
    #[arg(long, short)]
    quiet: bool,
    /// At most this many diagnostics per file
    #[arg(long, default_value_t = 20)]
    max_errors: usize,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::Clean;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let (mut total, mut bad) = (0, 0);
    let mut documents = Vec::new();
    for file in input::files(&args.files)? {
        total += 1;
        let ok = match input::read(&file) {
            Ok(input) => check(args, &input, &mut out, &mut documents)?,
            Err(e) => {
                render::error(&format!("{e:#}"));
                documents.push(serde_json::json!({ "file": file.display().to_string(), "ok": false, "error": format!("{e:#}") }));
                false
            }
        };
        bad += usize::from(!ok);
    }
    if bad > 0 {
        outcome = Outcome::BadInput;
    }
    if args.format == Format::Json {
        let doc = serde_json::json!({ "version": env!("CARGO_PKG_VERSION"), "files": documents, "total": total, "rejected": bad });
        writeln!(out, "{doc:#}")?;
    } else if total > 1 {
        writeln!(out, "{total} files, {} accepted, {bad} rejected", total - bad)?;
    }
    out.flush()?;
    Ok(outcome)
}

fn check(
    args: &Args,
    input: &Input,
    out: &mut impl std::io::Write,
    documents: &mut Vec<serde_json::Value>,
) -> anyhow::Result<bool> {
    let mut pool = Pool::new();
    let parsed = smt::parse(&input.bytes, args.dialect, &mut pool);
    let ok = parsed.is_ok();
    let trips = if args.round_trip && ok { round_trips(&parsed.script, &mut pool) } else { Vec::new() };
    let ok = ok && trips.iter().all(|(_, trip)| !matches!(trip, Trip::Changed(_)));
    let opaque = parsed.script.assertions().filter(|&t| pool.has_opaque(t)).count();
    if args.format == Format::Json {
        let diagnostics: Vec<_> =
            parsed.diagnostics.iter().take(args.max_errors).map(|d| render::json(&input.bytes, d)).collect();
        documents.push(serde_json::json!({
            "file": input.name,
            "ok": ok,
            "dialect": parsed.script.dialect.name(),
            "commands": parsed.script.entries.len(),
            "assertions": parsed.script.assertions().count(),
            "opaque_assertions": opaque,
            "terms": pool.len(),
            "round_trips": trips.iter().map(|(d, t)| (d.name().to_owned(), t.to_string().into())).collect::<serde_json::Map<_, _>>(),
            "errors": parsed.errors(),
            "diagnostics": diagnostics,
        }));
        return Ok(ok);
    }
    let shown = |d: &&smt::Diagnostic| !args.quiet || d.severity == Severity::Error;
    for d in parsed.diagnostics.iter().filter(shown).take(args.max_errors) {
        render::notice(&render::diagnostic(&input.name, &input.bytes, d));
    }
    let hidden = parsed.diagnostics.iter().filter(shown).count().saturating_sub(args.max_errors);
    if hidden > 0 {
        render::notice(&format!("{}: {hidden} more, see --max-errors", input.name));
    }
    for (dialect, trip) in &trips {
        if !args.quiet || matches!(trip, Trip::Changed(_)) {
            writeln!(out, "{}: through dialect {dialect} and back: {trip}", input.name)?;
        }
    }
    if !parsed.is_ok() {
        writeln!(out, "{}: rejected, {} error(s)", input.name, parsed.errors())?;
    } else if !args.quiet {
        let carried =
            if opaque > 0 { format!(", {opaque} with terms of other theories") } else { String::new() };
        writeln!(
            out,
            "{}: ok, dialect {}, {} commands, {} assertions{carried}",
            input.name,
            parsed.script.dialect,
            parsed.script.entries.len(),
            parsed.script.assertions().count()
        )?;
    }
    Ok(ok)
}
