//! Inferences from a candidate model that is not accepted.
//!
//! The value that each extended term has under the strings of its arguments is compared with that of its class. Where
//! they differ, the term is expanded, terms of the lowest level first; a `contains` that should be false is instantiated
//! at the place where the needle was found. With `x` chosen as `"aa"` and `(str.to_int x)` in the class of 7, the
//! expansion of `str.to_int` for length 2 is sent. If no extended term is wrong, arguments of functions that are
//! equal in the candidate model only are decided.

use super::combine::decide_care_pairs;
use super::expand::{expand, expand_all, expansion_level, instantiate};
use super::round::Round;
use super::runs::Runs;
use super::words::{Words, application_to_values, truth_value};
use super::{differ, instances, patterns, products, reals};
use crate::calculus::{Calculus, Stop, stop_if};
use crate::egraph::Node;
use semantics::model::Meaning;
use semantics::regex::RegexStore;
use semantics::strings::Reading;
use semantics::{Evaluator, Model, Satisfaction, Str, Value};
use smt::{Head, Int, Op, Sort, Term};

/// An extended term whose class has another value than the model gives it.
struct Wrong {
    node: Node,
    level: u32,
    /// The place of the needle in a `contains` that should be false, of the match that an `indexof_re` skips.
    occurrence: Option<usize>,
}

/// Stops if an inference follows. Otherwise returns the reason why the search is incomplete. `assertions` are those
/// after preprocessing.
pub(super) fn repair(
    c: &mut Calculus<'_>,
    assertions: &[Term],
    round: &Round,
    words: &Words,
    model: &Model,
) -> Result<String, Stop> {
    products::linearise(c, round)?;
    reals::linearise(c, words)?;
    instances::instantiate(c, model)?;
    patterns::instantiate(c, round, words, false)?;
    let wrong = wrong_terms(c, round, words, model);
    let mut runs = runs_of(c, round, &wrong);
    let mut levels: Vec<u32> = wrong.iter().map(|w| w.level).collect();
    levels.sort_unstable();
    levels.dedup();
    for level in levels {
        let mut sent = false;
        for w in wrong.iter().filter(|w| w.level == level) {
            if let Some(runs) = &mut runs
                && runs.infer(c, w.node)
            {
                sent = true;
                continue;
            }
            sent |= match w.occurrence {
                Some(k) => instantiate(c, w.node, k),
                None => expand(c, w.node),
            };
        }
        stop_if(sent)?;
    }
    patterns::instantiate(c, round, words, true)?;
    differ::separate(c, round, words)?;
    stop_if(decide_care_pairs(c, words))?;
    // An expansion of a term that is right here may still contradict what another part of the model needs.
    expand_all(c, round)?;
    trace_rejection(c, assertions, &wrong, model);
    Ok(match wrong.first() {
        None => "the candidate model was not accepted".to_owned(),
        Some(w) => format!("incomplete for {}", head_name(c, c.term(w.node))),
    })
}

/// What is known of strings along a word, if a wrong term may depend on it.
fn runs_of<'r>(c: &mut Calculus<'_>, round: &'r Round, wrong: &[Wrong]) -> Option<Runs<'r>> {
    let concerned = |w: &Wrong| matches!(c.head(c.term(w.node)), Head::Op(Op::StrContains | Op::StrSubstr));
    if wrong.iter().any(concerned) { Runs::new(c, round) } else { None }
}

/// Extended terms whose class has another value than they have under the model.
fn wrong_terms(c: &mut Calculus<'_>, round: &Round, words: &Words, model: &Model) -> Vec<Wrong> {
    let mut out = Vec::new();
    for &n in &round.extended {
        let Some(claimed) = claimed_value(c, words, n) else { continue };
        let ground = application_to_values(c, words, n);
        let mut e = Evaluator::new(c.terms.pool, model);
        let Ok(actual) = e.eval(ground) else { continue };
        if actual != claimed {
            let occurrence = occurrence(c, n, words, &claimed).or_else(|| skipped(c, n, &claimed, &actual));
            out.push(Wrong { node: n, level: expansion_level(c, n), occurrence });
        }
    }
    out
}

/// The value of the class of a term.
fn claimed_value(c: &mut Calculus<'_>, words: &Words, n: Node) -> Option<Value> {
    let t = c.term(n);
    match c.sort(t) {
        Sort::STRING => words.of_class(c, n).map(|w| Value::Str(Str::concat(&[w]))),
        Sort::INT => Some(Value::Int(c.model_value(t).floor())),
        Sort::BOOL => truth_value(c, n).map(Value::Bool),
        _ => None,
    }
}

/// The place of the needle in a `contains` that should be false.
fn occurrence(c: &Calculus<'_>, n: Node, words: &Words, claimed: &Value) -> Option<usize> {
    if !matches!(c.head(c.term(n)), Head::Op(Op::StrContains)) || *claimed != Value::Bool(false) {
        return None;
    }
    let &[s, u] = c.state.egraph.args(n) else { return None };
    let (s, u) = (words.of(c, s)?, words.of(c, u)?);
    semantics::strings::indexof(s, u, &Int::ZERO, Reading::Standard).to_usize()
}

/// The place of the match that the value of an `indexof_re` skips.
fn skipped(c: &Calculus<'_>, n: Node, claimed: &Value, actual: &Value) -> Option<usize> {
    let (Value::Int(claimed), Value::Int(actual)) = (claimed, actual) else { return None };
    let wanted =
        c.head(c.term(n)) == Head::Op(Op::StrIndexofRe) && (claimed.is_negative() || claimed > actual);
    actual.to_usize().filter(|_| wanted)
}

/// Writes the wrong terms, the rejected model, and the assertions that do not hold to the trace.
fn trace_rejection(c: &mut Calculus<'_>, assertions: &[Term], wrong: &[Wrong], model: &Model) {
    let (terms, state) = (&c.terms, &c.state);
    c.inferences.trace(|| {
        let text: Vec<String> = wrong.iter().map(|w| terms.text(state.egraph.term(w.node))).collect();
        let store = RegexStore::new();
        let mut lines = Vec::new();
        for i in 0..state.egraph.len() {
            let t = state.egraph.term(Node(u32::try_from(i).expect("nodes are numbered by u32")));
            if let Head::Fun(f) = terms.pool.head(t)
                && let Some(Meaning::Value(v)) = model.lookup(terms.pool, f)
            {
                lines.push(format!("                   {} = {}", terms.text(t), v.to_smtlib(&store)));
            }
        }
        let mut e = Evaluator::new(terms.pool, model);
        for &t in assertions {
            let truth = e.truth(t);
            if truth != Satisfaction::Holds {
                lines.push(format!("                   {truth:?}: {}", terms.text(t)));
            }
        }
        lines.sort();
        lines.insert(0, format!("gave up           wrong: {}", text.join(" ")));
        lines
    });
}

fn head_name(c: &Calculus<'_>, t: Term) -> String {
    match c.head(t) {
        Head::Op(op) | Head::Indexed(op, _) => op.row().name.to_owned(),
        _ => c.terms.text(t),
    }
}
