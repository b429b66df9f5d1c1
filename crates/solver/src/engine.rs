//! One check: from assertions to an answer.

mod explain;
mod fallback;
mod race;

pub(crate) use explain::explain;

use crate::options::Options;
use crate::preprocess::{self, Preprocessed, skolemise};
use crate::rewrite::{Mode, Rewriter};
use crate::strings::model::Problem;
use crate::theory::Theory;
use rustc_hash::FxHashSet;
use sat::Lit;
use semantics::Model;
use smt::work::{Stop, within};
use smt::{Pool, Term};

/// The answer to a check.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Satisfiable, by this model, under which the evaluator found the assertions, as given, true.
    Sat(Box<Model>),
    /// Unsatisfiable; these assertions (by index, sorted) suffice. All of them if cores were not requested.
    Unsat(Vec<usize>),
    /// Unknown, with the reason for `:reason-unknown`.
    Unknown(String),
}

/// Counters of a check, in the order of their display.
pub type Statistics = Vec<(&'static str, u64)>;

/// An answer, with statistics and trace.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub answer: Answer,
    /// Counters.
    pub statistics: Statistics,
    /// One line per inference, if requested.
    pub trace: Vec<String>,
    /// The first claim that the audit found false, if it is on. The answer is unknown then.
    pub audit_failure: Option<String>,
}

/// Checks the conjunction of the assertions. `stop` is polled in every long loop ([`smt::work`]); when it returns true,
/// the answer is unknown. New terms remain in the pool; the caller may cut it back.
pub fn check(pool: &mut Pool, assertions: &[Term], options: &Options, stop: &Stop) -> Outcome {
    let first = if options.threads > 1 && !options.trace {
        race::race(pool, assertions, options, stop)
    } else {
        attempt(pool, assertions, options, stop)
    };
    let mut out =
        fallback::fall_back(first, options, stop, |options| attempt(pool, assertions, options, stop));
    if options.minimise_cores
        && let Answer::Unsat(core) = &out.answer
    {
        let core = minimise(pool, assertions, core.clone(), options, stop);
        out.answer = Answer::Unsat(core);
    }
    out
}

/// Removes assertions from a core as long as the solver finds the rest unsatisfiable.
fn minimise(
    pool: &mut Pool,
    assertions: &[Term],
    mut core: Vec<usize>,
    options: &Options,
    stop: &Stop,
) -> Vec<usize> {
    let mut k = 0;
    while k < core.len() && !stop() {
        let mut fewer = core.clone();
        fewer.remove(k);
        let terms: Vec<Term> = fewer.iter().map(|&i| assertions[i]).collect();
        match attempt(pool, &terms, options, stop).answer {
            Answer::Unsat(found) => {
                core = found.into_iter().map(|i| fewer[i]).collect();
                k = k.min(core.len());
            }
            _ => k += 1,
        }
    }
    core
}

/// Searches; if quantifiers were eliminated and the referee cannot decide them under the models found, once more with
/// constants for the variables of existential ones.
fn attempt(pool: &mut Pool, assertions: &[Term], options: &Options, stop: &Stop) -> Outcome {
    let mut rw = Rewriter::new();
    let Some(prepared) = within(stop, || prepare(pool, assertions, &mut rw, options)) else {
        return timeout();
    };
    let quantified = |pool: &Pool, list: &[Term]| list.iter().any(|&t| pool.has_binder(t));
    let mut first = None;
    if !quantified(pool, &prepared.assertions) {
        let out = search(pool, assertions, &prepared, &mut rw, options, stop);
        let open = matches!(out.answer, Answer::Unknown(_)) && out.audit_failure.is_none() && !stop();
        if !open || !quantified(pool, assertions) {
            return out;
        }
        first = Some(out);
    }
    let Some(constants) = skolemise(pool, assertions) else {
        return first.unwrap_or_else(|| search(pool, assertions, &prepared, &mut rw, options, stop));
    };
    match within(stop, || prepare(pool, &constants, &mut rw, options)) {
        Some(prepared) => search(pool, &constants, &prepared, &mut rw, options, stop),
        None => timeout(),
    }
}

