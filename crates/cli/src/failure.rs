//! Errors of verbs: their message, and the exit code that follows from their causes.

use crate::{r#gen, render};
use std::error::Error;
use std::io::{self, ErrorKind, Write as _};
use std::process::ExitCode;

/// Usage or bad input.
const BAD_INPUT: u8 = 2;
/// A panic.
const INTERNAL: u8 = 3;
/// The disk is full, or a file cannot be written for another reason that is not its name.
const OUTPUT: u8 = 4;

/// Shows the error of a verb.
pub(crate) fn report(e: &anyhow::Error) -> ExitCode {
    if e.chain().any(is_closed) {
        return ExitCode::SUCCESS;
    }
    render::error(&with_hint(message(e)));
    ExitCode::from(if e.chain().any(is_output) { OUTPUT } else { BAD_INPUT })
}

/// Shows that there was a panic.
pub(crate) fn internal() -> ExitCode {
    render::error("internal error, please report it with the input that caused it");
    ExitCode::from(INTERNAL)
}

/// Shows what the command line lacks, or the help that it asks for.
pub(crate) fn usage(e: &clap::Error) -> ExitCode {
    if let Some(message) = r#gen::unknown(e) {
        render::error(&message);
        return ExitCode::from(BAD_INPUT);
    }
    match e.print() {
        Ok(()) => ExitCode::from(e.exit_code() as u8),
        Err(io) => report(&io.into()),
    }
}

/// The code of a verb that is done, if all its output could be written.
pub(crate) fn finish(code: ExitCode) -> ExitCode {
    match io::stdout().flush() {
        Ok(()) => code,
        Err(io) => report(&io.into()),
    }
}

/// SQLite has this error for a full disk too.
fn with_hint(mut message: String) -> String {
    if message.ends_with("disk I/O error") {
        message.push_str("; the disk may be full");
    }
    message
}

/// The error and its causes. A cause that the text before it ends with is not repeated, nor are the causes below it.
fn message(e: &anyhow::Error) -> String {
    let mut out = String::new();
    for cause in e.chain() {
        let text = cause.to_string();
        if out.ends_with(&text) {
            break;
        }
        let colon = if out.is_empty() { "" } else { ": " };
        out.push_str(&format!("{colon}{text}"));
    }
    out
}

/// The reader of the output has closed it (`stringent … | head`), which is not an error.
fn is_closed(cause: &(dyn Error + 'static)) -> bool {
    cause.downcast_ref::<io::Error>().is_some_and(|io| io.kind() == ErrorKind::BrokenPipe)
}

/// The disk is full, or fails.
fn is_output(cause: &(dyn Error + 'static)) -> bool {
    campaign::store::is_disk_failure(cause)
        || cause.downcast_ref::<io::Error>().is_some_and(|io| {
            matches!(
                io.kind(),
                ErrorKind::StorageFull
                    | ErrorKind::QuotaExceeded
                    | ErrorKind::FileTooLarge
                    | ErrorKind::ReadOnlyFilesystem
                    | ErrorKind::WriteZero
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context as _;
    use campaign::folder::FolderError;

    fn folder(kind: ErrorKind) -> anyhow::Error {
        FolderError::Io { path: "results".into(), source: kind.into() }.into()
    }

    #[test]
    fn a_cause_is_told_once() {
        let e = folder(ErrorKind::StorageFull);
        assert_eq!(message(&e), "results: no storage space");
        let e = Err::<(), _>(io::Error::from(ErrorKind::NotFound)).context("a.smt2").unwrap_err();
        assert_eq!(message(&e), "a.smt2: entity not found");
    }

    #[test]
    fn an_error_of_the_disk_names_the_usual_reason() {
        assert_eq!(with_hint("a: disk I/O error".into()), "a: disk I/O error; the disk may be full");
        assert_eq!(with_hint("a: damaged".into()), "a: damaged");
    }

    #[test]
    fn a_full_disk_is_not_bad_input() {
        assert!(folder(ErrorKind::StorageFull).chain().any(is_output));
        assert!(!folder(ErrorKind::NotFound).chain().any(is_output));
        assert!(folder(ErrorKind::BrokenPipe).chain().any(is_closed));
    }
}
