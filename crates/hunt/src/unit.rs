//! A unit of work: some instances of one source on one solver. Units are independent of each other: each is a pure function of its
//! parameters, as far as the solver is.
//!
//! ```text
//! make ─ ask, many in one process ─ judge ─ as expected: counted
//!                                      ├─ failure: again in a fresh process, alone, then after what came before it; if it fails there too, kept
//!                                      ├─ `unsat` of a formula without a label: a witness?
//!                                      ├─ an unsat core: a witness?
//!                                      └─ some models: asserted back, as new instances
//! statements besides answers, of some instances: true?
//! ```

use crate::ask::Asker;
use crate::back;
use crate::coverage::Coverage;
use crate::fit;
use crate::look::{Look, Seen};
use crate::variant::{Variant, has_operator};
use campaign::case::Case;
use campaign::clean::one_line;
use campaign::judge::{Judged, Raw, judge};
use campaign::outcome::{Answer, CoreCheck, Kind, ModelCheck, Verdict};
use campaign::process::Cancel;
use campaign::session::Reply;
use campaign::settings::{Rules, Settings};
use campaign::store::{InstanceRow, RunRow};
use smt::{Head, Op};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use synth::dice::Dice;
use synth::sources::{self, Source};

/// One in so many instances has its model asserted back.
const BACK: usize = 16;
/// One in so many units has statements besides answers examined.
const EXAMINED: u64 = 4;
/// One in so many units asks for no cores: solvers simplify assertions without names in other ways.
const WITHOUT_CORES: u64 = 2;

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
    /// No cores are asked for.
    WithoutCores,
}

/// The result of a unit.
#[derive(Debug, Default)]
pub struct Done {
    /// Instances that were run.
    pub made: u64,
    /// Runs by verdict.
    pub kinds: BTreeMap<Kind, u64>,
    /// Failures of an instance after others in one process, and not alone; they are among the failures, as incremental scripts.
    pub session_only: u64,
    /// Failures that were not there again, by what was seen first and then.
    pub unrepeated: BTreeMap<String, u64>,
    /// The first of them.
    pub flaky: Vec<Failure>,
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
    /// The first reply that is an error, in words.
    pub error: Option<String>,
    /// Time for which the solver was waited for.
    pub asked: Duration,
    /// All other time.
    pub own: Duration,
}

/// A run that fails.
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
    pub(crate) fn wants(&self, kind: Kind) -> bool {
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
    let complete = asker.ask(&cases, cancel, |at, reply, place| {
        done.asked += reply.wall;
        done.made += 1;
        let mut judged = judged(&cases[at], variant, &reply, &rules);
        if judged.kind == Kind::Unknown && reply.wall >= limit {
            judged.kind = Kind::OwnLimit;
        }
        if judged.kind.verdict() == Verdict::Error && done.error.is_none() {
            done.error = judged.evidence.lines().next().map(one_line);
        }
        if judged.kind == Kind::ValidModel && judged.model == ModelCheck::Holds && cases[at].is_plain() {
            models.push((at, if at.is_multiple_of(BACK) { reply.output.clone() } else { Vec::new() }));
        }
        if context.needs_a_look(&judged, &cases[at]) {
            odd.push((at, Seen { judged, reply, place }));
        } else {
            *done.kinds.entry(judged.kind).or_default() += 1;
        }
    });
    if !complete {
        return None;
    }
    let look = Look { unit, variant, context, rules: &rules, asker, cancel };
    let mut undecided = Vec::new();
    for (at, seen) in odd {
        let case = &cases[at];
        let source = || texts.iter().find(|(name, _)| *name == case.name).map_or("", |(_, text)| text);
        match look.at(case, source(), &seen, &mut done)? {
            Some(kind) => *done.kinds.entry(kind).or_default() += 1,
            None => undecided.push((case.clone(), seen)),
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
    let complete = asker.ask(&backed, cancel, |at, reply, place| {
        done.asked += reply.wall;
        let judged = judged(&backed[at], variant, &reply, rules);
        if context.wants(judged.kind) {
            odd.push((at, Seen { judged, reply, place }));
        }
    });
    if !complete {
        return None;
    }
    let look = Look { unit, variant, context, rules, asker, cancel };
    for (at, seen) in odd {
        look.confirmed_as_it_is(&backed[at], &texts[at], &seen, done)?;
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
        if unit.is_one_in(WITHOUT_CORES, Purpose::WithoutCores) {
            fit::without_core(&mut made);
        }
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

/// The operators of a case.
pub(crate) fn operators(case: &Case) -> BTreeSet<Op> {
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
        for (n, purpose) in
            [(4, Purpose::Statements), (3, Purpose::Alone), (4, Purpose::Patient), (2, Purpose::WithoutCores)]
        {
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
