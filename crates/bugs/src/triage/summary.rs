//! The result of a triage: the verdict in a sentence, then a table of bugs.

use campaign::clean::{counted, listed, one_line, shell, shorten};
use campaign::finding::words::{failure, title};
use campaign::finding::{Finding, Member, causes};
use comfy_table::presets::{ASCII_MARKDOWN, NOTHING};
use comfy_table::{CellAlignment, Table};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Failures that are in no group, at most, that a text lists.
const MAX_OPEN: usize = 10;
/// Characters of a title in a table, at most.
const MAX_TITLE: usize = 60;

/// The result of a triage.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The store.
    pub store: PathBuf,
    /// The bugs, by rank.
    pub findings: Vec<Finding>,
    /// Failures that are in no group.
    pub open: Vec<Open>,
    /// It was stopped.
    pub stopped: bool,
}

/// A failure that is in no group.
#[derive(Clone, Debug)]
pub struct Open {
    /// The run.
    pub member: Member,
    /// Why.
    pub why: String,
}

impl Summary {
    /// The number of failures that are in groups.
    pub fn grouped(&self) -> usize {
        self.findings.iter().map(|f| f.members.len()).sum()
    }

    /// The verdict in a sentence.
    pub fn verdict(&self) -> String {
        let open = match self.open.len() {
            0 => String::new(),
            n => format!("; {} in no group", counted(n as u64, "failure")),
        };
        if self.findings.is_empty() {
            return if self.open.is_empty() { "no failures".into() } else { format!("no bugs{open}") };
        }
        let (failures, bugs) = (self.grouped() as u64, self.findings.len() as u64);
        let verb = if failures == 1 { "is" } else { "are" };
        let (failures, bugs) = (counted(failures, "failure"), counted(bugs, "bug"));
        format!("{failures} {verb} {bugs}{}: {}{open}", self.causes(), listed(self.kinds()))
    }

    /// How many causes they have, if some probably have the same.
    fn causes(&self) -> String {
        match causes(&self.findings) {
            n if n == self.findings.len() => String::new(),
            n => format!(", probably of {}", counted(n as u64, "cause")),
        }
    }

