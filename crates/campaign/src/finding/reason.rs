//! Why the answer of a finding is wrong, in plain words.
//!
//! Models are evaluated again here: a sentence says that a formula is satisfiable only if every assertion holds under the values
//! that are shown with it. What was not checked is not said.

use super::{Argument, Finding};
use crate::clean::{listed, one_line, time};
use crate::outcome::{Answer, Kind};
use rustc_hash::FxHashSet;
use semantics::referee::{self, Check, Judgement};
use semantics::regex::RegexStore;
use semantics::{Certificate, Config, Evaluator, Model, Satisfaction, explain};
use smt::{Pool, Script, Term};
use std::time::Duration;

/// Maximum number of lines of the evaluation of one assertion.
const MAX_LINES: usize = 12;
/// Maximum number of lines of all of it.
const MAX_TRACE: usize = 30;
/// Maximum number of characters of a value or a term.
const MAX_TEXT: usize = 400;

/// Why an answer is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reason {
    /// A sentence or two.
    pub sentence: String,
    /// The values of the constants in the model that proves it, in SMT-LIB.
    pub values: Vec<(String, String)>,
    /// The evaluation under these values: subterms with their values.
    pub trace: Vec<Step>,
    /// Lines of the verdict that are shown as they are.
    pub notes: Vec<String>,
    /// The values are of all constants, complete and in full: they can be asserted.
    pub assertable: bool,
}

/// A line of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The depth below an assertion.
    pub depth: usize,
    /// The subterm.
    pub term: String,
    /// Its value.
    pub value: String,
}

impl Reason {
    /// The reason for a finding.
    pub fn of(f: &Finding) -> Reason {
        match f.kind {
            Kind::WrongUnsat => satisfiable(f),
            Kind::WrongSat | Kind::OverApproximation => unsatisfiable(f),
            Kind::InvalidModel => falsified(f),
            Kind::UnsoundCore => core(f),
            _ => plain(f),
        }
    }

    fn said(sentence: impl Into<String>) -> Reason {
        Reason { sentence: sentence.into(), ..Reason::default() }
    }

    /// The evaluation as lines of text, values aligned.
    pub fn trace_text(&self) -> String {
        let head = |s: &Step| format!("{}{}", "  ".repeat(s.depth.min(20)), s.term);
        let width =
            self.trace.iter().map(|s| head(s).chars().count()).filter(|w| *w <= 76).max().unwrap_or(0);
        let line = |s: &Step| format!("{:width$}  is  {}\n", head(s), s.value);
        self.trace.iter().map(line).collect()
    }
}

fn satisfiable(f: &Finding) -> Reason {
    let Argument::Model { model, .. } = &f.reduced.argument else {
        return Reason::said("No model is recorded here that shows the formula to be satisfiable.");
    };
    let mut parsed = Parsed::of(f);
    let check = parsed.check(f);
    let found = read_model(model, &mut parsed.pool).and_then(|m| parsed.satisfied(&m, &check));
    match found {
        None => Reason::said("The recorded model could not be evaluated."),
        Some(reason) if reason.values.is_empty() => {
            Reason { sentence: "The formula has no constants and is true.".into(), ..reason }
        }
        Some(reason) => {
            let sentence = "The formula is satisfiable: every assertion holds under this model.";
            Reason { sentence: sentence.into(), ..reason }
        }
    }
}

fn unsatisfiable(f: &Finding) -> Reason {
    let mut reason = match &f.reduced.argument {
        Argument::Construction { origin, agreed, bound } => Reason::said(format!(
            "The formula is unsatisfiable by construction: {}.{}{}",
            sentence_part(origin),
            agreement(agreed),
            search(bound)
        )),
        Argument::Agreement { solvers, bound } => {
            Reason::said(format!("{}{}", agreement(solvers).trim_start(), search(bound)))
        }
        Argument::Model { .. } | Argument::NotNeeded => {
            Reason::said("No argument is recorded here that shows the formula to be unsatisfiable.")
        }
    };
    reason.notes = false_assertion(f);
    reason
}

