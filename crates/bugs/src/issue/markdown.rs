//! Text of solvers and formulas in Markdown: nothing in it can end a code block, start a link or notify anyone.

use campaign::clean::{one_line, printable};

/// Folders of a machine that say something about its user.
const LOCAL: [&str; 7] = ["/home/", "/Users/", "/root/", "/tmp/", "/var/", "/private/", "/mnt/"];

/// A code block. The fence is longer than any row of backticks in the text.
pub(super) fn block(language: &str, text: &str) -> String {
    let text = printable(text.as_bytes(), usize::MAX);
    let fence = "`".repeat(longest_run(&text).max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end_matches('\n'))
}

/// Code within a line.
pub(super) fn code(text: &str) -> String {
    let text = one_line(text);
    let fence = "`".repeat(longest_run(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Plain text within a line: characters that mean something in Markdown are escaped.
pub(super) fn escape(text: &str) -> String {
    let text = one_line(text);
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied().unwrap_or(' ');
        match c {
            '\\' | '`' | '*' | '<' | '[' | '|' | '~' => out.extend(['\\', c]),
            '_' if !(before.is_alphanumeric() && next.is_alphanumeric()) => out.push_str("\\_"),
            '@' if next.is_alphanumeric() => out.push_str("&#64;"),
            '#' if next.is_ascii_digit() => out.push_str("&#35;"),
            '&' if next == '#' || next.is_alphabetic() => out.push_str("&amp;"),
            c => out.push(c),
        }
        before = c;
    }
    out
}

/// `text` with the paths of local folders cut to the names of the files.
pub(super) fn without_paths(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = LOCAL.iter().filter_map(|l| starts(rest, l)).min() {
        out.push_str(&rest[..at]);
        let path = &rest[at..];
        let is_end = |c: char| c.is_whitespace() || "\"'`()<>;,|".contains(c);
        let end = path.find(is_end).unwrap_or(path.len());
        let name = path[..end].rfind('/').map_or(0, |slash| slash + 1);
        out.push_str(&path[name..end]);
        rest = &path[end..];
    }
    out + rest
}

/// Where a path in this folder begins.
fn starts(text: &str, folder: &str) -> Option<usize> {
    let inside = |at: usize| text[..at].ends_with(|c: char| c.is_alphanumeric() || "._-/".contains(c));
    text.match_indices(folder).map(|(at, _)| at).find(|&at| !inside(at))
}

/// At most `lines` lines and `chars` characters of a text, with a line that says how much is left out.
pub(super) fn clip(text: &str, lines: usize, chars: usize) -> String {
    let total = text.lines().count();
    let end = text.char_indices().nth(chars).map_or(text.len(), |(at, _)| at);
    let kept: Vec<&str> = text[..end].lines().take(lines).collect();
    if end == text.len() && total <= lines {
        return text.to_owned();
    }
    let shown = kept.join("\n");
    format!("{shown}\n[… {} more bytes]\n", text.len().saturating_sub(shown.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_are_longer_than_the_text() {
        assert_eq!(block("", "a\n```\nb\n"), "````\na\n```\nb\n````\n");
        assert_eq!(block("smt2", "a"), "```smt2\na\n```\n");
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("`a"), "`` `a ``");
        assert_eq!(code("a\nb\u{1b}"), "`a b\\u{1b}`");
    }

    #[test]
    fn plain_text_stays_plain() {
        assert_eq!(escape("str.replace_all of *x* `y` <b>"), "str.replace_all of \\*x\\* \\`y\\` \\<b>");
        assert_eq!(escape("@user fixes #12, [a](b) _x_"), "&#64;user fixes &#35;12, \\[a](b) \\_x\\_");
        assert_eq!(escape("a@b"), "a&#64;b");
        assert_eq!(escape("&lt;"), "&amp;lt;");
    }

    #[test]
    fn local_paths_are_cut() {
        assert_eq!(without_paths("(error \"/tmp/x y\") /home/a/b.c:12 end"), "(error \"x y\") b.c:12 end");
        assert_eq!(without_paths("at /usr/src/x.cpp, src/tmp/a"), "at /usr/src/x.cpp, src/tmp/a");
        assert_eq!(without_paths("/root/z3 /root/"), "z3 ");
    }

    #[test]
    fn long_texts_are_clipped() {
        assert_eq!(clip("a\nb\n", 2, 10), "a\nb\n");
        assert_eq!(clip("a\nb\nc\n", 2, 10), "a\nb\n[… 3 more bytes]\n");
        assert_eq!(clip("ééééé", 2, 2), "éé\n[… 6 more bytes]\n");
    }
}
