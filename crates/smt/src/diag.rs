//! Positions in a source text and the diagnostics that point at them.
//!
//! Libraries return [`Diagnostic`]s; only the binary renders them (file, line, column, caret).

mod code;

pub use code::Code;

use std::fmt;

/// A half-open byte range of the source text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start: start as u32, end: end as u32 }
    }

    /// The bytes of `src` that the span covers.
    pub fn of(self, src: &[u8]) -> &[u8] {
        &src[self.start as usize..self.end as usize]
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The text is accepted, but the reader should know.
    Notice,
    /// The command around the span is rejected.
    Error,
}

/// A finding about the source text, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or notice.
    pub severity: Severity,
    /// The subject.
    pub code: Code,
    /// The place in the source.
    pub span: Span,
    /// The finding, in one sentence.
    pub message: String,
    /// What to do about it, if known.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Error, code, span, message: message.into(), hint: None }
    }

    /// A notice at `span`.
    pub fn notice(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Notice, code, span, message: message.into(), hint: None }
    }

    /// The same diagnostic with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// Line and column, both from 1; the column counts characters (malformed bytes count one each).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line number.
    pub line: usize,
    /// Column number.
    pub column: usize,
}

/// The line and column of a byte offset.
pub fn position(src: &[u8], offset: usize) -> Position {
    let before = &src[..offset.min(src.len())];
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |i| i + 1);
    let line = memchr::memchr_iter(b'\n', before).count() + 1;
    let mut text = &before[line_start..];
    if line == 1 {
        text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    }
    let column = text.utf8_chunks().map(|c| c.valid().chars().count() + c.invalid().len()).sum::<usize>() + 1;
    Position { line, column }
}

/// Line numbers of many offsets in one text.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    /// Of the text `src`.
    pub fn new(src: &[u8]) -> Lines {
        let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', src).map(|i| i + 1)).collect();
        Lines { starts }
    }

    /// The line, from 1, that byte `offset` is in.
    pub fn of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset)
    }
}

/// The entry of `known` nearest to `word`, if near enough to be a typing error.
pub fn did_you_mean<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = match word.len() {
        0..=2 => 0,
        3..=5 => 1,
        6..=9 => 2,
        10..=60 => 3,
        // Nobody types such names, and the comparison is quadratic.
        _ => return None,
    };
    // Each character that the other name lacks is an edit: this rules out most names cheaply.
    let chars = |s: &str| s.bytes().fold(0u128, |set, c| set | 1 << (fold(c) & 0x7F));
    let mine = chars(word);
    let missing = |theirs: u128| (mine & !theirs).count_ones().max((theirs & !mine).count_ones()) as usize;
    known
        .filter(|k| k.len().abs_diff(word.len()) <= limit && missing(chars(k)) <= limit)
        .map(|k| (edit_distance(word, k), k))
        .filter(|&(d, _)| d <= limit)
        .min()
        .map(|(_, k)| k)
}

/// The message for a name that none of `known` has: lists them, with the nearest as a hint. `what` is a noun: `generator`.
pub fn unknown_name<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    let near = did_you_mean(name, known.iter().copied());
    let hint = near.map_or_else(String::new, |n| format!(" Did you mean `{n}`?"));
    format!("unknown {what} `{name}`; the {what}s are {}.{hint}", known.join(", "))
}

/// `.`, `_` and `-` count as one character, and case is ignored.
fn fold(c: u8) -> u8 {
    if matches!(c, b'_' | b'-') { b'.' } else { c.to_ascii_lowercase() }
}

/// Damerau-Levenshtein distance (optimal string alignment) of folded names: `str.in.re` is at distance 0 from
/// `str.in_re`.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<u8>, Vec<u8>) = (a.bytes().map(fold).collect(), b.bytes().map(fold).collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut d = (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                d = d.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = d;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_find_old_and_mistyped_names() {
        let known = ["str.in_re", "str.len", "str.++", "re.range"];
        assert_eq!(did_you_mean("str.in.re", known.into_iter()), Some("str.in_re"));
        assert_eq!(did_you_mean("str.lne", known.into_iter()), Some("str.len"));
        assert_eq!(did_you_mean("frobnicate", known.into_iter()), None);
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let known = ["sat", "unsat"];
        assert_eq!(
            unknown_name("answer", "unsatt", known.into_iter()),
            "unknown answer `unsatt`; the answers are sat, unsat. Did you mean `unsat`?"
        );
        assert_eq!(
            unknown_name("answer", "no", known.into_iter()),
            "unknown answer `no`; the answers are sat, unsat."
        );
    }

    #[test]
    fn positions_count_lines_and_characters() {
        let src = "(a\n é b)".as_bytes();
        let lines = Lines::new(src);
        assert_eq!((lines.of(0), lines.of(2), lines.of(3), lines.of(99)), (1, 1, 2, 2));
        assert_eq!(position(src, 0), Position { line: 1, column: 1 });
        assert_eq!(position(src, 7), Position { line: 2, column: 4 });
        assert_eq!(position("\u{feff}(x".as_bytes(), 4), Position { line: 1, column: 2 });
    }
}
