//! The dialects of string solvers, and how to detect them.
//!
//! | | operator names | quote inside a literal | other escapes |
//! |---|---|---|---|
//! | 2.0 (Z3str2) | `Concat`, `Length`, `RegexIn` | `\"` | `\x41`, `\n`, `\101`, `\\` |
//! | 2.5 | `str.in.re`, `str.to.int` | `""` | the same |
//! | Norn | as 2.5, with the commands of SMT-LIB 2.0 only | `""` | the same |
//! | 2.6 and 2.7 | `str.in_re`, `str.to_int` | `""` | `\u{41}`, `\u0041`, nothing else |
//!
//! A literal is a sequence of code points once it is read; each dialect's escapes are undone on reading
//! and redone on writing, which keeps the meaning. A construct that a dialect cannot express is an error that names it.

use crate::sexpr::{Kind, Quoting, Reader, Tree};
use std::fmt;
use std::str::FromStr;

/// A dialect of SMT-LIB with strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Dialect {
    /// SMT-LIB 2.0 with Z3str2's names.
    Smt20,
    /// SMT-LIB 2.5 with the names of CVC4 1.6 and Z3 before 4.8.9.
    Smt25,
    /// SMT-LIB 2.0 commands with 2.5 strings.
    Norn,
    /// SMT-LIB 2.6 and 2.7: the standard.
    #[default]
    Smt26,
}

/// The largest code point of the theory.
pub const MAX_CHAR: u32 = 0x2_FFFF;

impl Dialect {
    /// All dialects.
    pub const ALL: [Dialect; 4] = [Dialect::Smt20, Dialect::Smt25, Dialect::Norn, Dialect::Smt26];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Smt20 => "2.0",
            Dialect::Smt25 => "2.5",
            Dialect::Norn => "norn",
            Dialect::Smt26 => "2.6",
        }
    }

    /// How it ends a string literal.
    pub fn quoting(self) -> Quoting {
        if self == Dialect::Smt20 { Quoting::Backslash } else { Quoting::Doubled }
    }

    /// Its string literals use C-like escapes.
    pub fn has_c_escapes(self) -> bool {
        self != Dialect::Smt26
    }

    /// It has only the commands of SMT-LIB 2.0.
    pub fn has_only_20_commands(self) -> bool {
        matches!(self, Dialect::Smt20 | Dialect::Norn)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Dialect {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        match s {
            "2.0" | "smt20" | "z3str2" => Ok(Dialect::Smt20),
            "2.5" | "smt25" => Ok(Dialect::Smt25),
            "norn" => Ok(Dialect::Norn),
            "2.6" | "2.7" | "smt26" | "smt27" | "smt2" => Ok(Dialect::Smt26),
            _ => Err(format!("unknown dialect `{s}`, expected 2.0, 2.5, 2.6, 2.7 or norn")),
        }
    }
}

/// Detects the dialect of a text by the names it uses. Without a distinctive name it is the standard, even if
/// `:smt-lib-version` is 2.5: current solvers read it that way. If it is 2.6, old names do not count.
///
/// A text that contains none of the old names is not tokenised.
pub fn detect(src: &[u8]) -> Dialect {
    let hints = [
        &b"str.in.re"[..],
        b"str.to.re",
        b".to.",
        b".nostr",
        b"str.code",
        b"Reg",
        b"Concat",
        b"Length",
        b"replaceall",
    ];
    if !hints.iter().any(|h| memchr::memmem::find(src, h).is_some()) {
        return Dialect::Smt26;
    }
    let mut census = Census::default();
    let mut reader = Reader::new(src, Quoting::Doubled);
    let mut tree = Tree::default();
    while reader.read(&mut tree) {
        census.count(src, &tree);
    }
    census.verdict()
}

#[derive(Default)]
struct Census {
    z3str2: usize,
    old: usize,
    new: usize,
    declared_z3str2: bool,
    norn: bool,
    states_26: bool,
}

