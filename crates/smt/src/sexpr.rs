//! The lossless layer: s-expressions with spans, which never reject.
//!
//! A [`Reader`] walks the source and fills a [`Tree`] with one top-level expression at a time. A tree is a
//! flat array in pre-order; a list knows where its subtree ends, so walking needs no recursion and no
//! pointers, and the array is reused from command to command. Every byte of the source is either inside
//! a node's span or in the trivia (white space and comments) between nodes, so printing back is slicing.
//!
//! Malformed input (an unclosed list, a stray `)`, an unterminated literal) still becomes a node; the
//! reader records a [`Diagnostic`].

use crate::diag::{Code, Diagnostic, Span};

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `( … )`
    List,
    /// A simple symbol.
    Symbol,
    /// `| … |`, the span includes the bars.
    Quoted,
    /// `:name`
    Keyword,
    /// `0`, `42` (leading zeros tolerated)
    Numeral,
    /// `1.5`
    Decimal,
    /// `#x1F`
    Hex,
    /// `#b01`
    Binary,
    /// `"…"`, the span includes the quotes.
    String,
    /// Bytes that are not a token: a stray `)`, control characters.
    Junk,
}

/// One node of a [`Tree`].
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Its place in the source.
    pub span: Span,
    /// Index just past this node's subtree.
    pub next: u32,
    /// Its kind.
    pub kind: Kind,
}

/// An s-expression, flat in pre-order.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The nodes; the root is the first.
    pub nodes: Vec<Node>,
}

impl Tree {
    /// The node at `i`.
    pub fn node(&self, i: u32) -> Node {
        self.nodes[i as usize]
    }

    /// Indices of the children of list `i`.
    pub fn children(&self, i: u32) -> Children<'_> {
        let end = if self.node(i).kind == Kind::List { self.node(i).next } else { i + 1 };
        Children { tree: self, at: i + 1, end }
    }

    /// The number of children of `i`.
    pub fn arity(&self, i: u32) -> usize {
        self.children(i).count()
    }
}

/// Iterator over the children of a list.
#[derive(Clone, Debug)]
pub struct Children<'t> {
    tree: &'t Tree,
    at: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        (self.at < self.end).then(|| {
            let i = self.at;
            self.at = self.tree.node(i).next;
            i
        })
    }
}

/// How `"` is escaped in a string literal, which decides where the literal ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Quoting {
    /// `""` (SMT-LIB 2.5 and later).
    #[default]
    Doubled,
    /// `\"` (SMT-LIB 2.0).
    Backslash,
}

/// Reads top-level expressions one by one.
#[derive(Debug)]
pub struct Reader<'s> {
    src: &'s [u8],
    pos: usize,
    quoting: Quoting,
    open: Vec<u32>,
    /// A list was left open: from then on a line that starts with a command closes all open lists.
    resync: bool,
    /// The findings so far.
    pub diagnostics: Vec<Diagnostic>,
}

const SPACE: u8 = 0;
const SYMBOL: u8 = 1;
const DIGIT: u8 = 2;
const OPEN: u8 = 3;
const CLOSE: u8 = 4;
const QUOTE: u8 = 5;
const BAR: u8 = 6;
const COMMENT: u8 = 7;
const COLON: u8 = 8;
const HASH: u8 = 9;
const BAD: u8 = 10;

/// Character classes. Non-ASCII bytes count as symbol characters: SMT-LIB allows none outside literals and
/// quoted symbols, but solvers print them.
static CLASS: [u8; 256] = class_table();

const fn class_table() -> [u8; 256] {
    let mut t = [BAD; 256];
    let mut i = 0x21;
    while i < 0x7F {
        t[i] = SYMBOL;
        i += 1;
    }
    i = 0x80;
    while i < 256 {
        t[i] = SYMBOL;
        i += 1;
    }
    i = b'0' as usize;
    while i <= b'9' as usize {
        t[i] = DIGIT;
        i += 1;
    }
    t[b' ' as usize] = SPACE;
    t[b'\t' as usize] = SPACE;
    t[b'\n' as usize] = SPACE;
    t[b'\r' as usize] = SPACE;
    t[0x0C] = SPACE;
    t[b'(' as usize] = OPEN;
    t[b')' as usize] = CLOSE;
    t[b'"' as usize] = QUOTE;
    t[b'|' as usize] = BAR;
    t[b';' as usize] = COMMENT;
    t[b':' as usize] = COLON;
    t[b'#' as usize] = HASH;
    t
}

