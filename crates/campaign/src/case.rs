//! An instance as it is judged: its script, and what is known of it with the proof of it.
//!
//! One parse gives the terms that are sent to every solver and that the referee evaluates. The certificate (a
//! model, a core, models of all assertions but one) stands in the text as `set-info`, in the form in which
//! solvers print such things, and is read by the same reader; but only when it is needed, which is seldom.
//!
//! A script may ask several times. Each `check-sat` has the status that the last `:status` before it gives, and
//! a `:status` speaks of the next `check-sat` only, as in the incremental benchmarks of SMT-LIB.

use crate::outcome::Status;
use crate::store::InstanceRow;
use rustc_hash::FxHashSet;
use semantics::Model;
use semantics::ambiguity;
use semantics::referee::{self, Check};
use smt::answer::Item;
use smt::script::{Plain, bare};
use smt::sexpr::{Quoting, Reader, Tree};
use smt::{Command, Diagnostic, Dialect, Fun, Pool, Script, Severity};

/// A text that is no script.
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

/// One `check-sat` of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The index of the command; none if the script does not ask, and is asked at its end.
    pub command: Option<usize>,
    /// What is known of the answer.
    pub status: Status,
}

/// The proof of what is known, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    model: Option<Box<str>>,
    core: Option<Box<str>>,
    drops: Vec<Box<str>>,
}

/// An instance, read.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// The terms.
    pub pool: Pool,
    /// The commands.
    pub script: Script,
    /// What it asks, in order; never empty.
    pub questions: Vec<Question>,
    /// Why its status is what it is.
    pub certificate: Certificate,
    /// Why a falsified assertion would prove nothing: what the script means is itself in doubt.
    pub doubt: Option<String>,
    /// Commands that are not sent and that may change what the script means.
    pub left_out: Vec<String>,
}

impl Case {
    /// Reads an instance of the store.
    pub fn read(row: &InstanceRow) -> Result<Case, CaseError> {
        let mut case = Case::from_text(&row.name, &row.source)?;
        if let [only] = &mut case.questions[..] {
            only.status = row.status;
        }
        Ok(case)
    }

    /// Reads a text, in any dialect.
    pub fn from_text(name: &str, source: &[u8]) -> Result<Case, CaseError> {
        let mut pool = Pool::new();
        let parsed = smt::parse(source, None, &mut pool);
        if let Some(d) = parsed.diagnostics.iter().find(|d| d.severity == Severity::Error) {
            let at = smt::diag::position(source, d.span.start as usize);
            let (line, column) = (at.line, at.column);
            return Err(CaseError { name: name.into(), line, column, diagnostic: d.clone() });
        }
        let mut case = Case {
            name: name.into(),
            pool,
            script: parsed.script,
            questions: Vec::new(),
            certificate: Certificate::default(),
            doubt: ambiguity::redeclaration(&parsed.diagnostics),
            left_out: Vec::new(),
        };
        case.survey();
        Ok(case)
    }

    /// Finds what is asked and what is known, in one walk over the commands.
    fn survey(&mut self) {
        let mut status = Status::Unknown;
        for (i, command) in self.script.commands().enumerate() {
            match command {
                Command::SetInfo(key, value) => {
                    let key = self.pool.names.name(*key);
                    if key == ":status" {
                        status = Status::from_code(value).unwrap_or(Status::Unknown);
                    } else {
                        self.certificate.add(key, value);
                    }
                }
                Command::CheckSat | Command::CheckSatAssuming(_) => {
                    self.questions.push(Question { command: Some(i), status });
                    status = Status::Unknown;
                }
                Command::Plain(Plain::Exit) => break,
                Command::Other(text) if changes_meaning(text) => self.left_out.push(head(text).into()),
                _ => {}
            }
        }
        if self.questions.is_empty() {
            self.questions.push(Question { command: None, status });
        }
        if !self.left_out.is_empty() {
            self.questions.iter_mut().for_each(|q| q.status = Status::Unknown);
        }
    }

    /// What is known of it as a whole: what is known of each question, if that is one and the same.
    pub fn status(&self) -> Status {
        let first = self.questions[0].status;
        if self.questions.iter().all(|q| q.status == first) { first } else { Status::Unknown }
    }

