//! The evidence for a verdict, as readable text.

use crate::case::Case;
use semantics::referee::Check;
use semantics::{Config, Evaluator, Model, Satisfaction, explain};
use smt::{Pool, Term};
use std::fmt::Write as _;

/// Maximum number of lines of an evaluation trace.
const MAX_TRACE_LINES: usize = 40;

/// The referee's finding on a model, as text.
pub(super) struct Account {
    pub(super) truth: Satisfaction,
    pub(super) text: String,
}

/// The truth of all of `check` under `model`.
pub(super) fn truth(pool: &Pool, model: &Model, check: &Check, config: Config) -> Satisfaction {
    let mut e = Evaluator::with(pool, model, config, semantics::regex::RegexStore::new());
    semantics::referee::Judgement::of(check, &mut e).overall()
}

/// The same with its evidence: the first assertion that does not hold, its trace, the model.
pub(super) fn account(case: &Case, pool: &mut Pool, model: &Model, check: &Check, config: Config) -> Account {
    let constants = constants(case, pool);
    let mut e = Evaluator::with(pool, model, config, semantics::regex::RegexStore::new());
    let judgement = semantics::referee::Judgement::of(check, &mut e);
    let truth = judgement.overall();
    let mut text = String::new();
    let all: Vec<(String, Term)> = labels(pool, check);
    let truths = judgement.assertions.iter().chain(&judgement.assumptions);
    if truth != Satisfaction::Holds
        && let Some(((label, t), found)) = all.iter().zip(truths).find(|(_, found)| **found == truth)
    {
        let _ = match found {
            Satisfaction::Undetermined(why) => writeln!(text, "{label} is undetermined, {}:", why.reason()),
            _ => writeln!(text, "{label} is false:"),
        };
        text.push_str(&explain::text(&mut e, *t, MAX_TRACE_LINES));
    }
    let values: Vec<String> = constants
        .iter()
        .map(|(name, t)| {
            let value =
                e.eval(*t).map_or_else(|_| "?".into(), |v| explain::shorten(&v.to_smtlib(e.store()), 200));
            format!("{name} = {value}")
        })
        .collect();
    if !values.is_empty() {
        let _ = writeln!(text, "model: {}", clip(&values.join(", "), 2000));
    }
    let completed: Vec<&str> = e.completed().iter().map(|&f| pool.fun_name(f)).collect();
    if !completed.is_empty() {
        let _ =
            writeln!(text, "not in the model, completed with defaults: {}", clip(&completed.join(", "), 500));
    }
    Account { truth, text }
}

/// The declared constants as terms; a name that is declared twice occurs once.
fn constants(case: &Case, pool: &mut Pool) -> Vec<(String, Term)> {
    let funs: Vec<_> = case.declared().filter(|&f| case.pool.fun(f).params.is_empty()).take(60).collect();
    funs.into_iter().map(|f| (pool.fun_name(f).to_owned(), pool.apply(f, &[]))).collect()
}

/// Each assertion and assumption with its label.
fn labels(pool: &Pool, check: &Check) -> Vec<(String, Term)> {
    let asserted = check.assertions.iter().enumerate().map(|(i, &(_, t))| {
        let name = pool.given_name(t).map(|s| format!(" `{}`", pool.names.name(s))).unwrap_or_default();
        (format!("assertion {}{name}", i + 1), t)
    });
    let assumed = check.assumptions.iter().enumerate().map(|(i, &t)| (format!("assumption {}", i + 1), t));
    asserted.chain(assumed).collect()
}

/// At most `limit` characters of `text`, with a mark where it was cut.
pub(super) fn clip(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}…", &text[..at]),
    }
}