impl Census {
    fn count(&mut self, src: &[u8], tree: &Tree) {
        let head = tree.nodes.get(1).map_or(&b""[..], |n| n.span.of(src));
        if head == b"set-info" {
            return self.info(src, tree);
        }
        let declares = head.starts_with(b"declare-") || head.starts_with(b"define-");
        for (i, node) in tree.nodes.iter().enumerate().filter(|(_, n)| n.kind == Kind::Symbol) {
            match node.span.of(src) {
                b"str.in_re" | b"str.to_re" | b"str.to_int" | b"str.from_int" | b"str.replace_all"
                | b"str.to_code" | b"str.from_code" | b"re.none" | b"str.is_digit" | b"re.comp" => {
                    self.new += 1;
                }
                b"str.in.re" | b"str.to.re" | b"str.to.int" | b"int.to.str" | b"re.nostr" | b"str.code"
                | b"str.replaceall" => self.old += 1,
                b"Concat" | b"Length" | b"RegexIn" | b"Str2Reg" | b"RegexStar" | b"RegexConcat"
                | b"RegexUnion" => {
                    self.z3str2 += 1;
                    self.declared_z3str2 |= declares && i == 2;
                }
                _ => {}
            }
        }
    }

    fn info(&mut self, src: &[u8], tree: &Tree) {
        let (Some(key), Some(value)) = (tree.nodes.get(2), tree.nodes.get(3)) else {
            return;
        };
        if key.span.of(src) == b":smt-lib-version" {
            self.states_26 |= matches!(value.span.of(src), b"2.6" | b"2.7");
        }
        if key.span.of(src) == b":source" {
            self.norn |= memchr::memmem::find(value.span.of(src), b"Norn").is_some();
        }
    }

    fn verdict(&self) -> Dialect {
        if self.z3str2 > 0 && !self.declared_z3str2 && self.old + self.new == 0 {
            return Dialect::Smt20;
        }
        let old = self.old > self.new && !self.states_26;
        match (old, self.norn) {
            (true, true) => Dialect::Norn,
            (true, false) => Dialect::Smt25,
            (false, _) => Dialect::Smt26,
        }
    }
}

/// Undoes the escapes of the inside of a literal (the bytes between the quotes), appending code points.
///
/// Non-ASCII bytes are read as UTF-8 where they are valid, and as Latin-1 otherwise (z3 4.5 prints such);
/// characters above U+2FFFF become the surrogate-free replacement U+FFFD, and the return value is false.
pub fn unescape(raw: &[u8], dialect: Dialect, out: &mut Vec<u32>) -> bool {
    let mut clean = true;
    let mut rest = raw;
    while let Some(&b) = rest.first() {
        let (c, used) = match b {
            b'"' => (u32::from(b'"'), if rest.get(1) == Some(&b'"') { 2 } else { 1 }),
            b'\\' if dialect == Dialect::Smt26 => unicode_escape(rest).unwrap_or((u32::from(b'\\'), 1)),
            b'\\' => c_escape(rest),
            0..=0x7F => (u32::from(b), 1),
            _ => decode_utf8(rest).unwrap_or((u32::from(b), 1)),
        };
        clean &= c <= MAX_CHAR;
        out.push(if c <= MAX_CHAR { c } else { 0xFFFD });
        rest = &rest[used..];
    }
    clean
}

/// `\ud₃d₂d₁d₀` or `\u{d₀}` … `\u{d₄d₃d₂d₁d₀}` with d₄ ≤ 2, at the start of `rest`.
fn unicode_escape(rest: &[u8]) -> Option<(u32, usize)> {
    let rest = rest.strip_prefix(b"\\u")?;
    if let Some(braced) = rest.strip_prefix(b"{") {
        let len = braced.iter().take(6).position(|&b| b == b'}')?;
        let c = hex(&braced[..len])?;
        return (c <= MAX_CHAR).then_some((c, len + 4));
    }
    Some((hex(rest.get(..4)?)?, 6))
}

fn hex(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    digits.iter().try_fold(0u32, |n, &d| n.checked_mul(16)?.checked_add((d as char).to_digit(16)?))
}

/// `\n`, `\x41`, `\101`, `\\`, `\"`; an unknown escape is the character itself, as in old z3 and CVC4.
fn c_escape(rest: &[u8]) -> (u32, usize) {
    let Some(&letter) = rest.get(1) else {
        return (u32::from(b'\\'), 1);
    };
    if letter == b'x'
        && let Some(c) = rest.get(2..4).and_then(hex)
    {
        return (c, 4);
    }
    if letter == b'u'
        && let Some(found) = unicode_escape(rest)
    {
        return found;
    }
    if (b'0'..=b'7').contains(&letter) {
        let len = rest[1..].iter().take(3).take_while(|b| (b'0'..=b'7').contains(*b)).count();
        let c = rest[1..=len].iter().fold(0, |n, &d| n * 8 + u32::from(d - b'0'));
        if c < 256 {
            return (c, len + 1);
        }
    }
    let c = match letter {
        b'a' => 0x07,
        b'b' => 0x08,
        b'e' => 0x1B,
        b'f' => 0x0C,
        b'n' => 0x0A,
        b'r' => 0x0D,
        b't' => 0x09,
        b'v' => 0x0B,
        other => u32::from(other),
    };
    (c, 2)
}