pub(crate) fn continues_symbol(b: u8) -> bool {
    CONTINUES[b as usize]
}

static CONTINUES: [bool; 256] = {
    let mut t = [false; 256];
    let mut i = 0;
    while i < 256 {
        t[i] = matches!(CLASS[i], SYMBOL | DIGIT | COLON | HASH);
        i += 1;
    }
    t
};

impl<'s> Reader<'s> {
    /// A reader at the start of `src`; a byte order mark is skipped.
    ///
    /// # Panics
    /// If `src` is 4 GiB or longer: spans are 32-bit. The binary refuses such files before.
    pub fn new(src: &'s [u8], quoting: Quoting) -> Self {
        assert!(u32::try_from(src.len()).is_ok(), "source of 4 GiB or more");
        let pos = if src.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        Reader { src, pos, quoting, open: Vec::new(), resync: false, diagnostics: Vec::new() }
    }

    /// The offset after the last byte read.
    pub fn position(&self) -> usize {
        self.pos
    }

    /// Continues reading at byte `pos`.
    pub fn seek(&mut self, pos: usize) {
        self.pos = pos;
    }

    /// Skips white space and comments; returns the skipped span.
    pub fn skip_trivia(&mut self) -> Span {
        let (src, start) = (self.src, self.pos);
        let mut pos = start;
        while let Some(&b) = src.get(pos) {
            match CLASS[b as usize] {
                SPACE => pos += 1,
                COMMENT => pos += memchr::memchr(b'\n', &src[pos..]).unwrap_or(src.len() - pos),
                HASH => match block_comment(&src[pos..]) {
                    Some(length) => pos += length,
                    None => break,
                },
                _ => break,
            }
        }
        self.pos = pos;
        Span::new(start, pos)
    }

    /// Reads the next top-level expression into `tree` (cleared first). False at the end of the text.
    pub fn read(&mut self, tree: &mut Tree) -> bool {
        tree.nodes.clear();
        self.open.clear();
        loop {
            self.skip_trivia();
            let Some(&b) = self.src.get(self.pos) else {
                return self.end(tree);
            };
            match CLASS[b as usize] {
                OPEN if self.resync && !self.open.is_empty() && starts_command(self.src, self.pos) => {
                    self.unclosed(tree, self.pos, true);
                }
                OPEN => {
                    self.open.push(tree.nodes.len() as u32);
                    push(tree, Kind::List, self.pos, self.pos + 1);
                    self.pos += 1;
                }
                CLOSE => self.close(tree),
                _ => self.atom(b, tree),
            }
            if self.open.is_empty() {
                return true;
            }
        }
    }

    fn close(&mut self, tree: &mut Tree) {
        let at = self.pos;
        self.pos += 1;
        if let Some(list) = self.open.pop() {
            let next = tree.nodes.len() as u32;
            let node = &mut tree.nodes[list as usize];
            node.next = next;
            node.span.end = self.pos as u32;
        } else {
            push(tree, Kind::Junk, at, self.pos);
            self.error(Code::UnmatchedParenthesis, at, "unmatched `)`");
        }
    }

    /// The text ends inside a list. Probably the list without its `)` is an early one: if a later line starts with
    /// `(` and a command name, reading resumes there, so that one mistake is one error. From then on such a line
    /// closes the open command at once; otherwise the text would be read once for each mistake.
    fn end(&mut self, tree: &mut Tree) -> bool {
        let Some(&outer) = self.open.first() else { return false };
        let start = tree.nodes[outer as usize].span.start as usize;
        let resume = next_command_line(self.src, start + 1);
        self.resync = true;
        self.unclosed(tree, resume.unwrap_or(self.src.len()), resume.is_some());
        true
    }

