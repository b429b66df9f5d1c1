//! The known answers of a script while it shrinks, and the arguments for them.
//!
//! A [`Label`] has an answer for each check of a script. [`Keeper::start`] finds the label of the original, [`Keeper::label`] that of a
//! smaller script, in process; [`Keeper::confirm`] makes sure of it once the failure is known to be there.
//!
//! | answer | kept by |
//! |---|---|
//! | `sat` | a model that the referee accepts on the smaller script: the known one, or one found by the built-in solver |
//! | `unsat` | construction: all edits since a labelled script keep it, or a known core is still there; else agreement: the built-in solver and a second solver of another family prove it, and a bounded search finds no model |
//!
//! An answer never changes: a check that was `sat` is `sat` or unknown afterwards.

use crate::doc::{Doc, Effect};
use campaign::finding::Argument;
use campaign::judge::Scope;
use campaign::process::Cancel;
use campaign::profile::{self, Solver};
use semantics::Status;
use semantics::referee::check_count;
use std::time::Duration;

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
    /// A second solver must still agree: see [`Keeper::confirm`].
    pending: bool,
}

impl CheckLabel {
    /// Nothing is known.
    pub fn unknown() -> CheckLabel {
        CheckLabel { status: Status::Unknown, argument: Argument::NotNeeded, scope: None, pending: false }
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

    /// The answer of a check is known.
    pub fn is_known(&self) -> bool {
        self.checks.iter().any(|c| c.status != Status::Unknown)
    }

    /// The script with its certificate as `set-info`, as `campaign` reads it: the status of each check, and the proof of the only one.
    pub fn text(&self, doc: &Doc) -> String {
        doc.to_text()
    }
}

/// Why the answers of a script are not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unlabelled(pub String);

/// Limits of the work for one label. Work is counted, not timed: the same script has the same label on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Ticks of the built-in solver for each check of the original.
    pub start: u64,
    /// Ticks of the built-in solver for each check of a smaller script.
    pub step: u64,
    /// Steps of the bounded search.
    pub search: u64,
    /// The time limit of a second solver.
    pub second: Duration,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { start: 20_000_000, step: 1_000_000, search: 50_000, second: Duration::from_secs(10) }
    }
}

/// Keeps the answers of scripts.
#[derive(Debug)]
pub struct Keeper {
    /// The limits.
    pub effort: Effort,
    /// Solvers of other families than the one under test.
    seconds: Vec<Solver>,
}

impl Keeper {
    /// A keeper that uses these second solvers: see [`seconds`]. Without any, `unsat` is kept by construction only.
    pub fn new(seconds: Vec<Solver>) -> Keeper {
        Keeper { effort: Effort::default(), seconds }
    }

    /// The label of an original: by its certificate, by `expect` (the claim of the user, which is checked), or by the built-in solver.
    pub fn start(&self, doc: &Doc, expect: Option<Status>, cancel: &Cancel) -> Result<Label, Unlabelled> {
        let _ = (doc, expect, cancel);
        Err(Unlabelled("not built".into()))
    }

    /// The label of a smaller script, whose parent has `parent`; none if no answer is known any more. In process and quick.
    pub fn label(&self, parent: &Label, doc: &Doc, effect: Effect) -> Option<Label> {
        let _ = (parent, doc, effect);
        None
    }

    /// Makes sure of a label: asks second solvers where an argument needs it, and searches for models of checks that have none. None if
    /// no answer is left.
    pub fn confirm(&self, label: Label, doc: &Doc, cancel: &Cancel) -> Option<Label> {
        let _ = (doc, cancel);
        Some(label)
    }

    /// A model (SMT-LIB `define-fun`s) of the assertions with these names and of those without a name at check `n`, from 0: a core that
    /// has a model is no core.
    pub fn core_model(&self, doc: &Doc, n: usize, names: &[String]) -> Option<String> {
        let _ = (doc, n, names);
        None
    }
}

/// The second solvers for a solver under test: the named ones that are of another family, or the newest ones there are.
pub fn seconds(subject: &Solver, named: &[String]) -> Result<Vec<Solver>, profile::Error> {
    let _ = subject;
    named.iter().map(|spec| profile::resolve(spec)).collect()
}

/// The reasons for the answer of check `n`, from 0, in sentences and traces, one line each; they claim no more than was checked.
pub fn explain(doc: &Doc, n: usize, argument: &Argument) -> Vec<String> {
    let _ = (doc, n, argument);
    Vec::new()
}
