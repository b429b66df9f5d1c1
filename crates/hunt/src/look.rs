//! A second look at a reply: is it a failure, and is it there again?
//!
//! A failure is run again in a fresh process: the instance alone, then the session up to it as one script ([`crate::replay`]). What is there again is kept: the
//! instance, or the session. What is not is counted by its reason; the first of them are kept as flaky, with their sessions.

use crate::ask::Asker;
use crate::claims::{Claim, assumptions, simplify, values};
use crate::replay::{Place, Replay};
use crate::unit::{Context, Done, Failure, Unit, operators};
use crate::variant::Variant;
use crate::witness::{self, Witness};
use campaign::case::Case;
use campaign::clean::counted;
use campaign::judge::{Judged, Raw, judge, responses};
use campaign::outcome::{Answer, CoreCheck, Kind, ModelCheck, Status};
use campaign::process::{Cancel, Ended};
use campaign::session::Reply;
use campaign::settings::Rules;
use campaign::store::InstanceRow;
use semantics::instance::Instance;
use std::time::{Duration, Instant};

/// Instances of a unit whose statements are examined: of most sources, and of terms without constants.
const STATEMENTS: usize = 6;
const CLOSED: usize = 60;
/// Failures of a unit that are kept although they are not there again.
const FLAKY: usize = 3;

/// A reply that may be a failure.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) judged: Judged,
    pub(crate) reply: Reply,
    /// Its place in the sessions; none if it was a process of its own.
    pub(crate) place: Option<Place>,
}

/// A second look at a reply.
pub(crate) struct Look<'a, 'b> {
    pub(crate) unit: &'a Unit,
    pub(crate) variant: &'a Variant,
    pub(crate) context: &'a Context<'a>,
    pub(crate) rules: &'a Rules,
    pub(crate) asker: &'a Asker<'b>,
    pub(crate) cancel: &'a Cancel,
}

impl Look<'_, '_> {
    /// The verdict in the end, or none if other solvers are to be asked; failures are kept. None if it was cancelled.
    pub(crate) fn at(&self, case: &Case, text: &str, seen: &Seen, done: &mut Done) -> Option<Option<Kind>> {
        let judged = &seen.judged;
        let mislabelled = judged.kind != Kind::InvalidModel
            && judged.model == ModelCheck::Holds
            && case.status(0) == Status::Unsat
            && case.checks() == 1;
        if mislabelled {
            done.mislabelled.push(text.to_owned());
            return Some(Some(Kind::Unlabelled));
        }
        if judged.kind == Kind::Unlabelled {
            done.unlabelled += 1;
            return match witness::of_case(case) {
                Witness::Model(instance) => self.contradicted(case, &instance, seen, done).map(Some),
                Witness::Refuted => Some(Some(judged.kind)),
                Witness::None => Some(None),
            };
        }
        if self.context.wants(judged.kind) {
            return self.confirmed_as_it_is(case, text, seen, done).map(Some);
        }
        match self.core(case, &seen.reply.output) {
            Core::Refuted(core) => {
                let judged = core.judged(judged.clone());
                let seen = Seen { judged, reply: seen.reply.clone(), place: seen.place };
                self.confirmed_as_it_is(case, text, &seen, done).map(Some)
            }
            Core::Right => Some(Some(Kind::CorrectUnsat)),
            Core::Unknown => Some(Some(judged.kind)),
        }
    }

    /// Cases that the solver answers by `unsat`, and the built-in solver not at all: models from other solvers refute that.
    pub(crate) fn others(&self, undecided: &[(Case, Seen)], done: &mut Done) -> Option<()> {
        if undecided.is_empty() {
            return Some(());
        }
        let cases: Vec<Case> = undecided.iter().map(|(case, _)| case.clone()).collect();
        let start = Instant::now();
        let found =
            witness::from_others(&cases, self.context.variants, self.variant, self.asker, self.cancel)?;
        done.asked += start.elapsed();
        *done.kinds.entry(Kind::Unlabelled).or_default() += (cases.len() - found.len()) as u64;
        for (at, instance) in found {
            let (case, seen) = &undecided[at];
            let kind = self.contradicted(case, &instance, seen, done)?;
            *done.kinds.entry(kind).or_default() += 1;
        }
        Some(())
    }

