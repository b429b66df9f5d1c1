//! A unit of work: some instances of one source on one solver. Units are independent of each other: each is a pure function of its
//! parameters, as far as the solver is.
//!
//! ```text
//! make ─ ask, many in one process ─ judge ─ as expected: counted
//!                                      ├─ failure: again in a fresh process; if it fails there too, kept
//!                                      ├─ `unsat` of a formula without a label: a witness?
//!                                      ├─ an unsat core: a witness?
//!                                      └─ some models: asserted back, as new instances
//! statements besides answers, of some instances: true?
//! ```

use crate::ask::Asker;
use crate::back;
use crate::claims::{Claim, assumptions, simplify, values};
use crate::coverage::Coverage;
use crate::fit;
use crate::variant::{Variant, has_operator};
use crate::witness::{self, Witness};
use campaign::case::Case;
use campaign::judge::{Judged, Raw, judge, responses};
use campaign::outcome::{Answer, CoreCheck, Ending, Kind, ModelCheck, Status};
use campaign::process::{Cancel, Ended};
use campaign::session::Reply;
use campaign::settings::{Rules, Settings};
use campaign::store::{InstanceRow, RunRow};
use semantics::instance::Instance;
use smt::{Head, Op};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use synth::dice::Dice;
use synth::sources::{self, Source};

/// One in so many instances has its model asserted back.
const BACK: usize = 16;
/// One in so many units has statements besides answers examined.
const EXAMINED: u64 = 4;
/// Instances of a unit whose statements are examined: of most sources, and of terms without constants.
const STATEMENTS: usize = 6;
const CLOSED: usize = 60;

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

impl Unit {
    /// One in `n` units, by its number: not every `n`th, since arms come in turns too.
    pub(crate) fn is_one_in(&self, n: u64, purpose: Purpose) -> bool {
        Dice::keyed([self.number, purpose as u64, 0, 0]).one_in(n)
    }
}

/// The properties of some units.
#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    /// Statements besides answers are examined.
    Statements,
    /// Each instance comes after a `(reset)`.
    Alone,
    /// It has the whole time limit.
    Patient,
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
    /// Instances with a model of the solver asserted back.
    pub backed: u64,
    /// Statements besides answers that are false, where the answers are correct.
    pub remarks: Vec<String>,
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
    /// All solvers of the hunt, which are asked for witnesses.
    pub(crate) variants: &'a [Variant],
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
    let has_all = |case: &Case| operators(case).into_iter().all(|op| has_operator(&variant.solver, op));
    let cases: Vec<Case> = texts.iter().filter_map(read).filter(has_all).collect();
    for case in &cases {
        done.coverage.add(&case.pool, case.script.assertions());
    }
    let rules = context.settings.rules();
    let (mut odd, mut models) = (Vec::new(), Vec::new());
    let limit = asker.limit();
    let complete = asker.ask(&cases, cancel, |at, reply| {
        done.asked += reply.wall;
        done.made += 1;
        let mut judged = judged(&cases[at], variant, &reply, &rules);
        if judged.kind == Kind::Unknown && reply.wall >= limit {
            judged.kind = Kind::OwnLimit;
        }
        if judged.kind == Kind::ValidModel && judged.model == ModelCheck::Holds && cases[at].is_plain() {
            models.push((at, if at.is_multiple_of(BACK) { reply.output.clone() } else { Vec::new() }));
        }
        if context.needs_a_look(&judged, &cases[at]) {
            odd.push((at, judged, reply));
        } else {
            *done.kinds.entry(judged.kind).or_default() += 1;
        }
    });
    if !complete {
        return None;
    }
    let look = Look { unit, variant, context, rules: &rules, asker, cancel };
    let mut undecided = Vec::new();
    for (at, judged, reply) in odd {
        let case = &cases[at];
        let source = || texts.iter().find(|(name, _)| *name == case.name).map_or("", |(_, text)| text);
        match look.at(case, source(), judged, reply, &mut done)? {
            Some(kind) => *done.kinds.entry(kind).or_default() += 1,
            None => undecided.push(case.clone()),
        }
    }
    look.others(&undecided, &mut done)?;
    if unit.is_one_in(EXAMINED, Purpose::Statements) || unit.source.name == "ground" {
        let answered: Vec<usize> = models.iter().map(|&(at, _)| at).collect();
        look.statements(&cases, &answered, &mut done)?;
    }
    models.retain(|(_, output)| !output.is_empty());
    asserted_back(&cases, &models, unit, (variant, context, &rules), asker, cancel, &mut done)?;
    done.own = start.elapsed().saturating_sub(done.asked);
    Some(done)
}

