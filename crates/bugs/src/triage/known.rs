//! Known issues that a finding may repeat.
//!
//! An entry matches if the kind of failure, all its operators, one of its patterns and the version are those of the finding. That is a hint, not a proof:
//! the formula of the issue is not run.

use super::pattern::is_in_script;
use campaign::clean::listed;
use campaign::finding::{Finding, Known, words};
use campaign::profile::{self, KnownIssue, Places, Version};

/// The issues of the profile of a finding, and those of the user, that match it.
pub(super) fn matching(finding: &Finding, users: &[KnownIssue]) -> Vec<Known> {
    let definition = profile::find(&finding.solver.profile, &Places::from_env()).ok();
    let shipped = definition.iter().flat_map(profile::Definition::known);
    shipped.chain(users).filter_map(|issue| known(finding, issue)).collect()
}

fn known(f: &Finding, issue: &KnownIssue) -> Option<Known> {
    let same = issue.is_about(&f.solver.profile)
        && issue.has_kind(f.kind)
        && issue.operators().iter().all(|o| f.reduced.operators.contains(o));
    if !same {
        return None;
    }
    let mut patterns = issue.patterns().peekable();
    let any = patterns.peek().is_none();
    let pattern = patterns.find(|p| is_in_script(p, &f.reduced.script));
    if pattern.is_none() && !any {
        return None;
    }
    let version = version(f, issue)?;
    let with = pattern.map_or_else(|| listed(issue.operators()), |p| format!("the pattern {p}"));
    let reason = format!("it is also a {} with {with}, {version}; the formulas were not compared", f.kind);
    Some(Known { issue: issue.issue.clone(), title: issue.title.clone(), reason })
}

/// The part of the reason that is about versions; none if the entry is about others.
fn version(f: &Finding, issue: &KnownIssue) -> Option<String> {
    if !issue.has_versions() {
        return Some("and it names no versions".into());
    }
    let version = words::version(f)?;
    let covered = Version::parse(version).is_some_and(|v| issue.covers(&v));
    covered.then(|| format!("and its versions include {version}"))
}