    /// A model refutes the `unsat` of a case without a label.
    fn contradicted(&self, case: &Case, instance: &Instance, seen: &Seen, done: &mut Done) -> Option<Kind> {
        let Some((case, text)) = relabelled(case, instance) else { return Some(Kind::Unlabelled) };
        let judged = Judged { kind: Kind::WrongUnsat, ..seen.judged.clone() };
        let seen = Seen { judged, reply: seen.reply.clone(), place: seen.place };
        self.confirm(&case, self.row(&case, Status::Sat, text.into_bytes()), &seen, done)
    }

    /// Examines statements besides answers. `models` are the places of cases that were answered by a valid model.
    pub(crate) fn statements(&self, cases: &[Case], models: &[usize], done: &mut Done) -> Option<()> {
        let (variant, asker, cancel) = (self.variant, self.asker, self.cancel);
        let start = Instant::now();
        let mut claims =
            values::ask(models.iter().take(STATEMENTS).map(|&at| &cases[at]), variant, asker, cancel)?;
        let sessions = cases.iter().filter(|c| c.checks() > 1).take(STATEMENTS);
        claims.extend(assumptions::ask(sessions, variant, asker, cancel)?);
        if simplify::has_it(variant) {
            let most = if self.unit.source.name == "ground" { CLOSED } else { STATEMENTS };
            let plain = cases.iter().filter(|c| c.is_plain()).take(most);
            claims.extend(simplify::ask(plain, variant, asker, cancel)?);
        }
        done.asked += start.elapsed();
        claims.into_iter().try_for_each(|claim| self.claimed(claim, done))
    }

    /// A false statement: a failure if the solver answers the instance wrongly that it leads to, otherwise a remark.
    fn claimed(&self, claim: Claim, done: &mut Done) -> Option<()> {
        let before = done.failures.len();
        if let Some((case, text)) = &claim.instance {
            let (judged, ended) = self.again(case, done)?;
            *done.kinds.entry(judged.kind).or_default() += 1;
            if self.context.wants(judged.kind) {
                let row = self.row(case, Status::Sat, text.as_bytes().to_vec());
                done.failures.push(self.failure(case, row, judged, ended));
            }
        }
        if done.failures.len() == before {
            let text = claim.instance.map(|(_, text)| text).unwrap_or_default();
            done.remarks.push(format!("{}\n{text}", claim.words));
        }
        Some(())
    }

    pub(crate) fn confirmed_as_it_is(
        &self,
        case: &Case,
        text: &str,
        seen: &Seen,
        done: &mut Done,
    ) -> Option<Kind> {
        let row = self.row(case, case.certificate.status(), text.as_bytes().to_vec());
        self.confirm(case, row, seen, done)
    }

    /// Runs fresh processes; if they fail too, the failure is kept.
    fn confirm(&self, case: &Case, row: InstanceRow, seen: &Seen, done: &mut Done) -> Option<Kind> {
        let (judged, ended) = self.again(case, done)?;
        let kind = judged.kind;
        if self.context.wants(kind) {
            done.failures.push(self.failure(case, row, judged, ended));
            return Some(kind);
        }
        let mut replays = seen.place.map_or_else(Vec::new, |place| self.asker.log.replays(place, case));
        for replay in &replays {
            if let Some(failure) = self.replayed(case, replay, done)? {
                let kind = failure.run.kind;
                done.failures.push(failure);
                done.session_only += 1;
                return Some(kind);
            }
        }
        let reason = format!("{}, then {}", seen.judged.kind.code(), kind.code());
        *done.unrepeated.entry(reason).or_default() += 1;
        if done.flaky.len() < FLAKY {
            done.flaky.extend(self.flaky(case, row, seen, replays.pop()));
        }
        Some(kind)
    }

    /// Runs a case in a fresh process.
    fn again(&self, case: &Case, done: &mut Done) -> Option<(Judged, Ended)> {
        let ended = self.asker.again(case, self.cancel)?;
        done.asked += ended.wall;
        let raw = Raw { stdout: &ended.stdout, stderr: &ended.stderr, ending: &ended.ending };
        let judged = judge(case, &self.variant.solver, &raw, self.rules);
        if self.context.wants(judged.kind) {
            return Some((judged, ended));
        }
        Some(match self.core(case, &ended.stdout) {
            Core::Refuted(core) => (core.judged(judged), ended),
            Core::Right | Core::Unknown => (judged, ended),
        })
    }

