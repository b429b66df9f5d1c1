//! Splits a stream into commands, each as soon as its last byte has arrived.
//!
//! A program that drives a solver over a pipe writes a command and waits for the answer, so the end of a command must
//! be found without the bytes after it. [`Splitter`] visits every byte once.

use crate::diag::Position;
use crate::sexpr::{Quoting, continues_symbol};
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Between tokens, or in a list.
    Plain,
    /// In a word outside any list.
    Word,
    Comment,
    /// In a comment `#| … |#`; true after a bar.
    Block(bool),
    Literal,
    /// After a backslash in a literal of SMT-LIB 2.0.
    Escape,
    /// After a quote in a literal outside any list, which the next byte may continue.
    MaybeClosed,
    Quoted,
}

/// Splits a stream of bytes into commands.
#[derive(Clone, Debug)]
pub struct Splitter {
    quoting: Quoting,
    buffer: Vec<u8>,
    /// Where the next command starts, with the white space before it.
    start: usize,
    /// Bytes before it have been visited.
    seen: usize,
    state: State,
    depth: usize,
    /// Something other than white space and comments follows `start`.
    begun: bool,
    line: u32,
    column: u32,
}

impl Splitter {
    /// A splitter at the start of a stream.
    pub fn new(quoting: Quoting) -> Self {
        Splitter {
            quoting,
            buffer: Vec::new(),
            start: 0,
            seen: 0,
            state: State::Plain,
            depth: 0,
            begun: false,
            line: 1,
            column: 1,
        }
    }

