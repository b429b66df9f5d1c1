//! Scripts as the reducer edits them.

use semantics::{Instance, Truth};
use smt::{Diagnostic, Pool, Script, Severity};

/// A script with its terms, without its truth.
#[derive(Clone, Debug)]
pub struct Doc {
    /// The terms.
    pub pool: Pool,
    /// The commands.
    pub script: Script,
}

/// The effect of an edit on the models of each check of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The answers stay the same, by construction.
    Equivalent,
    /// Every model stays a model: `sat` stays `sat`, by construction.
    Weaker,
    /// No model is added: `unsat` stays `unsat`, by construction.
    Stronger,
    /// Nothing is known.
    Any,
}

impl Effect {
    /// The effect of one edit after another.
    pub fn then(self, next: Effect) -> Effect {
        match (self, next) {
            (a, Effect::Equivalent) => a,
            (Effect::Equivalent, b) => b,
            (a, b) if a == b => a,
            _ => Effect::Any,
        }
    }
}

impl Doc {
    /// Reads a text in any dialect. The errors are those of the reader.
    pub fn from_text(source: &[u8]) -> Result<Doc, Vec<Diagnostic>> {
        let mut pool = Pool::new();
        let parsed = smt::parse(source, None, &mut pool);
        if !parsed.is_ok() {
            let errors = parsed.diagnostics.into_iter().filter(|d| d.severity == Severity::Error);
            return Err(errors.collect());
        }
        Ok(Doc { pool, script: parsed.script })
    }

    /// The script with a truth.
    pub fn with_truth(&self, truth: Truth) -> Instance {
        Instance { pool: self.pool.clone(), script: self.script.clone(), truth }
    }

    /// The text in SMT-LIB 2.6.
    pub fn to_text(&self) -> String {
        self.with_truth(Truth::Unknown).to_text("")
    }
}