/// Asks about instances with models of the solver asserted back; none if it was cancelled.
fn asserted_back(
    cases: &[Case],
    models: &[(usize, Vec<u8>)],
    unit: &Unit,
    (variant, context, rules): (&Variant, &Context<'_>, &Rules),
    asker: &mut Asker<'_>,
    cancel: &Cancel,
    done: &mut Done,
) -> Option<()> {
    let profile = &variant.solver.profile;
    let choice = |at: usize| (unit.first + at as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let back = |(at, output): &(usize, Vec<u8>)| back::asserted(&cases[*at], profile, output, choice(*at));
    let (backed, texts): (Vec<Case>, Vec<String>) = models.iter().filter_map(back).unzip();
    done.backed += backed.len() as u64;
    let mut odd = Vec::new();
    let complete = asker.ask(&backed, cancel, |at, reply| {
        done.asked += reply.wall;
        let judged = judged(&backed[at], variant, &reply, rules);
        if context.wants(judged.kind) {
            odd.push(at);
        }
    });
    if !complete {
        return None;
    }
    let look = Look { unit, variant, context, rules, asker, cancel };
    for at in odd {
        look.confirmed_as_it_is(&backed[at], &texts[at], done)?;
    }
    Some(())
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
    /// The verdict in the end, or none if other solvers are to be asked; failures are kept. None if it was cancelled.
    fn at(
        &self,
        case: &Case,
        text: &str,
        judged: Judged,
        reply: Reply,
        done: &mut Done,
    ) -> Option<Option<Kind>> {
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
                Witness::Model(instance) => self.contradicted(case, &instance, done).map(Some),
                Witness::Refuted => Some(Some(judged.kind)),
                Witness::None => Some(None),
            };
        }
        if self.context.wants(judged.kind) {
            return self.confirmed_as_it_is(case, text, done).map(Some);
        }
        Some(Some(self.core(case, text, judged, &reply, done)))
    }

    /// Cases that the solver answers by `unsat`, and the built-in solver not at all: models from other solvers refute that.
    fn others(&self, cases: &[Case], done: &mut Done) -> Option<()> {
        if cases.is_empty() {
            return Some(());
        }
        let start = Instant::now();
        let found =
            witness::from_others(cases, self.context.variants, self.variant, self.asker, self.cancel)?;
        done.asked += start.elapsed();
        *done.kinds.entry(Kind::Unlabelled).or_default() += (cases.len() - found.len()) as u64;
        for (at, instance) in found {
            let kind = self.contradicted(&cases[at], &instance, done)?;
            *done.kinds.entry(kind).or_default() += 1;
        }
        Some(())
    }

    /// A model refutes the `unsat` of a case without a label.
    fn contradicted(&self, case: &Case, instance: &Instance, done: &mut Done) -> Option<Kind> {
        match relabelled(case, instance) {
            Some(labelled) => self.confirmed(&labelled, done),
            None => Some(Kind::Unlabelled),
        }
    }

    /// Examines statements besides answers. `models` are the places of cases that were answered by a valid model.
    fn statements(&self, cases: &[Case], models: &[usize], done: &mut Done) -> Option<()> {
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
            let row = self.row(case, Status::Sat, text.as_bytes().to_vec());
            let kind = self.confirm(case, row, done)?;
            *done.kinds.entry(kind).or_default() += 1;
            done.session_only -= u64::from(done.failures.len() == before);
        }
        if done.failures.len() == before {
            let text = claim.instance.map(|(_, text)| text).unwrap_or_default();
            done.remarks.push(format!("{}\n{text}", claim.words));
        }
        Some(())
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
        let ended = self.asker.again(case, self.cancel)?;
        done.asked += ended.wall;
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
        let ended = Ended {
            stdout,
            stderr,
            wall,
            cpu: Duration::ZERO,
            idle: Duration::ZERO,
            memory_kib: 0,
            ending: Ending::Running,
        };
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Arms come in turns, and units are numbered in rounds of 16: each arm must get units with each property.
    #[test]
    fn properties_of_units_do_not_depend_on_turns() {
        for (n, purpose) in [(4, Purpose::Statements), (3, Purpose::Alone), (4, Purpose::Patient)] {
            for turn in 0..16 {
                let of = |round: u64| Unit {
                    number: 16 * round + turn,
                    arm: 0,
                    source: synth::sources::REGISTRY[0],
                    variant: 0,
                    seed: 0,
                    first: 0,
                    count: 1,
                };
                let chosen = (0..400).filter(|&round| of(round).is_one_in(n, purpose)).count() as u64;
                assert!((200 / n..800 / n).contains(&chosen), "{turn}: {chosen} of 400");
            }
        }
    }
}
