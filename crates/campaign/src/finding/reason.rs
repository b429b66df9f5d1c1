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
use smt::diag::{Diagnostic, Severity};
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
    /// The sentence was checked: a model was evaluated, or there is an argument that covers it. False if it only says that
    /// something is missing.
    pub proved: bool,
    /// The values of the constants in the model that proves it, in SMT-LIB.
    pub values: Vec<(String, String)>,
    /// The same as SMT-LIB: `(define-fun x () String "a")`.
    pub definitions: Vec<String>,
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

    /// The reason why the answer of the formula itself is known, whatever the solver does: that it is satisfiable, or that it is not. None
    /// if it is not known, or not needed.
    pub fn of_answer(f: &Finding) -> Option<(Answer, Reason)> {
        let (answer, reason) = match &f.reduced.argument {
            Argument::Model { .. } => (Answer::Sat, satisfiable(f)),
            Argument::Construction { .. } | Argument::Agreement { .. } => (Answer::Unsat, unsatisfiable(f)),
            Argument::NotNeeded => return None,
        };
        reason.proved.then_some((answer, reason))
    }

    /// A sentence that was checked.
    fn shown(sentence: impl Into<String>) -> Reason {
        Reason { proved: true, ..Reason::missing(sentence) }
    }

    /// A sentence about what is missing.
    fn missing(sentence: impl Into<String>) -> Reason {
        Reason { sentence: sentence.into(), ..Reason::default() }
    }

    /// The values as assertions: with them, the formula has only this model. Empty unless they are of all constants.
    pub fn pins(&self) -> Vec<String> {
        let pin =
            |(name, value): &(String, String)| format!("(assert (= {} {value}))", smt::symbol::quote(name));
        if self.assertable { self.values.iter().map(pin).collect() } else { Vec::new() }
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
        return Reason::missing("No model is recorded here that shows the formula to be satisfiable.");
    };
    let found = Parsed::of(f).and_then(|mut parsed| {
        let check = parsed.check(f)?;
        let model = read_model(model, &mut parsed.pool)?;
        parsed.satisfied(&model, &check)
    });
    match found {
        None => Reason::missing("The recorded model could not be evaluated."),
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
        Argument::Construction { origin, agreed, bound } if is_unchecked(origin) => match &agreed[..] {
            [] => Reason::missing(format!("No proof is recorded here: {}.", sentence_part(origin))),
            _ => Reason::shown(format!("{}{}", agreement(agreed).trim_start(), search(bound))),
        },
        Argument::Construction { origin, agreed, bound } => Reason::shown(format!(
            "The formula is unsatisfiable by construction: {}{}.{}{}",
            sentence_part(origin),
            if f.reduced.runs > 0 { ", and each step of the reduction keeps it so" } else { "" },
            agreement(agreed),
            search(bound)
        )),
        Argument::Agreement { solvers, bound } if !solvers.is_empty() => {
            Reason::shown(format!("{}{}", agreement(solvers).trim_start(), search(bound)))
        }
        Argument::Agreement { .. } | Argument::Model { .. } | Argument::NotNeeded => {
            Reason::missing("No argument is recorded here that shows the formula to be unsatisfiable.")
        }
    };
    reason.notes = false_assertion(f);
    reason
}

/// The origin is only a statement of the user.
fn is_unchecked(origin: &str) -> bool {
    origin.contains("not checked")
}

/// The solvers that prove a formula unsatisfiable.
fn agreement(solvers: &[String]) -> String {
    let mut all: Vec<&String> = solvers.iter().collect();
    all.sort_by_key(|name| is_own(name));
    let named = |name: &&String| match is_own(name) {
        true => format!("the built-in solver of {}", one_line(name)),
        false => one_line(name),
    };
    match &all[..] {
        [] => String::new(),
        [one] if is_own(one) => format!(" The built-in solver of {} answers unsat.", one_line(one)),
        [one] => format!(" {} answers unsat.", one_line(one)),
        all => format!(" {} answer unsat.", listed(all.iter().map(named))),
    }
}

/// It is the solver of this program.
fn is_own(name: &str) -> bool {
    name.starts_with("stringent ")
}

/// The search for a model.
fn search(bound: &str) -> String {
    let bound = sentence_part(bound);
    if bound.is_empty() { bound } else { format!(" A search for a model finds none: {bound}.") }
}

