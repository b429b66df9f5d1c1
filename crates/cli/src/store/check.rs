//! `stringent store check`: whether a store is sound, and its size.

use crate::render::Format;
use crate::{Outcome, stored};
use campaign::clean::{bytes, count, counted, one_line};
use campaign::store::{Checked, StoreError};
use serde_json::json;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Read all of a store and report what is damaged, and its size.
///
/// Texts must have the content that they had when they were stored, references must lead to rows, and every value must be one that
/// stringent writes. A SQLite file is also checked page by page.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// The stores
    #[arg(required = true, value_name = "STORE")]
    stores: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

const HELP: &str = "\
Examples:
  stringent store check paper.store
  stringent store check postgres://db.example/lab/paper --format json

Exit codes: 0 sound, 10 damaged, 2 bad usage, or it is not a store.";

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::Clean;
    let mut out = anstream::stdout().lock();
    for path in &args.stores {
        let checked = match stored::open(path).and_then(|store| Ok(store.check()?)) {
            Ok(checked) => checked,
            Err(e) => unreadable(e)?,
        };
        match args.format {
            Format::Text => write!(out, "{}", text(path, &checked))?,
            Format::Json => writeln!(out, "{:#}", document(path, &checked))?,
        }
        if checked.found > 0 {
            outcome = Outcome::Found;
        }
    }
    Ok(outcome)
}

/// A store that is too damaged to be opened.
fn unreadable(error: anyhow::Error) -> anyhow::Result<Checked> {
    match error.downcast_ref::<StoreError>().and_then(StoreError::damage) {
        Some(what) => Ok(Checked { found: 1, problems: vec![what], ..Checked::default() }),
        None => Err(error),
    }
}

fn text(path: &Path, c: &Checked) -> String {
    let verdict = if c.found == 0 { "sound".to_owned() } else { counted(c.found, "problem") };
    if c.format == 0 {
        let path = one_line(&path.display().to_string());
        return format!("{path}: cannot be read: {}\n", one_line(&c.problems.join("; ")));
    }
    let mut out = format!("{}: {verdict} (format {})\n", one_line(&path.display().to_string()), c.format);
    // Of a damaged file they may not be known.
    if c.found == 0 || c.solvers > 0 {
        let (instances, runs) = (counted(c.instances, "instance"), counted(c.runs, "run"));
        out.push_str(&format!("  {}, {instances}, {runs}\n", counted(c.solvers, "solver")));
    }
    out.push_str(&format!("  {} on disk", bytes(c.bytes)));
    if let Some(each) = c.bytes_per_run() {
        out.push_str(&format!(", {} bytes per run", count(each.round() as u64)));
    }
    out.push('\n');
    if c.texts > 0 {
        let (all, stored) = (bytes(c.text_bytes), bytes(c.stored_bytes));
        out.push_str(&format!("  {}: {all}, stored in {stored}\n", counted(c.texts, "text")));
    }
    c.problems.iter().for_each(|problem| out.push_str(&format!("  {}\n", one_line(problem))));
    out
}

fn document(path: &Path, c: &Checked) -> serde_json::Value {
    json!({
        "store": path.display().to_string(), "format": c.format, "problems": c.problems, "found": c.found,
        "solvers": c.solvers, "instances": c.instances, "runs": c.runs, "texts": c.texts, "text_bytes": c.text_bytes,
        "stored_text_bytes": c.stored_bytes, "bytes": c.bytes, "bytes_per_run": c.bytes_per_run(),
    })
}