    /// Appends bytes of the stream.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.buffer.drain(..self.start);
        self.seen -= self.start;
        self.start = 0;
        self.buffer.extend_from_slice(bytes);
    }

    /// The next complete command, with the white space and comments before it. Call until it returns `None`.
    pub fn next_command(&mut self) -> Option<Range<usize>> {
        while let Some(&b) = self.buffer.get(self.seen) {
            if self.ends_before(b) {
                return Some(self.cut());
            }
            self.seen += 1;
            if self.step(b) {
                return Some(self.cut());
            }
        }
        None
    }

    /// The incomplete command at the end of the stream; `None` if only white space is left.
    pub fn rest(&mut self) -> Option<Range<usize>> {
        self.seen = self.buffer.len();
        let begun = self.begun || matches!(self.state, State::Block(_));
        let rest = self.cut();
        begun.then_some(rest)
    }

    /// A command has started and is incomplete.
    pub fn is_open(&self) -> bool {
        self.begun
    }

    /// The bytes of a command.
    pub fn text(&self, command: Range<usize>) -> &[u8] {
        &self.buffer[command]
    }

    /// The position of the next command in the stream (with the white space before it).
    pub fn position(&self) -> Position {
        Position { line: self.line as usize, column: self.column as usize }
    }

    /// Moves the position past a command.
    pub fn advance(&mut self, command: Range<usize>) {
        for &b in &self.buffer[command] {
            match b {
                b'\n' => (self.line, self.column) = (self.line + 1, 1),
                0x80..=0xBF => {} // inside a character
                _ => self.column += 1,
            }
        }
    }

    fn cut(&mut self) -> Range<usize> {
        let range = self.start..self.seen;
        self.start = self.seen;
        self.state = State::Plain;
        self.depth = 0;
        self.begun = false;
        range
    }

    /// A `#` that starts a token is right before this place.
    fn after_hash(&self, at: usize) -> bool {
        match &self.buffer[self.start..at] {
            [.., before, b'#'] => !continues_symbol(*before),
            before => before == b"#",
        }
    }

    /// A word or literal outside any list ends before `b`, which cannot continue it.
    fn ends_before(&self, b: u8) -> bool {
        match self.state {
            State::Word if b == b'|' && self.after_hash(self.seen) => false,
            State::Word => matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b'(' | b')' | b';' | b'"' | b'|'),
            State::MaybeClosed => b != b'"',
            _ => false,
        }
    }

    /// Processes one byte; true if it ends a command.
    fn step(&mut self, b: u8) -> bool {
        match self.state {
            State::Word | State::Plain if b == b'|' && self.after_hash(self.seen - 1) => {
                self.state = State::Block(false);
                self.begun = self.depth > 0;
            }
            State::Plain => return self.plain(b),
            State::Word => {}
            State::Block(true) if b == b'#' => self.state = State::Plain,
            State::Block(_) => self.state = State::Block(b == b'|'),
            State::Comment if b == b'\n' => self.state = State::Plain,
            State::Quoted if b == b'|' => {
                self.state = State::Plain;
                return self.depth == 0;
            }
            State::Escape | State::MaybeClosed => self.state = State::Literal,
            State::Literal if b == b'\\' && self.quoting == Quoting::Backslash => self.state = State::Escape,
            State::Literal if b == b'"' => {
                self.state = match (self.depth, self.quoting) {
                    (0, Quoting::Doubled) => State::MaybeClosed,
                    _ => State::Plain,
                };
                return self.depth == 0 && self.quoting == Quoting::Backslash;
            }
            State::Comment | State::Quoted | State::Literal => {}
        }
        false
    }

    fn plain(&mut self, b: u8) -> bool {
        match b {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0C => return false,
            b';' => {
                self.state = State::Comment;
                return false;
            }
            b'(' => self.depth += 1,
            b')' => {
                self.begun = true;
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            b'"' => self.state = State::Literal,
            b'|' => self.state = State::Quoted,
            _ if self.depth == 0 => self.state = State::Word,
            _ => {}
        }
        self.begun = true;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sexpr::{Reader, Tree};
    use proptest::prelude::*;

    fn split(text: &[u8], piece: usize, quoting: Quoting) -> Vec<String> {
        let mut splitter = Splitter::new(quoting);
        let mut out = Vec::new();
        let mut take = |splitter: &mut Splitter, range: Range<usize>| {
            out.push(String::from_utf8_lossy(splitter.text(range.clone())).trim().to_owned());
            splitter.advance(range);
        };
        for bytes in text.chunks(piece) {
            splitter.feed(bytes);
            while let Some(range) = splitter.next_command() {
                take(&mut splitter, range);
            }
        }
        if let Some(range) = splitter.rest() {
            take(&mut splitter, range);
        }
        out
    }

    #[test]
    fn a_command_is_complete_with_its_last_byte() {
        let mut s = Splitter::new(Quoting::Doubled);
        s.feed(b" ; (\n(echo \"a)\"\"(\" |)|");
        assert_eq!(s.next_command(), None);
        assert!(s.is_open());
        s.feed(b")");
        let range = s.next_command().expect("it is complete");
        assert!(s.text(range.clone()).ends_with(b"|)|)"));
        s.advance(range);
        assert_eq!(s.position(), Position { line: 2, column: 19 });
        assert!(!s.is_open() && s.next_command().is_none() && s.rest().is_none());
    }

    #[test]
    fn block_comments_belong_to_the_next_command() {
        let text = b"#| (a) |#(b #| ) |# c) d#|x| #|#| y|#(e)";
        assert_eq!(split(text, 1, Quoting::Doubled), ["#| (a) |#(b #| ) |# c)", "d#", "|x|", "#|#| y|#(e)"]);
        assert_eq!(split(b"(a) #| (b)", 3, Quoting::Doubled), ["(a)", "#| (b)"]);
    }

    #[test]
    fn strays_are_commands_of_their_own() {
        assert_eq!(
            split(b"foo(a) \"x\"\"y\" ) |q|(b", 3, Quoting::Doubled),
            ["foo", "(a)", "\"x\"\"y\"", ")", "|q|", "(b"]
        );
        assert_eq!(split(b"(a \"\\\")\") b", 1, Quoting::Backslash), ["(a \"\\\")\")", "b"]);
    }

    proptest! {
        /// However the stream is cut into pieces, it has as many expressions as the reader finds in the text.
        #[test]
        fn as_the_reader_does(text in "[()a\"|#; \n\\\\]{0,40}", piece in 1usize..7) {
            let mut reader = Reader::new(text.as_bytes(), Quoting::Doubled);
            let (mut tree, mut want) = (Tree::default(), Vec::new());
            while reader.read(&mut tree) {
                want.push(reader.position());
            }
            prop_assume!(!reader.diagnostics.iter().any(|d| d.code == crate::diag::Code::Unclosed));
            prop_assert_eq!(split(text.as_bytes(), piece, Quoting::Doubled).len(), want.len());
        }
    }
}
