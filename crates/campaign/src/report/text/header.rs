//! How the campaign was run.

use super::super::data::Data;
use super::super::terminal::{Style, wrap};
use crate::clean::{count, counted, one_line};
use std::fmt::Write as _;

pub(super) fn push(out: &mut String, data: &Data, style: Style) {
    let c = &data.campaign;
    let _ = writeln!(out, "campaign  {}", style.bold(&one_line(&data.store)));
    let mut line = |key: &str, value: &str| {
        if !value.is_empty() {
            let _ = writeln!(out, "{key:<9} {}", one_line(value));
        }
    };
    line("command", &c.command);
    line("started", &format!("{}, stringent {}", c.created, c.version));
    line("finished", c.finished.as_deref().unwrap_or("no"));
    line("machine", &c.host);
    line("seed", &c.seed.to_string());
    let settings: Vec<String> = c.settings.shown().iter().map(|(k, v)| format!("{k} {v}")).collect();
    for (i, row) in wrap(&settings, " · ", 90).lines().enumerate() {
        line(if i == 0 { "settings" } else { "" }, row.trim());
    }
    line("size", &size(data));
    for (i, s) in data.solvers.iter().enumerate() {
        let (head, name, version) =
            (if i == 0 { "solvers" } else { "" }, one_line(&s.name), one_line(&s.version));
        let version = if version.is_empty() { version } else { format!(" ({version})") };
        line(head, &format!("{name}{version}  {}", s.program));
    }
    out.push('\n');
}

fn size(data: &Data) -> String {
    let left = data.totals.runs < data.expected() as u64;
    let done = if left { format!(" of {}", count(data.expected() as u64)) } else { String::new() };
    let mut parts =
        vec![counted(data.formulas as u64, "instance"), counted(data.solvers.len() as u64, "solver")];
    if data.seeds.len() > 1 {
        parts.push(counted(data.seeds.len() as u64, "seed"));
    }
    parts.push(format!("{}{done}", counted(data.totals.runs, "run")));
    parts.join(" · ")
}