    /// A failure of the last instance of a session, run as one script.
    fn replayed(&self, case: &Case, replay: &Replay, done: &mut Done) -> Option<Option<Failure>> {
        let Ok(session) = Case::from_text(&session_name(case), replay.text.as_bytes()) else {
            return Some(None);
        };
        let (mut judged, ended) = self.again(&session, done)?;
        if !self.context.wants(judged.kind) {
            return Some(None);
        }
        judged.evidence.push_str(&after_others(replay.before));
        let row = self.row(&session, Status::Unknown, replay.text.as_bytes().to_vec());
        // It is like a known failure by the operators of its last instance.
        let failure = self.failure(&session, row, judged, ended);
        Some(Some(Failure { operators: operators(case), ..failure }))
    }

    /// A failure that is not there again, with its session.
    fn flaky(&self, case: &Case, row: InstanceRow, seen: &Seen, replay: Option<Replay>) -> Option<Failure> {
        let (mut judged, mut reply) = (seen.judged.clone(), seen.reply.clone());
        judged.evidence.push_str("\nit was not there again in a fresh process");
        let mut failure = if let Some(Replay { text, before, output }) = replay {
            let session = Case::from_text(&session_name(case), text.as_bytes()).ok()?;
            judged.evidence.push_str(&after_others(before));
            reply.output = output;
            self.failure(
                &session,
                self.row(&session, Status::Unknown, text.into_bytes()),
                judged,
                ended(reply),
            )
        } else {
            self.failure(case, row, judged, ended(reply))
        };
        failure.run.flaky = true;
        Some(failure)
    }

    /// Whether the core that was printed last has a model.
    fn core(&self, case: &Case, output: &[u8]) -> Core {
        let mut pool = case.pool.clone();
        let responses = responses(case, &self.variant.solver.profile, output, &mut pool).unwrap_or_default();
        let n = case.checks() - 1;
        let core = responses.into_iter().nth(n).and_then(|r| r.core.filter(|_| r.answer == Answer::Unsat));
        let Some(core) = core else { return Core::Unknown };
        let Some(terms) = witness::core_terms(case, n, &core) else { return Core::Unknown };
        match witness::of_terms(&mut case.pool.clone(), &terms) {
            Witness::Model(_) => Core::Refuted(Refuted { names: core, check: n + 1 }),
            // The built-in solver agrees.
            Witness::Refuted => Core::Right,
            Witness::None => Core::Unknown,
        }
    }

    fn row(&self, case: &Case, status: Status, source: Vec<u8>) -> InstanceRow {
        let (category, operation) = (self.unit.source.name.to_owned(), String::new());
        InstanceRow { id: 0, name: case.name.clone(), category, operation, status, source }
    }

    fn failure(&self, case: &Case, instance: InstanceRow, judged: Judged, ended: Ended) -> Failure {
        let run = judged.row((0, self.variant.id, 0), ended, String::new(), self.context.settings.keep);
        Failure { instance, run, operators: operators(case) }
    }
}

/// What the built-in solver says about a core.
enum Core {
    Refuted(Refuted),
    Right,
    Unknown,
}

/// A core that has a model.
struct Refuted {
    names: Vec<String>,
    check: usize,
}

impl Refuted {
    fn judged(self, judged: Judged) -> Judged {
        let evidence = format!("core: ({})\nthe built-in solver has a model of it", self.names.join(" "));
        let core = CoreCheck::Satisfiable;
        Judged { kind: Kind::UnsoundCore, core, evidence, check: self.check, ..judged }
    }
}

fn session_name(case: &Case) -> String {
    format!("{}/session", case.name)
}

fn after_others(before: usize) -> String {
    format!("\nafter {} in one process", counted(before as u64, "other instance"))
}

/// The reply as the end of a process.
fn ended(reply: Reply) -> Ended {
    let Reply { output: stdout, stderr, wall, ending } = reply;
    Ended { stdout, stderr, wall, cpu: Duration::ZERO, idle: Duration::ZERO, memory_kib: 0, ending }
}

