//! All runs, one JSON object per line; then the files that could not be read, each as `{"unreadable": …}`.

use super::data::Data;
use super::format::{Format, View};
use super::json::{fields, unreadable};
use serde_json::{Value, json};
use std::io;

/// The runs as JSON lines.
pub struct Jsonl;

impl Format for Jsonl {
    fn name(&self) -> &'static str {
        "jsonl"
    }

    fn lists_runs(&self) -> bool {
        true
    }

    fn about(&self) -> &'static str {
        "Write all runs, one JSON object per line, to this file (`-`: stdout)"
    }

    fn write(&self, view: &View<'_>, out: &mut dyn io::Write) -> io::Result<()> {
        write(view.data, out)
    }
}

/// Writes one line per run, and one per file that could not be read.
pub fn write(data: &Data, out: &mut dyn io::Write) -> io::Result<()> {
    for run in &data.runs {
        serde_json::to_writer(&mut *out, &Value::Object(fields(data, run)))?;
        out.write_all(b"\n")?;
    }
    for file in &data.unreadable {
        writeln!(out, "{}", json!({"unreadable": unreadable(file)}))?;
    }
    Ok(())
}
