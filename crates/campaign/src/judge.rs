//! From the output of a solver and the end of its process to a verdict, with evidence.
//!
//! A pure function of its input. In this order:
//!
//! 1. An error *before* an answer means that the solver did not read the complete script: its answers are ignored (z3 continues
//!    after a rejected assertion and answers `sat`).
//! 2. Each answer is judged by the known answer and by the referee's findings on the model or core.
//! 3. Then the end of the process counts: an answer before a crash or a time limit is an error or a timeout, but an unsound
//!    answer stays unsound.
//!
//! There is no verdict of unsoundness without proof: where it depends on how the model or the script is read, the verdict is `?`,
//! and the evidence gives the reason.

mod answer;
mod core;
mod errors;
mod evidence;
mod output;
pub(crate) mod reading;
mod response;

/// The evidence of a verdict on a formula without a known answer.
pub(crate) const UNLABELLED: &str = "the answer of the formula is not known";

/// In the evidence of a `sat` whose model refutes the status of the file.
pub(crate) const WRONG_STATUS: &str = "the status of the file, unsat, is wrong";

/// How the evidence on an instance that was not sent begins.
pub(crate) const NOT_SENT: &str = "not sent: ";

pub use reading::Scope;
pub use response::{Response, responses};

use crate::case::Case;
use crate::compose;
use crate::outcome::{Answer, CoreCheck, Ending, Kind, ModelCheck, Verdict};
use crate::process::Ended;
use crate::profile::{Profile, Solver};
use crate::settings::Rules;
use crate::store::RunRow;
use output::{Output, Reply};
use smt::print::Inexpressible;
use smt::{Head, Term};

/// The output and the end of a process.
#[derive(Clone, Copy, Debug)]
pub struct Raw<'a> {
    /// Its standard output.
    pub stdout: &'a [u8],
    /// Its standard error.
    pub stderr: &'a [u8],
    /// How it ended.
    pub ending: &'a Ending,
}

/// A verdict with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The verdict, in its finest form.
    pub kind: Kind,
    /// The solver's answer.
    pub answer: Answer,
    /// The referee's finding on its model.
    pub model: ModelCheck,
    /// The finding on its core.
    pub core: CoreCheck,
    /// The reasons, for people; empty if nothing is wrong.
    pub evidence: String,
    /// The check that it is about, from 1; 0 if it is about the whole run.
    pub check: usize,
}

impl Judged {
    /// The run of a process whose reply was judged; `keep` bytes of its output are kept.
    pub fn row(
        self,
        (instance, solver, seed): (i64, i64, u64),
        ended: Ended,
        command: String,
        keep: usize,
    ) -> RunRow {
        RunRow {
            instance,
            solver,
            seed,
            kind: self.kind,
            answer: self.answer,
            model: self.model,
            core: self.core,
            ending: ended.ending.to_string(),
            wall: ended.wall,
            cpu: ended.cpu,
            memory_kib: ended.memory_kib,
            batched: ended.ending == Ending::Running,
            flaky: false,
            output: RunRow::output_of(ended.stdout, &ended.stderr, keep),
            evidence: self.evidence,
            command,
        }
    }
}

impl Judged {
    fn new(kind: Kind, answer: Answer, evidence: impl Into<String>) -> Judged {
        let (model, core) = (ModelCheck::Absent, CoreCheck::Absent);
        Judged { kind, answer, model, core, evidence: evidence.into(), check: 0 }
    }

    /// The verdict on an instance that was not sent for our own reasons: it cannot be read.
    pub fn not_sent(why: &str) -> Judged {
        Judged::new(Kind::NotSent, Answer::None, format!("{NOT_SENT}{why}"))
    }

    /// The verdict on an instance that was not sent because the solver's dialect cannot express it.
    pub fn not_asked(why: &Inexpressible) -> Judged {
        Judged::new(Kind::NotAsked, Answer::None, format!("{NOT_SENT}{why}"))
    }

    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        self.kind.verdict()
    }

    /// The answer, its model or its core is wrong.
    pub fn is_unsound(&self) -> bool {
        self.kind.is_unsound()
    }

    /// Nothing in it calls for a second look.
    pub fn is_expected(&self) -> bool {
        self.verdict() == Verdict::Ok
    }

    /// A measure of how bad it is; larger is worse.
    fn badness(&self) -> u8 {
        match self.verdict() {
            _ if self.is_unsound() => 7,
            Verdict::Error => 6,
            Verdict::Timeout => 5,
            Verdict::WrongSat | Verdict::InvalidCore => 4,
            Verdict::Undetermined => 3,
            Verdict::Unknown => 2,
            Verdict::NotApplicable => 1,
            Verdict::Ok | Verdict::InvalidModel | Verdict::WrongUnsat => 0,
        }
    }
}

