//! Findings examined further: run again in a fresh process, with other seeds, in a session.

use super::Options;
use super::examine::{expected, setup};
use super::failures::Subject;
use crate::doc::Doc;
use crate::property::{Detected, Keep, Setup, detect};
use campaign::finding::{Finding, Modes, Observed, Stability};
use campaign::host::Host;
use campaign::outcome::Status;
use smt::Command;

/// The failure of a finding, with the same message, is also one of this solver.
pub(super) fn fails_on(
    finding: &Finding,
    subject: &Subject,
    seed: u64,
    host: &Host<'_>,
) -> anyhow::Result<bool> {
    let Ok(doc) = Doc::from_text(finding.reduced.script.as_bytes()) else { return Ok(false) };
    let observed = Bench { finding, subject, doc: &doc, host }.fails(seed)?;
    let message = &finding.fingerprint.message;
    Ok(observed.is_some_and(|o| message.is_none() || o.message == *message))
}

/// Does the steps that a finding lacks.
pub(super) fn examine(
    finding: &mut Finding,
    subject: &Subject,
    options: &Options,
    host: &Host<'_>,
) -> anyhow::Result<()> {
    let quiet = Host { progress: &(), cancel: host.cancel };
    let Ok(doc) = Doc::from_text(finding.reduced.script.as_bytes()) else { return Ok(()) };
    let seed = finding.observed.seed;
    let bench = Bench { finding, subject, doc: &doc, host: &quiet };
    let again = bench.fails(seed)?;
    let stability = match finding.stability {
        Some(known) if !options.again => Some(known),
        _ => bench.stability(options.seeds)?,
    };
    let modes = match finding.modes {
        Some(known) if !options.again => Some(known),
        _ => bench.modes(again.is_some())?,
    };
    if host.cancel.is_cancelled() {
        return Ok(());
    }
    if let Some(observed) = again {
        finding.seen = Some(campaign::provenance::now());
        finding.observed = observed;
    }
    (finding.stability, finding.modes) = (stability, modes);
    Ok(())
}

struct Bench<'a> {
    finding: &'a Finding,
    subject: &'a Subject,
    doc: &'a Doc,
    host: &'a Host<'a>,
}

impl Bench<'_> {
    fn setup(&self, seed: u64) -> Setup {
        Setup { expect: expected(self.finding, self.doc), ..setup(self.subject, self.finding.kind, seed) }
    }

    fn detect(&self, setup: &Setup, doc: &Doc) -> anyhow::Result<Detected> {
        detect(&self.finding.reduced.origin, doc.clone(), setup, &self.subject.keeper, self.host)
    }

    /// The same failure, if the script has it.
    fn fails(&self, seed: u64) -> anyhow::Result<Option<Observed>> {
        Ok(match self.detect(&self.setup(seed), self.doc)? {
            Detected::Failing(failing) => {
                Some(failing.start.observed).filter(|o| o.kind == self.finding.kind)
            }
            Detected::Passing(_) | Detected::Flaky { .. } => None,
        })
    }

    /// How often it fails with the first seeds. A solver without seeds is run a few times.
    fn stability(&self, seeds: u32) -> anyhow::Result<Option<Stability>> {
        let runs = if self.subject.solver.profile.is_seeded() { seeds } else { seeds.min(3) };
        let mut failed = 0;
        for seed in 0..runs {
            failed += u32::from(self.fails(u64::from(seed))?.is_some());
            if self.host.cancel.is_cancelled() {
                return Ok(None);
            }
        }
        Ok((runs > 0).then_some(Stability { runs, failed }))
    }

    /// Whether a script with one check also fails within a session, after another check. A script that is a session needs one, as far as
    /// reduction tells.
    fn modes(&self, fails: bool) -> anyhow::Result<Option<Modes>> {
        if is_session(self.doc) {
            return Ok(fails.then_some(Modes { fresh: false, incremental: true }));
        }
        let setup = self.setup(0);
        let slow = matches!(setup.keep, Some(Keep::Slow(_)));
        let Some(session) = session(self.doc, setup.expect).filter(|_| fails && !slow) else {
            return Ok(None);
        };
        let incremental = match self.detect(&Setup { expect: None, ..setup }, &session)? {
            Detected::Failing(failing) => {
                let observed = &failing.start.observed;
                observed.kind == self.finding.kind && (observed.check == 2 || !observed.kind.is_unsound())
            }
            // The wrong answer again, which could not be judged.
            Detected::Passing(p) if p.observed.answer == self.finding.observed.answer => return Ok(None),
            Detected::Passing(_) => false,
            Detected::Flaky { .. } => return Ok(None),
        };
        Ok(Some(Modes { fresh: true, incremental }))
    }
}

fn is_session(doc: &Doc) -> bool {
    let checks =
        doc.script.commands().filter(|c| matches!(c, Command::CheckSat | Command::CheckSatAssuming(_)));
    checks.count() > 1 || doc.script.commands().any(|c| matches!(c, Command::Push(_) | Command::Pop(_)))
}

/// The script within a session: after another check, in a level of its own; with its answer, if that is known.
fn session(doc: &Doc, status: Option<Status>) -> Option<Doc> {
    let text = doc.text();
    let at = text.find("(assert").or_else(|| text.find("(check-sat"))?;
    let (before, body) = text.split_at(at);
    let check = body.rfind("(check-sat").unwrap_or(body.len());
    let (asserted, rest) = body.split_at(check);
    let rest = if rest.is_empty() { "(check-sat)\n" } else { rest };
    let first = "(push 1)\n(assert true)\n(set-info :status sat)\n(check-sat)\n(pop 1)\n(push 1)\n";
    let status = status.map_or_else(String::new, |s| format!("(set-info :status {})\n", s.code()));
    Doc::from_text(format!("{before}{first}{asserted}{status}{rest}").as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use semantics::Certificate;

    #[test]
    fn a_script_within_a_session() {
        let doc = Doc::from_text(b"(declare-const x Int)(assert (= x 1))(check-sat)").expect("a script");
        let session = session(&doc, Some(Status::Sat)).expect("a session");
        assert!(is_session(&session) && !is_session(&doc));
        let expected = "(declare-const x Int)\n(push 1)\n(assert true)\n(check-sat)\n(pop 1)\n(push 1)\n(assert (= x 1))\n(check-sat)\n";
        assert_eq!(session.text(), expected);
        let status: Vec<Status> =
            Certificate::of(&session.pool, &session.script).queries.iter().map(|q| q.status).collect();
        assert_eq!(status, [Status::Sat, Status::Sat]);
    }
}
