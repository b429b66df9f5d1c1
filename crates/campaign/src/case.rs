//! Cases: instances as a campaign runs and judges them.
//!
//! One parse gives the terms that are sent to every solver and that the referee evaluates. The certificate is read with
//! it, its proofs only when an answer is judged by them.

use crate::store::InstanceRow;
use rustc_hash::FxHashSet;
use semantics::referee::{self, Check};
use semantics::{Certificate, Status, ambiguity};
use smt::script::Plain;
use smt::{Command, Diagnostic, Fun, Pool, Script, Severity};

/// A text that is not a script.
#[derive(Debug, thiserror::Error)]
#[error("{name}:{line}:{column}: {}", diagnostic.message)]
pub struct CaseError {
    /// The name of the instance.
    pub name: String,
    /// The line of the first error.
    pub line: usize,
    /// Its column.
    pub column: usize,
    /// The first error.
    pub diagnostic: Diagnostic,
}

/// A script to run, with its certificate.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name of the instance.
    pub name: String,
    /// The terms.
    pub pool: Pool,
    /// The commands.
    pub script: Script,
    /// The known answers of its checks.
    pub certificate: Certificate,
    /// Why a falsified assertion proves nothing, if the meaning of the script is in doubt.
    pub doubt: Option<String>,
}

impl Case {
    /// Reads an instance of the store.
    pub fn read(row: &InstanceRow) -> Result<Case, CaseError> {
        let mut case = Case::from_text(&row.name, &row.source)?;
        if let [only] = &mut case.certificate.queries[..] {
            only.status = row.status;
        }
        Ok(case)
    }

    /// Reads a text, in any dialect.
    pub fn from_text(name: &str, source: &[u8]) -> Result<Case, CaseError> {
        let mut pool = Pool::new();
        pool.read_datatypes();
        let parsed = smt::parse(source, None, &mut pool);
        if let Some(d) = parsed.diagnostics.iter().find(|d| d.severity == Severity::Error) {
            let at = smt::diag::position(source, d.span.start as usize);
            let (line, column) = (at.line, at.column);
            return Err(CaseError { name: name.into(), line, column, diagnostic: d.clone() });
        }
        let certificate = Certificate::of(&pool, &parsed.script);
        let doubt = ambiguity::redeclaration(&parsed.diagnostics);
        Ok(Case { name: name.into(), pool, script: parsed.script, certificate, doubt })
    }

    /// The known answer of check `n`.
    pub fn status(&self, n: usize) -> Status {
        self.certificate.queries[n].status
    }

    /// The number of checks.
    pub fn checks(&self) -> usize {
        self.certificate.queries.len()
    }

    /// Whether it can run after other cases in one process: it has one check, and no levels or resets.
    pub fn is_plain(&self) -> bool {
        let nested =
            |c: &Command| matches!(c, Command::Push(_) | Command::Pop(_) | Command::CheckSatAssuming(_));
        let resets =
            |c: &Command| matches!(c, Command::Plain(Plain::Reset | Plain::ResetAssertions | Plain::Exit));
        self.checks() == 1 && !self.script.commands().any(|c| nested(c) || resets(c))
    }

    /// The assertions in force at check `n`.
    pub fn check(&self, n: usize) -> Check {
        referee::check(&self.script, n).unwrap_or_default()
    }

    /// It has assertions with names.
    pub fn has_names(&self) -> bool {
        self.script.assertions().any(|t| self.pool.given_name(t).is_some())
    }

    /// The constants and functions that the script declares.
    pub fn declared(&self) -> impl Iterator<Item = Fun> + '_ {
        self.script.declared()
    }

    /// The names of its constants and functions.
    pub fn declared_names(&self) -> FxHashSet<&str> {
        self.declared().map(|f| self.pool.fun_name(f)).collect()
    }

    /// The value of an attribute of the script, such as `:category`, without its quotes.
    pub fn attribute(&self, key: &str) -> Option<String> {
        self.script.infos(&self.pool.names, key).next()
    }
}

#[cfg(test)]
mod tests;
