//! From a text to a [`Script`] or a term.

use crate::diag::{Code, Diagnostic, Severity, Span};
use crate::dialect::{Dialect, detect};
use crate::elaborate::Elaborator;
use crate::script::{Command, Entry, Plain, Script};
use crate::sexpr::{Kind, Reader, Tree};
use crate::term::{Pool, Term};

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
    let mut parser = Parser {
        src,
        reader: Reader::new(src, dialect.quoting()),
        tree: Tree::default(),
        elaborator: Elaborator::new(pool, dialect),
        script: Script { entries: Vec::new(), dialect },
        after_stray: false,
        after_exit: false,
    };
    if src.starts_with(b"\xEF\xBB\xBF") {
        let d = Diagnostic::notice(Code::ByteOrderMark, Span::new(0, 3), "skipped a byte order mark");
        parser.elaborator.diagnostics.push(d);
    }
    let trailing = loop {
        let trivia = parser.reader.skip_trivia();
        let reported = parser.reader.diagnostics.len();
        if !parser.reader.read(&mut parser.tree) {
            break trivia;
        }
        parser.expression(trivia, reported);
    };
    let mut diagnostics = parser.elaborator.diagnostics;
    diagnostics.append(&mut parser.reader.diagnostics);
    diagnostics.sort_by_key(|d| d.span.start);
    Parsed { script: parser.script, diagnostics, trailing }
}

/// Reads one term without declared names, in SMT-LIB 2.6. The error is what [`parse`] would report.
///
/// ```
/// let mut pool = stringent_smt::Pool::new();
/// let t = stringent_smt::parse_term(b"(str.len \"abc\")", &mut pool).expect("a term");
/// assert_eq!(pool.sort_of(t), stringent_smt::Sort::INT);
/// let errors = stringent_smt::parse_term(b"(str.len 3)", &mut pool).expect_err("ill-sorted");
/// assert_eq!(errors[0].message, "argument 1 of `str.len` has sort Int, expected String");
/// ```
pub fn parse_term(src: &[u8], pool: &mut Pool) -> Result<Term, Vec<Diagnostic>> {
    let mut reader = Reader::new(src, Dialect::Smt26.quoting());
    let (mut tree, mut rest) = (Tree::default(), Tree::default());
    let found = reader.read(&mut tree);
    if reader.read(&mut rest) {
        let span = rest.node(0).span;
        reader.diagnostics.push(Diagnostic::error(Code::MalformedTerm, span, "text after the term"));
    } else if !found {
        reader.diagnostics.push(Diagnostic::error(Code::MalformedTerm, Span::new(0, 0), "there is no term"));
    }
    if !reader.diagnostics.is_empty() {
        return Err(reader.diagnostics);
    }
    let mut elaborator = Elaborator::new(pool, Dialect::Smt26);
    elaborator.read_term(src, &tree, 0).ok_or(elaborator.diagnostics)
}

struct Parser<'s, 'p> {
    src: &'s [u8],
    reader: Reader<'s>,
    /// The current top-level expression.
    tree: Tree,
    elaborator: Elaborator<'p>,
    script: Script,
    /// The last expression was not a list.
    after_stray: bool,
    after_exit: bool,
}

impl Parser<'_, '_> {
    /// Adds the command in the tree to the script. The reader had `reported` diagnostics before it.
    fn expression(&mut self, trivia: Span, reported: usize) {
        if self.after_exit {
            // Solvers stop at `exit`; the rest is kept as written.
            self.reader.diagnostics.truncate(reported);
            let text = String::from_utf8_lossy(self.tree.node(0).span.of(self.src)).into_owned();
            return self.push(Command::Other(text.into()), trivia, false);
        }
        let stray = self.tree.node(0).kind != Kind::List;
        if std::mem::replace(&mut self.after_stray, stray) && stray {
            // One error for a sequence of words outside any command.
            return self.reader.diagnostics.truncate(reported);
        }
        if self.reader.diagnostics.len() > reported {
            return; // its terms would only add further errors
        }
        self.elaborator.saw_let = false;
        if let Some(command) = self.elaborator.command(self.src, &self.tree) {
            self.after_exit = command == Command::Plain(Plain::Exit);
            self.push(command, trivia, self.elaborator.saw_let);
        }
    }

    fn push(&mut self, command: Command, trivia: Span, lets: bool) {
        self.script.entries.push(Entry { command, span: self.tree.node(0).span, trivia, lets });
    }
}
