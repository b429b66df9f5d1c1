//! TOML files that users write: read with errors that name file, line and column.

use crate::profile::{BadFile, readable};
use serde::de::DeserializeOwned;
use smt::diag::{Diagnostic, Span};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be opened.
    #[error("cannot read `{}`: {why}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The reason that the system gives.
        why: String,
    },
    /// Something in it is wrong.
    #[error("{0}")]
    Bad(Box<BadFile>),
}

/// The text of a file.
pub fn text(file: &Path) -> Result<String, FileError> {
    let unreadable = |why: String| FileError::Unreadable { file: file.into(), why };
    let bytes = std::fs::read(file).map_err(|e| unreadable(e.to_string()))?;
    String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8 text".into()))
}

/// Reads the text of the file `name`.
pub fn parse<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, FileError> {
    toml::from_str(text).map_err(|e| {
        let (message, hint) = readable(e.message());
        mistake(name, text, e.span().unwrap_or(0..0), message, hint)
    })
}

/// A mistake at a place of the file `name`.
pub fn mistake(
    name: &str,
    text: &str,
    span: Range<usize>,
    message: String,
    hint: Option<String>,
) -> FileError {
    let span = Span::new(span.start, span.end);
    let mut diagnostic = Diagnostic::error(smt::Code::MalformedProfile, span, message);
    diagnostic.hint = hint;
    FileError::Bad(Box::new(BadFile { file: name.into(), text: text.into(), diagnostic }))
}