fn decode_utf8(bytes: &[u8]) -> Option<(u32, usize)> {
    let len = match bytes[0] {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    let text = std::str::from_utf8(bytes.get(..len)?).ok()?;
    Some((text.chars().next()? as u32, len))
}

/// Writes `word` as a literal of `dialect`, or returns the code point that it cannot express.
pub fn escape(word: &[u32], dialect: Dialect, out: &mut String) -> Result<(), u32> {
    use std::fmt::Write as _;
    out.push('"');
    for &c in word {
        match c {
            0x22 if dialect == Dialect::Smt20 => out.push_str("\\\""),
            0x22 => out.push_str("\"\""),
            // A backslash needs an escape only before `u`, but the escaped form is safe in every solver.
            0x5C if dialect == Dialect::Smt26 => out.push_str("\\u{5c}"),
            0x5C => out.push_str("\\\\"),
            0x20..=0x7E => out.push(c as u8 as char),
            _ if dialect == Dialect::Smt26 => {
                let _ = write!(out, "\\u{{{c:x}}}");
            }
            0..=0xFF => {
                let _ = write!(out, "\\x{c:02x}");
            }
            _ => return Err(c),
        }
    }
    out.push('"');
    Ok(())
}

/// Rewrites the literals of `raw`, some s-expressions in `from`, so that they mean the same in `to`, or returns
/// the code point that `to` cannot express. Everything else stays.
pub(crate) fn translate_literals(raw: &str, from: Dialect, to: Dialect) -> Result<String, u32> {
    let mut word = Vec::new();
    map_literals(raw, from.quoting(), |inside, out| {
        word.clear();
        unescape(inside.as_bytes(), from, &mut word);
        escape(&word, to, out)
    })
}

/// Rewrites only the quotes in literals that are not strings of the theory, such as those of `set-info`.
pub(crate) fn requote(raw: &str, from: Quoting, to: Quoting) -> String {
    let rewritten = map_literals(raw, from, |inside, out| {
        let plain = match from {
            Quoting::Doubled => inside.replace("\"\"", "\""),
            Quoting::Backslash => unescape_backslashes(inside),
        };
        out.push('"');
        match to {
            Quoting::Doubled => out.push_str(&plain.replace('"', "\"\"")),
            Quoting::Backslash => out.push_str(&plain.replace('\\', "\\\\").replace('"', "\\\"")),
        }
        out.push('"');
        Ok(())
    });
    rewritten.unwrap_or_else(|_| raw.into())
}

/// `\"` is `"` and `\\` is `\`; any other escape stays.
fn unescape_backslashes(inside: &str) -> String {
    let mut out = String::with_capacity(inside.len());
    let mut chars = inside.chars();
    while let Some(c) = chars.next() {
        match (c, chars.clone().next()) {
            ('\\', Some(next @ ('"' | '\\'))) => {
                out.push(next);
                chars.next();
            }
            _ => out.push(c),
        }
    }
    out
}

/// `raw` with the inside of each literal (without the quotes) rewritten by `write`.
fn map_literals(
    raw: &str,
    quoting: Quoting,
    mut write: impl FnMut(&str, &mut String) -> Result<(), u32>,
) -> Result<String, u32> {
    let (mut out, mut done) = (String::with_capacity(raw.len()), 0);
    let mut reader = Reader::new(raw.as_bytes(), quoting);
    let mut tree = Tree::default();
    while raw.contains('"') && reader.read(&mut tree) {
        for node in tree.nodes.iter().filter(|n| n.kind == Kind::String) {
            let (start, end) = (node.span.start as usize, node.span.end as usize);
            out.push_str(&raw[done..start]);
            let inside = &raw[start + 1..end];
            write(inside.strip_suffix('"').unwrap_or(inside), &mut out)?;
            done = end;
        }
    }
    out.push_str(&raw[done..]);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(raw: &str, dialect: Dialect) -> Vec<u32> {
        let mut out = Vec::new();
        unescape(raw.as_bytes(), dialect, &mut out);
        out
    }

    #[test]
    fn standard_escapes_are_the_only_ones() {
        let s = Dialect::Smt26;
        assert_eq!(read(r"\u{41}\u0042\n\x41", s), [0x41, 0x42, 0x5C, 0x6E, 0x5C, 0x78, 0x34, 0x31]);
        // The standard's examples of texts that are not escapes.
        for not_escape in
            [r"\u2CA", r"\u2CXA", r"\u{ACG}A", r"\u{}", r"\u{30000}", r"\u{123456}", r"\u", r"\"]
        {
            assert_eq!(read(not_escape, s)[0], 0x5C, "{not_escape}");
            assert_eq!(read(not_escape, s).len(), not_escape.len(), "{not_escape}");
        }
        assert_eq!(read(r"\u{2FFFF}", s), [0x2FFFF]);
        assert_eq!(read(r"\u{2C}1a", s), [0x2C, 0x31, 0x61]);
        assert_eq!(read(r#"a""b"#, s), [0x61, 0x22, 0x62]);
    }

    #[test]
    fn old_c_escapes() {
        let s = Dialect::Smt25;
        assert_eq!(read(r"\x41\n\101\\\q\0", s), [0x41, 0x0A, 0x41, 0x5C, 0x71, 0]);
        assert_eq!(read(r#"\"""#, Dialect::Smt20), [0x22, 0x22]);
        assert_eq!(read("é", s), [0xE9]);
        let mut out = Vec::new();
        assert!(unescape(b"\xE9a", s, &mut out));
        assert_eq!(out, [0xE9, 0x61]);
    }

    #[test]
    fn escape_then_unescape_is_the_identity() {
        for dialect in Dialect::ALL {
            for c in (0..0x300).chain([0xFFFF, 0x10000, 0x2FFFF]) {
                let word = [0x5C, 0x75, c, 0x22, 0x5C, c, 0x34, 0x31];
                let mut text = String::new();
                match escape(&word, dialect, &mut text) {
                    Ok(()) => assert_eq!(read(&text[1..text.len() - 1], dialect), word, "{dialect} {text}"),
                    Err(bad) => assert!(dialect.has_c_escapes() && bad > 0xFF),
                }
            }
        }
    }

    #[test]
    fn texts_carried_along_change_their_dialect() {
        let raw = r#"(f "a\"b\\" ; "
 |"| "\n\x41")"#;
        assert_eq!(
            requote(raw, Quoting::Backslash, Quoting::Doubled),
            "(f \"a\"\"b\\\" ; \"\n |\"| \"\\n\\x41\")"
        );
        let text = translate_literals(raw, Dialect::Smt20, Dialect::Smt26).unwrap();
        assert_eq!(text, "(f \"a\"\"b\\u{5c}\" ; \"\n |\"| \"\\u{a}A\")");
        assert_eq!(
            translate_literals(&text, Dialect::Smt26, Dialect::Smt20).unwrap(),
            "(f \"a\\\"b\\\\\" ; \"\n |\"| \"\\x0aA\")"
        );
        assert_eq!(translate_literals("\"\\u{100}\"", Dialect::Smt26, Dialect::Smt25), Err(0x100));
    }

    #[test]
    fn detection() {
        assert_eq!(detect(b"(assert (= x \"\\x41\"))"), Dialect::Smt26);
        assert_eq!(detect(b"(assert (str.in.re x (str.to.re \"a\")))"), Dialect::Smt25);
        assert_eq!(detect(b"(assert (str.in_re x (str.to_re \"a\")))"), Dialect::Smt26);
        assert_eq!(detect(b"(assert (= (Concat x \"a\") (Concat y \"b\")))"), Dialect::Smt20);
        assert_eq!(detect(b"(declare-fun Concat (Int Int) Int)(assert (= (Concat 1 2) 3))"), Dialect::Smt26);
        assert_eq!(detect(b"; str.in.re\n(assert (= x \"str.in.re\"))"), Dialect::Smt26);
        assert_eq!(detect(b"(set-info :source |from Norn|)(assert (str.in.re x re.nostr))"), Dialect::Norn);
    }
}
