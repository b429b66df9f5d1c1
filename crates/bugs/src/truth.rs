//! The known answers of a script while it shrinks, and the arguments for them.
//!
//! A [`Label`] has an answer for each check of a script. [`Keeper::start`] finds the label of the original, [`Keeper::label`] that of a
//! smaller script, in process; [`Keeper::confirm`] makes sure of it once the failure is known to be there, and [`Keeper::conclude`] looks
//! for further support of the last one.
//!
//! | answer | kept by |
//! |---|---|
//! | `sat` | a model that the referee accepts on the smaller script: the known one, or one found by the built-in solver |
//! | `unsat` | construction: all edits since a labelled script keep it, or a known core is still there |
//! | | agreement: the built-in solver and a second solver of another family than the one under test prove it, and a bounded search finds no model |
//!
//! An answer never changes: a check that was `sat` is `sat` or unknown afterwards. Where the readings of the standard differ on a script, an
//! answer that was proved under both stays so.

mod bounded;
pub mod builtin;
mod keys;
mod label;
mod model;
mod origin;
mod second;
mod start;
#[cfg(test)]
mod tests;

pub use label::{CheckLabel, Label};
pub use second::seconds;
pub use start::Unlabelled;
pub(crate) use start::doubt;

use crate::doc::{Doc, Effect};
use crate::passes::Candidate;
use builtin::Found;
use campaign::clean::listed;
use campaign::finding::Argument;
use campaign::judge::Scope;
use campaign::process::Cancel;
use campaign::profile::{self, Solver};
use model::{Accepted, accept, accept_text};
use second::{Reply, ask, family};
use semantics::{Evaluator, Model, Status, Value};
use smt::Term;
use std::time::Duration;

/// Limits of the work for one label. Work in process is counted, not timed: the same script has the same label on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Ticks of the built-in solver for the original.
    pub start: u64,
    /// Ticks of the built-in solver for a smaller script.
    pub step: u64,
    /// Steps of the bounded search.
    pub search: u64,
    /// The time limit of a second solver for the original and for the last script.
    pub second: Duration,
    /// The time limit of a second solver for a smaller script: most proofs take no time, and each one that is not found takes all of it.
    pub second_step: Duration,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort {
            start: 20_000_000,
            step: 2_000_000,
            search: 4_000,
            second: Duration::from_secs(5),
            second_step: Duration::from_secs(1),
        }
    }
}

/// Keeps the answers of scripts.
#[derive(Clone, Debug)]
pub struct Keeper {
    /// The limits.
    pub effort: Effort,
    /// Solvers of other families than the one under test.
    seconds: Vec<Solver>,
    /// The built-in solver is not the one under test.
    own: bool,
}

/// One check of a script.
struct Work<'a> {
    doc: &'a Doc,
    n: usize,
    /// Its assertions and assumptions.
    terms: Vec<Term>,
    /// The ticks of the built-in solver.
    ticks: u64,
}

impl Keeper {
    /// A keeper that uses these second solvers: see [`seconds`]. Without any, `unsat` is kept by construction only.
    pub fn new(seconds: Vec<Solver>) -> Keeper {
        Keeper { effort: Effort::default(), seconds, own: true }
    }

    /// The keeper for a solver under test; `named` are the second solvers that the user wants.
    pub fn of(subject: &Solver, named: &[String]) -> Result<Keeper, profile::Error> {
        let own = subject.profile.name != "builtin";
        Ok(Keeper { own, ..Keeper::new(seconds(subject, named)?) })
    }

    /// The second solvers.
    pub fn seconds(&self) -> &[Solver] {
        &self.seconds
    }

    /// The label of a script that edits made from `old`, which has the label `parent`; none if no answer is known any more. In process and
    /// quick.
    pub fn label(&self, parent: &Label, old: &Doc, new: &Candidate) -> Option<Label> {
        if start::doubt(&new.doc).is_some() {
            return None;
        }
        let origins = origin::of_checks(old, new);
        let ticks = self.effort.step / origins.len().max(1) as u64;
        let one = |(n, before): (usize, &Option<usize>)| {
            let Some(parent) = before.and_then(|b| parent.checks.get(b)) else {
                return CheckLabel::unknown();
            };
            let work = Work { doc: &new.doc, n, terms: model::terms(&new.doc.script, n), ticks };
            self.carried(&work, parent, old, new)
                .or_else(|| self.derived(&work, parent, new.effect))
                .unwrap_or_else(CheckLabel::unknown)
        };
        Label { checks: origins.iter().enumerate().map(one).collect() }.if_known()
    }

