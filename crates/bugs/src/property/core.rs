//! An unsat core that is none: it has a model, or names something that was not asserted.
//!
//! The model is one that refuted the core of the original, or one that the built-in solver finds; the referee accepts it. A core of all
//! assertions is not judged: if it has a model, the answer is wrong.

use super::fails::Failure;
use super::model::rank;
use super::run::{Run, Runner};
use crate::doc::Doc;
use crate::truth::{Keeper, Label};
use campaign::finding::Observed;
use campaign::judge::{Judged, Response, Scope, responses};
use campaign::outcome::{Answer, CoreCheck, Kind};
use semantics::Status;
use smt::symbol::quote;

/// The line of the evidence before the model of a core.
const SATISFIED: &str = "this model satisfies every assertion of it";

/// The model of a core in the evidence against it.
pub(crate) fn model_of(evidence: &str) -> Option<&str> {
    evidence.split_once(SATISFIED).map(|(_, model)| model.trim_start())
}

/// A core that has a model, or one with a foreign name.
pub(super) struct BadCore {
    /// [`Kind::UnsoundCore`] or [`Kind::ForeignCore`].
    kind: Kind,
    keeper: Keeper,
    /// Models that refute cores of the original.
    hints: Vec<String>,
    /// Whether the core of the original has a model under the other reading too.
    scope: Option<Scope>,
    needs_truth: bool,
}

/// A core that was refuted.
pub(super) struct Refuted {
    observed: Observed,
    model: String,
    scope: Option<Scope>,
}

impl BadCore {
    /// The failure in a run on the original, if it has one. `hints` are models of parts of it.
    pub(super) fn of(
        run: &Run,
        runner: &Runner,
        doc: &Doc,
        label: &Label,
        keeper: &Keeper,
        hints: Vec<String>,
    ) -> Option<BadCore> {
        // The truth is kept if it is known, so that a wrong core does not become a wrong answer.
        let needs_truth = label.checks.iter().any(|c| c.status == Status::Unsat);
        let mut found = BadCore {
            kind: Kind::ForeignCore,
            keeper: keeper.clone(),
            hints,
            scope: Some(Scope::One),
            needs_truth,
        };
        if found.foreign(run).is_some() {
            return Some(found);
        }
        let refuted = found.refuted(runner, run, doc, label)?;
        found.kind = Kind::UnsoundCore;
        found.hints.insert(0, refuted.model);
        found.scope = refuted.scope;
        Some(found)
    }

    fn foreign(&self, run: &Run) -> Option<Observed> {
        let observed = run.find(|f| f.core == CoreCheck::Foreign)?;
        Some(Observed { kind: Kind::ForeignCore, ..observed })
    }

    fn refuted(&self, runner: &Runner, run: &Run, doc: &Doc, label: &Label) -> Option<Refuted> {
        let mut pool = run.case.pool.clone();
        let all = responses(&run.case, &runner.solver.profile, &run.ended.stdout, &mut pool).ok()?;
        all.iter().enumerate().find_map(|(n, response)| {
            let judged = run.findings.iter().find(|f| f.check == n + 1)?;
            if label.check(n).status == Status::Sat {
                return None;
            }
            self.refute(run, judged, doc, n, response)
        })
    }

    /// The model of the core that check `n` printed.
    fn refute(
        &self,
        run: &Run,
        judged: &Judged,
        doc: &Doc,
        n: usize,
        response: &Response,
    ) -> Option<Refuted> {
        let core = response.core.as_ref().filter(|_| response.answer == Answer::Unsat)?;
        if judged.core == CoreCheck::Foreign || names_all(doc, n, core) {
            return None;
        }
        let (model, scope) = self.keeper.core_proof(doc, n, core, &self.hints)?;
        let names: Vec<_> = core.iter().map(|name| quote(name)).collect();
        let evidence = format!("core: ({})\n{SATISFIED}\n{model}", names.join(" "));
        let observed =
            Observed { kind: Kind::UnsoundCore, evidence, core: Some(core.clone()), ..run.observed(judged) };
        Some(Refuted { observed, model, scope })
    }
}

/// The core has all assertions with names.
fn names_all(doc: &Doc, n: usize, core: &[String]) -> bool {
    let check = semantics::referee::check(&doc.script, n).unwrap_or_default();
    let mut named = check.assertions.iter().filter_map(|&(_, t)| doc.pool.given_name(t));
    named.all(|name| core.iter().any(|c| c == doc.pool.names.name(name)))
}

impl Failure for BadCore {
    fn describe(&self) -> String {
        match self.kind {
            Kind::ForeignCore => "prints an unsat core with a name that was not asserted".into(),
            _ => "prints an unsat core that is satisfiable".into(),
        }
    }

    fn needs_truth(&self) -> bool {
        self.needs_truth
    }

    fn found(&self, runner: &Runner, run: &Run, doc: &Doc, label: &Label) -> Option<Observed> {
        if self.kind == Kind::ForeignCore {
            return self.foreign(run);
        }
        let refuted = self.refuted(runner, run, doc, label)?;
        (rank(refuted.scope) <= rank(self.scope)).then_some(refuted.observed)
    }
}
