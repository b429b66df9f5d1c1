//! The rules, one function each.

use super::options::{is_allowed, used};
use super::{Policy, Quota};
use crate::issue::ledger::Ledger;
use campaign::clean::{counted, listed, one_line};
use campaign::finding::reason::Reason;
use campaign::finding::{Finding, words};
use campaign::profile::Version;

/// A rule that a finding does not meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet {
    /// The rule, as in the policy file.
    pub rule: &'static str,
    /// Why, with advice.
    pub why: String,
}

/// What was filed, and when it is.
pub struct Desk<'a> {
    /// The findings that were filed.
    pub ledger: &'a Ledger,
    /// Now, in seconds since 1970.
    pub now: u64,
    /// Issues of the same policy that are written in this call.
    pub written: usize,
}

type Rule = fn(&Policy, &Finding) -> Option<String>;

const RULES: [(&str, Rule); 9] = [
    ("kinds", kinds),
    ("proved", proved),
    ("newest", newest),
    ("new", new),
    ("reduced", reduced),
    ("max-bytes", max_bytes),
    ("max-assertions", max_assertions),
    ("stable", stable),
    ("options", options),
];

impl Policy {
    /// The rules that a finding does not meet.
    pub fn unmet(&self, f: &Finding, desk: &Desk<'_>) -> Vec<Unmet> {
        let own = RULES.iter().filter_map(|(rule, check)| Some(Unmet { rule, why: check(self, f)? }));
        let filed = self.filed(f, desk).map(|why| Unmet { rule: "filed", why });
        let quota = self.quota.and_then(|q| self.exceeded(q, desk)).map(|why| Unmet { rule: "quota", why });
        own.chain(filed).chain(quota).collect()
    }

    fn filed(&self, f: &Finding, desk: &Desk<'_>) -> Option<String> {
        let entry = desk.ledger.filed(&self.name, &f.id)?;
        Some(format!("it was filed already: {} ({})", one_line(&entry.issue), one_line(&entry.time)))
    }

    fn exceeded(&self, quota: Quota, desk: &Desk<'_>) -> Option<String> {
        let from = desk.now.saturating_sub(quota.days.saturating_mul(86_400));
        let before = desk.ledger.since(&self.name, from);
        if before + desk.written < quota.issues {
            return None;
        }
        let here = match desk.written {
            0 => String::new(),
            n => format!(", {n} more in this call"),
        };
        let days = counted(quota.days, "day");
        Some(format!(
            "at most {} in {days}; {before} filed in that time{here}",
            counted(quota.issues as u64, "issue")
        ))
    }
}

fn kinds(p: &Policy, f: &Finding) -> Option<String> {
    let allowed = p.kinds.as_ref()?;
    (!allowed.contains(&f.kind)).then(|| format!("the tracker does not want failures of the kind {}", f.kind))
}

fn proved(_: &Policy, f: &Finding) -> Option<String> {
    let reason = Reason::of(f);
    (f.kind.is_unsound() && !reason.proved).then(|| {
        format!(
            "why the result is wrong is not recorded ({})",
            one_line(reason.sentence.trim_end_matches('.'))
        )
    })
}

fn newest(p: &Policy, f: &Finding) -> Option<String> {
    if !p.newest {
        return None;
    }
    let Some((v, newest)) = f.versions.as_ref().and_then(|v| Some((v, v.newest.as_deref()?))) else {
        return Some(
            "whether the newest version fails is not known; `stringent triage STORE --bisect` finds it out"
                .into(),
        );
    };
    let newest = one_line(newest);
    if !v.newest_fails {
        return Some(format!("{newest}, the newest version that was run, does not fail"));
    }
    let own = words::version(f).map(one_line)?;
    (Version::parse(&own) != Version::parse(&newest)).then(|| {
        format!("the output is that of {own}; {newest} fails too: reduce the script with that version")
    })
}

fn new(p: &Policy, f: &Finding) -> Option<String> {
    let known = f.known.iter().map(|k| one_line(&k.issue));
    (p.new && !f.known.is_empty()).then(|| format!("it matches {}", listed(known)))
}

fn reduced(p: &Policy, f: &Finding) -> Option<String> {
    (p.reduced && !f.reduced.complete)
        .then(|| "the reduction was ended by a limit; `stringent reduce` continues it".into())
}

fn max_bytes(p: &Policy, f: &Finding) -> Option<String> {
    let (max, is) = (p.max_bytes?, f.reduced.bytes);
    (is > max).then(|| format!("the formula has {is} bytes; the limit is {max}"))
}

fn max_assertions(p: &Policy, f: &Finding) -> Option<String> {
    let (max, is) = (p.max_assertions?, f.reduced.assertions);
    (is > max).then(|| format!("the formula has {is} assertions; the limit is {max}"))
}

fn stable(p: &Policy, f: &Finding) -> Option<String> {
    let share = p.stable?;
    let Some(s) = f.stability.filter(|s| s.runs > 0) else {
        return Some("how often it fails is not known; `stringent triage` and --check measure it".into());
    };
    let is = f64::from(s.failed) / f64::from(s.runs);
    (is < share)
        .then(|| format!("it fails with {} of {} seeds; {:.0} % must fail", s.failed, s.runs, share * 100.0))
}

fn options(p: &Policy, f: &Finding) -> Option<String> {
    let allowed = p.options.as_ref()?;
    let other: Vec<String> =
        used(f).iter().filter(|o| !is_allowed(o, allowed)).map(|o| format!("`{}`", one_line(o))).collect();
    if other.is_empty() {
        return None;
    }
    let unsure = if f.options.is_none() { "; whether the failure needs them is not known" } else { "" };
    Some(format!("not allowed: {}{unsure}", listed(other)))
}