    /// The answer of `parent`, by its model or its core.
    fn carried(
        &self,
        work: &Work<'_>,
        parent: &CheckLabel,
        old: &Doc,
        new: &Candidate,
    ) -> Option<CheckLabel> {
        match &parent.argument {
            Argument::Model { model, source } => {
                let found = accept_text(work.doc, &work.terms, &origin::model(model, old, new)?)?;
                parent.allows(found.scope).then(|| CheckLabel::sat(found.text, source.clone(), found.scope))
            }
            Argument::Construction { .. } | Argument::Agreement { .. } => {
                let keys = keys::of(work.doc, &work.terms);
                let kept = !parent.core.is_empty() && parent.core.iter().all(|k| keys.contains(k));
                kept.then(|| CheckLabel { scope: work.open_scope(), ..parent.clone() })
            }
            Argument::NotNeeded => None,
        }
    }

    /// The answer of `parent`, if it can be shown for a check that replaces it.
    fn derived(&self, work: &Work<'_>, parent: &CheckLabel, effect: Effect) -> Option<CheckLabel> {
        match (parent.status, effect) {
            (Status::Sat, _) => self.model(work, parent),
            (Status::Unsat, Effect::Equivalent | Effect::Stronger) => Some(work.constructed(parent)),
            (Status::Unsat, Effect::Weaker | Effect::Any) => self.proved(work),
            (Status::Unknown, _) => None,
        }
    }

    /// A model by the built-in solver, or one that is close to the known one.
    fn model(&self, work: &Work<'_>, parent: &CheckLabel) -> Option<CheckLabel> {
        let allowed = |found: &Accepted| parent.allows(found.scope);
        if let Some(found) = work.solved().filter(allowed) {
            return Some(CheckLabel::sat(found.text, builtin::name(), found.scope));
        }
        let mut pool = work.doc.pool.clone();
        let known = parent.model().map(|text| work.values(text)).unwrap_or_default();
        let model = bounded::near(&mut pool, &work.terms, &known, self.effort.search)?;
        let found = work.accept(&pool, &model).filter(allowed)?;
        Some(CheckLabel::sat(found.text, "a search among small values".into(), found.scope))
    }

    /// `unsat` by the built-in solver, if there will be a second opinion.
    fn proved(&self, work: &Work<'_>) -> Option<CheckLabel> {
        if self.families() + usize::from(self.own) < 2 {
            return None;
        }
        let proved = matches!(work.solve(), Found::Unsat);
        if self.own && !proved {
            return None;
        }
        let solvers = if self.own { vec![builtin::name()] } else { Vec::new() };
        Some(work.unsat(Argument::Agreement { solvers, bound: String::new() }, true))
    }

    /// The number of independent second solvers.
    fn families(&self) -> usize {
        let mut families: Vec<&str> = self.seconds.iter().map(family).collect();
        families.sort_unstable();
        families.dedup();
        families.len()
    }

    /// Makes sure of a label: asks second solvers where an argument needs it, and searches for models of checks that should have none.
    /// None if no answer is left.
    pub fn confirm(&self, label: Label, doc: &Doc, cancel: &Cancel) -> Option<Label> {
        self.check_again(label, doc, false, cancel)
    }

    /// The same for the last script of a reduction: second solvers are also asked where `unsat` holds by construction, as further support.
    pub fn conclude(&self, label: Label, doc: &Doc, cancel: &Cancel) -> Option<Label> {
        self.check_again(label, doc, true, cancel)
    }