/// The solvers that prove a formula unsatisfiable.
fn agreement(solvers: &[String]) -> String {
    match solvers {
        [] => String::new(),
        [one] => format!(" {} answers unsat.", one_line(one)),
        all => format!(" {} answer unsat.", listed(all.iter().map(|s| one_line(s)))),
    }
}

/// The search for a model.
fn search(bound: &str) -> String {
    let bound = sentence_part(bound);
    if bound.is_empty() { bound } else { format!(" A search for a model finds none: {bound}.") }
}

fn falsified(f: &Finding) -> Reason {
    let notes = false_assertion(f);
    let sentence = match notes.first().and_then(|line| line.split_once(" is false")) {
        Some((label, _)) => format!("The model does not satisfy the formula: {label} is false under it."),
        None => "The model does not satisfy the formula.".into(),
    };
    Reason { notes, ..Reason::said(sentence) }
}

/// The lines of the verdict about an assertion that is false under the printed model.
fn false_assertion(f: &Finding) -> Vec<String> {
    let lines = f
        .observed
        .evidence
        .lines()
        .map(|l| l.split_once(": ").filter(|(h, _)| h.starts_with("check-sat ")).map_or(l, |(_, r)| r));
    let from = lines.skip_while(|l| !l.trim_end().ends_with(" is false:"));
    let is_part = |l: &&str| l.ends_with(" is false:") || l.starts_with(' ') || l.starts_with("model: ");
    from.take_while(is_part).take(MAX_TRACE).map(one_line).collect()
}

fn core(f: &Finding) -> Reason {
    let names = f.observed.core.clone().unwrap_or_default();
    let mut parsed = Parsed::of(f);
    let check = parsed.part(&parsed.check(f), &names);
    let certificate = Certificate::of(&parsed.pool, &parsed.script);
    let members = certificate.core().unwrap_or_default();
    let found = members.iter().filter(|m| !names.contains(m)).find_map(|member| {
        let model = certificate.drop_model(member, &mut parsed.pool)?;
        parsed.satisfied(&model, &check)
    });
    let shown: Vec<_> = names.iter().map(|n| smt::symbol::quote(n).into_owned()).collect();
    let shown = one_line(&shown.join(" "));
    match found {
        Some(reason) => Reason {
            sentence: format!(
                "The unsat core ({shown}) is satisfiable: its assertions hold under this model."
            ),
            ..reason
        },
        None => Reason {
            notes: f.observed.evidence.lines().take(MAX_TRACE).map(one_line).collect(),
            ..Reason::said("The unsat core is satisfiable.")
        },
    }
}

fn plain(f: &Finding) -> Reason {
    let o = &f.observed;
    let took = time(Duration::from_secs_f64(o.seconds.clamp(0.0, 1e9)));
    let sentence = match f.kind {
        Kind::Crash => format!("The process ends without an answer ({}).", one_line(&o.ending)),
        Kind::CrashAfterAnswer => {
            format!("The process answers {}, then fails ({}).", o.answer, one_line(&o.ending))
        }
        Kind::OutOfMemory => "The process runs out of memory.".into(),
        Kind::WallTime | Kind::CpuTime | Kind::OwnLimit => format!("There is no answer after {took}."),
        Kind::Unknown => "The answer is unknown.".into(),
        Kind::ForeignCore => "The unsat core names something that was not asserted.".into(),
        Kind::ImpreciseCore => "The unsat core is not minimal.".into(),
        Kind::Rejected | Kind::Unsupported => "The solver rejects a well-sorted script.".into(),
        Kind::Message => "The solver prints an error in place of an answer.".into(),
        _ if o.answer == Answer::None => "There is no answer.".into(),
        _ => format!("The answer is {}.", o.answer),
    };
    let notes = if f.kind.is_unsound() || f.kind == Kind::ImpreciseCore { &o.evidence } else { "" };
    Reason { notes: notes.lines().take(MAX_TRACE).map(one_line).collect(), ..Reason::said(sentence) }
}

