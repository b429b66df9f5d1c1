//! All runs as CSV (RFC 4180 quoting, UTF-8, one header line): for spreadsheets and scripts. A file that could not be read is a line
//! without a solver, of kind `unreadable`, with the message in the place of the ending. After a triage the last column is the number of
//! the finding.

use super::data::{Data, Run};
use super::findings::is_triaged;
use super::format::{Format, View};
use crate::store::UnreadableRow;
use std::fmt::Write as _;
use std::io;

const HEADER: &str = "instance,category,operation,status,solver,version,seed,verdict,kind,severity,answer,model,core,\
                      ending,wall_s,cpu_s,memory_kib,batched,flaky,size";

/// The runs as CSV.
pub struct Csv;

impl Format for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn lists_runs(&self) -> bool {
        true
    }

    fn about(&self) -> &'static str {
        "Write all runs as CSV to this file (`-`: stdout)"
    }

    fn write(&self, view: &View<'_>, out: &mut dyn io::Write) -> io::Result<()> {
        write(view.data, out)
    }
}

/// Writes the header, one line per run, and one per file that could not be read.
pub fn write(data: &Data, out: &mut dyn io::Write) -> io::Result<()> {
    let triaged = is_triaged(data);
    writeln!(out, "{HEADER}{}", if triaged { ",finding" } else { "" })?;
    let mut line = String::new();
    for run in &data.runs {
        line.clear();
        push_run(&mut line, data, run);
        if triaged {
            let _ = write!(line, ",{}", run.finding.map_or_else(String::new, |n| n.to_string()));
        }
        line.push('\n');
        out.write_all(line.as_bytes())?;
    }
    for file in &data.unreadable {
        line.clear();
        push_unreadable(&mut line, file);
        line.push_str(if triaged { ",\n" } else { "\n" });
        out.write_all(line.as_bytes())?;
    }
    Ok(())
}

fn push_unreadable(line: &mut String, file: &UnreadableRow) {
    field(line, &file.file);
    line.push_str(",,,,,,,unreadable,,,,,");
    field(line, &file.to_string());
    line.push_str(",,,,,");
}

fn push_run(line: &mut String, data: &Data, run: &Run) {
    let instance = &data.instances[run.instance];
    let solver = &data.solvers[run.solver];
    for text in [&instance.name, &instance.category, &instance.operation] {
        field(line, text);
    }
    field(line, instance.status.code());
    field(line, &solver.name);
    field(line, &solver.version);
    let _ = write!(line, "{},", run.seed);
    let codes = [
        run.verdict().code(),
        run.kind.code(),
        run.severity().code(),
        run.answer.code(),
        run.model.code(),
        run.core.code(),
    ];
    for code in codes {
        field(line, code);
    }
    field(line, &run.ending);
    let _ = write!(
        line,
        "{:.6},{:.6},{},{},{},{}",
        run.wall.as_secs_f64(),
        run.cpu.as_secs_f64(),
        run.memory_kib,
        run.batched,
        run.flaky,
        instance.size
    );
}

/// A field and its comma, quoted where necessary.
fn field(line: &mut String, text: &str) {
    if text.contains(['"', ',', '\n', '\r']) || text.starts_with(' ') || text.ends_with(' ') {
        let _ = write!(line, "\"{}\",", text.replace('"', "\"\""));
    } else {
        let _ = write!(line, "{text},");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn quotes_where_it_must() {
        let mut line = String::new();
        for text in ["plain", "a,b", "say \"x\"", "two\nlines", "", " blank"] {
            super::field(&mut line, text);
        }
        assert_eq!(line, "plain,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",,\" blank\",");
    }
}
