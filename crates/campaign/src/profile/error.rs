//! Errors of profiles and of finding solvers; messages include what to do.

use smt::diag::{Diagnostic, position};
use std::fmt;
use std::path::PathBuf;

/// A place in a profile that is wrong. Shown with file, line, column, and the line with a caret under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadFile {
    /// The file's name.
    pub file: String,
    /// Its text.
    pub text: String,
    /// The problem, with its position.
    pub diagnostic: Diagnostic,
}

/// A mistake in a file: its place, a message, a hint.
pub(crate) type Mistake = (std::ops::Range<usize>, String, Option<&'static str>);

impl fmt::Display for BadFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let span = self.diagnostic.span;
        let at = position(self.text.as_bytes(), span.start as usize);
        let line = self.text.lines().nth(at.line - 1).unwrap_or("");
        let shown: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect();
        let covered = span.of(self.text.as_bytes()).split(|&b| b == b'\n').next().unwrap_or_default();
        let width = String::from_utf8_lossy(covered).chars().count().clamp(1, 80);
        writeln!(f, "{}:{}:{}: {}", self.file, at.line, at.column, self.diagnostic.message)?;
        let gutter = at.line.to_string().len();
        writeln!(f, "{:gutter$} |", "")?;
        writeln!(f, "{} | {shown}", at.line)?;
        write!(f, "{:gutter$} | {:indent$}{}", "", "", "^".repeat(width), indent = at.column - 1)?;
        match &self.diagnostic.hint {
            Some(hint) => write!(f, "\n{:gutter$} = help: {hint}", ""),
            None => Ok(()),
        }
    }
}

/// Why there is no solver.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A profile that cannot be read.
    #[error("{0}")]
    BadFile(Box<BadFile>),
    /// A file that cannot be opened.
    #[error("cannot read the profile `{}`: {why}", .file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The reason that the system gives.
        why: String,
    },
    /// No such profile.
    #[error("there is no solver profile `{name}`{}", .meant.as_ref().map_or_else(
        || ", only: ".to_owned() + &.known.join(", ") + "\nFor a solver without a profile, write NAME=COMMAND, as in `mine=./mysolver {file}`",
        |m| format!("; did you mean `{m}`?")))]
    NoProfile {
        /// The name.
        name: String,
        /// The nearest name.
        meant: Option<String>,
        /// All names.
        known: Vec<String>,
    },
    /// A specification that cannot be read.
    #[error("`{spec}` does not name a solver: {why}")]
    BadSpec {
        /// The specification.
        spec: String,
        /// The problem.
        why: String,
    },
    /// No program.
    #[error("{message}\n{hint}")]
    NoProgram {
        /// The missing program or version.
        message: String,
        /// Advice.
        hint: String,
    },
    /// A program that does not work as expected.
    #[error("`{}` {why}", .program.display())]
    BadProgram {
        /// The program.
        program: PathBuf,
        /// The problem.
        why: String,
    },
}
