//! From a text to a [`Script`].

use crate::diag::{Code, Diagnostic, Severity, Span};
use crate::dialect::{Dialect, detect};
use crate::elaborate::Elaborator;
use crate::script::{Command, Entry, Plain, Script};
use crate::sexpr::{Kind, Reader, Tree};
use crate::term::Pool;

/// A script and its diagnostics.
#[derive(Debug, Default)]
pub struct Parsed {
    /// The commands that are well formed.
    pub script: Script,
    /// Errors (each lost a command) and notices, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// White space and comments after the last command.
    pub trailing: Span,
}

impl Parsed {
    /// Nothing was rejected.
    pub fn is_ok(&self) -> bool {
        self.errors() == 0
    }

    /// The number of errors.
    pub fn errors(&self) -> usize {
        self.diagnostics.iter().filter(|d| d.severity == Severity::Error).count()
    }
}

/// Reads a script; `dialect` is detected if not given.
pub fn parse(src: &[u8], dialect: Option<Dialect>, pool: &mut Pool) -> Parsed {
    let dialect = dialect.unwrap_or_else(|| detect(src));
    let mut reader = Reader::new(src, dialect.quoting());
    let mut tree = Tree::default();
    let mut elaborator = Elaborator::new(pool, dialect);
    let mut script = Script { entries: Vec::new(), dialect };
    if src.starts_with(b"\xEF\xBB\xBF") {
        elaborator.diagnostics.push(Diagnostic::notice(
            Code::ByteOrderMark,
            Span::new(0, 3),
            "skipped a byte order mark",
        ));
    }
    let (mut was_stray, mut exited) = (false, false);
    let trailing = loop {
        let trivia = reader.skip_trivia();
        let malformed = reader.diagnostics.len();
        if !reader.read(&mut tree) {
            break trivia;
        }
        let stray = tree.node(0).kind != Kind::List;
        if exited {
            reader.diagnostics.truncate(malformed);
        }
        if stray && was_stray && !exited {
            // One error for a sequence of words outside any command.
            reader.diagnostics.truncate(malformed);
            continue;
        }
        was_stray = stray;
        if reader.diagnostics.len() > malformed {
            // Already reported; its terms would only add further errors.
            continue;
        }
        if exited {
            // Solvers stop at `exit`; the rest is kept as written.
            let text = String::from_utf8_lossy(tree.node(0).span.of(src)).into_owned();
            let command = Command::Other(text.into());
            script.entries.push(Entry { command, span: tree.node(0).span, trivia, lets: false });
            continue;
        }
        elaborator.saw_let = false;
        if let Some(command) = elaborator.command(src, &tree) {
            exited = command == Command::Plain(Plain::Exit);
            script.entries.push(Entry { command, span: tree.node(0).span, trivia, lets: elaborator.saw_let });
        }
    };
    let mut diagnostics = std::mem::take(&mut elaborator.diagnostics);
    diagnostics.append(&mut reader.diagnostics);
    diagnostics.sort_by_key(|d| d.span.start);
    Parsed { script, diagnostics, trailing }
}
