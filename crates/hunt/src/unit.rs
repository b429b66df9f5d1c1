//! A unit of work: some instances of one source on one solver. Units are independent of each other: each is a pure function of its
//! parameters, as far as the solver is.
//!
//! ```text
//! make ─ ask, many in one process ─ judge ─ as expected: counted
//!                                      ├─ failure: again in a fresh process; if it fails there too, kept
//!                                      ├─ `unsat` of a formula without a label: a witness?
//!                                      └─ an unsat core: a witness?
//! ```

use crate::ask::Asker;
use crate::coverage::Coverage;
use crate::fit;
use crate::variant::Variant;
use crate::witness::{self, Witness};
use campaign::case::Case;
use campaign::judge::{Judged, Raw, judge, responses};
use campaign::outcome::{Answer, CoreCheck, Ending, Kind, Status};
use campaign::process::{Cancel, Ended};
use campaign::session::Reply;
use campaign::settings::{Rules, Settings};
use campaign::store::{InstanceRow, RunRow};
use semantics::instance::Instance;
use smt::{Head, Op};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use synth::sources::{self, Source};

/// A unit.
#[derive(Clone, Copy)]
pub struct Unit {
    /// Its number in the hunt.
    pub number: u64,
    /// Its arm.
    pub arm: usize,
    /// The source.
    pub source: &'static Source,
    /// The place of the solver.
    pub variant: usize,
    /// The seed of the hunt.
    pub seed: u64,
    /// The number of its first instance.
    pub first: u64,
    /// The number of instances.
    pub count: u64,
}

/// The result of a unit.
#[derive(Debug, Default)]
pub struct Done {
    /// Instances that were run.
    pub made: u64,
    /// Runs by verdict.
    pub kinds: BTreeMap<Kind, u64>,
    /// Runs that fail in a session, and not in a fresh process.
    pub session_only: u64,
    /// `unsat` answers without a label, and those that a witness refutes.
    pub unlabelled: u64,
    /// Failures.
    pub failures: Vec<Failure>,
    /// Labels that a model refutes: an error of a source.
    pub mislabelled: Vec<String>,
    /// Pairs of operators.
    pub coverage: Coverage,
    /// Time for which the solver was waited for.
    pub asked: Duration,
    /// All other time.
    pub own: Duration,
}

/// A run that fails in a fresh process.
#[derive(Debug)]
pub struct Failure {
    /// The instance, with a certificate if its answer is known. Without a key.
    pub instance: InstanceRow,
    /// The run, without keys.
    pub run: RunRow,
    /// The operators of the formula.
    pub operators: BTreeSet<Op>,
}

/// The settings of all units.
pub(crate) struct Context<'a> {
    /// Those of the campaign.
    pub(crate) settings: &'a Settings,
    /// Error messages and rejected scripts are failures too.
    pub(crate) errors: bool,
}

impl Context<'_> {
    /// A run of this kind is a failure that a hunt is after.
    fn wants(&self, kind: Kind) -> bool {
        let crash = matches!(kind, Kind::Crash | Kind::CrashAfterAnswer);
        kind != Kind::NotStarted && (kind.is_unsound() || crash || (self.errors && kind.is_failure()))
    }
}

/// Does a unit; none if it was cancelled.
pub(crate) fn work(
    unit: &Unit,
    variant: &Variant,
    context: &Context<'_>,
    asker: &mut Asker<'_>,
    cancel: &Cancel,
) -> Option<Done> {
    let start = Instant::now();
    let mut done = Done::default();
    let texts = made(unit, variant);
    let read = |(name, text): &(String, String)| Case::from_text(name, text.as_bytes()).ok();
    let cases: Vec<Case> = texts.iter().filter_map(read).collect();
    for case in &cases {
        done.coverage.add(&case.pool, case.script.assertions());
    }
    let rules = context.settings.rules();
    let mut odd = Vec::new();
    let complete = asker.ask(&cases, cancel, |at, reply| {
        done.asked += reply.wall;
        done.made += 1;
        let judged = judged(&cases[at], variant, &reply, &rules);
        if context.needs_a_look(&judged, &cases[at]) {
            odd.push((at, judged, reply));
        } else {
            *done.kinds.entry(judged.kind).or_default() += 1;
        }
    });
    for (at, judged, reply) in odd {
        let case = &cases[at];
        let source = || texts.iter().find(|(name, _)| *name == case.name).map_or("", |(_, text)| text);
        let look = Look { unit, variant, context, rules: &rules, asker, cancel };
        let kind = look.at(case, source(), judged, reply, &mut done)?;
        *done.kinds.entry(kind).or_default() += 1;
    }
    done.own = start.elapsed().saturating_sub(done.asked);
    complete.then_some(done)
}

/// The texts of the instances, with their names.
fn made(unit: &Unit, variant: &Variant) -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for index in unit.first..unit.first + unit.count {
        let Some(mut made) = sources::make(unit.source, &variant.material, unit.seed, index) else {
            continue;
        };
        fit::pairs(&mut made, &variant.binary);
        let name = name(unit.source, unit.seed, index);
        texts.push((name.clone(), made.text(unit.source.name, &name)));
    }
    texts
}

/// The name of an instance.
pub fn name(source: &Source, seed: u64, index: u64) -> String {
    format!("hunt/{}/{seed}-{index}", source.name)
}

fn judged(case: &Case, variant: &Variant, reply: &Reply, rules: &Rules) -> Judged {
    let raw = Raw { stdout: &reply.output, stderr: &reply.stderr, ending: &reply.ending };
    judge(case, &variant.solver, &raw, rules)
}