    /// How many bugs there are of each kind, by rank.
    fn kinds(&self) -> Vec<String> {
        let mut counts: Vec<(&'static str, usize)> = Vec::new();
        for f in &self.findings {
            let name = failure(f.kind);
            match counts.iter_mut().find(|(n, _)| *n == name) {
                Some((_, count)) => *count += 1,
                None => counts.push((name, 1)),
            }
        }
        counts.into_iter().map(|(name, n)| format!("{n} {}", plural(&lower(name), n))).collect()
    }

    /// For a terminal.
    pub fn text(&self) -> String {
        let mut out = self.verdict() + "\n";
        if !self.findings.is_empty() {
            out += &format!("\n{}\n", self.table(NOTHING));
        }
        for open in self.open.iter().take(MAX_OPEN) {
            out += &format!(
                "\nin no group: {} on {}: {}",
                open.member.instance,
                open.member.solver,
                one_line(&open.why)
            );
        }
        if self.open.len() > MAX_OPEN {
            out += &format!("\nand {} more in no group", self.open.len() - MAX_OPEN);
        }
        if !self.open.is_empty() {
            out.push('\n');
        }
        out + &self.hints()
    }

    fn hints(&self) -> String {
        let store = shell(&self.store.display().to_string());
        if self.stopped {
            return format!("\nstopped; to go on: stringent triage {store}\n");
        }
        let Some(first) = self.findings.first() else { return String::new() };
        let n = first.number;
        format!(
            "\nexplain one:    stringent show --bug {n} --store {store}\nissue text:     stringent file {n} --store {store}\nreport on all:  stringent report {store}\n"
        )
    }

    /// For an issue or a page.
    pub fn markdown(&self) -> String {
        let mut out = format!("{}\n", self.verdict());
        if !self.findings.is_empty() {
            out += &format!("\n{}\n", self.table(ASCII_MARKDOWN));
        }
        for f in &self.findings {
            out +=
                &format!("\n### {}. {}\n\n```smt2\n{}\n```\n", f.number, title(f), f.reduced.sent.trim_end());
        }
        out
    }

    fn table(&self, preset: &str) -> Table {
        let mut table = Table::new();
        table.load_preset(preset);
        let related = self.findings.iter().any(|f| !f.related.is_empty());
        let heads = ["#", "bug", "solver", "failures", "bytes", "versions", "fails", "known"];
        table.set_header(heads.into_iter().chain(related.then_some("same cause?")));
        for f in &self.findings {
            let row = [
                f.number.to_string(),
                shorten(&title(f), MAX_TITLE),
                f.solver.name.clone(),
                f.members.len().to_string(),
                bytes(f),
                versions(f),
                rate(f),
                f.known.iter().map(|k| k.issue.as_str()).collect::<Vec<_>>().join(", "),
            ];
            let others = || f.related.iter().map(|r| r.number.to_string()).collect::<Vec<_>>().join(", ");
            table.add_row(row.into_iter().chain(related.then(others)));
        }
        for column in [0, 3, 4] {
            if let Some(column) = table.column_mut(column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let open = |o: &Open| {
            let Member { instance, solver, seed, .. } = &o.member;
            json!({"instance": instance, "solver": solver, "seed": seed, "why": o.why})
        };
        json!({
            "verdict": self.verdict(),
            "store": self.store.display().to_string(),
            "stopped": self.stopped,
            "failures": self.grouped(),
            "findings": self.findings,
            "open": self.open.iter().map(open).collect::<Vec<_>>(),
        })
    }
}

/// `Wrong unsat` within a sentence.
fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_lowercase().chain(chars).collect())
}

/// `crash` and `invalid model` have a plural, `wrong unsat` has none.
fn plural(name: &str, n: usize) -> String {
    match name {
        _ if n == 1 => name.to_owned(),
        "crash" => "crashes".to_owned(),
        name if ["model", "core", "message"].iter().any(|noun| name.ends_with(noun)) => format!("{name}s"),
        name => name.to_owned(),
    }
}

/// The size; with a mark if the reduction ended early.
fn bytes(f: &Finding) -> String {
    let more = if f.reduced.complete { "" } else { "+" };
    format!("{}{more}", f.reduced.bytes)
}

fn versions(f: &Finding) -> String {
    let Some(v) = &f.versions else { return String::new() };
    let from = v.first_bad.as_deref().unwrap_or("?");
    match (&v.fixed_in, v.newest_fails) {
        (Some(fixed), _) => format!("{from} to before {fixed}"),
        (None, true) => format!("{from} to newest"),
        (None, false) => from.to_owned(),
    }
}

/// How often it fails, and in which modes.
fn rate(f: &Finding) -> String {
    let rate = f.stability.map(|s| format!("{} of {}", s.failed, s.runs)).unwrap_or_default();
    let mode = match f.modes {
        Some(m) if m.fresh && !m.incremental => ", fresh only",
        Some(m) if !m.fresh && m.incremental => ", session only",
        _ => "",
    };
    format!("{rate}{mode}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_plurals() {
        assert_eq!(plural("crash", 2), "crashes");
        assert_eq!(plural("crash", 1), "crash");
        assert_eq!(plural("invalid model", 3), "invalid models");
        assert_eq!(plural("wrong unsat", 3), "wrong unsat");
        assert_eq!(lower("Wrong unsat"), "wrong unsat");
    }

    #[test]
    fn without_findings_the_verdict_tells_why() {
        let member = Member { instance: "a".into(), solver: "z3".into(), seed: 0, reason: String::new() };
        let open = vec![Open { member, why: "it did not fail again".into() }];
        let mut summary = Summary { store: "s".into(), findings: Vec::new(), open, stopped: false };
        assert_eq!(summary.verdict(), "no bugs; 1 failure in no group");
        assert!(summary.text().contains("in no group: a on z3: it did not fail again"));
        summary.open.clear();
        assert_eq!(summary.text(), "no failures\n");
    }
}