    fn check_again(&self, label: Label, doc: &Doc, last: bool, cancel: &Cancel) -> Option<Label> {
        let ticks =
            if last { self.effort.start } else { self.effort.step } / label.checks.len().max(1) as u64;
        let again = |(n, check): (usize, CheckLabel)| {
            let work = Work { doc, n, terms: model::terms(&doc.script, n), ticks };
            match check.status {
                Status::Unsat => {
                    self.unsat_again(&work, check, last, cancel).unwrap_or_else(CheckLabel::unknown)
                }
                Status::Sat | Status::Unknown => check,
            }
        };
        Label { checks: label.checks.into_iter().enumerate().map(again).collect() }.if_known()
    }

    /// An `unsat` label after another check; none if it has a model, or if too few solvers agree.
    fn unsat_again(
        &self,
        work: &Work<'_>,
        mut check: CheckLabel,
        last: bool,
        cancel: &Cancel,
    ) -> Option<CheckLabel> {
        let found = bounded::search(work.doc, &work.terms, self.effort.search)?;
        let proved = match work.solve() {
            Found::Model(model) if work.accept(&model.0, &model.1).is_some() => return None,
            Found::Unsat => self.own,
            Found::Model(_) | Found::Nothing => false,
        };
        let mut provers: Vec<String> = if proved { vec![builtin::name()] } else { Vec::new() };
        let construction = matches!(check.argument, Argument::Construction { .. });
        if check.pending || (last && construction) {
            provers.extend(self.agreeing(work, last, cancel)?);
        }
        if check.pending {
            return agreed(check, provers, found);
        }
        if let Argument::Construction { agreed, bound, .. } = &mut check.argument
            && last
        {
            (*agreed, *bound) = (provers, found);
        }
        Some(check)
    }

    /// The second solvers that answer `unsat`, one of each family; none if one has a model.
    fn agreeing(&self, work: &Work<'_>, last: bool, cancel: &Cancel) -> Option<Vec<String>> {
        let time = if last { self.effort.second } else { self.effort.second_step };
        let mut agreed: Vec<&Solver> = Vec::new();
        for solver in &self.seconds {
            if agreed.iter().any(|a| family(a) == family(solver)) {
                continue;
            }
            match ask(solver, work.doc, work.n, time, cancel) {
                Reply::Unsat => agreed.push(solver),
                Reply::Sat(_) => return None,
                Reply::Nothing => {}
            }
        }
        Some(agreed.into_iter().map(second::name).collect())
    }

    /// A model (SMT-LIB `define-fun`s) of the assertions with these names and of those without a name at check `n`, from 0: a core that
    /// has a model is no core. Assumptions are part of the core if their text is among the names.
    pub fn core_model(&self, doc: &Doc, n: usize, names: &[String]) -> Option<String> {
        self.core_proof(doc, n, names, &[]).map(|(model, _)| model)
    }

    /// The same, where models that were found before are tried first; with its scope.
    pub(crate) fn core_proof(
        &self,
        doc: &Doc,
        n: usize,
        names: &[String],
        hints: &[String],
    ) -> Option<(String, Option<Scope>)> {
        let check = semantics::referee::check(&doc.script, n)?;
        let pool = &doc.pool;
        let kept = |t: &Term| {
            pool.given_name(*t).is_none_or(|name| names.iter().any(|c| c == pool.names.name(name)))
        };
        let assertions = check.assertions.iter().map(|&(_, t)| t).filter(kept);
        let terms: Vec<Term> = assertions.chain(check.assumptions.iter().copied()).collect();
        if let Some(found) = hints.iter().find_map(|text| accept_text(doc, &terms, text)) {
            return Some((found.text, found.scope));
        }
        let work = Work { doc, n, terms, ticks: self.effort.step };
        let found = self.model(&work, &CheckLabel::unknown())?;
        Some((found.model()?.to_owned(), found.scope))
    }