/// Judges one run of `solver` on `case`: the worst of its [`findings`].
pub fn judge(case: &Case, solver: &Solver, raw: &Raw<'_>, rules: &Rules) -> Judged {
    worst(findings(case, solver, raw, rules))
}

/// All findings on one run of `solver` on `case`: one for each answer that can be trusted, then one for an abnormal end. Never empty.
pub fn findings(case: &Case, solver: &Solver, raw: &Raw<'_>, rules: &Rules) -> Vec<Judged> {
    match raw.ending {
        Ending::NotStarted(why) => return vec![Judged::new(Kind::NotStarted, Answer::None, why.as_str())],
        Ending::Cancelled => {
            return vec![Judged::not_sent("the campaign was stopped")];
        }
        _ => {}
    }
    let bench = Bench { case, profile: &solver.profile, raw, rules };
    let mut pool = case.pool.clone();
    let mut output = Output::read(raw.stdout, &solver.profile, &mut pool);
    let late = output.pop_timeouts(case.checks());
    if let Some(message) = output.errors.first() {
        return vec![bench.rejected(message, &output)];
    }
    if output.replies.len() > case.checks() {
        let evidence = format!("{} answers to {} queries", output.replies.len(), case.checks());
        let kind = if *raw.ending == Ending::OutputLimit { Kind::Flood } else { Kind::Garbage };
        return vec![Judged::new(kind, first_answer(&output), evidence)];
    }
    let found = bench.all(&output, &mut pool);
    if late && !found.iter().any(Judged::is_unsound) {
        let answer = first_answer(&output);
        let evidence = format!("it answered {answer}, then it reports that it ran out of time");
        return vec![Judged::new(Kind::OwnLimit, answer, evidence)];
    }
    found
}

/// The first of the worst.
fn worst(mut findings: Vec<Judged>) -> Judged {
    let worst = findings.iter().map(Judged::badness).max().unwrap_or(0);
    let at = findings.iter().position(|f| f.badness() == worst).unwrap_or(0);
    findings.swap_remove(at)
}

/// The answer to each `check-sat`, and the referee's finding on its model. Empty if the solver rejected the script.
pub fn opinions(case: &Case, profile: &Profile, stdout: &[u8], rules: &Rules) -> Vec<(Answer, ModelCheck)> {
    let raw = Raw { stdout, stderr: b"", ending: &Ending::Running };
    let bench = Bench { case, profile, raw: &raw, rules };
    let mut pool = case.pool.clone();
    let mut output = Output::read(stdout, profile, &mut pool);
    output.pop_timeouts(case.checks());
    if !output.errors.is_empty() || output.replies.len() > case.checks() {
        return Vec::new();
    }
    let mut of = |(n, reply): (usize, &Reply)| match answer_of(reply) {
        Answer::Sat => (Answer::Sat, bench.model(n, reply, &mut pool).check),
        answer => (answer, ModelCheck::Absent),
    };
    output.replies.iter().enumerate().map(&mut of).collect()
}

/// The inputs of a judgement.
struct Bench<'a> {
    case: &'a Case,
    profile: &'a Profile,
    raw: &'a Raw<'a>,
    rules: &'a Rules,
}