fn falsified(f: &Finding) -> Reason {
    let notes = false_assertion(f);
    match notes.first().and_then(|line| line.split_once(" is false")) {
        Some((label, _)) => {
            let sentence = format!("The model does not satisfy the formula: {label} is false under it.");
            Reason { notes, ..Reason::shown(sentence) }
        }
        None => Reason::missing("Which assertion is false under the model is not recorded here."),
    }
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

/// A model of a core: one that the certificate has for an assertion that the core lacks, or the one of the verdict. Also the number of assertions that must hold, with
/// those that have no name and are part of every core.
fn model_of_core(f: &Finding, names: &[String]) -> Option<(Reason, usize)> {
    let mut parsed = Parsed::of(f)?;
    let check = parsed.part(&parsed.check(f)?, names);
    let certificate = Certificate::of(&parsed.pool, &parsed.script);
    let members = certificate.core().unwrap_or_default();
    let missing = members.iter().filter(|m| !names.contains(m));
    let mut models: Vec<Model> =
        missing.filter_map(|member| certificate.drop_model(member, &mut parsed.pool)).collect();
    let printed =
        f.observed.evidence.lines().filter(|line| line.starts_with("((define-fun") || *line == "()");
    models.extend(printed.filter_map(|line| read_model(line, &mut parsed.pool)));
    let count = check.assertions.len() + check.assumptions.len();
    Some((models.iter().find_map(|model| parsed.satisfied(model, &check))?, count))
}

fn core(f: &Finding) -> Reason {
    let names = f.observed.core.clone().unwrap_or_default();
    let found = f.observed.core.as_deref().and_then(|names| model_of_core(f, names));
    let shown: Vec<_> = names.iter().map(|n| smt::symbol::quote(n).into_owned()).collect();
    let shown = one_line(&shown.join(" "));
    match found {
        Some((_, 0)) => Reason::shown("The unsat core is empty, so that every model satisfies it."),
        Some((reason, count)) => {
            let unnamed = if count > names.len() { ", and those without a name," } else { "" };
            let so = if reason.values.is_empty() { "are true" } else { "hold under this model" };
            let sentence = format!("The unsat core ({shown}) is satisfiable: its assertions{unnamed} {so}.");
            Reason { sentence, ..reason }
        }
        None => Reason {
            notes: f.observed.evidence.lines().take(MAX_TRACE).map(one_line).collect(),
            ..Reason::missing("No model of the unsat core is recorded here that could be evaluated again.")
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
    Reason { notes: notes.lines().take(MAX_TRACE).map(one_line).collect(), ..Reason::shown(sentence) }
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
    /// None if a part of it cannot be read.
    fn of(f: &Finding) -> Option<Parsed> {
        let mut pool = Pool::new();
        pool.read_datatypes();
        let parsed = smt::parse(f.reduced.script.as_bytes(), None, &mut pool);
        let is_error = |d: &Diagnostic| d.severity == Severity::Error;
        (!parsed.diagnostics.iter().any(is_error)).then_some(Parsed { pool, script: parsed.script })
    }

    /// The assertions in force at the check of the finding.
    fn check(&self, f: &Finding) -> Option<Check> {
        referee::check(&self.script, f.observed.check.saturating_sub(1))
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
        let constants: Vec<(String, String, Term)> = (constants.into_iter())
            .map(|(name, f)| (name, self.pool.sort_text(self.pool.fun(f).ret), self.pool.apply(f, &[])))
            .collect();
        let config = Config { steps: 20_000_000, regex_budget: 20_000_000, ..Config::default() };
        let mut e = Evaluator::with(&self.pool, model, config, RegexStore::new());
        if Judgement::of(check, &mut e).overall() != Satisfaction::Holds {
            return None;
        }
        let mut found = Reason { proved: true, ..Reason::default() };
        for (name, sort, t) in constants {
            let Ok(value) = e.eval(t) else { continue };
            let value = value.to_smtlib(e.store());
            let quoted = smt::symbol::quote(&name);
            found.definitions.push(format!("(define-fun {quoted} () {sort} {value})"));
            found.values.push((name, value));
        }
        found.assertable = found.values.len() == funs.len();
        found.trace = trace(&mut e, check);
        Some(found)
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
