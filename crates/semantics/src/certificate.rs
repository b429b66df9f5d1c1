//! Certificates: the answers that a script states, and their proofs.
//!
//! The status of a check is `:status`; its proof is a model (`:stringent-model`), or a core (`:stringent-core`) with, for
//! members of the core, a model of all other assertions (`:stringent-drop`). Proofs are written the way solvers print
//! models and cores and are read by the same reader, but only on demand: most answers are judged without them.
//!
//! A script may have several checks. Each has the status that the last `:status` before it gives, and a `:status` is about
//! the next check only, as in the incremental benchmarks of SMT-LIB. A proof is about the only check of a script.

use crate::model::Model;
use crate::referee::check_count;
use smt::answer::Item;
use smt::script::{Plain, bare};
use smt::sexpr::{Quoting, Reader, Tree};
use smt::{Command, Dialect, Pool, Script};

/// The attribute with the status of the next check.
pub const STATUS: &str = ":status";
/// The attribute with a model of all assertions.
pub const MODEL: &str = ":stringent-model";
/// The attribute with the names of a core.
pub const CORE: &str = ":stringent-core";
/// The attribute with the name of an assertion and a model of all others; it may occur several times.
pub const DROP: &str = ":stringent-drop";

/// The known answer of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// Nothing is known.
    Unknown,
}

impl Status {
    /// All of them, in the order of reports.
    pub const ALL: &'static [Status] = &[Status::Sat, Status::Unsat, Status::Unknown];

    /// The value of `:status`.
    pub fn code(self) -> &'static str {
        match self {
            Status::Sat => "sat",
            Status::Unsat => "unsat",
            Status::Unknown => "unknown",
        }
    }

    /// The status with this code.
    pub fn from_code(code: &str) -> Option<Status> {
        Status::ALL.iter().copied().find(|s| s.code() == code)
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.code())
    }
}

/// One `check-sat` of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Query {
    /// The index of the command; none if the script has no check, and is checked at its end.
    pub command: Option<usize>,
    /// Its known answer.
    pub status: Status,
}

/// The statements of a script about its answers, with the proofs as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The checks, in order; never empty.
    pub queries: Vec<Query>,
    /// The heads of commands that are not understood and may change the meaning of the script. If there are any,
    /// no status is known.
    pub unsupported: Vec<String>,
    model: Option<Box<str>>,
    core: Option<Box<str>>,
    drops: Vec<Box<str>>,
}

impl Certificate {
    /// The certificate of a script with one check at `command` of which nothing is known.
    pub fn unknown(command: Option<usize>) -> Certificate {
        let queries = vec![Query { command, status: Status::Unknown }];
        Certificate { queries, unsupported: Vec::new(), model: None, core: None, drops: Vec::new() }
    }

    /// Reads the certificate of a script, in one pass over its commands.
    pub fn of(pool: &Pool, script: &Script) -> Certificate {
        let mut found = Certificate { queries: Vec::new(), ..Certificate::unknown(None) };
        let mut status = Status::Unknown;
        for (i, command) in script.commands().enumerate() {
            match command {
                Command::SetInfo(key, value) => match pool.names.name(*key) {
                    STATUS => status = Status::from_code(value).unwrap_or(Status::Unknown),
                    MODEL => found.model = Some(bare(value).into()),
                    CORE => found.core = Some(bare(value).into()),
                    DROP => found.drops.push(bare(value).into()),
                    _ => {}
                },
                Command::CheckSat | Command::CheckSatAssuming(_) => {
                    found.queries.push(Query { command: Some(i), status });
                    status = Status::Unknown;
                }
                Command::Plain(Plain::Exit) => break,
                Command::Other(text) if changes_meaning(text) => found.unsupported.push(head(text).into()),
                _ => {}
            }
        }
        if found.queries.is_empty() {
            found.queries.push(Query { command: None, status });
        }
        if !found.unsupported.is_empty() {
            found.queries.iter_mut().for_each(|q| q.status = Status::Unknown);
        }
        found
    }

    /// The status of the script: that of its checks, if they all have the same.
    pub fn status(&self) -> Status {
        let first = self.queries[0].status;
        if self.queries.iter().all(|q| q.status == first) { first } else { Status::Unknown }
    }

    /// The status comes with a proof; otherwise it is only stated.
    pub fn is_proved(&self) -> bool {
        self.model.is_some() || self.core.is_some()
    }

    /// The model. Its terms go to `pool`, which is the script's or a clone of it.
    pub fn model(&self, pool: &mut Pool) -> Option<Model> {
        Model::read(self.model.as_deref()?, pool)
    }

    /// The names of the core.
    pub fn core(&self) -> Option<Vec<String>> {
        let text = self.core.as_deref()?;
        match smt::answer::read(text.as_bytes(), Dialect::Smt26, &mut Pool::new()).pop()? {
            Item::Names(names) => Some(names),
            Item::Empty => Some(Vec::new()),
            _ => None,
        }
    }

    /// The model of all assertions but the one called `name`.
    pub fn drop_model(&self, name: &str, pool: &mut Pool) -> Option<Model> {
        let mut tree = Tree::default();
        for text in &self.drops {
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
}

/// A script has one check, or none and is checked at its end; and all its commands are understood.
pub fn has_one_check(script: &Script) -> bool {
    let unsupported = |c: &Command| matches!(c, Command::Other(text) if changes_meaning(text));
    check_count(script) == 1 && !script.commands().any(unsupported)
}

/// A command that is not understood may change the assertions. Declarations, objectives and commands that only print
/// do not.
pub fn changes_meaning(text: &str) -> bool {
    let inert = [
        "declare-",
        "define-",
        "assert-soft",
        "minimize",
        "maximize",
        "get-",
        "display",
        "simplify",
        "eval",
        "labels",
        "help",
    ];
    !inert.iter().any(|h| head(text).starts_with(h))
}

/// The name of a command that is given as text.
pub fn head(text: &str) -> &str {
    let inside = text.trim_start_matches('(').trim_start();
    inside.split(|c: char| c.is_whitespace() || c == '(' || c == ')').next().unwrap_or(inside)
}

#[cfg(test)]
mod tests;