    /// The status comes with a proof, not only by the word of the file.
    pub fn is_certified(&self) -> bool {
        self.certificate.model.is_some() || self.certificate.core.is_some()
    }

    /// It can be asked after others in one process: it asks once, and has no levels and resets of its own.
    pub fn is_plain(&self) -> bool {
        let nested =
            |c: &Command| matches!(c, Command::Push(_) | Command::Pop(_) | Command::CheckSatAssuming(_));
        let resets =
            |c: &Command| matches!(c, Command::Plain(Plain::Reset | Plain::ResetAssertions | Plain::Exit));
        self.questions.len() == 1 && !self.script.commands().any(|c| nested(c) || resets(c))
    }

    /// What is asserted when question `n` is asked.
    pub fn check(&self, n: usize) -> Check {
        referee::check(&self.script, n).unwrap_or_default()
    }

    /// It has assertions with names.
    pub fn has_names(&self) -> bool {
        self.script.assertions().any(|t| self.pool.given_name(t).is_some())
    }

    /// The constants and functions that the script declares.
    pub fn declared(&self) -> impl Iterator<Item = Fun> + '_ {
        self.script.commands().filter_map(|c| match c {
            Command::DeclareFun(f) | Command::DeclareConst(f) => Some(*f),
            _ => None,
        })
    }

    /// The names of what it declares.
    pub fn declared_names(&self) -> FxHashSet<&str> {
        self.declared().map(|f| self.pool.fun_name(f)).collect()
    }

    /// The known model; its terms go to `pool`, which is this case's or a clone of it.
    pub fn known_model(&self, pool: &mut Pool) -> Option<Model> {
        Model::read(self.certificate.model.as_deref()?, pool)
    }

    /// The names of the known minimal core, if there is one.
    pub fn known_core(&self) -> Option<Vec<String>> {
        let text = self.certificate.core.as_deref()?;
        match smt::answer::read(text.as_bytes(), Dialect::Smt26, &mut Pool::new()).pop()? {
            Item::Names(names) => Some(names),
            Item::Empty => Some(Vec::new()),
            _ => None,
        }
    }

    /// The known model of all assertions but the one called `name`.
    pub fn drop_model(&self, name: &str, pool: &mut Pool) -> Option<Model> {
        let mut tree = Tree::default();
        for text in &self.certificate.drops {
            let mut reader = Reader::new(text.as_bytes(), Quoting::Doubled);
            if !reader.read(&mut tree) {
                continue;
            }
            let parts: Vec<&[u8]> = tree.children(0).map(|c| tree.node(c).span.of(text.as_bytes())).collect();
            let [whom, model] = parts[..] else { continue };
            if whom == smt::symbol::quote(name).as_bytes() || whom == name.as_bytes() {
                return Model::read(std::str::from_utf8(model).ok()?, pool);
            }
        }
        None
    }

    /// The known model as text, for people.
    pub fn known_model_text(&self) -> Option<&str> {
        self.certificate.model.as_deref()
    }
}

impl Certificate {
    fn add(&mut self, key: &str, value: &str) {
        match key {
            ":stringent-model" => self.model = Some(bare(value).into()),
            ":stringent-core" => self.core = Some(bare(value).into()),
            ":stringent-drop" => self.drops.push(bare(value).into()),
            _ => {}
        }
    }
}

/// The value of an attribute of the script, such as `:category`, without its quotes.
pub fn attribute(case: &Case, key: &str) -> Option<String> {
    case.script.infos(&case.pool.names, key).next()
}

/// A command that stringent does not know, is not sent, and may be about what is asserted. Objectives and what
/// only prints are not.
fn changes_meaning(text: &str) -> bool {
    let head = head(text);
    let sent = head.starts_with("declare-") || head.starts_with("define-");
    let harmless =
        ["assert-soft", "minimize", "maximize", "get-", "display", "simplify", "eval", "labels", "help"];
    !sent && !harmless.iter().any(|h| head.starts_with(h))
}

/// The name of a command.
pub(crate) fn head(text: &str) -> &str {
    let inside = text.trim_start_matches('(').trim_start();
    inside.split(|c: char| c.is_whitespace() || c == '(' || c == ')').next().unwrap_or(inside)
}

#[cfg(test)]
mod tests;