/// Searches for a model of preprocessed assertions, or a refutation.
fn search(
    pool: &mut Pool,
    assertions: &[Term],
    prepared: &Preprocessed,
    rw: &mut Rewriter,
    options: &Options,
    stop: &Stop,
) -> Outcome {
    let mut sat = sat::Solver::new(options.seed);
    sat.set_tick_limit(options.ticks);
    let problem = Problem { originals: assertions, prepared };
    let mut theory = Theory::new(pool, rw, options, &**stop, problem);
    let mut assumptions = Vec::new();
    let run = || {
        if let Some(bits) = &prepared.bits {
            theory.add_bits(bits, &mut sat);
            theory.require_bits(bits, &mut sat);
        }
        assumptions = assert_all(&mut theory, &mut sat, &prepared.assertions, options.cores);
        theory.start();
        sat.solve(&mut theory, &assumptions)
    };
    let result = within(stop, run).unwrap_or(sat::Answer::Unknown);
    let audit_failure = theory.audit_failure().map(str::to_owned);
    let answer = match (&audit_failure, result) {
        (Some(failure), _) => Answer::Unknown(format!("audit: {failure}")),
        (None, sat::Answer::Sat) => match theory.found.take() {
            Some(model) => Answer::Sat(Box::new(model)),
            None => Answer::Unknown("incomplete".to_owned()),
        },
        (None, sat::Answer::Unsat) if options.cores => Answer::Unsat(core(&sat, &assumptions)),
        (None, sat::Answer::Unsat) => Answer::Unsat((0..assertions.len()).collect()),
        (None, sat::Answer::Unknown) => {
            let reason = theory.incomplete.take().or_else(|| prepared.incomplete.clone());
            let limit = || if stop() { "timeout" } else { "resourceout" }.to_owned();
            Answer::Unknown(reason.unwrap_or_else(limit))
        }
    };
    let statistics = statistics(&sat, &mut theory, (0, sat::Stats::default()));
    Outcome { answer, statistics, trace: std::mem::take(&mut theory.log().lines), audit_failure }
}

fn prepare(pool: &mut Pool, assertions: &[Term], rw: &mut Rewriter, options: &Options) -> Preprocessed {
    let mut rewrite = |pool: &mut Pool, t: Term| rw.rewrite(pool, Mode::Full, t);
    preprocess::run(pool, assertions, &mut rewrite, options.cores)
}

fn timeout() -> Outcome {
    let answer = Answer::Unknown("timeout".to_owned());
    Outcome { answer, statistics: Vec::new(), trace: Vec::new(), audit_failure: None }
}

/// The indices of the assumptions that the refutation uses.
fn core(sat: &sat::Solver, assumptions: &[Lit]) -> Vec<usize> {
    let failed: FxHashSet<Lit> = sat.failed().iter().copied().collect();
    (0..assumptions.len()).filter(|&i| failed.contains(&assumptions[i])).collect()
}

/// The counters of a check; `before` has the ticks and counts of earlier ones.
pub(crate) fn statistics(
    sat: &sat::Solver,
    theory: &mut Theory<'_>,
    before: (u64, sat::Stats),
) -> Statistics {
    let (ticks, stats, (ticks_before, old)) = (sat.ticks(), sat.stats(), before);
    let mut out: Statistics = vec![
        ("ticks", ticks - ticks_before),
        ("decisions", stats.decisions - old.decisions),
        ("conflicts", stats.conflicts - old.conflicts),
    ];
    out.extend(theory.log().counts());
    out.extend(theory.audited_claims().map(|n| ("audited claims", n)));
    out
}

/// Asserts all formulas; with cores, each under an assumption of its own. Returns the assumptions.
fn assert_all(theory: &mut Theory<'_>, sat: &mut sat::Solver, formulas: &[Term], cores: bool) -> Vec<Lit> {
    let mut assumptions = Vec::new();
    for &t in formulas {
        let l = theory.literal(t, sat);
        if cores {
            let a = sat.new_var().lit(true);
            sat.add_clause(&[!a, l]);
            theory.require(Some(a), l);
            assumptions.push(a);
        } else {
            sat.add_clause(&[l]);
            theory.require(None, l);
        }
    }
    assumptions
}