    /// The models of all assertions but one that the certificate of a script has, as text.
    pub(crate) fn drop_models(&self, doc: &Doc) -> Vec<String> {
        let certificate = semantics::Certificate::of(&doc.pool, &doc.script);
        let assertions: Vec<Term> = doc.script.assertions().collect();
        let one = |name: String| {
            let mut pool = doc.pool.clone();
            let model = certificate.drop_model(&name, &mut pool)?;
            let others = assertions.iter().copied();
            let is = |t: Term| doc.pool.given_name(t).is_some_and(|n| doc.pool.names.name(n) == name);
            let others: Vec<Term> = others.filter(|&t| !is(t)).collect();
            accept(&doc.script, &doc.pool, &pool, &others, &model).map(|found| found.text)
        };
        certificate.core().unwrap_or_default().into_iter().filter_map(one).collect()
    }
}

/// An `unsat` that waited for other solvers; none if too few agree. A construction from an unsettled answer rests on them too.
fn agreed(check: CheckLabel, solvers: Vec<String>, bound: String) -> Option<CheckLabel> {
    if solvers.len() < 2 || bound.is_empty() {
        return None;
    }
    Some(CheckLabel { argument: Argument::Agreement { solvers, bound }, pending: false, ..check })
}

impl CheckLabel {
    /// The answer may be replaced by one that is proved under these readings: not under fewer.
    fn allows(&self, scope: Option<Scope>) -> bool {
        let rank = |scope| match scope {
            None | Some(Scope::Both) => 0,
            Some(Scope::Open) => 1,
            Some(Scope::One) => 2,
        };
        self.status == Status::Unknown || rank(scope) <= rank(self.scope)
    }
}

/// A pool and a model whose terms are in it.
type Modelled = Box<(smt::Pool, Model)>;

impl Work<'_> {
    /// The answer of the built-in solver.
    fn solve(&self) -> Found<Modelled> {
        let mut pool = self.doc.pool.clone();
        match builtin::solve(&mut pool, &self.terms, self.ticks) {
            Found::Model(model) => Found::Model(Box::new((pool, *model))),
            Found::Unsat => Found::Unsat,
            Found::Nothing => Found::Nothing,
        }
    }

    /// The model, whose terms are in `pool`, if the referee accepts it.
    fn accept(&self, pool: &smt::Pool, model: &Model) -> Option<Accepted> {
        accept(&self.doc.script, &self.doc.pool, pool, &self.terms, model)
    }

    /// The model of the built-in solver, if the referee accepts it.
    fn solved(&self) -> Option<Accepted> {
        match self.solve() {
            Found::Model(found) => self.accept(&found.0, &found.1),
            Found::Unsat | Found::Nothing => None,
        }
    }

    /// The values of the constants of a model.
    fn values(&self, text: &str) -> Vec<Value> {
        let mut pool = self.doc.pool.clone();
        let Some(model) = Model::read(text, &mut pool) else { return Vec::new() };
        let funs: Vec<_> = self.doc.script.declared().filter(|f| pool.fun(*f).params.is_empty()).collect();
        let terms: Vec<Term> = funs.into_iter().map(|f| pool.apply(f, &[])).collect();
        let mut e = Evaluator::new(&pool, &model);
        terms.into_iter().filter_map(|t| e.eval(t).ok()).collect()
    }

    /// The scope of an `unsat`: the other reading is never checked.
    fn open_scope(&self) -> Option<Scope> {
        model::readings_differ(&self.doc.pool, &self.terms).then_some(Scope::Open)
    }

    fn unsat(&self, argument: Argument, pending: bool) -> CheckLabel {
        let core = keys::of(self.doc, &self.terms);
        CheckLabel { status: Status::Unsat, argument, scope: self.open_scope(), core, pending }
    }

    /// Unsatisfiable, since its parent is and no model was added.
    fn constructed(&self, parent: &CheckLabel) -> CheckLabel {
        let origin = match &parent.argument {
            Argument::Agreement { solvers, bound } => {
                format!(
                    "{} prove a larger form of it unsatisfiable, and a search finds no model of that form ({bound})",
                    listed(solvers)
                )
            }
            Argument::Construction { origin, .. } => origin.clone(),
            Argument::Model { .. } | Argument::NotNeeded => String::new(),
        };
        let (agreed, bound) = (Vec::new(), String::new());
        let argument = Argument::Construction { origin, agreed, bound };
        CheckLabel { pending: parent.pending, ..self.unsat(argument, false) }
    }
}