impl Bench<'_> {
    /// Judges every answer, then the end.
    fn all(&self, output: &Output, pool: &mut smt::Pool) -> Vec<Judged> {
        let mut findings = Vec::with_capacity(2);
        for (n, reply) in output.replies.iter().enumerate() {
            let (mut found, sound) = self.reply(n, reply, pool);
            if output.unsupported && found.is_unsound() {
                let word = "before its answer it reported `unsupported`";
                let evidence = format!("{word}\n{}", found.evidence);
                found = Judged { kind: Kind::Rejected, evidence, ..found };
            }
            found.check = n + 1;
            if self.case.checks() > 1 && !found.evidence.is_empty() {
                let of = self.case.checks();
                found.evidence = format!("check-sat {} of {of}: {}", n + 1, found.evidence);
            }
            findings.push(found);
            if !sound {
                break;
            }
        }
        // Fewer answers than queries: which one is missing is not known.
        let short = output.replies.len() < self.case.checks();
        if short && matches!(self.raw.ending, Ending::Exited(_) | Ending::Running) {
            findings.retain(|f| !f.is_unsound());
        }
        findings.extend(self.end(output));
        findings
    }

    /// Judges the `n`th answer; false if later answers cannot be trusted.
    fn reply(&self, n: usize, reply: &Reply, pool: &mut smt::Pool) -> (Judged, bool) {
        let requested = compose::requests(self.case, n, self.profile, &self.rules.wants);
        let (found, answered) = match reply.verdict {
            Some(smt::answer::Verdict::Sat) => (self.sat(n, reply, requested, pool), reply.has_model()),
            Some(smt::answer::Verdict::Unsat) => {
                (self.unsat(n, reply, requested, pool), reply.core(|_| true).is_some())
            }
            Some(smt::answer::Verdict::Unknown) => (self.unknown(), reply.has_model()),
            None => {
                let evidence = "it reports that it ran out of time";
                return (Judged::new(Kind::OwnLimit, Answer::None, evidence), true);
            }
        };
        // One error, harmless ones included, is allowed for each request that does not fit the answer. A rejected
        // command counts in any case: it may be the next assertion.
        let allowed = requested.count().saturating_sub(usize::from(answered));
        let rejected = reply.errors.iter().any(|e| errors::kind_of(e) == Kind::Rejected);
        let usual = reply.errors.len() + reply.benign <= allowed;
        if usual || found.is_unsound() {
            return (found, usual && !(rejected && self.case.checks() > 1));
        }
        // More errors than requests that do not fit: something else went wrong.
        let message = &reply.errors[reply.errors.len() - 1];
        (self.message(message, found.answer), false)
    }

    /// The solver was asked and answered: `unknown`, also on an operator that its profile lists as unsupported.
    fn unknown(&self) -> Judged {
        let listed = self.unsupported_operator().map(unsupported);
        Judged::new(Kind::Unknown, Answer::Unknown, listed.unwrap_or_default())
    }

    /// An error before any answer: answers after it are ignored.
    fn rejected(&self, message: &str, output: &Output) -> Judged {
        let answer = first_answer(output);
        let mut found = self.message(message, Answer::None);
        if answer != Answer::None {
            found.evidence.push_str(&format!("\nits `{answer}` after that is ignored"));
        }
        match self.raw.ending {
            Ending::MemoryLimit => Judged { kind: Kind::OutOfMemory, ..found },
            _ => found,
        }
    }

    /// The verdict on an error message.
    fn message(&self, message: &str, answer: Answer) -> Judged {
        let evidence = evidence::clip(message, 1000);
        match errors::kind_of(message) {
            Kind::Rejected => match self.unsupported_operator() {
                Some(op) => {
                    Judged::new(Kind::Unsupported, answer, format!("{}\n{evidence}", unsupported(op)))
                }
                None => Judged::new(Kind::Rejected, answer, evidence),
            },
            Kind::Crash if answer != Answer::None => Judged::new(Kind::CrashAfterAnswer, answer, evidence),
            kind => Judged::new(kind, answer, evidence),
        }
    }

    /// An operator of the instance that the profile lists as unsupported.
    fn unsupported_operator(&self) -> Option<&str> {
        if self.profile.unsupported.is_empty() {
            return None;
        }
        let pool = &self.case.pool;
        (0..pool.len()).find_map(|i| match pool.head(Term(i as u32)) {
            Head::Op(op) | Head::Indexed(op, _) => {
                self.profile.unsupported.iter().find(|u| *u == op.name()).map(String::as_str)
            }
            Head::Forall | Head::Exists => {
                self.profile.unsupported.iter().find(|u| *u == "forall" || *u == "exists").map(String::as_str)
            }
            _ => None,
        })
    }

    /// The verdict on the end of the process; none if it is normal.
    fn end(&self, output: &Output) -> Option<Judged> {
        let answer = first_answer(output);
        let complete = output.replies.len() == self.case.checks();
        let described = |text: &str| match answer {
            Answer::None => text.to_owned(),
            _ if output.replies.len() < 2 => format!("it answered {answer}, then {text}"),
            _ => format!("it gave {} answers, then {text}", output.replies.len()),
        };
        let failed = |kind, text: &str| Some(Judged::new(kind, answer, described(text)));
        let killed = |signal| match answer {
            Answer::None => format!("killed by signal {signal}"),
            _ => format!("was killed by signal {signal}"),
        };
        match self.raw.ending {
            Ending::WallLimit => failed(Kind::WallTime, if complete { "hung" } else { "ran out of time" }),
            Ending::CpuLimit => failed(Kind::CpuTime, "ran out of CPU time"),
            Ending::MemoryLimit => failed(Kind::OutOfMemory, "hit the memory limit"),
            Ending::OutputLimit => failed(Kind::Flood, "printed more than the limit"),
            Ending::Signalled(signal) => Some(self.crash(answer, &described(&killed(*signal)))),
            Ending::Exited(code) if complete && self.is_abnormal(*code, output) => {
                Some(self.crash(answer, &described(&format!("exited with code {code}"))))
            }
            Ending::Exited(code) if !complete => Some(self.short(*code, output)),
            Ending::Running if !complete => Some(self.short(0, output)),
            _ => None,
        }
    }

    /// An exit code that nothing explains, after all answers. Solvers exit with 1 after an expected error; some exit with
    /// 10, 20 or 30 depending on their answer.
    fn is_abnormal(&self, code: i32, output: &Output) -> bool {
        let erred = output.replies.iter().any(|r| !r.errors.is_empty());
        !(matches!(code, 0 | 1 | 10 | 20 | 30) || (erred && code < 128 && code > 0))
    }

    fn crash(&self, answer: Answer, text: &str) -> Judged {
        let stderr = String::from_utf8_lossy(self.raw.stderr);
        let evidence = match stderr.trim() {
            "" => text.to_owned(),
            stderr => format!("{text}\n{}", evidence::clip(stderr, 1000)),
        };
        let kind = match errors::kind_of_output(self.raw.stderr) {
            Some(Kind::OutOfMemory) => Kind::OutOfMemory,
            // CVC4 reports it and aborts when its CPU time is up.
            Some(Kind::OwnLimit) if answer == Answer::None => Kind::OwnLimit,
            _ if answer == Answer::None => Kind::Crash,
            _ => Kind::CrashAfterAnswer,
        };
        Judged::new(kind, answer, evidence)
    }

    /// It ended normally with fewer answers than queries.
    fn short(&self, code: i32, output: &Output) -> Judged {
        let answer = first_answer(output);
        if let Some(message) = output.replies.last().and_then(|r| r.errors.last()) {
            return self.message(message, answer);
        }
        let said = [self.raw.stderr, self.raw.stdout].concat();
        let text = String::from_utf8_lossy(&said);
        let text = evidence::clip(text.trim(), 1000);
        let end = if code == 0 { "it ended".to_owned() } else { format!("it exited with code {code}") };
        let evidence = format!("{end} without an answer\n{text}");
        let kind = match errors::kind_of_output(&said) {
            Some(Kind::Rejected) => return self.message(&text, answer),
            Some(kind) => kind,
            None if output.unsupported && code == 0 => Kind::Rejected,
            None if code != 0 => Kind::Crash,
            None if answer != Answer::None => Kind::Silent,
            None if output.others.is_empty() && text.is_empty() => Kind::Silent,
            None => Kind::Garbage,
        };
        Judged::new(kind, answer, evidence.trim_end())
    }
}

fn unsupported(operator: &str) -> String {
    format!("its profile lists `{operator}` as unsupported")
}

fn first_answer(output: &Output) -> Answer {
    output.replies.first().map_or(Answer::None, answer_of)
}

fn answer_of(reply: &Reply) -> Answer {
    match reply.verdict {
        Some(smt::answer::Verdict::Sat) => Answer::Sat,
        Some(smt::answer::Verdict::Unsat) => Answer::Unsat,
        Some(smt::answer::Verdict::Unknown) => Answer::Unknown,
        None => Answer::None,
    }
}

#[cfg(test)]
mod tests;
