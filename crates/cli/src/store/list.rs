//! `stringent store list`: the stores of folders and databases.

use crate::Outcome;
use crate::render::Format;
use anyhow::bail;
use campaign::clean::{bytes, count, one_line};
use campaign::folder::RESULTS;
use campaign::store::Store;
use campaign::store::places::{self, Content, Listed};
use comfy_table::{Table, presets};
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// List the stores of a folder or of a database, with their sizes.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Folders, stores, or databases (`postgres://HOST/DATABASE`) [default: stringent-results]
    places: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

const HELP: &str = "\
Examples:
  stringent store list
  stringent store list results/ postgres://db.example/lab

Exit codes: 0 done, 11 a store cannot be read, 2 usage, or a place cannot be read.";

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut all = Vec::new();
    if args.places.is_empty() && Path::new(RESULTS).exists() {
        all = places::list(Path::new(RESULTS))?;
    }
    for place in &args.places {
        if !Store::exists(place) {
            bail!("there is no store or folder `{}`", place.display());
        }
        all.extend(places::list(place)?);
    }
    let mut out = anstream::stdout().lock();
    match args.format {
        Format::Json => {
            writeln!(out, "{:#}", json!({"stores": all.iter().map(document).collect::<Vec<_>>()}))?;
        }
        Format::Text if all.is_empty() => writeln!(out, "no stores")?,
        Format::Text => {
            if all.iter().any(|store| store.content.is_ok()) {
                writeln!(out, "{}", table(&all))?;
            }
            for why in all.iter().filter_map(|store| store.content.as_ref().err()) {
                writeln!(out, "cannot be read: {}", one_line(why))?;
            }
        }
    }
    let unreadable = all.iter().any(|store| store.content.is_err());
    Ok(if unreadable { Outcome::Undetermined } else { Outcome::Clean })
}

fn table(all: &[Listed]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header([
        "store",
        "started",
        "finished",
        "solvers",
        "instances",
        "runs",
        "size",
    ]);
    for store in all {
        let path = one_line(&store.path.display().to_string());
        let Ok(c) = &store.content else { continue };
        let finished = c.finished.clone().unwrap_or_else(|| "no".into());
        let [solvers, instances, runs] = [c.solvers, c.instances, c.runs].map(count);
        table.add_row([path, c.created.clone(), finished, solvers, instances, runs, bytes(c.bytes)]);
    }
    table
}

fn document(store: &Listed) -> Value {
    let path = store.path.display().to_string();
    match &store.content {
        Ok(Content { created, finished, solvers, instances, runs, bytes }) => json!({
            "store": path, "created": created, "finished": finished, "solvers": solvers, "instances": instances,
            "runs": runs, "bytes": bytes,
        }),
        Err(why) => json!({"store": path, "error": why}),
    }
}