    /// Reports the open command and closes it at `end`; nodes after that are dropped.
    fn unclosed(&mut self, tree: &mut Tree, end: usize, resumes: bool) {
        let (outer, innermost) = (self.open[0], self.open[self.open.len() - 1]);
        let start = tree.nodes[outer as usize].span.start;
        while self.diagnostics.last().is_some_and(|d| d.span.start as usize >= end) {
            self.diagnostics.pop();
        }
        // An unclosed literal extends to the end of the text, and is already reported.
        let literal =
            self.diagnostics.last().is_some_and(|d| d.span.start > start && d.code == Code::Unclosed);
        if !literal {
            let at = tree.nodes[if resumes { outer } else { innermost } as usize].span.start as usize;
            let hint = if resumes {
                "the next command seems to start before its `)`"
            } else {
                "the text ends before its `)`"
            };
            self.diagnostics.push(unclosed(at, "unclosed `(`").hint(hint));
        }
        tree.nodes.truncate(tree.nodes.partition_point(|n| (n.span.start as usize) < end));
        let next = tree.nodes.len() as u32;
        for node in &mut tree.nodes {
            node.next = node.next.min(next);
            node.span.end = node.span.end.min(end as u32);
        }
        for &list in &self.open {
            if let Some(node) = tree.nodes.get_mut(list as usize) {
                node.next = next;
                node.span.end = end as u32;
            }
        }
        self.open.clear();
        self.pos = end;
    }

    fn atom(&mut self, first: u8, tree: &mut Tree) {
        let start = self.pos;
        let kind = match CLASS[first as usize] {
            DIGIT => self.number(),
            QUOTE => self.string(),
            BAR => self.quoted(),
            COLON => {
                self.run();
                Kind::Keyword
            }
            HASH => self.hash(),
            SYMBOL => {
                self.run();
                Kind::Symbol
            }
            _ => {
                self.pos += 1;
                while self.src.get(self.pos).is_some_and(|&b| CLASS[b as usize] == BAD) {
                    self.pos += 1;
                }
                self.error(Code::InvalidBytes, start, "bytes that SMT-LIB does not allow");
                Kind::Junk
            }
        };
        push(tree, kind, start, self.pos);
    }

    fn run(&mut self) {
        let rest = &self.src[self.pos + 1..];
        self.pos += 1 + rest.iter().position(|&b| !continues_symbol(b)).unwrap_or(rest.len());
    }

    fn error(&mut self, code: Code, start: usize, message: &str) {
        self.diagnostics.push(Diagnostic::error(code, Span::new(start, self.pos), message));
    }

    fn number(&mut self) -> Kind {
        let start = self.pos;
        self.run();
        let text = &self.src[start..self.pos];
        if text.iter().all(u8::is_ascii_digit) {
            return Kind::Numeral;
        }
        let dot = memchr::memchr(b'.', text).unwrap_or(0);
        let digits = |t: &[u8]| !t.is_empty() && t.iter().all(u8::is_ascii_digit);
        if dot > 0 && digits(&text[..dot]) && digits(&text[dot + 1..]) {
            return Kind::Decimal;
        }
        // A symbol cannot start with a digit, but old files have such names.
        Kind::Symbol
    }

    fn hash(&mut self) -> Kind {
        let start = self.pos;
        if self.src[start..].starts_with(b"#|") {
            self.pos = self.src.len();
            self.diagnostics.push(unclosed(start, "unclosed comment `#|`"));
            return Kind::Junk;
        }
        self.run();
        let text = &self.src[start..self.pos];
        match text.get(1) {
            Some(b'x') if text.len() > 2 && text[2..].iter().all(u8::is_ascii_hexdigit) => Kind::Hex,
            Some(b'b') if text.len() > 2 && text[2..].iter().all(|b| matches!(b, b'0' | b'1')) => {
                Kind::Binary
            }
            _ => Kind::Symbol,
        }
    }

    fn string(&mut self) -> Kind {
        let start = self.pos;
        self.pos += 1;
        loop {
            let rest = &self.src[self.pos..];
            let stop = match self.quoting {
                Quoting::Doubled => memchr::memchr(b'"', rest),
                Quoting::Backslash => memchr::memchr2(b'"', b'\\', rest),
            };
            let Some(stop) = stop else {
                self.pos = self.src.len();
                let d = unclosed(start, "unclosed string literal");
                self.diagnostics.push(d.hint("`\"` inside a literal is written `\"\"`"));
                return Kind::String;
            };
            self.pos += stop + 1;
            let escaped = rest[stop] == b'\\'
                || self.quoting == Quoting::Doubled && self.src.get(self.pos) == Some(&b'"');
            if !escaped {
                return Kind::String;
            }
            self.pos = (self.pos + 1).min(self.src.len());
        }
    }

    fn quoted(&mut self) -> Kind {
        let start = self.pos;
        let rest = &self.src[start + 1..];
        if let Some(stop) = memchr::memchr(b'|', rest) {
            self.pos = start + stop + 2;
        } else {
            self.pos = self.src.len();
            self.diagnostics.push(unclosed(start, "unclosed quoted symbol"));
        }
        Kind::Quoted
    }
}

