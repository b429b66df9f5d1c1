//! One run of the solver on a script, judged.
//!
//! The script is composed, run and judged as a campaign does it, with the known answers of a [`Label`].

use super::{Stop, Test, signature};
use crate::doc::Doc;
use crate::truth::{self, Label};
use campaign::case::Case;
use campaign::clean::printable;
use campaign::compose::{compose, fill};
use campaign::drive::invocation;
use campaign::finding::Observed;
use campaign::judge::{Judged, Raw, findings};
use campaign::outcome::Ending;
use campaign::process::{self, Cancel, Ended, Invocation, Limits};
use campaign::profile::{Input, Solver};
use campaign::settings::{Rules, Wants};
use semantics::{Certificate, Status};
use std::path::PathBuf;
use std::time::Duration;

/// Bytes of an output that are kept.
const KEPT: usize = 8 << 10;

/// Runs a solver.
#[derive(Clone, Debug)]
pub(super) struct Runner {
    pub(super) solver: Solver,
    pub(super) seed: u64,
    pub(super) wants: Wants,
    pub(super) memory: Option<u64>,
    /// CPU time or idle time.
    pub(super) limit: Duration,
}

/// A run.
pub(super) struct Run {
    pub(super) case: Case,
    pub(super) seed: u64,
    pub(super) ended: Ended,
    /// All findings on it; never empty.
    pub(super) findings: Vec<Judged>,
}

impl Runner {
    pub(super) fn with_seed(&self, seed: u64) -> Runner {
        Runner { seed, ..self.clone() }
    }

    /// Its solver takes a seed.
    pub(super) fn is_seeded(&self) -> bool {
        self.solver.profile.is_seeded()
    }

    /// Runs the solver on a script with these known answers.
    pub(super) fn run(&self, doc: &Doc, label: &Label, cancel: &Cancel) -> Result<Run, Stop> {
        self.run_case(case(doc, &label.statuses()), cancel)
    }

    /// Runs the solver on a case.
    pub(super) fn run_case(&self, case: Case, cancel: &Cancel) -> Result<Run, Stop> {
        let rules = self.rules();
        let text = match compose(&case, &self.solver.profile, self.seed, &rules.wants) {
            Ok(text) => text,
            Err(why) => {
                let findings = vec![Judged::not_asked(&why)];
                return Ok(Run {
                    case,
                    seed: self.seed,
                    ended: Ended::not_started(why.to_string()),
                    findings,
                });
            }
        };
        let ended = self.process(text, &rules.wants, cancel)?;
        Ok(self.judge(case, ended))
    }

    /// Judges the end of a process.
    pub(super) fn judge(&self, case: Case, ended: Ended) -> Run {
        let raw = Raw { stdout: &ended.stdout, stderr: &ended.stderr, ending: &ended.ending };
        let findings = findings(&case, &self.solver, &raw, &self.rules());
        Run { case, seed: self.seed, ended, findings }
    }

    /// The text that the solver reads.
    pub(super) fn sent(&self, doc: &Doc, label: &Label) -> Option<String> {
        let case = case(doc, &label.statuses());
        let text = compose(&case, &self.solver.profile, self.seed, &self.rules().wants).ok()?;
        String::from_utf8(text).ok()
    }

    fn rules(&self) -> Rules {
        let memory_mib = self.memory.map_or(self.wants.memory_mib, |bytes| bytes >> 20);
        Rules { wants: Wants { time: self.limit, memory_mib, ..self.wants }, ..Rules::default() }
    }

    fn process(&self, text: Vec<u8>, wants: &Wants, cancel: &Cancel) -> Result<Ended, Stop> {
        let args = self.solver.profile.args.iter().map(|a| fill(a, self.seed, wants).into_owned()).collect();
        let folder = match self.solver.profile.input {
            Input::File => Some(tempfile::tempdir().map_err(|e| gone(format!("no temporary folder: {e}")))?),
            Input::Stdin => None,
        };
        let file = folder.as_ref().map_or_else(PathBuf::new, |f| f.path().join("script.smt2"));
        let what = invocation(&self.solver, args, &file, text).map_err(gone)?;
        start(&what, &self.limits(), cancel)
    }

    fn limits(&self) -> Limits {
        Limits::of_work(self.limit, self.memory, self.solver.profile.memory, 1 << 20)
    }
}

fn gone(why: String) -> Stop {
    Stop::Gone(why)
}

/// Runs a program. One that cannot be started any more is gone, as is the program behind a shell script that ends with 126 or 127.
pub(super) fn start(what: &Invocation, limits: &Limits, cancel: &Cancel) -> Result<Ended, Stop> {
    let ended = process::run(what, limits, cancel);
    match &ended.ending {
        Ending::Cancelled => Err(Stop::Cancelled),
        Ending::NotStarted(why) => Err(gone(why.clone())),
        Ending::Exited(code @ (126 | 127)) if ended.stdout.is_empty() => {
            let said = printable(&ended.stderr, 300);
            let program = what.program.display();
            Err(gone(format!(
                "`{program}` ends with code {code}: the program cannot be run: {}",
                said.trim()
            )))
        }
        _ => Ok(ended),
    }
}

/// A script as a case with these known answers, without their proofs.
pub(super) fn case(doc: &Doc, statuses: &[Status]) -> Case {
    let mut certificate = Certificate::of(&doc.pool, &doc.script);
    for (n, query) in certificate.queries.iter_mut().enumerate() {
        query.status = statuses.get(n).copied().unwrap_or(Status::Unknown);
    }
    let doubt = truth::doubt(doc);
    Case { name: String::new(), pool: doc.pool.clone(), script: doc.script.clone(), certificate, doubt }
}

impl Run {
    /// The first finding that `wanted` accepts, as the reaction of the solver.
    pub(super) fn find(&self, wanted: impl Fn(&Judged) -> bool) -> Option<Observed> {
        self.findings.iter().find(|f| wanted(f)).map(|f| self.observed(f))
    }

    /// The reaction of the solver, as a finding has it.
    pub(super) fn observed(&self, found: &Judged) -> Observed {
        Observed {
            kind: found.kind,
            check: found.check.max(1),
            answer: found.answer,
            stdout: printable(&self.ended.stdout, KEPT),
            stderr: printable(&self.ended.stderr, KEPT),
            ending: self.ended.ending.to_string(),
            evidence: found.evidence.clone(),
            core: None,
            message: signature::message(&self.case, &self.ended, found),
            seconds: self.ended.work().as_secs_f64(),
            seed: self.seed,
        }
    }

    /// The finding that tells most about a run without the failure.
    pub(super) fn summary(&self) -> &Judged {
        let rank = |f: &&Judged| (f.kind.severity(), f.check);
        self.findings.iter().min_by_key(rank).expect("there is a finding")
    }

    /// The result of a test.
    pub(super) fn test(&self, found: Option<Observed>) -> Test {
        match found {
            Some(observed) => Test::Holds(Box::new(observed)),
            None => Test::Fails(Box::new(self.observed(self.summary()))),
        }
    }
}
