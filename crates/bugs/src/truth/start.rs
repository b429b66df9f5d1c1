//! The label of an original.
//!
//! A status with a certificate is taken as proved: the referee accepts the model, or the file has a core, which only a construction gives, and no
//! model is found. A status without one, in the file or from the user, is a claim, and is checked. Without a claim, the built-in solver and second solvers are asked.

use super::builtin::Found;
use super::model::{accept_text, terms};
use super::second::{Reply, ask};
use super::{Argument, CheckLabel, Keeper, Label, Work, builtin, keys, second};
use crate::doc::Doc;
use campaign::process::Cancel;
use rustc_hash::FxHashSet;
use semantics::{Certificate, Instance, Status, Truth, ambiguity};
use smt::Command;

/// Why the answers of a script are not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unlabelled(pub String);

/// Who claims an answer that has no proof.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Claim {
    None,
    File(Status),
    User(Status),
}

impl Keeper {
    /// The label of an original: by its certificate, by `expect` (the claim of the user, which is checked as far as possible), or by the
    /// built-in solver and second solvers.
    pub fn start(&self, doc: &Doc, expect: Option<Status>, cancel: &Cancel) -> Result<Label, Unlabelled> {
        if let Some(doubt) = doubt(doc) {
            return Err(Unlabelled(doubt));
        }
        let certificate = Certificate::of(&doc.pool, &doc.script);
        if let Some(command) = certificate.unsupported.first() {
            return Err(Unlabelled(format!(
                "the command `{command}` is not understood, so no answer is known"
            )));
        }
        let count = certificate.queries.len();
        if expect.is_some() && count > 1 {
            let text =
                format!("the script has {count} checks; give each its `:status` in the script instead");
            return Err(Unlabelled(text));
        }
        let mut checks = Vec::with_capacity(count);
        let mut why = String::new();
        for (n, query) in certificate.queries.iter().enumerate() {
            let ticks = self.effort.start / count as u64;
            let work = Work { doc, n, terms: terms(&doc.script, n), ticks };
            let claim = match (expect, query.status) {
                (Some(status), _) => Claim::User(status),
                (None, Status::Unknown) => Claim::None,
                (None, status) => Claim::File(status),
            };
            let proved = if count == 1 { self.certified(&work, claim, cancel) } else { None };
            let label = proved.map_or_else(|| self.claimed(&work, claim, cancel), Ok);
            checks.push(label.unwrap_or_else(|e| {
                why = e;
                CheckLabel::unknown()
            }));
        }
        Label { checks }.if_known().ok_or(Unlabelled(why))
    }

    /// The answer by the certificate of a script with one check, if nothing refutes it.
    fn certified(&self, work: &Work<'_>, claim: Claim, cancel: &Cancel) -> Option<CheckLabel> {
        let label = work.certified(claim)?;
        match label.status {
            Status::Unsat => self.unsat_again(work, label, false, cancel),
            Status::Sat | Status::Unknown => Some(label),
        }
    }

    /// The answer that can be shown for a check; the error is the reason why there is none, or why it is not the one that was claimed.
    fn claimed(&self, work: &Work<'_>, claim: Claim, cancel: &Cancel) -> Result<CheckLabel, String> {
        let found = self.found(work, cancel);
        match (claim, found.as_ref().map(|c| c.status)) {
            (Claim::User(Status::Unsat), Some(Status::Sat)) => {
                Err("it is satisfiable, not unsat as expected: the referee accepts a model".into())
            }
            (Claim::User(Status::Sat), Some(Status::Unsat)) => {
                Err("it is unsatisfiable, not sat as expected, according to two solvers".into())
            }
            (Claim::User(Status::Unsat), None) => Ok(work.stated()),
            (Claim::File(Status::Unsat), None) => Err(
                "the script states `unsat` without a proof, and it could not be checked; `--expect unsat` takes it as given".into(),
            ),
            (Claim::User(Status::Sat) | Claim::File(Status::Sat), None) => {
                Err("no model was found, and `sat` without a model cannot be kept".into())
            }
            (_, None) => Err(self.unknown(work)),
            (_, Some(_)) => Ok(found.expect("it is some")),
        }
    }

