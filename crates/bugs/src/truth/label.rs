//! Labels: the known answers of a script, one for each check.

use crate::doc::Doc;
use campaign::finding::Argument;
use campaign::judge::Scope;
use semantics::certificate::{STATUS, has_one_check};
use semantics::referee::check_count;
use semantics::{Model, Status, Truth};
use smt::{Command, Dialect, Script};

/// The known answers of a script, one for each check; the end of a script without a check counts as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// By check.
    pub checks: Vec<CheckLabel>,
}

/// The known answer of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckLabel {
    /// The answer.
    pub status: Status,
    /// Why it is that; [`Argument::NotNeeded`] if it is not known.
    pub argument: Argument,
    /// Whether it is the answer under the other reading of the standard too; none if readings do not differ on the script.
    pub scope: Option<Scope>,
    /// Assertions that are unsatisfiable together, by their [keys](super::keys).
    pub(super) core: Vec<String>,
    /// A second solver must still agree: see [`Keeper::confirm`](super::Keeper::confirm).
    pub(super) pending: bool,
}

impl CheckLabel {
    /// Nothing is known.
    pub fn unknown() -> CheckLabel {
        let (argument, core) = (Argument::NotNeeded, Vec::new());
        CheckLabel { status: Status::Unknown, argument, scope: None, core, pending: false }
    }

    /// Satisfiable, by a model.
    pub(super) fn sat(model: String, source: String, scope: Option<Scope>) -> CheckLabel {
        let argument = Argument::Model { model, source };
        CheckLabel { status: Status::Sat, argument, scope, ..CheckLabel::unknown() }
    }

    /// The model, if it is satisfiable.
    pub fn model(&self) -> Option<&str> {
        match &self.argument {
            Argument::Model { model, .. } => Some(model),
            Argument::Construction { .. } | Argument::Agreement { .. } | Argument::NotNeeded => None,
        }
    }
}

impl Label {
    /// The label of a script whose answers do not matter.
    pub fn not_needed(doc: &Doc) -> Label {
        Label { checks: vec![CheckLabel::unknown(); check_count(&doc.script)] }
    }

    /// The label of check `n`, from 0; unknown if there is no such check.
    pub fn check(&self, n: usize) -> CheckLabel {
        self.checks.get(n).cloned().unwrap_or_else(CheckLabel::unknown)
    }

    /// The answers alone.
    pub fn statuses(&self) -> Vec<Status> {
        self.checks.iter().map(|c| c.status).collect()
    }

    /// The answer of a check is known.
    pub fn is_known(&self) -> bool {
        self.checks.iter().any(|c| c.status != Status::Unknown)
    }

    /// The label, if an answer is known.
    pub(super) fn if_known(self) -> Option<Label> {
        self.is_known().then_some(self)
    }

    /// The script with its certificate as `set-info`, as `campaign` reads it: the status of each check, and the model of the only one.
    pub fn text(&self, doc: &Doc) -> String {
        if has_one_check(&doc.script) { self.single(doc) } else { self.session(doc) }
    }

    fn single(&self, doc: &Doc) -> String {
        let label = self.check(0);
        let mut instance = doc.with_truth(Truth::Unknown);
        instance.truth = match (label.status, label.model()) {
            (Status::Sat, Some(model)) => match Model::read(model, &mut instance.pool) {
                Some(model) => Truth::Sat(Box::new(model)),
                None => Truth::Unknown,
            },
            (Status::Unsat, _) => Truth::Unsat(Vec::new()),
            (Status::Sat | Status::Unknown, _) => Truth::Unknown,
        };
        instance.to_text("")
    }

    /// A script with several checks has a status before each.
    fn session(&self, doc: &Doc) -> String {
        let mut pool = doc.pool.clone();
        let status = pool.names.intern(STATUS);
        let mut script = Script { entries: Vec::new(), dialect: doc.script.dialect };
        let mut labels = self.checks.iter();
        for entry in &doc.script.entries {
            match &entry.command {
                Command::SetInfo(key, _) if *key == status => continue,
                Command::CheckSat | Command::CheckSatAssuming(_) => {
                    let known = labels.next().map_or(Status::Unknown, |c| c.status);
                    script.push(Command::SetInfo(status, known.code().into()));
                }
                _ => {}
            }
            script.entries.push(entry.clone());
        }
        smt::print::script_text(&pool, &script, Dialect::Smt26, None, None)
            .expect("2.6 can express every term")
    }
}
