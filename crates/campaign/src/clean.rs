//! Text that is safe to display, and short forms of times, counts and sizes.
//!
//! The output of solvers and the text of formulas may have any character. Displayed text never has control characters (a terminal
//! interprets them), characters that change the direction of text, or bytes that are not UTF-8.

use std::fmt::Write as _;
use std::time::Duration;

/// `bytes` as text that is safe to show, cut after about `limit` bytes; newlines and tabs stay.
pub fn printable(bytes: &[u8], limit: usize) -> String {
    let mut out = String::with_capacity(bytes.len().min(limit));
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if out.len() >= limit {
                return cut(out, bytes.len());
            }
            push(&mut out, c);
        }
        for b in chunk.invalid() {
            let _ = write!(out, "\\x{b:02X}");
        }
    }
    out
}

/// `text` in one line that is safe to show.
pub fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(' '),
            c => push(&mut out, c),
        }
    }
    out
}

fn push(out: &mut String, c: char) {
    match c {
        '\n' | '\t' => out.push(c),
        c if c.is_control() || is_invisible(c) => {
            let _ = write!(out, "\\u{{{:x}}}", c as u32);
        }
        c => out.push(c),
    }
}

/// Characters that are invisible and change how others are shown.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

fn cut(mut text: String, total: usize) -> String {
    let _ = write!(text, "\n… cut, {} in total", bytes(total as u64));
    text
}

/// A number with commas: `1,234,567`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// A count with its noun: `1 run`, `2 runs`.
pub fn counted(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(n), if n == 1 { "" } else { "s" })
}

/// Names as in a sentence: `a`, `a and b`, `a, b and c`.
pub fn listed(names: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let mut out = String::new();
    let mut names = names.into_iter().peekable();
    while let Some(name) = names.next() {
        let before = match (out.is_empty(), names.peek()) {
            (true, _) => "",
            (false, Some(_)) => ", ",
            (false, None) => " and ",
        };
        out.push_str(before);
        out.push_str(name.as_ref());
    }
    out
}

/// A time for people: `3.2 ms`, `14.0 s`, `5 min 20 s`, `3 h 5 min`.
pub fn time(d: Duration) -> String {
    let s = d.as_secs_f64();
    match s {
        0.0 => "0".into(),
        s if s < 0.000_999_5 => format!("{:.0} µs", s * 1e6),
        s if s < 0.099_95 => format!("{:.1} ms", s * 1e3),
        s if s < 0.999_5 => format!("{:.0} ms", s * 1e3),
        s if s < 99.95 => format!("{s:.1} s"),
        s if s < 5999.5 => format!("{} min {} s", s.round() as u64 / 60, s.round() as u64 % 60),
        s => format!("{} h {} min", (s / 60.0).round() as u64 / 60, (s / 60.0).round() as u64 % 60),
    }
}

/// A size for people: `812 B`, `5.2 KiB`, `1.5 GiB`.
pub fn bytes(n: u64) -> String {
    let n = n as f64;
    match n {
        n if n < 1024.0 => format!("{n:.0} B"),
        n if n < 1024.0 * 1024.0 => format!("{:.1} KiB", n / 1024.0),
        n if n < 1024.0 * 1024.0 * 1024.0 => format!("{:.1} MiB", n / 1024.0 / 1024.0),
        n => format!("{:.1} GiB", n / 1024.0 / 1024.0 / 1024.0),
    }
}

/// `word` as one word of a POSIX shell.
pub fn shell(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// `text` in at most `width` characters, its middle left out if necessary.
pub fn shorten(text: &str, width: usize) -> String {
    let n = text.chars().count();
    if n <= width || width < 3 {
        return text.to_owned();
    }
    let head = (width - 1) / 2;
    let tail = width - 1 - head;
    let start: String = text.chars().take(head).collect();
    let end: String = text.chars().skip(n - tail).collect();
    format!("{start}…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_sequences_are_not_shown() {
        assert_eq!(printable(b"a\x1b[31mb\xffc\n\td\x07", 100), "a\\u{1b}[31mb\\xFFc\n\td\\u{7}");
        assert_eq!(printable("x\u{202E}y\u{2028}".as_bytes(), 100), "x\\u{202e}y\u{2028}");
        assert_eq!(printable(&[b'a'; 5000], 4), "aaaa\n… cut, 4.9 KiB in total");
        assert_eq!(one_line("a\nb\u{1b}"), "a b\\u{1b}");
    }

    #[test]
    fn numbers() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(counted(1, "run"), "1 run");
        assert_eq!(bytes(5 << 30), "5.0 GiB");
        let t = |us| time(Duration::from_micros(us));
        assert_eq!(
            [t(0), t(12), t(3_210), t(456_000), t(14_000_000), t(320_000_000), t(11_100_000_000)],
            ["0", "12 µs", "3.2 ms", "456 ms", "14.0 s", "5 min 20 s", "3 h 5 min"]
        );
    }

    #[test]
    fn shell_words() {
        assert_eq!(shell("a/b-1.smt2"), "a/b-1.smt2");
        assert_eq!(shell(""), "''");
        assert_eq!(shell("it's $(x)"), "'it'\\''s $(x)'");
    }

    #[test]
    fn the_middle_is_left_out() {
        assert_eq!(shorten("abcdef", 6), "abcdef");
        assert_eq!(shorten("abcdefgh", 5), "ab…gh");
    }
}