/// A text as a part of a sentence: one line, without a full stop.
fn sentence_part(text: &str) -> String {
    one_line(text.trim().trim_end_matches('.'))
}

/// A model as `define-fun`s, with or without brackets around them, or as a list of values.
fn read_model(text: &str, pool: &mut Pool) -> Option<Model> {
    let text = text.trim();
    match text.starts_with("(define-fun") {
        true => Model::read(&format!("({text})"), pool),
        false => Model::read(text, pool),
    }
}

/// The reduced script, read.
struct Parsed {
    pool: Pool,
    script: Script,
}

impl Parsed {
    fn of(f: &Finding) -> Parsed {
        let mut pool = Pool::new();
        let script = smt::parse(f.reduced.script.as_bytes(), None, &mut pool).script;
        Parsed { pool, script }
    }

    /// The assertions in force at the check of the finding.
    fn check(&self, f: &Finding) -> Check {
        referee::check(&self.script, f.observed.check.saturating_sub(1)).unwrap_or_default()
    }

    /// The assertions with these names, and those without a name.
    fn part(&self, check: &Check, names: &[String]) -> Check {
        let kept = |t: Term| match self.pool.given_name(t) {
            Some(name) => names.iter().any(|n| n == self.pool.names.name(name)),
            None => true,
        };
        let assertions = check.assertions.iter().copied().filter(|&(_, t)| kept(t)).collect();
        Check { assertions, assumptions: check.assumptions.clone(), command: check.command }
    }

    /// The values and the evaluation, if all of `check` holds under `model`.
    fn satisfied(&mut self, model: &Model, check: &Check) -> Option<Reason> {
        let funs: Vec<_> = self.script.declared().collect();
        let mut seen = FxHashSet::default();
        let constants: Vec<(String, smt::Fun)> = (funs.iter())
            .filter(|&&f| self.pool.fun(f).params.is_empty())
            .map(|&f| (self.pool.fun_name(f).to_owned(), f))
            .filter(|(name, _)| seen.insert(name.clone()))
            .collect();
        let constants: Vec<(String, Term)> =
            constants.into_iter().map(|(name, f)| (name, self.pool.apply(f, &[]))).collect();
        let config = Config { steps: 20_000_000, regex_budget: 20_000_000, ..Config::default() };
        let mut e = Evaluator::with(&self.pool, model, config, RegexStore::new());
        if Judgement::of(check, &mut e).overall() != Satisfaction::Holds {
            return None;
        }
        let values: Vec<(String, String)> = (constants.into_iter())
            .filter_map(|(name, t)| Some((name, e.eval(t).ok()?.to_smtlib(e.store()))))
            .collect();
        let assertable = values.len() == funs.len();
        Some(Reason { trace: trace(&mut e, check), values, assertable, ..Reason::default() })
    }
}

/// The evaluation of each assertion, without constants and repeated terms.
fn trace(e: &mut Evaluator<'_>, check: &Check) -> Vec<Step> {
    let mut seen = FxHashSet::default();
    let mut out = Vec::new();
    let asserted = check.assertions.iter().map(|&(_, t)| t).chain(check.assumptions.iter().copied());
    for t in asserted {
        let t = e.pool().strip(t);
        for line in explain::lines(e, t, MAX_LINES) {
            let Ok(value) = line.value else { continue };
            if out.len() < MAX_TRACE && (line.term.starts_with('(') && seen.insert(line.term.clone())) {
                let short = |text: &str| one_line(&explain::shorten(text, MAX_TEXT));
                out.push(Step { depth: line.depth, term: short(&line.term), value: short(&value) });
            }
        }
    }
    out
}
