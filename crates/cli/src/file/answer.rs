//! The output of `stringent file`: texts on stdout, rules that are not met on stderr, or one JSON document.

use super::source::Bug;
use crate::render::{self, Format};
use bugs::issue::ledger::Entry;
use bugs::issue::policy::{Policy, Unmet};
use bugs::issue::{Context, Issue};
use campaign::clean::one_line;
use serde_json::json;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A finding with its issue.
pub(super) struct Written {
    pub(super) bug: Bug,
    pub(super) issue: Issue,
    pub(super) context: Context,
    pub(super) policy: Policy,
    pub(super) unmet: Vec<Unmet>,
    /// The policy allows it, or the user forces it.
    pub(super) is_written: bool,
    /// The folder of its bundle.
    pub(super) folder: Option<PathBuf>,
}

impl Written {
    /// `finding 3 (Wrong unsat: …)`, or its title.
    fn name(&self) -> String {
        match self.bug.finding.number {
            0 => one_line(&self.issue.title),
            n => format!("finding {n} ({})", one_line(&self.issue.title)),
        }
    }

    fn json(&self) -> serde_json::Value {
        let unmet: Vec<_> = self.unmet.iter().map(|u| json!({ "rule": u.rule, "why": u.why })).collect();
        json!({
            "number": self.bug.finding.number,
            "id": self.bug.finding.id,
            "policy": self.policy.name,
            "tracker": self.policy.tracker,
            "ready": self.unmet.is_empty(),
            "unmet": unmet,
            "written": self.is_written,
            "bundle": self.folder.as_ref().map(|f| f.display().to_string()),
            "title": self.issue.title,
            "body": self.issue.body,
        })
    }
}

/// Prints the texts, or where they are, and what is missing.
pub(super) fn print(all: &[Written], format: Format, texts: bool) -> anyhow::Result<()> {
    all.iter().for_each(notice);
    let mut out = anstream::stdout().lock();
    if format == Format::Json {
        let list: Vec<_> = all.iter().map(Written::json).collect();
        writeln!(out, "{:#}", json!({ "issues": list }))?;
        return Ok(());
    }
    let written: Vec<&Written> = all.iter().filter(|w| w.is_written).collect();
    for (i, w) in written.iter().enumerate() {
        if texts {
            let rule = if i > 0 { "\n---\n\n" } else { "" };
            write!(out, "{rule}{}", w.issue.markdown())?;
        } else if let Some(folder) = &w.folder {
            writeln!(out, "{}  {}", folder.display(), one_line(&w.issue.title))?;
        }
    }
    Ok(())
}

/// The rules that are not met.
fn notice(w: &Written) {
    if w.unmet.is_empty() {
        return;
    }
    let state = if w.is_written { "written, but not ready" } else { "not ready" };
    let rules: String = w.unmet.iter().map(|u| format!("\n  {:15} {}", u.rule, u.why)).collect();
    render::notice(&format!("{}: {state} by the policy {}{rules}", w.name(), one_line(&w.policy.name)));
}

/// Prints what was recorded.
pub(super) fn filed(entry: &Entry, path: &Path, format: Format) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    match format {
        Format::Json => writeln!(out, "{:#}", serde_json::to_value(entry)?)?,
        Format::Text => {
            writeln!(out, "filed as {}: {} (in {})", entry.issue, one_line(&entry.title), path.display())?;
        }
    }
    Ok(())
}