    /// Why no answer is known.
    fn unknown(&self, work: &Work<'_>) -> String {
        if self.own && matches!(work.solve(), Found::Unsat) {
            return format!(
                "the answer is not known: {} proves it unsatisfiable, but no second solver does; `--expect unsat` takes it as given",
                builtin::name()
            );
        }
        "the answer is not known: no solver finds a model or, together with another one, a proof".into()
    }

    /// The answer by the built-in solver and second solvers.
    fn found(&self, work: &Work<'_>, cancel: &Cancel) -> Option<CheckLabel> {
        if let Some(model) = work.solved() {
            return Some(CheckLabel::sat(model.text, builtin::name(), model.scope));
        }
        self.model_of_second(work, cancel).or_else(|| {
            let pending = Argument::Agreement { solvers: Vec::new(), bound: String::new() };
            self.unsat_again(work, work.unsat(pending, true), false, cancel)
        })
    }

    /// A model of a second solver that the referee accepts.
    fn model_of_second(&self, work: &Work<'_>, cancel: &Cancel) -> Option<CheckLabel> {
        self.seconds.iter().find_map(|solver| {
            match ask(solver, work.doc, work.n, self.effort.second, cancel) {
                Reply::Sat(Some(model)) => {
                    let model = accept_text(work.doc, &work.terms, &model.text)?;
                    Some(CheckLabel::sat(model.text, second::name(solver), model.scope))
                }
                Reply::Sat(None) | Reply::Unsat | Reply::Nothing => None,
            }
        })
    }
}

impl Work<'_> {
    /// The answer by the certificate of a script with one check.
    fn certified(&self, claim: Claim) -> Option<CheckLabel> {
        let instance = Instance::from_script(self.doc.pool.clone(), self.doc.script.clone(), false);
        let label = match &instance.truth {
            Truth::Sat(model) => {
                let found = self.accept(&instance.pool, model)?;
                CheckLabel::sat(found.text, "the certificate of the script".into(), found.scope)
            }
            Truth::Unsat(core) if !core.is_empty() => self.built(&instance, core),
            Truth::Unsat(_) | Truth::Unknown => return None,
        };
        let contradicts = matches!(claim, Claim::User(status) if status != label.status);
        (!contradicts).then_some(label)
    }

    /// Unsatisfiable by the construction of a generator, with its core.
    fn built(&self, instance: &Instance, core: &[usize]) -> CheckLabel {
        let origin = match instance.info(":stringent-recipe") {
            Some(recipe) => format!("the original was built to be so ({recipe})"),
            None => "the original has a certificate with its core".into(),
        };
        let assertions: Vec<_> = instance.script.assertions().collect();
        let core: Vec<_> = core.iter().map(|&i| assertions[i]).collect();
        CheckLabel { core: keys::of(self.doc, &core), ..self.unsat(construction(origin), false) }
    }

    /// Unsatisfiable as the user states.
    fn stated(&self) -> CheckLabel {
        self.unsat(
            construction("the user states that the original is so, which was not checked".into()),
            false,
        )
    }
}

fn construction(origin: String) -> Argument {
    Argument::Construction { origin, agreed: Vec::new(), bound: String::new() }
}

/// Why the meaning of a script is in doubt, if it is: a name is declared twice, and solvers differ in the meaning of that.
pub(crate) fn doubt(doc: &Doc) -> Option<String> {
    let mut seen = FxHashSet::default();
    let names = doc.script.commands().filter_map(|c| match c {
        Command::DeclareConst(f)
        | Command::DeclareFun(f)
        | Command::DefineFun(f)
        | Command::DefineConst(f) => Some(doc.pool.fun(*f).name),
        _ => None,
    });
    if names.into_iter().all(|name| seen.insert(name)) {
        return None;
    }
    let parsed = smt::parse(doc.to_text().as_bytes(), None, &mut smt::Pool::new());
    ambiguity::redeclaration(&parsed.diagnostics)
}