/// The length of a comment `#| … |#` at the start of `rest`. The standard has none; z3 reads them, and no token starts so.
fn block_comment(rest: &[u8]) -> Option<usize> {
    let inside = rest.strip_prefix(b"#|")?;
    memchr::memmem::find(inside, b"|#").map(|end| end + 4)
}

fn unclosed(at: usize, message: &str) -> Diagnostic {
    Diagnostic::error(Code::Unclosed, Span::new(at, at + 1), message)
}

fn push(tree: &mut Tree, kind: Kind, start: usize, end: usize) {
    let next = if kind == Kind::List { 0 } else { tree.nodes.len() as u32 + 1 };
    tree.nodes.push(Node { span: Span::new(start, end), next, kind });
}

/// Offset of the next line that begins with `(` and a command name.
fn next_command_line(src: &[u8], from: usize) -> Option<usize> {
    memchr::memchr_iter(b'\n', &src[from..]).map(|i| from + i + 1).find(|&line| starts_command(src, line))
}

/// At `pos` a line begins with `(` and a command name.
fn starts_command(src: &[u8], pos: usize) -> bool {
    let commands =
        [&b"assert"[..], b"check-sat", b"declare-fun", b"declare-const", b"define-fun", b"set-info", b"exit"];
    let line_start = pos == 0 || src[pos - 1] == b'\n';
    line_start
        && src.get(pos) == Some(&b'(')
        && src[pos + 1..]
            .split(|b| !b.is_ascii_lowercase() && *b != b'-')
            .next()
            .is_some_and(|word| commands.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(src: &str) -> (Vec<String>, usize) {
        let mut reader = Reader::new(src.as_bytes(), Quoting::Doubled);
        let (mut tree, mut out) = (Tree::default(), Vec::new());
        while reader.read(&mut tree) {
            out.push(String::from_utf8_lossy(tree.node(0).span.of(src.as_bytes())).into_owned());
        }
        (out, reader.diagnostics.len())
    }

    #[test]
    fn reads_top_level_expressions() {
        let (got, errors) = read_all("(a |b c| \"d\"\"(\" ; x )\n 1.5 #xAf) foo (())");
        assert_eq!(got, ["(a |b c| \"d\"\"(\" ; x )\n 1.5 #xAf)", "foo", "(())"]);
        assert_eq!(errors, 0);
    }

    #[test]
    fn children_follow_the_tree() {
        let mut tree = Tree::default();
        let src = b"(f (g 1 2) x)";
        assert!(Reader::new(src, Quoting::Doubled).read(&mut tree));
        let texts: Vec<_> = tree.children(0).map(|i| tree.node(i).span.of(src)).collect();
        assert_eq!(texts, [&b"f"[..], b"(g 1 2)", b"x"]);
        assert_eq!(tree.arity(2), 3);
    }

    #[test]
    fn never_rejects_and_resumes_after_a_missing_parenthesis() {
        let (got, errors) = read_all("(assert (= x (f y)\n(check-sat)\n(exit)\n)");
        assert_eq!(got, ["(assert (= x (f y)\n", "(check-sat)", "(exit)", ")"]);
        assert_eq!(errors, 2);
        assert_eq!(read_all("(a \"b").1, 1);
        assert_eq!(read_all("\x01 )").1, 2);
        assert_eq!(read_all("|a").1, 1);
    }

    #[test]
    fn many_unclosed_commands_are_read_once() {
        let src = "(assert (= x y)\n".repeat(50_000);
        let (got, errors) = read_all(&src);
        assert_eq!((got.len(), errors), (50_000, 50_000));
    }

    #[test]
    fn backslash_quoting_is_the_old_rule() {
        let src = br#"(a "b\"c\\" "d")"#;
        let mut tree = Tree::default();
        let mut reader = Reader::new(src, Quoting::Backslash);
        assert!(reader.read(&mut tree));
        assert_eq!(tree.arity(0), 3);
        assert!(reader.diagnostics.is_empty());
    }

    #[test]
    fn a_million_levels_are_supported() {
        let src = format!("{}x{}", "(f ".repeat(1_000_000), ")".repeat(1_000_000));
        let mut tree = Tree::default();
        assert!(Reader::new(src.as_bytes(), Quoting::Doubled).read(&mut tree));
        assert_eq!(tree.nodes.len(), 2_000_001);
    }
}
