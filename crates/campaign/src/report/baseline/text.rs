//! Known failures in words, and as a file.

use super::{Baseline, Entry, State, is_failure};
use crate::clean::counted;
use crate::outcome::Severity;
use crate::report::data::Data;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Maximum number of entries to list.
const MAX_LISTED: usize = 10;

impl Baseline {
    /// What to say about the known failures of a campaign: `runs` with their entries, and the state of each entry.
    pub(super) fn summary(
        &self,
        data: &Data,
        runs: &BTreeMap<usize, usize>,
        states: &[State],
    ) -> Vec<String> {
        let in_state = |state| -> Vec<&Entry> {
            self.entries.iter().zip(states).filter(|(_, s)| **s == state).map(|(e, _)| e).collect()
        };
        let (fixed, changed) = (in_state(State::Fixed), in_state(State::Changed));
        let mut head = count(data, runs);
        if !fixed.is_empty() {
            let it = if fixed.len() == 1 { "it" } else { "them" };
            let _ = write!(head, ", {} fixed: remove {it} from {}", fixed.len(), self.file);
        }
        let mut lines = vec![head];
        list(&mut lines, "fixed", &fixed);
        list(&mut lines, "not seen, but not correct either", &changed);
        match in_state(State::NotRun).len() {
            0 => {}
            1 => lines.push("  1 entry is about a solver or an instance that was not run".into()),
            n => lines.push(format!("  {n} entries are about solvers or instances that were not run")),
        }
        lines
    }
}

fn list(lines: &mut Vec<String>, what: &str, entries: &[&Entry]) {
    lines.extend(entries.iter().take(MAX_LISTED).map(|e| format!("  {what}: {}", e.line())));
    if entries.len() > MAX_LISTED {
        lines.push(format!("  {what}: {} more", entries.len() - MAX_LISTED));
    }
}

/// `3 known failures (2 unsound, 1 error)`.
fn count(data: &Data, runs: &BTreeMap<usize, usize>) -> String {
    let mut parts = Vec::new();
    for severity in [Severity::Unsound, Severity::Error, Severity::Undetermined] {
        let n = runs.keys().filter(|&&at| data.runs[at].severity() == severity).count();
        if n > 0 {
            parts.push(format!("{n} {severity}"));
        }
    }
    let detail = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
    format!("{}{detail}", counted(runs.len() as u64, "known failure"))
}

const HEAD: &str = "\
# Known failures: they do not fail `stringent test --baseline FILE`, and are counted as known.
# Remove an entry when its failure is fixed. `reason` and `link` may be added; `*` in a name stands for anything.
";

/// The failures of a campaign as a baseline. Reasons and links of `before` are kept.
pub fn baseline_text(data: &Data, before: Option<&Baseline>) -> String {
    let mut out = HEAD.to_owned();
    let mut seen = BTreeSet::new();
    for run in data.runs.iter().filter(|run| is_failure(run)) {
        if !seen.insert((run.solver, run.instance, run.kind)) {
            continue;
        }
        let instance = &data.instances[run.instance];
        let mark = format!("{:016x}", instance.mark);
        let known = |e: &&Entry| e.is_about(data, run) && e.expects(run.kind);
        let entry = before.and_then(|b| b.entries.iter().find(known));
        out.push_str("\n[[known]]\n");
        for (key, value) in [
            ("solver", Some(data.solvers[run.solver].name.as_str())),
            ("instance", Some(instance.name.as_str())),
            ("mark", Some(mark.as_str())),
            ("kind", Some(run.kind.code())),
            ("reason", entry.and_then(|e| e.reason.as_deref())),
            ("link", entry.and_then(|e| e.link.as_deref())),
        ] {
            if let Some(value) = value {
                let _ = writeln!(out, "{key} = {}", toml::Value::String(value.to_owned()));
            }
        }
    }
    out
}
