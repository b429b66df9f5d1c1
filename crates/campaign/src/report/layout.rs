//! Long S-expressions on several lines: what fits stays on one line, otherwise each argument has its own.

use crate::case::Case;
use smt::print::{Printer, Sharing};
use smt::{Command, Dialect};

/// Characters per line of formulas.
const WIDTH: usize = 96;
/// Maximum nesting that is laid out; deeper parts stay on one line.
const MAX_DEPTH: usize = 40;

/// The commands without `set-info`, laid out; none if they cannot all be written in the standard.
pub(super) fn formula(case: &Case) -> Option<String> {
    let mut out = String::new();
    for entry in case.script.entries.iter().filter(|e| !matches!(e.command, Command::SetInfo(..))) {
        let sharing = if entry.lets { Sharing::Always } else { Sharing::Auto };
        let mut printer = Printer::new(&case.pool, Dialect::Smt26).sharing(sharing);
        let mut text = String::new();
        printer.command(&entry.command, &mut text).ok()?;
        out.push_str(&lay_out(&text, WIDTH));
    }
    Some(out)
}

/// `text`, one command a line, with lines of at most about `width` characters.
pub(super) fn lay_out(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    for line in text.lines() {
        command(line, width, &mut out);
        out.push('\n');
    }
    out
}

/// A piece of text: a parenthesis, or an atom, with the width of what it opens.
struct Token<'t> {
    text: &'t str,
    /// The width up to the matching parenthesis on one line.
    flat: usize,
}

fn command(line: &str, width: usize, out: &mut String) {
    let tokens = tokens(line);
    let mut open: Vec<bool> = Vec::new();
    let mut column = 0;
    let mut before = "(";
    for (i, token) in tokens.iter().enumerate() {
        let is_argument = token.text != ")" && i > 0;
        // The operator stays beside its parenthesis.
        if is_argument && before != "(" && open.last() == Some(&true) {
            column = 2 * open.len().min(MAX_DEPTH);
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', column));
        } else if is_argument && before != "(" {
            out.push(' ');
            column += 1;
        }
        match token.text {
            "(" => open.push(column + token.flat > width && open.len() < MAX_DEPTH),
            ")" => drop(open.pop()),
            _ => {}
        }
        out.push_str(token.text);
        column += token.text.chars().count();
        before = token.text;
    }
}

fn tokens(line: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let (text, after) = rest.split_at(token_end(rest));
        tokens.push(Token { text, flat: text.chars().count() });
        rest = after.trim_start();
    }
    measure(&mut tokens);
    tokens
}

/// Where the first token ends.
fn token_end(text: &str) -> usize {
    let end = |found: Option<usize>| found.map_or(text.len(), |at| at + 1);
    match text.as_bytes()[0] {
        b'(' | b')' => 1,
        b'|' => end(text[1..].find('|').map(|at| at + 1)),
        b'"' => string_end(text),
        b';' => text.len(),
        _ => text.find(|c: char| c.is_whitespace() || "()\"".contains(c)).unwrap_or(text.len()),
    }
}

/// Where a string literal ends: `""` is a quote in it.
fn string_end(text: &str) -> usize {
    let mut at = 1;
    while let Some(next) = text[at..].find('"') {
        at += next + 1;
        if !text[at..].starts_with('"') {
            return at;
        }
        at += 1;
    }
    text.len()
}

/// Computes the widths of parenthesised parts.
fn measure(tokens: &mut [Token<'_>]) {
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    for i in 0..tokens.len() {
        let text = tokens[i].text;
        let blank = i > 0 && text != ")" && tokens[i - 1].text != "(";
        at += usize::from(blank);
        if text == "(" {
            open.push((i, at));
        }
        at += text.chars().count();
        if text == ")"
            && let Some((from, start)) = open.pop()
        {
            tokens[from].flat = at - start;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_lines_stay() {
        let text = "(declare-const x String)\n(assert (= x \"a (b \"\" c\"))\n";
        assert_eq!(lay_out(text, 80), text);
    }

    #[test]
    fn long_lines_are_broken_at_arguments() {
        let text = "(assert (and (= x (str.++ y \"a  b\")) (not (= |a b| y))))";
        let expected = "(assert\n  (and\n    (= x (str.++ y \"a  b\"))\n    (not (= |a b| y))))\n";
        assert_eq!(lay_out(text, 30), expected);
    }

    #[test]
    fn broken_text_and_deep_terms_end() {
        for text in ["(((", ")))", "\"", "|", "", "(a \"b", "; x (", "é(ü \"ß"] {
            let laid = lay_out(text, 3);
            let plain = |t: &str| t.split_whitespace().collect::<String>();
            assert_eq!(plain(&laid), plain(text));
        }
        let deep = format!("{}x{}", "(f ".repeat(50_000), ")".repeat(50_000));
        assert_eq!(lay_out(&deep, 20).matches("(f").count(), 50_000);
    }
}
