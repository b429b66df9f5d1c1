//! Explanations of answers.
//!
//! | answer | explanation |
//! |---|---|
//! | `sat` | each assertion with its value and the values of its constants |
//! | `unsat` | a minimal set of assertions without a model, and the inferences that refute it |
//! | `unknown` | the reason, the work of each strategy, and what was missing last |
//!
//! The refutation is that of a second check, of the minimal set only, so that its steps are few: each line has the name of
//! the rule and its claim. Equations of constants, which need no premises, are left out.

use super::{Answer, Outcome, attempt, check};
use crate::options::Options;
use semantics::model::Meaning;
use semantics::regex::RegexStore;
use semantics::{Evaluator, Model, Satisfaction};
use smt::print::term_text;
use smt::work::Stop;
use smt::{Head, Pool, Term};

/// Steps that are shown, at most.
const MAX_STEPS: usize = 300;
/// Characters of a formula that are shown, at most.
const MAX_TEXT: usize = 400;
/// Ticks of the second check, at least, and in those of the first one.
const TICKS: (u64, u64) = (200_000, 8);

/// The explanation of an outcome, in lines.
pub(crate) fn explain(
    pool: &mut Pool,
    assertions: &[Term],
    options: &Options,
    outcome: &Outcome,
    stop: &Stop,
) -> Vec<String> {
    match &outcome.answer {
        Answer::Sat(model) => satisfied(pool, assertions, model),
        Answer::Unsat(_) => refuted(pool, assertions, options, outcome, stop),
        Answer::Unknown(reason) => open(options, outcome, reason),
    }
}

/// Each assertion, with the values that it depends on.
fn satisfied(pool: &Pool, assertions: &[Term], model: &Model) -> Vec<String> {
    let mut lines = vec![format!("the model satisfies {} assertions:", assertions.len())];
    let mut e = Evaluator::new(pool, model);
    let store = RegexStore::new();
    for &t in assertions {
        let truth = if e.truth(t) == Satisfaction::Holds { "true" } else { "not evaluated" };
        lines.push(format!("  {truth}: {}", text(pool, t)));
        let mut values: Vec<String> = Vec::new();
        for u in pool.subterms([t]) {
            if let Head::Fun(f) = pool.head(u)
                && let Some(Meaning::Value(v)) = model.lookup(pool, f)
            {
                values.push(format!("{} = {}", pool.fun_name(f), v.to_smtlib(&store)));
            }
        }
        if !values.is_empty() {
            lines.push(format!("    with {}", shortened(values.join(", "))));
        }
    }
    lines
}

/// The steps that refute a minimal set of assertions.
fn refuted(
    pool: &mut Pool,
    assertions: &[Term],
    options: &Options,
    outcome: &Outcome,
    stop: &Stop,
) -> Vec<String> {
    let ticks = Some(TICKS.0.max(ticks(outcome).saturating_mul(TICKS.1)));
    let quiet = Options { ticks, cores: true, minimise_cores: true, trace: false, ..options.clone() };
    let core = match check(pool, assertions, &quiet, stop).answer {
        Answer::Unsat(core) => core,
        _ => (0..assertions.len()).collect(),
    };
    let mut lines =
        vec![format!("{} of {} assertions have no model together:", core.len(), assertions.len())];
    let terms: Vec<Term> = core.iter().map(|&i| assertions[i]).collect();
    lines.extend(terms.iter().map(|&t| format!("  {}", text(pool, t))));
    let traced = Options { ticks, trace: true, cores: false, minimise_cores: false, ..options.clone() };
    let again = attempt(pool, &terms, &traced, stop);
    let is_step = |line: &&String| {
        !line.contains(" split: ") && (!line.contains(" fact: ") || line.contains(" because "))
    };
    let steps: Vec<&String> = again.trace.iter().filter(is_step).collect();
    lines.push(if steps.is_empty() { "rewriting makes them false".to_owned() } else { "steps:".to_owned() });
    lines.extend(steps.iter().take(MAX_STEPS).map(|line| format!("  {}", shortened((*line).clone()))));
    if steps.len() > MAX_STEPS {
        lines.push(format!("  and {} more", steps.len() - MAX_STEPS));
    }
    lines
}

/// What was tried, and what stopped it.
fn open(options: &Options, outcome: &Outcome, reason: &str) -> Vec<String> {
    let mut lines = vec![format!("reason: {reason}")];
    lines.push(match options.ticks {
        Some(limit) => format!("work: {} of {limit} ticks", ticks(outcome)),
        None => format!("work: {} ticks, without a limit", ticks(outcome)),
    });
    for (name, n) in &outcome.statistics {
        if *name != "ticks" {
            lines.push(format!("  {name}: {n}"));
        }
    }
    lines
}

fn ticks(outcome: &Outcome) -> u64 {
    outcome.statistics.iter().find(|(name, _)| *name == "ticks").map_or(0, |&(_, n)| n)
}

fn text(pool: &Pool, t: Term) -> String {
    shortened(term_text(pool, t))
}

fn shortened(text: String) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