/// The case with a model as its certificate.
fn relabelled(case: &Case, instance: &Instance) -> Option<(Case, String)> {
    let text = instance.to_text("");
    let mut case = Case::from_text(&case.name, text.as_bytes()).ok()?;
    if let [only] = &mut case.certificate.queries[..] {
        only.status = Status::Sat;
    }
    Some((case, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake;
    use campaign::settings::Settings;

    /// A solver that answers `unsat` when this shell command succeeds; `n` is the number of checks since the last `(reset)`, `e` that of markers.
    fn solver(unsat: &str) -> String {
        format!(
            "n=0; e=0
while read -r line; do case $line in
'(reset)'*) n=0;;
'(check-sat)'*) n=$((n+1)); if {unsat}; then echo unsat; else echo sat; fi;;
'(get-model)'*) echo '((define-fun x () Int 1))';;
'(get-value '*) echo '((x 1))';;
'(echo '*) e=$((e+1)); printf '%s\\n' \"$line\" | cut -d'\"' -f2;;
esac; done"
        )
    }

    /// What is kept of two instances in one session of a solver, which are satisfiable.
    fn kept(unsat: &str) -> Done {
        let text = "(declare-const x Int)\n(assert (= x 1))\n(set-info :status sat)\n(set-info :stringent-model \"((x 1))\")\n(check-sat)\n";
        let cases = [Case::from_text("a", text.as_bytes()), Case::from_text("b", text.as_bytes())];
        let cases = cases.map(|case| case.expect("a script"));
        fake::with_solver("z3", &solver(unsat), |variant, _| {
            let mut variant = variant.copy();
            variant.solver.profile.levels = true;
            let mut settings = Settings::default();
            settings.limits.wall = Duration::from_secs(10);
            let (cancel, rules, folder) = (fake::cancel(), settings.rules(), std::env::temp_dir());
            let mut asker = Asker::new(&variant, &settings, &folder, 0).in_levels();
            let mut all = Vec::new();
            assert!(asker.ask(&cases, &cancel, |at, reply, place| {
                let raw = Raw { stdout: &reply.output, stderr: &reply.stderr, ending: &reply.ending };
                let judged = judge(&cases[at], &variant.solver, &raw, &rules);
                all.push(Seen { judged, reply, place });
            }));
            let context = Context { settings: &settings, errors: false, variants: &[] };
            let source = synth::sources::REGISTRY[0];
            let unit = Unit { number: 0, arm: 0, source, variant: 0, seed: 0, first: 0, count: 2 };
            let (unit, variant, context, rules) = (&unit, &variant, &context, &rules);
            let look = Look { unit, variant, context, rules, asker: &asker, cancel: &cancel };
            let mut done = Done::default();
            for (case, seen) in cases.iter().zip(&all).filter(|(_, seen)| context.wants(seen.judged.kind)) {
                look.confirmed_as_it_is(case, text, seen, &mut done).expect("not cancelled");
            }
            done
        })
    }

    fn checks(failure: &Failure) -> usize {
        Case::from_text("c", &failure.instance.source).expect("a script").checks()
    }

    #[test]
    fn a_failure_of_an_instance_alone_is_kept_as_it_is() {
        let done = kept("true");
        assert_eq!((done.failures.len(), done.session_only, done.flaky.len()), (2, 0, 0));
        assert!(done.failures.iter().all(|f| checks(f) == 1));
    }

    #[test]
    fn a_failure_that_needs_a_session_is_kept_with_it() {
        let done = kept("[ $n -ge 2 ]");
        assert_eq!((done.failures.len(), done.session_only, done.flaky.len()), (1, 1, 0));
        let failure = &done.failures[0];
        assert_eq!((failure.run.kind, checks(failure)), (Kind::WrongUnsat, 2));
        assert_eq!(failure.instance.name, "b/session");
        assert!(failure.run.evidence.ends_with("after 1 other instance in one process"));
    }

    #[test]
    fn a_failure_that_is_not_there_again_is_counted_and_kept_as_flaky() {
        // Only sessions have markers.
        let done = kept("[ $e -ge 1 ]");
        assert_eq!((done.failures.len(), done.session_only, done.flaky.len()), (0, 0, 1));
        assert_eq!(done.unrepeated.values().sum::<u64>(), 1);
        assert!(done.unrepeated.keys().all(|why| why.starts_with("wrong-unsat, then ")));
        let failure = &done.flaky[0];
        assert!(failure.run.flaky && checks(failure) == 2);
    }
}