impl Context<'_> {
    /// Something may be wrong.
    fn needs_a_look(&self, judged: &Judged, case: &Case) -> bool {
        let plain = case.checks() == 1;
        let core = matches!(judged.core, CoreCheck::Undetermined | CoreCheck::Imprecise);
        match judged.kind {
            kind if self.wants(kind) => true,
            Kind::Unlabelled => plain && judged.answer == Answer::Unsat,
            Kind::CoreUndetermined | Kind::CorrectUnsat => plain && core,
            _ => false,
        }
    }
}

/// A second look at a reply.
struct Look<'a, 'b> {
    unit: &'a Unit,
    variant: &'a Variant,
    context: &'a Context<'a>,
    rules: &'a Rules,
    asker: &'a Asker<'b>,
    cancel: &'a Cancel,
}

impl Look<'_, '_> {
    /// The verdict in the end; failures are kept. None if it was cancelled.
    fn at(&self, case: &Case, text: &str, judged: Judged, reply: Reply, done: &mut Done) -> Option<Kind> {
        let mislabelled = judged.kind != Kind::InvalidModel
            && judged.model == campaign::outcome::ModelCheck::Holds
            && case.status(0) == Status::Unsat
            && case.checks() == 1;
        if mislabelled {
            done.mislabelled.push(text.to_owned());
            return Some(Kind::Unlabelled);
        }
        if judged.kind == Kind::Unlabelled {
            done.unlabelled += 1;
            let Some(instance) = witness::of_case(case) else { return Some(judged.kind) };
            return self.confirmed(&relabelled(case, &instance)?, done);
        }
        if self.context.wants(judged.kind) {
            return self.confirmed_as_it_is(case, text, done);
        }
        Some(self.core(case, text, judged, &reply, done))
    }

    fn confirmed_as_it_is(&self, case: &Case, text: &str, done: &mut Done) -> Option<Kind> {
        let row = self.row(case, case.certificate.status(), text.as_bytes().to_vec());
        self.confirm(case, row, done)
    }

    fn confirmed(&self, (case, text): &(Case, String), done: &mut Done) -> Option<Kind> {
        let row = self.row(case, Status::Sat, text.as_bytes().to_vec());
        self.confirm(case, row, done)
    }

    /// Runs a fresh process; if that fails too, the failure is kept.
    fn confirm(&self, case: &Case, row: InstanceRow, done: &mut Done) -> Option<Kind> {
        let ended = self.asker.fresh(case, self.cancel)?;
        let raw = Raw { stdout: &ended.stdout, stderr: &ended.stderr, ending: &ended.ending };
        let judged = judge(case, &self.variant.solver, &raw, self.rules);
        let kind = judged.kind;
        if self.context.wants(kind) {
            done.failures.push(self.failure(case, row, judged, ended));
        } else {
            done.session_only += 1;
        }
        Some(kind)
    }

    /// A model of the core refutes it.
    fn core(&self, case: &Case, text: &str, judged: Judged, reply: &Reply, done: &mut Done) -> Kind {
        let mut pool = case.pool.clone();
        let responses = responses(case, &self.variant.solver.profile, &reply.output, &mut pool);
        let core = responses.ok().and_then(|all| all.into_iter().next()?.core);
        let Some(terms) = core.as_ref().and_then(|core| witness::core_terms(case, core)) else {
            return judged.kind;
        };
        match witness::of_terms(&mut case.pool.clone(), &terms) {
            Witness::Model(_) => {}
            // The built-in solver agrees.
            Witness::Refuted => return Kind::CorrectUnsat,
            Witness::None => return judged.kind,
        }
        let row = self.row(case, case.certificate.status(), text.as_bytes().to_vec());
        let evidence =
            format!("core: ({})\nthe built-in solver has a model of it", core.unwrap_or_default().join(" "));
        let judged = Judged { kind: Kind::UnsoundCore, core: CoreCheck::Satisfiable, evidence, ..judged };
        let Reply { output: stdout, stderr, wall, .. } = reply.clone();
        let ended =
            Ended { stdout, stderr, wall, cpu: Duration::ZERO, memory_kib: 0, ending: Ending::Running };
        done.failures.push(self.failure(case, row, judged, ended));
        Kind::UnsoundCore
    }

    fn row(&self, case: &Case, status: Status, source: Vec<u8>) -> InstanceRow {
        let (category, operation) = (self.unit.source.name.to_owned(), String::new());
        InstanceRow { id: 0, name: case.name.clone(), category, operation, status, source }
    }

    fn failure(&self, case: &Case, instance: InstanceRow, judged: Judged, ended: Ended) -> Failure {
        let run = RunRow {
            instance: 0,
            solver: self.variant.id,
            seed: 0,
            kind: judged.kind,
            answer: judged.answer,
            model: judged.model,
            core: judged.core,
            ending: ended.ending.to_string(),
            wall: ended.wall,
            cpu: ended.cpu,
            memory_kib: ended.memory_kib,
            batched: ended.ending == Ending::Running,
            flaky: false,
            output: RunRow::output_of(ended.stdout, &ended.stderr, self.context.settings.keep),
            evidence: judged.evidence,
            command: String::new(),
        };
        Failure { instance, run, operators: operators(case) }
    }
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

/// The operators of a case.
fn operators(case: &Case) -> BTreeSet<Op> {
    let of = |t| match case.pool.head(t) {
        Head::Op(op) | Head::Indexed(op, _) => Some(op),
        _ => None,
    };
    case.pool.subterms(case.script.assertions()).filter_map(of).collect()
}
